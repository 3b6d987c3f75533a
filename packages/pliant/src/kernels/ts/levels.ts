import { Fit, Goal } from '../../levels/rows.js';
import { invertInertiaInto } from '../../math/inertia.js';
import { multiplyInto } from '../../math/mat3.js';
import { polarInto } from '../../math/polar.js';
import type { Views } from '../../state/layout.js';
import { type LevelRows, Match } from '../kernels.js';

// Scratch: what a tie holds (A_xr, centre, v̄, ω, inertia as in a row of coarseFit), and matrices by columns.
const held = new Float64Array(Fit.WIDTH);
const F = new Float64Array(9);
const R = new Float64Array(9);
const inverse = new Float64Array(6);
const spin = new Float64Array(3);
const place = new Float64Array(3);
const goal = new Float64Array(Goal.WIDTH);
const part = new Float64Array(9);

/**
 * Fits the coarse clusters, fine to coarse ([K20] algorithm 2 needs x̄, R, v̄ and ω of every level). Sums over the particles of a coarse cluster
 * are sums over what it holds: with r = q + H p for a particle below child c (levels/rows.ts),
 *
 *   A_xr = Σ m w (x − x̄) rᵀ = Σ_c W (A_c Hᵀ + M_c (x̄_c − x̄) qᵀ),   L = Σ_c W (I_c ω_c + M_c (x̄_c − x̄) × (v̄_c − v̄)),   I likewise.
 */
export function sumLevels(s: Views, rows: LevelRows, mode: number): void {
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) {
    const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
    fit.fill(0);
    sumPlaces(s, rows, c, fit, mode);
    if (mode & Match.COVARIANCE) F.set(fit.subarray(Fit.A, Fit.A + 9));
    else multiplyInto(F, fit, s.coarseInverse.subarray(9 * c, 9 * c + 9));
    polarInto(R, F, (mode & Match.REFLECT) !== 0);
    fit.set(R, Fit.R);
    if (mode & Match.RIGID_MOTION) sumSpin(s, rows, c, fit);
  }
}

/** x̄, A_xr and v̄. */
function sumPlaces(s: Views, rows: LevelRows, c: number, fit: Float64Array, mode: number): void {
  const [first, last] = [rows.tieStart + s.coarseTies[2 * c], rows.tieStart + s.coarseTies[2 * c + 1]];
  const total = s.coarseMass[c];
  for (let t = first; t < last; t++) {
    const [W, mass] = [s.tieWeight[t], lookAt(s, rows, c, t, mode)];
    // Places relative to the first one's: Σ W M q = 0, so that it does not matter to A_xr.
    if (t === first) place.set(held.subarray(Fit.CENTRE, Fit.CENTRE + 3));
    const o = 12 * t;
    for (let a = 0; a < 3; a++) {
      const d = W * mass * (held[Fit.CENTRE + a] - place[a]);
      fit[Fit.CENTRE + a] += d / total;
      fit[Fit.V + a] += (W * mass * held[Fit.V + a]) / total;
      for (let b = 0; b < 3; b++) {
        let sum = held[3 * b + a];
        if (mode & Match.PLASTIC)
          sum = held[a] * s.tieRest[o + b] + held[3 + a] * s.tieRest[o + 3 + b] + held[6 + a] * s.tieRest[o + 6 + b];
        fit[3 * b + a] += W * sum + d * s.tieRest[o + 9 + b];
      }
    }
  }
  for (let a = 0; a < 3; a++) fit[Fit.CENTRE + a] += place[a];
}

/** ω = I⁻¹ L, and I. */
function sumSpin(s: Views, rows: LevelRows, c: number, fit: Float64Array): void {
  const inertia = fit.subarray(Fit.INERTIA, Fit.INERTIA + 6);
  spin.fill(0);
  for (let t = rows.tieStart + s.coarseTies[2 * c]; t < rows.tieStart + s.coarseTies[2 * c + 1]; t++) {
    const [W, mass] = [s.tieWeight[t], lookAt(s, rows, c, t, Match.RIGID_MOTION)];
    const [x, y, z] = [0, 1, 2].map((a) => held[Fit.CENTRE + a] - fit[Fit.CENTRE + a]);
    const [u, v, w] = [0, 1, 2].map((a) => held[Fit.V + a] - fit[Fit.V + a]);
    const I = held.subarray(Fit.INERTIA, Fit.INERTIA + 6);
    const [p, q, r] = held.subarray(Fit.SPIN, Fit.SPIN + 3);
    spin[0] += W * (I[0] * p + I[3] * q + I[4] * r + mass * (y * w - z * v));
    spin[1] += W * (I[3] * p + I[1] * q + I[5] * r + mass * (z * u - x * w));
    spin[2] += W * (I[4] * p + I[5] * q + I[2] * r + mass * (x * v - y * u));
    inertia[0] += W * (I[0] + mass * (y * y + z * z));
    inertia[1] += W * (I[1] + mass * (x * x + z * z));
    inertia[2] += W * (I[2] + mass * (x * x + y * y));
    inertia[3] += W * (I[3] - mass * x * y);
    inertia[4] += W * (I[4] - mass * x * z);
    inertia[5] += W * (I[5] - mass * y * z);
  }
  invertInertiaInto(inverse, 0, inertia);
  fit[Fit.SPIN] = inverse[0] * spin[0] + inverse[3] * spin[1] + inverse[4] * spin[2];
  fit[Fit.SPIN + 1] = inverse[3] * spin[0] + inverse[1] * spin[1] + inverse[5] * spin[2];
  fit[Fit.SPIN + 2] = inverse[4] * spin[0] + inverse[5] * spin[1] + inverse[2] * spin[2];
}

/** held := what tie t of coarse cluster c holds; returns its mass. */
function lookAt(s: Views, { clusterStart, coarseStart }: LevelRows, c: number, t: number, mode: number): number {
  if (s.coarseLevel[c] > 1) {
    const d = coarseStart + s.tieChild[t];
    held.set(s.coarseFit.subarray(Fit.WIDTH * d, Fit.WIDTH * (d + 1)));
    return s.coarseMass[d];
  }
  const d = clusterStart + s.tieChild[t];
  held.set(s.covariance.subarray(12 * d, 12 * d + 12));
  for (let a = 0; a < 3; a++) {
    held[Fit.CENTRE + a] += s.transform[20 * d + 16 + a];
    held[Fit.V + a] = s.motion[8 * d + a];
    held[Fit.SPIN + a] = s.motion[8 * d + 4 + a];
  }
  // The inertia is the inverse of what match keeps for the limit.
  if (mode & Match.RIGID_MOTION) invertBackInto(held, Fit.INERTIA, s.inertiaInverse.subarray(6 * d, 6 * d + 6));
  return s.clusterMass[d];
}

/** The inertia that invertInertiaInto was given; 0 where that found none. Without its floor, which would be large here. */
function invertBackInto(out: Float64Array, at: number, [xx, yy, zz, xy, xz, yz]: Float64Array): void {
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - yy * xz;
  const det = xx * cxx + xy * cxy + xz * cxz;
  const share = det > 0 ? 1 / det : 0;
  out[at] = cxx * share;
  out[at + 1] = (xx * zz - xz * xz) * share;
  out[at + 2] = (xx * yy - xy * xy) * share;
  out[at + 3] = cxy * share;
  out[at + 4] = cxz * share;
  out[at + 5] = (xy * xz - xx * yz) * share;
}

/**
 * Blends the goals of all levels into those of the clusters, coarse to fine ([K20] algorithms 2 and 3: Δv = Σ w_ℓ (…)). What the levels from ℓ up
 * want of a particle below coarse cluster C is affine in its rest place: matrix · r + place; a child's is that of its own level and, by
 * weight, its holders' seen from its frame. So particles gather goals from their clusters alone, and pay nothing for the levels.
 */
export function spreadLevels(s: Views, rows: LevelRows, mode: number, pull: number, drag: number): void {
  for (let c = rows.coarseEnd - 1; c >= rows.coarseStart; c--) {
    const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
    const [own, ownDrag] = [s.coarseShare[2 * c], s.coarseShare[2 * c + 1]];
    for (let k = 0; k < 9; k++) goal[Goal.MATRIX + k] = own * fit[Fit.R + k];
    for (let a = 0; a < 3; a++) {
      place[a] = fit[Fit.CENTRE + a];
      goal[Goal.PLACE + a] = own * place[a];
      goal[Goal.V + a] = ownDrag * fit[Fit.V + a];
      goal[Goal.SPIN + a] = ownDrag * fit[Fit.SPIN + a];
    }
    addHolders(s, rows, s.coarseRises[2 * c], s.coarseRises[2 * c + 1], mode);
    s.coarseGoal.set(goal, Goal.WIDTH * c);
  }
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) blendCluster(s, rows, c, mode, pull, drag);
}

/** goal += what the holders of one want, by weight; `place` is where its centre is now. */
function addHolders(s: Views, rows: LevelRows, first: number, last: number, mode: number): void {
  for (let n = rows.tieStart + first; n < rows.tieStart + last; n++) {
    const t = rows.tieStart + s.rise[n];
    const W = s.tieWeight[t];
    const holder = rows.coarseStart + s.tieParent[t];
    const G = s.coarseGoal.subarray(Goal.WIDTH * holder, Goal.WIDTH * (holder + 1));
    const H = s.tieRest.subarray(12 * t, 12 * t + 9);
    const q = s.tieRest.subarray(12 * t + 9, 12 * t + 12);
    if (mode & Match.PLASTIC) multiplyInto(part, G, H);
    else part.set(G.subarray(0, 9));
    for (let k = 0; k < 9; k++) goal[k] += W * part[k];
    for (let a = 0; a < 3; a++)
      goal[Goal.PLACE + a] += W * (G[Goal.PLACE + a] + G[a] * q[0] + G[3 + a] * q[1] + G[6 + a] * q[2]);
    const [x, y, z] = [0, 1, 2].map((a) => place[a] - s.coarseFit[Fit.WIDTH * holder + Fit.CENTRE + a]);
    const [wx, wy, wz] = G.subarray(Goal.SPIN, Goal.SPIN + 3);
    goal[Goal.V] += W * (G[Goal.V] + wy * z - wz * y);
    goal[Goal.V + 1] += W * (G[Goal.V + 1] + wz * x - wx * z);
    goal[Goal.V + 2] += W * (G[Goal.V + 2] + wx * y - wy * x);
    for (let a = 0; a < 3; a++) goal[Goal.SPIN + a] += W * G[Goal.SPIN + a];
  }
}

/** `transform` and `motion` of one cluster become those of all levels together. */
function blendCluster(s: Views, rows: LevelRows, c: number, mode: number, pull: number, drag: number): void {
  const { transform, motion, restShift } = s;
  const t = 20 * c;
  for (let k = 0; k < 9; k++) goal[k] = pull * transform[t + 4 * Math.floor(k / 3) + (k % 3)];
  for (let a = 0; a < 3; a++) {
    place[a] = s.covariance[12 * c + 9 + a] + transform[t + 16 + a];
    goal[Goal.PLACE + a] = pull * place[a];
    goal[Goal.V + a] = drag * motion[8 * c + a];
    goal[Goal.SPIN + a] = drag * motion[8 * c + 4 + a];
  }
  addHolders(s, rows, s.rises[2 * c], s.rises[2 * c + 1], mode);
  const [p, q, r] = restShift.subarray(3 * c, 3 * c + 3);
  for (let a = 0; a < 3; a++) {
    for (let j = 0; j < 3; j++) transform[t + 4 * j + a] = goal[3 * j + a];
    transform[t + 12 + a] =
      goal[Goal.PLACE + a] - transform[t + 16 + a] - (goal[a] * p + goal[3 + a] * q + goal[6 + a] * r);
    motion[8 * c + a] = goal[Goal.V + a];
    motion[8 * c + 4 + a] = goal[Goal.SPIN + a];
  }
}
