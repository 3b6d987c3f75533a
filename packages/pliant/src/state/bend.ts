import { cbrt, squared } from '../math/elementary.js';
import { pseudoInverseOf } from '../math/pseudoInverse.js';
import { svdInto } from '../math/svd.js';
import { metricRoots } from './elasticity.js';
import type { Views } from './layout.js';
import { Soft } from './soft.js';

/**
 * The six products of an offset p: xx yy zz xy yz zx. With x y z they are the q̃ of Müller 2005. They are taken in the
 * axes of A_rr. In other axes the small products of an oblique bar are differences of large ones, and f32 rounding made
 * a bar of 2 m × 6 cm oscillate by 17 mm/s.
 */
export const PRODUCTS = 6;
/**
 * Eigenvalues of A_bb below this share of m·width⁴ count as 0. A bound relative to the largest eigenvalue lost: b of
 * four members, which a linear map fits exactly, is only rounding, 1e-7 of the products, and the goals were at 1e20 m.
 * With this value a bar 100 times as long as thick still bends across.
 */
const FLAT = 1e-9;

const q = new Float64Array(PRODUCTS);
const mean = new Float64Array(PRODUCTS);
/** L: the linear part of the products, 6×3 by columns. */
const slope = new Float64Array(3 * PRODUCTS);
const A = new Float64Array(PRODUCTS * PRODUCTS);
const inverse = new Float64Array(PRODUCTS * PRODUCTS);
const vectors = new Float64Array(PRODUCTS * PRODUCTS);

/**
 * Writes the constants of a cluster that goals following the deformation need, beside A_rr⁻¹. Its row of `softness`
 * must be written before.
 */
export function describeGoals(s: Views, row: number): void {
  const order = s.softness[8 * row + Soft.ORDER];
  if (order > 0) describeRoot(s, row);
  if (order === 2) describeBend(s, row);
}

const moment = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const values = new Float64Array(3);

/**
 * Writes the axes of A_rr, and W = √A_rr/∛det √A_rr. ‖(F − A) W‖ measures the distance of members at F p from goals
 * A p. Not used for sheets, whose A_rr has no root of determinant 1.
 */
function describeRoot(s: Views, row: number): void {
  const [xx, yy, zz, xy, xz, yz] = s.restMoment.subarray(6 * row, 6 * row + 6);
  moment.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  svdInto(U, values, V, moment);
  for (let k = 0; k < 9; k++) s.bendAxes[12 * row + 4 * (k % 3) + Math.floor(k / 3)] = V[k];
  const W = s.restRoot.subarray(6 * row, 6 * row + 6);
  // Not in one expression, see state/elasticity.ts.
  W.fill(0);
  if (!(values[2] > 0)) return;
  // With the elastic law deformations are weighted by B = S A_rr, which has the axes of A_rr.
  const roots = s.softness[8 * row + Soft.LAW] === 1 ? metricRoots(s, row, V, values) : values.map(Math.sqrt);
  const unit = cbrt(roots[0] * roots[1] * roots[2]);
  // The cluster of a sheet: its law has no part across it.
  if (!(unit > 0)) return;
  for (let k = 0; k < 3; k++) {
    const [x, y, z] = V.subarray(3 * k, 3 * k + 3);
    [x * x, y * y, z * z, x * y, x * z, y * z].forEach((v, e) => {
      W[e] += (v * roots[k]) / unit;
    });
  }
}

/**
 * Writes the constants by which a cluster fits bending: the mean q̄ of the products q, the matrix L of the linear map
 * nearest to them, and the pseudo-inverse of A_bb = Σ m w b bᵀ with b = q − q̄ − L p.
 *
 * Müller 2005 fits A and the products together by a 9×9 matrix. b is orthogonal to the constants and to p, so the same
 * fit separates into F, which linear goals have too, and B = A_xb A_bb⁻¹. Also Σ m w b = 0: the centre of the goals is
 * that of the members. With q in place of b it is not, and momentum would not be conserved.
 */
function describeBend(s: Views, row: number): void {
  const { member, restShift } = s;
  const [first, last] = [4 * s.memberStart[row], 4 * s.memberStart[row + 1]];
  const axes = s.bendAxes.subarray(12 * row, 12 * row + 12);
  const [sx, sy, sz] = restShift.subarray(3 * row, 3 * row + 3);
  mean.fill(0);
  slope.fill(0);
  A.fill(0);
  for (let o = first; o < last; o += 4) {
    productsInto(q, axes, member[o], member[o + 1], member[o + 2]);
    for (let k = 0; k < PRODUCTS; k++) mean[k] += (member[o + 3] * q[k]) / s.clusterMass[row];
  }
  // L = (Σ m w q pᵀ) A_rr⁻¹.
  for (let o = first; o < last; o += 4) {
    productsInto(q, axes, member[o], member[o + 1], member[o + 2]);
    for (let k = 0; k < PRODUCTS; k++) {
      const y = member[o + 3] * (q[k] - mean[k]);
      slope[k] += y * (member[o] - sx);
      slope[6 + k] += y * (member[o + 1] - sy);
      slope[12 + k] += y * (member[o + 2] - sz);
    }
  }
  const R = s.restInverse.subarray(9 * row, 9 * row + 9);
  for (let k = 0; k < PRODUCTS; k++) {
    const [x, y, z] = [slope[k], slope[6 + k], slope[12 + k]];
    for (let j = 0; j < 3; j++) slope[6 * j + k] = x * R[3 * j] + y * R[3 * j + 1] + z * R[3 * j + 2];
  }
  for (let o = first; o < last; o += 4) {
    const [x, y, z] = [member[o], member[o + 1], member[o + 2]];
    productsInto(q, axes, x, y, z);
    for (let k = 0; k < PRODUCTS; k++)
      q[k] -= mean[k] + slope[k] * (x - sx) + slope[6 + k] * (y - sy) + slope[12 + k] * (z - sz);
    for (let a = 0; a < PRODUCTS; a++)
      for (let b = 0; b < PRODUCTS; b++) A[PRODUCTS * a + b] += member[o + 3] * q[a] * q[b];
  }
  pseudoInverseOf(inverse, A, vectors, PRODUCTS, FLAT * s.clusterMass[row] * squared(squared(s.width[row])));
  s.bendRest.set(mean, 24 * row);
  s.bendRest.set(slope, 24 * row + 6);
  s.bendInverse.set(inverse, 36 * row);
}

/** Products of the offset (px, py, pz), rotated by `axes`. */
export function productsInto(out: Float64Array, axes: Float32Array, px: number, py: number, pz: number): void {
  const x = axes[0] * px + axes[4] * py + axes[8] * pz;
  const y = axes[1] * px + axes[5] * py + axes[9] * pz;
  const z = axes[2] * px + axes[6] * py + axes[10] * pz;
  out[0] = x * x;
  out[1] = y * y;
  out[2] = z * z;
  out[3] = x * y;
  out[4] = y * z;
  out[5] = z * x;
}
