import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { invertInto, isFlat, multiplyInto } from '../math/mat3.js';
import { smallestEigenvalue } from '../math/symmetric.js';
import type { Views } from '../state/layout.js';
import { draftPieces, NO_PIECE, type Pieces } from '../topology/pieces.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';

/**
 * Least number of members. Smaller clusters are merged into others: the deformation of four particles is mostly noise.
 */
const FEWEST = 6;

/** Positions of a body's particles relative to a knife. */
export interface Sides {
  /** Height above the plane (m). */
  readonly height: Float64Array;
  /** Position in the plane's axes, x y. */
  readonly at: Float64Array;
  /** 1 where the blade lies straight above or below the particle. */
  readonly onBlade: Uint8Array;
}

export function sidesOf(s: Views, { rows }: Body, knife: Knife): Sides {
  const { point, u, v } = knife;
  const count = rows.particleEnd - rows.particleStart;
  const height = new Float64Array(count);
  const at = new Float64Array(2 * count);
  const onBlade = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const o = 4 * (rows.particleStart + i);
    const x = s.x[o] - point[0];
    const y = s.x[o + 1] - point[1];
    const z = s.x[o + 2] - point[2];
    height[i] = heightOf(knife, s.x[o], s.x[o + 1], s.x[o + 2]);
    at[2 * i] = x * u[0] + y * u[1] + z * u[2];
    at[2 * i + 1] = x * v[0] + y * v[1] + z * v[2];
    onBlade[i] = isOnBlade(knife, at[2 * i], at[2 * i + 1]) ? 1 : 0;
  }
  return { height, at, onBlade };
}

/**
 * Divides the clusters of a draft so that each holds particles of one part only; part[i] is the part of particle i. No
 * particle is copied: each keeps all of its memberships, and with them its mass. Returns how many clusters were added.
 */
export function divideByParts(draft: TopologyDraft, part: ArrayLike<number>): number {
  const before = draft.clusters;
  for (let c = 0; c < draft.clusters; c++) {
    if (goes.length < draft.memberships) goes = new Uint8Array(2 * draft.memberships);
    const { particle, members, memberFirst, memberLast } = draft;
    const own = part[particle[members[memberFirst[c]]]];
    let others = false;
    for (let m = memberFirst[c]; m < memberLast[c]; m++) {
      const isOther = part[particle[members[m]]] !== own;
      goes[members[m]] = isOther ? 2 : 1;
      others ||= isOther;
    }
    // The new cluster may hold several parts: as the last cluster it is visited again.
    if (others) draft.splitCluster(c, leaves);
  }
  return draft.clusters - before;
}

/** Where each membership goes when its cluster is divided: 1 stays, or above the blade; 2 leaves, or below; 3 both. */
let goes = new Uint8Array(0);
// One function for all calls: a function made at each cut would be compiled anew each time.
const leaves = (membership: number) => goes[membership] === 2;

/**
 * Divides the clusters that a blade goes into. Members above and below the blade go to two clusters. Members beyond its
 * border stay in both, with half of their weight in each, unless the blade hides them from the members of that half:
 * they still hold the flap. So no cluster connects the two sides through the blade. Returns how many clusters were
 * added.
 */
export function divideByBlade(draft: TopologyDraft, knife: Knife, sides: Sides): number {
  if (!knife.border) return 0;
  const before = draft.clusters;
  for (let c = 0; c < before; c++) divideOne(draft, c, knife.border, sides);
  return draft.clusters - before;
}

/** Mean position of some members: height, x, y. */
const above = new Float64Array(3);
const below = new Float64Array(3);

function divideOne(draft: TopologyDraft, c: number, border: Float64Array, sides: Sides): void {
  const { height, onBlade } = sides;
  if (goes.length < draft.memberships) goes = new Uint8Array(2 * draft.memberships);
  const isAbove = meanOnBlade(above, draft, c, sides, true);
  const isBelow = meanOnBlade(below, draft, c, sides, false);
  if (!isAbove && !isBelow) return;
  // A cluster with members on one side of the blade only is still divided if the blade hides members beyond its border
  // from these.
  if (!isAbove && !meanHidden(above, draft, c, sides, border, below)) return;
  if (!isBelow && !meanHidden(below, draft, c, sides, border, above)) return;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    const up = height[i] >= 0 || (onBlade[i] === 0 && !isHidden(border, above, sides, i));
    const down = !(height[i] >= 0) || (onBlade[i] === 0 && !isHidden(border, below, sides, i));
    goes[draft.members[m]] = (up ? 1 : 0) + (down ? 2 : 0);
  }
  const into = draft.splitCluster(c, leaves);
  const both: number[] = [];
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++)
    if (goes[draft.members[m]] === 3) both.push(draft.members[m]);
  for (const k of both) {
    draft.member[4 * k + 3] /= 2;
    const copy = draft.addMember(into, draft.particle[k], draft.member[4 * k + 3]);
    copyMember(draft, k, copy);
  }
}

/** Mean position of the members above the blade, or of those below it; false if there are none. */
function meanOnBlade(out: Float64Array, draft: TopologyDraft, c: number, sides: Sides, isAbove: boolean): boolean {
  let count = 0;
  out.fill(0);
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    if (sides.onBlade[i] === 1 && sides.height[i] >= 0 === isAbove) count += addPlace(out, sides, i);
  }
  for (let a = 0; a < 3; a++) out[a] /= count;
  return count > 0;
}

/** Mean position of the members beyond the border that the blade hides from `from`; false if there are none. */
function meanHidden(
  out: Float64Array,
  draft: TopologyDraft,
  c: number,
  sides: Sides,
  border: Float64Array,
  from: Float64Array,
): boolean {
  let count = 0;
  out.fill(0);
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    if (sides.onBlade[i] === 0 && isHidden(border, from, sides, i)) count += addPlace(out, sides, i);
  }
  for (let a = 0; a < 3; a++) out[a] /= count;
  return count > 0;
}

function addPlace(sum: Float64Array, { height, at }: Sides, i: number): number {
  sum[0] += height[i];
  sum[1] += at[2 * i];
  sum[2] += at[2 * i + 1];
  return 1;
}

/** Whether the segment from a position to a particle passes through the blade. */
function isHidden(border: Float64Array, from: Float64Array, { height, at }: Sides, i: number): boolean {
  if (from[0] >= 0 === height[i] >= 0) return false;
  const t = from[0] / (from[0] - height[i]);
  const x = from[1] + t * (at[2 * i] - from[1]);
  const y = from[2] + t * (at[2 * i + 1] - from[2]);
  return isOnBlade({ border }, x, y);
}

function copyMember(draft: TopologyDraft, from: number, to: number): void {
  for (let a = 0; a < 3; a++) draft.member[4 * to + a] = draft.member[4 * from + a];
  for (let a = 0; a < 4; a++) draft.outward[4 * to + a] = draft.outward[4 * from + a];
}

/**
 * Merges clusters that have become too small, or a single layer, into another one. That is the cluster that shares most
 * particles with it or, failing that, the one nearest at rest in the same part. If there is none, a cluster stays
 * however small it is. Clusters that hung together still do.
 */
export function mergeSmall(
  s: Views,
  body: Body,
  draft: TopologyDraft,
  isChanged: (c: number) => boolean,
  part: ArrayLike<number>,
): void {
  const thin = squared(LAYER * s.proxySpacing[body.rows.clusterStart]);
  const isPoor = (c: number) => draft.memberCount(c) < FEWEST || thicknessOf(draft, c) < thin;
  const poor: number[] = [];
  for (let c = 0; c < draft.clusters; c++)
    if (isChanged(c) && draft.memberCount(c) > 0 && isPoor(c) && !isFlat(s.restInverse, 9 * rowOf(body, draft, c)))
      poor.push(c);
  // The smallest first: several that are too small may together be large enough.
  poor.sort((a, b) => draft.memberCount(a) - draft.memberCount(b) || a - b);
  for (const c of poor) {
    if (!isPoor(c)) continue;
    const isSmall = draft.memberCount(c) < FEWEST;
    const into =
      sharingMost(draft, c, (d) => !isPoor(d)) ??
      (isSmall ? (sharingMost(draft, c, () => true) ?? nearest(s, body, draft, c, part)) : undefined);
    if (into !== undefined) merge(s, body, draft, c, into);
  }
}

/** Rms thickness, in spacings, below which a cluster is a single layer; two layers have 0.5. */
const LAYER = 0.25;

/** Smallest mean square extent of a cluster's rest shape over all directions (m²). */
function thicknessOf({ member, members, memberFirst, memberLast }: TopologyDraft, c: number): number {
  const [first, last] = [memberFirst[c], memberLast[c]];
  const count = last - first;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let m = first; m < last; m++) {
    const o = 4 * members[m];
    mx += member[o];
    my += member[o + 1];
    mz += member[o + 2];
  }
  mx /= count;
  my /= count;
  mz /= count;
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let xz = 0;
  let yz = 0;
  for (let m = first; m < last; m++) {
    const o = 4 * members[m];
    const x = member[o] - mx;
    const y = member[o + 1] - my;
    const z = member[o + 2] - mz;
    xx += x * x;
    yy += y * y;
    zz += z * z;
    xy += x * y;
    xz += x * z;
    yz += y * z;
  }
  [sums[0], sums[1], sums[2]] = [xx, yy, zz];
  [sums[3], sums[4], sums[5]] = [xy, xz, yz];
  return smallestEigenvalue(sums, 0) / count;
}
const sums = new Float64Array(6);

/**
 * The cluster that shares most members with cluster c, among those for which `will` is true; of equals the larger one.
 */
function sharingMost(draft: TopologyDraft, c: number, will: (d: number) => boolean): number | undefined {
  const counts = new Map<number, number>();
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    for (let l = draft.linkFirst[i]; l < draft.linkLast[i]; l++) {
      const d = draft.cluster[draft.links[l]];
      if (d !== c) counts.set(d, (counts.get(d) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  let most = 0;
  for (const [d, count] of counts) {
    if (!will(d)) continue;
    const worth = count + draft.memberCount(d) / (1 + draft.memberships);
    if (worth > most) [best, most] = [d, worth];
  }
  return best;
}

/**
 * Of the particles of the same part in another cluster, the one nearest at rest to the first member of c: its cluster.
 */
function nearest(s: Views, body: Body, draft: TopologyDraft, c: number, part: ArrayLike<number>): number | undefined {
  const own = draft.particle[draft.members[draft.memberFirst[c]]];
  const X = restOf(s, body, draft, own);
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < draft.particles; i++) {
    if (part[i] !== part[own]) continue;
    let to = -1;
    for (let l = draft.linkFirst[i]; l < draft.linkLast[i]; l++)
      if (draft.cluster[draft.links[l]] !== c) to = draft.cluster[draft.links[l]];
    if (to < 0) continue;
    const Y = restOf(s, body, draft, i);
    const d2 = squared(X[0] - Y[0]) + squared(X[1] - Y[1]) + squared(X[2] - Y[2]);
    if (d2 < least) [best, least] = [to, d2];
  }
  return best;
}

/**
 * Moves the members of one cluster to another, with their weights, unless they are there already, and ends the first.
 */
function merge(s: Views, body: Body, draft: TopologyDraft, c: number, into: number): void {
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const k = draft.members[m];
    const i = draft.particle[k];
    let isThere = false;
    for (let l = draft.linkFirst[i]; l < draft.linkLast[i]; l++) isThere ||= draft.cluster[draft.links[l]] === into;
    if (!isThere) join(s, body, draft, k, into, 1);
  }
  draft.dropCluster(c);
}

/**
 * Adds the particle of membership k to cluster `into`, at its rest position, with a share of the membership's weight.
 */
function join(s: Views, body: Body, draft: TopologyDraft, k: number, into: number, share: number): void {
  const G = fromRestOf(s, body, draft, into);
  invertInto(back, fromRestOf(s, body, draft, draft.cluster[k]));
  multiplyInto(turned, G, back);
  const like = draft.members[draft.memberFirst[into]];
  const X = restOf(s, body, draft, draft.particle[like]);
  const Y = restOf(s, body, draft, draft.particle[k]);
  const copy = draft.addMember(into, draft.particle[k], share * draft.member[4 * k + 3]);
  if (share < 1) {
    draft.member[4 * k + 3] *= 1 - share;
    draft.changed[draft.cluster[k]] ||= 1;
  }
  const o = 4 * copy;
  for (let a = 0; a < 3; a++) {
    let [p, n] = [draft.member[4 * like + a], 0];
    for (let b = 0; b < 3; b++) {
      p += G[3 * b + a] * (Y[b] - X[b]);
      n += turned[3 * b + a] * draft.outward[4 * k + b];
    }
    draft.member[o + a] = p;
    draft.outward[o + a] = n;
  }
  draft.outward[o + 3] = draft.outward[4 * k + 3];
  const length = Math.sqrt(squared(draft.outward[o]) + squared(draft.outward[o + 1]) + squared(draft.outward[o + 2]));
  if (length > 0) for (let a = 0; a < 3; a++) draft.outward[o + a] /= length;
}
const back = new Float64Array(9);
const turned = new Float64Array(9);

const rowOf = ({ rows }: Body, draft: TopologyDraft, c: number) => rows.clusterStart + draft.clusterFrom[c];

const fromRestOf = (s: Views, body: Body, draft: TopologyDraft, c: number) => {
  const row = rowOf(body, draft, c);
  return s.fromRest.subarray(9 * row, 9 * row + 9);
};

/** Position of a particle when its body was built. */
function restOf(s: Views, { rows, builtPositions }: Body, draft: TopologyDraft, i: number): Float64Array {
  const at = 3 * s.ancestor[rows.particleStart + draft.particleFrom[i]];
  return builtPositions.subarray(at, at + 3);
}

/** Number of particles that two clusters are made to share where a cut left them none in common. */
const BRIDGE = 6;

/**
 * Reconnects parts whose clusters no longer hang together because the particles that they shared went to the other
 * side. The cluster nearest to a loose piece takes some of the piece's particles, the nearest ones, with half of their
 * weight. Returns the pieces of the draft afterwards.
 */
export function reconnect(s: Views, body: Body, draft: TopologyDraft, part: ArrayLike<number>): Pieces {
  let pieces = draftPieces(draft);
  for (let round = 0; round < draft.clusters; round++) {
    const loose = smallestLoose(draft, part, pieces);
    if (loose === undefined || !bridge(s, body, draft, part, pieces, loose)) break;
    pieces = draftPieces(draft);
  }
  return pieces;
}

/** The smallest piece among those of parts that are in several pieces; undefined if there is none. */
function smallestLoose(draft: TopologyDraft, part: ArrayLike<number>, { ofCluster }: Pieces): number | undefined {
  const sizes = new Map<number, number>();
  const ofPart = new Map<number, Set<number>>();
  for (let c = 0; c < draft.clusters; c++) {
    if (draft.memberCount(c) === 0) continue;
    sizes.set(ofCluster[c], (sizes.get(ofCluster[c]) ?? 0) + draft.memberCount(c));
    const label = part[draft.particle[draft.members[draft.memberFirst[c]]]];
    if (!ofPart.has(label)) ofPart.set(label, new Set());
    ofPart.get(label)!.add(ofCluster[c]);
  }
  let best: number | undefined;
  for (const pieces of ofPart.values()) {
    if (pieces.size < 2) continue;
    for (const p of pieces) if (best === undefined || sizes.get(p)! < sizes.get(best)!) best = p;
  }
  return best;
}

function bridge(
  s: Views,
  body: Body,
  draft: TopologyDraft,
  part: ArrayLike<number>,
  { ofParticle }: Pieces,
  loose: number,
): boolean {
  const mine: number[] = [];
  const others: number[] = [];
  for (let i = 0; i < draft.particles; i++) if (ofParticle[i] === loose) mine.push(i);
  if (mine.length === 0) return false;
  for (let i = 0; i < draft.particles; i++)
    if (part[i] === part[mine[0]] && ofParticle[i] !== NO_PIECE && ofParticle[i] !== loose) others.push(i);
  let [to, least] = [-1, Number.POSITIVE_INFINITY];
  for (const i of mine)
    for (const j of others) {
      const d2 = distance2(restOf(s, body, draft, i), restOf(s, body, draft, j));
      if (d2 < least) [to, least] = [j, d2];
    }
  if (to < 0) return false;
  const X = restOf(s, body, draft, to);
  const nearestFirst = mine
    .map((i) => ({ i, d2: distance2(restOf(s, body, draft, i), X) }))
    .sort((a, b) => a.d2 - b.d2 || a.i - b.i);
  const into = draft.cluster[draft.links[draft.linkFirst[to]]];
  for (const { i } of nearestFirst.slice(0, BRIDGE)) join(s, body, draft, draft.links[draft.linkFirst[i]], into, 0.5);
  return true;
}

const distance2 = (a: Float64Array, b: Float64Array) =>
  squared(a[0] - b[0]) + squared(a[1] - b[1]) + squared(a[2] - b[2]);
