import type { PointGrid } from '../spatial/grid.js';
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
  /** Members lie within radius · (1 + slack) of their centre, plus 0.1 % for the last step of the centre. */
  slack: number;
  cycle: number;
  orphans: number;
  /** Why this division is no valid clustering; empty if it is one. */
  fault: string;
}

/** Converts from grid order to the caller's indices and checks C4. */
export function finish(body: Body, sampling: Parts, grid: PointGrid, optimum: Optimum): Division {
  const { start, centre, slack, cycle } = optimum;
  const clusters = start.length - 1;
  const particle = new Uint32Array(optimum.particle.length);
  for (let k = 0; k < particle.length; k++) particle[k] = grid.order[optimum.particle[k]];
  const weight = new Float64Array(particle.length);
  const slot = new Uint32Array(grid.count);
  for (let c = 0; c < clusters; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) slot[particle[k]] = k;
    particle.subarray(start[c], start[c + 1]).sort();
    for (let k = start[c]; k < start[c + 1]; k++) weight[k] = optimum.weight[slot[particle[k]]];
  }
  const orphans = optimum.orphans.length;
  return { centre, start, particle, weight, slack, cycle, orphans, fault: faultOf(body, sampling, optimum, particle) };
}

function faultOf(body: Body, sampling: Parts, optimum: Optimum, particle: Uint32Array): string {
  const { orphans, start, iterations, outcome } = optimum;
  if (orphans.length > 0) return `${orphans.length} of ${body.count} particles lie outside every cluster`;
  for (let c = 0; c < start.length - 1; c++) if (start[c] === start[c + 1]) return `cluster ${c} holds no particle`;
  if (outcome !== 'converged') return `the optimisation did not come to rest in ${iterations} iterations`;
  const { split } = compareParts(sampling, overlapParts(body.count, { start, particle }));
  return split ? `the clusters that hold particles ${split[0]} and ${split[1]} are not connected by overlap` : '';
}
