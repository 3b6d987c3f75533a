import { type Hierarchy, layOutHierarchy, sizeOf } from '../levels/hierarchy.js';
import { type Softness, writeSoftness } from '../material/softness.js';
import { setClusterToughness } from '../material/toughness.js';
import { clearFlow, setClusterYield } from '../material/yield.js';
import type { DistanceField } from '../proxy/field.js';
import { findNeighbours, type Neighbours } from '../proxy/neighbours.js';
import type { ParticleSurface } from '../proxy/outward.js';
import { holdOf, meanSpacing, needsThickness, thicknessOf } from '../proxy/thickness.js';
import { counting } from '../scratch.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Elasticity, Row } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import { ARRAY_NAMES, type ArrayLayout, DOMAINS, type Domain, LAYOUT, UNTOUCHED, type Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Counts, State } from '../state/state.js';
import { isOnSurface, writeNewMembers } from './newMembers.js';

/** A body as it is built, before it enters the state. Coordinates are the rest shape, placed in the world. */
export interface BodyData {
  positions: Float64Array;
  masses: Float64Array;
  stiffness: Float64Array;
  modulus: Float64Array;
  /** m³, for a body with an elastic law. */
  volumes: Float64Array;
  yieldLimit: Float64Array;
  toughness: Float64Array;
  /** Cluster-major memberships; weights of a particle sum to 1. */
  clusters: { start: Uint32Array; particle: Uint32Array; weight: Float64Array };
  /** Coarser levels of the body, if it has any. */
  hierarchy?: Hierarchy;
  /** Normal and height of the surface at each particle (proxy/outward.ts). */
  particleSurface: ParticleSurface;
  /**
   * Distance field of the rest shape, for bodies sampled from a solid; `toGrid` maps the body's coordinates to grid
   * nodes.
   */
  field?: { grid: DistanceField; toGrid: Float64Array };
  /** γ: allowed distance to the goal as a share of the cluster's width. */
  gamma: number;
  /** Which deformation the goals of the clusters may follow (SPEC M5, M6). */
  softness: Softness;
  /** Particles across the body, where that is known (proxy/thickness.ts). */
  thickness?: number;
}

/** Initial `sinceSplit` (s) of a cluster, which has not split: large enough that the boost of toughness has faded. */
const NEVER = 1e9;
/** Whether the cluster in row c is the half of one that split. */
export const hasSplit = ({ sinceSplit }: Views, c: number): boolean => sinceSplit[c] < NEVER / 2;

/**
 * Rows kept free for a body that can break, as multiples of those it has. Without them its first break moves all arrays of the world into fresh memory, which
 * was the longest step of most scenes that break. Bodies grow by up to 0.8 particles a particle in the gallery; lists grow faster than clusters do.
 * Bodies that shatter grow by 1.7 particles a particle, and end with a cluster for three: as long as that takes some 50 MB, there is room for it. Memory that nobody
 * writes to is not taken from the machine.
 */
const SLACK = { PARTICLES: 0.8, CLUSTERS: 3, NEIGHBOURS: 6 };
const SHATTERED = { PARTICLES: 2, CLUSTERS: 0.4, NEIGHBOURS: 12, MOST_PARTICLES: 100_000, MOST_CLUSTERS: 16_000 };

function spareFor(particles: number, clusters: number, neighbours: number): Partial<Counts> {
  const shards = Math.min(SHATTERED.CLUSTERS * particles, SHATTERED.MOST_CLUSTERS);
  return {
    particle: Math.ceil(
      Math.max(SLACK.PARTICLES * particles, Math.min(SHATTERED.PARTICLES * particles, SHATTERED.MOST_PARTICLES)),
    ),
    cluster: Math.ceil(Math.max(SLACK.CLUSTERS * clusters, shards)),
    neighbour: Math.ceil(Math.max(SLACK.NEIGHBOURS * neighbours, SHATTERED.NEIGHBOURS * shards)),
  };
}

/** Appends a body's rows to the state. */
export function appendBody(state: State, body: BodyData): Rows {
  const particles = body.masses.length;
  const clusters = body.clusters.start.length - 1;
  const memberships = body.clusters.particle.length;
  const nodes = body.field?.grid.values.length ?? 0;
  const neighbours = findNeighbours(body.clusters, body.positions, largest(body.particleSurface.height));
  const { coarse, ties } = sizeOf(body.hierarchy);
  const { count } = state;
  state.revision++;
  state.reserve(
    {
      particle: count.particle + particles,
      cluster: count.cluster + clusters,
      membership: count.membership + memberships,
      coarse: count.coarse + coarse,
      tie: count.tie + ties,
      node: count.node + nodes,
      neighbour: count.neighbour + neighbours.list.length,
    },
    body.toughness.some((t) => t < Number.POSITIVE_INFINITY)
      ? spareFor(particles, clusters, neighbours.list.length)
      : undefined,
  );
  const rows = rowsBehind(count, { particles, clusters, coarse, ties, nodes });
  appendParticles(state, body, rows);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) writeSoftness(state.views, c, body.softness);
  writeHold(state.views, body, rows);
  state.views.soundness.fill(1, rows.clusterStart, rows.clusterEnd);
  appendMembers(state, body, rows);
  layOutHierarchy(state.views, rows, body.hierarchy);
  setClusterYield(state.views, rows);
  clearFlow(state.views, rows);
  state.views.toughnessFactor.fill(1, rows.clusterStart, rows.clusterEnd);
  setClusterToughness(state.views, rows);
  state.views.sinceSplit.fill(NEVER, rows.clusterStart, rows.clusterEnd);
  state.views.unrelaxed.fill(0, rows.clusterStart, rows.clusterEnd);
  // Contact finds no boxes of clusters while the body cannot touch itself.
  state.views.treeBox.fill(0, 16 * rows.clusterStart, 16 * rows.clusterEnd);
  state.views.fade.fill(1, rows.clusterStart, rows.clusterEnd);
  state.views.leaving.fill(0, rows.clusterStart, rows.clusterEnd);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    state.views.fromRest.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * c);
    state.views.stretchFromRest.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * c);
  }
  count.particle += particles;
  count.cluster += clusters;
  count.coarse += coarse;
  count.tie += ties;
  appendField(state, body, rows);
  appendNeighbours(state.views, count.neighbour, neighbours, rows);
  count.membership += memberships;
  count.node += nodes;
  count.neighbour += neighbours.list.length;
  return rows;
}

/** Writes how firmly the clusters of a body with an elastic law hold what no affine map explains. */
function writeHold(
  { elasticity }: Views,
  { positions, particleSurface, volumes, softness, thickness }: BodyData,
  rows: Rows,
): void {
  const [count, clusters] = [positions.length / 3, rows.clusterEnd - rows.clusterStart];
  const across = () => thickness ?? thicknessOf(positions, particleSurface, meanSpacing(volumes));
  const hold = softness.law !== undefined && needsThickness(count, clusters) ? holdOf(across(), count, clusters) : 1;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) elasticity[Row.elasticity * c + Elasticity.HOLD] = hold;
}

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]);
  return most;
}

function appendParticles(state: State, body: BodyData, rows: Rows): void {
  const s = state.views;
  const { masses } = body;
  const [first, last] = [rows.particleStart, rows.particleEnd];
  if (!withKernels((space) => placeFast(space, s, body, first))) placePlain(s, body, first);
  s.ancestor.set(counting(masses.length), first);
  s.v.fill(0, 4 * first, 4 * last);
  s.force.fill(0, 4 * first, 4 * last);
  s.touchCluster.fill(UNTOUCHED, first, last);
  s.reach.set(body.particleSurface.height, first);
  s.builtMass.set(masses, first);
  s.builtVolume.set(body.volumes, first);
  s.stiffness.set(body.stiffness, first);
  s.modulus.set(body.modulus, first);
  s.yieldLimit.set(body.yieldLimit, first);
  s.toughness.set(body.toughness, first);
}

/** Writes places, masses and flags of new particles. */
function placePlain({ x, xOld, flags }: Views, { positions, masses, particleSurface }: BodyData, first: number): void {
  const { normal, height } = particleSurface;
  for (let i = 0, o = 4 * first; i < masses.length; i++, o += 4) {
    x[o] = xOld[o] = positions[3 * i];
    x[o + 1] = xOld[o + 1] = positions[3 * i + 1];
    x[o + 2] = xOld[o + 2] = positions[3 * i + 2];
    x[o + 3] = xOld[o + 3] = masses[i];
    // A particle midway in a thin wall has no normal, but its height says that the surface is near: it is not INNER.
    flags[first + i] = isOnSurface(normal, i) || height[i] > 0 ? 0 : Flag.INNER;
  }
}

/** The same in WASM. */
function placeFast(
  space: Workspace,
  { x, xOld, flags }: Views,
  { positions, masses, particleSurface: { normal, height } }: BodyData,
  first: number,
): true {
  const count = masses.length;
  const [places, mass] = [space.putReals(positions), space.putReals(masses)];
  const [normals, heights] = [space.putReals(normal), space.putReals(height)];
  const [out, marks] = [space.take(16 * count), space.takeWords(count)];
  space.kernels.layParticles(places, mass, normals, heights, count, Flag.INNER, out, marks);
  const placed = space.floats(out, 4 * count);
  x.set(placed, 4 * first);
  xOld.set(placed, 4 * first);
  flags.set(space.words(marks, count), first);
  return true;
}

function appendMembers(state: State, body: BodyData, rows: Rows): void {
  writeNewMembers(state.views, rows, state.count.membership, body, body.gamma);
  state.views.placedRound.fill(0, rows.clusterStart, rows.clusterEnd);
}

const IN_METRES = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** Writes the body's distance field, and the map of each cluster from its rest offsets to the nodes of the field. */
function appendField({ views: s }: State, { field, positions }: BodyData, rows: Rows): void {
  if (field) s.distance.set(field.grid.values, rows.nodeStart);
  // m is affine: its matrix maps rest offsets, matrix and translation together map the centre of the cluster.
  const m = field?.toGrid ?? IN_METRES;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    s.distanceGrid.fill(0, 4 * c, 4 * c + 4);
    if (field) {
      s.distanceGrid[4 * c] = rows.nodeStart;
      s.distanceGrid.set(field.grid.size, 4 * c + 1);
    }
    s.restFrame.set(m, 12 * c);
    const k = s.memberStart[c];
    const i = 3 * (s.memberParticle[k] - rows.particleStart);
    const x = positions[i] - s.member[4 * k];
    const y = positions[i + 1] - s.member[4 * k + 1];
    const z = positions[i + 2] - s.member[4 * k + 2];
    for (let a = 0; a < 3; a++) s.restFrame[12 * c + 9 + a] = m[a] * x + m[3 + a] * y + m[6 + a] * z + m[9 + a];
  }
}

export function appendNeighbours(
  s: Views,
  base: number,
  { tree, boxes, start, list }: Neighbours,
  { clusterStart, clusterEnd }: Rows,
): void {
  s.restBox.set(boxes, 6 * clusterStart);
  s.treeNode.set(tree.branch, 4 * clusterStart);
  // A tree has one node fewer than the rows have room for. The spare node is set to 0, so that no old values stay in
  // the state.
  s.treeNode.fill(0, 4 * clusterEnd - 2, 4 * clusterEnd);
  s.treeBox.fill(0, 16 * clusterEnd - 8, 16 * clusterEnd);
  // Of the row behind the body's last cluster only the first number is written: the other two belong to the next body.
  for (let k = 0; k < start.length - 2; k++) s.neighbourStart[3 * clusterStart + k] = base + start[k];
  s.neighbour.set(list, base);
}

/** Rows of a body that is appended behind all others. */
export function rowsBehind(
  count: Counts,
  sizes: Record<'particles' | 'clusters' | 'coarse' | 'ties' | 'nodes', number>,
): Rows {
  return {
    particleStart: count.particle,
    particleEnd: count.particle + sizes.particles,
    clusterStart: count.cluster,
    clusterEnd: count.cluster + sizes.clusters,
    coarseStart: count.coarse,
    coarseEnd: count.coarse + sizes.coarse,
    tieStart: count.tie,
    tieEnd: count.tie + sizes.ties,
    nodeStart: count.node,
    nodeEnd: count.node + sizes.nodes,
  };
}

/**
 * Removes a body's rows; all rows behind them move down. Returns by how many rows, for the other bodies to shift
 * theirs.
 */
export function removeBody(state: State, rows: Rows): Record<Domain, number> {
  return moveTail(state, endOf(state.views, rows), startOf(state.views, rows));
}

/** First row of a body in every domain (`startOf`), and the first row behind the body (`endOf`). */
export function startOf(
  s: Views,
  { particleStart, clusterStart, coarseStart, tieStart, nodeStart }: Rows,
): Record<Domain, number> {
  return {
    particle: particleStart,
    cluster: clusterStart,
    membership: s.memberStart[clusterStart],
    coarse: coarseStart,
    tie: tieStart,
    node: nodeStart,
    neighbour: s.neighbourStart[3 * clusterStart],
  };
}

export function endOf(s: Views, { particleEnd, clusterEnd, coarseEnd, tieEnd, nodeEnd }: Rows): Record<Domain, number> {
  return {
    particle: particleEnd,
    cluster: clusterEnd,
    membership: s.memberStart[clusterEnd],
    coarse: coarseEnd,
    tie: tieEnd,
    node: nodeEnd,
    neighbour: s.neighbourStart[3 * clusterEnd],
  };
}

/**
 * Moves all rows from `from` on to `to`, up or down. This is the one place where rows change their numbers. The caller
 * reserves the room. Returns by how many rows they moved down (negative: up), for the bodies to shift their rows.
 */
export function moveTail(
  state: State,
  from: Record<Domain, number>,
  to: Record<Domain, number>,
): Record<Domain, number> {
  const s = state.views;
  const { count } = state;
  state.revision++;
  const gap = {} as Record<Domain, number>;
  for (const domain of DOMAINS) gap[domain] = from[domain] - to[domain];
  for (const name of ARRAY_NAMES) {
    const { of, width, extra = 0 }: ArrayLayout = LAYOUT[name];
    s[name].copyWithin(width * to[of], width * from[of], width * (count[of] + extra));
  }
  for (const domain of DOMAINS) count[domain] -= gap[domain];
  for (let k = to.membership; k < count.membership; k++) {
    s.memberParticle[k] -= gap.particle;
    s.linkCluster[k] -= gap.cluster;
  }
  for (let i = to.particle; i < count.particle; i++) {
    s.gatherOrder[i] -= gap.particle;
    s.gatherRank[i] -= gap.particle;
  }
  for (let i = to.particle; i <= count.particle; i++) s.linkStart[i] -= gap.membership;
  for (let c = to.cluster; c <= count.cluster; c++) {
    s.memberStart[c] -= gap.membership;
    for (let k = 3 * c; k < 3 * c + 3; k++) s.neighbourStart[k] -= gap.neighbour;
  }
  for (let c = to.cluster; c < count.cluster; c++) {
    s.surfaceEnd[c] -= gap.membership;
    s.distanceGrid[4 * c] -= gap.node;
  }
  return gap;
}
