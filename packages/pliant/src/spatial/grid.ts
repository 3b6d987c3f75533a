import { growUntil } from '../limits.js';
import { cbrt, squared } from '../math/elementary.js';
import { type Workspace, withKernels } from './wasm/workspace.js';

/**
 * Points sorted into the cells of a uniform grid, for range queries and nearest-point searches ([J15] 3.3: "a standard spherical range
 * query, which is accelerated with a grid data structure").
 *
 * The points are copied in cell order, x fastest, so that the cells of one row that a ball touches are one contiguous run of memory. A
 * query reads only those runs. Its results are in ascending cell order.
 */
export interface PointGrid {
  count: number;
  /** Coordinates in cell order. */
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** Cell order → the caller's own index. */
  order: Uint32Array;
  /** First point of each cell; cells + 1 offsets, x fastest. */
  cellStart: Uint32Array;
  cells: [number, number, number];
  origin: [number, number, number];
  /** Edge of a cell. */
  size: number;
  /** Number of distances that queries have computed; cost tests read it. */
  evaluations: number;
}

/** Results of ball queries, in one growing buffer: points in cell order and their squared distances. */
export interface NeighbourList {
  index: Uint32Array;
  distance2: Float64Array;
}

export const newNeighbourList = (capacity: number): NeighbourList => ({
  index: new Uint32Array(capacity),
  distance2: new Float64Array(capacity),
});

/** Grows the list to at least `capacity`. */
export function reserve(list: NeighbourList, capacity: number): void {
  if (capacity <= list.index.length) return;
  const grown = newNeighbourList(Math.max(capacity, 2 * list.index.length));
  grown.index.set(list.index);
  grown.distance2.set(list.distance2);
  list.index = grown.index;
  list.distance2 = grown.distance2;
}

/**
 * Builds a grid with cells of about `size`. The number of cells is at most 4 per point, or 64 if that is more. Cells far below the spacing
 * cost memory without benefit, so the edge grows until the grid fits.
 */
export function buildGrid(points: ArrayLike<number>, size: number): PointGrid {
  return (
    (points.length >= MANY ? withKernels((space) => sortFast(space, points, size)) : undefined) ??
    sortPlain(points, size)
  );
}

/** Coordinates from which on the kernels are worth the way into their memory. */
const MANY = 3 * 256;

function sortPlain(points: ArrayLike<number>, size: number): PointGrid {
  const count = points.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let a = 0; a < 3; a++)
    for (let k = a; k < points.length; k += 3) {
      if (points[k] < low[a]) low[a] = points[k];
      if (points[k] > high[a]) high[a] = points[k];
    }
  const { cells, edge } = shapeOf(low, high, count, size);
  const cellOf = new Uint32Array(count);
  const cellStart = new Uint32Array(cells[0] * cells[1] * cells[2] + 1);
  for (let i = 0; i < count; i++) {
    const ix = cellIndex(points[3 * i], low[0], edge, cells[0]);
    const iy = cellIndex(points[3 * i + 1], low[1], edge, cells[1]);
    const iz = cellIndex(points[3 * i + 2], low[2], edge, cells[2]);
    const cell = (iz * cells[1] + iy) * cells[0] + ix;
    cellOf[i] = cell;
    cellStart[cell + 1]++;
  }
  for (let c = 1; c < cellStart.length; c++) cellStart[c] += cellStart[c - 1];

  const next = cellStart.slice();
  const order = new Uint32Array(count);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const z = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const at = next[cellOf[i]]++;
    order[at] = i;
    x[at] = points[3 * i];
    y[at] = points[3 * i + 1];
    z[at] = points[3 * i + 2];
  }
  const origin: [number, number, number] = [low[0], low[1], low[2]];
  return { count, x, y, z, order, cellStart, cells, origin, size: edge, evaluations: 0 };
}

/** Number of cells along the axes, and their edge. */
function shapeOf(low: ArrayLike<number>, high: ArrayLike<number>, count: number, size: number) {
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const cellsAlong = (a: number, edge: number) => Math.floor((high[a] - low[a]) / edge) + 1;
  const limit = Math.max(64, 4 * count);
  const edge = growUntil(
    size > 0 && Number.isFinite(size) ? size : extent || 1,
    1.25,
    (e) => cellsAlong(0, e) * cellsAlong(1, e) * cellsAlong(2, e) <= limit,
  );
  const cells: [number, number, number] = [cellsAlong(0, edge), cellsAlong(1, edge), cellsAlong(2, edge)];
  return { cells, edge };
}

/** The same in WASM. */
function sortFast(space: Workspace, points: ArrayLike<number>, size: number): PointGrid {
  const count = points.length / 3;
  const at = space.putReals(points);
  const [low, high] = boundsIn(space, at, count);
  const { cells, edge } = shapeOf(low, high, count, size);
  const all = cells[0] * cells[1] * cells[2];
  const grid = space.takeGrid(count, all);
  const [order, cellOf, next] = [space.takeWords(count), space.takeWords(count), space.takeWords(all)];
  const origin: [number, number, number] = [low[0], low[1], low[2]];
  const lists = space.shapeGrid(grid, { count, cells, origin, size: edge });
  space.kernels.sortPoints(grid, at, order, cellOf, next);
  return {
    count,
    x: space.reals(lists.x, count).slice(),
    y: space.reals(lists.y, count).slice(),
    z: space.reals(lists.z, count).slice(),
    order: space.words(order, count).slice(),
    cellStart: space.words(lists.cellStart, all + 1).slice(),
    cells,
    origin,
    size: edge,
    evaluations: 0,
  };
}

/** Lowest and highest coordinates of points at an address. */
function boundsIn(space: Workspace, at: number, count: number): [Float64Array, Float64Array] {
  const out = space.takeReals(6);
  space.kernels.boundPoints(at, count, out);
  const bounds = space.reals(out, 6).slice();
  return [bounds.subarray(0, 3), bounds.subarray(3)];
}

/** Diagonal of the box around some points, in these axes (m). */
export function diagonalOf(points: Float64Array, axes?: ArrayLike<number>): number {
  const [x, y, z] = sidesAlong(points, axes);
  return Math.sqrt(squared(x) + squared(y) + squared(z));
}

/**
 * The edge that gives about one point per cell of the bounding box. Axes without extent (of a flat sheet, a line) are left out. Coincident
 * points give 0.
 */
export function spacingOf(points: ArrayLike<number>): number {
  const extents = sidesOf(points);
  const widest = Math.max(...extents);
  // An extent below 10⁻⁶ of the widest is rounding and counts as 0.
  const real = extents.filter((e) => e > 1e-6 * widest);
  if (real.length === 0) return 0;
  const each = real.reduce((product, e) => product * e, 1) / (points.length / 3);
  return real.length === 1 ? each : real.length === 2 ? Math.sqrt(each) : cbrt(each);
}

/** Sides of the box around some points. */
function sidesOf(points: ArrayLike<number>): number[] {
  const found =
    points.length >= MANY
      ? withKernels((space) => boundsIn(space, space.putReals(points), points.length / 3))
      : undefined;
  if (found) return [0, 1, 2].map((a) => found[1][a] - found[0][a]);
  return [0, 1, 2].map((a) => {
    let low = Infinity;
    let high = -Infinity;
    for (let k = a; k < points.length; k += 3) {
      low = Math.min(low, points[k]);
      high = Math.max(high, points[k]);
    }
    return high - low;
  });
}

export function cellIndex(value: number, origin: number, size: number, cells: number): number {
  const k = Math.floor((value - origin) / size);
  return k < 0 ? 0 : k >= cells ? cells - 1 : k;
}

/**
 * Cell of a coordinate that is already in units of cells. It saves the division and the floor, which cost more than the rest of the work on
 * a row.
 */
const within = (place: number, cells: number) => (place >= cells ? cells - 1 : place > 0 ? place | 0 : 0);

/** Distance from a coordinate to the slab of one cell, 0 inside. */
export function gap(value: number, origin: number, size: number, cell: number): number {
  const low = origin + cell * size;
  return value < low ? low - value : value > low + size ? value - low - size : 0;
}

/**
 * Appends all points with |x − centre| ≤ radius to `list` from position `at` on, in ascending cell order; returns the
 * position after the last.
 */
export function ball(
  grid: PointGrid,
  cx: number,
  cy: number,
  cz: number,
  radius: number,
  list: NeighbourList,
  at: number,
): number {
  const { x, y, z, cellStart, origin, size, cells } = grid;
  const nx = cells[0];
  const ny = cells[1];
  const nz = cells[2];
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  const r2 = radius * radius;
  // Cells are selected with a slightly larger radius, so that rounding at a cell border loses no point.
  const reach = radius + 1e-6 * size;
  const reach2 = reach * reach;
  const perCell = 1 / size;
  const z0 = within((cz - reach - oz) * perCell, nz);
  const z1 = within((cz + reach - oz) * perCell, nz);
  const y0 = within((cy - reach - oy) * perCell, ny);
  const y1 = within((cy + reach - oy) * perCell, ny);
  for (let iz = z0; iz <= z1; iz++) {
    const dz = gap(cz, oz, size, iz);
    for (let iy = y0; iy <= y1; iy++) {
      const dy = gap(cy, oy, size, iy);
      const left = reach2 - dy * dy - dz * dz;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      const row = (iz * ny + iy) * nx;
      const first = cellStart[row + within((cx - half - ox) * perCell, nx)];
      const last = cellStart[row + within((cx + half - ox) * perCell, nx) + 1];
      grid.evaluations += last - first;
      if (at + last - first > list.index.length) reserve(list, at + last - first);
      const { index, distance2 } = list;
      for (let i = first; i < last; i++) {
        const px = x[i] - cx;
        const py = y[i] - cy;
        const pz = z[i] - cz;
        const d2 = px * px + py * py + pz * pz;
        // Written unconditionally, kept only if inside: a branch here would be unpredictable.
        index[at] = i;
        distance2[at] = d2;
        at += d2 <= r2 ? 1 : 0;
      }
    }
  }
  return at;
}

/** Longest side of the box around some positions (m); 0 for a point. */
export function longestSideOf(positions: ArrayLike<number>): number {
  return Math.max(0, ...sidesOf(positions));
}

/** Sides of the box around some points, in the axes that are the columns of a rotation; in those of the world if there is none (m). */
export function sidesAlong(points: Float64Array, axes?: ArrayLike<number>): number[] {
  if (!axes) return sidesOf(points);
  return [0, 3, 6].map((o) => {
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < points.length; k += 3) {
      const along = axes[o] * points[k] + axes[o + 1] * points[k + 1] + axes[o + 2] * points[k + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    return Math.max(0, high - low);
  });
}
