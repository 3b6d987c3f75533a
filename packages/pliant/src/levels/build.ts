import { type Clustering, type ClusterOptions, cluster } from '../cluster/index.js';
import { MAX_LENGTH } from '../limits.js';
import { hypot } from '../math/elementary.js';
import { Work } from '../work.js';
import { divideByConnection, overlappingClusters } from './connect.js';
import type { Hierarchy } from './hierarchy.js';
import type { resolveLevels } from './options.js';

/** Number of clusters of a level for each cluster of the next ([K20] 4.1: 2³, as space is divided). */
export const SHRINK = 8;

/** Clusters, or particles, at rest, of which the clusters of the next level are made. */
interface Nodes {
  positions: Float64Array;
  masses: Float64Array;
}

/** Weights by which clusters hold nodes, cluster-major. */
export type Holding = Pick<Clustering, 'start' | 'particle' | 'weight'>;

/**
 * Builds the levels above a body's clusters (SPEC C5, [K20] algorithm 1). Each level has an eighth of the clusters of
 * the one below, with m times the radius, until one cluster holds all or there are enough levels. Where that radius
 * does not suffice, it grows (C3). `notes` collects messages for the user.
 */
export function buildHierarchy(
  positions: Float64Array,
  masses: Float64Array,
  clustering: Clustering,
  clusterOptions: ClusterOptions,
  { radiusFactor, count, of }: ReturnType<typeof resolveLevels>,
  path: string,
  notes: string[],
  work = new Work(),
): Hierarchy {
  const particles: Nodes = { positions, masses };
  let nodes = centresOf(particles, clustering);
  // Weights of each particle in the clusters of the level below, through all levels.
  let below: Holding = clustering;
  let radius = clustering.radius > 0 ? clustering.radius : widest(particles, clustering);
  const ties = { child: [] as number[], parent: [] as number[], weight: [] as number[], q: [] as number[] };
  const level: number[] = [];
  let [first, clusters] = [0, clustering.count];
  for (let at = 1; at < count && clusters > 1; at++) {
    radius = Math.min(radius * radiusFactor, MAX_LENGTH);
    const wanted = Math.max(Math.floor(clusters / SHRINK), 1);
    const found = among(
      of === 'particles' ? particles : nodes,
      wanted,
      radius,
      clusterOptions,
      `${path} (level ${at})`,
      work,
    );
    notes.push(...found.notes.map((note) => `level ${at}: ${note}`));
    radius = found.radius;
    const holding = of === 'particles' ? project(found.holding, below, masses) : found.holding;
    const next = centresOf(nodes, holding);
    for (let c = 0; c < holding.start.length - 1; c++)
      for (let k = holding.start[c]; k < holding.start[c + 1]; k++) {
        const i = holding.particle[k];
        ties.child.push(at > 1 ? first + i : i);
        ties.parent.push(level.length + c);
        ties.weight.push(holding.weight[k]);
        for (let a = 0; a < 3; a++) ties.q.push(nodes.positions[3 * i + a] - next.positions[3 * c + a]);
      }
    first = level.length;
    clusters = holding.start.length - 1;
    for (let c = 0; c < clusters; c++) level.push(at);
    if (of === 'particles') below = product(holding, below);
    nodes = next;
  }
  const hierarchy: Hierarchy = {
    level: Uint32Array.from(level),
    child: Uint32Array.from(ties.child),
    parent: Uint32Array.from(ties.parent),
    weight: Float64Array.from(ties.weight),
    rest: new Float64Array(12 * ties.child.length),
  };
  for (let t = 0; t < ties.child.length; t++) {
    for (let a = 0; a < 3; a++) {
      hierarchy.rest[12 * t + 4 * a] = 1;
      hierarchy.rest[12 * t + 9 + a] = ties.q[3 * t + a];
    }
  }
  return divideByConnection(hierarchy, overlappingClusters(masses.length, clustering.start, clustering.particle));
}

/** Makes `wanted` clusters of some nodes; a single one holds all nodes. */
export function among(
  { positions, masses }: Nodes,
  wanted: number,
  radius: number,
  { overlap: _, maxRadius: __, ...options }: ClusterOptions,
  path: string,
  work = new Work(),
): { holding: Holding; radius: number; notes: string[] } {
  if (wanted === 1) {
    const all = Uint32Array.from(masses.keys());
    const start = Uint32Array.of(0, all.length);
    return { holding: { start, particle: all, weight: new Float64Array(all.length).fill(1) }, radius, notes: [] };
  }
  const found = cluster(positions, masses, { ...options, count: wanted, maxCount: wanted, radius }, path, work);
  // Clusters of disconnected parts are not reported: divideByConnection divides them.
  const notes = found.report.radiusGrown ? [`the radius grew from ${radius} to ${found.radius} m (C3)`] : [];
  return { holding: found, radius: found.radius, notes };
}

/** Mass Σ m w and centre of mass of every cluster. */
function centresOf({ positions, masses }: Nodes, { start, particle, weight }: Holding): Nodes {
  const clusters = start.length - 1;
  const centres: Nodes = { positions: new Float64Array(3 * clusters), masses: new Float64Array(clusters) };
  for (let c = 0; c < clusters; c++) {
    let mass = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    const last = start[c + 1];
    for (let k = start[c]; k < last; k++) {
      const i = particle[k];
      const mw = masses[i] * weight[k];
      mass += mw;
      x += mw * positions[3 * i];
      y += mw * positions[3 * i + 1];
      z += mw * positions[3 * i + 2];
    }
    centres.masses[c] = mass;
    centres.positions[3 * c] = x / mass;
    centres.positions[3 * c + 1] = y / mass;
    centres.positions[3 * c + 2] = z / mass;
  }
  return centres;
}

/** Largest distance of a member from its cluster's centre, for clusters that were given and have no radius. */
export function widest(nodes: Nodes, holding: Holding): number {
  const { positions } = nodes;
  const { start, particle } = holding;
  const centres = centresOf(nodes, holding);
  let most = 0;
  for (let c = 0; c < start.length - 1; c++)
    for (let k = start[c]; k < start[c + 1]; k++)
      most = Math.max(
        most,
        hypot(
          positions[3 * particle[k]] - centres.positions[3 * c],
          positions[3 * particle[k] + 1] - centres.positions[3 * c + 1],
          positions[3 * particle[k] + 2] - centres.positions[3 * c + 2],
        ),
      );
  return most;
}

/**
 * Weight of each cluster c below in each cluster C found among the particles: the mean over the particles of c, W_cC =
 * Σ m w_ic w_iC / M_c. The resulting weight of a particle, Σ_c w_ic W_cC, is w_iC smoothed over the clusters below.
 */
function project(found: Holding, below: Holding, masses: Float64Array): Holding {
  const of = byParticle(found, masses.length);
  const [rows, clusters] = [below.start.length - 1, found.start.length - 1];
  const parts = Array.from({ length: clusters }, () => new Map<number, number>());
  for (let c = 0; c < rows; c++) {
    let mass = 0;
    for (let k = below.start[c]; k < below.start[c + 1]; k++) mass += masses[below.particle[k]] * below.weight[k];
    for (let k = below.start[c]; k < below.start[c + 1]; k++) {
      const i = below.particle[k];
      for (let n = of.start[i]; n < of.start[i + 1]; n++) {
        const part = parts[of.cluster[n]];
        part.set(c, (part.get(c) ?? 0) + (masses[i] * below.weight[k] * of.weight[n]) / mass);
      }
    }
  }
  return asHolding(parts);
}

/** Weights of particles in clusters through two levels. */
function product(holding: Holding, below: Holding): Holding {
  const parts = Array.from({ length: holding.start.length - 1 }, () => new Map<number, number>());
  parts.forEach((part, C) => {
    for (let k = holding.start[C]; k < holding.start[C + 1]; k++)
      for (let n = below.start[holding.particle[k]]; n < below.start[holding.particle[k] + 1]; n++)
        part.set(below.particle[n], (part.get(below.particle[n]) ?? 0) + holding.weight[k] * below.weight[n]);
  });
  return asHolding(parts);
}

function asHolding(parts: Map<number, number>[]): Holding {
  const start = new Uint32Array(parts.length + 1);
  parts.forEach((part, c) => {
    start[c + 1] = start[c] + part.size;
  });
  const sorted = parts.flatMap((part) => [...part].sort(([a], [b]) => a - b));
  return {
    start,
    particle: Uint32Array.from(sorted, ([i]) => i),
    weight: Float64Array.from(sorted, ([, w]) => w),
  };
}

function byParticle({ start, particle, weight }: Holding, particles: number) {
  const first = new Uint32Array(particles + 1);
  for (const i of particle) first[i + 1]++;
  for (let i = 0; i < particles; i++) first[i + 1] += first[i];
  const next = first.slice();
  const [cluster, share] = [new Uint32Array(particle.length), new Float64Array(particle.length)];
  for (let c = 0; c < start.length - 1; c++)
    for (let k = start[c]; k < start[c + 1]; k++) {
      const at = next[particle[k]]++;
      cluster[at] = c;
      share[at] = weight[k];
    }
  return { start: first, cluster, weight: share };
}
