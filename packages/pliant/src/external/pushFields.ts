import type { Body } from '../body/body.js';
import { Scratch } from '../scratch.js';
import type { World } from '../world.js';
import type { ForceField } from './forceField.js';

const forceRoom = new Scratch(Float32Array);
/** Bodies that a field reaches in this step, and on how many of their particles its forces are no number. */
const reached = new Set<Body>();
const lost = new Map<Body, number>();

/**
 * The force fields add up what they do to each particle. A function of the user's may throw here, so that this comes before all that a step changes, and leaves no force behind
 * then: the step has not begun. What clamps are about to do to velocities concerns only particles that they hold, and on those no force acts.
 */
export function pushFields(world: World): void {
  const { forceFields, state } = world;
  if (forceFields.length === 0) return;
  const { force } = state.views;
  const mayThrow = forceFields.some((field) => field.type === 'custom');
  const waiting = forceRoom.take(mayThrow ? 4 * state.count.particle : 0);
  waiting.set(force.subarray(0, waiting.length));
  reached.clear();
  lost.clear();
  try {
    for (const field of forceFields) push(world, field);
  } catch (error) {
    force.set(waiting);
    throw error;
  }
  for (const body of reached) {
    body.core.hasForces = true;
    if (body.asleep) body.wake();
  }
  for (const [body, particles] of lost) stop(world, body, particles);
}

function push(world: World, field: ForceField): void {
  if (!field.acts(world.time, world.dt)) return;
  const s = world.state.views;
  for (const body of world.bodies) {
    if (!body.enabled || lost.has(body) || (field.bodies !== undefined && !field.bodies.has(body))) continue;
    const faults = field.push(s, body, world.time, world.dt);
    if (faults !== undefined) reached.add(body);
    if (faults) lost.set(body, faults);
  }
}

/** A NaN of the user's function reaches neither this body's positions nor, by contact, another's: quarantine before the step. */
function stop(world: World, body: Body, particles: number): void {
  const { force, v } = world.state.views;
  const [start, end] = [4 * body.rows.particleStart, 4 * body.rows.particleEnd];
  force.fill(0, start, end);
  v.fill(0, start, end);
  body.core.hasForces = false;
  body.enabled = false;
  world.core.emit({ type: 'quarantine', body, particles, time: world.time });
}
