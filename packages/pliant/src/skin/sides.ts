import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import { addToName, type Surroundings, UNKNOWN, VOTERS } from './surroundings.js';

/** A body that has come apart, as finding its sides needs it. */
export interface Torn {
  s: Views;
  rows: Rows;
  copies: Copies;
  surroundings: Surroundings;
  /** Piece of each particle. */
  pieceOf: Uint32Array;
  /** Whether the mesh also shows matter that is no longer part of this body: cells there are left out. */
  partial: boolean;
}

/** Anchor of a cell in which there is no particle of the body. */
export const NO_ANCHOR = -1;

/** Clusters of particle i: cluster[start[i]] … cluster[start[i + 1] − 1], both counted from the body's first. */
interface Links {
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
}

/**
 * Finds the *sides* at a place of a body: groups of particles around it that hang together by clusters. After a break
 * every cell and vertex needs its sides, but most of a body is as it was built. There results are kept, or need no
 * search.
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
  private readonly isCleanCell: Uint8Array;
  /** Particles of the cells at hand, and the weight of each one's vote. */
  private list = new Uint32Array(64);
  private say = new Float64Array(64);
  private sums = new Float64Array(64);
  private side = new Uint16Array(64);
  private length = 0;
  /** The particles around the vertex of the last call of `at`: number, particles, kernel, side. */
  count = 0;
  particle = new Uint32Array(64);
  kernel = new Float32Array(64);
  sideOf = new Uint16Array(64);

  constructor(private readonly torn: Torn) {
    this.links = linksOf(torn);
    this.groups = new Groups(torn.rows.clusterEnd - torn.rows.clusterStart);
    this.mark = new Uint32Array(torn.rows.clusterEnd - torn.rows.clusterStart);
    const { voters, cells, original } = torn.surroundings;
    this.originals = new Groups(original.count);
    this.isClean = cleanParticles(torn, this.links);
    this.isCleanCell = new Uint8Array(cells.count).fill(1);
    for (let n = 0; n < voters.length; n++) if (!this.isClean[voters[n]]) this.isCleanCell[Math.floor(n / VOTERS)] = 0;
  }

  /**
   * The nearest particle of the side with most votes in a cell. NO_ANCHOR where there is none, or where particles that
   * the body has lost have more votes.
   */
  anchorOf(cell: number): number {
    if (!this.isCleanCell[cell]) return this.vote(cell);
    const { copies, surroundings, s, rows } = this.torn;
    const { anchor } = surroundings;
    if (anchor[cell] === UNKNOWN) anchor[cell] = s.ancestor[rows.particleStart + this.vote(cell)];
    return copies.particle[copies.start[anchor[cell]]];
  }

  private vote(cell: number): number {
    this.length = 0;
    const gone = this.gather(cell);
    const { list, say, length } = this;
    if (length === 0) return NO_ANCHOR;
    const sides = this.group(list, length);
    if (sides === 1) {
      let total = 0;
      for (let n = 0; n < length; n++) total += say[n];
      return gone > total ? NO_ANCHOR : list[0];
    }
    if (this.side.length < length) {
      this.side = new Uint16Array(2 * length);
      this.sums = new Float64Array(2 * length);
    }
    const { side, sums } = this;
    this.groups.number(side, 0);
    sums.fill(0, 0, sides);
    let best = 0;
    for (let n = 0; n < length; n++) sums[side[n]] += say[n];
    for (let n = 1; n < sides; n++) if (sums[n] > sums[best]) best = n;
    // The list is sorted by distance.
    return gone > sums[best] ? NO_ANCHOR : list[side.indexOf(best)];
  }

  /**
   * Adds the particles that vote in a cell, as far as the body has them, to the list. Returns the votes of those it has
   * lost.
   */
  private gather(cell: number): number {
    const { copies, pieceOf, partial, surroundings } = this.torn;
    const { voters, say } = surroundings;
    let gone = 0;
    for (let n = VOTERS * cell; n < VOTERS * cell + VOTERS; n++) {
      const first = copies.start[voters[n]];
      const end = copies.start[voters[n] + 1];
      if (partial && first === end) gone += say[n];
      if (this.length + end - first > this.list.length) this.makeRoom(end - first);
      for (let k = first; k < end; k++) {
        const i = copies.particle[k];
        // Debris follows no cluster, and no knot follows debris.
        if (pieceOf[i] === NO_PIECE) continue;
        this.list[this.length] = i;
        this.say[this.length++] = say[n];
      }
    }
    return gone;
  }

  private makeRoom(more: number): void {
    const [list, say] = [new Uint32Array(2 * (this.length + more)), new Float64Array(2 * (this.length + more))];
    list.set(this.list);
    say.set(this.say);
    [this.list, this.say] = [list, say];
  }

  /** Whether all particles share a cluster with the first. Mostly they do, and no groups need to be joined. */
  private areOne(list: Uint32Array, length: number): boolean {
    const { mark } = this;
    const { start, cluster } = this.links;
    const round = ++this.round;
    for (let l = start[list[0]]; l < start[list[0] + 1]; l++) mark[cluster[l]] = round;
    for (let n = 1; n < length; n++) {
      const end = start[list[n] + 1];
      let l = start[list[n]];
      while (l < end && mark[cluster[l]] !== round) l++;
      if (l === end) return false;
    }
    return true;
  }

  /**
   * Groups the first `length` particles of a list by their clusters; returns the number of groups. If it is 1, `groups`
   * still holds those of another list.
   */
  private group(list: Uint32Array, length: number): number {
    if (this.areOne(list, length)) return 1;
    const { groups } = this;
    const { start, cluster } = this.links;
    groups.begin(length);
    for (let n = 0; n < length; n++) {
      const end = start[list[n] + 1];
      for (let l = start[list[n]]; l < end; l++) groups.meet(n, cluster[l]);
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
   * Whether two cells with the anchors i and j, on both sides of a face, hang together: by a cluster of both anchors,
   * or by clusters of the particles around both. Cells that did not hang together when the body was built count as held
   * while they are of one piece.
   */
  areHeld(face: number, i: number, j: number): boolean {
    const { pieceOf, surroundings } = this.torn;
    const { held, cells } = surroundings;
    const [cell, other] = [cells.from[face], cells.to[face]];
    const isClean = this.isCleanCell[cell] === 1 && this.isCleanCell[other] === 1;
    if (isClean && held[face]) return true;
    if (this.shareCluster(i, j) || (pieceOf[i] === pieceOf[j] && this.areJoined(cell, i, other, j))) {
      if (isClean) held[face] = 1;
      return true;
    }
    return pieceOf[i] === pieceOf[j] && !this.wereHeld(cell, i, other, j);
  }

  private areJoined(cell: number, i: number, other: number, j: number): boolean {
    this.length = 0;
    this.gather(cell);
    this.gather(other);
    const { list, length, groups } = this;
    if (this.group(list, length) === 1) return true;
    return groups.root(list.indexOf(i)) === groups.root(list.indexOf(j));
  }

  private wereHeld(cell: number, i: number, other: number, j: number): boolean {
    const { voters } = this.torn.surroundings;
    const { ancestor } = this.torn.s;
    const first = this.torn.rows.particleStart;
    const { originals } = this;
    originals.begin(2 * VOTERS + 2);
    for (let n = 0; n < VOTERS; n++) {
      this.meetOriginals(n, voters[VOTERS * cell + n]);
      this.meetOriginals(VOTERS + n, voters[VOTERS * other + n]);
    }
    this.meetOriginals(2 * VOTERS, ancestor[first + i]);
    this.meetOriginals(2 * VOTERS + 1, ancestor[first + j]);
    return originals.root(2 * VOTERS) === originals.root(2 * VOTERS + 1);
  }

  private meetOriginals(n: number, particle: number): void {
    const { start, cluster } = this.torn.surroundings.original;
    for (let m = start[particle]; m < start[particle + 1]; m++) this.originals.meet(n, cluster[m]);
  }

  /** Finds the particles around a vertex that the body still has, and their sides. */
  at(v: number): void {
    const { copies, pieceOf, surroundings } = this.torn;
    const { start, particle, kernel } = surroundings.near;
    let isClean = true;
    let count = 0;
    for (let n = start[v]; n < start[v + 1]; n++) {
      const i = particle[n];
      isClean &&= this.isClean[i] === 1;
      const end = copies.start[i + 1];
      if (count + end - copies.start[i] > this.particle.length) this.makeMoreRoom(end - copies.start[i]);
      for (let k = copies.start[i]; k < end; k++) {
        if (pieceOf[copies.particle[k]] === NO_PIECE) continue;
        this.particle[count] = copies.particle[k];
        this.kernel[count++] = kernel[n];
      }
    }
    this.count = count;
    // As built, and all of one piece: a single side.
    for (let n = 1; n < count && isClean; n++) isClean = pieceOf[this.particle[n]] === pieceOf[this.particle[0]];
    if (isClean || this.group(this.particle, count) <= 1) {
      this.sideOf.fill(0, 0, count);
      return;
    }
    if (this.wasParted(v)) this.joinOriginals();
    this.groups.number(this.sideOf, 0);
  }

  private makeMoreRoom(more: number): void {
    const size = 2 * (this.particle.length + more);
    const [particle, kernel] = [new Uint32Array(size), new Float32Array(size)];
    particle.set(this.particle);
    kernel.set(this.kernel);
    [this.particle, this.kernel, this.sideOf] = [particle, kernel, new Uint16Array(size)];
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
  private joinOriginals(): void {
    const { pieceOf, s, rows } = this.torn;
    const { particle, count, originals, groups } = this;
    originals.begin(count);
    for (let n = 0; n < count; n++) this.meetOriginals(n, s.ancestor[rows.particleStart + particle[n]]);
    for (let m = 1; m < count; m++)
      for (let n = 0; n < m; n++)
        if (originals.root(m) !== originals.root(n) && pieceOf[particle[m]] === pieceOf[particle[n]]) groups.join(m, n);
  }

  /**
   * The side, at the vertex of the last call of `at`, that a particle belongs to: its own if it is around; else that of
   * the particle of the same piece with the largest kernel, those that share a cluster with it first; −1 if there is
   * none.
   */
  sideWith(anchor: number): number {
    const { pieceOf } = this.torn;
    const { particle, kernel, sideOf, count } = this;
    for (let e = 0; e < count; e++) if (particle[e] === anchor) return sideOf[e];
    let best = -1;
    let bond = 0;
    for (let e = 0; e < count; e++) {
      if (pieceOf[particle[e]] !== pieceOf[anchor]) continue;
      const strength = kernel[e] + (this.shareCluster(particle[e], anchor) ? 1 : 0);
      if (best >= 0 && strength <= bond) continue;
      bond = strength;
      best = sideOf[e];
    }
    return best;
  }
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
