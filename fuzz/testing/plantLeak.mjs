import { World } from 'pliant';

// A planted defect: of what a cut leaves, the last piece gets lost.
const cut = World.prototype.cut;
World.prototype.cut = function (body, options) {
  const result = cut.call(this, body, options);
  if (result.bodies.length > 1) this.removeBody(result.bodies.at(-1));
  return result;
};
