import { hypot } from '../math/elementary.js';
import { Scratch } from '../scratch.js';
import { type Parts, visitInParts } from './parts.js';
import { type Relief, reliefInto } from './relief.js';
import type { Sides } from './sides.js';
import type { Surroundings } from './surroundings.js';

/** Where the edges of a body's cells are torn: a share in (0, 1) of the way from the lower end, 0 where they are not. */
export type Crack = Float32Array;

/** Least distance of a crack from a vertex, as a share of the edge: nearer ones would leave slivers. */
const LEAST = 0.06;
/** Radius of a splinter around a vertex that was lent to it, in spacings, and at most as a share of the edge. */
const SPLINTER = 0.6;
const SPLINTER_MOST = 0.45;
/** Rounds in which the lines of a crack on the mesh are straightened, and how far points go in each. */
const ROUNDS = 10;
const STEP = 0.6;
/** Least sine of the angle between a line and an edge along which its point may move. */
const STEEP = 0.15;

/** Costs (see Parts): of an entry of a vertex whose edges are looked at, and of each edge of the body. */
const COST = { entry: 0.085, edge: 0.035 };

/** The crack of a body that comes apart further and further. */
export class CrackFinder {
  /** The crack as it is shown. */
  crack: Crack;
  /** Edges whose crossing changed in the last call. */
  readonly changed: number[] = [];
  /** Where the shares of both sides are equal. */
  private readonly level: Crack;
  private shownBefore: Crack;
  /** Per edge: whether its ends were of one piece, and the last call that looked at it. */
  private readonly wasOnePiece: Uint8Array;
  private readonly seen: Uint32Array;
  private calls = 0;
  /** Half-edges 3 t of the triangles on both sides of each edge of the mesh; −1: none, CROWDED: more than two. */
  private readonly before: Int32Array;
  private readonly after: Int32Array;

  constructor(private readonly surroundings: Surroundings) {
    const { low, skinEdges, skinTriangles, edge } = surroundings.complex;
    this.crack = new Float32Array(low.length);
    this.level = new Float32Array(low.length);
    this.shownBefore = new Float32Array(low.length);
    this.wasOnePiece = new Uint8Array(low.length);
    this.seen = new Uint32Array(low.length);
    this.before = new Int32Array(skinEdges).fill(-1);
    this.after = new Int32Array(skinEdges).fill(-1);
    for (let h = 0; h < 3 * skinTriangles; h++) {
      const e = edge[h];
      const t = h - (h % 3);
      if (this.before[e] < 0) this.before[e] = t;
      else if (this.after[e] < 0) this.after[e] = t;
      // More than two triangles meet here: it stays.
      else this.after[e] = CROWDED;
    }
  }

  /** Finds where the crack runs now. Edges are looked at that end at touched vertices, or whose pieces parted. */
  *update(sides: Sides, relief: Relief): Parts<void> {
    const { surroundings, level, wasOnePiece, seen } = this;
    const { low, high, neighbourStart, neighbourEdge } = surroundings.complex;
    const call = ++this.calls;
    const look = (e: number) => {
      if (seen[e] === call) return;
      seen[e] = call;
      level[e] = sides.areHeld(low[e], high[e]) ? 0 : crossing(sides, surroundings, low[e], high[e]);
    };
    const { count } = sides.table;
    const costOf = (v: number) => COST.entry * (6 + count[v]);
    yield* visitInParts(sides.touched, costOf, (v) => {
      for (let k = neighbourStart[v]; k < neighbourStart[v + 1]; k++) look(neighbourEdge[k]);
    });
    yield COST.edge * low.length;
    const piece = pieceRoom.take(sides.vertices);
    sides.piecesInto(piece);
    for (let e = 0; e < low.length; e++) {
      const isOne = piece[low[e]] === piece[high[e]] ? 1 : 0;
      if (isOne === wasOnePiece[e]) continue;
      wasOnePiece[e] = isOne;
      look(e);
    }
    const crack = this.shownBefore;
    this.shownBefore = this.crack;
    this.crack = crack;
    crack.set(level);
    straighten(crack, surroundings.complex, surroundings.positions, this.before, this.after);
    if (relief.roughness > 0) roughen(crack, surroundings, relief);
    this.changed.length = 0;
    for (let e = 0; e < crack.length; e++) if (crack[e] !== this.shownBefore[e]) this.changed.push(e);
  }
}

function crossing(sides: Sides, { positions: x, spacing }: Surroundings, u: number, v: number): number {
  const { isLent } = sides;
  if (isLent[u] || isLent[v]) {
    const length = hypot(x[3 * u] - x[3 * v], x[3 * u + 1] - x[3 * v + 1], x[3 * u + 2] - x[3 * v + 2]);
    const share = Math.max(LEAST, Math.min(SPLINTER_MOST, (SPLINTER * spacing) / length));
    return isLent[u] && isLent[v] ? 0.5 : isLent[u] ? share : 1 - share;
  }
  const ours = Math.max(sides.lead(u, v), 1e-3);
  const theirs = Math.max(sides.lead(v, u), 1e-3);
  return bounded(ours / (ours + theirs));
}

const bounded = (t: number) => Math.min(1 - LEAST, Math.max(LEAST, t));

/**
 * Straightens the lines along which a crack crosses the mesh. A point on an edge moves along it towards the line
 * through the points before and after it. So it stays on the edge, and a straight line stays as it is. Where three
 * lines meet in a triangle, the point before or after is the mean of its three points.
 */
function straighten(
  crack: Crack,
  complex: Surroundings['complex'],
  x: Float64Array,
  before: Int32Array,
  after: Int32Array,
): void {
  const { skinEdges, low, high } = complex;
  const place = placeRoom.take(3 * skinEdges);
  const crossed = crossedRoom.take(skinEdges);
  // Edges whose points move, and the edges of the points before and after each: two where three lines meet, else one.
  const line = lineRoom.take(skinEdges);
  const around = aroundRoom.take(4 * skinEdges);
  let count = 0;
  let lines = 0;
  for (let e = 0; e < skinEdges; e++) {
    if (crack[e] === 0) continue;
    crossed[count++] = e;
    const isInner = after[e] >= 0 && after[e] !== CROWDED;
    if (isInner && othersInto(around, 4 * lines, crack, complex, before[e], e))
      if (othersInto(around, 4 * lines + 2, crack, complex, after[e], e)) line[lines++] = e;
  }
  const moved = movedRoom.take(lines);
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < count; n++) {
      const e = crossed[n];
      const u = 3 * low[e];
      const v = 3 * high[e];
      const s = crack[e];
      place[3 * e] = x[u] + s * (x[v] - x[u]);
      place[3 * e + 1] = x[u + 1] + s * (x[v + 1] - x[u + 1]);
      place[3 * e + 2] = x[u + 2] + s * (x[v + 2] - x[u + 2]);
    }
    for (let n = 0; n < lines; n++) {
      const e = line[n];
      meanInto(p, place, around[4 * n], around[4 * n + 1], e);
      meanInto(q, place, around[4 * n + 2], around[4 * n + 3], e);
      moved[n] = bounded(crack[e] + STEP * (towardsLine(crack[e], x, 3 * low[e], 3 * high[e]) - crack[e]));
    }
    for (let n = 0; n < lines; n++) crack[line[n]] = moved[n];
  }
}
const pieceRoom = new Scratch();
const placeRoom = new Scratch(Float64Array);
const crossedRoom = new Scratch();
const lineRoom = new Scratch();
const aroundRoom = new Scratch(Int32Array);
const movedRoom = new Scratch(Float32Array);

/** Writes the other crossed edges of the triangle of half-edge h, −1 for a second that is not there; false if none is. */
function othersInto(
  out: Int32Array,
  at: number,
  crack: Crack,
  { edge }: Surroundings['complex'],
  h: number,
  e: number,
): boolean {
  out[at] = out[at + 1] = -1;
  for (let k = h; k < h + 3; k++) {
    const f = edge[k];
    if (f === e || crack[f] === 0) continue;
    if (out[at] < 0) out[at] = f;
    else out[at + 1] = f;
  }
  return out[at] >= 0;
}

/** The point of edge f, or the mean of those of f, g and e. */
function meanInto(out: Float64Array, place: Float64Array, f: number, g: number, e: number): void {
  for (let a = 0; a < 3; a++)
    out[a] = g < 0 ? place[3 * f + a] : (place[3 * f + a] + place[3 * g + a] + place[3 * e + a]) / 3;
}
const CROWDED = 0x7fffffff;
const p = new Float64Array(3);
const q = new Float64Array(3);

/** Moves the points of lines along their edges by the relief of the crack. */
function roughen(crack: Crack, { complex, positions: x, spacing }: Surroundings, relief: Relief): void {
  const { low, high, skinEdges } = complex;
  for (let e = 0; e < skinEdges; e++) {
    if (crack[e] === 0) continue;
    let [along, square] = [0, 0];
    for (let a = 0; a < 3; a++) p[a] = x[3 * low[e] + a] + crack[e] * (x[3 * high[e] + a] - x[3 * low[e] + a]);
    reliefInto(q, p, 0, spacing, relief);
    for (let a = 0; a < 3; a++) {
      const d = x[3 * high[e] + a] - x[3 * low[e] + a];
      along += q[a] * d;
      square += d * d;
    }
    if (square > 0) crack[e] = bounded(crack[e] + along / square);
  }
}

/** The place on an edge, from the vertex at offset u to that at v, that is nearest to the line through p and q. */
function towardsLine(now: number, x: Float64Array, u: number, v: number): number {
  let dd = 0;
  let dr = 0;
  let rr = 0;
  let dw = 0;
  let rw = 0;
  for (let a = 0; a < 3; a++) {
    const d = q[a] - p[a];
    const r = x[v + a] - x[u + a];
    const w = p[a] - x[u + a];
    dd += d * d;
    dr += d * r;
    rr += r * r;
    dw += d * w;
    rw += r * w;
  }
  const sine2 = dd * rr - dr * dr;
  return sine2 > STEEP * STEEP * dd * rr ? (dd * rw - dr * dw) / sine2 : now;
}
