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
  yieldLimit: Float64Array;
  toughness: Float64Array;
  /** Cluster-major memberships; weights of a particle sum to 1. */
  clusters: { start: Uint32Array; particle: Uint32Array; weight: Float64Array };
  /** Its coarser levels, if it has any. */
  hierarchy?: Hierarchy;
  /** Where its surface is (proxy/outward.ts). */
  particleSurface: ParticleSurface;
  /** Its rest shape as distances, where it was sampled from a solid; `toGrid` maps the body's coordinates to its nodes. */
  field?: { grid: DistanceField; toGrid: Float64Array };
  /** γ: allowed distance to the goal as a share of the cluster's width. */
  gamma: number;
  /** What its clusters pull to (SPEC M5, M6). */
  softness: Softness;
}

/** Seconds since a cluster split that never did: long enough for everything to have faded. */
const NEVER = 1e9;

/** Appends a body's rows. */
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
    for (let a = 0; a < 3; a++)
      s.x[4 * row + a] = s.xOld[4 * row + a] = s.xStep[4 * row + a] = body.positions[3 * i + a];
    s.x[4 * row + 3] = s.xOld[4 * row + 3] = s.xStep[4 * row + 3] = body.masses[i];
    s.v.fill(0, 4 * row, 4 * row + 4);
    s.force.fill(0, 4 * row, 4 * row + 4);
    // One midway in a thin wall has no direction to look in, but the surface near.
    s.flags[row] = isOnSurface(body, i) || body.particleSurface.height[i] > 0 ? 0 : Flag.INNER;
    s.reach[row] = body.particleSurface.height[i];
    s.touchCluster[row] = UNTOUCHED;
    s.ancestor[row] = i;
    s.builtMass[row] = body.masses[i];
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

/** The numbers from `first` to `last` along a Z-order curve, of 32 cells a side: those that follow each other are near each other. */
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

/** The body's distance field, and where each of its clusters is in it. */
function appendField({ views: s }: State, { field, positions }: BodyData, rows: Rows): void {
  if (field) s.distance.set(field.grid.values, rows.nodeStart);
  // Affine: the matrix serves the offsets, the whole of it the centre.
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
  // A tree has one node less than there is room for: it is 0, and not what was there before.
  s.treeNode.fill(0, 4 * clusterEnd - 2, 4 * clusterEnd);
  s.treeBox.fill(0, 16 * clusterEnd - 8, 16 * clusterEnd);
  // Of the row behind only the first number: the others are the next body's own.
  for (let k = 0; k < start.length - 2; k++) s.neighbourStart[3 * clusterStart + k] = base + start[k];
  s.neighbour.set(list, base);
}

/** Rows of a body that comes behind all others. */
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

/** Takes a body's rows out; everything behind them moves down. Returns how far, so that other bodies can follow. */
export function removeBody(state: State, rows: Rows): Record<Domain, number> {
  return moveTail(state, endOf(state.views, rows), startOf(state.views, rows));
}

/** First row of a body in every domain, and the first behind it. */
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
 * Moves the rows of all bodies from `from` on to where `to` says, up or down: the one place where rows change their numbers. Room must be
 * there. Returns how far they moved down (negative: up), so that the bodies can follow.
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
