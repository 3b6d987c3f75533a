import { cofactorsInto, determinant, multiplyInto } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
import { svdInto } from '../math/svd.js';
import { Fit } from '../state/coarseRow.js';
import type { Views } from '../state/layout.js';
import type { State } from '../state/state.js';

/**
 * Frames of a body's clusters, by which they carry points: one with the offset q in a cluster's rest frame is at x̄ + F
 * q. F = A_xr A_rr⁻¹ is the linear deformation ([J15] 7), not only its rotation.
 */
export interface Frames {
  /** Number of clusters of the body; entries per cluster are counted from its first. */
  readonly clusterCount: number;
  /** Per cluster, 9: inverse of A_rr, by columns, in the directions in which the cluster has extent (1/(kg m²)). */
  readonly restInverse: Float64Array;
  /** Per cluster, 9: projector on its thin directions, in which the rotation replaces F. */
  readonly thin: Float64Array;
  /** Per cluster: 1 where `thin` is not zero. */
  readonly isThin: Uint8Array;
  /** Per cluster: columns of F, then the centre x̄; written by fitFrames. */
  readonly frames: Float64Array;
}

export const newFrames = (clusterCount: number): Frames => ({
  clusterCount,
  restInverse: new Float64Array(9 * clusterCount),
  thin: new Float64Array(9 * clusterCount),
  isThin: new Uint8Array(clusterCount),
  frames: new Float64Array(12 * clusterCount),
});

/**
 * A cluster is thin in a direction in which its extent (root mean square) is less than SLENDER of its widest one, and
 * its vertices lie more than REACH times as far out. F would be extrapolated that far, where it says little, and in a
 * sheet of one layer nothing. The surface of a solid ball is at 2.2 times its extent, that of two layers at 2 to 3.
 */
const SLENDER = 0.1;
const REACH = 4;
/** Extent below this share of the widest is rounding of f32 positions, however near the vertices lie. */
const FLAT = 1e-5;

// Scratch of one cluster: A_rr, its axes (columns, twice) and their moments.
const moment = new Float64Array(9);
const axes = new Float64Array(9);
const same = new Float64Array(9);
const moments = new Float64Array(3);

/**
 * Determinant of A_rr, over the cube of the mean of its eigenvalues, above which no extent is below SLENDER of the
 * widest. With λ₃ = λ₁/100 it is at most 0.039 (at λ₂ = λ₁/2).
 */
const ROUND = 0.05;

/**
 * Computes A_rr⁻¹ of every cluster without its thin directions, and the projectors on these. `cluster` and `offsetsOf`
 * give the cluster and the offset q of each entry. Most clusters have no thin direction, as their determinant shows;
 * offsetsOf is called only if one may, for those that may.
 */
export function describeFrames(
  { clusterCount, restInverse, thin, isThin }: Frames,
  s: Views,
  firstRow: number,
  cluster: Uint32Array,
  offsetsOf: (isWanted: Uint8Array) => Float64Array,
): void {
  restInverse.fill(0);
  thin.fill(0);
  isThin.fill(0);
  const slender: number[] = [];
  for (let c = 0; c < clusterCount; c++) {
    sumMoment(s, firstRow + c);
    if (isRound(moment)) invertMoment(restInverse, 9 * c);
    else slender.push(c);
  }
  if (slender.length === 0) return;
  const isSlender = new Uint8Array(clusterCount);
  for (const c of slender) isSlender[c] = 1;
  const axesOf = new Float64Array(9 * clusterCount);
  const extents = new Float64Array(3 * clusterCount);
  for (const c of slender) {
    sumMoment(s, firstRow + c);
    svdInto(axes, moments, same, moment);
    axesOf.set(axes, 9 * c);
    for (let j = 0; j < 3; j++) extents[3 * c + j] = Math.sqrt(Math.max(0, moments[j]) / s.clusterMass[firstRow + c]);
  }
  const reach = reachAlong(axesOf, cluster, offsetsOf(isSlender), isSlender);
  for (const c of slender)
    for (let j = 3 * c; j < 3 * c + 3; j++) {
      const widest = extents[3 * c];
      const kept = extents[j] > SLENDER * widest || (extents[j] > FLAT * widest && reach[j] <= REACH * extents[j]);
      if (!kept) isThin[c] = 1;
      const into = kept ? restInverse : thin;
      const scale = kept ? 1 / (extents[j] * extents[j] * s.clusterMass[firstRow + c]) : 1;
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) into[9 * c + 3 * b + a] += scale * axesOf[3 * j + a] * axesOf[3 * j + b];
    }
}

function isRound(m: Float64Array): boolean {
  const mean = (m[0] + m[4] + m[8]) / 3;
  return determinant(m) > ROUND * mean * mean * mean;
}

/** Inverse of `moment`, which is symmetric: its cofactors over its determinant. */
function invertMoment(out: Float64Array, at: number): void {
  const det = determinant(moment);
  cofactorsInto(same, moment);
  for (let k = 0; k < 9; k++) out[at + k] = same[k] / det;
}

/** Largest distance of a cluster's entries along each of its axes, three a cluster. */
function reachAlong(
  axes: Float64Array,
  cluster: Uint32Array,
  offsets: Float64Array,
  isWanted: Uint8Array,
): Float64Array {
  const reach = new Float64Array(3 * isWanted.length);
  for (let k = 0; k < cluster.length; k++) {
    if (!isWanted[cluster[k]]) continue;
    const x = offsets[3 * k];
    const y = offsets[3 * k + 1];
    const z = offsets[3 * k + 2];
    for (let j = 3 * cluster[k]; j < 3 * cluster[k] + 3; j++) {
      const along = Math.abs(axes[3 * j] * x + axes[3 * j + 1] * y + axes[3 * j + 2] * z);
      if (along > reach[j]) reach[j] = along;
    }
  }
  return reach;
}

/** A_rr = Σ m w p pᵀ, with p corrected by the rounding of its mean (`restShift`). */
function sumMoment(s: Views, row: number): void {
  const { member, memberStart, restShift } = s;
  const sx = restShift[3 * row];
  const sy = restShift[3 * row + 1];
  const sz = restShift[3 * row + 2];
  const last = 4 * memberStart[row + 1];
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let xz = 0;
  let yz = 0;
  for (let k = 4 * memberStart[row]; k < last; k += 4) {
    const x = member[k] - sx;
    const y = member[k + 1] - sy;
    const z = member[k + 2] - sz;
    const mw = member[k + 3];
    xx += mw * x * x;
    yy += mw * y * y;
    zz += mw * z * z;
    xy += mw * x * y;
    xz += mw * x * z;
    yz += mw * y * z;
  }
  moment[0] = xx;
  moment[4] = yy;
  moment[8] = zz;
  moment[1] = moment[3] = xy;
  moment[2] = moment[6] = xz;
  moment[5] = moment[7] = yz;
}

// Scratch: matrices of one cluster by columns.
const A = new Float64Array(9);
const F = new Float64Array(9);
const R = new Float64Array(9);
const inverse = new Float64Array(9);
const centre = new Float64Array(3);

/**
 * Fits the frames to the present positions, of all clusters or of those listed, in ascending order. Clusters are summed
 * anew, because `transform` is of the start of the step and holds rotations only. Allocates nothing.
 */
export function fitFrames(
  of: Frames,
  { kernels, views: { sums } }: State,
  firstRow: number,
  listed?: Uint32Array,
): void {
  const count = listed ? listed.length : of.clusterCount;
  for (let n = 0; n < count; ) {
    const c = listed ? listed[n] : n;
    const begin = n++;
    if (listed) while (n < count && listed[n] === c + n - begin) n++;
    else n = count;
    kernels.sumClusters(firstRow + c, firstRow + c + n - begin);
  }
  for (let n = 0; n < count; n++) {
    const c = listed ? listed[n] : n;
    const from = Fit.SUMS * (firstRow + c);
    for (let k = 0; k < 9; k++) A[k] = sums[from + Fit.A + k];
    for (let k = 0; k < 3; k++) centre[k] = sums[from + Fit.CENTRE + k];
    writeFrame(of, c);
  }
}

/**
 * Fits the listed frames to positions that are not those of the state: clusters and `x` of `s`, from row 0 on. In f64
 * and without kernels. Allocates nothing.
 */
export function fitFramesApart(of: Frames, s: Views, listed: Uint32Array): void {
  for (let n = 0; n < listed.length; n++) {
    sumInto(A, centre, s, listed[n]);
    writeFrame(of, listed[n]);
  }
}

/** Writes the frame of a cluster, of which A and the centre are at hand. */
function writeFrame({ frames, restInverse, thin, isThin }: Frames, c: number): void {
  for (let k = 0; k < 9; k++) inverse[k] = restInverse[9 * c + k];
  multiplyInto(F, A, inverse);
  if (isThin[c]) {
    // In thin directions F is completed by its rotation.
    polarInto(R, F);
    for (let k = 0; k < 9; k++) inverse[k] = thin[9 * c + k];
    multiplyInto(A, R, inverse);
    for (let k = 0; k < 9; k++) F[k] += A[k];
  }
  for (let k = 0; k < 9; k++) frames[12 * c + k] = F[k];
  for (let k = 0; k < 3; k++) frames[12 * c + 9 + k] = centre[k];
}

/** x̄ and A_xr = Σ m w (x − x̄) pᵀ of cluster c, as sumMatch in kernels/ts/match.ts. */
function sumInto(A: Float64Array, centre: Float64Array, s: Views, c: number): void {
  const { x, member, memberParticle, memberStart, restShift, clusterMass } = s;
  const first = memberStart[c];
  const last = memberStart[c + 1];
  const origin = 4 * memberParticle[first];
  for (let a = 0; a < 3; a++) {
    const from = x[origin + a];
    let sum = 0;
    let p = 0;
    let q = 0;
    let r = 0;
    for (let k = first; k < last; k++) {
      const y = member[4 * k + 3] * (x[4 * memberParticle[k] + a] - from);
      sum += y;
      p += y * member[4 * k];
      q += y * member[4 * k + 1];
      r += y * member[4 * k + 2];
    }
    A[a] = p - sum * restShift[3 * c];
    A[3 + a] = q - sum * restShift[3 * c + 1];
    A[6 + a] = r - sum * restShift[3 * c + 2];
    centre[a] = from + sum / clusterMass[c];
  }
}
