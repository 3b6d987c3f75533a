import { ball, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import type { Optimum } from './fuzzy.js';
import { type KernelParameters, weigh } from './weightKernel.js';

/**
 * Clusters of all particles within the radius of given centres, weighted by the kernel: the last stage of `kmeans` and
 * `random`.
 */
export function membersWithin(
  grid: PointGrid,
  centre: Float64Array,
  radius: number,
  parameters: KernelParameters,
): Optimum {
  const clusters = centre.length / 3;
  const start = new Uint32Array(clusters + 1);
  const list = newNeighbourList(2 * grid.count);
  for (let c = 0; c < clusters; c++)
    start[c + 1] = ball(grid, centre[3 * c], centre[3 * c + 1], centre[3 * c + 2], radius, list, start[c]);
  const particle = list.index.slice(0, start[clusters]);
  const weight = list.distance2.slice(0, start[clusters]);
  const sums = new Float64Array(grid.count);
  weigh(weight, particle, particle.length, radius, parameters, sums, new Float64Array(grid.count));
  const orphans: number[] = [];
  for (let i = 0; i < sums.length; i++) if (sums[i] === 0) orphans.push(i);
  for (let k = 0; k < weight.length; k++) weight[k] /= sums[particle[k]];
  const outcome = orphans.length > 0 ? 'uncovered' : 'converged';
  return { outcome, centre, start, particle, weight, orphans, iterations: 0, cycle: 0, slack: 0 };
}
