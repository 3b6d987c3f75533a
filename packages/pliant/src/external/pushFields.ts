import type { Body } from '../body/body.js';
import { Scratch } from '../scratch.js';
import type { World } from '../world.js';
import type { ForceField } from './forceField.js';

const forceRoom = new Scratch(Float32Array);
/** Bodies on which a field acts in this step; and for bodies with NaN forces, the number of such particles. */
const reached = new Set<Body>();
const lost = new Map<Body, number>();

/**
 * Adds up the forces of all fields on each particle. A user's function may throw here. So this stage comes before all changes of a step,
 * and restores the forces if a function throws: the step has then not begun. The later changes of velocity by clamps do not matter here:
 * they concern only held particles, on which no force acts.
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

/** Puts a body with NaN forces into quarantine before the step, so that the NaN reaches neither its positions nor, by contact, other bodies. */
function stop(world: World, body: Body, particles: number): void {
  const { force, v } = world.state.views;
  const [start, end] = [4 * body.rows.particleStart, 4 * body.rows.particleEnd];
  force.fill(0, start, end);
  v.fill(0, start, end);
  body.core.hasForces = false;
  body.enabled = false;
  world.core.emit({ type: 'quarantine', body, particles, time: world.time });
}
