import { random } from '../math/random.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** Way of a particle along each axis at most, in spacings. */
const RUFFLE = 1e-4;

/**
 * Moves the particles of a sheet off their plane, by far less than can be seen. No force acts across an exactly flat sheet: pressed along its plane it would be crushed within it and never
 * buckle. The same numbers are drawn for every sheet.
 */
export function ruffle({ x, xOld }: Views, { particleStart, particleEnd }: Rows, spacing: number): void {
  const next = random(1);
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4)
    for (let a = 0; a < 3; a++) x[o + a] = xOld[o + a] = x[o + a] + RUFFLE * spacing * (2 * next() - 1);
}
