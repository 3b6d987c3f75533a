import { hypot, squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import { normalToWorld, toRest } from './rest.js';

/** Position of a point relative to a body's implicit surface. */
export interface Height {
  /** Height above the surface (m), negative inside; −∞ deep inside, where no surface member is known; +∞ in no cluster. */
  height: number;
  /** Outward normal of the surface, of length 1; 0 if it is unknown. */
  readonly normal: Float64Array;
  /** The cluster whose centre is nearest in proxy radii, or −1. */
  cluster: number;
}

export const newHeight = (): Height => ({ height: Number.POSITIVE_INFINITY, normal: new Float64Array(3), cluster: -1 });

/** Softening of the weights, in squared spacings: members nearer than that count alike (as in kernels/ts/proxy.ts). */
const SOFT = 0.5;
/**
 * Factor of the squared distance across a member's plane, relative to that along it. Above a face near an edge, the face is then nearer
 * than its side.
 */
const ACROSS_PLANE = 0.5;
/** Largest factor by which planes below the point gain weight, and planes above it lose weight, against a plane through the point. */
const UPMOST = 3;

const q = new Float64Array(3);
const n = new Float64Array(3);
const N = new Float64Array(3);

/**
 * Height of a point over the implicit surface of the placed clusters that contain it: the weighted mean of its heights above the planes of
 * the surface members (an implicit moving-least-squares surface). Weights fall with the eighth power of the distance. Planes below the
 * point have slightly more weight, because between the two sides of an edge the plain mean would bulge.
 *
 * Contact gives planes below the point far more weight, by the sixth power, and uses one cluster alone: it needs the place where a particle
 * came in, and sharp edges. But then each cluster's part of the body is convex.
 * Contact's weights tried here, with the nearest cluster alone (bodies of 1 m, spacing 0.08 m, 400 random rays): 91 of 221 rays went
 * through a torus, and hits on a lumpy body were off by up to 3.4 spacings. With these weights: none, and 0.5 spacings (0.9 at 0.1 m, where
 * its hollows are three spacings wide).
 * The price is at edges: 0.07 spacings rms on a box, where contact's weights have 0.01.
 *
 * All clusters that contain the point contribute, less towards the border of their sphere, because their members do not describe the
 * surface beside them. So the surface has no steps between clusters.
 */
export function heightInto(out: Height, s: Views, clusters: readonly number[], p: ArrayLike<number>): void {
  out.cluster = -1;
  out.height = 0;
  out.normal.fill(0);
  let total = 0;
  let shrunk = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const c of clusters) {
    toRest(q, s, c, p);
    const off = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / (s.proxyRadius[c] * s.proxyRadius[c]);
    if (off < nearest) {
      nearest = off;
      out.cluster = c;
    }
    const sum = planeInto(n, s, c);
    if (sum === 0) continue;
    // Midway between two sides (in a wall, or in a hole) the height is known, but there is no direction.
    const length = sided ? normalToWorld(N, s, c, n) : 1;
    const weight = sum * squared(Math.max(1e-3, 1 - off));
    total += weight;
    // Heights in rest space and scales of length are averaged separately, so that the zero of the height does not depend on how the body is
    // stretched.
    out.height += weight * (meanHeight - s.surfaceParameters[2 * c + 1]);
    shrunk += weight * length;
    if (sided) for (let a = 0; a < 3; a++) out.normal[a] += weight * N[a];
  }
  if (total === 0) {
    out.height = out.cluster < 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    return;
  }
  out.height /= shrunk;
  const size = hypot(out.normal[0], out.normal[1], out.normal[2]);
  for (let a = 0; a < 3; a++) out.normal[a] = size > 0 ? out.normal[a] / size : 0;
}

let meanHeight = 0;
let sided = false;

/**
 * Computes the mean plane of a cluster's implicit surface at `q`: `meanHeight` of q over it, and its unit normal if `sided`. Returns the
 * sum of the weights, 0 if the cluster has no surface members.
 */
function planeInto(normal: Float64Array, s: Views, c: number): number {
  const { member, outward } = s;
  const scale = s.surfaceParameters[2 * c];
  const perSpacing = Math.sqrt(scale);
  let [sum, height, nx, ny, nz] = [0, 0, 0, 0, 0];
  for (let o = 4 * s.memberStart[c]; o < 4 * s.surfaceEnd[c]; o += 4) {
    const high = outward[o + 3];
    if (high < 0) continue;
    const dx = q[0] - member[o];
    const dy = q[1] - member[o + 1];
    const dz = q[2] - member[o + 2];
    const rise = dx * outward[o] + dy * outward[o + 1] + dz * outward[o + 2];
    const h = rise - high;
    const d2 = (dx * dx + dy * dy + dz * dz - rise * rise + ACROSS_PLANE * h * h) * scale + SOFT;
    const up = Math.min(UPMOST, Math.max(1 / UPMOST, 1 + h * perSpacing)) / (d2 * d2);
    const w = up * up;
    sum += w;
    height += w * h;
    nx += w * outward[o];
    ny += w * outward[o + 1];
    nz += w * outward[o + 2];
  }
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  sided = size > 1e-3 * sum;
  normal[0] = nx / size;
  normal[1] = ny / size;
  normal[2] = nz / size;
  meanHeight = height / sum;
  return sum;
}
