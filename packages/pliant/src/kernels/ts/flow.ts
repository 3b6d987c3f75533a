import { bestTrace } from '../../math/bestTrace.js';
import { cbrt, squared } from '../../math/elementary.js';
import { determinant, multiplyInto, transposeInto } from '../../math/mat3.js';
import { polarInto } from '../../math/polar.js';
import { power } from '../../math/power.js';
import { svdInto } from '../../math/svd.js';
import { Matrix, Row } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { FLOW } from '../constants.js';

// Scratch: 3×3 matrices by columns; S holds singular values, D (F*)^γ, `root` its repeated square roots.
const P = new Float64Array(9);
const M = new Float64Array(9);
const Q = new Float64Array(9);
const V = new Float64Array(9);
const W = new Float64Array(9);
const S = new Float64Array(3);
const D = new Float64Array(3);
const root = new Float64Array(3);

/**
 * SPEC P1, [J16] 9 to 14 with the formulas corrected: a cluster flows when the volume-preserving part F* = Σ^e/∛det Σ^e
 * of its elastic stretch is farther from I than λ + K α_c. α_c accumulates elastic strain too, in every step.
 *
 * `lawful`: α_c accumulates the strain that became permanent, ‖(F*)^γ − I‖, and nothing else. Flow raises the yield by
 * K times itself, so the share 1/(1 + K) of the excess brings the strain to the new yield.
 */
export function flowClusters(
  s: Views,
  start: number,
  end: number,
  flowRate: number,
  hardening: number,
  dissipative: boolean,
  lawful = false,
): number {
  let flowed = 0;
  const rate = lawful ? flowRate / (1 + hardening) : flowRate;
  for (let c = start; c < end; c++) {
    const [xx, yy, zz, xy, xz, yz] = s.elastic.subarray(Row.elastic * c, Row.elastic * (c + 1));
    const strain = Math.sqrt(squared(xx - 1) + squared(yy - 1) + squared(zz - 1) + 2 * (xy * xy + xz * xz + yz * yz));
    const yieldAt = Math.max(0, s.clusterYield[c] + hardening * s.hardened[c]);
    if (!(strain < FLOW.ABSURD)) continue;
    if (!lawful) s.hardened[c] += strain;
    if (strain <= FLOW.SMALL && FLOW.BOUND * strain <= yieldAt) continue;
    M.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    if (!stretchBeyond(yieldAt, rate)) continue;
    turnAxes(s, c);
    if (dissipative && !sparing(s, c, lawful)) continue;
    if (!takeOver(s, c)) continue;
    flowed++;
    if (lawful) s.hardened[c] += Math.sqrt(squared(D[0] - 1) + squared(D[1] - 1) + squared(D[2] - 1));
  }
  return flowed;
}

/** Decomposes the stretch M = V Σ Vᵀ into S and V, and sets D := (F*)^γ. Returns whether it is beyond the yield. */
function stretchBeyond(yieldAt: number, flowRate: number): boolean {
  svdInto(Q, S, V, M);
  if (!(S[2] >= FLOW.FLAT)) return false;
  const unit = 1 / cbrt(S[0] * S[1] * S[2]);
  let square = 0;
  for (let k = 0; k < 3; k++) {
    D[k] = S[k] * unit;
    square += squared(D[k] - 1);
  }
  const norm = Math.sqrt(square);
  if (!(norm > yieldAt)) return false;
  const gamma = Math.min(1, (flowRate * (norm - yieldAt)) / norm);
  if (gamma < 1) {
    D[0] = power(D[0], gamma);
    D[2] = power(D[2], gamma);
    // The product of D is 1.
    D[1] = 1 / (D[0] * D[2]);
  }
  return true;
}

/** M := Vᵀ F^p. */
function turnAxes(s: Views, c: number): void {
  P.set(s.plastic.subarray(Row.plastic * c, Row.plastic * (c + 1)));
  transposeInto(V, V);
  multiplyInto(M, V, P);
}

/**
 * Reduces D so that flow does not raise the cluster's elastic energy. Returns whether any flow is left.
 *
 * The elastic energy is Σ m w |x − goal|² with the best rotation. In a cluster whose volume is squeezed (σ = 1, 0.1,
 * 0.1: F* = 4.6, 0.46, 0.46) full flow would move the goals far outside the particles, and bodies that fell on a floor
 * bounced ever higher. γ is found by bisection, which takes square roots only.
 *
 * By the elastic law the metric is S A_rr in the place of A_rr (state/elasticity.ts). Its energy of volume does not
 * change: det F^p is 1.
 */
function sparing(s: Views, c: number, lawful: boolean): boolean {
  const [xx, yy, zz, xy, xz, yz] = s.restMoment.subarray(Row.restMoment * c, Row.restMoment * (c + 1));
  // W = B A_rr Bᵀ with B = Vᵀ F^p, which is in M.
  Q.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  if (lawful) {
    multiplyInto(W, s.elasticity.subarray(Row.elasticity * c, Row.elasticity * c + Matrix.WIDTH), Q);
    Q.set(W);
  }
  transposeInto(P, M);
  multiplyInto(W, Q, P);
  multiplyInto(Q, M, W);
  W.set(Q);
  const before = energy(1, 1, 1);
  if (energy(D[0], D[1], D[2]) <= before) return true;
  root.set(D);
  for (let n = 0; n < FLOW.GAMMA_DIGITS; n++) halve(root);
  // In many clusters no flow is allowed, step after step; this test ends the search for them at once.
  if (energy(root[0], root[1], root[2]) > before) return false;
  root.set(D);
  D.fill(1);
  for (let n = 0; n < FLOW.GAMMA_DIGITS; n++) {
    halve(root);
    if (energy(D[0] * root[0], D[1] * root[1], D[2] * root[2]) <= before) for (let k = 0; k < 3; k++) D[k] *= root[k];
  }
  return D[0] !== 1 || D[2] !== 1;
}

/** D^γ → D^(γ/2). */
function halve(d: Float64Array): void {
  for (let k = 0; k < 3; k++) d[k] = Math.sqrt(d[k]);
}

/**
 * Elastic energy with a rest shape D Vᵀ F^p, up to a constant that does not depend on the fit. The particles are at
 * F = U Σ Vᵀ F^p, the goals at R D Vᵀ F^p with any rotation R. The least of tr (F − R D B) A_rr (F − R D B)ᵀ is tr
 * Σ²W + tr D²W − 2 max tr Rᵀ Σ W D (U is absorbed into R).
 */
function energy(a: number, b: number, c: number): number {
  const d = [a, b, c];
  for (let k = 0; k < 9; k++) P[k] = S[k % 3] * W[k] * d[Math.floor(k / 3)];
  let sum = -2 * bestTrace(P);
  for (let k = 0; k < 3; k++) sum += W[4 * k] * (S[k] * S[k] + d[k] * d[k]);
  return sum;
}

/**
 * F^p := the symmetric stretch of D Vᵀ F^p. Returns false and changes nothing if its determinant or norm is out of
 * bounds. A rotation on the left of F^p has no effect: the fit of the next step removes it. Without it the clusters
 * keep common rest axes, which inverted clusters need in order to flip the same one (math/polar.ts).
 */
function takeOver(s: Views, c: number): boolean {
  for (let k = 0; k < 9; k++) M[k] *= D[k % 3];
  polarInto(Q, M);
  transposeInto(Q, Q);
  multiplyInto(P, Q, M);
  P[1] = P[3] = (P[1] + P[3]) / 2;
  P[2] = P[6] = (P[2] + P[6]) / 2;
  P[5] = P[7] = (P[5] + P[7]) / 2;
  // Removes the rounding error of the determinant before it accumulates: 1/∛det = 1 − (det − 1)/3 this near to 1.
  const det = determinant(P);
  if (!(Math.abs(det - 1) < FLOW.VOLUME_ERROR)) return false;
  const unit = 1 - (det - 1) / 3;
  let square = 0;
  let strain = 0;
  for (let k = 0; k < 9; k++) {
    P[k] *= unit;
    square += P[k] * P[k];
    strain += squared(P[k] - (k % 4 === 0 ? 1 : 0));
  }
  if (!(square <= FLOW.LARGEST * FLOW.LARGEST)) return false;
  s.plastic.set(P, Row.plastic * c);
  s.plasticStrain[c] = Math.sqrt(strain);
  return true;
}
