import type { Body } from '../body/body.js';
import type { Domain } from '../state/layout.js';
import { shiftRows } from '../state/rows.js';
import type { World } from '../world.js';
import { addCopies, keepParticles } from './keepParticles.js';

/** Shifts the rows of every body whose particles lie behind row `behind` down by `gap`. */
export function shiftBodies(world: World, gap: Record<Domain, number>, behind: number): void {
  for (const { rows } of world.bodies) if (rows.particleStart > behind) shiftRows(rows, gap);
  world.core.forgetMasks();
}

/**
 * Registers copies: the particles of a body from number `first` on are copies, and number n is a copy of from[n].
 * Clamps and picks that hold an original then hold its copies too.
 */
export function tellCopies(world: World, body: Body, from: Uint32Array, first: number): void {
  addCopies(body, from, first);
  for (const holder of [...world.core.allClamps, ...world.picks]) holder.addCopies(body, from, first);
}

/** Keeps only the particles `stay` of a body. A pick that holds none of them is removed. */
export function keepOnly(world: World, body: Body, stay: Uint32Array): void {
  keepParticles(body, stay);
  for (const holder of [...world.core.allClamps, ...world.picks]) holder.divide(body, [body], [stay]);
  world.picks = world.picks.filter((pick) => pick.particleCount > 0);
}
