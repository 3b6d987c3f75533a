import { NO_PIECE } from '../fracture/pieces.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import { ASKED, type Surroundings } from './surroundings.js';

/** What telling sides needs to know of a body that has come apart. */
export interface Torn {
  s: Views;
  rows: Rows;
  copies: Copies;
  surroundings: Surroundings;
  /** Which piece each particle is in. */
  pieceOf: Uint32Array;
  /** The mesh also shows what is no longer part of this body: cells there are left out. */
  partial: boolean;
}

/** No particle of the body is there. */
export const NO_ANCHOR = -1;

/** Tells which particles of a body belong together at a place: those that hang together there by clusters are one *side*. */
export class Sides {
  private readonly groups: Groups;
  private readonly originals: Groups;
  private readonly list: number[] = [];
  private readonly say: number[] = [];
  private readonly sums: number[] = [];
  private side = new Uint16Array(64);
  /** The particles around the vertex that `at` was asked of: which, their kernel, their side. */
  readonly particle: number[] = [];
  readonly kernel: number[] = [];
  sideOf = new Uint16Array(64);
  /** Of each of them: 1 where it was parted from the first when the body was built. */
  private readonly apart: number[] = [];

  constructor(private readonly torn: Torn) {
    this.groups = new Groups(torn.rows.clusterEnd - torn.rows.clusterStart);
    const { cluster } = torn.surroundings.original;
    let clusters = 0;
    for (const c of cluster) clusters = Math.max(clusters, c + 1);
    this.originals = new Groups(clusters);
  }

  /** The nearest particle of the side that most has been said for in a cell; NO_ANCHOR where there is none, or what was there is gone. */
  anchorOf(cell: number): number {
    const { list, say, sums, groups } = this;
    list.length = say.length = 0;
    const gone = this.gather(cell);
    if (list.length === 0) return NO_ANCHOR;
    let total = 0;
    if (this.areOne(list)) for (const w of say) total += w;
    if (total > 0) return gone > total ? NO_ANCHOR : list[0];
    this.group(list);
    if (this.side.length < list.length) this.side = new Uint16Array(2 * list.length);
    sums.length = 0;
    for (let n = groups.number(this.side, 0); n > 0; n--) sums.push(0);
    for (let n = 0; n < list.length; n++) sums[this.side[n]] += say[n];
    let best = 0;
    for (let n = 1; n < sums.length; n++) if (sums[n] > sums[best]) best = n;
    // They come by distance.
    return gone > sums[best] ? NO_ANCHOR : list[this.side.indexOf(best)];
  }

  /** Those of a cell's particles that the body has; returns what those that are gone would have said. */
  private gather(cell: number): number {
    const { copies, pieceOf, partial, surroundings } = this.torn;
    let gone = 0;
    for (let n = ASKED * cell; n < ASKED * cell + ASKED; n++) {
      const i = surroundings.asked[n];
      const end = copies.start[i + 1];
      if (partial && copies.start[i] === end) gone += surroundings.say[n];
      for (let k = copies.start[i]; k < end; k++) {
        // Debris follows nothing, and nothing follows it.
        if (pieceOf[copies.particle[k]] === NO_PIECE) continue;
        this.list.push(copies.particle[k]);
        this.say.push(surroundings.say[n]);
      }
    }
    return gone;
  }

  /** Whether all share a cluster with the first: so it is nearly everywhere, and quickly found. */
  private areOne(list: readonly number[]): boolean {
    for (let n = 1; n < list.length; n++) if (list[n] !== list[0] && !this.shareCluster(list[0], list[n])) return false;
    return true;
  }

  private group(list: readonly number[]): void {
    this.groups.begin(list.length);
    for (let n = 0; n < list.length; n++) this.meetClusters(list[n], n);
  }

  private meetClusters(i: number, n: number): void {
    const { s, rows } = this.torn;
    const rank = s.rank[rows.particleStart + i];
    for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++)
      this.groups.meet(n, s.linkCluster[l] - rows.clusterStart);
  }

  shareCluster(i: number, j: number): boolean {
    const { rank, linkStart, linkCluster } = this.torn.s;
    const first = this.torn.rows.particleStart;
    const [a, b] = [rank[first + i], rank[first + j]];
    const [from, to] = [linkStart[a], linkStart[a + 1]];
    for (let l = linkStart[b]; l < linkStart[b + 1]; l++)
      for (let k = from; k < to; k++) if (linkCluster[k] === linkCluster[l]) return true;
    return false;
  }

  /**
   * Whether two cells with the anchors i and j hang together: by a cluster, or by those that the particles around both are in. Those that already did
   * not when the body was built do as long as they are of one piece.
   */
  areHeld(cell: number, i: number, other: number, j: number): boolean {
    if (i === j || this.shareCluster(i, j)) return true;
    const { pieceOf } = this.torn;
    if (pieceOf[i] !== pieceOf[j]) return false;
    const { list, groups } = this;
    list.length = this.say.length = 0;
    this.gather(cell);
    this.gather(other);
    this.group(list);
    if (groups.root(list.indexOf(i)) === groups.root(list.indexOf(j))) return true;
    return !this.wereHeld(cell, i, other, j);
  }

  private wereHeld(cell: number, i: number, other: number, j: number): boolean {
    const { asked, original } = this.torn.surroundings;
    const { originals } = this;
    const { ancestor } = this.torn.s;
    const first = this.torn.rows.particleStart;
    originals.begin(2 * ASKED + 2);
    for (let n = 0; n < 2 * ASKED + 2; n++) {
      const k = n - 2 * ASKED;
      const a = k >= 0 ? ancestor[first + (k ? j : i)] : asked[ASKED * (n < ASKED ? cell : other) + (n % ASKED)];
      for (let m = original.start[a]; m < original.start[a + 1]; m++) originals.meet(n, original.cluster[m]);
    }
    return originals.root(2 * ASKED) === originals.root(2 * ASKED + 1);
  }

  /** Finds the particles around a vertex that the body has now, and their sides. */
  at(v: number): void {
    const { copies, pieceOf, surroundings, s, rows } = this.torn;
    const { near } = surroundings;
    const { particle, kernel } = this;
    particle.length = kernel.length = 0;
    for (let n = near.start[v]; n < near.start[v + 1]; n++)
      for (let k = copies.start[near.particle[n]]; k < copies.start[near.particle[n] + 1]; k++) {
        if (pieceOf[copies.particle[k]] === NO_PIECE) continue;
        particle.push(copies.particle[k]);
        kernel.push(near.kernel[n]);
      }
    if (this.sideOf.length < particle.length) this.sideOf = new Uint16Array(2 * particle.length);
    if (this.areOne(particle)) {
      this.sideOf.fill(0, 0, particle.length);
      return;
    }
    this.group(particle);
    this.joinOriginals(s, rows);
    this.groups.number(this.sideOf, 0);
  }

  /** Particles that did not hang together here when the body was built are not torn apart because they still do not. */
  private joinOriginals(s: Views, rows: Rows): void {
    const { surroundings, pieceOf } = this.torn;
    const { particle, apart, originals, groups } = this;
    const { original } = surroundings;
    originals.begin(particle.length);
    for (let n = 0; n < particle.length; n++) {
      const a = s.ancestor[rows.particleStart + particle[n]];
      for (let m = original.start[a]; m < original.start[a + 1]; m++) originals.meet(n, original.cluster[m]);
    }
    let parted = false;
    for (let n = 0; n < particle.length; n++) {
      apart[n] = originals.root(n);
      parted ||= apart[n] !== 0;
    }
    if (!parted) return;
    for (let m = 1; m < particle.length; m++)
      for (let n = 0; n < m; n++)
        if (apart[m] !== apart[n] && pieceOf[particle[m]] === pieceOf[particle[n]]) groups.join(m, n);
  }

  /** The side, of the vertex last asked of, that a particle is on: its own; else that of one which shares a cluster with it, or is of the same piece; else −1. */
  sideWith(anchor: number): number {
    const { pieceOf } = this.torn;
    const { particle, kernel, sideOf } = this;
    let best = -1;
    let bond = 0;
    for (let e = 0; e < particle.length; e++) {
      if (particle[e] === anchor) return sideOf[e];
      if (pieceOf[particle[e]] !== pieceOf[anchor]) continue;
      const strength = kernel[e] + (this.shareCluster(particle[e], anchor) ? 1 : 0);
      if (best >= 0 && strength <= bond) continue;
      bond = strength;
      best = sideOf[e];
    }
    return best;
  }
}
