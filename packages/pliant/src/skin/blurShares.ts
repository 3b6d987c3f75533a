import type { Complex } from './complex.js';
import { type Parts, visitInParts } from './parts.js';
import { NO_SIDE, ROUNDS, type SideTable } from './sideTable.js';

/**
 * How much of a vertex's share comes from its neighbours in each round. Particles of two pieces are mixed along a crack
 * over about a spacing: without blur the crack winds around single particles.
 */
const BLUR = 0.6;

/** Cost of an entry of a vertex in a round (see Parts). */
const COST = 0.05;

/**
 * Blurs the shares of sides over neighbouring vertices, in rounds, all vertices of a round at once. Only vertices are
 * visited that a change reaches: those whose sides, or whose neighbours' sides, are new (`renewed`), and in each round
 * the neighbours of vertices whose share changed in the round before.
 */
export class SharesBlur {
  /** Per vertex: the last call that visited it in the round at hand, that found its matches, and that changed it. */
  private readonly visited: Uint32Array;
  private readonly matched: Uint32Array;
  private readonly reached: Uint32Array;
  private stamp = 0;
  /** Per entry of the complex's `neighbour`: first match of that neighbour's sides, for matched vertices. */
  private readonly firstMatch: Uint32Array;
  private matchEnd = 0;
  private match = new Uint16Array(1024);
  /** Per particle: the last vertex whose entries it was among, by number of its stamping, and its side there. */
  private entryStamp = new Uint32Array(0);
  private entrySide = new Uint16Array(0);
  private stampings = 0;
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
    this.firstMatch = new Uint32Array(complex.neighbour.length);
  }

  /** `renewed`: vertices whose entries or first shares are new. `particles`: number of the body's particles. */
  *blur(renewed: readonly number[], particles: number): Parts<void> {
    if (this.entryStamp.length < particles) {
      this.entryStamp = new Uint32Array(2 * particles);
      this.entrySide = new Uint16Array(2 * particles);
      this.stampings = 0;
    }
    this.changed.length = 0;
    this.matchEnd = 0;
    const call = ++this.stamp;
    // Vertices that are visited in every round: their matches may be new.
    const core: number[] = [];
    for (const v of renewed) this.spread(v, call, core);
    for (const v of renewed) this.note(v, call);
    const { isActive, sideCount, count } = this.table;
    const costOf = (v: number) => COST * (2 + count[v]);
    let moved = renewed;
    for (let round = 1; round <= ROUNDS; round++) {
      const visit = core.slice();
      // Numbers of visits continue those of the core, so that each vertex is listed once.
      const mark = ++this.stamp;
      for (const v of core) this.visited[v] = mark;
      for (const v of moved) this.spread(v, mark, visit);
      const next: number[] = [];
      yield* visitInParts(visit, costOf, (v) => {
        if (isActive[v] && sideCount[v] > 0 && this.blurOne(v, round, call)) next.push(v);
      });
      for (const v of next) this.note(v, call);
      moved = next;
    }
  }

  /** Adds a vertex and its neighbours to a list, each once. */
  private spread(v: number, mark: number, list: number[]): void {
    const { neighbourStart, neighbour } = this.complex;
    if (this.visited[v] !== mark) {
      this.visited[v] = mark;
      list.push(v);
    }
    const end = neighbourStart[v + 1];
    for (let k = neighbourStart[v]; k < end; k++) {
      const u = neighbour[k];
      if (this.visited[u] === mark) continue;
      this.visited[u] = mark;
      list.push(u);
    }
  }

  private note(v: number, call: number): void {
    if (this.reached[v] === call) return;
    this.reached[v] = call;
    this.changed.push(v);
  }

  /** Stamps the entries of a vertex; `sideAt` then tells the side there of a particle. */
  stampEntries(v: number): void {
    const { first, count, particle, side } = this.table;
    const stamping = ++this.stampings;
    const last = first[v] + count[v];
    for (let e = first[v]; e < last; e++) {
      this.entryStamp[particle[e]] = stamping;
      this.entrySide[particle[e]] = side[e];
    }
  }

  /** Side of a particle at the vertex that was stamped last; NO_SIDE where it is not around that. */
  sideAt(particle: number): number {
    return this.entryStamp[particle] === this.stampings ? this.entrySide[particle] : NO_SIDE;
  }

  /** Finds, for each neighbour of a vertex and each side of that, the vertex's own side with a particle in common. */
  private matchSides(v: number): void {
    const { sideCount, hasGone, first, count, particle, side } = this.table;
    const { neighbourStart, neighbour } = this.complex;
    const { entryStamp, entrySide } = this;
    this.stampEntries(v);
    const stamping = this.stampings;
    const to = neighbourStart[v + 1];
    for (let k = neighbourStart[v]; k < to; k++) {
      const u = neighbour[k];
      const real = sideCount[u] - hasGone[u];
      const end = this.matchEnd;
      this.firstMatch[k] = end;
      if (end + real > this.match.length) {
        const before = this.match;
        this.match = new Uint16Array(2 * (end + real));
        this.match.set(before);
      }
      const { match } = this;
      for (let n = end; n < end + real; n++) match[n] = NO_SIDE;
      const last = first[u] + count[u];
      let left = real;
      for (let e = first[u]; e < last && left > 0; e++) {
        if (entryStamp[particle[e]] !== stamping || match[end + side[e]] !== NO_SIDE) continue;
        match[end + side[e]] = entrySide[particle[e]];
        left--;
      }
      this.matchEnd = end + real;
    }
  }

  /** Blurs the shares of one vertex; returns whether they differ from those of the call before. */
  private blurOne(v: number, round: number, call: number): boolean {
    const { table, firstMatch } = this;
    const { isActive, firstShare, sideCount, hasGone } = table;
    const { neighbourStart, neighbour } = this.complex;
    if (this.matched[v] !== call) {
      this.matched[v] = call;
      this.matchSides(v);
    }
    const { match } = this;
    const share = table.share[round - 1];
    const at = firstShare[v];
    const own = sideCount[v];
    if (own > sums.length) sums = new Float32Array(2 * own);
    const sum = sums;
    for (let n = 0; n < own; n++) sum[n] = 0;
    const from = neighbourStart[v];
    const to = neighbourStart[v + 1];
    let foreign = 0;
    for (let k = from; k < to; k++) {
      const u = neighbour[k];
      // An unchanged neighbour of an unchanged vertex.
      if (!isActive[u]) {
        sum[0]++;
        continue;
      }
      const real = sideCount[u] - hasGone[u];
      const theirs = firstShare[u];
      if (hasGone[u]) {
        if (hasGone[v]) sum[own - 1] += share[theirs + real];
        else foreign += share[theirs + real];
      }
      for (let m = 0; m < real; m++) {
        const side = match[firstMatch[k] + m];
        if (side === NO_SIDE) foreign += share[theirs + m];
        else sum[side] += share[theirs + m];
      }
    }
    const after = table.share[round];
    let differs = false;
    for (let n = 0; n < own; n++) {
      sum[n] /= to - from;
      const before = after[at + n];
      after[at + n] = share[at + n] + BLUR * (sum[n] - share[at + n]);
      if (after[at + n] !== before) differs = true;
    }
    const { foreign: others } = table;
    const before = others[round][v];
    others[round][v] = others[round - 1][v] + BLUR * (foreign / (to - from) - others[round - 1][v]);
    return differs || others[round][v] !== before;
  }
}
/** Sums of the vertex at hand: a view of a shared buffer would be an object for each vertex. */
let sums = new Float32Array(16);
