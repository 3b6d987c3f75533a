import { PliantError } from '../check.js';
import { MOST_GROWTHS } from '../limits.js';
import { squared } from '../math/elementary.js';
import { cellIndex, gap, type PointGrid } from './grid.js';

/** Result of a nearest-point search. `index`: the point in cell order; `distance`: its distance. */
export interface Nearest {
  index: number;
  distance: number;
  /** Lower bound on the distance of all other points: that of the second nearest, or the end of the margin if that is nearer. */
  othersBeyond: number;
}

/**
 * Writes the point of the grid nearest to (px, py, pz) into `out`; of equally near ones the first. `guess` is a point in cell order whose
 * distance bounds the search; it is the result if no point is strictly nearer. −1 for no guess.
 *
 * The search extends `margin` beyond the guess to bound the distance of all other points. k-means uses the bound: it searches again only
 * after the points have moved that far.
 */
export function nearestInto(
  out: Nearest,
  grid: PointGrid,
  px: number,
  py: number,
  pz: number,
  guess: number,
  margin = 0,
): Nearest {
  const { x, y, z, cells, origin, size } = grid;
  if (guess >= 0) {
    grid.evaluations++;
    const d = Math.sqrt(squared(x[guess] - px) + squared(y[guess] - py) + squared(z[guess] - pz));
    return search(out, grid, px, py, pz, guess, d, d + margin);
  }
  // Without a guess: balls of doubling radius, the first one cell wider than the distance to the box.
  const dx = gap(px, origin[0], size * cells[0], 0);
  const dy = gap(py, origin[1], size * cells[1], 0);
  const dz = gap(pz, origin[2], size * cells[2], 0);
  let radius = Math.sqrt(dx * dx + dy * dy + dz * dz) + size;
  for (let round = 0; round < MOST_GROWTHS; round++, radius *= 2) {
    search(out, grid, px, py, pz, -1, radius, radius);
    if (out.index >= 0) return out;
  }
  throw new PliantError(
    'body',
    `body has no particle within ${radius} m of (${px}, ${py}, ${pz}); expected finite coordinates.`,
  );
}

/** As nearestInto, but returns only the index. */
export function nearest(grid: PointGrid, px: number, py: number, pz: number, guess: number): number {
  return nearestInto(scratch, grid, px, py, pz, guess).index;
}

const scratch: Nearest = { index: -1, distance: 0, othersBeyond: 0 };

/** Searches for points nearer than `distance`, and for a second one nearer than `beyond`. */
function search(
  out: Nearest,
  grid: PointGrid,
  px: number,
  py: number,
  pz: number,
  best: number,
  distance: number,
  beyond: number,
): Nearest {
  const { x, y, z, cellStart, origin, size } = grid;
  const [nx, ny, nz] = grid.cells;
  let best2 = distance * distance;
  let second2 = beyond * beyond;
  // Cells are selected with a slightly larger distance, so that rounding at a cell border loses no point.
  const reach = beyond + 1e-6 * size;
  const reach2 = reach * reach;
  const z1 = cellIndex(pz + reach, origin[2], size, nz);
  const y0 = cellIndex(py - reach, origin[1], size, ny);
  const y1 = cellIndex(py + reach, origin[1], size, ny);
  for (let iz = cellIndex(pz - reach, origin[2], size, nz); iz <= z1; iz++) {
    const dz = gap(pz, origin[2], size, iz);
    for (let iy = y0; iy <= y1; iy++) {
      const dy = gap(py, origin[1], size, iy);
      const left = reach2 - dy * dy - dz * dz;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      const row = (iz * ny + iy) * nx;
      const first = cellStart[row + cellIndex(px - half, origin[0], size, nx)];
      const last = cellStart[row + cellIndex(px + half, origin[0], size, nx) + 1];
      grid.evaluations += last - first;
      for (let i = first; i < last; i++) {
        const d2 = squared(x[i] - px) + squared(y[i] - py) + squared(z[i] - pz);
        if (d2 < best2) {
          if (best >= 0 && best2 < second2) second2 = best2;
          best2 = d2;
          best = i;
        } else if (d2 < second2 && i !== best) second2 = d2;
      }
    }
  }
  out.index = best;
  out.distance = Math.sqrt(best2);
  out.othersBeyond = Math.sqrt(second2);
  return out;
}
