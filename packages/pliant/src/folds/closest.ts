import { triangleDistanceSquared } from '../mesh/closestPoint.js';

/** Corners of the triangle at hand. */
const corners = new Float64Array(9);

/** Squared distance between node i and the triangle of the nodes a, b, c of `p` (three numbers each); `out` := weights of a, b, c at the closest place. */
export function toTriangle(out: Float64Array, p: Float64Array, i: number, a: number, b: number, c: number): number {
  for (let k = 0; k < 3; k++) {
    corners[k] = p[3 * a + k];
    corners[3 + k] = p[3 * b + k];
    corners[6 + k] = p[3 * c + k];
  }
  return triangleDistanceSquared(corners, 0, p[3 * i], p[3 * i + 1], p[3 * i + 2], out);
}

/** Edges whose directions enclose an angle with a squared sine below this are parallel: any of their common places is the closest. */
const PARALLEL = 1e-9;

/** Squared distance between the edges from node a to b and from c to d; `out` := the shares along both of the closest places, 0. Ericson, Real-Time Collision Detection (2005) 5.1.9. */
export function toEdge(out: Float64Array, p: Float64Array, a: number, b: number, c: number, d: number): number {
  const oa = 3 * a;
  const ob = 3 * b;
  const oc = 3 * c;
  const od = 3 * d;
  const ux = p[ob] - p[oa];
  const uy = p[ob + 1] - p[oa + 1];
  const uz = p[ob + 2] - p[oa + 2];
  const vx = p[od] - p[oc];
  const vy = p[od + 1] - p[oc + 1];
  const vz = p[od + 2] - p[oc + 2];
  const rx = p[oa] - p[oc];
  const ry = p[oa + 1] - p[oc + 1];
  const rz = p[oa + 2] - p[oc + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  const det = uu * vv - uv * uv;
  // The middle of what parallel edges have in common would do as well; half of the way serves.
  let s = det > PARALLEL * uu * vv ? clamp((uv * vr - ur * vv) / det) : 0.5;
  let t = vv > 0 ? (uv * s + vr) / vv : 0;
  if (t < 0 || t > 1) {
    t = t < 0 ? 0 : 1;
    s = uu > 0 ? clamp((uv * t - ur) / uu) : 0;
  }
  out[0] = s;
  out[1] = t;
  out[2] = 0;
  const x = rx + s * ux - t * vx;
  const y = ry + s * uy - t * vy;
  const z = rz + s * uz - t * vz;
  return x * x + y * y + z * z;
}

const clamp = (share: number) => Math.max(0, Math.min(1, share));
