import { hypot } from '../math/elementary.js';
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

/** Finds the edges whose ends no longer hang together, and where the crack crosses them. */
export function findCrack(sides: Sides, surroundings: Surroundings, relief: Relief): Crack {
  const { complex, positions } = surroundings;
  const { low, high } = complex;
  const crack: Crack = new Float32Array(low.length);
  for (let e = 0; e < low.length; e++)
    if (!sides.areHeld(low[e], high[e])) crack[e] = crossing(sides, surroundings, low[e], high[e]);
  straighten(crack, complex, positions);
  if (relief.roughness > 0) roughen(crack, surroundings, relief);
  return crack;
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
function straighten(crack: Crack, complex: Surroundings['complex'], x: Float64Array): void {
  const { skinTriangles, skinEdges, edge } = complex;
  // Half-edges 3 t of the triangles on both sides of each crossed edge.
  const before = new Int32Array(skinEdges).fill(-1);
  const after = new Int32Array(skinEdges).fill(-1);
  const lines: number[] = [];
  for (let h = 0; h < 3 * skinTriangles; h++) {
    const e = edge[h];
    if (crack[e] === 0) continue;
    const t = h - (h % 3);
    if (before[e] < 0) before[e] = t;
    else if (after[e] < 0) after[e] = t;
    // More than two triangles meet here: it stays.
    else after[e] = CROWDED;
  }
  for (let e = 0; e < skinEdges; e++) if (after[e] >= 0) lines.push(e);
  const moved = new Float32Array(lines.length);
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < lines.length; n++) {
      const e = lines[n];
      moved[n] = crack[e];
      if (!acrossInto(p, crack, complex, x, before[e], e) || !acrossInto(q, crack, complex, x, after[e], e)) continue;
      moved[n] = bounded(
        crack[e] + STEP * (towardsLine(crack[e], x, 3 * complex.low[e], 3 * complex.high[e]) - crack[e]),
      );
    }
    for (let n = 0; n < lines.length; n++) crack[lines[n]] = moved[n];
  }
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

/** The point to which the line from edge e leads in the triangle of half-edge h; false where it ends there. */
function acrossInto(
  out: Float64Array,
  crack: Crack,
  { edge, low, high }: Surroundings['complex'],
  x: Float64Array,
  h: number,
  e: number,
): boolean {
  if (h === CROWDED) return false;
  out.fill(0);
  let count = 0;
  for (let k = h; k < h + 3; k++) {
    const f = edge[k];
    if (f === e || crack[f] === 0) continue;
    count++;
    for (let a = 0; a < 3; a++) out[a] += x[3 * low[f] + a] + crack[f] * (x[3 * high[f] + a] - x[3 * low[f] + a]);
  }
  if (count === 2)
    for (let a = 0; a < 3; a++)
      out[a] = (out[a] + x[3 * low[e] + a] + crack[e] * (x[3 * high[e] + a] - x[3 * low[e] + a])) / 3;
  return count > 0;
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
