import { Body } from 'pliant';

// A planted defect: a material that is refused has changed the velocity before.
const setMaterial = Body.prototype.setMaterial;
Body.prototype.setMaterial = function (options) {
  const before = this.velocities[0];
  this.velocities[0] += 1;
  setMaterial.call(this, options);
  this.velocities[0] = before;
};
