/**
 * The angle of the complex number re + i·im in (−π, π]. Math.atan2 may differ in the last bit between engines, and then
 * a particle on the edge of an open mesh would exist on one machine only. This function uses exactly rounded operations
 * only.
 *
 * With t = smaller/larger in [0, 1], two half-angle steps t ← t / (1 + √(1 + t²)) leave t ≤ tan(π/16) < 0.199. There
 * the Taylor series of atan to t¹⁵ has an error of t¹⁷/17 < 7e-14, times 4 for the two steps.
 */
export function angleOf(im: number, re: number): number {
  const y = im < 0 ? -im : im;
  const x = re < 0 ? -re : re;
  if (y === 0) return re < 0 ? Math.PI : 0;
  let t = y < x ? y / x : x / y;
  t = t / (1 + Math.sqrt(1 + t * t));
  t = t / (1 + Math.sqrt(1 + t * t));
  const s = t * t;
  const series =
    t * (1 - s * (1 / 3 - s * (1 / 5 - s * (1 / 7 - s * (1 / 9 - s * (1 / 11 - s * (1 / 13 - s * (1 / 15))))))));
  let angle = 4 * series;
  if (y >= x) angle = Math.PI / 2 - angle;
  if (re < 0) angle = Math.PI - angle;
  return im < 0 ? -angle : angle;
}

/**
 * Signed solid angle that triangle (a, b, c) subtends at a point, in (−2π, 2π]; positive when the point sees the back of
 * a counter-clockwise triangle, as from inside a body. Van Oosterom & Strackee 1983:
 * tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|), corners relative to the point.
 */
export function solidAngle(corners: Float64Array, o: number, x: number, y: number, z: number): number {
  const ax = corners[o] - x;
  const ay = corners[o + 1] - y;
  const az = corners[o + 2] - z;
  const bx = corners[o + 3] - x;
  const by = corners[o + 4] - y;
  const bz = corners[o + 5] - z;
  const cx = corners[o + 6] - x;
  const cy = corners[o + 7] - y;
  const cz = corners[o + 8] - z;
  const a = Math.sqrt(ax * ax + ay * ay + az * az);
  const b = Math.sqrt(bx * bx + by * by + bz * bz);
  const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  return 2 * angleOf(det, a * b * c + ab * c + bc * a + ca * b);
}
