import type { Sides } from './sides.js';
import type { Surroundings } from './surroundings.js';

/** Where the edges of a body's cells are torn: a share in (0, 1) of the way from the lower end, 0 where they are not. */
export type Crack = Float32Array;

/** Least distance of a crack from a vertex, as a share of the edge: nearer ones would leave slivers. */
const LEAST = 0.1;
/** Where a crack crosses the edges of a vertex that was lent to a splinter. */
const SPLINTER = 0.42;
/** Rounds in which the lines of a crack on the mesh are straightened, and how far points go in each. */
const ROUNDS = 6;
const STEP = 0.6;
/** Least sine of the angle between a line and an edge along which its point may move. */
const STEEP = 0.15;

/** Finds the edges whose ends no longer hang together, and where the crack crosses them. */
export function findCrack(sides: Sides, { complex, positions, cells }: Surroundings): Crack {
  const { low, high } = complex;
  const crack: Crack = new Float32Array(low.length);
  for (let e = 0; e < low.length; e++) if (!sides.areHeld(low[e], high[e])) crack[e] = crossing(sides, low[e], high[e]);
  if (cells.count > 0) straighten(crack, complex, positions);
  return crack;
}

function crossing(sides: Sides, u: number, v: number): number {
  const { isLent } = sides;
  if (isLent[u] || isLent[v]) return isLent[u] && isLent[v] ? 0.5 : isLent[u] ? SPLINTER : 1 - SPLINTER;
  const ours = Math.max(sides.lead(u, v), 1e-3);
  const theirs = Math.max(sides.lead(v, u), 1e-3);
  return bounded(ours / (ours + theirs));
}

const bounded = (t: number) => Math.min(1 - LEAST, Math.max(LEAST, t));

/**
 * Straightens the lines along which a crack crosses the mesh. A point on an edge moves along it towards the line
 * through its neighbours, the points before and after it. So it stays on the edge, and a straight line stays as it is.
 */
function straighten(
  crack: Crack,
  { skinTriangles, skinEdges, edge, low, high }: Surroundings['complex'],
  x: Float64Array,
): void {
  const before = new Int32Array(skinEdges).fill(-1);
  const after = new Int32Array(skinEdges).fill(-1);
  const link = (e: number, f: number) => {
    if (before[e] < 0) before[e] = f;
    else if (after[e] < 0) after[e] = f;
    // More than two lines meet here: it stays.
    else after[e] = e;
  };
  const lines: number[] = [];
  for (let h = 0; h < 3 * skinTriangles; h += 3) {
    const crossed = [edge[h], edge[h + 1], edge[h + 2]].filter((e) => crack[e] > 0);
    if (crossed.length !== 2) {
      for (const e of crossed) link(e, e);
      continue;
    }
    link(crossed[0], crossed[1]);
    link(crossed[1], crossed[0]);
  }
  for (let e = 0; e < skinEdges; e++) if (after[e] >= 0 && after[e] !== e && before[e] !== e) lines.push(e);
  const moved = new Float32Array(lines.length);
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < lines.length; n++) {
      const e = lines[n];
      const t = towardsLine(crack, low, high, x, e, before[e], after[e]);
      moved[n] = bounded(crack[e] + STEP * (t - crack[e]));
    }
    for (let n = 0; n < lines.length; n++) crack[lines[n]] = moved[n];
  }
}

/** The place on edge e that is nearest to the line through the points on edges f and g. */
function towardsLine(
  crack: Crack,
  low: Uint32Array,
  high: Uint32Array,
  x: Float64Array,
  e: number,
  f: number,
  g: number,
): number {
  // Line p + s d, edge q + t r.
  let [dd, dr, rr, dw, rw] = [0, 0, 0, 0, 0];
  for (let a = 0; a < 3; a++) {
    const [fl, fh] = [x[3 * low[f] + a], x[3 * high[f] + a]];
    const [gl, gh] = [x[3 * low[g] + a], x[3 * high[g] + a]];
    const p = fl + crack[f] * (fh - fl);
    const d = gl + crack[g] * (gh - gl) - p;
    const q = x[3 * low[e] + a];
    const r = x[3 * high[e] + a] - q;
    const w = p - q;
    dd += d * d;
    dr += d * r;
    rr += r * r;
    dw += d * w;
    rw += r * w;
  }
  const sine2 = dd * rr - dr * dr;
  if (!(sine2 > STEEP * STEEP * dd * rr)) return crack[e];
  return (dd * rw - dr * dw) / sine2;
}
