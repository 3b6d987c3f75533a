import type { Body } from '../body/body.js';
import { divideByConnection, overlappingClusters } from '../levels/connect.js';
import { type Hierarchy, layOutHierarchy, sizeOf, takeHierarchy } from '../levels/hierarchy.js';
import { moveTieCentres, moveTieFrames, remapTies } from '../levels/remapTies.js';
import { writeLevelStrengths } from '../levels/writeStrengths.js';
import { boundInto, findNeighbours, findSharing, type Neighbours, WALKED } from '../proxy/neighbours.js';
import { growTree } from '../proxy/tree.js';
import { Scratch } from '../scratch.js';
import { Flag } from '../state/flags.js';
import {
  ARRAY_NAMES,
  type ArrayLayout,
  type ArrayName,
  DOMAINS,
  type Domain,
  LAYOUT,
  type Views,
} from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { keepOnly, shiftBodies, tellCopies } from './bodyRows.js';
import { appendNeighbours, endOf, moveTail, startOf } from './editRows.js';
import { remapNeighbours } from './remapNeighbours.js';
import { remapSharing } from './remapSharing.js';
import { moveFrame } from './reweigh.js';
import type { TopologyDraft } from './topologyDraft.js';

/**
 * Writes a draft back in place of the body as it was. Rows of particles and clusters are copied from where they came
 * from, memberships are laid out anew, and everything that depends on them is updated. Holders of particle numbers
 * (clamps, picks, pins) are told of the copies. Clusters without members are left out. Particles without clusters stay
 * as debris, unless the draft dropped them. All views of the state may be replaced.
 */
export function writeDraft(world: World, body: Body, draft: TopologyDraft): void {
  const { state } = world;
  const { rows } = body;
  draft.balance();
  const clusters = nonEmptyClusters(draft);
  const members = draftMembers(draft, clusters, orderRoom.take(draft.memberships));
  // Links are rewritten in part only if no membership ended or began and no cluster is renumbered. Otherwise the rows
  // behind this body move over old memberships that the partial rewrite would still read.
  if (!draft.hasGrown && !draft.hasEnded && !draft.dropped && clusters.length === draft.clusters)
    members.rewrite = draft.linkRewrite(rows.particleEnd - rows.particleStart);
  else {
    draft.holdAll();
    draft.weighAll();
  }
  const particles = draft.particleFrom.subarray(0, draft.particles);
  const origin = originOf(draft, clusters);

  const [start, end] = [startOf(state.views, rows), endOf(state.views, rows)];
  const neighbours = neighboursOf(state.views, body, draft, members, origin);
  const hierarchy = levelsFor(state.views, rows, members, particles.length, origin);
  const { coarse, ties } = sizeOf(hierarchy);
  const next: Record<Domain, number> = {
    particle: start.particle + particles.length,
    cluster: start.cluster + clusters.length,
    membership: start.membership + members.start[clusters.length],
    coarse: start.coarse + coarse,
    tie: start.tie + ties,
    node: end.node,
    neighbour: neighbours ? start.neighbour + neighbours.list.length : end.neighbour,
  };
  const wanted = { ...state.count };
  for (const domain of DOMAINS) wanted[domain] += Math.max(0, next[domain] - end[domain]);
  state.reserve(wanted);
  // Copied rows go into the room that the rows behind leave. Where the body will have fewer rows, its own are moved up
  // before the rows behind are.
  const fewer = next.cluster < end.cluster;
  const fewerParticles = next.particle < end.particle;
  const staying = draft.dropped ? 0 : end.particle - start.particle;
  if (fewer) copyRows(state.views, 'cluster', rows.clusterStart, origin);
  if (fewerParticles) copyRows(state.views, 'particle', rows.particleStart, particles);
  shiftBodies(world, moveTail(state, end, next), rows.particleStart);
  rows.particleEnd = next.particle;
  rows.clusterEnd = next.cluster;
  rows.coarseEnd = next.coarse;
  rows.tieEnd = next.tie;

  const s = state.views;
  if (!fewerParticles) copyRows(s, 'particle', rows.particleStart, particles, staying);
  if (!fewer) copyRows(s, 'cluster', rows.clusterStart, origin);
  if (draft.hasGrown) for (let i = 0; i < particles.length; i++) weigh(s, rows, draft, i);
  else for (const i of draft.touched) weigh(s, rows, draft, i);
  const centres = layOutMembers(s, rows, start.membership, members, draft.particleMass, body.material.limit.gamma);
  if (hierarchy) moveTies(hierarchy, draft, clusters, centres);
  layOutHierarchy(s, rows, hierarchy);
  writeLevelStrengths(body);
  if (neighbours) appendNeighbours(s, start.neighbour, neighbours, rows);
  refreshClusters(s, body, rows, members.changed!, centres);
  tellCopies(world, body, draft.dropped?.from ?? particles, end.particle - start.particle);
  if (draft.dropped) keepOnly(world, body, draft.dropped.stay);
}

function weigh(s: Views, { particleStart }: Rows, { particleMass }: TopologyDraft, i: number): void {
  const o = 4 * (particleStart + i) + 3;
  s.x[o] = s.xOld[o] = particleMass[i];
}

/** The draft's clusters that have members. */
export function nonEmptyClusters(draft: TopologyDraft): Uint32Array {
  const clusters = new Uint32Array(draft.clusters);
  let count = 0;
  for (let c = 0; c < draft.clusters; c++) if (draft.memberLast[c] > draft.memberFirst[c]) clusters[count++] = c;
  return clusters.subarray(0, count);
}

/** For each of these clusters of the draft: which of the body's clusters it is or came from. */
export function originOf({ clusterFrom }: TopologyDraft, clusters: Uint32Array): Uint32Array {
  const origin = new Uint32Array(clusters.length);
  for (let n = 0; n < clusters.length; n++) origin[n] = clusterFrom[clusters[n]];
  return origin;
}

/**
 * The memberships of some of a draft's clusters. `order` is room for their numbers; particle[k] is the particle that
 * membership k holds.
 */
export function draftMembers(
  draft: TopologyDraft,
  clusters: Uint32Array,
  order: Uint32Array,
  particle: Uint32Array = draft.particle,
): Members {
  const { member, outward, members, memberFirst, memberLast } = draft;
  const start = new Uint32Array(clusters.length + 1);
  const changed = new Uint8Array(clusters.length);
  // Most clusters lie one behind the other, as in the body: their memberships are copied in runs.
  let [first, last, to] = [0, 0, 0];
  for (let n = 0; n < clusters.length; n++) {
    const c = clusters[n];
    changed[n] = draft.changed[c];
    if (memberFirst[c] !== last) {
      order.set(members.subarray(first, last), to);
      to = start[n];
      first = memberFirst[c];
    }
    last = memberLast[c];
    start[n + 1] = start[n] + last - memberFirst[c];
  }
  order.set(members.subarray(first, last), to);
  return { start, order, particle, member, outward, changed };
}

/**
 * The body's levels over clusters that came from `origin` and hold `particles` particles. Coarse clusters are divided
 * where the clusters below no longer hang together.
 */
export function levelsFor(
  s: Views,
  rows: Rows,
  { start, order, particle }: Members,
  particles: number,
  origin: Uint32Array,
): Hierarchy | undefined {
  const hierarchy = takeHierarchy(s, rows);
  if (!hierarchy) return undefined;
  const held = Uint32Array.from(order.subarray(0, start[start.length - 1]), (k) => particle[k]);
  const remapped = remapTies(hierarchy, origin, rows.clusterEnd - rows.clusterStart);
  return divideByConnection(remapped, overlappingClusters(particles, start, held));
}

/** Updates the ties of a hierarchy to the frames and centres that the clusters have after layOutMembers. */
export function moveTies(
  hierarchy: Hierarchy,
  draft: TopologyDraft,
  clusters: Uint32Array,
  centres: Float64Array,
): void {
  moveTieFrames(
    hierarchy,
    Array.from(clusters, (c) => draft.frames.get(c)),
  );
  moveTieCentres(hierarchy, centres);
}

/**
 * Neighbours of the clusters of a draft; undefined if they did not change. They are found by ancestors, so that copies
 * alone change nothing. They are searched anew only where clusters took in particles, where most clusters changed, and now and then where they multiply.
 * Bodies of more than WALKED clusters have short lists (proxy/neighbours.ts), if they have broken into twice as many as they were built with:
 * others are near their rest shape, where lists find less to test than a walk.
 */
export function neighboursOf(
  s: Views,
  body: Body,
  draft: TopologyDraft,
  members: Members,
  origin: Uint32Array,
): Neighbours | undefined {
  const { rows, builtPositions } = body;
  const { pad } = body.core.contact;
  if (members.rewrite && !members.changed?.includes(2)) return undefined;
  const walks = origin.length > WALKED && origin.length > 2 * (body.clustering.start.length - 1);
  if (!draft.hasGrown && walks && !areMostNew(members)) {
    // Lists depend on no tree here.
    const grow = () => growTree(boundNow(s, rows, draft, members));
    const growAnew = haveMultiplied(rows, origin, 1.15) ? grow : undefined;
    const remapped = remapSharing(s, rows, draft, members, origin, builtPositions, growAnew);
    if (remapped) return remapped;
  } else if (!draft.hasGrown && origin.length > 0 && !areMostNew(members) && !haveMultiplied(rows, origin, 1.5)) {
    const remapped = remapNeighbours(s, rows, draft, members, origin, builtPositions, pad);
    if (remapped) return remapped;
  }
  const { start, order } = members;
  const boxesNow = walks ? boundNow(s, rows, draft, members) : undefined;
  const held = heldRoom.take(start[start.length - 1]);
  for (let n = 0; n < held.length; n++)
    held[n] = s.ancestor[rows.particleStart + draft.particleFrom[draft.particle[order[n]]]];
  const memberships = { start, particle: held };
  return boxesNow
    ? findSharing(memberships, builtPositions, boxesNow)
    : findNeighbours(memberships, builtPositions, pad);
}

/** Bounds of the clusters of a draft where their particles are: six numbers each. */
function boundNow(
  { x }: Views,
  { particleStart, particleEnd }: Rows,
  draft: TopologyDraft,
  { start, order }: Members,
): Float64Array {
  const positions = positionsRoom.take(3 * (particleEnd - particleStart));
  for (let i = 0, o = 4 * particleStart; 3 * i < positions.length; i++, o += 4)
    for (let a = 0; a < 3; a++) positions[3 * i + a] = x[o + a];
  const held = heldRoom.take(start[start.length - 1]);
  for (let n = 0; n < held.length; n++) held[n] = draft.particleFrom[draft.particle[order[n]]];
  const boxes = new Float64Array(6 * (start.length - 1));
  for (let c = 0; c < start.length - 1; c++) boundInto(boxes, c, held, start[c], start[c + 1], positions);
  return boxes;
}
const positionsRoom = new Scratch(Float64Array);

/**
 * Whether most clusters have other members, as after a cut. Then a search over all clusters takes less time than a test
 * of each changed one.
 */
function areMostNew({ changed }: Members): boolean {
  let others = 0;
  for (const change of changed!) if (change === 2) others++;
  return 2 * others > changed!.length;
}

/**
 * Whether the clusters have become more than the next of a row of numbers, each `times` the one before. Lists and trees that are only patched become longer and deeper than they need to
 * be, so they are made anew now and then. It depends on nothing but the state.
 */
function haveMultiplied({ clusterStart, clusterEnd }: Rows, origin: Uint32Array, times: number): boolean {
  let bound = 64;
  while (bound < clusterEnd - clusterStart) bound *= times;
  return origin.length > bound;
}

const heldRoom = new Scratch();
const orderRoom = new Scratch();

/**
 * Copies row from[n] of a body's particles or clusters to row n. Rows that the body keeps come first in `from`,
 * ascending, then those of the copies. Rows that stay where they are are not touched. The first `staying` are known to.
 */
function copyRows(s: Views, of: 'particle' | 'cluster', first: number, from: Uint32Array, staying = 0): void {
  let kept = staying;
  while (kept < from.length && (kept === 0 || from[kept] > from[kept - 1])) kept++;
  const inPlace = kept === 0 || from[kept - 1] === kept - 1;
  // Row of the source after the kept rows have moved; −1 if the source is not kept, in which case its row is saved
  // first.
  const sources = sourcesRoom.take(from.length - kept);
  for (let k = 0; k < sources.length; k++) sources[k] = inPlace ? from[kept + k] : placeIn(from, kept, from[kept + k]);
  // All arrays lie in one memory, and their rows are whole words. One kind of array keeps the loop below fast: with three kinds it took ten times as long.
  const words = new Uint32Array(s.x.buffer);
  for (const name of NAMES[of]) {
    const { width, kind, idle = 0 }: ArrayLayout = LAYOUT[name];
    const array = s[name];
    const row = (n: number) => width * (first + n);
    if (kind === 'scratch' && !SURVIVES.has(name)) {
      array.fill(idle, row(kept), row(from.length));
      continue;
    }
    const aside = inPlace
      ? undefined
      : Array.from(sources, (n, k) => (n < 0 ? array.slice(row(from[kept + k]), row(from[kept + k] + 1)) : undefined));
    if (!inPlace)
      for (let n = 0; n < kept; n++) if (from[n] !== n) array.copyWithin(row(n), row(from[n]), row(from[n] + 1));
    const wide = (width * array.BYTES_PER_ELEMENT) / 4;
    copySources(words, array.byteOffset / 4 + wide * first, wide, sources, kept);
    if (aside) for (let k = 0; k < aside.length; k++) if (aside[k]) array.set(aside[k]!, row(kept + k));
  }
}

const sourcesRoom = new Scratch(Int32Array);

/** Copies rows of `wide` words: row sources[k] to row kept + k, for sources that are not negative. Rows are short, so that a call for each would cost more than their words. */
function copySources(words: Uint32Array, base: number, wide: number, sources: Int32Array, kept: number): void {
  for (let k = 0; k < sources.length; k++) {
    if (sources[k] < 0) continue;
    const to = base + wide * (kept + k);
    const at = base + wide * sources[k];
    for (let n = 0; n < wide; n++) words[to + n] = words[at + n];
  }
}

const NAMES = {
  particle: ARRAY_NAMES.filter((name) => LAYOUT[name].of === 'particle'),
  cluster: ARRAY_NAMES.filter((name) => LAYOUT[name].of === 'cluster'),
};

/** Binary search for a number in the first `length` entries of a list, which ascend; −1 if it is not there. */
function placeIn(list: Uint32Array, length: number, number: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low < length && list[low] === number ? low : -1;
}

/** Scratch that a later stage of the same step reads. */
const SURVIVES = new Set<ArrayName>(['elastic', 'vOld', 'xStep']);

/**
 * Updates the values of a body's clusters that depend on their memberships: frames and centres, proxies, surface
 * particles.
 */
export function refreshClusters(s: Views, body: Body, rows: Rows, changed: Uint8Array, centres: Float64Array): void {
  for (let n = 0; n < changed.length; n++) {
    const row = rows.clusterStart + n;
    if (changed[n] !== 0) recentre(s, body, row, centres.subarray(3 * n, 3 * n + 3));
    if (changed[n] !== 2) continue;
    shrinkProxy(s, body, row);
    showSurface(s, row);
  }
}

/** Moves everything that stands in a cluster's own frame to its new centre. */
function recentre(s: Views, { builtPositions }: Body, c: number, centre: Float64Array): void {
  moveFrame(s, c, centre);
  const first = s.memberParticle[s.memberStart[c]];
  const i = s.ancestor[first];
  for (let a = 0; a < 3; a++) s.firstMemberRest[4 * c + a] = builtPositions[3 * i + a];
}

/** Shrinks the proxy of a cluster that lost members to those that are left. */
function shrinkProxy(
  s: Views,
  {
    core: {
      contact: { settings },
    },
  }: Body,
  c: number,
): void {
  const room = settings.exits === 'skin' ? settings.margin + 2 * s.proxySpacing[c] : settings.margin;
  s.proxyRadius[c] = Math.min(s.proxyRadius[c], s.width[c] + room);
}

/** Particles that a cluster has on its surface lose the flag INNER. */
function showSurface(s: Views, c: number): void {
  for (let k = s.memberStart[c]; k < s.surfaceEnd[c]; k++)
    if (s.outward[4 * k + 3] >= 0) s.flags[s.memberParticle[k]] &= ~Flag.INNER;
}
