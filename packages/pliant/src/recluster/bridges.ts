import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { joinRoots, ownRoots, rootOf } from '../math/forest.js';
import type { Views } from '../state/layout.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';

/** Value in place of a root: no cluster that stays holds the particle. */
const NOWHERE = -1;

/**
 * Finds leaving clusters that alone hold together clusters that stay (SPEC C4). If every particle of such a cluster is
 * also in a cluster that stays, none of them seeds a new cluster (R2), and without it the body would come apart though
 * nothing broke.
 */
export class Bridges {
  /** For each such cluster: a particle at the gap that it would leave. */
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
      // One seed is enough for several clusters over the same gap.
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

  /** Writes the root that each member of c has without c into `roots`; returns the first root found. */
  private rootsAround(s: Views, c: number, clusterStart: number): number {
    const start = s.memberStart[c];
    const count = s.memberStart[c + 1] - start;
    if (this.roots.length < count) this.roots = new Int32Array(2 * count);
    let first = NOWHERE;
    for (let m = 0; m < count; m++) {
      const n = s.gatherRank[s.memberParticle[start + m]];
      this.roots[m] = NOWHERE;
      for (let l = s.linkStart[n]; l < s.linkStart[n + 1] && this.roots[m] === NOWHERE; l++)
        if (!s.leaving[s.linkCluster[l]]) this.roots[m] = rootOf(this.parent, s.linkCluster[l] - clusterStart);
      if (first === NOWHERE) first = this.roots[m];
    }
    return first;
  }

  /**
   * The member with root `first` that is nearest to a member with another root; NOWHERE if all members have the same
   * root.
   */
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
        const d2 = squared(x[o] - x[p]) + squared(x[o + 1] - x[p + 1]) + squared(x[o + 2] - x[p + 2]);
        if (d2 >= least) continue;
        least = d2;
        seed = memberParticle[start + k];
      }
    }
    return seed;
  }
}

/** Tells which of a draft's clusters hold together clusters that would be in separate pieces without them. */
export class Ties {
  private draft!: TopologyDraft;
  private parent = new Uint32Array(0);
  private gone = new Uint8Array(0);
  private alone = new Uint8Array(0);

  /** Finds what hangs together without the clusters `gone`, which are to end. */
  begin(draft: TopologyDraft, gone: readonly number[]): void {
    this.draft = draft;
    if (this.parent.length < draft.clusters) {
      this.parent = new Uint32Array(2 * draft.clusters);
      this.gone = new Uint8Array(2 * draft.clusters);
      this.alone = new Uint8Array(2 * draft.clusters);
    }
    this.gone.fill(0);
    for (const c of gone) this.gone[c] = 1;
    this.join(this.gone);
  }

  /**
   * Whether members of cluster c would be in different pieces without it. c is one of `gone`, and each of its particles
   * is in another cluster too.
   */
  needs(c: number): boolean {
    // Mostly the clusters that stay connect its members already. Only otherwise is c tested as the only one to end.
    if (!this.divides(c, this.gone)) return false;
    this.alone[c] = 1;
    this.join(this.alone);
    const needed = this.divides(c, this.alone);
    this.alone[c] = 0;
    this.join(this.gone);
    return needed;
  }

  private join(without: Uint8Array): void {
    const { draft } = this;
    ownRoots(draft.clusters, this.parent);
    const { linkFirst, linkLast, links, cluster } = draft;
    for (let i = 0; i < draft.particles; i++) {
      let first = NOWHERE;
      for (let l = linkFirst[i]; l < linkLast[i]; l++) {
        const d = cluster[links[l]];
        if (without[d]) continue;
        if (first === NOWHERE) first = d;
        else joinRoots(this.parent, first, d);
      }
    }
  }

  /** Whether members of c are in different pieces, or in none, once the clusters `without` are left out. */
  private divides(c: number, without: Uint8Array): boolean {
    const { linkFirst, linkLast, links, cluster, memberFirst, memberLast, members, particle } = this.draft;
    let root = NOWHERE;
    for (let m = memberFirst[c]; m < memberLast[c]; m++) {
      const i = particle[members[m]];
      let l = linkFirst[i];
      while (l < linkLast[i] && without[cluster[links[l]]]) l++;
      if (l === linkLast[i]) return true;
      const other = rootOf(this.parent, cluster[links[l]]);
      if (root !== NOWHERE && other !== root) return true;
      root = other;
    }
    return false;
  }
}
