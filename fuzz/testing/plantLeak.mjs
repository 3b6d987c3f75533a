import { World } from 'pliant';

// A planted defect: separating a body makes its first particle a little heavier.
const separate = World.prototype.separate;
World.prototype.separate = function (body) {
  const bodies = separate.call(this, body);
  bodies[0].positions[3] *= 1.001;
  return bodies;
};
