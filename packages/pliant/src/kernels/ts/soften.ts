import { cbrt, squared } from '../../math/elementary.js';
import { cofactorsInto, determinant, multiplyInto, normSquared, transposeInto } from '../../math/mat3.js';
import { svdInto } from '../../math/svd.js';
import { PRODUCTS, productsInto } from '../../state/bend.js';
import { FIELDS, Row, Vector } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { Soft } from '../../state/soft.js';
import { SOFTEN } from '../constants.js';

// Scratch: 3×3 matrices by columns; B is 3×6.
const A = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const S = new Float64Array(3);
const W = new Float64Array(9);
const M = new Float64Array(9);
const Q = new Float64Array(9);
const B = new Float64Array(3 * PRODUCTS);
const X = new Float64Array(3 * PRODUCTS);
const q = new Float64Array(PRODUCTS);
const { BY_X, BY_Y, BY_Z } = FIELDS.bendRest;

/**
 * SPEC M5: R := β A + (1 − β) R, with A the deformation F^e, scaled to determinant 1 if volume is to be kept. For a
 * body that has flowed (P is F^p) F^e = F F^p⁻¹ and the goals are this matrix times F^p p: the body follows its
 * deformation from its flowed rest shape. For quadratic goals B, the factor of the members' b, is kept for foldBend.
 */
export function soften(
  s: Views,
  c: number,
  R: Float64Array,
  F: Float64Array,
  P: Float64Array | undefined,
  centre: Float64Array,
): void {
  const o = Row.softness * c;
  const beta = s.softness[o + Soft.BETA];
  const quadratic = s.softness[o + Soft.ORDER] === 2;
  A.set(F);
  const flat = completeSheet(s, c, R);
  const asked = flat ? 0 : s.softness[o + Soft.VOLUME];
  const kept = keptOfA(asked === 1 && s.softness[o + Soft.LAW] === 1);
  if (quadratic) fitBend(s, c, centre, kept);
  else B.fill(0);
  const volume = kept === 0 ? 0 : asked;
  if (volume === 1) nearestVolume(s, c, P);
  // The nearest A and R each pull without a torque, and so does their blend. The nearest to a blend would not.
  if (kept < 1) for (let k = 0; k < 9; k++) A[k] = kept > 0 ? kept * A[k] + (1 - kept) * R[k] : R[k];
  const det = determinant(A);
  if (!(det > SOFTEN.SMALLEST)) {
    A.set(R);
    B.fill(0);
  } else if (volume === 2) {
    const scale = 1 / cbrt(det);
    for (let k = 0; k < 9; k++) A[k] *= scale;
    for (let k = 0; k < B.length; k++) B[k] *= scale;
  }
  limitArea(s, c, R);
  for (let k = 0; k < 9; k++) A[k] = beta * A[k] + (1 - beta) * R[k];
  for (let k = 0; k < B.length; k++) B[k] *= beta;
  // Shortened rows, or a rotation other than that of F^e, could invert the goals. Of 441 000 random deformations none
  // did.
  if (determinant(A) > 0) R.set(A);
}

/**
 * F of a sheet of one layer or of a line is 0 across it: there A takes R. It has no volume to keep either, since its
 * thickness is not simulated. N = I − A_rr A_rr⁺ is the projection on the directions without extent; its trace is their
 * number.
 */
function completeSheet(s: Views, c: number, R: Float64Array): boolean {
  const [xx, yy, zz, xy, xz, yz] = s.restMoment.subarray(Row.restMoment * c, Row.restMoment * (c + 1));
  const Q = s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1));
  for (let j = 0; j < 3; j++) {
    const [x, y, z] = Q.subarray(Vector.WIDTH * j, Vector.WIDTH * (j + 1));
    U[3 * j] = -(xx * x + xy * y + xz * z);
    U[3 * j + 1] = -(xy * x + yy * y + yz * z);
    U[3 * j + 2] = -(xz * x + yz * y + zz * z);
    U[4 * j] += 1;
  }
  if (!(U[0] + U[4] + U[8] > 0.5)) return false;
  for (let j = 0; j < 3; j++)
    for (let i = 0; i < 3; i++) A[3 * j + i] += R[i] * U[3 * j] + R[3 + i] * U[3 * j + 1] + R[6 + i] * U[3 * j + 2];
  return true;
}

/** κ, by which A is blended with R: 1 for shapes that are nowhere thin, 0 for flat and inverted ones; with the volume of an elastic law 1 for all that are not inverted. */
function keptOfA(lawful: boolean): number {
  if (lawful) {
    if (determinant(A) >= 0) return 1;
    svdInto(U, S, V, A);
    return Math.max(0, 1 - S[2] / SOFTEN.INVERTED);
  }
  // σ₃ = det/(σ₁σ₂) is at least 2 det/‖A‖²: most shapes need no singular values.
  if (2 * determinant(A) >= SOFTEN.THIN * normSquared(A)) return 1;
  svdInto(U, S, V, A);
  if (S[2] >= SOFTEN.THIN) return 1;
  return S[2] > 0 ? S[2] / SOFTEN.THIN : 0;
}

/**
 * A := the matrix of determinant 1 whose goals A F^p p are nearest to those of the given A: Σ m w |…|² is least. With
 * M = A F^p W (state/bend.ts) that is the least ‖M' − M‖ with det M' = 1: M' = M + u M'⁻ᵀ with a number u. The pull to
 * these goals is the gradient of a squared distance: it adds no energy and no torque.
 */
function nearestVolume(s: Views, c: number, P: Float64Array | undefined): void {
  const det = determinant(A);
  if (Math.abs(det - 1) < SOFTEN.SAME_VOLUME) return;
  const [xx, yy, zz, xy, xz, yz] = s.restRoot.subarray(Row.restRoot * c, Row.restRoot * (c + 1));
  W.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  if (P) multiplyInto(M, P, W);
  else M.set(W);
  multiplyInto(Q, A, M);
  if (!findByCofactors(det)) findByAxes();
  // W and F^p W have determinant 1, so that their inverses are cofactors.
  cofactorsInto(V, M);
  transposeInto(V, V);
  multiplyInto(A, Q, V);
}

/**
 * Q := M', near determinant 1. In each round M + u D takes the place of M', with D = M'⁻ᵀ and the u for which its determinant is 1, a cubic polynomial in u:
 * det M + u cof(M):D + u² M:cof(D) + u³ det D. Returns whether that converged.
 */
function findByCofactors(det: number): boolean {
  if (!(Math.abs(det - 1) < SOFTEN.NEAR_VOLUME)) return false;
  cofactorsInto(U, Q);
  V.set(Q);
  let u = 0;
  for (let round = 0; round < SOFTEN.COFACTOR_ROUNDS; round++) {
    cofactorsInto(W, V);
    const d = round === 0 ? det : 1;
    let linear = 0;
    let square = 0;
    for (let k = 0; k < 9; k++) {
      linear += U[k] * W[k];
      square += Q[k] * V[k];
    }
    // Newton's method. D is cof(M')/d: the factor of cof(M') is found. Later rounds begin near it.
    for (let n = round === 0 ? 0 : 2; n < 3; n++)
      u -= (det - 1 + u * (linear + u * (square * d + u * d * d))) / (linear + u * (2 * square * d + 3 * u * d * d));
    let change = 0;
    for (let k = 0; k < 9; k++) {
      const value = Q[k] + u * W[k];
      change += squared(value - V[k]);
      V[k] = value;
    }
    if (change < SOFTEN.FOUND) {
      Q.set(V);
      return true;
    }
  }
  return false;
}

/** Q := M', by its singular values. It has the axes of M, and singular values s with s (s − σ) = u, the same u for all. */
function findByAxes(): void {
  svdInto(U, S, V, Q);
  raiseToUnitVolume();
  transposeInto(V, V);
  for (let k = 0; k < 9; k++) U[k] *= S[Math.floor(k / 3)];
  multiplyInto(Q, U, V);
}

/**
 * S: s = (σ + √(σ² + 4u))/2 with the u for which the product of all s is 1. The product grows with u and is above 1 at
 * u = 1. The lower bound of u is where the smallest s would be two thirds of its σ. Below half of σ there is no nearest
 * matrix, and close to that a small change of F moves s far.
 */
function raiseToUnitVolume(): void {
  let low = -0.225 * S[2] * S[2];
  let high = 1;
  let u = 0;
  for (let round = 0; round < SOFTEN.VOLUME_ROUNDS; round++) {
    let product = 1;
    let slope = 0;
    for (let k = 0; k < 3; k++) {
      const root = Math.sqrt(S[k] * S[k] + 4 * u);
      const value = (S[k] + root) / 2;
      product *= value;
      slope += 1 / (value * root);
    }
    if (Math.abs(product - 1) < 1e-12) break;
    if (product > 1) high = u;
    else low = u;
    const next = u - (product - 1) / (product * slope);
    u = next > low && next < high ? next : (low + high) / 2;
  }
  for (let k = 0; k < 3; k++) S[k] = (S[k] + Math.sqrt(S[k] * S[k] + 4 * u)) / 2;
}

/** B = κ A_xb A_bb⁻¹ (state/bend.ts). */
function fitBend(s: Views, c: number, centre: Float64Array, kept: number): void {
  const { x, member, memberParticle } = s;
  const [sx, sy, sz] = s.restShift.subarray(Row.restShift * c, Row.restShift * (c + 1));
  const axes = s.bendAxes.subarray(Row.bendAxes * c, Row.bendAxes * (c + 1));
  const rest = s.bendRest.subarray(Row.bendRest * c, Row.bendRest * (c + 1));
  const G = s.bendInverse.subarray(Row.bendInverse * c, Row.bendInverse * (c + 1));
  X.fill(0);
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
    const [px, py, pz, mw] = member.subarray(Row.member * k, Row.member * (k + 1));
    productsInto(q, axes, px, py, pz);
    for (let b = 0; b < PRODUCTS; b++) {
      const along = rest[BY_X + b] * (px - sx) + rest[BY_Y + b] * (py - sy) + rest[BY_Z + b] * (pz - sz);
      const y = mw * (q[b] - rest[b] - along);
      for (let a = 0; a < 3; a++) X[3 * b + a] += y * (x[Row.x * memberParticle[k] + a] - centre[a]);
    }
  }
  for (let j = 0; j < PRODUCTS; j++)
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let b = 0; b < PRODUCTS; b++) sum += X[3 * b + i] * G[FIELDS.bendInverse.COLUMN * j + b];
      B[3 * j + i] = kept * sum;
    }
}

/**
 * [H07] 3.1.3: returns φ up to `from`; beyond it the result grows more slowly and stays below `max`. With from = max it
 * is a hard bound.
 */
function capped(phi: number, from: number, max: number): number {
  return phi <= from ? phi : max - (from / phi) * (max - from);
}

/**
 * SPEC M6, [H07] 3.1.2 with ‖A‖²/3 in the place of ‖A‖². The quadratic part counts by its stretch at the cluster's
 * edge: B times the width is added to A.
 */
function limitArea(s: Views, c: number, R: Float64Array): void {
  const o = Row.softness * c;
  const clamp = s.softness[o + Soft.CLAMP];
  if (clamp === 0) return;
  const [max, from] = [s.softness[o + Soft.MAX], s.softness[o + Soft.FROM]];
  const width2 = s.width[c] * s.width[c];
  if (clamp === 1) {
    for (let i = 0; i < 3; i++) {
      const square = squared(A[i]) + squared(A[3 + i]) + squared(A[6 + i]) + width2 * rowSquared(i);
      const goal = capped(square, from, max);
      if (!(goal < square)) continue;
      const scale = Math.sqrt(goal / square);
      for (let j = 0; j < 9; j += 3) A[j + i] *= scale;
      for (let j = 0; j < B.length; j += 3) B[j + i] *= scale;
    }
    return;
  }
  const bent = width2 * (rowSquared(0) + rowSquared(1) + rowSquared(2));
  const phi = (normSquared(A) + bent) / 3;
  const goal = capped(phi, from, max);
  if (!(goal < phi)) return;
  const gamma = clamp === 2 ? exactShare(R, bent, goal) : goal / phi;
  for (let k = 0; k < 9; k++) A[k] = gamma * A[k] + (1 - gamma) * R[k];
  for (let k = 0; k < B.length; k++) B[k] *= gamma;
}

function rowSquared(i: number): number {
  let sum = 0;
  for (let j = i; j < B.length; j += 3) sum += B[j] * B[j];
  return sum;
}

/**
 * γ of ‖R + γ (A − R)‖² = 3 goal: the one root in [0, 1], in the form that divides by no difference. If A is R, as for
 * a flat cluster, γ is 1: only the rounding of ‖R‖² put it above the cap. Rounding may also leave a goal slightly below
 * 1, or A so near to R that the root comes out far above 1.
 */
function exactShare(R: Float64Array, bent: number, goal: number): number {
  let a = bent;
  let b = 0;
  for (let k = 0; k < 9; k++) {
    a += squared(A[k] - R[k]);
    b += (A[k] - R[k]) * R[k];
  }
  if (a === 0) return 1;
  const growth = Math.max(0, goal - 1);
  const root = Math.sqrt(b * b + 3 * a * growth);
  return b > 0 ? (3 * growth) / (b + root) : Math.min(1, (root - b) / a);
}

/**
 * Goals in the form that integrate reads: T p + B b(p) = (T − B L) p + B q(p) − B q̄. Subtracts B L from T (which
 * contains F^p), writes B to `bend`, and sets shift := −B q̄.
 */
export function foldBend(s: Views, c: number, T: Float64Array, shift: Float64Array): void {
  const rest = s.bendRest.subarray(Row.bendRest * c, Row.bendRest * (c + 1));
  shift.fill(0);
  for (let b = 0; b < PRODUCTS; b++)
    for (let i = 0; i < 3; i++) {
      const v = B[3 * b + i];
      for (let j = 0; j < 3; j++) T[3 * j + i] -= v * rest[BY_X + PRODUCTS * j + b];
      shift[i] -= v * rest[b];
      s.bend[Row.bend * c + FIELDS.bend.COLUMN * b + i] = v;
    }
}
