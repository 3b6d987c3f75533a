import { invertInto, multiplyInto, transposeInto } from '../math/mat3.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { describeFrames, type Frames, newFrames } from './frames.js';
import type { Knots } from './knots.js';

/** Which clusters carry each knot: x = Σ_c (F_c W q_c + W x̄_c), Σ_c W = 1. */
export interface Binding {
  readonly frames: Frames;
  /** The clusters that carry anything: those deep inside a body do not. */
  readonly carriers: Uint32Array;
  /** First entry of each knot; knots + 1 offsets. */
  readonly start: Uint32Array;
  /** Cluster of each entry, counted from the body's first, ascending in each knot. */
  readonly cluster: Uint32Array;
  /**
   * The same entries by cluster, as they are read in every frame: with a cluster's frame at hand, one takes 9 ns where it took 15 by knot.
   * First of each cluster, place of each entry of a knot here, and per entry W q (m), W and three times its knot.
   */
  readonly first: Uint32Array;
  readonly at: Uint32Array;
  readonly carried: Float32Array;
  readonly into: Uint32Array;
  /** Where the knots are: sums on their way. */
  readonly places: Float64Array;
}

/** Clusters with less than this share of a knot are left out: a fifth of all entries, which move nothing by more than 1 % of what clusters differ by. */
const LEAST = 0.01;

/**
 * Binds knots to the clusters of the particles around them. A particle i of the rest place X_i has the offset p_ic in cluster c, so a knot at
 * X has p_ic + G_c (X − X_i) there, where G_c is `fromRest`; these are averaged with κ_i w_ic, the kernel and the membership's weight. For a
 * cluster that the body was built with that is X − X̄_c, whichever particles are near; one that replaced others in a body that has flowed was
 * laid out anew, and is right about X only near by.
 */
export function bindKnots(s: Views, rows: Rows, built: Float64Array, rest: Float64Array, knots: Knots): Binding {
  const { particleStart, clusterStart, clusterEnd } = rows;
  const clusterCount = clusterEnd - clusterStart;
  const knotCount = knots.vertex.length;
  const sums = new Float64Array(4 * clusterCount);
  const touched = new Uint32Array(clusterCount);
  const carries = new Uint8Array(clusterCount);
  const start = new Uint32Array(knotCount + 1);
  const fromRest = restDirections(s, rows);
  const { ancestor, rank, linkStart, linkCluster, link, restShift } = s;
  let end = 0;
  for (let n = 0; n < knotCount; n++) {
    const v = 3 * knots.vertex[n];
    let count = 0;
    let total = 0;
    for (let e = knots.start[n]; e < knots.start[n + 1]; e++) {
      const row = particleStart + knots.particle[e];
      const at = 3 * ancestor[row];
      const kernel = knots.kernel[e];
      const dx = rest[v] - built[at];
      const dy = rest[v + 1] - built[at + 1];
      const dz = rest[v + 2] - built[at + 2];
      const last = linkStart[rank[row] + 1];
      for (let l = linkStart[rank[row]]; l < last; l++) {
        const part = kernel * link[4 * l + 3];
        if (!(part > 0)) continue;
        const shift = 3 * linkCluster[l];
        const c = linkCluster[l] - clusterStart;
        const o = 4 * c;
        const g = 9 * c;
        if (sums[o + 3] === 0) touched[count++] = c;
        // Written out: a loop over the axes takes three times as long.
        const x = link[4 * l] - restShift[shift];
        const y = link[4 * l + 1] - restShift[shift + 1];
        const z = link[4 * l + 2] - restShift[shift + 2];
        sums[o] += part * (x + fromRest[g] * dx + fromRest[g + 3] * dy + fromRest[g + 6] * dz);
        sums[o + 1] += part * (y + fromRest[g + 1] * dx + fromRest[g + 4] * dy + fromRest[g + 7] * dz);
        sums[o + 2] += part * (z + fromRest[g + 2] * dx + fromRest[g + 5] * dy + fromRest[g + 8] * dz);
        sums[o + 3] += part;
        total += part;
      }
    }
    sortFirst(touched, count);
    reserve(end + count);
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const part = sums[4 * touched[k] + 3];
      if (part >= LEAST * total) kept += part;
    }
    for (let k = 0; k < count; k++) {
      const o = 4 * touched[k];
      if (sums[o + 3] >= LEAST * total) {
        carries[touched[k]] = 1;
        entryCluster[end] = touched[k];
        entryShare[end] = sums[o + 3] / kept;
        for (let a = 0; a < 3; a++) entryOffset[3 * end + a] = sums[o + a] / sums[o + 3];
        end++;
      }
      sums[o] = sums[o + 1] = sums[o + 2] = sums[o + 3] = 0;
    }
    start[n + 1] = end;
  }
  const frames = newFrames(clusterCount);
  const cluster = entryCluster.slice(0, end);
  describeFrames(frames, s, clusterStart, cluster, entryOffset);
  const { first, at } = byCluster(cluster, clusterCount);
  const carried = new Float32Array(4 * end);
  const into = new Uint32Array(end);
  for (let n = 0; n < knotCount; n++)
    for (let k = start[n]; k < start[n + 1]; k++) {
      for (let a = 0; a < 3; a++) carried[4 * at[k] + a] = entryShare[k] * entryOffset[3 * k + a];
      carried[4 * at[k] + 3] = entryShare[k];
      into[at[k]] = 3 * n;
    }
  const carriers = Uint32Array.from(carries.keys()).filter((c) => carries[c]);
  const places = new Float64Array(3 * knotCount);
  return { frames, carriers, start, cluster, first, at, carried, into, places };
}

/** First entry of each cluster and the place of each entry, if they lie by cluster, and by knot within one. */
function byCluster(cluster: Uint32Array, clusterCount: number): { first: Uint32Array; at: Uint32Array } {
  const first = new Uint32Array(clusterCount + 1);
  for (let k = 0; k < cluster.length; k++) first[cluster[k] + 1]++;
  for (let c = 0; c < clusterCount; c++) first[c + 1] += first[c];
  const end = first.slice();
  const at = new Uint32Array(cluster.length);
  for (let k = 0; k < cluster.length; k++) at[k] = end[cluster[k]]++;
  return { first, at };
}

/** The first few numbers of a list in ascending order: too few for a sort that is told about it to be worth its call. */
function sortFirst(list: Uint32Array, count: number): void {
  for (let k = 1; k < count; k++) {
    const value = list[k];
    let at = k;
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
  }
}

/** ‖G‖ beyond which it is none: matter drawn out to its tenfold length has 10. */
const LARGEST = 20;

/**
 * `fromRest` of every cluster, 1 where it makes no sense: that of a cluster founded from particles which lay in one plane at rest is the inverse
 * of a singular matrix (1e14 and more).
 */
function restDirections(s: Views, { clusterStart, clusterEnd }: Rows): Float64Array {
  const out = Float64Array.from(s.fromRest.subarray(9 * clusterStart, 9 * clusterEnd));
  for (let o = 0; o < out.length; o += 9) {
    let square = 0;
    for (let k = o; k < o + 9; k++) square += out[k] * out[k];
    if (square <= LARGEST * LARGEST) continue;
    out.fill(0, o, o + 9);
    out[o] = out[o + 4] = out[o + 8] = 1;
  }
  return out;
}

// Entries on their way: a body that breaks is bound many times a second, and lists that grow one by one cost more than what is in them.
let entryCluster = new Uint32Array(0);
let entryShare = new Float64Array(0);
let entryOffset = new Float64Array(0);

function reserve(count: number): void {
  if (count <= entryCluster.length) return;
  const before = { entryCluster, entryShare, entryOffset };
  entryCluster = new Uint32Array(2 * count);
  entryShare = new Float64Array(2 * count);
  entryOffset = new Float64Array(6 * count);
  entryCluster.set(before.entryCluster);
  entryShare.set(before.entryShare);
  entryOffset.set(before.entryOffset);
}

/**
 * Where the knots are now, into `out`. `frames` have been fitted; their centres become those from the body's first carrier, so that f32 shares, which
 * sum to 1 within 1e-7, cost a share of the body's size and not of its distance from the origin.
 */
export function placeKnots(
  { frames: { frames }, carriers, first, carried, into, places }: Binding,
  out: Float32Array,
): void {
  const origin = 12 * carriers[0] + 9;
  const ox = frames[origin];
  const oy = frames[origin + 1];
  const oz = frames[origin + 2];
  for (let o = 0; o < places.length; o += 3) {
    places[o] = ox;
    places[o + 1] = oy;
    places[o + 2] = oz;
  }
  for (let n = 0; n < carriers.length; n++) {
    const c = carriers[n];
    const o = 12 * c + 9;
    frames[o] -= ox;
    frames[o + 1] -= oy;
    frames[o + 2] -= oz;
    addCarried(places, frames, 12 * c, carried, into, first[c], first[c + 1]);
  }
  out.set(places);
}

/** What one cluster carries. */
function addCarried(
  places: Float64Array,
  frames: Float64Array,
  f: number,
  carried: Float32Array,
  into: Uint32Array,
  start: number,
  end: number,
): void {
  const xx = frames[f];
  const yx = frames[f + 1];
  const zx = frames[f + 2];
  const xy = frames[f + 3];
  const yy = frames[f + 4];
  const zy = frames[f + 5];
  const xz = frames[f + 6];
  const yz = frames[f + 7];
  const zz = frames[f + 8];
  const cx = frames[f + 9];
  const cy = frames[f + 10];
  const cz = frames[f + 11];
  for (let k = start; k < end; k++) {
    const o = 4 * k;
    const n = into[k];
    const qx = carried[o];
    const qy = carried[o + 1];
    const qz = carried[o + 2];
    const w = carried[o + 3];
    places[n] += xx * qx + xy * qy + xz * qz + cx * w;
    places[n + 1] += yx * qx + yy * qy + yz * qz + cy * w;
    places[n + 2] += zx * qx + zy * qy + zz * qz + cz * w;
  }
}

/**
 * Moves vertices of the rest mesh so that their knots are at `wanted` (x y z a vertex) as the clusters are now, and the binding with them: places are
 * linear in rest places, x(X + d) = x(X) + J d with J = Σ_c W F_c G_c, G_c being `fromRest`. Where clusters are crushed J is next to
 * singular: those that would have to move farther than `most` only come near by that, and the rest of the way is an offset in one cluster.
 */
export function settleVertices(
  s: Views,
  rows: Rows,
  { frames: { frames }, start, cluster, at, carried }: Binding,
  knots: Knots,
  places: Float32Array,
  wanted: Float64Array,
  rest: Float64Array,
  most: number,
): void {
  const fromRest = restDirections(s, rows);
  for (let n = 0; n < knots.vertex.length; n++) {
    const v = 3 * knots.vertex[n];
    // Inner faces of what has come apart follow by themselves.
    if (v >= wanted.length) continue;
    const o = 3 * n;
    const x = wanted[v] - places[o];
    const y = wanted[v + 1] - places[o + 1];
    const z = wanted[v + 2] - places[o + 2];
    if (x * x + y * y + z * z < SETTLED * most * most) continue;
    J.fill(0);
    for (let k = start[n]; k < start[n + 1]; k++) {
      const f = 12 * cluster[k];
      const w = carried[4 * at[k] + 3];
      for (let b = 0; b < 9; b += 3) {
        const g = 9 * cluster[k] + b;
        const gx = w * fromRest[g];
        const gy = w * fromRest[g + 1];
        const gz = w * fromRest[g + 2];
        J[b] += frames[f] * gx + frames[f + 3] * gy + frames[f + 6] * gz;
        J[b + 1] += frames[f + 1] * gx + frames[f + 4] * gy + frames[f + 7] * gz;
        J[b + 2] += frames[f + 2] * gx + frames[f + 5] * gy + frames[f + 8] * gz;
      }
    }
    invertInto(inverse, J);
    for (let a = 0; a < 3; a++) d[a] = inverse[a] * x + inverse[3 + a] * y + inverse[6 + a] * z;
    const isCrushed = !(d[0] ** 2 + d[1] ** 2 + d[2] ** 2 < most * most);
    if (isCrushed) dampen(x, y, z);
    for (let a = 0; a < 3; a++) rest[v + a] += d[a];
    for (let k = start[n]; k < start[n + 1]; k++) {
      const g = 9 * cluster[k];
      const e = 4 * at[k];
      for (let a = 0; a < 3; a++)
        carried[e + a] +=
          carried[e + 3] * (fromRest[g + a] * d[0] + fromRest[g + 3 + a] * d[1] + fromRest[g + 6 + a] * d[2]);
    }
    if (!isCrushed) continue;
    for (let a = 0; a < 3; a++)
      left[a] = (a === 0 ? x : a === 1 ? y : z) - J[a] * d[0] - J[3 + a] * d[1] - J[6 + a] * d[2];
    leave(n, most);
  }

  /** What is left of the way goes into the offset in one cluster, the one that needs the least for it, until the binding is made anew. */
  function leave(n: number, most: number): void {
    let [least, entry] = [most * most, -1];
    for (let k = start[n]; k < start[n + 1]; k++) {
      for (let a = 0; a < 9; a++) F[a] = frames[12 * cluster[k] + a];
      invertInto(inverse, F);
      let square = 0;
      for (let a = 0; a < 3; a++) {
        d[a] = inverse[a] * left[0] + inverse[3 + a] * left[1] + inverse[6 + a] * left[2];
        square += d[a] * d[a];
      }
      if (!(square < least)) continue;
      least = square;
      entry = 4 * at[k];
      offset.set(d);
    }
    if (entry >= 0) for (let a = 0; a < 3; a++) carried[entry + a] += offset[a];
  }
}
const left = new Float64Array(3);
const offset = new Float64Array(3);

/** d = Jᵀ (J Jᵀ + λ)⁻¹ x: nothing along directions in which all is crushed. */
function dampen(x: number, y: number, z: number): void {
  transposeInto(F, J);
  multiplyInto(product, J, F);
  for (let k = 0; k < 9; k += 4) product[k] += DAMPING;
  invertInto(inverse, product);
  multiplyInto(product, F, inverse);
  for (let a = 0; a < 3; a++) d[a] = product[a] * x + product[3 + a] * y + product[6 + a] * z;
}
/** Squared stretch that counts half. */
const DAMPING = 0.01;
const J = new Float64Array(9);
const F = new Float64Array(9);
const product = new Float64Array(9);
const inverse = new Float64Array(9);
const d = new Float64Array(3);
/** Squared share of the farthest way that is not worth it: rounding. */
const SETTLED = 1e-14;
