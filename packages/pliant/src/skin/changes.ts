import { Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/**
 * Compares the particles and clusters of a body with those of the call before. A body that breaks is torn many times a
 * second, and a break concerns few of its clusters.
 */
export class TopologyChanges {
  private particles = -1;
  private ancestor = new Uint32Array(0);
  private mass = new Float32Array(0);
  private linkCount = new Uint16Array(0);
  /** Weights of the links, particle by particle. */
  private weight = new Float32Array(0);
  /** Members of the clusters, counted from the body's first particle. */
  private memberStart = new Uint32Array(1);
  private member = new Uint32Array(0);
  /** Clusters by a hash of their members. */
  private readonly known = new Map<number, number>();
  /** Per cluster: 1 where a cluster with the same members was there before. */
  private isSame = new Uint8Array(0);
  /** Present number of each cluster of the call before, −1 where its members changed. */
  heir = new Int32Array(0);
  /** Per particle: 1 where it, or the weight of a link of it, changed. */
  isReweighed = new Uint8Array(0);

  /**
   * Writes 1 into `isChanged` for the ancestors whose particles changed: their number, their mass, their clusters, or
   * members of these. Returns false, with nothing written, if particles were renumbered or this is the first call.
   */
  update(isChanged: Uint8Array, s: Views, rows: Rows): boolean {
    const { particleStart, particleEnd } = rows;
    const count = particleEnd - particleStart;
    const before = this.particles;
    let isKnown = before >= 0 && count >= before;
    for (let i = 0; i < before && isKnown; i++) isKnown = this.ancestor[i] === s.ancestor[particleStart + i];
    this.reserve(count);
    this.compareClusters(s, rows);
    if (isKnown) isChanged.fill(0);
    const base = s.linkStart[particleStart];
    const weight = new Float32Array(s.linkStart[particleEnd] - base);
    let at = 0;
    let old = 0;
    for (let i = 0; i < count; i++) {
      const row = particleStart + i;
      const mass = s.x[Row.x * row + 3];
      const n = s.gatherRank[row];
      const [first, last] = [s.linkStart[n], s.linkStart[n + 1]];
      let isAlike = isKnown && i < before && this.linkCount[i] === last - first;
      for (let l = first; l < last; l++) {
        weight[at] = s.link[Row.link * l + 3];
        if (isAlike && weight[at] !== this.weight[old + l - first]) isAlike = false;
        at++;
      }
      if (i < before) old += this.linkCount[i];
      if (isKnown) {
        this.isReweighed[i] = isAlike ? 0 : 1;
        isAlike = i < before && this.mass[i] === mass && this.linkCount[i] === last - first;
        for (let l = first; l < last && isAlike; l++) isAlike = this.isSame[s.linkCluster[l] - rows.clusterStart] === 1;
        if (isAlike) continue;
        isChanged[s.ancestor[row]] = 1;
        this.isReweighed[i] = 1;
      }
      this.ancestor[i] = s.ancestor[row];
      this.mass[i] = mass;
      this.linkCount[i] = last - first;
    }
    this.weight = weight;
    this.particles = count;
    return isKnown;
  }

  /** Finds the clusters whose members are those of a cluster of the call before, and takes their place. */
  private compareClusters(s: Views, { clusterStart, clusterEnd, particleStart }: Rows): void {
    const clusters = clusterEnd - clusterStart;
    const base = s.memberStart[clusterStart];
    const size = s.memberStart[clusterEnd] - base;
    const [oldStart, oldMember] = [this.memberStart, this.member];
    const memberStart = new Uint32Array(clusters + 1);
    const member = new Uint32Array(size);
    const hash = new Int32Array(clusters);
    if (this.isSame.length < clusters) this.isSame = new Uint8Array(2 * clusters);
    this.heir = new Int32Array(oldStart.length - 1).fill(-1);
    for (let c = 0; c < clusters; c++) {
      const first = s.memberStart[clusterStart + c] - base;
      const last = s.memberStart[clusterStart + c + 1] - base;
      let h = last - first;
      for (let k = first; k < last; k++) {
        const i = s.memberParticle[base + k] - particleStart;
        member[k] = i;
        h = (Math.imul(h, 0x01000193) + i) | 0;
      }
      memberStart[c + 1] = last;
      hash[c] = h;
      const o = this.known.get(h);
      // Of two clusters with the same members the second counts as new.
      const isKnown = o !== undefined && this.heir[o] < 0;
      const isSame = isKnown && isEqual(oldMember, oldStart[o], oldStart[o + 1], member, first, last);
      this.isSame[c] = isSame ? 1 : 0;
      if (isSame) this.heir[o] = c;
    }
    [this.memberStart, this.member] = [memberStart, member];
    this.known.clear();
    for (let c = 0; c < clusters; c++) this.known.set(hash[c], c);
  }

  private reserve(particles: number): void {
    if (this.mass.length >= particles) return;
    const { ancestor, mass, linkCount } = this;
    this.ancestor = new Uint32Array(2 * particles);
    this.mass = new Float32Array(2 * particles);
    this.linkCount = new Uint16Array(2 * particles);
    this.ancestor.set(ancestor);
    this.mass.set(mass);
    this.linkCount.set(linkCount);
    this.isReweighed = new Uint8Array(2 * particles);
  }
}

/** Whether a[from] … a[to − 1] are the numbers b[first] … b[last − 1]. */
function isEqual(a: Uint32Array, from: number, to: number, b: Uint32Array, first: number, last: number): boolean {
  if (to - from !== last - first) return false;
  for (let n = 0; n < to - from; n++) if (a[from + n] !== b[first + n]) return false;
  return true;
}
