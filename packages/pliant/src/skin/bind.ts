import { Scratch } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import { fitRestVertices } from './fitRestVertices.js';
import { describeFrames, type Frames, fitFrames, newFrames } from './frames.js';
import type { Knots } from './knots.js';
import { findKnotWeights, type KnotWeights } from './knotWeights.js';
import { finish, type Parts } from './parts.js';

/** Binding of knots to clusters: x = Σ_c (F_c W q_c + W x̄_c), Σ_c W = 1. */
export interface Binding {
  readonly frames: Frames;
  /** The clusters that carry knots: those deep inside a body carry none. */
  readonly bindingClusters: Uint32Array;
  /** First entry of each knot; knots + 1 offsets. */
  readonly start: Uint32Array;
  /** Cluster of each entry, counted from the body's first and ascending in each knot, and its share W. */
  readonly cluster: Uint32Array;
  readonly share: Float32Array;
  /** Whether the rest origin of a cluster is the same for all its members; see knotWeights.ts. */
  readonly isEven: boolean;
  /**
   * The same entries sorted by cluster, as every frame reads them: first entry of each cluster and, per entry, W q (m),
   * W, and three times its knot. With a cluster's frame at hand an entry takes 9 ns; sorted by knot it took 15.
   */
  readonly first: Uint32Array;
  readonly entries: Float32Array;
  readonly into: Uint32Array;
  readonly strays: Strays;
}

/**
 * Knots that their clusters cannot bring to where a cut left them, usually none: three times the knot, a cluster, and
 * the missing offset (m) in the cluster's rotation.
 */
export interface Strays {
  readonly into: number[];
  readonly cluster: number[];
  readonly offset: number[];
}

/** The binding before a cut. */
export interface Before {
  readonly binding: Binding;
  /** Per knot: its number before the cut; −1 where it is new, or where its particles or their memberships changed. */
  readonly knot: Int32Array;
  /** Present number of each cluster before the cut; negative: none, or several. */
  readonly heir: Int32Array;
}

/** Present positions that vertices must have after a cut (x y z each); the rest mesh is moved to reach them. */
export interface Wanted {
  readonly now: Float64Array;
  /** Size of the body (m). */
  readonly size: number;
  /** To fit the clusters to the present. */
  readonly state: State;
}

/**
 * Binds knots to the clusters of the particles around them. A particle i at rest position X_i has the offset p_ic in
 * cluster c, so a knot at X has p_ic + G_c (X − X_i) there, where G_c is `fromRest`. These offsets are averaged by κ_i
 * w_ic, the kernel times the membership's weight. For a cluster as built, the offset is X − X̄_c, whichever particles
 * are near. A cluster that replaced others in a body that has flowed has a new rest shape, and gives the offset of X
 * only near its particles.
 */
export function bindKnots(
  s: Views,
  rows: Rows,
  built: Float64Array,
  rest: Float64Array,
  knots: Knots,
  before?: Before,
  wanted?: Wanted,
): Binding {
  return finish(bindInParts(s, rows, built, rest, knots, before, wanted));
}

/** Costs (see Parts) of a knot that is bound, of a particle that it follows, of a member of a cluster, and of an entry. */
const COST = { knot: 0.035, particle: 0.025, member: 0.03, entry: 0.01 };

export function* bindInParts(
  s: Views,
  rows: Rows,
  built: Float64Array,
  rest: Float64Array,
  knots: Knots,
  before?: Before,
  wanted?: Wanted,
): Parts<Binding> {
  const members = s.memberStart[rows.clusterEnd] - s.memberStart[rows.clusterStart];
  yield COST.knot * knots.vertex.length + COST.particle * knots.particle.length + COST.member * members;
  const shares = findKnotWeights(s, rows, built, knots, before);
  // Origins by entry lie in room that is used by all bodies.
  if (shares.isEven) yield COST.entry * shares.cluster.length + COST.member * members;
  const { start, cluster, share, isEven } = shares;
  const frames = newFrames(rows.clusterEnd - rows.clusterStart);
  describeFrames(frames, s, rows.clusterStart, cluster, (isWanted) => offsetsOf(shares, knots, rest, isWanted));
  const first = countEntries(cluster, frames.clusterCount);
  const bindingClusters = clustersWithEntries(first);
  const strays: Strays = { into: [], cluster: [], offset: [] };
  if (wanted) {
    fitFrames(frames, wanted.state, rows.clusterStart, bindingClusters);
    fitRestVertices(strays, frames.frames, bindingClusters, shares, knots, wanted, rest);
  }
  const { entries, into } = entriesByCluster(shares, knots, rest, first);
  return { frames, bindingClusters, start, cluster, share, isEven, first, entries, into, strays };
}

/** Offset q of each entry of the wanted clusters, three numbers. */
function offsetsOf(
  { start, cluster, fromRest, origin, isEven }: KnotWeights,
  { vertex }: Knots,
  rest: Float64Array,
  isWanted: Uint8Array,
): Float64Array {
  const offsets = offsetRoom.take(3 * cluster.length);
  for (let n = 0; n < vertex.length; n++) {
    const v = 3 * vertex[n];
    for (let k = start[n]; k < start[n + 1]; k++) {
      if (!isWanted[cluster[k]]) continue;
      for (let a = 0; a < 3; a++) {
        const g = 9 * cluster[k] + a;
        const o = 3 * (isEven ? cluster[k] : k) + a;
        offsets[3 * k + a] =
          origin[o] + fromRest[g] * rest[v] + fromRest[g + 3] * rest[v + 1] + fromRest[g + 6] * rest[v + 2];
      }
    }
  }
  return offsets;
}
const offsetRoom = new Scratch(Float64Array);

/** Entries sorted by cluster, and by knot within a cluster. */
function entriesByCluster(
  { start, cluster, share, fromRest, origin, isEven }: KnotWeights,
  { vertex }: Knots,
  rest: Float64Array,
  first: Uint32Array,
): { entries: Float32Array; into: Uint32Array } {
  const next = nextRoom.take(first.length);
  next.set(first);
  const entries = new Float32Array(4 * cluster.length);
  const into = new Uint32Array(cluster.length);
  for (let n = 0; n < vertex.length; n++) {
    const v = 3 * vertex[n];
    const x = rest[v];
    const y = rest[v + 1];
    const z = rest[v + 2];
    const last = start[n + 1];
    for (let k = start[n]; k < last; k++) {
      const c = cluster[k];
      const at = next[c]++;
      const e = 4 * at;
      const g = 9 * c;
      const o = isEven ? 3 * c : 3 * k;
      const w = share[k];
      // Written out: a loop over the axes takes three times as long.
      entries[e] = w * (origin[o] + fromRest[g] * x + fromRest[g + 3] * y + fromRest[g + 6] * z);
      entries[e + 1] = w * (origin[o + 1] + fromRest[g + 1] * x + fromRest[g + 4] * y + fromRest[g + 7] * z);
      entries[e + 2] = w * (origin[o + 2] + fromRest[g + 2] * x + fromRest[g + 5] * y + fromRest[g + 8] * z);
      entries[e + 3] = w;
      into[at] = 3 * n;
    }
  }
  return { entries, into };
}
const nextRoom = new Scratch();

/** First entry of each cluster in the list sorted by cluster. */
function countEntries(cluster: Uint32Array, clusterCount: number): Uint32Array {
  const first = new Uint32Array(clusterCount + 1);
  for (let k = 0; k < cluster.length; k++) first[cluster[k] + 1]++;
  for (let c = 0; c < clusterCount; c++) first[c + 1] += first[c];
  return first;
}

/** The clusters that have entries. */
function clustersWithEntries(first: Uint32Array): Uint32Array {
  const bindingClusters = new Uint32Array(first.length - 1);
  let count = 0;
  for (let c = 0; c < bindingClusters.length; c++) if (first[c] < first[c + 1]) bindingClusters[count++] = c;
  return bindingClusters.slice(0, count);
}
