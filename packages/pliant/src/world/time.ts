import { checkInteger, checkNumber } from '../check.js';
import { substepsFor } from '../material/elasticLaw.js';
import { step } from '../step.js';
import type { World } from '../world.js';

export function stepWorld(world: World): void {
  world.core.checkIdle('step');
  const { core, dt, time } = world;
  const count = substepsOf(world);
  core.isStepping = true;
  core.stepTime = time;
  core.h = dt / count;
  world.profile.begin();
  beginStep(world, count);
  try {
    for (let k = 0; k < count; k++) {
      world.time = time + k * core.h;
      core.substepsLeft = count - k;
      step(world);
      core.substep++;
    }
  } finally {
    core.isStepping = false;
    core.substepsLeft = 1;
    world.time = time;
  }
  world.frame++;
  world.time = time + dt;
}

/** How many substeps the next step takes. */
export function substepsOf({ core: { settings, dt }, bodies, state }: World): number {
  if (settings.substeps !== 'auto') return settings.substeps;
  let count = 1;
  for (const body of bodies) {
    const { law } = body.core;
    if (!law || !body.active) continue;
    law.look({ state }, body);
    count = Math.max(count, substepsFor(law.stiffest, dt));
  }
  return Math.min(count, settings.maxSubsteps);
}

/** Forces of the user act once: their impulse, that of a whole step, is given in the first substep. Where a body was is kept for whoever draws between steps. */
function beginStep({ bodies, state: { views } }: World, substeps: number): void {
  for (const { active, core, rows } of bodies) {
    if (!active) continue;
    const [start, end] = [4 * rows.particleStart, 4 * rows.particleEnd];
    views.xStep.set(views.x.subarray(start, end), start);
    if (substeps > 1 && core.hasForces) for (let o = start; o < end; o++) views.force[o] *= substeps;
  }
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
