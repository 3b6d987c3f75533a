import { World } from 'pliant';

// A planted defect: cuts of bodies with an even number of particles throw what no user should see.
const cut = World.prototype.cut;
World.prototype.cut = function (body, options) {
  if (body?.alive && body.particleCount % 2 === 0) return new Float64Array(-1);
  return cut.call(this, body, options);
};
