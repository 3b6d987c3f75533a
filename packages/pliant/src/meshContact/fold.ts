import { squared } from '../math/elementary.js';
import type { Memberships } from '../skin/blend.js';
import type { ContactMesh } from './contactMesh.js';

/** Which clusters of a body share particles. Those of c, including c, are cluster[start[c]] … cluster[start[c + 1] − 1]. */
export interface Overlap {
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
  /** Scratch: for each cluster, 1 + the last cluster found to share particles with it. */
  readonly seen: Uint32Array;
}

export function findOverlap({ start, particle }: Memberships, particles: number): Overlap {
  const clusters = start.length - 1;
  const clustersOf: number[][] = Array.from({ length: particles }, () => []);
  for (let c = 0; c < clusters; c++) for (let k = start[c]; k < start[c + 1]; k++) clustersOf[particle[k]].push(c);
  const found = Array.from({ length: clusters }, () => new Set<number>());
  for (const group of clustersOf) for (const c of group) for (const d of group) found[c].add(d);
  const offsets = new Uint32Array(clusters + 1);
  found.forEach((set, c) => {
    offsets[c + 1] = offsets[c] + set.size;
  });
  return {
    start: offsets,
    cluster: Uint32Array.from(found.flatMap((set) => [...set])),
    seen: new Uint32Array(clusters),
  };
}

/** Clusters nearer than this share of their rest distance may touch. Proxies use the same rule (kernels/ts/touch.ts). */
const NEARER = 0.85;

/**
 * Whether a body is so deformed that it may touch itself: two clusters that share no particle have come nearer. The test avoids a search of
 * the body's edges in its own triangles. For a ball of 1280 triangles that search takes 1.9 ms a step, all other contact work 0.1 ms.
 */
export function hasFolded({ clusterCount, frames, restCentres: rest, sharing }: ContactMesh): boolean {
  const { start, cluster, seen } = sharing;
  seen.fill(0);
  for (let c = 0; c < clusterCount; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) seen[cluster[k]] = c + 1;
    for (let d = 0; d < c; d++) {
      if (seen[d] === c + 1) continue;
      let now = 0;
      let before = 0;
      for (let a = 0; a < 3; a++) {
        now += squared(frames[12 * c + 9 + a] - frames[12 * d + 9 + a]);
        before += squared(rest[3 * c + a] - rest[3 * d + a]);
      }
      if (now < NEARER * NEARER * before) return true;
    }
  }
  return false;
}
