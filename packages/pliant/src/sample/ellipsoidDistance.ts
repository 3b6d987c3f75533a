import { squared } from '../math/elementary.js';
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
  // In the plane y2 = 0 the two mirrored closest points would need a separate case; at a distance of 1e-12 they do not.
  y2 = Math.max(y2, 1e-12 * e2);
  const r0 = squared(e0 / e2);
  const r1 = squared(e1 / e2);
  const t = secularRoot((r0 * y0) / e0, (r1 * y1) / e1, y2 / e2, r0 - 1, r1 - 1);
  const d0 = (r0 * y0) / (t + r0 - 1) - y0;
  const d1 = (r1 * y1) / (t + r1 - 1) - y1;
  const d2 = y2 / t - y2;
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}

/**
 * The largest root of q(t) = Σ (n_i / (t + c_i))² = 1, with c_2 = 0: the secular equation of trust regions. Newton's
 * iteration on 1/√q, which is concave and nearly straight, increases to it in four or five steps (Moré & Sorensen
 * 1983); bisection takes fifty. Its error is squared by each step, so it ends with the first that is below SETTLED of t,
 * or when rounding stops the increase.
 */
function secularRoot(n0: number, n1: number, n2: number, c0: number, c1: number): number {
  // Lower bound: at the t where one term alone is 1 the sum is at least 1.
  let t = Math.max(n0 - c0, n1 - c1, n2);
  for (let k = 0; k < 100; k++) {
    const u0 = 1 / (t + c0);
    const u1 = 1 / (t + c1);
    const u2 = 1 / t;
    const q0 = n0 * u0;
    const q1 = n1 * u1;
    const q2 = n2 * u2;
    const q = q0 * q0 + q1 * q1 + q2 * q2;
    const next = t + ((Math.sqrt(q) - 1) * q) / (q0 * q0 * u0 + q1 * q1 * u1 + q2 * q2 * u2);
    if (!(next > t)) return t;
    if (next - t <= SETTLED * t) return next;
    t = next;
  }
  return t;
}

/** Also in assembly/building/solid.ts. */
const SETTLED = 1e-7;
