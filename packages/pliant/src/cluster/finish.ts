import type { PointGrid } from '../spatial/grid.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import type { Body } from './body.js';
import { compareParts, overlapParts, type Parts } from './connect.js';
import type { Optimum } from './fuzzy.js';

/** A division of the body at one count and radius, successful or not. */
export interface Division {
  centre: Float64Array;
  start: Uint32Array;
  /** The caller's particle indices, ascending within a cluster. */
  particle: Uint32Array;
  weight: Float64Array;
  /** Members lie within radius · (1 + slack) of their centre, plus 0.1 % for the last step of the centre (2 %: `EASY` in fuzzy.ts). */
  slack: number;
  cycle: number;
  orphans: number;
  /** Why this division is no valid clustering; empty if it is one. */
  fault: string;
  /** Number of parts that its clusters hold together, of a valid one. */
  held: number;
}

/** Converts from grid order to the caller's indices and checks C4. */
export function finish(body: Body, sampling: Parts, grid: PointGrid, optimum: Optimum): Division {
  const { start, centre, slack, cycle } = optimum;
  const { particle, weight } = withKernels((space) => ascendingFast(space, grid, optimum)) ?? ascending(grid, optimum);
  const orphans = optimum.orphans.length;
  const { fault, held } = faultOf(body, sampling, optimum, particle);
  return { centre, start, particle, weight, slack, cycle, orphans, fault, held };
}

/**
 * The members of every cluster by the caller's indices, ascending: sorted by particle, then by cluster, by counting. Sorting the members of each cluster took several times as long (by a profile).
 */
function ascending({ order, count }: PointGrid, optimum: Optimum): { particle: Uint32Array; weight: Float64Array } {
  const { start } = optimum;
  const members = optimum.particle.length;
  const next = new Uint32Array(count + 1);
  for (let k = 0; k < members; k++) next[order[optimum.particle[k]] + 1]++;
  for (let i = 0; i < count; i++) next[i + 1] += next[i];
  // Memberships by particle: cluster and place in the optimum's list.
  const [cluster, place] = [new Uint32Array(members), new Uint32Array(members)];
  for (let c = 0; c < start.length - 1; c++) {
    const last = start[c + 1];
    for (let k = start[c]; k < last; k++) {
      const at = next[order[optimum.particle[k]]]++;
      cluster[at] = c;
      place[at] = k;
    }
  }
  const end = start.slice();
  const [particle, weight] = [new Uint32Array(members), new Float64Array(members)];
  for (let i = 0, n = 0; i < count; i++)
    for (; n < next[i]; n++) {
      const at = end[cluster[n]]++;
      particle[at] = i;
      weight[at] = optimum.weight[place[n]];
    }
  return { particle, weight };
}

/** The same in WASM. */
function ascendingFast(
  space: Workspace,
  { order, count }: PointGrid,
  { start, particle, weight }: Optimum,
): { particle: Uint32Array; weight: Float64Array } {
  const [members, clusters] = [particle.length, start.length - 1];
  const [numbers, starts] = [space.putWords(order), space.putWords(start)];
  const [particles, weights] = [space.putWords(particle), space.putReals(weight)];
  const [next, cluster, place] = [space.takeWords(count + 1), space.takeWords(members), space.takeWords(members)];
  const [end, sorted, sortedWeights] = [space.takeWords(clusters), space.takeWords(members), space.takeReals(members)];
  space.kernels.sortMembers(
    ...[numbers, count, starts, clusters, particles, weights],
    ...[next, cluster, place, end, sorted, sortedWeights],
  );
  return { particle: space.words(sorted, members).slice(), weight: space.reals(sortedWeights, members).slice() };
}

function faultOf(
  body: Body,
  sampling: Parts,
  optimum: Optimum,
  particle: Uint32Array,
): { fault: string; held: number } {
  const { orphans, start, iterations, outcome } = optimum;
  const fail = (fault: string) => ({ fault, held: 0 });
  if (orphans.length > 0) return fail(`${orphans.length} of ${body.count} particles lie outside every cluster`);
  for (let c = 0; c < start.length - 1; c++)
    if (start[c] === start[c + 1]) return fail(`cluster ${c} holds no particle`);
  if (outcome !== 'converged') return fail(`the optimisation did not come to rest in ${iterations} iterations`);
  const overlap = overlapParts(body.count, { start, particle });
  const { split } = compareParts(sampling, overlap);
  return split
    ? fail(`the clusters that hold particles ${split[0]} and ${split[1]} are not connected by overlap`)
    : { fault: '', held: overlap.count };
}
