import { checkNumber, checkPoints, PliantError, refuse } from '../check.js';
import { squared } from '../math/elementary.js';
import { buildGrid, type PointGrid, spacingOf } from '../spatial/grid.js';

/** The particles to be clustered, in the form that all stages of clustering use. */
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

/** Below this diagonal squared distances lose precision: such a body counts as a point. */
const LEAST_DIAGONAL = 1e-150;
/** Particles nearer than about this share of the diagonal are at one place: two clusters there would be the same. */
const SAME_PLACE = 1e-9;

export function prepareBody(positions: ArrayLike<number>, masses: ArrayLike<number>): Body {
  checkPoints('positions', positions);
  const count = positions.length / 3;
  if (typeof masses !== 'object' || masses === null) refuse('masses', masses, 'an array of masses');
  if (masses.length !== count)
    throw new PliantError('masses', `masses has ${masses.length} numbers; expected ${count}, one for each particle.`);
  for (let i = 0; i < count; i++) checkNumber(`masses[${i}]`, masses[i], { above: 0 });
  const grid = buildGrid(positions, 2 * spacingOf(positions));
  const diagonal = diagonalIn(grid);
  return {
    positions,
    masses,
    count,
    grid,
    mass: inOrder(grid, masses),
    places: differentPlaces(grid, diagonal),
    diagonal,
  };
}

function diagonalIn(grid: PointGrid): number {
  const extent = [grid.x, grid.y, grid.z].map((v, a) => v.reduce((far, p) => Math.max(far, p - grid.origin[a]), 0));
  const length = Math.sqrt(squared(extent[0]) + squared(extent[1]) + squared(extent[2]));
  return length < LEAST_DIAGONAL ? 0 : length;
}

/** At how many different places there are particles: a body cannot have more clusters. */
export function countPlaces(positions: ArrayLike<number>): number {
  const grid = buildGrid(positions, 2 * spacingOf(positions));
  return differentPlaces(grid, diagonalIn(grid)).length;
}

/** Per-particle values in the order of a grid. */
export const inOrder = (grid: PointGrid, values: ArrayLike<number>): Float64Array =>
  Float64Array.from(grid.order, (i) => values[i]);

/** The first particle at each place, in ascending grid order. Sorting finds equal places in n log n. */
function differentPlaces({ x, y, z, count, origin }: PointGrid, diagonal: number): Uint32Array {
  if (diagonal === 0) return Uint32Array.of(0);
  const rounded = (v: Float64Array, a: number) => v.map((p) => Math.round((p - origin[a]) / (SAME_PLACE * diagonal)));
  const [rx, ry, rz] = [rounded(x, 0), rounded(y, 1), rounded(z, 2)];
  const sorted = Uint32Array.from({ length: count }, (_, i) => i);
  sorted.sort((a, b) => rx[a] - rx[b] || ry[a] - ry[b] || rz[a] - rz[b] || a - b);
  const first = sorted.filter((i, k) => {
    const before = sorted[k - 1];
    return k === 0 || rx[i] !== rx[before] || ry[i] !== ry[before] || rz[i] !== rz[before];
  });
  return first.sort();
}
