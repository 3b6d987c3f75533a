import { hypot, squared } from './elementary.js';
import type { Mat3 } from './mat3.js';
import { SVD } from './tolerances.js';

/**
 * Singular value decomposition M = U Σ Vᵀ of a 3×3 matrix by one-sided Jacobi rotations (Hestenes 1958): columns of
 * B = M V are turned against each other until they are orthogonal. Unlike the eigenvalues of MᵀM this keeps small
 * singular values to high relative accuracy (Demmel & Veselić 1992).
 *
 * U and V are always proper rotations and σ₁ ≥ σ₂ ≥ |σ₃|. σ₃ has the sign of the determinant, so that U Vᵀ is the
 * proper rotation nearest to M (Umeyama 1991; SPEC M4). If M does not determine all directions: u₃ = u₁ × u₂ for a flat
 * M, u₂ by alignSecond for a line, and U = V = I for zero.
 */
export function svdInto(u: Mat3, sigma: Mat3 | Float32Array, v: Mat3, m: Mat3): void {
  orthogonaliseColumns(m, v);
  // Lengths of the columns of B, and their order: i0 the longest.
  const n0 = columnLength(0);
  const n1 = columnLength(1);
  const n2 = columnLength(2);
  let i0 = 0;
  let i1 = 1;
  let i2 = 2;
  if (n1 > n0) [i0, i1] = [1, 0];
  if (n2 > length(i1, n0, n1, n2)) [i1, i2] = [2, i1];
  if (length(i1, n0, n1, n2) > length(i0, n0, n1, n2)) [i0, i1] = [i1, i0];
  const s0 = length(i0, n0, n1, n2);
  const s1 = length(i1, n0, n1, n2);

  copyColumn(P, 0, v, i0);
  copyColumn(P, 1, v, i1);
  crossColumn(P, 2, 0, 1);
  for (let k = 0; k < 9; k++) v[k] = P[k];

  if (s0 < SVD.SMALLEST) {
    for (let k = 0; k < 9; k++) u[k] = v[k] = k % 4 === 0 ? 1 : 0;
    sigma[0] = sigma[1] = sigma[2] = 0;
    return;
  }
  for (let k = 0; k < 3; k++) u[k] = B[3 * i0 + k] / s0;
  if (s1 > SVD.SMALLEST) {
    // Orthogonal to u₁ already up to rounding. Repeated, so that rounding of a tiny b₂ cannot tilt U.
    const dot = (B[3 * i1] * u[0] + B[3 * i1 + 1] * u[1] + B[3 * i1 + 2] * u[2]) / s1;
    for (let k = 0; k < 3; k++) u[3 + k] = B[3 * i1 + k] / s1 - dot * u[k];
    const scale = 1 / hypot(u[3], u[4], u[5]);
    for (let k = 3; k < 6; k++) u[k] *= scale;
    crossColumn(u, 2, 0, 1);
  } else alignSecond(u, v);
  sigma[0] = s0;
  sigma[1] = s1;
  // The sign is negative if M inverts orientation. |b₃| itself is accurate; its sign is that of b₃·u₃.
  const side = B[3 * i2] * u[6] + B[3 * i2 + 1] * u[7] + B[3 * i2 + 2] * u[8];
  const handed = v[6] * V[3 * i2] + v[7] * V[3 * i2 + 1] + v[8] * V[3 * i2 + 2];
  const s2 = length(i2, n0, n1, n2);
  sigma[2] = side * handed < 0 ? -s2 : s2;
}

// Scratch, 9 numbers each: B = M V, V, and V sorted.
const B = new Float64Array(9);
const V = new Float64Array(9);
const P = new Float64Array(9);

function orthogonaliseColumns(m: Mat3, v: Mat3): void {
  for (let k = 0; k < 9; k++) {
    B[k] = m[k];
    V[k] = k % 4 === 0 ? 1 : 0;
  }
  for (let sweep = 0; sweep < SVD.MAX_SWEEPS; sweep++) {
    const turned = rotateColumns(0, 1) + rotateColumns(0, 2) + rotateColumns(1, 2);
    if (turned === 0) break;
  }
  for (let k = 0; k < 9; k++) v[k] = V[k];
}

/** Turns columns p and q of B, and of V, so that those of B become orthogonal; 0 if they were. */
function rotateColumns(p: number, q: number): number {
  const a = 3 * p;
  const b = 3 * q;
  const alpha = B[a] * B[a] + B[a + 1] * B[a + 1] + B[a + 2] * B[a + 2];
  const beta = B[b] * B[b] + B[b + 1] * B[b + 1] + B[b + 2] * B[b + 2];
  const gamma = B[a] * B[b] + B[a + 1] * B[b + 1] + B[a + 2] * B[b + 2];
  if (Math.abs(gamma) <= SVD.ORTHOGONAL * Math.sqrt(alpha * beta) || gamma === 0) return 0;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let k = 0; k < 3; k++) {
    const bp = B[a + k];
    B[a + k] = c * bp - s * B[b + k];
    B[b + k] = s * bp + c * B[b + k];
    const vp = V[a + k];
    V[a + k] = c * vp - s * V[b + k];
    V[b + k] = s * vp + c * V[b + k];
  }
  return 1;
}

const columnLength = (j: number) => Math.sqrt(squared(B[3 * j]) + squared(B[3 * j + 1]) + squared(B[3 * j + 2]));
const length = (j: number, n0: number, n1: number, n2: number) => (j === 0 ? n0 : j === 1 ? n1 : n2);

function copyColumn(out: Mat3, j: number, from: Mat3, k: number): void {
  for (let i = 0; i < 3; i++) out[3 * j + i] = from[3 * k + i];
}

/** Column j of m becomes (column a) × (column b). */
function crossColumn(m: Mat3, j: number, a: number, b: number): void {
  m[3 * j] = m[3 * a + 1] * m[3 * b + 2] - m[3 * a + 2] * m[3 * b + 1];
  m[3 * j + 1] = m[3 * a + 2] * m[3 * b] - m[3 * a] * m[3 * b + 2];
  m[3 * j + 2] = m[3 * a] * m[3 * b + 1] - m[3 * a + 1] * m[3 * b];
}

/**
 * Chooses u₂ and u₃ so that U Vᵀ is the smallest rotation Q taking v₁ to u₁ (half a turn about v₂ if they are
 * opposite). It is the same for all clusters of a body squeezed into a line, so that they unfold alike.
 */
export function alignSecond(u: Mat3, v: Mat3): void {
  const cos = v[0] * u[0] + v[1] * u[1] + v[2] * u[2];
  if (cos < -1 + 1e-9) {
    // u₁ is −v₁ only nearly: v₂ is projected into the plane across u₁.
    const d = u[0] * v[3] + u[1] * v[4] + u[2] * v[5];
    for (let k = 0; k < 3; k++) u[3 + k] = v[3 + k] - d * u[k];
    crossColumn(u, 2, 0, 1);
    return;
  }
  // Q w = w + a×w + a×(a×w)/(1+cos) with a = v₁×u₁; for w = v₂ ⟂ v₁ this is v₂ − (v₁+u₁)(u₁·v₂)/(1+cos).
  const d = (u[0] * v[3] + u[1] * v[4] + u[2] * v[5]) / (1 + cos);
  for (let k = 0; k < 3; k++) u[3 + k] = v[3 + k] - (v[k] + u[k]) * d;
  const scale = 1 / hypot(u[3], u[4], u[5]);
  for (let k = 3; k < 6; k++) u[k] *= scale;
  crossColumn(u, 2, 0, 1);
}
