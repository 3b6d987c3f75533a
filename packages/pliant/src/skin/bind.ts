import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { Scratch } from '../state/scratch.js';
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

/** How knots were bound before a cut. */
export interface Before {
  readonly binding: Binding;
  /** Per knot: which it was; −1 where it is new, follows others, or these are held otherwise. */
  readonly knot: Int32Array;
  /** What each of the clusters then is now; < 0: nothing, or several. */
  readonly heir: Int32Array;
}

/** Clusters with less than this share of a knot are left out: a fifth of all entries, which move nothing by more than 1 % of what clusters differ by. */
const LEAST = 0.01;

/**
 * Binds knots to the clusters of the particles around them. A particle i of the rest place X_i has the offset p_ic in cluster c, so a knot at
 * X has p_ic + G_c (X − X_i) there, where G_c is `fromRest`; these are averaged with κ_i w_ic, the kernel and the membership's weight. For a
 * cluster that the body was built with that is X − X̄_c, whichever particles are near; one that replaced others in a body that has flowed was
 * laid out anew, and is right about X only near by. What a cut left as it was keeps its shares.
 */
export function bindKnots(
  s: Views,
  rows: Rows,
  built: Float64Array,
  rest: Float64Array,
  knots: Knots,
  before?: Before,
): Binding {
  const clusterCount = rows.clusterEnd - rows.clusterStart;
  const binder = new Binder(s, rows, rest, knots, built);
  const start = binder.bindAll(before);
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
  bindAll(before?: Before): Uint32Array {
    const count = this.knots.vertex.length;
    const starts = new Uint32Array(count + 1);
    const { isEven } = this.links;
    for (let n = 0; n < count; n++) {
      let least = 0;
      // Where places depend on who is asked, all have to be.
      if (!(isEven && before && this.takeShares(before, n)))
        least = LEAST * (isEven ? this.sumShares(n) : this.sumUp(n));
      sortFirst(this.touched, this.count);
      this.writeEntries(3 * this.knots.vertex[n], least);
      starts[n + 1] = this.end;
    }
    return starts;
  }

  /** The shares that a knot had before a cut; false if it has to be bound anew. */
  private takeShares({ binding, knot, heir }: Before, n: number): boolean {
    const { sums, touched } = this;
    const { start, cluster, at, carried } = binding;
    const m = knot[n];
    if (m < 0) return false;
    const first = start[m];
    const last = start[m + 1];
    for (let k = first; k < last; k++) if (heir[cluster[k]] < 0) return false;
    for (let k = first; k < last; k++) {
      const c = heir[cluster[k]];
      touched[k - first] = c;
      sums[4 * c + 3] = carried[4 * at[k] + 3];
    }
    this.count = last - first;
    return last > first;
  }

  /** What the particles of a knot say; returns Σ κ w of all clusters. */
  private sumUp(n: number): number {
    const { sums, touched } = this;
    const { first, slot, weight, place } = this.links;
    const { start, particle, kernel } = this.knots;
    let count = 0;
    let total = 0;
    for (let e = start[n]; e < start[n + 1]; e++) {
      const k = kernel[e];
      if (!(k > 0)) continue;
      const last = first[particle[e] + 1];
      for (let l = first[particle[e]]; l < last; l++) {
        const o = slot[l];
        const part = k * weight[l];
        if (sums[o + 3] === 0) touched[count++] = o >> 2;
        // Written out: a loop over the axes takes three times as long.
        sums[o] += k * place[3 * l];
        sums[o + 1] += k * place[3 * l + 1];
        sums[o + 2] += k * place[3 * l + 2];
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
        const part = k * weight[l];
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
  /** w: by itself, for mostly it is all that is asked for. */
  weight: Float64Array;
  /** w (p_ic − G_c X_i), three numbers: a knot at X adds w G_c X. */
  place: Float64Array;
  /** Σ w (p_ic − G_c X_i) / Σ w of each cluster, four numbers. */
  origin: Float64Array;
  /** Whether p_ic − G_c X_i is that for all particles of a cluster, but for rounding: then no knot needs to ask which are near. */
  isEven: boolean;
}

// Of one body at a time.
const slotRoom = new Scratch(Int32Array);
const weightRoom = new Scratch(Float64Array);
const placeRoom = new Scratch(Float64Array);

function linksOf(s: Views, rows: Rows, built: Float64Array, fromRest: Float64Array): Links {
  const { ancestor, rank, linkStart, linkCluster, link, restShift } = s;
  const { particleStart, particleEnd, clusterStart } = rows;
  const most = linkStart[particleEnd] - linkStart[particleStart];
  const first = new Int32Array(particleEnd - particleStart + 1);
  const slot = slotRoom.take(most);
  const weight = weightRoom.take(most);
  const place = placeRoom.take(3 * most);
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
      const g = 9 * (c - clusterStart);
      const o = 3 * end;
      slot[end] = 4 * (c - clusterStart);
      weight[end++] = w;
      const px = link[4 * l] - restShift[3 * c];
      const py = link[4 * l + 1] - restShift[3 * c + 1];
      const pz = link[4 * l + 2] - restShift[3 * c + 2];
      place[o] = w * (px - fromRest[g] * x - fromRest[g + 3] * y - fromRest[g + 6] * z);
      place[o + 1] = w * (py - fromRest[g + 1] * x - fromRest[g + 4] * y - fromRest[g + 7] * z);
      place[o + 2] = w * (pz - fromRest[g + 2] * x - fromRest[g + 5] * y - fromRest[g + 8] * z);
    }
    first[i - particleStart + 1] = end;
  }
  const links = { first, slot: slot.subarray(0, end), weight, place };
  const origin = originsOf(links, 4 * (rows.clusterEnd - clusterStart));
  return { ...links, origin, isEven: areEven(s, rows, links, origin) };
}

type Placed = Pick<Links, 'slot' | 'weight' | 'place'>;

function originsOf({ slot, weight, place }: Placed, length: number): Float64Array {
  const origin = new Float64Array(length);
  for (let l = 0; l < slot.length; l++) {
    const o = slot[l];
    origin[o] += place[3 * l];
    origin[o + 1] += place[3 * l + 1];
    origin[o + 2] += place[3 * l + 2];
    origin[o + 3] += weight[l];
  }
  for (let o = 0; o < length; o += 4) for (let a = 0; a < 3; a++) origin[o + a] /= origin[o + 3];
  return origin;
}

/** Offsets in a cluster that differ by less than this share of its width do so by rounding: they are f32, and rounded anew whenever it is divided. */
const EVEN = 1e-6;

function areEven({ width }: Views, { clusterStart }: Rows, links: Placed, origin: Float64Array): boolean {
  const { slot, weight, place } = links;
  for (let l = 0; l < slot.length; l++) {
    const o = slot[l];
    const w = weight[l];
    const x = place[3 * l] - w * origin[o];
    const y = place[3 * l + 1] - w * origin[o + 1];
    const z = place[3 * l + 2] - w * origin[o + 2];
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
export function restDirections(s: Views, { clusterStart, clusterEnd }: Rows): Float64Array {
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
