import type { Body } from '../body/body.js';
import { joinRoots, ownRoots, rootOf } from '../math/forest.js';
import type { Views } from '../state/layout.js';
import type { Draft } from '../topology/draft.js';

/** In place of a root: nothing that stays holds the particle. */
const NOWHERE = -1;

/**
 * Clusters that leave and alone hold together what stays (SPEC C4). Where every particle of such a one is in another that stays, none seeds a new
 * cluster (R2), and the body would come apart though nothing broke.
 */
export class Bridges {
  /** A particle at the gap that each would leave. */
  readonly seeds: number[] = [];
  private parent = new Uint32Array(0);
  private roots = new Int32Array(0);

  find(s: Views, { rows }: Body): void {
    const { clusterStart, clusterEnd } = rows;
    this.seeds.length = 0;
    if (!s.leaving.subarray(clusterStart, clusterEnd).includes(1)) return;
    this.joinStaying(s, rows);
    for (let c = clusterStart; c < clusterEnd; c++) {
      if (!s.leaving[c]) continue;
      const first = this.rootsAround(s, c, clusterStart);
      if (first === NOWHERE) continue;
      const seed = this.seedAtGap(s, c, first);
      if (seed === NOWHERE) continue;
      this.seeds.push(seed);
      // Of several over the same gap one is enough.
      for (let m = 0; m < s.memberStart[c + 1] - s.memberStart[c]; m++)
        if (this.roots[m] !== NOWHERE) joinRoots(this.parent, first, this.roots[m]);
    }
  }

  private joinStaying(s: Views, { particleStart, particleEnd, clusterStart, clusterEnd }: Body['rows']): void {
    const count = clusterEnd - clusterStart;
    if (this.parent.length < count) this.parent = new Uint32Array(2 * count);
    ownRoots(count, this.parent);
    for (let n = particleStart; n < particleEnd; n++) {
      let first = NOWHERE;
      for (let l = s.linkStart[n]; l < s.linkStart[n + 1]; l++) {
        const c = s.linkCluster[l];
        if (s.leaving[c]) continue;
        if (first === NOWHERE) first = c - clusterStart;
        else joinRoots(this.parent, first, c - clusterStart);
      }
    }
  }

  /** What each member of c hangs on without it, into `roots`; returns the first. */
  private rootsAround(s: Views, c: number, clusterStart: number): number {
    const start = s.memberStart[c];
    const count = s.memberStart[c + 1] - start;
    if (this.roots.length < count) this.roots = new Int32Array(2 * count);
    let first = NOWHERE;
    for (let m = 0; m < count; m++) {
      const n = s.rank[s.memberParticle[start + m]];
      this.roots[m] = NOWHERE;
      for (let l = s.linkStart[n]; l < s.linkStart[n + 1] && this.roots[m] === NOWHERE; l++)
        if (!s.leaving[s.linkCluster[l]]) this.roots[m] = rootOf(this.parent, s.linkCluster[l] - clusterStart);
      if (first === NOWHERE) first = this.roots[m];
    }
    return first;
  }

  /** Of the members that hang on `first` the one nearest to one that hangs on something else; NOWHERE if none does. */
  private seedAtGap(s: Views, c: number, first: number): number {
    const start = s.memberStart[c];
    const count = s.memberStart[c + 1] - start;
    const { x, memberParticle } = s;
    let [seed, least] = [NOWHERE, Number.POSITIVE_INFINITY];
    for (let m = 0; m < count; m++) {
      if (this.roots[m] === NOWHERE || this.roots[m] === first) continue;
      const o = 4 * memberParticle[start + m];
      for (let k = 0; k < count; k++) {
        if (this.roots[k] !== first) continue;
        const p = 4 * memberParticle[start + k];
        const d2 = (x[o] - x[p]) ** 2 + (x[o + 1] - x[p + 1]) ** 2 + (x[o + 2] - x[p + 2]) ** 2;
        if (d2 >= least) continue;
        least = d2;
        seed = memberParticle[start + k];
      }
    }
    return seed;
  }
}

let parent = new Uint32Array(0);

/** Whether particles of a cluster, each of which is in another one too, are in different pieces without it. */
export function holdsTogether(draft: Draft, c: number): boolean {
  if (parent.length < draft.clusters) parent = new Uint32Array(2 * draft.clusters);
  ownRoots(draft.clusters, parent);
  const { linkFirst, linkLast, links, cluster } = draft;
  for (let i = 0; i < draft.particles; i++) {
    let first = NOWHERE;
    for (let l = linkFirst[i]; l < linkLast[i]; l++) {
      const d = cluster[links[l]];
      if (d === c) continue;
      if (first === NOWHERE) first = d;
      else joinRoots(parent, first, d);
    }
  }
  let root = NOWHERE;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    const l = cluster[links[linkFirst[i]]] === c ? linkFirst[i] + 1 : linkFirst[i];
    const other = rootOf(parent, cluster[links[l]]);
    if (root === NOWHERE) root = other;
    else if (other !== root) return true;
  }
  return false;
}
