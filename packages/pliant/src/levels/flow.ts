import type { Body } from '../body/body.js';
import { cbrt, squared } from '../math/elementary.js';
import { determinant, multiplyInto } from '../math/mat3.js';
import { Fit } from '../state/coarseRow.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { describeCoarse, describeOne } from './hierarchy.js';

/**
 * Lets the rest shapes of coarse clusters flow. A coarse cluster that kept its rest shape would pull for ever against
 * the shape to which its clusters have flowed. One that flowed by its own mean strain would miss a hinge between two
 * straight arms.
 *
 * So its rest shape creeps towards the present shape as fast as the fastest of the clusters below it. Where these take
 * over a share γ of their elastic strain in a step, it takes over the share γ of the displacement and deformation of
 * its children, at constant volume. In steady flow the elastic strain left in it is about the yield limit, as in its
 * clusters.
 */
export function flowLevels(s: Views, { rows }: Body): void {
  if (pace.length < rows.coarseEnd - rows.coarseStart) pace = new Float64Array(2 * (rows.coarseEnd - rows.coarseStart));
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) {
    const gamma = paceOf(s, rows, c);
    pace[c - rows.coarseStart] = gamma;
    if (gamma === 0) continue;
    creep(s, rows, c, gamma);
    // The next level needs the new rest shape of this coarse cluster.
    describeOne(s, rows, c);
    sumMatch(s, rows, c);
  }
}

/** Per cluster of a body: F^p before the flow, and the share γ of the elastic strain that became plastic. */
let before = new Float64Array(0);
let share = new Float64Array(0);
/** Share γ of each coarse cluster: the largest of its children's. */
let pace = new Float64Array(0);

/** Saves F^p of a body's clusters before they flow. */
export function watchFlow({ plastic }: Views, { clusterStart, clusterEnd }: Rows): void {
  const clusters = clusterEnd - clusterStart;
  if (share.length < clusters) [before, share] = [new Float64Array(18 * clusters), new Float64Array(2 * clusters)];
  before.set(plastic.subarray(9 * clusterStart, 9 * clusterEnd));
}

/** Computes γ = ‖ΔF^p‖ / ‖S^e − I‖, at most 1, since watchFlow. */
export function measureFlow({ plastic, elastic }: Views, { clusterStart, clusterEnd }: Rows): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    let [moved, strain] = [0, 0];
    for (let k = 0; k < 9; k++) moved += squared(plastic[9 * c + k] - before[9 * (c - clusterStart) + k]);
    for (let k = 0; k < 3; k++) strain += squared(elastic[6 * c + k] - 1) + 2 * squared(elastic[6 * c + 3 + k]);
    share[c - clusterStart] = moved > 0 ? Math.min(1, Math.sqrt(moved / strain)) : 0;
  }
}

function paceOf(s: Views, { tieStart }: Rows, c: number): number {
  const of = s.coarseLevel[c] === 1 ? share : pace;
  let most = 0;
  for (let t = tieStart + s.coarseChildTies[2 * c]; t < tieStart + s.coarseChildTies[2 * c + 1]; t++)
    most = Math.max(most, of[s.tieChild[t]]);
  return most;
}

const FLAT = 0.01;
const F = new Float64Array(9);
const part = new Float64Array(9);

/**
 * q += γ (Rᵀ (x̄_c − x̄)/s − q), H += γ (Rᵀ F_c/s − H), where s³ = det F, with the values at the start of the step. A
 * coarse cluster that is crushed or inverted does not flow, as clusters do not (SPEC P2).
 */
function creep(s: Views, rows: Rows, c: number, gamma: number): void {
  const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
  multiplyInto(F, fit, s.coarseInverse.subarray(9 * c, 9 * c + 9));
  const volume = determinant(F);
  if (!(volume > FLAT)) return;
  const scale = 1 / cbrt(volume);
  if (!spares(s, rows, c, gamma, scale)) return;
  const fine = s.coarseLevel[c] === 1;
  for (let t = rows.tieStart + s.coarseChildTies[2 * c]; t < rows.tieStart + s.coarseChildTies[2 * c + 1]; t++) {
    const child = (fine ? rows.clusterStart : rows.coarseStart) + s.tieChild[t];
    const held = fine ? s.sums.subarray(24 * child) : s.coarseFit.subarray(Fit.WIDTH * child);
    const inverse = fine ? s.restInverse : s.coarseInverse;
    multiplyInto(part, held, inverse.subarray(9 * child, 9 * child + 9));
    for (let a = 0; a < 3; a++) {
      const R = fit.subarray(Fit.R + 3 * a, Fit.R + 3 * a + 3);
      let place = 0;
      for (let b = 0; b < 3; b++) place += R[b] * (held[Fit.CENTRE + b] - fit[Fit.CENTRE + b]);
      const o = 12 * t;
      s.tieRest[o + 9 + a] += gamma * (scale * place - s.tieRest[o + 9 + a]);
      for (let j = 0; j < 3; j++) {
        const turned = R[0] * part[3 * j] + R[1] * part[3 * j + 1] + R[2] * part[3 * j + 2];
        s.tieRest[o + 3 * j + a] += gamma * (scale * turned - s.tieRest[o + 3 * j + a]);
      }
    }
  }
}

/**
 * Whether creep by γ towards the present shape times `scale` lowers the elastic energy. A crushed coarse cluster would
 * become a wide sheet of the same volume, and throw the body about (docs/design/plasticity.md). With e = x − R r, from
 * the centre, the new misfit is (1 − γ) e + γ (1 − scale) x, so the sums of |x|², x·R r and |r|² suffice.
 */
function spares(s: Views, rows: Rows, c: number, gamma: number, scale: number): boolean {
  const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
  const fine = s.coarseLevel[c] === 1;
  let [xx, xr] = [0, 0];
  for (let k = 0; k < 9; k++) xr += fit[Fit.A + k] * fit[Fit.R + k];
  for (let t = rows.tieStart + s.coarseChildTies[2 * c]; t < rows.tieStart + s.coarseChildTies[2 * c + 1]; t++) {
    const child = (fine ? rows.clusterStart : rows.coarseStart) + s.tieChild[t];
    const held = fine ? s.sums.subarray(24 * child) : s.coarseFit.subarray(Fit.WIDTH * child);
    const mass = fine ? s.clusterMass[child] : s.coarseMass[child];
    const inverse = fine ? s.restInverse : s.coarseInverse;
    multiplyInto(part, held, inverse.subarray(9 * child, 9 * child + 9));
    // Σ m w |F p|² = tr(F A_xrᵀ), for the part of the deformation that is linear.
    let sum = 0;
    for (let a = 0; a < 3; a++) sum += mass * squared(held[Fit.CENTRE + a] - fit[Fit.CENTRE + a]);
    for (let k = 0; k < 9; k++) sum += part[k] * held[k];
    xx += s.tieWeight[t] * sum;
  }
  const rr = s.coarseMoment[9 * c] + s.coarseMoment[9 * c + 4] + s.coarseMoment[9 * c + 8];
  const before = xx - 2 * xr + rr;
  const [stays, grows] = [1 - gamma, gamma * (1 - scale)];
  return squared(stays) * before + 2 * stays * grows * (xx - xr) + squared(grows) * xx < before;
}

/** A_xr of a coarse cluster: positions at the start of the step, over the present rest shape. */
function sumMatch(s: Views, rows: Rows, c: number): void {
  const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
  const fine = s.coarseLevel[c] === 1;
  fit.fill(0, Fit.A, Fit.A + 9);
  for (let t = rows.tieStart + s.coarseChildTies[2 * c]; t < rows.tieStart + s.coarseChildTies[2 * c + 1]; t++) {
    const child = (fine ? rows.clusterStart : rows.coarseStart) + s.tieChild[t];
    const held = fine ? s.sums.subarray(24 * child) : s.coarseFit.subarray(Fit.WIDTH * child);
    const [W, mass] = [s.tieWeight[t], fine ? s.clusterMass[child] : s.coarseMass[child]];
    const H = s.tieRest.subarray(12 * t, 12 * t + 12);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const turned = held[i] * H[j] + held[3 + i] * H[3 + j] + held[6 + i] * H[6 + j];
        const place = held[Fit.CENTRE + i] - fit[Fit.CENTRE + i];
        fit[Fit.A + 3 * j + i] += W * (turned + mass * place * H[9 + j]);
      }
  }
}

/** Resets the rest shapes of all levels to those of the body as built; every H is the identity. */
export function clearLevels(s: Views, rows: Rows, restPositions: Float64Array): void {
  const { clusterStart, clusterEnd, coarseStart, coarseEnd, tieStart } = rows;
  if (coarseStart === coarseEnd) return;
  const fine = new Float64Array(3 * (clusterEnd - clusterStart));
  for (let c = clusterStart; c < clusterEnd; c++)
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
      for (let a = 0; a < 3; a++)
        fine[3 * (c - clusterStart) + a] +=
          (s.member[4 * k + 3] / s.clusterMass[c]) * restPositions[3 * (s.memberParticle[k] - rows.particleStart) + a];
  const coarse = new Float64Array(3 * (coarseEnd - coarseStart));
  for (let c = coarseStart; c < coarseEnd; c++) {
    const [from, mass, first] =
      s.coarseLevel[c] === 1 ? [fine, s.clusterMass, clusterStart] : [coarse, s.coarseMass, coarseStart];
    const [begin, end] = [tieStart + s.coarseChildTies[2 * c], tieStart + s.coarseChildTies[2 * c + 1]];
    const at = coarse.subarray(3 * (c - coarseStart), 3 * (c - coarseStart) + 3);
    for (let t = begin; t < end; t++)
      for (let a = 0; a < 3; a++)
        at[a] += ((s.tieWeight[t] * mass[first + s.tieChild[t]]) / s.coarseMass[c]) * from[3 * s.tieChild[t] + a];
    for (let t = begin; t < end; t++) {
      s.tieRest.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 12 * t);
      for (let a = 0; a < 3; a++) s.tieRest[12 * t + 9 + a] = from[3 * s.tieChild[t] + a] - at[a];
    }
  }
  describeCoarse(s, rows);
}
