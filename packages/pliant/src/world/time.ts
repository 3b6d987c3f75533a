import type { Body } from '../body/body.js';
import { checkInteger, checkNumber } from '../check.js';
import { meetsByMiddle } from '../contact/byMiddle.js';
import { pushFields } from '../external/pushFields.js';
import { substepsOfFolds } from '../folds/substeps.js';
import { judgeLaw } from '../match/match.js';
import { substepsFor } from '../material/elasticLaw.js';
import { quarantine } from '../quarantine.js';
import { step } from '../step.js';
import type { World } from '../world.js';

export function stepWorld(world: World): void {
  world.core.checkIdle('step');
  const { core, dt, time } = world;
  core.isStepping = true;
  core.stepTime = time;
  world.profile.begin();
  world.kernels.threads.begin(awakeParticles(world));
  try {
    quarantine(world);
    pushFields(world);
    const count = substepsOf(world);
    core.h = dt / count;
    beginStep(world, count);
    for (let k = 0; k < count; k++) {
      world.time = time + k * core.h;
      core.substepsLeft = count - k;
      step(world);
      core.substep++;
    }
    endStep(world, count);
  } finally {
    world.kernels.threads.end();
    core.isStepping = false;
    core.substepsLeft = 1;
    world.time = time;
  }
  world.frame++;
  world.time = time + dt;
}

function awakeParticles({ bodies }: World): number {
  let count = 0;
  for (const body of bodies) if (body.active) count += body.rows.particleEnd - body.rows.particleStart;
  return count;
}

/** How many substeps the next step takes. */
export function substepsOf(world: World): number {
  const { core, bodies, state } = world;
  const { settings, dt } = core;
  if (settings.substeps !== 'auto') return settings.substeps;
  let count = 1;
  for (const body of bodies) {
    const { law } = body.core;
    if (body.active && meetsByMiddle(body)) count = Math.max(count, substepsOfFolds(state.views, body, dt));
    if (!law || !body.active) continue;
    judgeLaw(state, body, dt / settings.maxSubsteps);
    // A body that is rigid in the shortest substeps is rigid in all: no number of them gives it its modulus.
    const least = law.rigid ? rigidSubsteps(world, body) : substepsFor(law.stiffest, dt);
    count = Math.max(count, least);
  }
  return Math.min(count, settings.maxSubsteps);
}

/** Longest substep in which stacks of rigid bodies stand (s). A ball that rolls and left the floor for a moment needs it too: landing in a whole step it gained energy. */
const RIGID = 1 / 240;
/** Share of its size by which a rigid body may move in a substep: a contact deeper than that may be with the wrong side. */
const LONGEST = 0.125;
/** Particles whose velocities tell how fast a rigid body is. */
const SAMPLE = 8;

/** Substeps that the contacts of a rigid body need. */
function rigidSubsteps({ core: { dt }, state: { views } }: World, { rows, size }: Body): number {
  const { v } = views;
  const stride = 4 * Math.ceil((rows.particleEnd - rows.particleStart) / SAMPLE);
  let fastest = 0;
  for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += stride)
    fastest = Math.max(fastest, v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]);
  const way = Math.min(Math.sqrt(fastest) * dt, Number.MAX_SAFE_INTEGER);
  return Math.max(1, Math.ceil(dt / RIGID - 1e-6), size > 0 ? Math.ceil(way / (LONGEST * size)) : 1);
}

/** Impulses begin at 0. Keeps what a step of several substeps needs later: positions at its start, and the forces of bodies to whose forces a stage adds. */
function beginStep({ bodies, picks, kernels, core: { allColliders }, state }: World, substeps: number): void {
  for (const collider of allColliders) collider.forgetImpulses();
  for (const pick of picks) pick.impulse.fill(0);
  if (substeps === 1) return;
  for (const { active, core, rows } of bodies) {
    if (!active) continue;
    kernels.keepStart(rows.particleStart, rows.particleEnd);
    if (core.ownLevels) core.stepForces = state.views.force.slice(4 * rows.particleStart, 4 * rows.particleEnd);
  }
}

/** The last substep leaves its own start in xOld; whoever draws between steps needs the start of the step. */
function endStep({ bodies, kernels }: World, substeps: number): void {
  if (substeps === 1) return;
  for (const { active, rows } of bodies) if (active) kernels.returnStart(rows.particleStart, rows.particleEnd);
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
