import { cubed, hypot } from '../math/elementary.js';
import type { Surface } from '../mesh/surface.js';
import type { Solid } from './solid.js';

/**
 * Flatness from which on an open mesh counts as a sheet. It is 1 for a flat sheet, 0.64 for half a pipe, 0.5 for half a
 * ball, 0.2 for a box without a lid.
 */
const SHEET = 0.6;

/** Share of its box that an open mesh must enclose, and number of test points per axis. */
const LEAST = 0.002;
const POINTS = 24;

/**
 * Whether an open mesh encloses nothing, as a flat sheet does. Such a mesh cannot be filled with particles: its winding
 * number is near ½ everywhere, so that rounding decides what is inside.
 */
export function isSheet(solid: Solid & { surface: Surface }): boolean {
  const { surface } = solid;
  return surface.orientation.open && (flatness(surface) > SHEET || shareInside(solid) < LEAST);
}

/** Length of the sum of all area vectors, divided by the sum of their lengths: 0 for a closed surface. */
function flatness({ positions: x, indices }: Surface): number {
  const sum = [0, 0, 0];
  let total = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    sum[0] += nx;
    sum[1] += ny;
    sum[2] += nz;
    total += hypot(nx, ny, nz);
  }
  return hypot(sum[0], sum[1], sum[2]) / total;
}

function shareInside({ min, max, inside }: Solid): number {
  let found = 0;
  const at = (axis: 0 | 1 | 2, k: number) => min[axis] + ((k + 0.5) / POINTS) * (max[axis] - min[axis]);
  for (let i = 0; i < POINTS; i++)
    for (let j = 0; j < POINTS; j++) for (let k = 0; k < POINTS; k++) if (inside(at(0, i), at(1, j), at(2, k))) found++;
  return found / cubed(POINTS);
}
