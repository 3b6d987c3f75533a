import type { Body } from '../body/body.js';
import type { Domain } from '../state/layout.js';
import { shiftRows } from '../state/rows.js';
import type { World } from '../world.js';
import { addCopies, keepParticles } from './keepParticles.js';

/** Tells all bodies behind a body's first particle that their rows have moved down by `gap`. */
export function shiftBodies(world: World, gap: Record<Domain, number>, behind: number): void {
  for (const { rows } of world.bodies) if (rows.particleStart > behind) shiftRows(rows, gap);
  world.core.forgetMasks();
}

/** Particles of a body from `first` on are copies; from[n] is what number n was copied from. Clamps and picks that hold an original hold its copies too. */
export function tellCopies(world: World, body: Body, from: Uint32Array, first: number): void {
  addCopies(body, from, first);
  for (const holder of [...world.core.allClamps, ...world.picks]) holder.addCopies(body, from, first);
}

/** Only the particles `stay` of a body are left in it. A pick that held none of them is removed. */
export function keepOnly(world: World, body: Body, stay: Uint32Array): void {
  keepParticles(body, stay);
  for (const holder of [...world.core.allClamps, ...world.picks]) holder.divide(body, [body], [stay]);
  world.picks = world.picks.filter((pick) => pick.particleCount > 0);
}
