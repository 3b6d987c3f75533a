import { counting } from '../scratch.js';

/** Cells along the longest side of the box around the points; 2³⁰ cells in all. */
const CELLS = 1024;

/** Indices of points, sorted along a Z-order curve: consecutive points lie near each other. */
export function zOrder(points: ArrayLike<number>): Uint32Array {
  const count = points.length / 3;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let extent = 0;
  for (let a = 0; a < 3; a++) for (let k = a; k < points.length; k += 3) low[a] = Math.min(low[a], points[k]);
  for (let a = 0; a < 3; a++) for (let k = a; k < points.length; k += 3) extent = Math.max(extent, points[k] - low[a]);
  const code = new Uint32Array(count);
  for (let a = 0; a < 3 && extent > 0; a++)
    for (let i = 0; i < count; i++) {
      const cell = Math.min(CELLS - 1, Math.floor(((points[3 * i + a] - low[a]) / extent) * CELLS));
      code[i] |= spread(cell) << a;
    }
  // Points of one cell stay in the order of their numbers.
  return sortedBy(code);
}

/** The ten bits of a number, three places apart. */
function spread(cell: number): number {
  let bits = (cell | (cell << 16)) & 0x30000ff;
  bits = (bits | (bits << 8)) & 0x300f00f;
  bits = (bits | (bits << 4)) & 0x30c30c3;
  return (bits | (bits << 2)) & 0x9249249;
}

/** Indices in the order of their codes of 30 bits, then ascending: three passes of counting, ten bits each. */
function sortedBy(code: Uint32Array): Uint32Array {
  let [order, sorted] = [counting(code.length).slice(), new Uint32Array(code.length)];
  const next = new Uint32Array(CELLS + 1);
  for (let shift = 0; shift < 30; shift += 10) {
    next.fill(0);
    for (let n = 0; n < code.length; n++) next[((code[n] >>> shift) & (CELLS - 1)) + 1]++;
    for (let c = 0; c < CELLS; c++) next[c + 1] += next[c];
    for (let n = 0; n < order.length; n++) sorted[next[(code[order[n]] >>> shift) & (CELLS - 1)]++] = order[n];
    [order, sorted] = [sorted, order];
  }
  return order;
}
