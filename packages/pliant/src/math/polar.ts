import { squared } from './elementary.js';
import { cofactorsInto, determinant, type Mat3, multiplyInto, normSquared, transposeInto } from './mat3.js';
import { alignSecond, svdInto } from './svd.js';
import { POLAR } from './tolerances.js';

/**
 * Rotation of the polar decomposition of M, always proper (SPEC M4): the R of det +1 that maximises tr(RᵀM).
 *
 * For regular shapes Newton's iteration X ← (γX + X⁻ᵀ/γ)/2 with Higham's scaling γ² = ‖X⁻ᵀ‖/‖X‖ converges quadratically
 * in 3 to 6 rounds. Flat, collinear, inverted and vanishing matrices are decomposed by the SVD. With `reflect` an
 * inverted M keeps its reflection: det R = −1, the nearest orthogonal matrix (research scenes only).
 */
export function polarInto(r: Mat3, m: Mat3, reflect = false): void {
  const norm = Math.sqrt(normSquared(m));
  const scale = norm > 1e-140 ? Math.sqrt(3) / norm : 0;
  for (let k = 0; k < 9; k++) X[k] = m[k] * scale;
  const det = determinant(X);
  if (det > POLAR.REGULAR || (reflect && det < -POLAR.REGULAR)) {
    newtonInto(r, Math.abs(det) > POLAR.NEAR);
    return;
  }
  svdInto(U, S, V, m);
  if (S[1] < POLAR.COLLINEAR * S[0]) alignSecond(U, V);
  else if (S[2] < 0) {
    if (reflect) for (let k = 6; k < 9; k++) U[k] = -U[k];
    else if (-S[2] > POLAR.TIED * S[1]) {
      flipTiedInto(r, -S[2] > POLAR.TIED * S[0]);
      return;
    }
  }
  transposeInto(V, V);
  multiplyInto(r, U, V);
}

// Scratch, 9 numbers each (S and N: 3).
const X = new Float64Array(9);
const C = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const S = new Float64Array(3);
const N = new Float64Array(3);

function newtonInto(r: Mat3, near: boolean): void {
  let change = near ? 0 : 1;
  for (let round = 0; round < POLAR.MAX_ROUNDS; round++) {
    cofactorsInto(C, X);
    const det = X[0] * C[0] + X[1] * C[1] + X[2] * C[2];
    const gamma = change > POLAR.SCALED ? Math.sqrt(Math.sqrt(normSquared(C) / normSquared(X)) / Math.abs(det)) : 1;
    const a = 0.5 * gamma;
    const b = 0.5 / (gamma * det);
    change = 0;
    for (let k = 0; k < 9; k++) {
      const next = a * X[k] + b * C[k];
      change += squared(next - X[k]);
      X[k] = next;
    }
    if (change < POLAR.CONVERGED) break;
  }
  for (let k = 0; k < 9; k++) r[k] = X[k];
}

/**
 * Rotation of an inverted cluster whose smallest singular values are equal.
 *
 * In general the direction of smallest singular value is flipped. In an exactly mirrored cluster two or three singular
 * values are equal, and rounding would choose the direction: neighbours flip differently and keep each other inverted
 * for ever (a block of 8 clusters did). So all clusters flip the same rest axis: n is the first of x, y, z that lies
 * mostly in the span of the tied directions, projected into that span. R = O (I − 2nnᵀ) with O = U diag(1, 1, −1) Vᵀ.
 */
function flipTiedInto(r: Mat3, allTied: boolean): void {
  let axis = 0;
  if (!allTied) while (axis < 2 && V[axis] * V[axis] > 0.5) axis++;
  for (let a = 0; a < 3; a++) N[a] = (a === axis ? 1 : 0) - (allTied ? 0 : V[axis] * V[a]);
  const scale = 1 / Math.sqrt(N[0] * N[0] + N[1] * N[1] + N[2] * N[2]);
  for (let a = 0; a < 3; a++) N[a] *= scale;
  // V := (I − 2nnᵀ) V mirrors the rest directions, and U₃ := −U₃ makes O of U.
  for (let j = 0; j < 3; j++) {
    const twice = 2 * (N[0] * V[3 * j] + N[1] * V[3 * j + 1] + N[2] * V[3 * j + 2]);
    for (let a = 0; a < 3; a++) V[3 * j + a] -= twice * N[a];
  }
  for (let k = 6; k < 9; k++) U[k] = -U[k];
  transposeInto(V, V);
  multiplyInto(r, U, V);
}
