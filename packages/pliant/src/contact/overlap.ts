import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';

/** Which clusters of a body share a particle (SPEC K2): those never collide. Cluster numbers count from the body's first. */
export interface Overlap {
  /** Cluster c overlaps cluster[start[c]] … cluster[start[c + 1] − 1], ascending, itself left out. */
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
}

/** Made anew whenever a body's memberships change: one pass over its links. */
export function buildOverlap(s: Views, { clusterStart, clusterEnd, particleStart, particleEnd }: Rows): Overlap {
  const count = clusterEnd - clusterStart;
  const others = Array.from({ length: count }, () => new Set<number>());
  for (let n = particleStart; n < particleEnd; n++)
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++)
      for (let l = s.linkStart[n]; l < k; l++) {
        const [a, b] = [s.linkCluster[k] - clusterStart, s.linkCluster[l] - clusterStart];
        others[a].add(b);
        others[b].add(a);
      }
  const start = new Uint32Array(count + 1);
  for (let c = 0; c < count; c++) start[c + 1] = start[c] + others[c].size;
  const cluster = new Uint32Array(start[count]);
  for (let c = 0; c < count; c++) cluster.set(Uint32Array.from(others[c]).sort(), start[c]);
  return { start, cluster };
}

/** Whether two clusters of the body share a particle, or are the same. */
export function overlaps({ start, cluster }: Overlap, a: number, b: number): boolean {
  if (a === b) return true;
  let [low, high] = [start[a], start[a + 1]];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cluster[middle] < b) low = middle + 1;
    else high = middle;
  }
  return low < start[a + 1] && cluster[low] === b;
}
