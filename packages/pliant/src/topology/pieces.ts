import { joinRoots, ownRoots, rootOf } from '../math/forest.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { TopologyDraft } from './topologyDraft.js';

/**
 * The pieces of a body: clusters that share particles are in the same piece. Debris, which is in no cluster, is no
 * piece.
 */
export interface Pieces {
  /** Number of pieces. */
  readonly count: number;
  /** Number of the piece that each particle is in; NO_PIECE for debris. */
  readonly ofParticle: Uint32Array;
  /** Number of the piece that each cluster is in. */
  readonly ofCluster: Uint32Array;
}

/** Value of `Pieces.ofParticle` for debris. */
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
  // The root of a piece is its lowest cluster, so pieces are numbered by their first cluster.
  for (let c = 0; c < clusters; c++) ofCluster[c] = parent[c] === c ? count++ : ofCluster[rootOf(parent, c)];
  const ofParticle = new Uint32Array(particleEnd - particleStart).fill(NO_PIECE);
  for (let n = particleStart; n < particleEnd; n++)
    if (linkStart[n] < linkStart[n + 1])
      ofParticle[gatherOrder[n] - particleStart] = ofCluster[linkCluster[linkStart[n]] - clusterStart];
  return { count, ofParticle, ofCluster };
}

/** Pieces of a draft whose links are all loaded. Clusters without members are in no piece. */
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
