import { World } from 'pliant';

// A planted defect: a step that a force function leaves has moved the clock.
const step = World.prototype.step;
World.prototype.step = function () {
  const { frame } = this;
  this.time += this.dt;
  step.call(this);
  if (this.frame > frame) this.time -= this.dt;
};
