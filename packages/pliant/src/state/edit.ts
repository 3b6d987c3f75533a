import type { DistanceField } from '../contact/field.js';
import type { Skin } from '../contact/outward.js';
import { svdInto } from '../math/svd.js';
import { Flag } from './flags.js';
import { ARRAY_NAMES, type ArrayLayout, DOMAINS, type Domain, LAYOUT, UNTOUCHED } from './layout.js';
import type { State } from './state.js';

/** Where a body's rows lie. Particles, clusters and memberships of a body are each one contiguous run. */
export interface Rows {
  particleStart: number;
  particleEnd: number;
  clusterStart: number;
  clusterEnd: number;
  nodeStart: number;
  nodeEnd: number;
}

/** A body as it is built, before it enters the state. Coordinates are the rest shape, placed in the world. */
export interface BodyData {
  positions: Float64Array;
  masses: Float64Array;
  stiffness: Float64Array;
  yieldLimit: Float64Array;
  toughness: Float64Array;
  /** Cluster-major memberships; weights of a particle sum to 1. */
  clusters: { start: Uint32Array; particle: Uint32Array; weight: Float64Array };
  /** Where its surface is (contact/outward.ts). */
  skin: Skin;
  /** Its rest shape as distances, where it was sampled from a solid; `toGrid` maps the body's coordinates to its nodes. */
  field?: { grid: DistanceField; toGrid: Float64Array };
  /** γ: allowed distance to the goal as a share of the cluster's width. */
  gamma: number;
}

/**
 * A_rr has an eigenvalue this far below its largest where a cluster is flat (a sheet of one layer, a line): a thickness of
 * 1e-5 of its extent, which f32 positions cannot tell from 0. F has no say in that direction, the rotation completes it.
 */
const FLAT = 1e-10;

/** Appends a body's rows; the one place where memberships are laid out in both orders. */
export function appendBody(state: State, body: BodyData): Rows {
  const particles = body.masses.length;
  const clusters = body.clusters.start.length - 1;
  const memberships = body.clusters.particle.length;
  const nodes = body.field?.grid.values.length ?? 0;
  const { count } = state;
  state.reserve({
    particle: count.particle + particles,
    cluster: count.cluster + clusters,
    membership: count.membership + memberships,
    node: count.node + nodes,
  });
  const rows: Rows = {
    particleStart: count.particle,
    particleEnd: count.particle + particles,
    clusterStart: count.cluster,
    clusterEnd: count.cluster + clusters,
    nodeStart: count.node,
    nodeEnd: count.node + nodes,
  };
  appendParticles(state, body, rows);
  appendMembers(state, body, rows);
  count.particle += particles;
  count.cluster += clusters;
  appendField(state, body, rows);
  count.membership += memberships;
  count.node += nodes;
  return rows;
}

function appendParticles(state: State, body: BodyData, rows: Rows): void {
  const s = state.views;
  for (let i = 0; i < body.masses.length; i++) {
    const row = rows.particleStart + i;
    for (let a = 0; a < 3; a++) s.x[4 * row + a] = s.xOld[4 * row + a] = body.positions[3 * i + a];
    s.x[4 * row + 3] = s.xOld[4 * row + 3] = body.masses[i];
    s.v.fill(0, 4 * row, 4 * row + 4);
    s.force.fill(0, 4 * row, 4 * row + 4);
    // One midway in a thin wall has no direction to look in, but the surface near.
    s.flags[row] = isSkin(body, i) || body.skin.height[i] > 0 ? 0 : Flag.INNER;
    s.reach[row] = body.skin.height[i];
    s.touchCluster[row] = UNTOUCHED;
    s.tested[row] = 0;
    s.stiffness[row] = body.stiffness[i];
    s.yieldLimit[row] = body.yieldLimit[i];
    s.toughness[row] = body.toughness[i];
  }
}

function appendMembers(state: State, body: BodyData, rows: Rows): void {
  const s = state.views;
  const { start, particle, weight } = body.clusters;
  const base = state.count.membership;
  for (let c = 0; c < start.length - 1; c++) {
    const row = rows.clusterStart + c;
    s.memberStart[row] = base + start[c];
    s.near[row] = 0;
    s.memberStart[row + 1] = base + start[c + 1];
    const { order, skinEnd } = centreAndSkinFirst(body, c);
    s.skinEnd[row] = base + start[c] + skinEnd;
    order.forEach((k, n) => {
      const i = particle[k];
      const at = base + start[c] + n;
      s.memberParticle[at] = rows.particleStart + i;
      s.member[4 * at + 3] = body.masses[i] * weight[k];
      for (let a = 0; a < 3; a++) s.outward[4 * at + a] = body.skin.normal[3 * i + a];
      s.outward[4 * at + 3] = isSkin(body, i) ? body.skin.height[i] : -1;
    });
    describeCluster(state, body, rows, c, order);
  }
  appendLinks(state, body, rows, base);
}

const isSkin = ({ skin: { normal } }: BodyData, i: number) =>
  normal[3 * i] !== 0 || normal[3 * i + 1] !== 0 || normal[3 * i + 2] !== 0;

/**
 * The member nearest the centre first (kernels sum relative to it), then those on the surface, then the others. `skinEnd` is how
 * many the first two are.
 */
function centreAndSkinFirst(body: BodyData, c: number): { order: number[]; skinEnd: number } {
  const { start, particle } = body.clusters;
  const order = Array.from({ length: start[c + 1] - start[c] }, (_, n) => start[c] + n);
  const [x, y, z] = restCentre(body, c);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  order.forEach((k, n) => {
    const i = 3 * particle[k];
    const d = (body.positions[i] - x) ** 2 + (body.positions[i + 1] - y) ** 2 + (body.positions[i + 2] - z) ** 2;
    if (d < least) [least, best] = [d, n];
  });
  const [centre] = order.splice(best, 1);
  const skin = order.filter((k) => isSkin(body, particle[k]));
  return {
    order: [centre, ...skin, ...order.filter((k) => !isSkin(body, particle[k]))],
    skinEnd: 1 + skin.length,
  };
}

/** Weighted centre of mass of a cluster at rest: Σ m w X / Σ m w. */
function restCentre(body: BodyData, c: number): [number, number, number] {
  const { start, particle, weight } = body.clusters;
  let [mass, x, y, z] = [0, 0, 0, 0];
  for (let k = start[c]; k < start[c + 1]; k++) {
    const mw = body.masses[particle[k]] * weight[k];
    mass += mw;
    x += mw * body.positions[3 * particle[k]];
    y += mw * body.positions[3 * particle[k] + 1];
    z += mw * body.positions[3 * particle[k] + 2];
  }
  return [x / mass, y / mass, z / mass];
}

/** Offsets p, mass, A_rr⁻¹ and width of one cluster. */
function describeCluster(state: State, body: BodyData, rows: Rows, c: number, order: number[]): void {
  const s = state.views;
  const row = rows.clusterStart + c;
  const centre = restCentre(body, c);
  const moment = new Float64Array(9);
  const shift = [0, 0, 0];
  let mass = 0;
  let widest = 0;
  order.forEach((k, n) => {
    const at = s.memberStart[row] + n;
    const i = 3 * body.clusters.particle[k];
    for (let a = 0; a < 3; a++) s.member[4 * at + a] = body.positions[i + a] - centre[a];
    // From here on the stored f32 values count: they are what the kernels see.
    const p = s.member.subarray(4 * at, 4 * at + 4);
    mass += p[3];
    widest = Math.max(widest, Math.hypot(p[0], p[1], p[2]));
    for (let a = 0; a < 3; a++) {
      shift[a] += p[3] * p[a];
      for (let b = 0; b < 3; b++) moment[3 * b + a] += p[3] * p[a] * p[b];
    }
  });
  s.clusterMass[row] = mass;
  for (let a = 0; a < 3; a++) s.restShift[3 * row + a] = shift[a] / mass;
  s.width[row] = widest;
  s.limit[row] = body.gamma * widest;
  pseudoInverseInto(s.restInverse.subarray(9 * row, 9 * row + 9), moment);
}

/** Pseudo-inverse of a symmetric positive semi-definite matrix: directions without extent stay 0. */
function pseudoInverseInto(out: Float64Array, m: Float64Array): void {
  const [u, sigma, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  svdInto(u, sigma, v, m);
  out.fill(0);
  for (let k = 0; k < 3; k++)
    if (Math.abs(sigma[k]) > FLAT * sigma[0])
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) out[3 * b + a] += (v[3 * k + a] * u[3 * k + b]) / sigma[k];
}

/**
 * Particles sorted by their number of links at a time: enough for the branch predictor to see long runs, few enough for their
 * positions and velocities (48 bytes each) to stay in the fastest cache while it is passed over once per number of links.
 */
const GATHER_BLOCK = 4096;

/** The particle-major transpose of the members just laid out, in gather order, clusters ascending within a particle. */
function appendLinks(state: State, body: BodyData, rows: Rows, base: number): void {
  const s = state.views;
  const particles = rows.particleEnd - rows.particleStart;
  const links = new Uint32Array(particles);
  for (const i of body.clusters.particle) links[i]++;
  const blockOf = (i: number) => Math.floor(i / GATHER_BLOCK);
  const order = Uint32Array.from(links.keys()).sort((i, j) => blockOf(i) - blockOf(j) || links[i] - links[j] || i - j);
  // Where the next link of each particle goes.
  const next = new Uint32Array(particles);
  let end = 0;
  order.forEach((i, n) => {
    s.gather[rows.particleStart + n] = rows.particleStart + i;
    s.rank[rows.particleStart + i] = rows.particleStart + n;
    s.linkStart[rows.particleStart + n] = base + end;
    next[i] = end;
    end += links[i];
  });
  s.linkStart[rows.particleEnd] = base + end;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++)
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const i = s.memberParticle[k] - rows.particleStart;
      const at = base + next[i]++;
      s.linkCluster[at] = c;
      for (let a = 0; a < 3; a++) s.link[4 * at + a] = s.member[4 * k + a];
      s.link[4 * at + 3] = s.member[4 * k + 3] / body.masses[i];
    }
}

/** The body's distance field, and where each of its clusters is in it. */
function appendField({ views: s }: State, { field, positions }: BodyData, rows: Rows): void {
  if (field) s.distance.set(field.grid.values, rows.nodeStart);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    s.site.fill(0, 12 * c, 12 * c + 12);
    s.siteGrid.fill(0, 4 * c, 4 * c + 4);
    if (!field) continue;
    s.siteGrid[4 * c] = rows.nodeStart;
    s.siteGrid.set(field.grid.size, 4 * c + 1);
    // toGrid is affine: its matrix serves the offsets, the whole of it the centre.
    s.site.set(field.toGrid, 12 * c);
    const k = s.memberStart[c];
    const i = 3 * (s.memberParticle[k] - rows.particleStart);
    const [x, y, z] = [0, 1, 2].map((a) => positions[i + a] - s.member[4 * k + a]);
    const m = field.toGrid;
    for (let a = 0; a < 3; a++) s.site[12 * c + 9 + a] = m[a] * x + m[3 + a] * y + m[6 + a] * z + m[9 + a];
  }
}

/** Takes a body's rows out; everything behind them moves down. Returns how far, so that other bodies can follow. */
export function removeBody(state: State, rows: Rows): Record<Domain, number> {
  const s = state.views;
  const { count } = state;
  const from: Record<Domain, number> = {
    particle: rows.particleStart,
    cluster: rows.clusterStart,
    membership: s.memberStart[rows.clusterStart],
    node: rows.nodeStart,
  };
  const to: Record<Domain, number> = {
    particle: rows.particleEnd,
    cluster: rows.clusterEnd,
    membership: s.memberStart[rows.clusterEnd],
    node: rows.nodeEnd,
  };
  const gap = {
    particle: to.particle - from.particle,
    cluster: to.cluster - from.cluster,
    membership: to.membership - from.membership,
    node: to.node - from.node,
  };
  for (const name of ARRAY_NAMES) {
    const { of, width, extra = 0 }: ArrayLayout = LAYOUT[name];
    s[name].copyWithin(width * from[of], width * to[of], width * (count[of] + extra));
  }
  for (const domain of DOMAINS) count[domain] -= gap[domain];
  for (let k = from.membership; k < count.membership; k++) {
    s.memberParticle[k] -= gap.particle;
    s.linkCluster[k] -= gap.cluster;
  }
  for (let i = from.particle; i < count.particle; i++) {
    s.gather[i] -= gap.particle;
    s.rank[i] -= gap.particle;
  }
  for (let i = from.particle; i <= count.particle; i++) s.linkStart[i] -= gap.membership;
  for (let c = from.cluster; c <= count.cluster; c++) {
    s.memberStart[c] -= gap.membership;
    s.skinEnd[c] -= gap.membership;
    s.siteGrid[4 * c] -= gap.node;
  }
  return gap;
}
