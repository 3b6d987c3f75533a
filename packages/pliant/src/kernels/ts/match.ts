import { invertInertiaInto } from '../../math/inertia.js';
import { cofactorsInto, determinant, multiplyInto, transposeInto } from '../../math/mat3.js';
import { polarInto } from '../../math/polar.js';
import { svdInto } from '../../math/svd.js';
import { INERTIA } from '../../math/tolerances.js';
import { FIELDS, Matrix, Row, Symmetric, TRANSFORM_ROW, Transform } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { Soft } from '../../state/soft.js';
import { Match } from '../kernels.js';
import { foldBend, soften } from './soften.js';

/** Sums over the members of one cluster, and the position that they are relative to. */
export class MatchSums {
  /** A_xr = Σ m w (x − x̄) pᵀ, by columns (kg m²). */
  readonly A = new Float64Array(9);
  /** x̄ (m). */
  readonly centre = new Float64Array(3);
  /** Position of the first member (m). */
  readonly origin = new Float64Array(3);
}

// Scratch: the sums over one cluster, and 3×3 matrices by columns.
const sums = new MatchSums();
const { A, centre, origin } = sums;
const F = new Float64Array(9);
const R = new Float64Array(9);
const T = new Float64Array(9);
const P = new Float64Array(9);
const G = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const S = new Float64Array(3);
const shift = new Float64Array(3);
const velocity = new Float64Array(3);
const spin = new Float64Array(3);
const inertia = new Float64Array(6);
const { MASS } = FIELDS.member;

/**
 * Fits every cluster to its particles: SPEC M1 to M4, [J15] 3 and 7; P2 for a body that has flowed, [F17] 2.30 and
 * 2.31; M5 for goals that follow the deformation.
 */
export function matchClusters(s: Views, start: number, end: number, mode: number): void {
  const plastic = (mode & Match.PLASTIC) !== 0;
  shift.fill(0);
  for (let c = start; c < end; c++) {
    sumMatch(sums, s, c);
    if (mode & Match.SUMS) leaveSums(s, c);
    if (plastic) P.set(s.plastic.subarray(Row.plastic * c, Row.plastic * (c + 1)));
    if (mode & Match.METRIC) metricInto(F, s, c, plastic);
    else if (!(mode & Match.COVARIANCE)) elasticInto(F, s, c, plastic);
    // F^p is symmetric.
    else if (plastic) multiplyInto(F, A, P);
    else F.set(A);
    polarInto(R, F, (mode & Match.REFLECT) !== 0);
    if (mode & Match.ELASTIC) leaveElastic(s, c, mode);
    if (mode & Match.SOFT) {
      elasticInto(F, s, c, plastic);
      soften(s, c, R, F, plastic ? P : undefined, centre);
    }
    if (plastic) multiplyInto(T, R, P);
    else T.set(R);
    if (mode & Match.SOFT && s.softness[Row.softness * c + Soft.ORDER] === 2) foldBend(s, c, T, shift);
    if (mode & Match.STRESS) foldStress(s, c);
    if (mode & Match.STRETCH) {
      multiplyInto(F, A, s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1)));
      svdInto(U, S, V, F);
      s.sigma.set(S, Row.sigma * c);
    }
    // The goal of a member is R F^p p + x̄. restShift is the mean of the offsets p, which rounding keeps from being 0;
    // it is subtracted.
    const [p, q, r] = [
      s.restShift[Row.restShift * c],
      s.restShift[Row.restShift * c + 1],
      s.restShift[Row.restShift * c + 2],
    ];
    for (let i = 0; i < 3; i++) {
      s.transform[TRANSFORM_ROW * c + i] = T[i];
      s.transform[TRANSFORM_ROW * c + Transform.Y + i] = T[3 + i];
      s.transform[TRANSFORM_ROW * c + Transform.Z + i] = T[6 + i];
      s.transform[TRANSFORM_ROW * c + Transform.CENTRE + i] =
        centre[i] - origin[i] - (T[i] * p + T[3 + i] * q + T[6 + i] * r) + shift[i];
      s.transform[TRANSFORM_ROW * c + Transform.ORIGIN + i] = origin[i];
    }
    s.transform[TRANSFORM_ROW * c + Transform.LIMIT2] = s.limit[c] * s.limit[c];
    if (mode & (Match.LINEAR_MOTION | Match.RIGID_MOTION | Match.INERTIA)) matchMotion(s, c, mode);
  }
}

/**
 * F = A_xr A_rr⁻¹, or F^e = F F^p⁻¹ with the F^p in P. F^p is symmetric of determinant 1, so that its inverse is its
 * cofactors.
 */
function elasticInto(out: Float64Array, s: Views, c: number, plastic: boolean): void {
  const into = plastic ? G : out;
  multiplyInto(into, A, s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1)));
  if (!plastic) return;
  cofactorsInto(U, P);
  multiplyInto(out, G, U);
}

/**
 * A_xr S, or A_xr S F^p. Its rotation gives the goals that are nearest in the metric of the elastic law. S and F^p are
 * symmetric.
 */
function metricInto(out: Float64Array, s: Views, c: number, plastic: boolean): void {
  const into = plastic ? G : out;
  const o = Row.elasticity * c;
  multiplyInto(into, A, s.elasticity.subarray(o, o + Matrix.WIDTH));
  if (plastic) multiplyInto(out, G, P);
}

/** T := F + (T − F) S. */
function foldStress(s: Views, c: number): void {
  multiplyInto(F, A, s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1)));
  for (let k = 0; k < 9; k++) T[k] -= F[k];
  const o = Row.elasticity * c;
  multiplyInto(G, T, s.elasticity.subarray(o, o + Matrix.WIDTH));
  for (let k = 0; k < 9; k++) T[k] = F[k] + G[k];
}

/** Writes S^e = Rᵀ F^e for the flow. R is the rotation of F^e itself: with that of A_xr, S^e would not be symmetric. */
function leaveElastic(s: Views, c: number, mode: number): void {
  let rotation = R;
  if (mode & (Match.COVARIANCE | Match.METRIC)) {
    elasticInto(F, s, c, (mode & Match.PLASTIC) !== 0);
    polarInto(V, F, (mode & Match.REFLECT) !== 0);
    rotation = V;
  }
  transposeInto(U, rotation);
  multiplyInto(G, U, F);
  const o = Row.elastic * c;
  for (let a = 0; a < 3; a++) s.elastic[o + a] = G[4 * a];
  s.elastic[o + Symmetric.XY] = (G[1] + G[3]) / 2;
  s.elastic[o + Symmetric.XZ] = (G[2] + G[6]) / 2;
  s.elastic[o + Symmetric.YZ] = (G[5] + G[7]) / 2;
}

/** Writes only A_xr and the centre of clusters. */
export function sumClusters(s: Views, start: number, end: number): void {
  for (let c = start; c < end; c++) {
    sumMatch(sums, s, c);
    leaveSums(s, c);
  }
}

function leaveSums(s: Views, c: number): void {
  s.sums.set(A, Row.sums * c);
  s.sums.set(centre, Row.sums * c + FIELDS.sums.CENTRE);
}

/**
 * x̄ and A_xr = Σ m w (x − x̄) pᵀ of cluster c. The sums are relative to the first member, so that bodies far from the
 * origin lose no precision.
 */
export function sumMatch({ A, centre, origin }: MatchSums, s: Views, c: number): void {
  const { x, member, memberParticle } = s;
  const first = s.memberStart[c];
  const o = Row.x * memberParticle[first];
  for (let a = 0; a < 3; a++) origin[a] = x[o + a];
  const mass = s.clusterMass[c];
  const last = s.memberStart[c + 1];
  for (let a = 0; a < 3; a++) {
    const from = origin[a];
    let sum = 0;
    let p = 0;
    let q = 0;
    let r = 0;
    for (let k = first; k < last; k++) {
      const m = Row.member * k;
      const y = member[m + MASS] * (x[Row.x * memberParticle[k] + a] - from);
      sum += y;
      p += y * member[m];
      q += y * member[m + 1];
      r += y * member[m + 2];
    }
    centre[a] = sum;
    A[a] = p;
    A[3 + a] = q;
    A[6 + a] = r;
  }
  // Σ m w p is restShift·mass, not quite 0: without this correction A would depend on the origin of the sums.
  for (let a = 0; a < 3; a++) {
    for (let j = 0; j < 3; j++) A[3 * j + a] -= centre[a] * s.restShift[Row.restShift * c + j];
    centre[a] = origin[a] + centre[a] / mass;
  }
}

/**
 * Whether the inertia of clusters is that of their fits, for the damping of bodies with an elastic law. Its goal for a member is v̄ + ω × F p, not v̄ + ω × (x − x̄). With r = x − x̄ its torque is
 *
 *     Σ m w r × (ω × F p) = (tr C · 1 − C) ω,   C = Σ m w r (F p)ᵀ = A_xr Fᵀ = A_xr A_rr⁻¹ A_xrᵀ,
 *
 * for any F that is A_xr times a symmetric matrix, so also for a pseudo-inverse. With the inertia I = tr C · 1 − C and ω = I⁻¹ L it takes as much angular momentum as the damping of v takes, L. So no second moments have to
 * be summed over members, and the goal is a map of p, like that of the pull (urgeClusters in assembly/integrate.ts).
 */
export function turnsByFit(mode: number): boolean {
  const bits = Match.METRIC | Match.RIGID_MOTION;
  return (mode & (bits | Match.INERTIA)) === bits;
}

/** out := F and C (xx yy zz xy xz yz) of cluster c, whose sums are A. */
export function fitInertiaInto(F: Float64Array, C: Float64Array, s: Views, c: number, A: Float64Array): void {
  multiplyInto(F, A, s.restInverse.subarray(Row.restInverse * c, Row.restInverse * (c + 1)));
  const entry = (a: number, b: number) => F[a] * A[b] + F[3 + a] * A[3 + b] + F[6 + a] * A[6 + b];
  for (let a = 0; a < 3; a++) C[a] = entry(a, a);
  C[Symmetric.XY] = entry(0, 1);
  C[Symmetric.XZ] = entry(0, 2);
  C[Symmetric.YZ] = entry(1, 2);
}
const C = new Float64Array(Symmetric.WIDTH);

/** inertia := that of the fit of cluster c, which is written to `deformation`. Returns whether it is too thin to turn by (INERTIA.THIN). */
function takeFit(s: Views, c: number): boolean {
  fitInertiaInto(F, C, s, c, A);
  const trace = C[0] + C[1] + C[2];
  for (let a = 0; a < 3; a++) inertia[a] = trace - C[a];
  for (let k = Symmetric.XY; k <= Symmetric.YZ; k++) inertia[k] = -C[k];
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const o = Row.restMoment * c;
  const atRest = 2 * (s.restMoment[o] + s.restMoment[o + 1] + s.restMoment[o + 2]);
  const isThin = !(determinant([xx, xy, xz, xy, yy, yz, xz, yz, zz]) > INERTIA.THIN * atRest * atRest * atRest);
  const to = Row.deformation * c;
  for (let a = 0; a < 3; a++)
    for (let j = 0; j < 3; j++) s.deformation[to + FIELDS.deformation.COLUMN * j + a] = F[3 * j + a];
  s.deformation[to + FIELDS.deformation.THIN] = isThin ? 1 : 0;
  return isThin;
}

/** v̄, ω = I⁻¹ L, and the centre and inverse inertia at the start of the step for the conserving limit. */
function matchMotion(s: Views, c: number, mode: number): void {
  const { x, v, member, memberParticle } = s;
  const mass = s.clusterMass[c];
  const first = s.memberStart[c];
  const last = s.memberStart[c + 1];
  velocity.fill(0);
  for (let k = first; k < last; k++) {
    const i = Row.x * memberParticle[k];
    for (let a = 0; a < 3; a++) velocity[a] += (member[Row.member * k + MASS] * v[i + a]) / mass;
  }
  spin.fill(0);
  if (mode & (Match.RIGID_MOTION | Match.INERTIA)) {
    const byFit = turnsByFit(mode) && !takeFit(s, c);
    if (!byFit) inertia.fill(0);
    let lx = 0;
    let ly = 0;
    let lz = 0;
    for (let k = first; k < last; k++) {
      const i = Row.x * memberParticle[k];
      const mw = member[Row.member * k + MASS];
      const [rx, ry, rz] = [x[i] - centre[0], x[i + 1] - centre[1], x[i + 2] - centre[2]];
      const [ux, uy, uz] = [v[i] - velocity[0], v[i + 1] - velocity[1], v[i + 2] - velocity[2]];
      lx += mw * (ry * uz - rz * uy);
      ly += mw * (rz * ux - rx * uz);
      lz += mw * (rx * uy - ry * ux);
      if (byFit) continue;
      inertia[0] += mw * (ry * ry + rz * rz);
      inertia[1] += mw * (rx * rx + rz * rz);
      inertia[2] += mw * (rx * rx + ry * ry);
      inertia[3] -= mw * rx * ry;
      inertia[4] -= mw * rx * rz;
      inertia[5] -= mw * ry * rz;
    }
    const o = Row.inertiaInverse * c;
    invertInertiaInto(s.inertiaInverse, o, inertia);
    const [xx, yy, zz, xy, xz, yz] = s.inertiaInverse.subarray(o, o + Row.inertiaInverse);
    spin[0] = xx * lx + xy * ly + xz * lz;
    spin[1] = xy * lx + yy * ly + yz * lz;
    spin[2] = xz * lx + yz * ly + zz * lz;
  }
  s.motion.set(velocity, Row.motion * c);
  s.motion.set(spin, Row.motion * c + FIELDS.motion.SPIN);
  s.oldCentre.set(centre, Row.oldCentre * c);
}
