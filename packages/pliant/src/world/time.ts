import { checkInteger, checkNumber } from '../check.js';
import { step } from '../step.js';
import type { World } from '../world.js';

export function stepWorld(world: World): void {
  world.core.checkIdle('step');
  world.core.isStepping = true;
  try {
    step(world);
  } finally {
    world.core.isStepping = false;
  }
  world.frame++;
  world.time += world.dt;
}

export function advance(world: World, seconds: number, maxSteps: number): { steps: number; alpha: number } {
  world.core.checkIdle('advance');
  checkNumber('seconds', seconds, { above: -1 });
  checkInteger('maxSteps', maxSteps, { min: 1 });
  world.core.accumulator += Math.max(0, seconds);
  let steps = 0;
  while (world.core.accumulator >= world.dt && steps < maxSteps) {
    world.step();
    world.core.accumulator -= world.dt;
    steps++;
  }
  if (world.core.accumulator >= world.dt) world.core.accumulator %= world.dt;
  return { steps, alpha: world.core.accumulator / world.dt };
}
