import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';

/** What a body consists of: parts that hang together by clusters that share particles. Debris, in no cluster, is no piece. */
export interface Pieces {
  readonly count: number;
  /** Which piece each particle is in, NO_PIECE for debris; the piece of the first cluster is 0, and so on. */
  readonly ofParticle: Uint32Array;
  /** Which piece each cluster is in. */
  readonly ofCluster: Uint32Array;
}

export const NO_PIECE = 0xffffffff;

export function piecesOf(s: Views, { particleStart, particleEnd, clusterStart, clusterEnd }: Rows): Pieces {
  const clusters = clusterEnd - clusterStart;
  const parent = Uint32Array.from({ length: clusters }, (_, c) => c);
  const root = (c: number) => {
    while (parent[c] !== c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (let n = particleStart; n < particleEnd; n++) {
    if (s.linkStart[n] === s.linkStart[n + 1]) continue;
    const first = root(s.linkCluster[s.linkStart[n]] - clusterStart);
    for (let k = s.linkStart[n] + 1; k < s.linkStart[n + 1]; k++) {
      const other = root(s.linkCluster[k] - clusterStart);
      // The lower number stays, so that pieces are numbered by their first cluster.
      if (other !== root(first)) parent[Math.max(other, root(first))] = Math.min(other, root(first));
    }
  }
  const ofCluster = new Uint32Array(clusters);
  let count = 0;
  for (let c = 0; c < clusters; c++) ofCluster[c] = root(c) === c ? count++ : ofCluster[root(c)];
  const ofParticle = new Uint32Array(particleEnd - particleStart).fill(NO_PIECE);
  for (let n = particleStart; n < particleEnd; n++)
    if (s.linkStart[n] < s.linkStart[n + 1])
      ofParticle[s.gather[n] - particleStart] = ofCluster[s.linkCluster[s.linkStart[n]] - clusterStart];
  return { count, ofParticle, ofCluster };
}
