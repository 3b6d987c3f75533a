import { BVH_STACK_SIZE, type Bvh, isLeaf, leftChild, rightChild } from './bvh.js';
import { solidAngle } from './solidAngle.js';

/**
 * The far field of a BVH node: the first three terms of the Taylor series of its triangles' dipole field about one
 * centre (Barill et al. 2018, "Fast winding numbers for soups and clouds", eq. 9–13). Read it by the offsets named
 * here.
 *
 * With r from the point to the centre, a triangle's solid angle is ∫ n·∇(−1/|r|) dA. All derivatives of 1/|r| are
 * harmonic, so the series is N·r/|r|³ + Q(r)/|r|⁵ + K(r)/|r|⁷ with a quadratic form Q and a cubic form K: 6 and 10
 * coefficients instead of Barill's 9 and 27.
 */
export interface Dipoles {
  readonly data: Float64Array;
}

const STRIDE = 23;
/** The area-weighted centroid, the centre of the expansion. */
const CENTRE = 0;
/**
 * Squared radius around the centre that contains every triangle. It lies next to the centre: these four numbers decide
 * whether the series is used.
 */
const RADIUS2 = 3;
/** N = Σ a n, the sum of area vectors. */
const NORMAL = 4;
/** Coefficients of xx, yy, zz, xy, xz, yz. */
const QUADRATIC = 7;
/** Coefficients of xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz. */
const CUBIC = 13;

/**
 * The series of a node is used at distances above ACCURACY times its radius: Barill's β. Largest error over 30 000
 * points near a torus, an open icosphere and one with a cavity: 0.02 at 2 (his value), 5e-3 at 2.5, 2e-3 at 3. Without
 * the cubic term it was 0.07 at 2 and still 0.02 at 4.
 */
const ACCURACY = 2.5;

/** Twice the largest error at ACCURACY. */
export const WINDING_ERROR = 0.01;

/** A third of the work, with errors below QUICK_ERROR (0.09 was the largest of the same measurement). */
export const QUICK_ACCURACY = 1.35;
export const QUICK_ERROR = 0.15;

/** Precomputes the far field of every node. */
export function buildDipoles(bvh: Bvh): Dipoles {
  const data = new Float64Array(STRIDE * bvh.nodeCount);
  for (let node = 0; node < bvh.nodeCount; node++) fitDipole(bvh, node, data);
  return { data };
}

/** Each node sums over its own slots: n log n operations in all, and no moments have to be translated. */
function fitDipole(bvh: Bvh, node: number, data: Float64Array): void {
  const c = bvh.corners;
  const o = STRIDE * node;
  const start = 9 * bvh.first[node];
  const end = start + 9 * bvh.count[node];
  let area = 0;
  for (let k = start; k < end; k += 9) {
    areaVector(c, k);
    const a = Math.sqrt(nx * nx + ny * ny + nz * nz);
    area += a;
    for (let axis = 0; axis < 3; axis++)
      data[o + CENTRE + axis] += (a * (c[k + axis] + c[k + 3 + axis] + c[k + 6 + axis])) / 3;
    data[o + NORMAL] += nx;
    data[o + NORMAL + 1] += ny;
    data[o + NORMAL + 2] += nz;
  }
  for (let axis = 0; axis < 3; axis++) data[o + CENTRE + axis] /= area;
  for (let k = start; k < end; k += 9) addMoments(c, k, data, o);
}

/**
 * Adds a triangle's first moment C = n gᵀ and second moment n ⊗ m, where g is its centroid relative to the centre and
 * m = (aaᵀ + bbᵀ + ccᵀ + 9 ggᵀ)/12 its mean of o oᵀ. They enter the series as Q(r) = tr C |r|² − 3 rᵀCr and K(r) = 15/2
 * (n·r)(rᵀmr) − 3/2 |r|² (2 mn + tr(m) n)·r.
 */
function addMoments(c: Float64Array, k: number, data: Float64Array, o: number): void {
  areaVector(c, k);
  const [ox, oy, oz] = [data[o + CENTRE], data[o + CENTRE + 1], data[o + CENTRE + 2]];
  const gx = (c[k] + c[k + 3] + c[k + 6]) / 3 - ox;
  const gy = (c[k + 1] + c[k + 4] + c[k + 7]) / 3 - oy;
  const gz = (c[k + 2] + c[k + 5] + c[k + 8]) / 3 - oz;
  let [xx, yy, zz, xy, xz, yz] = [9 * gx * gx, 9 * gy * gy, 9 * gz * gz, 9 * gx * gy, 9 * gx * gz, 9 * gy * gz];
  for (let corner = k; corner < k + 9; corner += 3) {
    const dx = c[corner] - ox;
    const dy = c[corner + 1] - oy;
    const dz = c[corner + 2] - oz;
    data[o + RADIUS2] = Math.max(data[o + RADIUS2], dx * dx + dy * dy + dz * dz);
    xx += dx * dx;
    yy += dy * dy;
    zz += dz * dz;
    xy += dx * dy;
    xz += dx * dz;
    yz += dy * dz;
  }
  const trace = nx * gx + ny * gy + nz * gz;
  const q = o + QUADRATIC;
  data[q] += trace - 3 * nx * gx;
  data[q + 1] += trace - 3 * ny * gy;
  data[q + 2] += trace - 3 * nz * gz;
  data[q + 3] -= 3 * (nx * gy + ny * gx);
  data[q + 4] -= 3 * (nx * gz + nz * gx);
  data[q + 5] -= 3 * (ny * gz + nz * gy);
  const spread = xx + yy + zz;
  const vx = (2 * (xx * nx + xy * ny + xz * nz) + spread * nx) / 8;
  const vy = (2 * (xy * nx + yy * ny + yz * nz) + spread * ny) / 8;
  const vz = (2 * (xz * nx + yz * ny + zz * nz) + spread * nz) / 8;
  const f = 15 / 24;
  const t = o + CUBIC;
  data[t] += f * nx * xx - vx;
  data[t + 1] += f * ny * yy - vy;
  data[t + 2] += f * nz * zz - vz;
  data[t + 3] += f * (ny * xx + 2 * nx * xy) - vy;
  data[t + 4] += f * (nz * xx + 2 * nx * xz) - vz;
  data[t + 5] += f * (nx * yy + 2 * ny * xy) - vx;
  data[t + 6] += f * (nz * yy + 2 * ny * yz) - vz;
  data[t + 7] += f * (nx * zz + 2 * nz * xz) - vx;
  data[t + 8] += f * (ny * zz + 2 * nz * yz) - vy;
  data[t + 9] += 2 * f * (nx * yz + ny * xz + nz * xy);
}

// Area vector (½ ab × ac) that `areaVector` computed last.
let nx = 0;
let ny = 0;
let nz = 0;
function areaVector(c: Float64Array, k: number): void {
  const ux = c[k + 3] - c[k];
  const uy = c[k + 4] - c[k + 1];
  const uz = c[k + 5] - c[k + 2];
  const vx = c[k + 6] - c[k];
  const vy = c[k + 7] - c[k + 1];
  const vz = c[k + 8] - c[k + 2];
  nx = (uy * vz - uz * vy) / 2;
  ny = (uz * vx - ux * vz) / 2;
  nz = (ux * vy - uy * vx) / 2;
}

const stack = new Uint32Array(BVH_STACK_SIZE);

/**
 * Generalised winding number (Jacobson et al. 2013): how many times the surface winds around the point. It is 1 inside
 * a closed outward-facing mesh and 0 outside. For an open mesh it lies between, and ½ is the natural place of the
 * missing surface. Leaves near the point are summed exactly, far nodes by their dipoles.
 */
export function windingNumber(
  bvh: Bvh,
  dipoles: Dipoles,
  x: number,
  y: number,
  z: number,
  accuracy = ACCURACY,
): number {
  const d = dipoles.data;
  const beta2 = accuracy * accuracy;
  let total = 0;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    const o = STRIDE * node;
    const rx = d[o + CENTRE] - x;
    const ry = d[o + CENTRE + 1] - y;
    const rz = d[o + CENTRE + 2] - z;
    const r2 = rx * rx + ry * ry + rz * rz;
    if (r2 > beta2 * d[o + RADIUS2]) {
      const q = o + QUADRATIC;
      const k = o + CUBIC;
      const linear = rx * d[o + NORMAL] + ry * d[o + NORMAL + 1] + rz * d[o + NORMAL + 2];
      const quadratic =
        rx * (d[q] * rx + d[q + 3] * ry + d[q + 4] * rz) + ry * (d[q + 1] * ry + d[q + 5] * rz) + rz * rz * d[q + 2];
      const cubic =
        rx * rx * (d[k] * rx + d[k + 3] * ry + d[k + 4] * rz) +
        ry * ry * (d[k + 5] * rx + d[k + 1] * ry + d[k + 6] * rz) +
        rz * rz * (d[k + 7] * rx + d[k + 8] * ry + d[k + 2] * rz) +
        rx * ry * rz * d[k + 9];
      total += (linear + (quadratic + cubic / r2) / r2) / (r2 * Math.sqrt(r2));
    } else if (isLeaf(bvh, node)) {
      const end = bvh.first[node] + bvh.count[node];
      for (let slot = bvh.first[node]; slot < end; slot++) total += solidAngle(bvh.corners, 9 * slot, x, y, z);
    } else {
      stack[top++] = rightChild(bvh, node);
      stack[top++] = leftChild(node);
    }
  }
  return total / (4 * Math.PI);
}

/**
 * Whether the winding number exceeds ½. A quick evaluation comes first, an exact one only if that is not conclusive.
 */
export function isWoundAround(bvh: Bvh, dipoles: Dipoles, x: number, y: number, z: number): boolean {
  const quick = windingNumber(bvh, dipoles, x, y, z, QUICK_ACCURACY);
  return (Math.abs(quick - 0.5) > QUICK_ERROR ? quick : windingNumber(bvh, dipoles, x, y, z)) > 0.5;
}
