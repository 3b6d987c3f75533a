import { World } from 'pliant';

// A planted defect: a body that is refused leaves its clock behind.
const addBody = World.prototype.addBody;
World.prototype.addBody = function (options) {
  this.time += 1;
  const body = addBody.call(this, options);
  this.time -= 1;
  return body;
};
