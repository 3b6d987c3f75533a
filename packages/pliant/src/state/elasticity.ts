import { cbrt } from '../math/elementary.js';
import { svdInto } from '../math/svd.js';
import { Elasticity, FIELDS, Row, Symmetric } from './fields.js';
import type { Views } from './layout.js';
import { Soft } from './soft.js';

/**
 * The elastic law of a cluster (SPEC N1; derivation in docs/design/elasticity.md). With F = A_xr A_rr⁻¹ and goals
 * T = β A + (1 − β) R, the energy
 *
 *     ½ g V (β |F − A|² + (1 − β) |F − R|²) + ½ b/h² Σ m w |x − x̄ − F p|²,   g = E/(1 − 2ν)
 *
 * is that of an isotropic solid of volume V: bulk modulus g/3, shear modulus g(1 − β)/2. In a step its force moves a
 * member by
 *
 *     w b (x̄ + (F + (T − F) S) p − x),   S = λ̄ A_rr⁻¹ / (REST (1 − β)),   b = REST (1 − β) g V h²/λ̄,
 *
 * with λ̄ a third of the trace of A_rr. Across the surface S is smaller (`beyondInto`). S and b/h² depend on the cluster and the material only; b is the share of a
 * step.
 */
export const LAW = {
  /**
   * Stiffness against deformation that is not affine (bends and twists within a cluster), as a share of that against
   * shear. An isolated ball-shaped cluster has the right torsion at 0.5 and the right bending at 0.78 (1 + ν). Bars of
   * 7 to 11 particles across: sag as cantilevers 1.03 to 1.10 of theory at 0.6, 1.01 to 1.06 at 0.69; frequency of
   * torsion 1.03 to 1.06 and 1.05 to 1.09.
   */
  REST: 0.65,
  /**
   * Factor on the modulus. Bodies of clusters are softer than the law of one cluster, because a uniform strain leaves
   * small forces inside, at which they relax. The middle of pulled bars of 6 to 11 particles across, and cubes of 7 to
   * 20, have 0.90 to 0.95 of their modulus.
   */
  CORRECTION: 1.08,
  /**
   * By how much less for each unit by which a cluster holds more firmly (HOLD above 1), as a firm hold lets bodies relax less. Cubes of 20 and 27 a side, of hold 1.47 and 1.88, swung at 1.014 and 1.023 of theory without
   * it and hung by 0.987 and 0.978.
   */
  FIRM: 0.035,
  /**
   * ω² h² of a body's fastest vibration over the largest b·MOST of its clusters, at ν = 0 and from ν = 0.3 on, by Lanczos' method for bodies of 20 and more clusters (0.46 to 0.56 from 0.3 on): no displacement is the stiffest one
   * of all overlapping clusters at once.
   */
  FASTEST: 0.73,
  FASTEST_BULGING: 0.56,
  /**
   * Share of the ω² h² at which symplectic Euler becomes unstable, 4 − 2 k with the share k of the velocity that damping takes, up to which the fastest vibration may come. Bodies that hit a floor with all of their clusters at the bound
   * gained energy from 0.7 on.
   */
  MARGIN: 0.6,
  /** The same for bodies that can break: splinters have few clusters, which share less. Boxes of glass that begin inside one another parted at up to 35 m/s with 0.6, and part at up to 12 m/s with this (17 with 0.33 and 0.38). */
  MARGIN_OF_SPLINTERS: 0.32,
  /**
   * Largest b·MOST of a cluster that has its members to itself, and for ν = 0.49: one cluster with 2.5 kept vibrating by 2.5 % of its size, and bodies of ν = 0.49 that were pressed flat did
   * not come back.
   */
  ALONE: 1.5,
  /** Mean weight of a cluster's members in it, up to which it may have as much as its vibrations allow, and from which on no more than ALONE. By default it is 0.2 to 0.35 for most clusters, and 0.5 in corners. */
  SHARED: 0.35,
  OWN: 0.583,
  /** Largest λ̄/λ of an axis of A_rr in S. Thinner clusters are softer along that axis than the material: otherwise their thinnest axis would decide how short steps must be. */
  THINNEST: 6,
  /**
   * λ̄/λ of an axis of A_rr from which on a cluster has no volume to hold: β is 0. The few particles that are left of a cluster which has split
   * again and again often lie nearly in a plane. Their F turns inside out at the slightest motion across it, and goals of constant volume then drive
   * them without end: a splinter of four reached 580 m/s.
   */
  SHEET: 8,
  /**
   * λ/λ̄ of an axis of A_rr below which the members lie in a plane, as those of a cluster of a sheet do. Rest offsets have no part along such an axis: the cluster exerts no force by it, and it does
   * not bound the length of a step. Counted with its λ̄/λ of THINNEST, it made sheets take three times the substeps.
   */
  FLAT: 1e-9,
  /** The same for clusters with fewer members. */
  FEW: 10,
} as const;

const moment = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const values = new Float64Array(3);

/**
 * Writes the row of `elasticity` of a cluster. `restMoment`, `softness` and the members' `modulus` must be written
 * before. `known`, from `at` on: what `beyondInto` would write, if a kernel has found it.
 */
export function describeElasticity(s: Views, row: number, known?: Float64Array, at = 0): void {
  if (s.softness[8 * row + Soft.LAW] !== 1) return;
  const out = s.elasticity.subarray(12 * row, 12 * row + 12);
  const hold = holdIn(out, 0);
  // Not in one expression: Firefox 153 at times returns another array from `fill` of shared memory.
  out.fill(0);
  out[Elasticity.HOLD] = hold;
  const { restMoment } = s;
  const mean = (restMoment[6 * row] + restMoment[6 * row + 1] + restMoment[6 * row + 2]) / 3;
  // A point does not deform: it keeps S = 0 and exerts no force.
  if (!(mean > 0)) return;
  // Number by number: typed arrays that are taken apart by their iterator take long where code is not compiled yet, as in a first body.
  moment[0] = restMoment[6 * row];
  moment[4] = restMoment[6 * row + 1];
  moment[8] = restMoment[6 * row + 2];
  moment[1] = moment[3] = restMoment[6 * row + 3];
  moment[2] = moment[6] = restMoment[6 * row + 4];
  moment[5] = moment[7] = restMoment[6 * row + 5];
  svdInto(U, values, V, moment);
  const members = s.memberStart[row + 1] - s.memberStart[row];
  const holdsVolume = s.softness[8 * row + Soft.ORDER] === 1 && values[2] * LAW.SHEET > mean && members >= LAW.FEW;
  const beta = holdsVolume ? s.softness[8 * row + Soft.ASKED] : 0;
  s.softness[8 * row + Soft.BETA] = beta;
  const rest = hold * LAW.REST * (1 - beta);
  if (known) for (let k = 0; k < 6; k++) beyond[k] = known[at + k];
  else beyondInto(beyond, s, row);
  for (let k = 0; k < 3; k++) {
    if (members >= LAW.FEW && values[k] < LAW.FLAT * mean) continue;
    const gain = (affineGain(values[k], mean) * shareBetween(k)) / rest;
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) out[Elasticity.AFFINE + 3 * b + a] += gain * V[3 * k + a] * V[3 * k + b];
    out[Elasticity.MOST] = Math.max(out[Elasticity.MOST], gain, 1);
  }
  let modulus = 0;
  for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++)
    modulus += s.member[4 * k + 3] * s.modulus[s.memberParticle[k]];
  // REST (1 − β) g/E = REST (3 − β)/3.
  out[Elasticity.RATE] = (hold * LAW.REST * (1 - beta / 3) * correctionOf(hold) * modulus * s.soundness[row]) / mean;
}

/** The factor on REST of a cluster (`holdOf` in proxy/thickness.ts). Rows that were never given one have none: 1. */
export const holdIn = (elasticity: Float64Array, row: number): number =>
  Math.max(1, elasticity[Row.elasticity * row + Elasticity.HOLD]);

/** The factor on the modulus of a cluster of this hold. */
const correctionOf = (hold: number): number => LAW.CORRECTION * (1 - LAW.FIRM * (hold - 1));

/** Shares of a cluster's volume beyond its outermost particles, by normal: Σ share n nᵀ, xx yy zz xy xz yz. */
const beyond = new Float64Array(6);

/**
 * Faces of a body that meet at an edge or a corner: by how much their normals differ at least (sine), and how near their particles are at most (half spacings).
 * Normals within ALIKE (cosine) of one of them are nearer to each other than APART: 2 acos 0.95 is 36.4°, asin 0.6 36.9°.
 */
const FACE = { APART: 0.6, NEAR: 4, OUTERMOST: 1.6, ALIKE: 0.95 } as const;

/**
 * Derivatives along a normal exist only between particles: the layer from the centres of the outermost ones to the surface is not stretched, whatever pulls at them. A particle at the depth d
 * below the surface has d/(s/2 + d) of its cell beyond its centre, with the spacing s: a half on a grid, and nothing where it lies on the surface. With the whole volume, holds and loads
 * met clusters that were too stiff across the surface: n/(n − 1) times for a body of n layers. A particle at an edge or a corner is outermost below two or three faces, and counts for each of them: with one normal each,
 * cubes of 7 to 11 across that hang by a layer were stiffer by another 2 to 3 %.
 */
function beyondInto(out: Float64Array, s: Views, row: number): void {
  out.fill(0);
  const [first, last] = [s.memberStart[row], s.memberStart[row + 1]];
  const count = listOutermost(s, first, last);
  if (count === 0) return;
  let volume = 0;
  for (let k = first; k < last; k++) volume += s.builtVolume[s.memberParticle[k]];
  const half = cbrt(volume / (last - first)) / 2;
  if (!(half > 0)) return;
  // Where no member is inside, as in cords, several faces would leave nothing across: a cord of 6 cm that hung over another sank into it by two thirds.
  // Most clusters at the surface have one face only, and need not look for others.
  const faces = count < last - first && !(widestCosine(count) >= FACE.ALIKE) ? 3 : 1;
  for (let o = 0; o < OUTERMOST_ROW * count; o += OUTERMOST_ROW) {
    const share = outermost[o + Outermost.MASS] / s.clusterMass[row];
    directions = 1;
    for (let a = 0; a < 3; a++) direction[a] = outermost[o + Outermost.NORMAL + a];
    addBeyond(out, share, outermost[o + Outermost.HEIGHT], half);
    while (directions < faces) {
      const depth = nextFace(count, o, half);
      if (!(depth > 0)) break;
      addBeyond(out, share, depth, half);
    }
  }
}

/** Indices into a row of `outermost`: rest offset, outward direction, height of the surface above it (m), m·w (kg). */
const Outermost = { NORMAL: 3, HEIGHT: 6, MASS: 7 } as const;
const OUTERMOST_ROW = 8;
/** The outermost members of the cluster at hand, one behind the other: every one of them is compared with every other. */
let outermost = new Float64Array(0);

/** Fills `outermost`; returns their number. */
function listOutermost({ member, outward }: Views, first: number, last: number): number {
  if (outermost.length < OUTERMOST_ROW * (last - first))
    outermost = new Float64Array(2 * OUTERMOST_ROW * (last - first));
  let o = 0;
  for (let k = first; k < last; k++) {
    const height = outward[Row.outward * k + FIELDS.outward.HEIGHT];
    if (!(height >= 0)) continue;
    for (let a = 0; a < 3; a++) outermost[o + a] = member[Row.member * k + a];
    for (let a = 0; a < 3; a++) outermost[o + Outermost.NORMAL + a] = outward[Row.outward * k + a];
    outermost[o + Outermost.HEIGHT] = height;
    outermost[o + Outermost.MASS] = member[Row.member * k + FIELDS.member.MASS];
    o += OUTERMOST_ROW;
  }
  return o / OUTERMOST_ROW;
}

/** Cosine of the widest angle between the normals of the first of the `outermost` and of another. */
function widestCosine(count: number): number {
  let cosine = 1;
  for (let o = Outermost.NORMAL; o < OUTERMOST_ROW * count; o += OUTERMOST_ROW) {
    let along = 0;
    for (let a = 0; a < 3; a++) along += outermost[o + a] * outermost[Outermost.NORMAL + a];
    if (!(along >= cosine)) cosine = along;
  }
  return cosine;
}

/** Directions, at right angles to each other, along which the particle at hand is outermost: three numbers each. */
const direction = new Float64Array(9);
let directions = 0;

/** Counts the part of a cell beyond a particle along the last direction. */
function addBeyond(out: Float64Array, share: number, height: number, half: number): void {
  const depth = Math.min(height, half);
  const part = (share * depth) / (half + depth);
  const o = 3 * (directions - 1);
  const [x, y, z] = [direction[o], direction[o + 1], direction[o + 2]];
  out[Symmetric.XX] += part * x * x;
  out[Symmetric.YY] += part * y * y;
  out[Symmetric.ZZ] += part * z * z;
  out[Symmetric.XY] += part * x * y;
  out[Symmetric.XZ] += part * x * z;
  out[Symmetric.YZ] += part * y * z;
}

/**
 * Looks among the `count` outermost members near the one at `own` for a particle of another face, below which that one is outermost too. Of several it takes the one whose normal differs most from the
 * directions so far, adds what differs as a direction, and returns the depth below that face; 0 if there is none.
 */
function nextFace(count: number, own: number, half: number): number {
  const rows = outermost;
  const x = rows[own];
  const y = rows[own + 1];
  const z = rows[own + 2];
  const near2 = FACE.NEAR * FACE.NEAR * half * half;
  let most = FACE.APART * FACE.APART;
  let found = 0;
  for (let o = 0; o < OUTERMOST_ROW * count; o += OUTERMOST_ROW) {
    const dx = rows[o] - x;
    const dy = rows[o + 1] - y;
    const dz = rows[o + 2] - z;
    if (dx * dx + dy * dy + dz * dz > near2) continue;
    let nx = rows[o + Outermost.NORMAL];
    let ny = rows[o + Outermost.NORMAL + 1];
    let nz = rows[o + Outermost.NORMAL + 2];
    const depth = dx * nx + dy * ny + dz * nz + rows[o + Outermost.HEIGHT];
    if (!(depth > 0) || depth > FACE.OUTERMOST * half) continue;
    for (let d = 0; d < 3 * directions; d += 3) {
      const along = nx * direction[d] + ny * direction[d + 1] + nz * direction[d + 2];
      nx -= along * direction[d];
      ny -= along * direction[d + 1];
      nz -= along * direction[d + 2];
    }
    const apart = nx * nx + ny * ny + nz * nz;
    if (!(apart > most)) continue;
    most = apart;
    found = depth;
    const length = Math.sqrt(apart);
    direction[3 * directions] = nx / length;
    direction[3 * directions + 1] = ny / length;
    direction[3 * directions + 2] = nz / length;
  }
  if (found > 0) directions++;
  return found;
}

/** The share of the volume between particles along the k-th axis of A_rr, of which V and `beyond` are written. S has to have the axes of A_rr, so that no torque comes of it. */
function shareBetween(k: number): number {
  const x = V[3 * k];
  const y = V[3 * k + 1];
  const z = V[3 * k + 2];
  const squares = beyond[0] * x * x + beyond[1] * y * y + beyond[2] * z * z;
  return 1 - (squares + 2 * (beyond[3] * x * y + beyond[4] * x * z + beyond[5] * y * z));
}

/** The largest b·MOST of a cluster whose members have this mean weight in it, with goals of this β, where damping takes the share `damped` of the velocity in a substep. `margin`: MARGIN, or that of bodies that can break. */
export function largestFor(weight: number, beta: number, damped = 0, margin: number = LAW.MARGIN): number {
  const poisson = beta / (3 - beta);
  const fastest = LAW.FASTEST + (LAW.FASTEST_BULGING - LAW.FASTEST) * Math.min(1, poisson / 0.3);
  const shared = (margin * (4 - 2 * damped)) / fastest;
  const [alone, crushed] = [(weight - LAW.SHARED) / (LAW.OWN - LAW.SHARED), (poisson - 0.4) / 0.09];
  return shared + Math.min(1, Math.max(0, alone, crushed)) * Math.min(0, LAW.ALONE - shared);
}

/** Mean weight of the members of a cluster in it. It changes when other clusters of its particles do. */
export function meanWeight(s: Views, row: number): number {
  let [mass, own] = [0, 0];
  for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++) {
    const mw = s.member[4 * k + 3];
    mass += mw;
    own += (mw * mw) / s.x[4 * s.memberParticle[k] + 3];
  }
  return mass > 0 ? own / mass : 1;
}

/**
 * 1/h² for the longest step h in which a cluster reaches its modulus (1/s²): RATE · MOST over the largest that is allowed. The cluster has the moment A_rr (xx yy zz xy xz yz), the sum
 * `modulus` of its members' m·w·E/ρ, and the mean weight of its members in it.
 */
export function rateOf(
  [xx, yy, zz, xy, xz, yz]: ArrayLike<number> & Iterable<number>,
  modulus: number,
  beta: number,
  weight: number,
): number {
  const mean = (xx + yy + zz) / 3;
  if (!(mean > 0)) return 0;
  moment.set([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  svdInto(U, values, V, moment);
  let most = 1;
  for (let k = 0; k < 3; k++) most = Math.max(most, affineGain(values[k], mean) / (LAW.REST * (1 - beta)));
  return (LAW.REST * (1 - beta / 3) * LAW.CORRECTION * modulus * most) / mean / largestFor(weight, beta);
}

const affineGain = (value: number, mean: number) => (value * LAW.THINNEST > mean ? mean / value : LAW.THINNEST);

/** Roots of the eigenvalues of the metric S A_rr, up to a factor, by the axes of A_rr (columns) and its eigenvalues. All are equal for a cluster with no thin axis and no surface. */
export function metricRoots(s: Views, row: number, axes: Float64Array, eigenvalues: Float64Array): Float64Array {
  const S = s.elasticity.subarray(Row.elasticity * row, Row.elasticity * row + 9);
  return eigenvalues.map((value, k) => {
    const [x, y, z] = axes.subarray(3 * k, 3 * k + 3);
    const along = S[0] * x * x + S[4] * y * y + S[8] * z * z + 2 * (S[1] * x * y + S[2] * x * z + S[5] * y * z);
    // Rounding may leave the eigenvalue of an axis without extent below 0.
    return Math.sqrt(Math.max(0, value) * Math.max(0, along));
  });
}
