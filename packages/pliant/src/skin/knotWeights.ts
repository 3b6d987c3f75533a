import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Before } from './bind.js';
import type { KeptWeights } from './keptWeights.js';
import type { Knots } from './knots.js';
import { areEven, originsOf, placesOf, restDirections } from './origins.js';

/** Clusters that carry each knot, their shares, and the offset of the knot in each. */
export interface KnotWeights {
  /** First entry of each knot; knots + 1 offsets. */
  readonly start: Uint32Array;
  /** Cluster of each entry, counted from the body's first and ascending in each knot, and its share W. */
  readonly cluster: Uint32Array;
  readonly share: Float32Array;
  /** G_c of each cluster, nine numbers by columns. */
  readonly fromRest: Float64Array;
  /**
   * A knot at X has the offset o + G_c X in cluster c. The origin o is given by cluster where the body is even, else by
   * entry.
   */
  readonly origin: Float64Array;
  readonly isEven: boolean;
}

/**
 * Least share of a cluster in a knot. Smaller ones, a fifth of all entries, are left out: they move a knot by at most 1
 * % of the difference between clusters.
 */
const LEAST = 0.01;

/**
 * Shares of the clusters in each knot: those of the particles around it, averaged by κ_i w_ic, the kernel times the
 * membership's weight. Knots that a cut did not change keep theirs.
 */
export function findKnotWeights(s: Views, rows: Rows, built: Float64Array, knots: Knots, before?: Before): KnotWeights {
  const fromRest = restDirections(s, rows);
  const origin = originsOf(s, rows, built, fromRest);
  // A cut divides clusters, and particles that join one get the offset of their rest position. So an even body stays
  // even.
  const isEven = before?.binding.isEven || areEven(s, rows, built, fromRest, origin);
  const followed = isEven ? knots : (knots.full?.() ?? knots);
  const weigher = new KnotWeigher(s, rows, followed, isEven ? undefined : placesOf(s, rows, built, fromRest));
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

/**
 * Computes the entries of knots, one knot per call: a function that is called for each knot is compiled early, one with
 * a loop over all knots is not.
 */
class KnotWeigher {
  /** Per cluster, for the knot at hand: Σ κ w, and Σ κ w o where o differs between members. */
  private readonly sums: Float64Array;
  private readonly origins: Float64Array;
  /** The clusters with such sums, and their number. */
  private readonly touched: Uint32Array;
  private count = 0;
  /** Number of entries so far. */
  private end = 0;

  constructor(
    private readonly s: Views,
    private readonly rows: Rows,
    private readonly knots: Knots,
    /** w o of each of the body's links, if the body is not even. */
    private readonly places: Float64Array | undefined,
  ) {
    const clusterCount = rows.clusterEnd - rows.clusterStart;
    this.sums = new Float64Array(clusterCount);
    this.origins = new Float64Array(places ? 3 * clusterCount : 0);
    this.touched = new Uint32Array(clusterCount);
  }

  /** Writes the entries of all knots; returns where those of each begin. */
  weighAll(before?: Before): Uint32Array {
    const { like, base } = this.knots;
    // Origins are not kept.
    const kept = this.places ? undefined : this.knots.kept;
    const count = this.knots.vertex.length;
    const starts = new Uint32Array(count + 1);
    for (let n = 0; n < count; n++) {
      if (like && like[n] >= 0) this.repeat(starts[like[n]], starts[like[n] + 1]);
      else if (kept) this.shareOrRecall(kept, n, base![n]);
      else if (!(before && this.take(before, n))) this.share(n);
      starts[n + 1] = this.end;
    }
    return starts;
  }

  /** Computes the entries of a knot, if they are not known by its base. */
  private shareOrRecall(kept: KeptWeights, n: number, base: number): void {
    const known = kept.countOf(base);
    const { end } = this;
    if (known > 0) {
      reserve(end + known);
      kept.writeInto(entryCluster, entryShare, end, base);
      this.end = end + known;
    } else {
      this.share(n);
      kept.keep(base, entryCluster, entryShare, end, this.end);
    }
  }

  /** Copies the entries of an earlier knot. */
  private repeat(first: number, last: number): void {
    const { end } = this;
    reserve(end + last - first);
    for (let k = first; k < last; k++) {
      const at = end + k - first;
      entryCluster[at] = entryCluster[k];
      entryShare[at] = entryShare[k];
      if (this.places) for (let a = 0; a < 3; a++) entryOrigin[3 * at + a] = entryOrigin[3 * k + a];
    }
    this.end = end + last - first;
  }

  /** Copies the shares that a knot had before a cut; false if it has to be bound anew. */
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
      // Insertion sort: the new numbers of clusters are mostly in the same order as the old ones.
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

  /** Sums κ w of a knot's particles by cluster; returns the sum over all clusters. */
  private sumUp(n: number): number {
    const { sums, touched } = this;
    const { gatherRank, linkStart, linkCluster, link } = this.s;
    const { particleStart, clusterStart } = this.rows;
    const { start, end: ends, particle, kernel, own } = this.knots;
    const end = ends[n];
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

  /** Also sums the origins, where these depend on the member. */
  private sumOrigins(n: number, places: Float64Array): number {
    const { sums, origins } = this;
    const { gatherRank, linkStart, linkCluster, link } = this.s;
    const { particleStart, clusterStart } = this.rows;
    const { start, end, particle, kernel, own } = this.knots;
    const base = linkStart[particleStart];
    for (let e = start[n]; e < end[n]; e++) {
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

  /** Writes the sums as entries, leaving out those below `least`, and clears them. */
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

/** Sorts the first few numbers of a list: insertion sort, since they are too few for a call of `sort` to pay. */
function sortFirst(list: Uint32Array, count: number): void {
  for (let k = 1; k < count; k++) {
    const value = list[k];
    let at = k;
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
  }
}

// Room for entries, kept between calls: a body that breaks is bound many times a second, and growing lists cost more
// than their entries.
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
