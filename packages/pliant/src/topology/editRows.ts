import { type Hierarchy, layOutHierarchy, sizeOf } from '../levels/hierarchy.js';
import { type Softness, writeSoftness } from '../material/softness.js';
import { setClusterToughness } from '../material/toughness.js';
import { clearFlow, setClusterYield } from '../material/yield.js';
import type { DistanceField } from '../proxy/field.js';
import { findNeighbours, type Neighbours } from '../proxy/neighbours.js';
import type { ParticleSurface } from '../proxy/outward.js';
import { Flag } from '../state/flags.js';
import { ARRAY_NAMES, type ArrayLayout, DOMAINS, type Domain, LAYOUT, UNTOUCHED, type Views } from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import type { Counts, State } from '../state/state.js';

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
}

/** Initial `sinceSplit` (s) of a cluster, which has not split: large enough that the boost of toughness has faded. */
const NEVER = 1e9;

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
  state.reserve({
    particle: count.particle + particles,
    cluster: count.cluster + clusters,
    membership: count.membership + memberships,
    coarse: count.coarse + coarse,
    tie: count.tie + ties,
    node: count.node + nodes,
    neighbour: count.neighbour + neighbours.list.length,
  });
  const rows = rowsBehind(count, { particles, clusters, coarse, ties, nodes });
  appendParticles(state, body, rows);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) writeSoftness(state.views, c, body.softness);
  state.views.soundness.fill(1, rows.clusterStart, rows.clusterEnd);
  appendMembers(state, body, rows);
  layOutHierarchy(state.views, rows, body.hierarchy);
  setClusterYield(state.views, rows);
  clearFlow(state.views, rows);
  state.views.toughnessFactor.fill(1, rows.clusterStart, rows.clusterEnd);
  setClusterToughness(state.views, rows);
  state.views.sinceSplit.fill(NEVER, rows.clusterStart, rows.clusterEnd);
  state.views.unrelaxed.fill(0, rows.clusterStart, rows.clusterEnd);
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

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]);
  return most;
}

function appendParticles(state: State, body: BodyData, rows: Rows): void {
  const s = state.views;
  for (let i = 0; i < body.masses.length; i++) {
    const row = rows.particleStart + i;
    for (const place of [s.x, s.xOld]) {
      for (let a = 0; a < 3; a++) place[4 * row + a] = body.positions[3 * i + a];
      place[4 * row + 3] = body.masses[i];
    }
    s.v.fill(0, 4 * row, 4 * row + 4);
    s.force.fill(0, 4 * row, 4 * row + 4);
    // A particle midway in a thin wall has no normal, but its height says that the surface is near: it is not INNER.
    s.flags[row] = isOnSurface(body, i) || body.particleSurface.height[i] > 0 ? 0 : Flag.INNER;
    s.reach[row] = body.particleSurface.height[i];
    s.touchCluster[row] = UNTOUCHED;
    s.ancestor[row] = i;
    s.builtMass[row] = body.masses[i];
    s.builtVolume[row] = body.volumes[i];
    s.stiffness[row] = body.stiffness[i];
    s.modulus[row] = body.modulus[i];
    s.yieldLimit[row] = body.yieldLimit[i];
    s.toughness[row] = body.toughness[i];
  }
}

function appendMembers(state: State, body: BodyData, rows: Rows): void {
  const { start, particle, weight } = body.clusters;
  const members: Members = {
    start: Uint32Array.from(start),
    order: Uint32Array.from(particle.keys()),
    particle: new Uint32Array(particle.length),
    member: new Float64Array(4 * particle.length),
    outward: new Float32Array(4 * particle.length),
  };
  for (let c = 0; c < start.length - 1; c++) {
    const order = alongCurve(start[c], start[c + 1], (k, a) => body.positions[3 * particle[k] + a]);
    order.forEach((k, n) => {
      const [at, i] = [start[c] + n, particle[k]];
      members.particle[at] = i;
      members.member[4 * at + 3] = body.masses[i] * weight[k];
      for (let a = 0; a < 3; a++) {
        members.member[4 * at + a] = body.positions[3 * i + a];
        members.outward[4 * at + a] = body.particleSurface.normal[3 * i + a];
      }
      members.outward[4 * at + 3] = isOnSurface(body, i) ? body.particleSurface.height[i] : -1;
    });
  }
  layOutMembers(state.views, rows, state.count.membership, members, body.masses, body.gamma);
  state.views.placedRound.fill(0, rows.clusterStart, rows.clusterEnd);
}

const isOnSurface = ({ particleSurface: { normal } }: BodyData, i: number) =>
  normal[3 * i] !== 0 || normal[3 * i + 1] !== 0 || normal[3 * i + 2] !== 0;

/**
 * Numbers `first` … `last` − 1, sorted along a Z-order curve of 32 cells a side, so that neighbours in the list are
 * near each other in space.
 */
function alongCurve(first: number, last: number, coordinate: (k: number, axis: number) => number): Uint32Array {
  const order = Uint32Array.from({ length: last - first }, (_, n) => first + n);
  const code = new Uint32Array(last - first);
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const k of order) {
      low = Math.min(low, coordinate(k, a));
      high = Math.max(high, coordinate(k, a));
    }
    const perCell = high > low ? 32 / (high - low) : 0;
    for (const k of order) {
      const cell = Math.min(31, Math.floor((coordinate(k, a) - low) * perCell));
      for (let b = 0; b < 5; b++) code[k - first] |= ((cell >> b) & 1) << (3 * b + a);
    }
  }
  return order.sort((j, k) => code[j - first] - code[k - first] || j - k);
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
    const [x, y, z] = [0, 1, 2].map((a) => positions[i + a] - s.member[4 * k + a]);
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
