import { invertInto, multiplyInto, transposeInto } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
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
  /** Knots that their clusters cannot bring where a cut left them, usually none: three times the knot, a cluster, and what is missing (m), in its rotation. */
  readonly strays: { readonly into: number[]; readonly cluster: number[]; readonly offset: number[] };
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
  const clusterCount = rows.clusterEnd - rows.clusterStart;
  const binder = new Binder(s, rows, rest, knots, built);
  const start = binder.bindAll();
  const cluster = entryCluster.slice(0, start[start.length - 1]);
  const frames = newFrames(clusterCount);
  describeFrames(frames, s, rows.clusterStart, cluster, entryOffset);
  const { first, at } = byCluster(cluster, clusterCount);
  const { carried, into } = carriedBy(start, at);
  const carriers = binder.carriers();
  const places = new Float64Array(3 * knots.vertex.length);
  const strays = { into: [], cluster: [], offset: [] };
  return { frames, carriers, start, cluster, first, at, carried, into, places, strays };
}

/** Finds the entries of knots, one after the other: a function that is called for each is compiled soon, one with a loop over all of them is not. */
class Binder {
  private readonly links: Links;
  /** Per cluster, of the knot at hand: Σ κ w (p − G X_i) and Σ κ w. */
  private readonly sums: Float64Array;
  /** The clusters that have such sums, and how many there are. */
  private readonly touched: Uint32Array;
  private count = 0;
  private readonly carries: Uint8Array;
  private readonly fromRest: Float64Array;
  /** Entries so far. */
  private end = 0;

  constructor(
    s: Views,
    rows: Rows,
    private readonly rest: Float64Array,
    private readonly knots: Knots,
    built: Float64Array,
  ) {
    const clusterCount = rows.clusterEnd - rows.clusterStart;
    this.sums = new Float64Array(4 * clusterCount);
    this.touched = new Uint32Array(clusterCount);
    this.carries = new Uint8Array(clusterCount);
    this.fromRest = restDirections(s, rows);
    this.links = linksOf(s, rows, built, this.fromRest);
  }

  /** Entries of all knots; returns where those of each begin. */
  bindAll(): Uint32Array {
    const count = this.knots.vertex.length;
    const starts = new Uint32Array(count + 1);
    for (let n = 0; n < count; n++) {
      const total = this.links.isEven ? this.sumShares(n) : this.sumUp(n);
      sortFirst(this.touched, this.count);
      this.writeEntries(3 * this.knots.vertex[n], LEAST * total);
      starts[n + 1] = this.end;
    }
    return starts;
  }

  /** What the particles of a knot say; returns Σ κ w of all clusters. */
  private sumUp(n: number): number {
    const { sums, touched } = this;
    const { first, slot, weight } = this.links;
    const { start, particle, kernel } = this.knots;
    let count = 0;
    let total = 0;
    for (let e = start[n]; e < start[n + 1]; e++) {
      const k = kernel[e];
      if (!(k > 0)) continue;
      const last = first[particle[e] + 1];
      for (let l = first[particle[e]]; l < last; l++) {
        const o = slot[l];
        const w = 4 * l;
        const part = k * weight[w + 3];
        if (sums[o + 3] === 0) touched[count++] = o >> 2;
        // Written out: a loop over the axes takes three times as long.
        sums[o] += k * weight[w];
        sums[o + 1] += k * weight[w + 1];
        sums[o + 2] += k * weight[w + 2];
        sums[o + 3] += part;
        total += part;
      }
    }
    this.count = count;
    return total;
  }

  /** The same without places, where those are the same whichever particles are asked. */
  private sumShares(n: number): number {
    const { sums, touched } = this;
    const { first, slot, weight } = this.links;
    const { start, particle, kernel } = this.knots;
    let count = 0;
    let total = 0;
    const end = start[n + 1];
    for (let e = start[n]; e < end; e++) {
      const k = kernel[e];
      if (!(k > 0)) continue;
      const i = particle[e];
      const last = first[i + 1];
      for (let l = first[i]; l < last; l++) {
        const o = slot[l] + 3;
        const part = k * weight[4 * l + 3];
        const sum = sums[o];
        if (sum === 0) touched[count++] = o >> 2;
        sums[o] = sum + part;
        total += part;
      }
    }
    this.count = count;
    return total;
  }

  /** The sums become entries of a vertex, place v of the rest positions, without those of less than `least`, and are 0 again. */
  private writeEntries(v: number, least: number): void {
    const { sums, touched, count, carries, fromRest, rest } = this;
    const { isEven, origin } = this.links;
    const x = rest[v];
    const y = rest[v + 1];
    const z = rest[v + 2];
    reserve(this.end + count);
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const part = sums[4 * touched[k] + 3];
      if (part >= least) kept += part;
    }
    for (let k = 0; k < count; k++) {
      const c = touched[k];
      const o = 4 * c;
      const part = sums[o + 3];
      if (part >= least) {
        const end = this.end++;
        carries[c] = 1;
        entryCluster[end] = c;
        entryShare[end] = part / kept;
        for (let a = 0; a < 3; a++) {
          const g = 9 * c + a;
          const at = isEven ? origin[o + a] : sums[o + a] / part;
          entryOffset[3 * end + a] = at + fromRest[g] * x + fromRest[g + 3] * y + fromRest[g + 6] * z;
        }
      }
      sums[o] = sums[o + 1] = sums[o + 2] = sums[o + 3] = 0;
    }
  }

  /** The clusters that have entries. */
  carriers(): Uint32Array {
    const { carries } = this;
    const carriers = new Uint32Array(carries.length);
    let count = 0;
    for (let c = 0; c < carries.length; c++) if (carries[c]) carriers[count++] = c;
    return carriers.slice(0, count);
  }
}

/** What a body's particles say of places around them, the same for all knots. */
interface Links {
  /** First link of each particle; particles + 1 offsets. */
  first: Int32Array;
  /** Four times the cluster, counted from the body's first. */
  slot: Int32Array;
  /** w (p_ic − G_c X_i) and w, four numbers: a knot at X adds w G_c X. */
  weight: Float64Array;
  /** Σ w (p_ic − G_c X_i) / Σ w of each cluster, four numbers. */
  origin: Float64Array;
  /** Whether p_ic − G_c X_i is that for all particles of a cluster, but for rounding: then no knot needs to ask which are near. */
  isEven: boolean;
}

// Of one body at a time.
let slots = new Int32Array(0);
let weights = new Float64Array(0);

function linksOf(s: Views, rows: Rows, built: Float64Array, fromRest: Float64Array): Links {
  const { ancestor, rank, linkStart, linkCluster, link, restShift } = s;
  const { particleStart, particleEnd, clusterStart } = rows;
  const most = linkStart[particleEnd] - linkStart[particleStart];
  const first = new Int32Array(particleEnd - particleStart + 1);
  if (slots.length < most) {
    slots = new Int32Array(2 * most);
    weights = new Float64Array(8 * most);
  }
  const [slot, weight] = [slots, weights];
  let end = 0;
  for (let i = particleStart; i < particleEnd; i++) {
    const at = 3 * ancestor[i];
    const x = built[at];
    const y = built[at + 1];
    const z = built[at + 2];
    const last = linkStart[rank[i] + 1];
    for (let l = linkStart[rank[i]]; l < last; l++) {
      const w = link[4 * l + 3];
      if (!(w > 0)) continue;
      const c = linkCluster[l];
      slot[end] = 4 * (c - clusterStart);
      for (let a = 0; a < 3; a++) {
        const g = 9 * (c - clusterStart) + a;
        const p = link[4 * l + a] - restShift[3 * c + a];
        weight[4 * end + a] = w * (p - fromRest[g] * x - fromRest[g + 3] * y - fromRest[g + 6] * z);
      }
      weight[4 * end + 3] = w;
      end++;
    }
    first[i - particleStart + 1] = end;
  }
  const origin = originsOf(slot, weight, end, 4 * (rows.clusterEnd - clusterStart));
  return { first, slot, weight, origin, isEven: areEven(s, rows, slot, weight, end, origin) };
}

function originsOf(slot: Int32Array, weight: Float64Array, links: number, length: number): Float64Array {
  const origin = new Float64Array(length);
  for (let l = 0; l < links; l++) {
    const o = slot[l];
    const w = 4 * l;
    origin[o] += weight[w];
    origin[o + 1] += weight[w + 1];
    origin[o + 2] += weight[w + 2];
    origin[o + 3] += weight[w + 3];
  }
  for (let o = 0; o < length; o += 4) for (let a = 0; a < 3; a++) origin[o + a] /= origin[o + 3];
  return origin;
}

/** Offsets in a cluster that differ by less than this share of its width do so by rounding: they are f32, and rounded anew whenever it is divided. */
const EVEN = 1e-6;

function areEven(
  { width }: Views,
  { clusterStart }: Rows,
  slot: Int32Array,
  weight: Float64Array,
  links: number,
  origin: Float64Array,
): boolean {
  for (let l = 0; l < links; l++) {
    const o = slot[l];
    const w = weight[4 * l + 3];
    const x = weight[4 * l] - w * origin[o];
    const y = weight[4 * l + 1] - w * origin[o + 1];
    const z = weight[4 * l + 2] - w * origin[o + 2];
    const most = EVEN * w * width[clusterStart + (o >> 2)];
    if (!(x * x + y * y + z * z <= most * most)) return false;
  }
  return true;
}

/** What clusters carry, by cluster: where at[k] says that entry k is. */
function carriedBy(start: Uint32Array, at: Uint32Array): { carried: Float32Array; into: Uint32Array } {
  const carried = new Float32Array(4 * at.length);
  const into = new Uint32Array(at.length);
  for (let n = 0; n + 1 < start.length; n++)
    for (let k = start[n]; k < start[n + 1]; k++) {
      const o = 4 * at[k];
      const share = entryShare[k];
      carried[o] = share * entryOffset[3 * k];
      carried[o + 1] = share * entryOffset[3 * k + 1];
      carried[o + 2] = share * entryOffset[3 * k + 2];
      carried[o + 3] = share;
      into[at[k]] = 3 * n;
    }
  return { carried, into };
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
  { frames: { frames }, carriers, first, carried, into, places, strays }: Binding,
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
  addStrays(places, frames, strays);
  out.set(places);
}

/** What follows the rotation of a cluster: should that get its shape back, it stays as far off as it is. */
function addStrays(places: Float64Array, frames: Float64Array, { into, cluster, offset }: Binding['strays']): void {
  for (let k = 0; k < into.length; k++) {
    if (k === 0 || cluster[k] !== cluster[k - 1]) rotationInto(R, frames, cluster[k]);
    for (let a = 0; a < 3; a++)
      places[into[k] + a] += R[a] * offset[3 * k] + R[3 + a] * offset[3 * k + 1] + R[6 + a] * offset[3 * k + 2];
  }
}

function rotationInto(out: Float64Array, frames: Float64Array, c: number): void {
  for (let a = 0; a < 9; a++) F[a] = frames[12 * c + a];
  polarInto(out, F);
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
 * singular: those that would have to move several times as far as they are to come only do so a little, and the rest of the way is an offset beside it.
 * (Should a crushed splinter get its shape back, they would fly off.) `size` is the body's.
 */
export function settleVertices(
  s: Views,
  rows: Rows,
  binding: Binding,
  knots: Knots,
  places: Float32Array,
  wanted: Float64Array,
  rest: Float64Array,
  size: number,
): void {
  const settler = new Settler(binding, restDirections(s, rows), rest);
  const { vertex } = knots;
  for (let n = 0; n < vertex.length; n++) {
    const v = 3 * vertex[n];
    // Inner faces of what has come apart follow by themselves.
    if (v >= wanted.length) continue;
    const x = wanted[v] - places[3 * n];
    const y = wanted[v + 1] - places[3 * n + 1];
    const z = wanted[v + 2] - places[3 * n + 2];
    if (!(x * x + y * y + z * z < SETTLED * size * size)) settler.move(n, v, x, y, z);
  }
}

class Settler {
  /** F_c G_c of the clusters that carry anything. */
  private readonly products: Float64Array;

  constructor(
    private readonly binding: Binding,
    private readonly fromRest: Float64Array,
    private readonly rest: Float64Array,
  ) {
    this.products = new Float64Array(fromRest.length);
    for (const c of binding.carriers) {
      for (let a = 0; a < 9; a++) {
        F[a] = binding.frames.frames[12 * c + a];
        G[a] = fromRest[9 * c + a];
      }
      multiplyInto(product, F, G);
      this.products.set(product, 9 * c);
    }
  }

  /** Moves vertex v, place in the rest positions, so that its knot n is x y z farther. */
  move(n: number, v: number, x: number, y: number, z: number): void {
    const { fromRest, rest } = this;
    const { start, cluster, at, carried } = this.binding;
    this.sumJ(n);
    invertInto(inverse, J);
    for (let a = 0; a < 3; a++) d[a] = inverse[a] * x + inverse[3 + a] * y + inverse[6 + a] * z;
    const isCrushed = !(d[0] ** 2 + d[1] ** 2 + d[2] ** 2 < CRUSHED * CRUSHED * (x * x + y * y + z * z));
    if (isCrushed) dampen(x, y, z);
    const dx = d[0];
    const dy = d[1];
    const dz = d[2];
    rest[v] += dx;
    rest[v + 1] += dy;
    rest[v + 2] += dz;
    for (let k = start[n]; k < start[n + 1]; k++) {
      const g = 9 * cluster[k];
      const e = 4 * at[k];
      const w = carried[e + 3];
      carried[e] += w * (fromRest[g] * dx + fromRest[g + 3] * dy + fromRest[g + 6] * dz);
      carried[e + 1] += w * (fromRest[g + 1] * dx + fromRest[g + 4] * dy + fromRest[g + 7] * dz);
      carried[e + 2] += w * (fromRest[g + 2] * dx + fromRest[g + 5] * dy + fromRest[g + 8] * dz);
    }
    if (!isCrushed) return;
    for (let a = 0; a < 3; a++)
      left[a] = (a === 0 ? x : a === 1 ? y : z) - J[a] * d[0] - J[3 + a] * d[1] - J[6 + a] * d[2];
    this.leave(n);
  }

  /** J = Σ_c W F_c G_c of a knot. */
  private sumJ(n: number): void {
    const { products } = this;
    const { start, cluster, at, carried } = this.binding;
    let xx = 0;
    let yx = 0;
    let zx = 0;
    let xy = 0;
    let yy = 0;
    let zy = 0;
    let xz = 0;
    let yz = 0;
    let zz = 0;
    const last = start[n + 1];
    for (let k = start[n]; k < last; k++) {
      const f = 9 * cluster[k];
      const w = carried[4 * at[k] + 3];
      xx += w * products[f];
      yx += w * products[f + 1];
      zx += w * products[f + 2];
      xy += w * products[f + 3];
      yy += w * products[f + 4];
      zy += w * products[f + 5];
      xz += w * products[f + 6];
      yz += w * products[f + 7];
      zz += w * products[f + 8];
    }
    J[0] = xx;
    J[1] = yx;
    J[2] = zx;
    J[3] = xy;
    J[4] = yy;
    J[5] = zy;
    J[6] = xz;
    J[7] = yz;
    J[8] = zz;
  }

  /** What is left of the way is an offset in the rotation of the cluster that has most of the knot, until the binding is made anew. */
  private leave(n: number): void {
    const { frames, start, cluster, at, carried, strays } = this.binding;
    let most = start[n];
    for (let k = most + 1; k < start[n + 1]; k++) if (carried[4 * at[k] + 3] > carried[4 * at[most] + 3]) most = k;
    rotationInto(R, frames.frames, cluster[most]);
    strays.into.push(3 * n);
    strays.cluster.push(cluster[most]);
    for (let a = 0; a < 9; a += 3) strays.offset.push(R[a] * left[0] + R[a + 1] * left[1] + R[a + 2] * left[2]);
  }
}
const left = new Float64Array(3);

/** d = Jᵀ (J Jᵀ + λ)⁻¹ x: nothing along directions in which all is crushed. */
function dampen(x: number, y: number, z: number): void {
  transposeInto(F, J);
  multiplyInto(product, J, F);
  for (let k = 0; k < 9; k += 4) product[k] += DAMPING;
  invertInto(inverse, product);
  multiplyInto(product, F, inverse);
  for (let a = 0; a < 3; a++) d[a] = product[a] * x + product[3 + a] * y + product[6 + a] * z;
}
/** How many times the way that a knot is to come its vertex may go. */
const CRUSHED = 4;
/** Squared stretch that counts half: vertices go no farther than their knots are to come. */
const DAMPING = 0.25;
const J = new Float64Array(9);
const F = new Float64Array(9);
const G = new Float64Array(9);
const R = new Float64Array(9);
const product = new Float64Array(9);
const inverse = new Float64Array(9);
const d = new Float64Array(3);
/** Squared share of the body's size that is not worth it: rounding. */
const SETTLED = 1e-14;
