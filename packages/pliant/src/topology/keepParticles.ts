import type { Body } from '../body/body.js';
import { writeLevelStrengths } from '../levels/writeStrengths.js';
import { diagonalOf } from '../spatial/grid.js';

/** Reduces a body to these of its particles, after the others have become bodies of their own. */
export function reduceTo(body: Body, particles: Uint32Array): void {
  renumber(body, particles);
  writeLevelStrengths(body);
  body.size = diagonalOf(body.restPositions, body.core.turn);
  body.core.surface = undefined;
  body.topologyVersion++;
}

/** Reduces a body to the particles `stay`; the others are lost. */
export function keepParticles(body: Body, stay: Uint32Array): void {
  renumber(body, stay);
  body.core.history.noteLoss();
}

function renumber(body: Body, particles: Uint32Array): void {
  body.core.isPart = true;
  body.restPositions = restOf(body, particles);
  const all = body.core.pinned;
  if (all.size === 0) return;
  const pinned = Uint32Array.from(particles.keys()).filter((n) => all.has(particles[n]));
  all.clear();
  for (const n of pinned) all.add(n);
}

/** Rest positions of some of a body's particles. */
export function restOf({ restPositions }: Body, particles: Uint32Array): Float64Array {
  const rest = new Float64Array(3 * particles.length);
  for (let n = 0; n < particles.length; n++)
    for (let a = 0; a < 3; a++) rest[3 * n + a] = restPositions[3 * particles[n] + a];
  return rest;
}

/** Adds copies to a body: its particles from number `first` on are copies, and number n is a copy of from[n]. */
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

/**
 * Room for the rest positions of so many particles, with the present ones in it. A quarter more is reserved, because a
 * body that breaks asks again and again.
 */
function restFor({ core, restPositions }: Body, particles: number): Float64Array {
  if (core.restRoom.buffer !== restPositions.buffer || core.restRoom.length < 3 * particles) {
    core.restRoom = new Float64Array(Math.ceil(3.75 * particles));
    core.restRoom.set(restPositions);
  }
  return core.restRoom.subarray(0, 3 * particles);
}
