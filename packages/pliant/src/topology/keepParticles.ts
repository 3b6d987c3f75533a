import type { Body } from '../body/body.js';
import { writeLevelStrengths } from '../levels/writeStrengths.js';
import { diagonalOf } from '../spatial/grid.js';

/** A body keeps only these of its particles; the others are bodies of their own. */
export function reduceTo(body: Body, particles: Uint32Array): void {
  renumber(body, particles);
  writeLevelStrengths(body);
  body.size = diagonalOf(body.restPositions);
  body.core.surface = undefined;
  body.core.isPart = true;
  body.topologyVersion++;
}

/** A body keeps only these of its particles; the others are gone. */
export function keepParticles(body: Body, stay: Uint32Array): void {
  renumber(body, stay);
  body.core.history.noteLoss();
}

function renumber(body: Body, particles: Uint32Array): void {
  body.restPositions = restOf(body, particles);
  const all = body.core.pinned;
  if (all.size === 0) return;
  const pinned = Uint32Array.from(particles.keys()).filter((n) => all.has(particles[n]));
  all.clear();
  for (const n of pinned) all.add(n);
}

/** Where some of a body's particles are at rest. */
export function restOf({ restPositions }: Body, particles: Uint32Array): Float64Array {
  const rest = new Float64Array(3 * particles.length);
  for (let n = 0; n < particles.length; n++)
    for (let a = 0; a < 3; a++) rest[3 * n + a] = restPositions[3 * particles[n] + a];
  return rest;
}

/** A body's particles from `first` on are copies; from[n] is what number n was copied from. */
export function addCopies(body: Body, from: Uint32Array, first: number): void {
  const { core } = body;
  core.surface = undefined;
  body.topologyVersion++;
  if (from.length === first) return;
  const rest = restFor(body, from.length);
  for (let n = first; n < from.length; n++) {
    for (let a = 0; a < 3; a++) rest[3 * n + a] = rest[3 * from[n] + a];
    if (core.pinned.has(from[n])) core.pinned.add(n);
  }
  body.restPositions = rest;
}

/** A body's rest positions with room for so many. Some more are kept to spare: a body that breaks asks again and again. */
function restFor({ core, restPositions }: Body, particles: number): Float64Array {
  if (core.restRoom.buffer !== restPositions.buffer || core.restRoom.length < 3 * particles) {
    core.restRoom = new Float64Array(Math.ceil(3.75 * particles));
    core.restRoom.set(restPositions);
  }
  return core.restRoom.subarray(0, 3 * particles);
}
