import { joinRoots, ownRoots, rootOf } from '../math/forest.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { TopologyDraft } from './topologyDraft.js';

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
  const { linkStart, linkCluster, gatherOrder } = s;
  const parent = ownRoots(clusters);
  for (let n = particleStart; n < particleEnd; n++) {
    const first = linkStart[n];
    for (let k = first + 1; k < linkStart[n + 1]; k++)
      joinRoots(parent, linkCluster[first] - clusterStart, linkCluster[k] - clusterStart);
  }
  const ofCluster = new Uint32Array(clusters);
  let count = 0;
  // Roots are the lowest: pieces are numbered by their first cluster.
  for (let c = 0; c < clusters; c++) ofCluster[c] = parent[c] === c ? count++ : ofCluster[rootOf(parent, c)];
  const ofParticle = new Uint32Array(particleEnd - particleStart).fill(NO_PIECE);
  for (let n = particleStart; n < particleEnd; n++)
    if (linkStart[n] < linkStart[n + 1])
      ofParticle[gatherOrder[n] - particleStart] = ofCluster[linkCluster[linkStart[n]] - clusterStart];
  return { count, ofParticle, ofCluster };
}

/** The same of a draft that has all links; clusters without members are in none. */
export function draftPieces(draft: TopologyDraft): Pieces {
  const { clusters, particles, linkFirst, linkLast, links, cluster } = draft;
  const parent = ownRoots(clusters);
  for (let i = 0; i < particles; i++) {
    const first = linkFirst[i];
    for (let l = first + 1; l < linkLast[i]; l++) joinRoots(parent, cluster[links[first]], cluster[links[l]]);
  }
  const ofCluster = new Uint32Array(clusters).fill(NO_PIECE);
  let count = 0;
  for (let c = 0; c < clusters; c++)
    if (draft.memberCount(c) > 0) ofCluster[c] = parent[c] === c ? count++ : ofCluster[rootOf(parent, c)];
  const ofParticle = new Uint32Array(particles).fill(NO_PIECE);
  for (let i = 0; i < particles; i++)
    if (linkFirst[i] < linkLast[i]) ofParticle[i] = ofCluster[cluster[links[linkFirst[i]]]];
  return { count, ofParticle, ofCluster };
}
