import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Before } from './bind.js';
import type { Knots } from './knots.js';
import { areEven, originsOf, placesOf, restDirections } from './origins.js';

/** Which clusters carry each knot, with what share, and what its place at rest is to them. */
export interface KnotWeights {
  /** First entry of each knot; knots + 1 offsets. */
  readonly start: Uint32Array;
  /** Cluster of each entry, counted from the body's first, ascending in each knot, and its share W: those of a knot sum to 1. */
  readonly cluster: Uint32Array;
  readonly share: Float32Array;
  /** G_c of each cluster, nine numbers by columns. */
  readonly fromRest: Float64Array;
  /** A knot at X has the offset o + G_c X in a cluster: o of each cluster where the body is even, else of each entry. */
  readonly origin: Float64Array;
  readonly isEven: boolean;
}

/** Clusters with less than this share of a knot are left out: a fifth of all entries, which move nothing by more than 1 % of what clusters differ by. */
const LEAST = 0.01;

/**
 * Shares of the clusters in each knot: those of the particles around it, averaged with κ_i w_ic, the kernel and the membership's weight. Knots that a cut
 * left as they were keep theirs.
 */
export function findKnotWeights(s: Views, rows: Rows, built: Float64Array, knots: Knots, before?: Before): KnotWeights {
  const fromRest = restDirections(s, rows);
  const origin = originsOf(s, rows, built, fromRest);
  // A cut divides clusters, and whoever comes into one is put where it belongs at rest: what was even stays so.
  const places = before?.binding.isEven ? undefined : placesOf(s, rows, built, fromRest);
  const isEven = places === undefined || areEven(s, rows, places, origin);
  const weigher = new KnotWeigher(s, rows, knots, isEven ? undefined : places);
  const start = weigher.weighAll(isEven ? before : undefined);
  const end = start[start.length - 1];
  return {
    start,
    cluster: entryCluster.slice(0, end),
    share: entryShare.slice(0, end),
    fromRest,
    origin: isEven ? origin : entryOrigin.subarray(0, 3 * end),
    isEven,
  };
}

/** Finds the entries of knots, one after the other: a function that is called for each is compiled soon, one with a loop over all of them is not. */
class KnotWeigher {
  /** Per cluster, of the knot at hand: Σ κ w, and Σ κ w o where o is not the same for all. */
  private readonly sums: Float64Array;
  private readonly origins: Float64Array;
  /** The clusters that have such sums, and how many there are. */
  private readonly touched: Uint32Array;
  private count = 0;
  /** Entries so far. */
  private end = 0;

  constructor(
    private readonly s: Views,
    private readonly rows: Rows,
    private readonly knots: Knots,
    /** w o of each of the body's links, where these differ. */
    private readonly places: Float64Array | undefined,
  ) {
    const clusterCount = rows.clusterEnd - rows.clusterStart;
    this.sums = new Float64Array(clusterCount);
    this.origins = new Float64Array(places ? 3 * clusterCount : 0);
    this.touched = new Uint32Array(clusterCount);
  }

  /** Entries of all knots; returns where those of each begin. */
  weighAll(before?: Before): Uint32Array {
    const count = this.knots.vertex.length;
    const starts = new Uint32Array(count + 1);
    for (let n = 0; n < count; n++) {
      if (!(before && this.take(before, n))) this.share(n);
      starts[n + 1] = this.end;
    }
    return starts;
  }

  /** The shares that a knot had before a cut; false if it has to be bound anew. */
  private take({ binding, knot, heir }: Before, n: number): boolean {
    const m = knot[n];
    if (m < 0) return false;
    const { start, cluster, share } = binding;
    const first = start[m];
    const last = start[m + 1];
    const begin = this.end;
    reserve(begin + last - first);
    let end = begin;
    for (let k = first; k < last; k++) {
      const c = heir[cluster[k]];
      if (c < 0) return false;
      // Heirs mostly follow each other as those did that they came from.
      let at = end++;
      for (; at > begin && entryCluster[at - 1] > c; at--) {
        entryCluster[at] = entryCluster[at - 1];
        entryShare[at] = entryShare[at - 1];
      }
      entryCluster[at] = c;
      entryShare[at] = share[k];
    }
    this.end = end;
    return end > begin;
  }

  private share(n: number): void {
    const total = this.places ? this.sumOrigins(n, this.places) : this.sumUp(n);
    sortFirst(this.touched, this.count);
    this.write(LEAST * total);
  }

  /** What the particles of a knot say; returns Σ κ w of all clusters. */
  private sumUp(n: number): number {
    const { sums, touched } = this;
    const { gatherRank, linkStart, linkCluster, link } = this.s;
    const { particleStart, clusterStart } = this.rows;
    const { start, particle, kernel, own } = this.knots;
    const end = start[n + 1];
    let count = 0;
    let total = 0;
    for (let e = start[n]; e < end; e++) {
      const k = kernel[e];
      if (!(k > 0)) continue;
      const r = gatherRank[particleStart + own[particle[e]]];
      const last = linkStart[r + 1];
      for (let l = linkStart[r]; l < last; l++) {
        const part = k * link[4 * l + 3];
        if (!(part > 0)) continue;
        const c = linkCluster[l] - clusterStart;
        const sum = sums[c];
        if (sum === 0) touched[count++] = c;
        sums[c] = sum + part;
        total += part;
      }
    }
    this.count = count;
    return total;
  }

  /** The same with places, where these depend on who is asked. */
  private sumOrigins(n: number, places: Float64Array): number {
    const { sums, origins } = this;
    const { gatherRank, linkStart, linkCluster, link } = this.s;
    const { particleStart, clusterStart } = this.rows;
    const { start, particle, kernel, own } = this.knots;
    const base = linkStart[particleStart];
    for (let e = start[n]; e < start[n + 1]; e++) {
      const k = kernel[e];
      if (!(k > 0)) continue;
      const r = gatherRank[particleStart + own[particle[e]]];
      for (let l = linkStart[r]; l < linkStart[r + 1]; l++) {
        if (!(link[4 * l + 3] > 0)) continue;
        const o = 3 * (linkCluster[l] - clusterStart);
        const at = 3 * (l - base);
        // Written out: a loop over the axes takes three times as long.
        origins[o] += k * places[at];
        origins[o + 1] += k * places[at + 1];
        origins[o + 2] += k * places[at + 2];
      }
    }
    const total = this.sumUp(n);
    for (let t = 0; t < this.count; t++) {
      const c = this.touched[t];
      for (let a = 3 * c; a < 3 * c + 3; a++) origins[a] /= sums[c];
    }
    return total;
  }

  /** The sums become entries, without those of less than `least`, and are 0 again. */
  private write(least: number): void {
    const { sums, touched, count, places, origins } = this;
    reserve(this.end + count);
    let kept = 0;
    for (let t = 0; t < count; t++) {
      const part = sums[touched[t]];
      if (part >= least) kept += part;
    }
    let end = this.end;
    for (let t = 0; t < count; t++) {
      const c = touched[t];
      if (sums[c] >= least) {
        entryCluster[end] = c;
        entryShare[end] = sums[c] / kept;
        if (places) for (let a = 0; a < 3; a++) entryOrigin[3 * end + a] = origins[3 * c + a];
        end++;
      }
      sums[c] = 0;
      if (places) origins[3 * c] = origins[3 * c + 1] = origins[3 * c + 2] = 0;
    }
    this.end = end;
  }
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

// Entries on their way: a body that breaks is bound many times a second, and lists that grow one by one cost more than what is in them.
let entryCluster = new Uint32Array(0);
let entryShare = new Float32Array(0);
let entryOrigin = new Float64Array(0);

function reserve(count: number): void {
  if (count <= entryCluster.length) return;
  const before = { entryCluster, entryShare, entryOrigin };
  entryCluster = new Uint32Array(2 * count);
  entryShare = new Float32Array(2 * count);
  entryOrigin = new Float64Array(6 * count);
  entryCluster.set(before.entryCluster);
  entryShare.set(before.entryShare);
  entryOrigin.set(before.entryOrigin);
}
