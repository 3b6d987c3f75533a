/**
 * Distance from a point to the surface of the ellipsoid with half axes a, b, c around the origin, from either side.
 * Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid" (2013) 3: by symmetry the point is taken
 * in the first octant with half axes e0 ≥ e1 ≥ e2. The closest point is x_i = e_i² y_i / (s + e_i²), with s the largest
 * root of Σ (e_i y_i / (s + e_i²))² = 1. Here t = s/e2² + 1, which stays accurate as s approaches −e2².
 */
export function ellipsoidDistance(a: number, b: number, c: number, x: number, y: number, z: number): number {
  let e0 = a;
  let e1 = b;
  let e2 = c;
  let y0 = Math.abs(x);
  let y1 = Math.abs(y);
  let y2 = Math.abs(z);
  if (e0 < e1) [e0, e1, y0, y1] = [e1, e0, y1, y0];
  if (e1 < e2) [e1, e2, y1, y2] = [e2, e1, y2, y1];
  if (e0 < e1) [e0, e1, y0, y1] = [e1, e0, y1, y0];
  // In the plane y2 = 0 the two mirrored closest points would need a case of their own; off it by 1e-12 they do not.
  y2 = Math.max(y2, 1e-12 * e2);
  const r0 = (e0 / e2) ** 2;
  const r1 = (e1 / e2) ** 2;
  const n0 = (r0 * y0) / e0;
  const n1 = (r1 * y1) / e1;
  const n2 = y2 / e2;
  // g(t) falls from g(n2) ≥ 0 to g(high) ≤ 0. The root is at least 1e-12 of `high`,
  // 40 bits below it, so 100 halvings give all of its 53 bits; the midpoint repeats before.
  let low = n2;
  let high = Math.sqrt(n0 * n0 + n1 * n1 + n2 * n2);
  for (let k = 0; k < 100; k++) {
    const t = (low + high) / 2;
    if (t === low || t === high) break;
    const q0 = n0 / (t + r0 - 1);
    const q1 = n1 / (t + r1 - 1);
    const q2 = n2 / t;
    if (q0 * q0 + q1 * q1 + q2 * q2 > 1) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  const d0 = (r0 * y0) / (t + r0 - 1) - y0;
  const d1 = (r1 * y1) / (t + r1 - 1) - y1;
  const d2 = y2 / t - y2;
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}
