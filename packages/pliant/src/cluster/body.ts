import { checkNumber, checkPoints, PliantError, refuse } from '../check.js';
import { squared } from '../math/elementary.js';
import { buildGrid, type PointGrid, spacingOf } from '../spatial/grid.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import type { Parts } from './connect.js';

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
  /** Its parts by the distances between particles, once they are known. */
  sampling?: Parts;
  /** A length (m) that no two particles are nearer than, if one is known: of blue noise. */
  apart?: number;
  /** Whether it is divided with all effort however large it is (attempt.ts). */
  careful?: boolean;
  /** The radius 'even' of this body, where it is another multiple than `EVEN` (auto.ts). */
  even?: number;
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
  // The path is made only for the message.
  for (let i = 0; i < count; i++) {
    const m: unknown = masses[i];
    if (typeof m !== 'number' || !(m > 0 && m < Number.POSITIVE_INFINITY)) checkNumber(`masses[${i}]`, m, { above: 0 });
  }
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
  const extent = [farthest(grid.x, grid.origin[0]), farthest(grid.y, grid.origin[1]), farthest(grid.z, grid.origin[2])];
  const length = Math.sqrt(squared(extent[0]) + squared(extent[1]) + squared(extent[2]));
  return length < LEAST_DIAGONAL ? 0 : length;
}

function farthest(values: Float64Array, from: number): number {
  let far = 0;
  for (let i = 0; i < values.length; i++) far = Math.max(far, values[i] - from);
  return far;
}

/** Per-particle values in the order of a grid. */
export function inOrder({ order }: PointGrid, values: ArrayLike<number>): Float64Array {
  const ordered = new Float64Array(order.length);
  for (let k = 0; k < order.length; k++) ordered[k] = values[order[k]];
  return ordered;
}

/** The first particle at each place, in ascending grid order. A hash table finds equal places: sorting took a tenth of the time in which a cube of 20 000 particles is built. */
function differentPlaces(grid: PointGrid, diagonal: number): Uint32Array {
  if (diagonal === 0) return Uint32Array.of(0);
  const unit = SAME_PLACE * diagonal;
  // Open addressing with at most half of the slots used. A slot holds 1 + the first particle at its place.
  const bits = 32 - Math.clz32(2 * grid.count);
  return withKernels((space) => placesFast(space, grid, unit, bits)) ?? placesPlain(grid, unit, bits);
}

/** The form in WASM. */
function placesFast(space: Workspace, grid: PointGrid, unit: number, bits: number): Uint32Array {
  const { count } = grid;
  const [points, slots] = [space.putGrid(grid), space.takeWords(1 << bits)];
  const [rounded, first] = [space.takeReals(3 * count), space.takeWords(count)];
  const places = space.kernels.listPlaces(points, unit, bits, slots, rounded, first);
  return space.words(first, places).slice();
}

function placesPlain({ x, y, z, count, origin }: PointGrid, unit: number, bits: number): Uint32Array {
  const [rx, ry, rz] = [rounded(x, origin[0], unit), rounded(y, origin[1], unit), rounded(z, origin[2], unit)];
  const slots = new Uint32Array(1 << bits);
  const first = new Uint32Array(count);
  let places = 0;
  for (let i = 0; i < count; i++) {
    const hash = Math.imul(rx[i], 0x9e3779b1) ^ Math.imul(ry[i], 0x85ebca6b) ^ Math.imul(rz[i], 0xc2b2ae35);
    let slot = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - bits);
    for (;;) {
      const other = slots[slot] - 1;
      if (other < 0) {
        slots[slot] = i + 1;
        first[places++] = i;
        break;
      }
      if (rx[other] === rx[i] && ry[other] === ry[i] && rz[other] === rz[i]) break;
      slot = (slot + 1) & (slots.length - 1);
    }
  }
  return first.slice(0, places);
}

/** Coordinates in whole numbers of `unit`. */
function rounded(values: Float64Array, origin: number, unit: number): Float64Array {
  const whole = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) whole[i] = Math.round((values[i] - origin) / unit);
  return whole;
}
