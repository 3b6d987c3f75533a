import type { Complex } from './complex.js';
import { type Parts, visitInParts } from './parts.js';
import { NO_SIDE, ROUNDS, type SideTable, WHOLE } from './sideTable.js';

/**
 * How much of a vertex's share comes from its neighbours in each round. Particles of two pieces are mixed along a crack
 * over about a spacing: without blur the crack winds around single particles.
 */
const BLUR = 0.6;

/** Costs of a vertex in a round (see Parts), by its number of entries, and of one whose neighbours are looked at. */
const costOf = (entries: number) => 0.05 * (6 + entries);
const AROUND = 2;

/** Side of each cluster at one vertex; NO_SIDE where it has no particle around that. */
class Stamp {
  vertex = -1;
  side = new Uint16Array(0);
  private list = new Uint32Array(64);
  private length = 0;

  reserve(clusters: number): void {
    if (this.side.length < clusters) this.side = new Uint16Array(2 * clusters).fill(NO_SIDE);
    else this.clear();
    this.vertex = -1;
    this.length = 0;
  }

  private clear(): void {
    const { side, list, length } = this;
    for (let n = 0; n < length; n++) side[list[n]] = NO_SIDE;
  }

  /** Takes the entries of a vertex, which the table does not change until `reserve` is called. */
  set(v: number, { first, firstShare, sideFrom, count, cluster, sideCount, hasGone }: SideTable): void {
    this.clear();
    this.vertex = v;
    this.length = count[v];
    if (this.length > this.list.length) this.list = new Uint32Array(2 * this.length);
    const { side, list } = this;
    const real = sideCount[v] - hasGone[v];
    for (let n = 0, e = first[v], at = 0; n < real; n++)
      for (const end = sideFrom[firstShare[v] + n + 1]; e < end; e++) {
        list[at++] = cluster[e];
        side[cluster[e]] = n;
      }
  }
}

/** In `termSide`: a side that the vertex does not have. No number of a side is larger. */
const FOREIGN = NO_SIDE;

/**
 * Blurs the shares of sides over neighbouring vertices, in rounds, all vertices of a round at once. Only vertices are
 * visited that a change reaches: those whose sides, or whose neighbours' sides, are new (`renewed`), and in each round
 * the neighbours of vertices whose share changed in the round before.
 */
export class SharesBlur {
  /** Per vertex: the last call that visited it in the round at hand, that found its terms, and that changed it. */
  private readonly visited: Uint32Array;
  private readonly matched: Uint32Array;
  private readonly reached: Uint32Array;
  private stamp = 0;
  /** Per vertex: a hash of how its sides match those of its neighbours. */
  private readonly match: Int32Array;
  /**
   * Terms of the matched vertices: shares of sides of their neighbours, by their place in the table, and the vertex's
   * own side that each is added to. Per vertex its first one, and their number.
   */
  private readonly firstTerm: Uint32Array;
  private readonly terms: Uint32Array;
  private termEnd = 0;
  private termShare = new Uint32Array(1024);
  private termSide = new Uint16Array(1024);
  /** Of the last two vertices that were asked for. */
  private readonly stamps = [new Stamp(), new Stamp()];
  private latest = 0;
  /** Vertices whose shares changed in the last call. */
  readonly changed: number[] = [];

  constructor(
    private readonly table: SideTable,
    private readonly complex: Complex,
  ) {
    const vertices = table.isActive.length;
    this.visited = new Uint32Array(vertices);
    this.matched = new Uint32Array(vertices);
    this.reached = new Uint32Array(vertices);
    this.match = new Int32Array(vertices);
    this.firstTerm = new Uint32Array(vertices);
    this.terms = new Uint32Array(vertices);
  }

  /**
   * `renewed`: vertices whose sides or first shares are new. `relabelled`: those of which only the clusters of the sides
   * are. `clusters`: number of the body's clusters.
   */
  *blur(renewed: readonly number[], relabelled: readonly number[], clusters: number): Parts<void> {
    for (const stamp of this.stamps) stamp.reserve(clusters);
    this.changed.length = 0;
    this.termEnd = 0;
    const call = ++this.stamp;
    // Vertices that are visited in every round: their matches may be new.
    for (const v of renewed) this.spread(v, call);
    yield* this.lookAround(relabelled, call);
    const core = this.listOf(call);
    for (const v of renewed) this.note(v, call);
    const { isActive, sideCount, count } = this.table;
    const costAt = (v: number) => costOf(count[v]);
    let moved = renewed;
    for (let round = 1; round <= ROUNDS; round++) {
      const mark = ++this.stamp;
      for (const v of core) this.visited[v] = mark;
      for (const v of moved) this.spread(v, mark);
      const visit = this.listOf(mark);
      const next: number[] = [];
      yield* visitInParts(visit, costAt, (v) => {
        if (!isActive[v] || sideCount[v] === 0) return;
        if (this.matched[v] !== call) this.matchSides(v, call);
        if (this.blurOne(v, round)) next.push(v);
      });
      for (const v of next) this.note(v, call);
      moved = next;
    }
  }

  /** Marks the vertices whose sides match those of their neighbours otherwise than before, as clusters have changed at one of these. */
  private *lookAround(relabelled: readonly number[], call: number): Parts<void> {
    const { isActive, sideCount, count } = this.table;
    const { neighbourStart, neighbour } = this.complex;
    const { visited, matched, match } = this;
    const look = (v: number) => {
      if (visited[v] === call || matched[v] === call || !isActive[v] || sideCount[v] === 0) return;
      const before = match[v];
      this.matchSides(v, call);
      if (match[v] !== before) visited[v] = call;
    };
    yield* visitInParts(
      relabelled,
      (v) => AROUND * costOf(count[v]),
      (v) => {
        look(v);
        const end = neighbourStart[v + 1];
        for (let k = neighbourStart[v]; k < end; k++) look(neighbour[k]);
      },
    );
  }

  /** Marks a vertex and its neighbours. */
  private spread(v: number, mark: number): void {
    const { neighbourStart, neighbour } = this.complex;
    const { visited } = this;
    visited[v] = mark;
    const end = neighbourStart[v + 1];
    for (let k = neighbourStart[v]; k < end; k++) visited[neighbour[k]] = mark;
  }

  /** The marked vertices in ascending order: neighbours mostly have near numbers, and lie near each other in memory. */
  private listOf(mark: number): number[] {
    const { visited } = this;
    const list: number[] = [];
    for (let v = 0; v < visited.length; v++) if (visited[v] === mark) list.push(v);
    return list;
  }

  private note(v: number, call: number): void {
    if (this.reached[v] === call) return;
    this.reached[v] = call;
    this.changed.push(v);
  }

  /** Side at a vertex of each cluster, NO_SIDE where it has no particle around that. Overwritten by the second call for another vertex. */
  sidesAt(v: number): Uint16Array {
    const { stamps, latest } = this;
    if (stamps[latest].vertex !== v) {
      this.latest = 1 - latest;
      if (stamps[1 - latest].vertex !== v) stamps[1 - latest].set(v, this.table);
    }
    return stamps[this.latest].side;
  }

  /**
   * Finds, for each neighbour of a vertex and each side of that, the vertex's own side with a cluster in common, the first of several. Places
   * of shares in the table stay while these are blurred.
   */
  private matchSides(v: number, call: number): void {
    this.matched[v] = call;
    const { isActive, sideCount, hasGone, firstShare, sideFrom, cluster } = this.table;
    const { neighbourStart, neighbour } = this.complex;
    const own = this.sidesAt(v);
    const goneSide = hasGone[v] ? sideCount[v] - 1 : FOREIGN;
    const from = neighbourStart[v];
    const to = neighbourStart[v + 1];
    let most = this.termEnd;
    for (let k = from; k < to; k++) most += 1 + sideCount[neighbour[k]];
    if (most > this.termSide.length) {
      const { termShare, termSide } = this;
      this.termShare = new Uint32Array(2 * most);
      this.termSide = new Uint16Array(2 * most);
      this.termShare.set(termShare);
      this.termSide.set(termSide);
    }
    const { termShare, termSide } = this;
    let end = this.termEnd;
    this.firstTerm[v] = end;
    for (let k = from; k < to; k++) {
      const u = neighbour[k];
      // An unchanged neighbour of an unchanged vertex.
      if (!isActive[u]) {
        termShare[end] = WHOLE;
        termSide[end++] = 0;
        continue;
      }
      const real = sideCount[u] - hasGone[u];
      const theirs = firstShare[u];
      if (hasGone[u]) {
        termShare[end] = theirs + real;
        termSide[end++] = goneSide;
      }
      for (let m = theirs; m < theirs + real; m++) {
        const last = sideFrom[m + 1];
        let side = FOREIGN;
        for (let e = sideFrom[m]; e < last; e++) if (own[cluster[e]] < side) side = own[cluster[e]];
        termShare[end] = m;
        termSide[end++] = side;
      }
    }
    this.terms[v] = end - this.firstTerm[v];
    this.termEnd = end;
    let hash = 0;
    for (let t = this.firstTerm[v]; t < end; t++) hash = (Math.imul(hash, 0x01000193) + termSide[t] + 1) | 0;
    this.match[v] = hash;
  }

  /** Blurs the shares of one vertex; returns whether they differ from those of the call before. */
  private blurOne(v: number, round: number): boolean {
    const { table, termShare, termSide } = this;
    const { neighbourStart } = this.complex;
    const share = table.share[round - 1];
    const at = table.firstShare[v];
    const own = table.sideCount[v];
    if (own > sums.length) sums = new Float32Array(2 * own);
    const sum = sums;
    for (let n = 0; n < own; n++) sum[n] = 0;
    let foreign = 0;
    const last = this.firstTerm[v] + this.terms[v];
    for (let t = this.firstTerm[v]; t < last; t++) {
      const side = termSide[t];
      if (side === FOREIGN) foreign += share[termShare[t]];
      else sum[side] += share[termShare[t]];
    }
    const neighbours = neighbourStart[v + 1] - neighbourStart[v];
    const after = table.share[round];
    let differs = false;
    for (let n = 0; n < own; n++) {
      sum[n] /= neighbours;
      const before = after[at + n];
      after[at + n] = share[at + n] + BLUR * (sum[n] - share[at + n]);
      if (after[at + n] !== before) differs = true;
    }
    const others = table.foreign[round];
    const othersBefore = table.foreign[round - 1][v];
    const before = others[v];
    others[v] = othersBefore + BLUR * (foreign / neighbours - othersBefore);
    return differs || others[v] !== before;
  }
}
/** Sums of the vertex at hand: a view of a shared buffer would be an object for each vertex. */
let sums = new Float32Array(16);
