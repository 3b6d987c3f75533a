import { checkPoints, PliantError } from '../check.js';
import { checkPlaces } from '../limits.js';
import { counting } from '../scratch.js';
import {
  ball,
  buildGrid,
  cellIndex,
  gap,
  type NeighbourList,
  newNeighbourList,
  type PointGrid,
  reserve,
  spacingOf,
} from '../spatial/grid.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';

/** A partition of the particles into connected parts, numbered from 0 in the order of their first particle. */
export interface Parts {
  /** Number of parts. */
  count: number;
  /** Number of the part that each particle is in. */
  ofParticle: Uint32Array;
}

/** Whether the clusters of a body connect what its sampling connects. `connectedComponents` returns it. */
export interface Connection {
  /** Parts of the body by the distances between its particles. */
  sampling: Parts;
  /** Parts of the body by clusters that share a particle: these stay together in the simulation. */
  overlap: Parts;
  /** Two particles that the sampling connects and the clusters do not; null if there are none. */
  split: [number, number] | null;
}

/**
 * Particles are neighbours within LINK × the spacing. On a grid of spacing s the diagonal of a cell (√3 s = 1.73 s) is
 * a link and a missing layer (2 s) is a gap. A blue-noise sampling with least distance r leaves no hole that a ball of
 * radius r fits into, so neighbours are at most 2 r apart. Its median nearest-neighbour distance is above 1.05 r
 * (Bridson's algorithm), and 1.9 × that is 2 r.
 */
const LINK = 1.9;

/** Side of a cell in spacings, for a body that fills its box. Most bodies fill less, and their particles are nearer. */
const CELL = 0.7;

/**
 * Compares how the particles of a body are connected by distance and by clusters. If `split` is not null, the body would fall apart where its
 * particles are close together.
 */
export function connectedComponents(
  positions: ArrayLike<number>,
  clusters: { start: Uint32Array; particle: Uint32Array },
): Connection {
  checkPoints('positions', positions);
  checkPlaces('positions', positions);
  return compareParts(samplingParts(positions), overlapParts(positions.length / 3, clusters));
}

export function compareParts(sampling: Parts, overlap: Parts): Connection {
  const first = new Int32Array(sampling.count).fill(-1);
  for (let i = 0; i < sampling.ofParticle.length; i++) {
    const part = sampling.ofParticle[i];
    if (first[part] < 0) first[part] = i;
    else if (overlap.ofParticle[first[part]] !== overlap.ofParticle[i])
      return { sampling, overlap, split: [first[part], i] };
  }
  return { sampling, overlap, split: null };
}

/** The parts of a body by its clusters: clusters that share a particle are in the same part. A particle in no cluster is a part of its own. */
export function overlapParts(count: number, clusters: { start: Uint32Array; particle: Uint32Array }): Parts {
  const { start, particle } = clusters ?? {};
  if (!(start?.length >= 1) || !(particle?.length >= start[start.length - 1]))
    throw new PliantError('clusters', 'clusters has no lists `start` and `particle` that fit; expected a clustering.');
  const parent = new Uint32Array(count);
  for (let i = 0; i < count; i++) parent[i] = i;
  for (let c = 0; c < start.length - 1; c++) {
    const last = start[c + 1];
    if (start[c] === last) continue;
    let mine = root(parent, particle[start[c]]);
    for (let k = start[c] + 1; k < last; k++) {
      const i = particle[k];
      // Most are alone still, or in this part already.
      if (parent[i] === i && i > mine) parent[i] = mine;
      else if (parent[i] !== mine) mine = join(parent, mine, i);
    }
  }
  return numberParts(parent);
}

/**
 * The parts of a body by the distances between its particles (x, y, z each, m). Two particles are linked within 1.9
 * times the larger of two lengths: the median spacing of the body, and the smaller spacing of the two. The spacing of a
 * particle is the distance to its nearest neighbour at another place. So a coarse region of a graded sampling stays
 * connected, and a lone particle is not linked to a body far away. `apart`: a length that no two particles are nearer than, if one is known.
 */
export function samplingParts(positions: ArrayLike<number>, apart = 0): Parts {
  const grid = buildGrid(positions, CELL * spacingOf(positions));
  if (apart > 0 && withKernels((space) => isLinkedWithin(space, grid, LINK * apart)))
    return { count: 1, ofParticle: new Uint32Array(grid.count) };
  return numberParts(withKernels((space) => linkFast(space, grid)) ?? linkPlain(grid));
}

/** Whether links of one length make one part of all particles. If every spacing is longer than that of these links, particles that they link are linked. */
function isLinkedWithin(space: Workspace, grid: PointGrid, link: number): boolean {
  const [points, roots] = [space.putGrid(grid), space.putWords(counting(grid.count))];
  return space.kernels.linkWithin(points, link, roots) === 1;
}

function linkPlain(grid: PointGrid): Uint32Array {
  const { count, order } = grid;
  const spacing = nearestDistances(grid);
  const median = medianOf(spacing);
  const parent = counting(count).slice();
  const extent = extentOf(grid);
  const near = newNeighbourList(64);
  for (let i = 0; i < count; i++) {
    const own = Math.max(median, Math.min(spacing[i], extent));
    // Whether two particles are linked does not depend on the order of the two: later ones are enough.
    const end = laterInBall(grid, i, LINK * own, near);
    for (let k = 0; k < end; k++) {
      const j = near.index[k];
      const link = LINK * Math.max(median, Math.min(spacing[i], spacing[j]));
      if (near.distance2[k] <= link * link) join(parent, order[i], order[j]);
    }
  }
  return parent;
}

/** The same in WASM, with parts joined by the places of particles in the grid: those of neighbours are near in memory. */
function linkFast(space: Workspace, grid: PointGrid): Uint32Array {
  const { count, order, size } = grid;
  const { kernels } = space;
  const points = space.putGrid(grid);
  const [roots, spacing] = [space.putWords(counting(count)), space.takeReals(count)];
  kernels.nearestDistances(points, spacing, size / CELL, 2 * extentOf(grid), MUCH_ALIKE);
  const median = medianOf(space.reals(spacing, count));
  kernels.linkNear(points, spacing, median, LINK, extentOf(grid), roots);
  const inGrid = space.words(roots, count);
  // The first particle of each part becomes its root.
  const first = new Uint32Array(count).fill(count);
  for (let k = 0; k < count; k++) first[inGrid[k]] = Math.min(first[inGrid[k]], order[k]);
  const parent = new Uint32Array(count);
  for (let k = 0; k < count; k++) parent[order[k]] = first[inGrid[k]];
  return parent;
}

const extentOf = ({ size, cells }: PointGrid) => size * Math.max(...cells);

/** Median of the distances that are finite; 0 if there are none. */
function medianOf(distances: Float64Array): number {
  const sorted = distances.slice().sort();
  let real = sorted.length;
  while (real > 0 && !(sorted[real - 1] < Infinity)) real--;
  return real > 0 ? sorted[Math.floor(real / 2)] : 0;
}

/** Writes the points within a radius of point i that come after it in cell order to `near`; returns their number. */
function laterInBall(grid: PointGrid, i: number, radius: number, near: NeighbourList): number {
  const { x, y, z, cellStart, origin, size, cells } = grid;
  const [nx, ny, nz] = cells;
  const px = x[i];
  const py = y[i];
  const pz = z[i];
  const r2 = radius * radius;
  // Cells are selected with a slightly larger radius, so that rounding at a cell border loses no point.
  const reach = radius + 1e-6 * size;
  const reach2 = reach * reach;
  const y0 = cellIndex(py - reach, origin[1], size, ny);
  const y1 = cellIndex(py + reach, origin[1], size, ny);
  const ownY = cellIndex(py, origin[1], size, ny);
  const ownZ = cellIndex(pz, origin[2], size, nz);
  const z1 = cellIndex(pz + reach, origin[2], size, nz);
  let at = 0;
  for (let iz = ownZ; iz <= z1; iz++) {
    const dz = gap(pz, origin[2], size, iz);
    for (let iy = iz === ownZ ? ownY : y0; iy <= y1; iy++) {
      const dy = gap(py, origin[1], size, iy);
      const left = reach2 - dy * dy - dz * dz;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      const row = (iz * ny + iy) * nx;
      const last = cellStart[row + cellIndex(px + half, origin[0], size, nx) + 1];
      const first = Math.max(cellStart[row + cellIndex(px - half, origin[0], size, nx)], i + 1);
      if (at + last - first > near.index.length) reserve(near, at + last - first);
      const { index, distance2 } = near;
      for (let j = first; j < last; j++) {
        const dx = x[j] - px;
        const ey = y[j] - py;
        const ez = z[j] - pz;
        const d2 = dx * dx + ey * ey + ez * ez;
        // Written unconditionally, kept only if inside, as in `ball`.
        index[at] = j;
        distance2[at] = d2;
        at += d2 <= r2 ? 1 : 0;
      }
    }
  }
  return at;
}

/** Factor on the distance found for the point before, within which that of the next one is looked for first. */
const MUCH_ALIKE = 1.05;

/** Distance of every point (in the grid's order) to the nearest other place; Infinity when all points coincide. */
function nearestDistances(grid: PointGrid): Float64Array {
  const { count, x, y, z } = grid;
  const near = newNeighbourList(64);
  const distance = new Float64Array(count);
  const extent = 2 * extentOf(grid);
  let guess = grid.size / CELL;
  for (let i = 0; i < count; i++) {
    let least = Infinity;
    // Balls of growing radius until one holds another place, or the whole body: the nearest place in such a ball is the nearest of all.
    for (
      let radius = guess;
      least === Infinity && radius < 4 * extent;
      radius = Math.max(1.5 * radius, grid.size / CELL)
    ) {
      const end = ball(grid, x[i], y[i], z[i], radius, near, 0);
      for (let k = 0; k < end; k++) {
        const d2 = near.distance2[k];
        if (d2 > 0 && d2 < least) least = d2;
      }
    }
    distance[i] = Math.sqrt(least);
    guess = least < Infinity ? Math.min(MUCH_ALIKE * distance[i], grid.size / CELL) : grid.size / CELL;
  }
  return distance;
}

function root(parent: Uint32Array, i: number): number {
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/** The smaller index becomes the root, which is returned: a part has the number of its first particle. */
function join(parent: Uint32Array, a: number, b: number): number {
  const ra = root(parent, a);
  const rb = root(parent, b);
  if (ra < rb) {
    parent[rb] = ra;
    return ra;
  }
  parent[ra] = rb;
  return rb;
}

function numberParts(parent: Uint32Array): Parts {
  const ofParticle = new Uint32Array(parent.length);
  let count = 0;
  // A parent comes before its children.
  for (let i = 0; i < parent.length; i++) ofParticle[i] = parent[i] === i ? count++ : ofParticle[parent[i]];
  return { count, ofParticle };
}
