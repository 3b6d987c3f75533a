import { checkNumber, checkPoints, PliantError } from '../check.js';
import { buildGrid, type PointGrid, spacingOf } from './grid.js';

/** The particles to be clustered, as the stages of clustering share them. */
export interface Body {
  positions: ArrayLike<number>;
  masses: ArrayLike<number>;
  count: number;
  /** All particles in cells of about two spacings, in an order that does not depend on the radius. */
  grid: PointGrid;
  /** Masses in the grid's order. */
  mass: Float64Array;
  /** One particle for every different position, in the grid's order. */
  places: Uint32Array;
  /** Diagonal of the bounding box. */
  diagonal: number;
}

export function prepareBody(positions: ArrayLike<number>, masses: ArrayLike<number>): Body {
  checkPoints('positions', positions);
  const count = positions.length / 3;
  if (masses.length !== count)
    throw new PliantError('masses', `masses has ${masses.length} numbers; expected ${count}, one for each particle.`);
  for (let i = 0; i < count; i++) checkNumber(`masses[${i}]`, masses[i], { above: 0 });
  const grid = buildGrid(positions, 2 * spacingOf(positions));
  const extent = [grid.x, grid.y, grid.z].map((v, a) => v.reduce((far, p) => Math.max(far, p - grid.origin[a]), 0));
  const diagonal = Math.hypot(...extent);
  return { positions, masses, count, grid, mass: inOrder(grid, masses), places: differentPlaces(grid), diagonal };
}

/** Per-particle values in the order of a grid. */
export const inOrder = (grid: PointGrid, values: ArrayLike<number>): Float64Array =>
  Float64Array.from(grid.order, (i) => values[i]);

/** The first particle at each position, in ascending grid order. Sorting finds equal positions in n log n. */
function differentPlaces({ x, y, z, count }: PointGrid): Uint32Array {
  const sorted = Uint32Array.from({ length: count }, (_, i) => i);
  sorted.sort((a, b) => x[a] - x[b] || y[a] - y[b] || z[a] - z[b] || a - b);
  const first = sorted.filter((i, k) => {
    const before = sorted[k - 1];
    return k === 0 || x[i] !== x[before] || y[i] !== y[before] || z[i] !== z[before];
  });
  return first.sort();
}
