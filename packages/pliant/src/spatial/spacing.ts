import { MOST_GROWTHS } from '../limits.js';
import { ball, buildGrid, newNeighbourList, type PointGrid, spacingOf } from './grid.js';

/** Points that are measured at most: their median is known to a few per cent by then. */
const MOST_SAMPLES = 1000;

/**
 * Distance between neighbours of a body given as points: the median of that to the nearest other one. (`spacingOf` shares the
 * box around the points among them, which is good enough for the cells of a grid. But of a sheet of 12 × 12 that lies askew the box is
 * nearly empty, 2.5 times too much, and of one that is uneven by 1 mm nearly flat, 3 times too little.) 0 where all are one, or nearer than the
 * engine can tell apart.
 */
export function spacingOfPoints(points: Float64Array): number {
  const guess = spacingOf(points);
  if (!(guess > 0)) return 0;
  const grid = buildGrid(points, guess);
  const distances: number[] = [];
  const stride = Math.ceil(points.length / 3 / MOST_SAMPLES);
  for (let i = 0; i < points.length; i += 3 * stride) distances.push(nearestOther(grid, points, i, guess));
  return distances.sort((a, b) => a - b)[distances.length >> 1];
}

const near = newNeighbourList(64);

/** Distance from point i to the nearest that is not in the same place; 0 if all are in one. */
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
