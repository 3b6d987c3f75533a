/** Cells along the longest side of the box around the points; 2³⁰ cells in all. */
const CELLS = 1024;

/** Indices of points, sorted along a Z-order curve: consecutive points lie near each other. */
export function zOrder(points: ArrayLike<number>): Uint32Array {
  const count = points.length / 3;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let extent = 0;
  for (let k = 0; k < points.length; k++) low[k % 3] = Math.min(low[k % 3], points[k]);
  for (let k = 0; k < points.length; k++) extent = Math.max(extent, points[k] - low[k % 3]);
  const code = new Uint32Array(count);
  for (let k = 0; k < points.length && extent > 0; k++) {
    const cell = Math.min(CELLS - 1, Math.floor(((points[k] - low[k % 3]) / extent) * CELLS));
    for (let bit = 0; bit < 10; bit++) code[Math.floor(k / 3)] |= ((cell >> bit) & 1) << (3 * bit + (k % 3));
  }
  return Uint32Array.from({ length: count }, (_, i) => i).sort((i, j) => code[i] - code[j] || i - j);
}
