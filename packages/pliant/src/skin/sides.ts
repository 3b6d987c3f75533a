import { Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import type { Relief } from './relief.js';
import { addToName, type Surroundings, UNKNOWN } from './surroundings.js';

/** A body that has come apart, as finding its sides needs it. */
export interface Torn extends Relief {
  s: Views;
  rows: Rows;
  copies: Copies;
  surroundings: Surroundings;
  /** Piece of each particle, and number of pieces. */
  pieceOf: Uint32Array;
  pieces: number;
  /** Whether the mesh also shows matter that is no longer part of this body: it is left out there. */
  partial: boolean;
}

/** Anchor of a vertex around which there is no particle of the body. */
export const NO_ANCHOR = -1;

/** Clusters of particle i: cluster[start[i]] … cluster[start[i + 1] − 1], both counted from the body's first. */
interface Links {
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
}

/**
 * Rounds in which the shares of sides are blurred over neighbouring vertices, and how much of a vertex's share comes
 * from its neighbours in each. Particles of two pieces are mixed along a crack over about a spacing: without blur the
 * crack winds around single particles.
 */
const ROUNDS = 3;
const BLUR = 0.6;
/** Least number of neighbours of a node that is lent to a splinter. */
const FEWEST = 8;

/**
 * The *sides* at the vertices of a body's cells: groups of particles around a vertex that hang together by clusters.
 * Each has a share in the vertex: that of the mass around it, by the kernel, blurred over the neighbours. A vertex
 * belongs to the side with the largest share. After a break every vertex needs its sides, but most of a body is as it
 * was built; vertices there have one side and are not *active*.
 */
export class Sides {
  private readonly links: Links;
  private readonly groups: Groups;
  private readonly originals: Groups;
  /** Per cluster: the last round in which it held the first particle of a list. */
  private readonly mark: Uint32Array;
  private round = 0;
  /**
   * Per ancestor: 1 where the body has it once, in the clusters that it was built in, and these have the members they
   * were built with.
   */
  private readonly isClean: Uint8Array;
  /** Per ancestor: share of its mass that is debris, or that the body has lost. Undefined: none anywhere. */
  private readonly missing: Float32Array | undefined;
  /** Per vertex: 1 for the active ones; also 1 where particles around it, or their clusters, are not as built. */
  private readonly isActive: Uint8Array;
  private readonly isChanged: Uint8Array;
  /** Per vertex: the nearest particle of the side that it belongs to, and that side; NO_ANCHOR where there is none. */
  readonly anchor: Int32Array;
  readonly side: Uint16Array;
  /** Per vertex: 1 where it was given to a piece that would have no vertex otherwise. */
  readonly isLent: Uint8Array;
  /** Entries of active vertices: first one, number, and per entry particle, kernel, share of mass and side. */
  private readonly first: Uint32Array;
  private readonly count: Uint16Array;
  private end = 0;
  /** First share of each active vertex, number of sides, and whether the last one is of missing matter. */
  private readonly firstShare: Uint32Array;
  private readonly sideCount: Uint16Array;
  private readonly hasGone: Uint8Array;
  private shareEnd = 0;
  /** Per active vertex: share of sides of its neighbours that it does not have. */
  private readonly foreign: Float32Array;
  /** Per entry of the complex's `neighbour`: first match of that neighbour's sides. */
  private readonly firstMatch: Uint32Array;
  /** Per particle: the last stamp, and the side at the vertex that was stamped. */
  private readonly stamp: Uint32Array;
  private readonly stampSide: Uint16Array;
  private stamps = 0;
  private list = new Uint32Array(256);

  constructor(private readonly torn: Torn) {
    const { surroundings, rows, pieceOf } = torn;
    this.links = linksOf(torn);
    this.groups = new Groups(rows.clusterEnd - rows.clusterStart);
    this.mark = new Uint32Array(rows.clusterEnd - rows.clusterStart);
    this.originals = new Groups(surroundings.original.count);
    this.isClean = cleanParticles(torn, this.links);
    this.missing = missingShares(torn);
    const vertices = surroundings.positions.length / 3;
    this.isActive = new Uint8Array(vertices);
    this.isChanged = new Uint8Array(vertices);
    this.anchor = new Int32Array(vertices).fill(NO_ANCHOR);
    this.side = new Uint16Array(vertices);
    this.isLent = new Uint8Array(vertices);
    this.first = new Uint32Array(vertices);
    this.count = new Uint16Array(vertices);
    this.firstShare = new Uint32Array(vertices);
    this.sideCount = new Uint16Array(vertices);
    this.hasGone = new Uint8Array(vertices);
    this.foreign = new Float32Array(vertices);
    this.firstMatch = new Uint32Array(surroundings.complex.neighbour.length);
    this.stamp = new Uint32Array(pieceOf.length);
    this.stampSide = new Uint16Array(pieceOf.length);
    this.findActive();
    for (let v = 0; v < vertices; v++) if (this.isActive[v]) this.gather(v);
    this.matchSides();
    for (let round = 0; round < ROUNDS; round++) this.blur();
    for (let v = 0; v < vertices; v++) if (this.isActive[v]) this.decide(v);
    this.lendVertices();
  }

  get vertices(): number {
    return this.anchor.length;
  }

  /** Finds the vertices around which something has changed, and gives the others their anchor. */
  private findActive(): void {
    const { copies, pieceOf, surroundings } = this.torn;
    const { isClean, isActive, isChanged } = this;
    const { start, particle } = surroundings.near;
    const { neighbourStart, neighbour } = surroundings.complex;
    for (let v = 0; v < isActive.length; v++) {
      let n = start[v];
      const end = start[v + 1];
      const anchor = n < end ? copies.particle[copies.start[particle[n]]] : NO_ANCHOR;
      while (n < end && isClean[particle[n]] && pieceOf[copies.particle[copies.start[particle[n]]]] === pieceOf[anchor])
        n++;
      if (n === end) {
        this.anchor[v] = anchor;
        continue;
      }
      isChanged[v] = isActive[v] = 1;
      for (let k = neighbourStart[v]; k < neighbourStart[v + 1]; k++) isActive[neighbour[k]] = 1;
    }
  }

  /** Lists the particles around a vertex, and groups them into sides. */
  private gather(v: number): void {
    const { copies, pieceOf, surroundings, s, rows } = this.torn;
    const { missing } = this;
    const { start, particle, kernel } = surroundings.near;
    const begin = this.end;
    let end = begin;
    let gone = 0;
    for (let n = start[v]; n < start[v + 1]; n++) {
      const a = particle[n];
      const last = copies.start[a + 1];
      if (missing) gone += kernel[n] * missing[a];
      reserve(end + last - copies.start[a]);
      for (let k = copies.start[a]; k < last; k++) {
        const i = copies.particle[k];
        // Debris follows no cluster, and no knot follows debris.
        if (pieceOf[i] === NO_PIECE) continue;
        const row = rows.particleStart + i;
        entryParticle[end] = i;
        entryKernel[end] = kernel[n];
        entryMass[end++] = (kernel[n] * s.x[Row.x * row + 3]) / s.builtMass[row];
      }
    }
    this.first[v] = begin;
    this.count[v] = end - begin;
    this.end = end;
    let sides = this.findSides(v, begin, end - begin);
    reserveShares(this.shareEnd + sides + 1);
    const at = this.shareEnd;
    share.fill(0, at, at + sides + 1);
    let total = gone;
    for (let e = begin; e < end; e++) {
      share[at + entrySide[e]] += entryMass[e];
      total += entryMass[e];
    }
    if (gone > 0) {
      share[at + sides++] = gone;
      this.hasGone[v] = 1;
    }
    for (let n = at; n < at + sides && total > 0; n++) share[n] /= total;
    this.firstShare[v] = at;
    this.sideCount[v] = sides;
    this.shareEnd = at + sides;
  }

  /** Groups the entries of a vertex; returns the number of sides. */
  private findSides(v: number, begin: number, count: number): number {
    entrySide.fill(0, begin, begin + count);
    if (count === 0) return 0;
    if (!this.isChanged[v] || this.group(entryParticle, begin, count) === 1) return 1;
    if (this.wasParted(v)) this.joinOriginals(begin, count);
    return this.groups.number(entrySide, begin);
  }

  /**
   * Finds, for each active vertex, each of its neighbours and each side of that, the vertex's own side that has a
   * particle in common with it.
   */
  private matchSides(): void {
    const { isActive, sideCount, hasGone, first, count, stamp, stampSide } = this;
    const { neighbourStart, neighbour } = this.torn.surroundings.complex;
    let end = 0;
    for (let v = 0; v < isActive.length; v++) {
      if (!isActive[v]) continue;
      this.stampEntries(v);
      const { stamps } = this;
      const to = neighbourStart[v + 1];
      for (let k = neighbourStart[v]; k < to; k++) {
        const u = neighbour[k];
        const real = sideCount[u] - hasGone[u];
        this.firstMatch[k] = end;
        if (end + real > match.length) reserveMatches(end + real);
        match.fill(NO_SIDE, end, end + real);
        const last = first[u] + count[u];
        let left = real;
        for (let e = first[u]; e < last && left > 0; e++) {
          if (stamp[entryParticle[e]] !== stamps || match[end + entrySide[e]] !== NO_SIDE) continue;
          match[end + entrySide[e]] = stampSide[entryParticle[e]];
          left--;
        }
        end += real;
      }
    }
  }

  private blur(): void {
    const { isActive, firstShare, sideCount } = this;
    reserveShares(this.shareEnd);
    for (let v = 0; v < isActive.length; v++) if (isActive[v] && sideCount[v] > 0) this.blurOne(v);
    for (let v = 0; v < isActive.length; v++)
      for (let n = firstShare[v]; n < firstShare[v] + sideCount[v]; n++) share[n] += BLUR * (blurred[n] - share[n]);
  }

  private blurOne(v: number): void {
    const { isActive, firstShare, sideCount, hasGone, firstMatch } = this;
    const { neighbourStart, neighbour } = this.torn.surroundings.complex;
    const at = firstShare[v];
    const own = sideCount[v];
    blurred.fill(0, at, at + own);
    const from = neighbourStart[v];
    const to = neighbourStart[v + 1];
    let foreign = 0;
    for (let k = from; k < to; k++) {
      const u = neighbour[k];
      // An unchanged neighbour of an unchanged vertex.
      if (!isActive[u]) {
        blurred[at]++;
        continue;
      }
      const real = sideCount[u] - hasGone[u];
      const theirs = firstShare[u];
      if (hasGone[u]) {
        if (hasGone[v]) blurred[at + own - 1] += share[theirs + real];
        else foreign += share[theirs + real];
      }
      for (let m = 0; m < real; m++) {
        const side = match[firstMatch[k] + m];
        if (side === NO_SIDE) foreign += share[theirs + m];
        else blurred[at + side] += share[theirs + m];
      }
    }
    for (let n = at; n < at + own; n++) blurred[n] /= to - from;
    this.foreign[v] += BLUR * (foreign / (to - from) - this.foreign[v]);
  }

  private stampEntries(v: number): void {
    const { stamp, stampSide } = this;
    const stamps = ++this.stamps;
    const last = this.first[v] + this.count[v];
    for (let e = this.first[v]; e < last; e++) {
      stamp[entryParticle[e]] = stamps;
      stampSide[entryParticle[e]] = entrySide[e];
    }
  }

  /** Gives a vertex to the side with the largest share. */
  private decide(v: number): void {
    const at = this.firstShare[v];
    const sides = this.sideCount[v];
    let best = 0;
    for (let n = 1; n < sides; n++) if (share[at + n] > share[at + best]) best = n;
    if (sides === 0 || (this.hasGone[v] && best === sides - 1)) this.anchor[v] = NO_ANCHOR;
    else this.give(v, best);
  }

  private give(v: number, side: number): void {
    let anchor = -1;
    for (let e = this.first[v]; e < this.first[v] + this.count[v]; e++)
      if (entrySide[e] === side && (anchor < 0 || entryKernel[e] > entryKernel[anchor])) anchor = e;
    this.side[v] = side;
    this.anchor[v] = entryParticle[anchor];
  }

  /**
   * Gives a vertex to each piece that has none, so that every piece has a surface: splinters of a few particles, which
   * larger pieces outvote everywhere. A node is preferred, since it marks no line on the surface.
   */
  private lendVertices(): void {
    const { torn, anchor, isActive } = this;
    const { pieceOf, pieces, surroundings } = torn;
    const held = new Uint32Array(pieces);
    for (let v = 0; v < anchor.length; v++) if (anchor[v] !== NO_ANCHOR) held[pieceOf[anchor[v]]]++;
    if (!held.includes(0)) return;
    const outer = surroundings.positions.length / 3 - surroundings.cells.nodes.length / 3;
    const candidates = Array.from(held, (count): [number, number, number][] | undefined => (count ? undefined : []));
    const { neighbourStart } = surroundings.complex;
    for (let v = 0; v < anchor.length; v++) {
      // A node with few neighbours lies on a fold of the cells, and its region may be empty.
      if (!isActive[v] || (v >= outer && neighbourStart[v + 1] - neighbourStart[v] < FEWEST)) continue;
      const from = this.first[v];
      for (let e = from; e < from + this.count[v]; e++) {
        const piece = pieceOf[entryParticle[e]];
        if (held[piece]) continue;
        const side = entrySide[e];
        // The first entry of a side stands for it.
        if (entrySide.indexOf(side, from) < e) continue;
        candidates[piece]!.push([(v < outer ? 0.3 : 1) * share[this.firstShare[v] + side], v, side]);
      }
    }
    // Those with the fewest candidates choose first; a vertex that is all its piece has stays.
    const waiting = [...candidates.keys()].filter((piece) => candidates[piece]);
    waiting.sort((a, b) => candidates[a]!.length - candidates[b]!.length || a - b);
    for (const piece of waiting) candidates[piece]!.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    const borrower = new Map<number, number>();
    // A piece whose candidates are all lent asks their borrowers to take others (augmenting paths).
    const lend = (piece: number, asked: Set<number>): boolean => {
      for (const [, v, side] of candidates[piece]!) {
        const other = borrower.get(v);
        if (asked.has(v)) continue;
        asked.add(v);
        if (other === undefined) {
          if (anchor[v] !== NO_ANCHOR && held[pieceOf[anchor[v]]] < 2) continue;
          if (anchor[v] !== NO_ANCHOR) held[pieceOf[anchor[v]]]--;
        } else if (!lend(other, asked)) continue;
        this.give(v, side);
        this.isLent[v] = 1;
        borrower.set(v, piece);
        return true;
      }
      return false;
    };
    for (const piece of waiting) lend(piece, new Set());
  }

  /** Whether all particles share a cluster with the first. Mostly they do, and no groups need to be joined. */
  private areOne(list: Uint32Array, begin: number, length: number): boolean {
    const { mark } = this;
    const { start, cluster } = this.links;
    const round = ++this.round;
    for (let l = start[list[begin]]; l < start[list[begin] + 1]; l++) mark[cluster[l]] = round;
    for (let n = begin + 1; n < begin + length; n++) {
      const end = start[list[n] + 1];
      let l = start[list[n]];
      while (l < end && mark[cluster[l]] !== round) l++;
      if (l === end) return false;
    }
    return true;
  }

  /**
   * Groups some particles of a list by their clusters; returns the number of groups. If it is 1, `groups` still holds
   * those of another list.
   */
  private group(list: Uint32Array, begin: number, length: number): number {
    if (this.areOne(list, begin, length)) return 1;
    const { groups } = this;
    const { start, cluster } = this.links;
    groups.begin(length);
    for (let n = 0; n < length; n++) {
      const i = list[begin + n];
      const end = start[i + 1];
      for (let l = start[i]; l < end; l++) groups.meet(n, cluster[l]);
    }
    return groups.left;
  }

  private shareCluster(i: number, j: number): boolean {
    const { start, cluster } = this.links;
    const [from, to, end] = [start[i], start[i + 1], start[j + 1]];
    for (let l = start[j]; l < end; l++) for (let k = from; k < to; k++) if (cluster[k] === cluster[l]) return true;
    return false;
  }

  /**
   * Whether two neighbouring vertices hang together: their sides have a particle in common, or a cluster, or are
   * connected by clusters of the particles around both. Vertices that did not hang together when the body was built
   * count as held while they are of one piece.
   */
  areHeld(u: number, v: number): boolean {
    const { pieceOf } = this.torn;
    const [i, j] = [this.anchor[u], this.anchor[v]];
    if (i === j) return true;
    if (i === NO_ANCHOR || j === NO_ANCHOR || pieceOf[i] !== pieceOf[j]) return false;
    if (!this.isActive[u] || !this.isActive[v] || (!this.isChanged[u] && !this.isChanged[v])) return true;
    return (
      this.shareCluster(i, j) || this.sideOf(u, v) === this.side[u] || this.areJoined(u, v) || !this.wereHeld(u, v)
    );
  }

  /** The side of vertex u that has a particle in common with the side that v belongs to; NO_SIDE if none has. */
  private sideOf(u: number, v: number): number {
    const { stamp, stampSide, first, count, side } = this;
    this.stampEntries(u);
    const last = first[v] + count[v];
    for (let e = first[v]; e < last; e++)
      if (entrySide[e] === side[v] && stamp[entryParticle[e]] === this.stamps) return stampSide[entryParticle[e]];
    return NO_SIDE;
  }

  private areJoined(u: number, v: number): boolean {
    const { first, count, groups } = this;
    const length = count[u] + count[v];
    if (length > this.list.length) this.list = new Uint32Array(2 * length);
    const { list } = this;
    list.set(entryParticle.subarray(first[u], first[u] + count[u]));
    list.set(entryParticle.subarray(first[v], first[v] + count[v]), count[u]);
    if (this.group(list, 0, length) === 1) return true;
    return groups.root(list.indexOf(this.anchor[u])) === groups.root(list.lastIndexOf(this.anchor[v], length - 1));
  }

  private wereHeld(u: number, v: number): boolean {
    const { near } = this.torn.surroundings;
    const { ancestor } = this.torn.s;
    const first = this.torn.rows.particleStart;
    const { originals } = this;
    const [ours, theirs] = [near.start[u + 1] - near.start[u], near.start[v + 1] - near.start[v]];
    originals.begin(ours + theirs + 2);
    for (let n = 0; n < ours; n++) this.meetOriginals(n, near.particle[near.start[u] + n]);
    for (let n = 0; n < theirs; n++) this.meetOriginals(ours + n, near.particle[near.start[v] + n]);
    this.meetOriginals(ours + theirs, ancestor[first + this.anchor[u]]);
    this.meetOriginals(ours + theirs + 1, ancestor[first + this.anchor[v]]);
    return originals.root(ours + theirs) === originals.root(ours + theirs + 1);
  }

  /**
   * By how much the side of vertex u outweighs, at u, that of its neighbour v, from which it is torn. A crack runs where
   * this difference, from one to the other, is 0. Negative where the vertex was lent.
   */
  lead(u: number, v: number): number {
    const { anchor, isActive, firstShare, sideCount, hasGone } = this;
    if (!isActive[u]) return 1;
    const at = firstShare[u];
    if (anchor[u] === NO_ANCHOR) return hasGone[u] ? share[at + sideCount[u] - 1] : 1;
    const ours = share[at + this.side[u]];
    if (anchor[v] === NO_ANCHOR) return ours - (hasGone[u] ? share[at + sideCount[u] - 1] : this.foreign[u]);
    const theirs = isActive[v] ? this.sideOf(u, v) : NO_SIDE;
    return ours - (theirs === NO_SIDE ? this.foreign[u] : share[at + theirs]);
  }

  private meetOriginals(n: number, particle: number): void {
    const { start, cluster } = this.torn.surroundings.original;
    for (let m = start[particle]; m < start[particle + 1]; m++) this.originals.meet(n, cluster[m]);
  }

  /** Whether the particles around a vertex did not all hang together when the body was built. */
  private wasParted(v: number): boolean {
    const { near, parted } = this.torn.surroundings;
    if (parted[v] === UNKNOWN) {
      const first = near.start[v];
      this.originals.begin(near.start[v + 1] - first);
      for (let n = first; n < near.start[v + 1]; n++) this.meetOriginals(n - first, near.particle[n]);
      parted[v] = this.originals.left > 1 ? 1 : 0;
    }
    return parted[v] === 1;
  }

  /**
   * Joins groups of particles that did not hang together here when the body was built, if they are of one piece: they
   * are not torn.
   */
  private joinOriginals(begin: number, count: number): void {
    const { pieceOf, s, rows } = this.torn;
    const { originals, groups } = this;
    originals.begin(count);
    for (let n = 0; n < count; n++) this.meetOriginals(n, s.ancestor[rows.particleStart + entryParticle[begin + n]]);
    for (let m = 1; m < count; m++)
      for (let n = 0; n < m; n++)
        if (
          originals.root(m) !== originals.root(n) &&
          pieceOf[entryParticle[begin + m]] === pieceOf[entryParticle[begin + n]]
        )
          groups.join(m, n);
  }

  /**
   * Writes the particles of a vertex's side and their kernel, the largest first, from index `at` on; returns where they
   * end.
   */
  followInto(particle: Uint32Array, kernel: Float32Array, at: number, v: number): number {
    const { copies, surroundings } = this.torn;
    let end = at;
    const add = (i: number, k: number) => {
      particle[end] = i;
      kernel[end] = k;
      if (end > at && k > kernel[at]) {
        [particle[at], particle[end]] = [particle[end], particle[at]];
        [kernel[at], kernel[end]] = [kernel[end], kernel[at]];
      }
      end++;
    };
    if (this.isActive[v]) {
      const last = this.first[v] + this.count[v];
      for (let e = this.first[v]; e < last; e++)
        if (entrySide[e] === this.side[v] && entryKernel[e] > 0) add(entryParticle[e], entryKernel[e]);
    } else {
      const { near } = surroundings;
      for (let n = near.start[v]; n < near.start[v + 1]; n++)
        if (near.kernel[n] > 0) add(copies.particle[copies.start[near.particle[n]]], near.kernel[n]);
    }
    if (end === at) add(this.anchor[v], 1);
    return end;
  }

  /** Greatest number of particles that followInto writes for a vertex. */
  mostOf(v: number): number {
    const { near } = this.torn.surroundings;
    return 1 + (this.isActive[v] ? this.count[v] : near.start[v + 1] - near.start[v]);
  }
}
const NO_SIDE = 0xffff;

// Entries and shares of the body at hand, kept between calls: a body that breaks is torn many times a second, and
// growing lists cost more than their entries.
let entryParticle = new Uint32Array(0);
let entryKernel = new Float32Array(0);
let entryMass = new Float32Array(0);
let entrySide = new Uint16Array(0);
let share = new Float32Array(0);
let blurred = new Float32Array(0);
let match = new Uint16Array(0);

function reserveMatches(count: number): void {
  const before = match;
  match = new Uint16Array(2 * count);
  match.set(before);
}

function reserve(count: number): void {
  if (count <= entryParticle.length) return;
  const [particle, kernel, mass, side] = [entryParticle, entryKernel, entryMass, entrySide];
  entryParticle = new Uint32Array(2 * count);
  entryKernel = new Float32Array(2 * count);
  entryMass = new Float32Array(2 * count);
  entrySide = new Uint16Array(2 * count);
  entryParticle.set(particle);
  entryKernel.set(kernel);
  entryMass.set(mass);
  entrySide.set(side);
}

function reserveShares(count: number): void {
  if (count > share.length) {
    const before = share;
    share = new Float32Array(2 * count);
    share.set(before);
  }
  if (blurred.length < share.length) blurred = new Float32Array(share.length);
}

/** By ancestor: the share of its mass that is debris or that the body does not have; undefined if there is none. */
function missingShares({ s, rows, copies, pieceOf, partial }: Torn): Float32Array | undefined {
  if (!partial && !pieceOf.includes(NO_PIECE)) return undefined;
  const missing = new Float32Array(copies.start.length - 1);
  for (let a = 0; a < missing.length; a++) {
    let [held, debris] = [0, 0];
    for (let k = copies.start[a]; k < copies.start[a + 1]; k++) {
      const row = rows.particleStart + copies.particle[k];
      const part = s.x[Row.x * row + 3] / s.builtMass[row];
      if (pieceOf[copies.particle[k]] === NO_PIECE) debris += part;
      else held += part;
    }
    const gone = partial ? 1 - held : debris;
    // Copies of a particle share its mass but for rounding.
    missing[a] = gone > 1e-3 ? gone : 0;
  }
  return missing;
}

/** Links of a body's particles in the order of particles, without the indirection of the state. */
function linksOf({ s, rows: { particleStart, particleEnd, clusterStart } }: Torn): Links {
  const { gatherRank, linkStart, linkCluster } = s;
  const start = new Uint32Array(particleEnd - particleStart + 1);
  for (let i = particleStart; i < particleEnd; i++)
    start[i - particleStart + 1] = start[i - particleStart] + linkStart[gatherRank[i] + 1] - linkStart[gatherRank[i]];
  const cluster = new Uint32Array(start[particleEnd - particleStart]);
  for (let i = particleStart; i < particleEnd; i++) {
    let at = start[i - particleStart];
    const end = linkStart[gatherRank[i] + 1];
    for (let l = linkStart[gatherRank[i]]; l < end; l++) cluster[at++] = linkCluster[l] - clusterStart;
  }
  return { start, cluster };
}

/** Finds the ancestors whose particle, and whose clusters with all their members, are as built. */
function cleanParticles({ s, rows, copies, surroundings, pieceOf }: Torn, links: Links): Uint8Array {
  const { clusterStart, clusterEnd } = rows;
  const { memberStart, memberParticle, ancestor } = s;
  const { original, names } = surroundings;
  const isBuilt = new Uint8Array(clusterEnd - clusterStart);
  for (let c = clusterStart; c < clusterEnd; c++) {
    let name = 0;
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) name = addToName(name, ancestor[memberParticle[k]]);
    isBuilt[c - clusterStart] = names.has(name) ? 1 : 0;
  }
  const isClean = new Uint8Array(copies.start.length - 1);
  for (let a = 0; a < isClean.length; a++) {
    if (copies.start[a + 1] !== copies.start[a] + 1) continue;
    const i = copies.particle[copies.start[a]];
    const [first, last] = [links.start[i], links.start[i + 1]];
    if (pieceOf[i] === NO_PIECE || last - first !== original.start[a + 1] - original.start[a]) continue;
    isClean[a] = 1;
    for (let l = first; l < last; l++) if (!isBuilt[links.cluster[l]]) isClean[a] = 0;
  }
  return isClean;
}
