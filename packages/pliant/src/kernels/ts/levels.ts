import { invertInertiaBackInto, invertInertiaInto } from '../../math/inertia.js';
import { multiplyInto } from '../../math/mat3.js';
import { polarInto } from '../../math/polar.js';
import { Fit, Goal } from '../../state/coarseRow.js';
import { FIELDS, Matrix, Row, Symmetric, TRANSFORM_ROW, Transform, Vector } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { type LevelRows, Match } from '../kernels.js';

// Scratch: matrices by columns, a goal as in a row of coarseGoal.
const F = new Float64Array(9);
const R = new Float64Array(9);
const turned = new Float64Array(9);
const inverse = new Float64Array(6);
const origin = new Float64Array(3);
const place = new Float64Array(3);
const goal = new Float64Array(Goal.WIDTH);
const { CENTRE } = Fit;
const { SPIN } = FIELDS.motion;
const { PLACE } = FIELDS.tieRest;

/**
 * Fits the coarse clusters, fine to coarse ([K20] algorithm 2 needs x̄, R, v̄ and ω of every level). Sums over the
 * particles of a coarse cluster are computed as sums over the clusters that it holds. With r = q + H p for a particle
 * of child c (levels/hierarchy.ts):
 *
 *   A_xr = Σ m w (x − x̄) rᵀ = Σ_c W (A_c Hᵀ + M_c (x̄_c − x̄) qᵀ),   L = Σ_c W (L_c + M_c (x̄_c − x̄) × (v̄_c − v̄)),   I likewise.
 */
export function sumLevels(s: Views, rows: LevelRows, mode: number): void {
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) describeMotion(s, c, mode);
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) {
    const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
    sumHeld(s, rows, c, fit, mode);
    if (mode & Match.COVARIANCE) F.set(fit.subarray(Fit.A, Fit.A + Matrix.WIDTH));
    else multiplyInto(F, fit, s.coarseInverse.subarray(Row.coarseInverse * c, Row.coarseInverse * (c + 1)));
    polarInto(R, F, (mode & Match.REFLECT) !== 0);
    fit.set(R, Fit.R);
    if (!(mode & Match.RIGID_MOTION)) continue;
    invertInertiaInto(inverse, 0, fit.subarray(Fit.INERTIA, Fit.INERTIA + Symmetric.WIDTH));
    productInto(fit, Fit.SPIN, inverse, fit[Fit.TURN], fit[Fit.TURN + 1], fit[Fit.TURN + 2]);
  }
}

/** v̄, L = I ω and I of a cluster, from its `motion` and `inertiaInverse`. */
function describeMotion({ sums, motion, inertiaInverse }: Views, c: number, mode: number): void {
  const [o, m, w] = [Row.sums * c, Row.motion * c, Row.motion * c + SPIN];
  sums.fill(0, o + Fit.V, o + Fit.SUMS);
  if (!(mode & (Match.LINEAR_MOTION | Match.RIGID_MOTION))) return;
  for (let a = 0; a < 3; a++) sums[o + Fit.V + a] = motion[m + a];
  if (!(mode & Match.RIGID_MOTION)) return;
  invertInertiaBackInto(inverse, inertiaInverse.subarray(Row.inertiaInverse * c, Row.inertiaInverse * (c + 1)));
  sums.set(inverse, o + Fit.INERTIA);
  productInto(sums, o + Fit.TURN, inverse, motion[w], motion[w + 1], motion[w + 2]);
}

/** out := S x for a symmetric S given as xx yy zz xy xz yz. */
function productInto(out: Float64Array, at: number, S: Float64Array, x: number, y: number, z: number): void {
  out[at] = S[0] * x + S[3] * y + S[4] * z;
  out[at + 1] = S[3] * x + S[1] * y + S[5] * z;
  out[at + 2] = S[4] * x + S[5] * y + S[2] * z;
}

/**
 * The sums of one coarse cluster, relative to the centre of the first child and then moved to its own centre (parallel
 * axes). A_xr needs no such move, since Σ W M q = 0.
 */
function sumHeld(s: Views, rows: LevelRows, c: number, fit: Float64Array, mode: number): void {
  const [first, last] = [
    rows.tieStart + s.coarseChildTies[Row.coarseChildTies * c],
    rows.tieStart + s.coarseChildTies[Row.coarseChildTies * c + FIELDS.coarseChildTies.END],
  ];
  const fine = s.coarseLevel[c] === 1;
  fit.fill(0);
  for (let t = first; t < last; t++) {
    const child = (fine ? rows.clusterStart : rows.coarseStart) + s.tieChild[t];
    const held = fine ? s.sums.subarray(Row.sums * child) : s.coarseFit.subarray(Fit.WIDTH * child);
    const W = s.tieWeight[t];
    const mass = W * (fine ? s.clusterMass[child] : s.coarseMass[child]);
    if (t === first) origin.set(held.subarray(Fit.CENTRE, Fit.CENTRE + Vector.WIDTH));
    const H = s.tieRest.subarray(Row.tieRest * t, Row.tieRest * t + PLACE);
    const q = s.tieRest.subarray(Row.tieRest * t + PLACE, Row.tieRest * (t + 1));
    if (mode & Match.PLASTIC) multiplyTransposedInto(turned, held, H);
    else turned.set(held.subarray(Fit.A, Fit.A + Matrix.WIDTH));
    const [x, y, z] = [held[CENTRE] - origin[0], held[CENTRE + 1] - origin[1], held[CENTRE + 2] - origin[2]];
    for (let b = 0; b < 3; b++) {
      const o = Fit.A + Vector.WIDTH * b;
      fit[o] += W * turned[3 * b] + mass * x * q[b];
      fit[o + 1] += W * turned[3 * b + 1] + mass * y * q[b];
      fit[o + 2] += W * turned[3 * b + 2] + mass * z * q[b];
    }
    for (let k = Fit.TURN; k < Fit.SUMS; k++) fit[k] += W * held[k];
    addPoint(fit, mass, x, y, z, held[Fit.V], held[Fit.V + 1], held[Fit.V + 2]);
    fit[Fit.CENTRE] += mass * x;
    fit[Fit.CENTRE + 1] += mass * y;
    fit[Fit.CENTRE + 2] += mass * z;
    for (let a = 0; a < 3; a++) fit[Fit.V + a] += mass * held[Fit.V + a];
  }
  const total = s.coarseMass[c];
  for (let k = Fit.CENTRE; k < Fit.TURN; k++) fit[k] /= total;
  addPoint(fit, -total, fit[CENTRE], fit[CENTRE + 1], fit[CENTRE + 2], fit[Fit.V], fit[Fit.V + 1], fit[Fit.V + 2]);
  for (let a = 0; a < 3; a++) fit[Fit.CENTRE + a] += origin[a];
}

/** L += m r × v, I += m (|r|² 1 − r rᵀ). */
function addPoint(
  fit: Float64Array,
  m: number,
  x: number,
  y: number,
  z: number,
  u: number,
  v: number,
  w: number,
): void {
  fit[Fit.TURN] += m * (y * w - z * v);
  fit[Fit.TURN + 1] += m * (z * u - x * w);
  fit[Fit.TURN + 2] += m * (x * v - y * u);
  const I = Fit.INERTIA;
  fit[I] += m * (y * y + z * z);
  fit[I + 1] += m * (x * x + z * z);
  fit[I + 2] += m * (x * x + y * y);
  fit[I + 3] -= m * x * y;
  fit[I + 4] -= m * x * z;
  fit[I + 5] -= m * y * z;
}

/** out := a bᵀ. */
function multiplyTransposedInto(out: Float64Array, a: Float64Array, b: Float64Array): void {
  for (let j = 0; j < 3; j++)
    for (let i = 0; i < 3; i++) out[3 * j + i] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

/**
 * Blends the goals of all levels into those of the clusters, coarse to fine ([K20] algorithms 2 and 3: Δv = Σ w_ℓ (…)).
 * The blended goal of levels ℓ and above for a particle of coarse cluster C is affine in its rest place r:
 * matrix · r + place. The blended goal of a child is that of its own level plus, by weight, those of its holders in the
 * child's frame. Particles therefore gather goals from their clusters alone, at no extra cost for the levels.
 */
export function blendLevels(s: Views, rows: LevelRows, mode: number, pull: number, drag: number): void {
  for (let c = rows.coarseEnd - 1; c >= rows.coarseStart; c--) {
    const fit = s.coarseFit.subarray(Fit.WIDTH * c, Fit.WIDTH * (c + 1));
    const [own, ownDrag] = [
      s.coarseStrength[Row.coarseStrength * c],
      s.coarseStrength[Row.coarseStrength * c + FIELDS.coarseStrength.DRAG],
    ];
    for (let k = 0; k < 9; k++) goal[Goal.MATRIX + k] = own * fit[Fit.R + k];
    for (let a = 0; a < 3; a++) {
      place[a] = fit[Fit.CENTRE + a];
      goal[Goal.PLACE + a] = own * place[a];
      goal[Goal.V + a] = ownDrag * fit[Fit.V + a];
      goal[Goal.SPIN + a] = ownDrag * fit[Fit.SPIN + a];
    }
    addHolders(
      s,
      rows,
      s.coarseParentTies[Row.coarseParentTies * c],
      s.coarseParentTies[Row.coarseParentTies * c + FIELDS.coarseParentTies.END],
      mode,
    );
    s.coarseGoal.set(goal, Goal.WIDTH * c);
  }
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) blendCluster(s, rows, c, mode, pull, drag);
}

/** goal += the goals of the holders of one cluster, by weight. `place` is the current centre of that cluster. */
function addHolders(s: Views, rows: LevelRows, first: number, last: number, mode: number): void {
  for (let n = rows.tieStart + first; n < rows.tieStart + last; n++) {
    const t = rows.tieStart + s.tiesByChild[n];
    const W = s.tieWeight[t];
    const holder = rows.coarseStart + s.tieParent[t];
    const G = s.coarseGoal.subarray(Goal.WIDTH * holder, Goal.WIDTH * (holder + 1));
    const H = s.tieRest.subarray(Row.tieRest * t, Row.tieRest * t + PLACE);
    const q = s.tieRest.subarray(Row.tieRest * t + PLACE, Row.tieRest * (t + 1));
    if (mode & Match.PLASTIC) multiplyInto(turned, G, H);
    else turned.set(G.subarray(Goal.MATRIX, Goal.MATRIX + Matrix.WIDTH));
    for (let k = 0; k < 9; k++) goal[k] += W * turned[k];
    for (let a = 0; a < 3; a++)
      goal[Goal.PLACE + a] += W * (G[Goal.PLACE + a] + G[a] * q[0] + G[Matrix.XY + a] * q[1] + G[Matrix.XZ + a] * q[2]);
    const [x, y, z] = [0, 1, 2].map((a) => place[a] - s.coarseFit[Fit.WIDTH * holder + Fit.CENTRE + a]);
    const [wx, wy, wz] = G.subarray(Goal.SPIN, Goal.SPIN + Vector.WIDTH);
    goal[Goal.V] += W * (G[Goal.V] + wy * z - wz * y);
    goal[Goal.V + 1] += W * (G[Goal.V + 1] + wz * x - wx * z);
    goal[Goal.V + 2] += W * (G[Goal.V + 2] + wx * y - wy * x);
    for (let a = 0; a < 3; a++) goal[Goal.SPIN + a] += W * G[Goal.SPIN + a];
  }
}

/** Replaces `transform` and `motion` of one cluster by the blend of all levels. */
function blendCluster(s: Views, rows: LevelRows, c: number, mode: number, pull: number, drag: number): void {
  const { transform, motion, restShift } = s;
  const [t, m] = [TRANSFORM_ROW * c, Row.motion * c];
  for (let k = 0; k < 9; k++) goal[k] = pull * transform[t + Transform.COLUMN * Math.floor(k / 3) + (k % 3)];
  for (let a = 0; a < 3; a++) {
    place[a] = s.sums[Row.sums * c + Fit.CENTRE + a];
    goal[Goal.PLACE + a] = pull * place[a];
    goal[Goal.V + a] = drag * motion[m + a];
    goal[Goal.SPIN + a] = drag * motion[m + SPIN + a];
  }
  addHolders(s, rows, s.parentTies[Row.parentTies * c], s.parentTies[Row.parentTies * c + FIELDS.parentTies.END], mode);
  const [p, q, r] = restShift.subarray(Row.restShift * c, Row.restShift * (c + 1));
  for (let a = 0; a < 3; a++) {
    for (let j = 0; j < 3; j++) transform[t + Transform.COLUMN * j + a] = goal[3 * j + a];
    transform[t + Transform.CENTRE + a] =
      goal[Goal.PLACE + a] - transform[t + Transform.ORIGIN + a] - (goal[a] * p + goal[3 + a] * q + goal[6 + a] * r);
    motion[m + a] = goal[Goal.V + a];
    motion[m + SPIN + a] = goal[Goal.SPIN + a];
  }
}
