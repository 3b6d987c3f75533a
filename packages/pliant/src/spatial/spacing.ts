import { MOST_GROWTHS } from '../limits.js';
import { ball, buildGrid, newNeighbourList, type PointGrid, spacingOf } from './grid.js';
import { type Workspace, withKernels } from './wasm/workspace.js';

/** Largest number of points that are measured. It gives the median to a few per cent. */
const MOST_SAMPLES = 1000;

/**
 * Spacing of a body given as points: the median distance from a point to its nearest other point. 0 if all points coincide, or are nearer
 * than the engine can resolve.
 *
 * `spacingOf` divides the volume of the points' bounding box by their number, which is good enough for the cells of a grid. It fails for
 * sheets. The box of a tilted sheet of 12 × 12 is nearly empty: 2.5 times too much. The box of a sheet that is uneven by 1 mm is nearly
 * flat: 3 times too little.
 */
export function spacingOfPoints(points: Float64Array): number {
  const guess = spacingOf(points);
  if (!(guess > 0)) return 0;
  const grid = buildGrid(points, guess);
  const stride = Math.ceil(points.length / 3 / MOST_SAMPLES);
  const distances =
    withKernels((space) => distancesFast(space, grid, points, stride, guess)) ??
    distancesPlain(grid, points, stride, guess);
  return distances.sort()[distances.length >> 1];
}

/** Distances of every `stride`-th point from its nearest other. */
function distancesPlain(grid: PointGrid, points: Float64Array, stride: number, guess: number): Float64Array {
  const distances = new Float64Array(Math.ceil(grid.count / stride));
  for (let k = 0; k < distances.length; k++) distances[k] = nearestOther(grid, points, 3 * stride * k, guess);
  return distances;
}

/** The same in WASM. */
function distancesFast(
  space: Workspace,
  grid: PointGrid,
  points: Float64Array,
  stride: number,
  guess: number,
): Float64Array {
  const [among, from] = [space.putGrid(grid), space.putReals(points)];
  const found = Math.ceil(grid.count / stride);
  const distance = space.takeReals(found);
  // A ball of this radius holds all points.
  const extent = 2 * grid.size * Math.max(...grid.cells);
  space.kernels.nearestOthers(among, from, grid.count, stride, guess, extent, distance);
  return space.reals(distance, found).slice();
}

const near = newNeighbourList(64);

/** Distance from point i to the nearest point at another position; 0 if all are at one. */
function nearestOther(grid: PointGrid, p: Float64Array, i: number, guess: number): number {
  for (let round = 0, radius = guess; round < MOST_GROWTHS; round++, radius *= 2) {
    const count = ball(grid, p[i], p[i + 1], p[i + 2], radius, near, 0);
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) if (near.distance2[k] > 0) least = Math.min(least, near.distance2[k]);
    if (least < Number.POSITIVE_INFINITY) return Math.sqrt(least);
    if (count === grid.count) return 0;
  }
  return 0;
}
