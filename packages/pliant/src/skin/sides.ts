import { Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { SharesBlur } from './blurShares.js';
import { TopologyChanges } from './changes.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import { lendVertices } from './lend.js';
import { type Parts, visitInParts } from './parts.js';
import type { Relief } from './relief.js';
import { NO_SIDE, ROUNDS, SideTable } from './sideTable.js';
import { addToName, type Surroundings } from './surroundings.js';

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

/** Costs (see Parts): of a particle that is compared with before, a vertex that is looked at or may be lent, and an entry that is gathered. */
const COST = { compare: 0.2, look: 0.2, lend: 0.02, entry: 0.09 };

/** Clusters of particle i: cluster[start[i]] … cluster[start[i + 1] − 1], both counted from the body's first. */
interface Links {
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
}

/**
 * The *sides* at the vertices of a body's cells: groups of particles around a vertex that hang together by clusters.
 * Each has a share in the vertex: that of the mass around it, by the kernel, blurred over the neighbours. A vertex
 * belongs to the side with the largest share. Most of a body is as it was built; vertices there have one side and are
 * not *active*. `update` computes what the break concerns and keeps the rest, bit for bit what it would be if all were
 * computed anew.
 */
export class Sides {
  readonly table: SideTable;
  readonly changes = new TopologyChanges();
  /** Whether all was found anew in the last call. */
  isFresh = true;
  private readonly shares: SharesBlur;
  private torn!: Torn;
  private links: Links = { start: new Uint32Array(1), cluster: new Uint32Array(0) };
  private held!: Held;
  private groups = new Groups(0);
  private readonly originals: Groups;
  /** Per ancestor: 1 where it changed since the call before. */
  private readonly isNew: Uint8Array;
  /**
   * Per ancestor: 1 where the body has it once, in the clusters that it was built in, and these have the members they
   * were built with.
   */
  private readonly isClean: Uint8Array;
  /** Per ancestor: share of its mass that is debris, or that the body has lost. */
  private readonly missing: Float32Array;
  /** Per vertex: the nearest particle of the side that it belongs to, and that side; NO_ANCHOR where there is none. */
  readonly anchor: Int32Array;
  readonly side: Uint16Array;
  /** Per vertex: 1 where it was given to a piece that would have no vertex otherwise; and these vertices. */
  readonly isLent: Uint8Array;
  private lent: number[] = [];
  /** Vertices at which anything may have changed in the last call: also the clusters of particles around them. */
  readonly touched: number[] = [];
  private readonly touchedIn: Uint32Array;
  private readonly awaits: Uint32Array;
  private calls = 0;
  private list = new Uint32Array(256);
  private wasPartial = false;

  constructor(surroundings: Surroundings) {
    const vertices = surroundings.positions.length / 3;
    const ancestors = surroundings.around.start.length - 1;
    this.table = new SideTable(vertices);
    this.shares = new SharesBlur(this.table, surroundings.complex);
    this.originals = new Groups(surroundings.original.count);
    this.isNew = new Uint8Array(ancestors);
    this.isClean = new Uint8Array(ancestors);
    this.missing = new Float32Array(ancestors);
    this.anchor = new Int32Array(vertices);
    this.side = new Uint16Array(vertices);
    this.isLent = new Uint8Array(vertices);
    this.touchedIn = new Uint32Array(vertices);
    this.awaits = new Uint32Array(vertices);
  }

  get vertices(): number {
    return this.anchor.length;
  }

  *update(torn: Torn): Parts<void> {
    const { rows } = torn;
    yield COST.compare * (rows.particleEnd - rows.particleStart);
    const clusters = rows.clusterEnd - rows.clusterStart;
    const isFresh = !this.changes.update(this.isNew, torn.s, rows) || torn.partial !== this.wasPartial;
    this.torn = torn;
    this.wasPartial = torn.partial;
    this.links = linksOf(torn);
    this.held = heldOf(torn);
    this.groups = new Groups(clusters);
    this.touched.length = 0;
    this.calls++;
    for (const v of this.lent) this.isLent[v] = 0;
    const lentBefore = this.lent;
    this.isFresh = isFresh || !(yield* this.refresh(false));
    if (this.isFresh) yield* this.refresh(true);
    yield COST.lend * this.vertices;
    // Vertices that were lent go back first, and are then lent again.
    for (const v of lentBefore) if (this.table.isActive[v]) this.decide(v);
    this.lent = lendVertices(torn, this);
    for (const v of lentBefore) this.touch(v);
    for (const v of this.lent) this.touch(v);
  }

  /**
   * Finds the sides of vertices with new particles around them; of all that are not as built, if `isFresh`. Returns
   * false if a vertex has become again as it was built: then nothing that is kept can be relied on.
   */
  private *refresh(isFresh: boolean): Parts<boolean> {
    const { torn, table, isNew, anchor } = this;
    const { copies, surroundings } = torn;
    const { start, vertex } = surroundings.around;
    if (isFresh) {
      table.clear();
      isNew.fill(1);
      this.missing.fill(0);
    }
    this.describeAncestors();
    const candidates: number[] = [];
    if (isFresh) {
      const { near } = surroundings;
      this.touched.length = 0;
      this.calls++;
      for (let v = 0; v < anchor.length; v++) {
        const [first, last] = [near.start[v], near.start[v + 1]];
        anchor[v] = first < last ? copies.particle[copies.start[near.particle[first]]] : NO_ANCHOR;
        candidates.push(v);
        this.touch(v);
      }
    } else {
      for (let a = 0; a < isNew.length; a++)
        if (isNew[a]) for (let n = start[a]; n < start[a + 1]; n++) this.touch(vertex[n]);
      for (const v of surroundings.partedVertices) this.touch(v);
      for (const v of this.touched) candidates.push(v);
    }
    const renewed = yield* this.gatherAll(candidates);
    if (!renewed) return false;
    yield* this.shares.blur(renewed, torn.pieceOf.length);
    for (const v of this.shares.changed) {
      this.decide(v);
      this.touch(v);
    }
    return true;
  }

  private touch(v: number): void {
    if (this.touchedIn[v] === this.calls) return;
    this.touchedIn[v] = this.calls;
    this.touched.push(v);
  }

  /** Finds the new ancestors that are as built, and the missing share of each. */
  private describeAncestors(): void {
    const { torn, isNew, isClean, links, missing } = this;
    const { s, rows, copies, pieceOf, partial, surroundings } = torn;
    const { original } = surroundings;
    const isBuilt = builtClusters(torn);
    for (let a = 0; a < isNew.length; a++) {
      if (!isNew[a]) continue;
      isClean[a] = 0;
      const [from, to] = [copies.start[a], copies.start[a + 1]];
      if (to === from + 1) {
        const i = copies.particle[from];
        const [first, last] = [links.start[i], links.start[i + 1]];
        if (pieceOf[i] !== NO_PIECE && last - first === original.start[a + 1] - original.start[a]) isClean[a] = 1;
        for (let l = first; l < last; l++) if (!isBuilt[links.cluster[l]]) isClean[a] = 0;
      }
      let [held, debris] = [0, 0];
      for (let k = from; k < to; k++) {
        const row = rows.particleStart + copies.particle[k];
        const part = s.x[Row.x * row + 3] / s.builtMass[row];
        if (pieceOf[copies.particle[k]] === NO_PIECE) debris += part;
        else held += part;
      }
      const gone = partial ? 1 - held : debris;
      // Copies of a particle share its mass but for rounding.
      missing[a] = gone > 1e-3 ? gone : 0;
    }
  }

  /**
   * Gathers the entries of vertices around which something may have changed, and of the neighbours of those that are
   * not as built. Returns the vertices whose entries are new; undefined if one has become again as it was built.
   */
  private *gatherAll(candidates: readonly number[]): Parts<number[] | undefined> {
    const { isActive, isChanged } = this.table;
    const { neighbourStart, neighbour } = this.torn.surroundings.complex;
    yield COST.look * candidates.length;
    for (const v of candidates) {
      const isUnlike = this.isUnlikeBuilt(v);
      if (isChanged[v] && !isUnlike) return undefined;
      if (isUnlike) isChanged[v] = 1;
    }
    const { awaits, calls } = this;
    for (const v of candidates) {
      if (isChanged[v] || isActive[v]) awaits[v] = calls;
      if (!isChanged[v]) continue;
      for (let k = neighbourStart[v]; k < neighbourStart[v + 1]; k++)
        if (!isActive[neighbour[k]]) awaits[neighbour[k]] = calls;
    }
    // In ascending order: neighbours mostly have near numbers, and lie near each other in memory.
    const waiting: number[] = [];
    for (let v = 0; v < awaits.length; v++) if (awaits[v] === calls) waiting.push(v);
    const renewed: number[] = [];
    const { copies, surroundings } = this.torn;
    const { start } = surroundings.near;
    // Particles around a vertex are copied like all others, about.
    const entry = (COST.entry * copies.particle.length) / (copies.start.length - 1);
    const costOf = (v: number) => entry * (start[v + 1] - start[v]);
    yield* visitInParts(waiting, costOf, (v) => {
      if (this.gather(v)) renewed.push(v);
    });
    return renewed;
  }

  /** Whether a particle around a vertex is not as built, or they are of several pieces. */
  private isUnlikeBuilt(v: number): boolean {
    const { copies, pieceOf, surroundings } = this.torn;
    const { start, particle } = surroundings.near;
    const end = start[v + 1];
    if (start[v] === end) return false;
    const piece = pieceOf[copies.particle[copies.start[particle[start[v]]]]];
    for (let n = start[v]; n < end; n++) {
      const a = particle[n];
      if (!this.isClean[a] || pieceOf[copies.particle[copies.start[a]]] !== piece) return true;
    }
    return false;
  }

  /** Lists the particles around a vertex, groups them into sides, and finds the shares; returns whether any is new. */
  private gather(v: number): boolean {
    const { missing, table, held } = this;
    const { start, particle, kernel } = this.torn.surroundings.near;
    const last = start[v + 1];
    if ((last - start[v]) * held.most > entryParticle.length) reserve((last - start[v]) * held.most);
    const { start: heldStart, particle: heldParticle, mass, builtMass } = held;
    const [particles, kernels, masses] = [entryParticle, entryKernel, entryMass];
    let end = 0;
    let gone = 0;
    for (let n = start[v]; n < last; n++) {
      const a = particle[n];
      const k = kernel[n];
      const to = heldStart[a + 1];
      gone += k * missing[a];
      for (let h = heldStart[a]; h < to; h++) {
        particles[end] = heldParticle[h];
        kernels[end] = k;
        masses[end++] = (k * mass[h]) / builtMass[h];
      }
    }
    let sides = this.findSides(v, end);
    if (sides >= entryShare.length - 1) {
      entryShare = new Float32Array(2 * sides + 2);
      entryFrom = new Uint32Array(2 * sides + 2);
      entryNext = new Uint32Array(2 * sides + 2);
    }
    const share = entryShare;
    for (let n = 0; n <= sides; n++) share[n] = 0;
    const [side, from] = [entrySide, entryFrom];
    for (let n = 0; n <= sides; n++) from[n] = 0;
    let total = gone;
    for (let e = 0; e < end; e++) {
      from[side[e] + 1]++;
      share[side[e]] += masses[e];
      total += masses[e];
    }
    for (let n = 0; n < sides; n++) from[n + 1] += from[n];
    const real = sides;
    const hasGone = gone > 0 ? 1 : 0;
    if (hasGone) share[sides++] = gone;
    for (let n = 0; n < sides && total > 0; n++) share[n] /= total;
    if (table.isActive[v] && table.hasGone[v] === hasGone && this.isKept(v, end, sides, real)) return false;
    table.place(v, end, sides);
    table.isActive[v] = 1;
    table.hasGone[v] = hasGone;
    const first = table.first[v];
    const at = table.firstShare[v];
    const { particle: intoParticle, kernel: intoKernel } = table;
    for (let n = 0; n <= real; n++) table.sideFrom[at + n] = first + from[n];
    for (let e = 0; e < end; e++) {
      const into = first + from[side[e]]++;
      intoParticle[into] = particles[e];
      intoKernel[into] = kernels[e];
    }
    for (let n = 0; n < sides; n++) table.share[0][at + n] = share[n];
    return true;
  }

  /** Whether the entries and shares at hand are those that a vertex has. */
  private isKept(v: number, entries: number, sides: number, real: number): boolean {
    const { count, sideCount, first: firsts, firstShare, particle, sideFrom, share: known } = this.table;
    if (count[v] !== entries || sideCount[v] !== sides) return false;
    const [particles, side, share, from] = [entryParticle, entrySide, entryShare, entryFrom];
    const first = firsts[v];
    const at = firstShare[v];
    for (let n = 0; n < sides; n++) if (known[0][at + n] !== share[n]) return false;
    for (let n = 0; n < real; n++) if (sideFrom[at + n] !== first + from[n]) return false;
    for (let n = 0; n < real; n++) entryNext[n] = first + from[n];
    for (let e = 0; e < entries; e++) if (particle[entryNext[side[e]]++] !== particles[e]) return false;
    return true;
  }

  /** Groups the entries at hand, which are those of a vertex; returns the number of sides. */
  private findSides(v: number, count: number): number {
    const side = entrySide;
    for (let e = 0; e < count; e++) side[e] = 0;
    if (count === 0) return 0;
    if (!this.table.isChanged[v] || this.group(entryParticle, count) === 1) return 1;
    if (this.torn.surroundings.parted[v]) this.joinOriginals(count);
    return this.groups.number(side);
  }

  /** Gives a vertex to the side with the largest share. */
  private decide(v: number): void {
    const { firstShare, sideCount, hasGone, share } = this.table;
    const at = firstShare[v];
    const sides = sideCount[v];
    const last = share[ROUNDS];
    let best = 0;
    for (let n = 1; n < sides; n++) if (last[at + n] > last[at + best]) best = n;
    if (sides === 0 || (hasGone[v] && best === sides - 1)) {
      this.anchor[v] = NO_ANCHOR;
      this.side[v] = 0;
    } else this.give(v, best);
  }

  private give(v: number, side: number): void {
    const { firstShare, sideFrom, kernel, particle } = this.table;
    const at = firstShare[v] + side;
    const last = sideFrom[at + 1];
    let anchor = sideFrom[at];
    for (let e = anchor + 1; e < last; e++) if (kernel[e] > kernel[anchor]) anchor = e;
    this.side[v] = side;
    this.anchor[v] = particle[anchor];
  }

  /** Gives a vertex to a side for which it is not the best. */
  lend(v: number, side: number): void {
    this.give(v, side);
    this.isLent[v] = 1;
  }

  /** Groups the particles of a list by their clusters; returns the number of groups. */
  private group(list: Uint32Array, length: number): number {
    const { groups } = this;
    const { start, cluster } = this.links;
    groups.begin();
    for (let n = 0; n < length; n++) groups.add(cluster, start[list[n]], start[list[n] + 1]);
    return groups.left;
  }

  private shareCluster(i: number, j: number): boolean {
    const { start, cluster } = this.links;
    const [from, to, end] = [start[i], start[i + 1], start[j + 1]];
    for (let l = start[j]; l < end; l++) for (let k = from; k < to; k++) if (cluster[k] === cluster[l]) return true;
    return false;
  }

  /** Writes the piece of each vertex, NO_PIECE where it has no particle. */
  piecesInto(out: Uint32Array): void {
    const { anchor, torn } = this;
    for (let v = 0; v < anchor.length; v++) out[v] = anchor[v] === NO_ANCHOR ? NO_PIECE : torn.pieceOf[anchor[v]];
  }

  /**
   * Whether two neighbouring vertices hang together: their sides have a particle in common, or a cluster, or are
   * connected by clusters of the particles around both. Vertices that did not hang together when the body was built
   * count as held while they are of one piece.
   */
  areHeld(u: number, v: number): boolean {
    const { isActive, isChanged } = this.table;
    const [i, j] = [this.anchor[u], this.anchor[v]];
    if (i === j) return true;
    if (i === NO_ANCHOR || j === NO_ANCHOR || this.torn.pieceOf[i] !== this.torn.pieceOf[j]) return false;
    if (!isActive[u] || !isActive[v] || (!isChanged[u] && !isChanged[v])) return true;
    return (
      this.shareCluster(i, j) || this.sideOf(u, v) === this.side[u] || this.areJoined(u, v) || !this.wereHeld(u, v)
    );
  }

  /** The side of vertex u that has a particle in common with the side that v belongs to; NO_SIDE if none has. */
  private sideOf(u: number, v: number): number {
    const { shares, side } = this;
    const { firstShare, sideFrom, particle } = this.table;
    const ours = shares.sidesAt(u);
    const at = firstShare[v] + side[v];
    const last = sideFrom[at + 1];
    for (let e = sideFrom[at]; e < last; e++) if (ours[particle[e]] !== NO_SIDE) return ours[particle[e]];
    return NO_SIDE;
  }

  private areJoined(u: number, v: number): boolean {
    const { groups } = this;
    const { first, count, particle } = this.table;
    const length = count[u] + count[v];
    if (length > this.list.length) this.list = new Uint32Array(2 * length);
    const { list } = this;
    for (let n = 0; n < count[u]; n++) list[n] = particle[first[u] + n];
    for (let n = 0; n < count[v]; n++) list[count[u] + n] = particle[first[v] + n];
    if (this.group(list, length) === 1) return true;
    return groups.root(list.indexOf(this.anchor[u])) === groups.root(list.lastIndexOf(this.anchor[v], length - 1));
  }

  private wereHeld(u: number, v: number): boolean {
    const { near, parted } = this.torn.surroundings;
    // Mostly the particles around each hang together, and one is around both.
    if (!parted[u] && !parted[v])
      for (let n = near.start[v]; n < near.start[v + 1]; n++)
        for (let m = near.start[u]; m < near.start[u + 1]; m++) if (near.particle[m] === near.particle[n]) return true;
    const { ancestor } = this.torn.s;
    const first = this.torn.rows.particleStart;
    const { originals } = this;
    const [ours, theirs] = [near.start[u + 1] - near.start[u], near.start[v + 1] - near.start[v]];
    originals.begin();
    for (let n = near.start[u]; n < near.start[u + 1]; n++) this.addOriginals(near.particle[n]);
    for (let n = near.start[v]; n < near.start[v + 1]; n++) this.addOriginals(near.particle[n]);
    this.addOriginals(ancestor[first + this.anchor[u]]);
    this.addOriginals(ancestor[first + this.anchor[v]]);
    return originals.root(ours + theirs) === originals.root(ours + theirs + 1);
  }

  /**
   * By how much the side of vertex u outweighs, at u, that of its neighbour v, from which it is torn. A crack runs where
   * this difference, from one to the other, is 0. Negative where the vertex was lent.
   */
  lead(u: number, v: number): number {
    const { anchor, table } = this;
    const { isActive, firstShare, sideCount, hasGone } = table;
    if (!isActive[u]) return 1;
    const share = table.share[ROUNDS];
    const at = firstShare[u];
    if (anchor[u] === NO_ANCHOR) return hasGone[u] ? share[at + sideCount[u] - 1] : 1;
    const ours = share[at + this.side[u]];
    const foreign = table.foreign[ROUNDS][u];
    if (anchor[v] === NO_ANCHOR) return ours - (hasGone[u] ? share[at + sideCount[u] - 1] : foreign);
    const theirs = isActive[v] ? this.sideOf(u, v) : NO_SIDE;
    return ours - (theirs === NO_SIDE ? foreign : share[at + theirs]);
  }

  private addOriginals(particle: number): void {
    const { start, cluster } = this.torn.surroundings.original;
    this.originals.add(cluster, start[particle], start[particle + 1]);
  }

  /**
   * Joins groups of the entries at hand that did not hang together here when the body was built, if they are of one
   * piece: they are not torn.
   */
  private joinOriginals(count: number): void {
    const { pieceOf, s, rows } = this.torn;
    const { originals, groups } = this;
    originals.begin();
    for (let n = 0; n < count; n++) this.addOriginals(s.ancestor[rows.particleStart + entryParticle[n]]);
    for (let m = 1; m < count; m++)
      for (let n = 0; n < m; n++)
        if (originals.root(m) !== originals.root(n) && pieceOf[entryParticle[m]] === pieceOf[entryParticle[n]])
          groups.join(m, n);
  }

  /**
   * Writes the particles of a vertex's side and their kernel, the largest first, from index `at` on; returns where they
   * end. There are at most mostOf(v).
   */
  followInto(particle: Uint32Array, kernel: Float32Array, at: number, v: number): number {
    const { copies, surroundings } = this.torn;
    const { table } = this;
    let end = at;
    let best = at;
    if (table.isActive[v]) {
      const side = table.firstShare[v] + this.side[v];
      const last = table.sideFrom[side + 1];
      for (let e = table.sideFrom[side]; e < last; e++) {
        if (!(table.kernel[e] > 0)) continue;
        particle[end] = table.particle[e];
        kernel[end] = table.kernel[e];
        if (kernel[end] > kernel[best]) best = end;
        end++;
      }
    } else {
      const { near } = surroundings;
      for (let n = near.start[v]; n < near.start[v + 1]; n++) {
        if (!(near.kernel[n] > 0)) continue;
        particle[end] = copies.particle[copies.start[near.particle[n]]];
        kernel[end] = near.kernel[n];
        if (kernel[end] > kernel[best]) best = end;
        end++;
      }
    }
    if (end === at) {
      particle[end] = this.anchor[v];
      kernel[end++] = 1;
    }
    const [i, k] = [particle[at], kernel[at]];
    particle[at] = particle[best];
    kernel[at] = kernel[best];
    particle[best] = i;
    kernel[best] = k;
    return end;
  }

  /** Greatest number of particles that followInto writes for a vertex. */
  mostOf(v: number): number {
    const { near } = this.torn.surroundings;
    return 1 + (this.table.isActive[v] ? this.table.count[v] : near.start[v + 1] - near.start[v]);
  }
}

// Entries of the vertex at hand.
let entryParticle = new Uint32Array(64);
let entryKernel = new Float32Array(64);
let entryMass = new Float32Array(64);
let entrySide = new Uint16Array(64);
/** Shares of its sides, and the first entry of each when they are put one side after the other. */
let entryShare = new Float32Array(16);
let entryFrom = new Uint32Array(16);
let entryNext = new Uint32Array(16);

function reserve(count: number): void {
  entryParticle = new Uint32Array(2 * count);
  entryKernel = new Float32Array(2 * count);
  entryMass = new Float32Array(2 * count);
  entrySide = new Uint16Array(2 * count);
}

/** The particles of each ancestor that are not debris, which follows no cluster and is followed by no knot. */
interface Held {
  readonly start: Uint32Array;
  readonly particle: Uint32Array;
  /** Mass of each, now and as built. */
  readonly mass: Float32Array;
  readonly builtMass: Float32Array;
  /** Most particles of one ancestor. */
  readonly most: number;
}

function heldOf({ s, rows, copies, pieceOf }: Torn): Held {
  const start = new Uint32Array(copies.start.length);
  const particle = new Uint32Array(copies.particle.length);
  const mass = new Float32Array(copies.particle.length);
  const builtMass = new Float32Array(copies.particle.length);
  let [end, most] = [0, 0];
  for (let a = 0; a + 1 < start.length; a++) {
    for (let k = copies.start[a]; k < copies.start[a + 1]; k++) {
      const i = copies.particle[k];
      if (pieceOf[i] === NO_PIECE) continue;
      particle[end] = i;
      mass[end] = s.x[Row.x * (rows.particleStart + i) + 3];
      builtMass[end++] = s.builtMass[rows.particleStart + i];
    }
    start[a + 1] = end;
    most = Math.max(most, end - start[a]);
  }
  return { start, particle, mass, builtMass, most };
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

/** Per cluster: 1 where it has the members that a cluster was built with. */
function builtClusters({ s, rows: { clusterStart, clusterEnd }, surroundings: { names } }: Torn): Uint8Array {
  const { memberStart, memberParticle, ancestor } = s;
  const isBuilt = new Uint8Array(clusterEnd - clusterStart);
  for (let c = clusterStart; c < clusterEnd; c++) {
    let name = 0;
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) name = addToName(name, ancestor[memberParticle[k]]);
    isBuilt[c - clusterStart] = names.has(name) ? 1 : 0;
  }
  return isBuilt;
}
