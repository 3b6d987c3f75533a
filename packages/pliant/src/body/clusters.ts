import { PliantError, refuse } from '../check.js';
import { type Clustering, type ClusterOptions, cluster, explicitClusters } from '../cluster/index.js';
import { asksForLaw } from '../material/material.js';
import type { Work } from '../work.js';
import type { BodyOptions } from './options.js';
import { clustersInOrder } from './order.js';

/** The clusters of a body, and the options by which they were found: its levels are clustered with the same options. */
export interface MadeClusters {
  clustering: Clustering;
  wanted: ClusterOptions;
}

/** Clusters the particles, or uses the clusters that were given. */
export function makeClusters(
  path: string,
  options: BodyOptions,
  positions: Float64Array,
  masses: Float64Array,
  warnings: string[],
  work: Work,
): MadeClusters {
  if (options.clusters && options.clustering)
    throw new PliantError(`${path}.clusters`, `${path} gives clusters and clustering; expected one of the two.`);
  if (options.clustering === null) refuse(`${path}.clustering`, null, 'an object');
  const wanted = withCount(withOverlap(options.clustering), masses.length, options);
  work.begin('cluster');
  const clustering = options.clusters
    ? explicitClusters(masses.length, options.clusters, `${path}.clusters`, (line) => warnings.push(line))
    : clustersInOrder(cluster(positions, masses, wanted, `${path}.clustering`, work), masses.length);
  warnings.push(...clustering.report.notes.map((note) => `${path}.clustering: ${note}`));
  return { clustering, wanted };
}

/**
 * Factor on the smallest radius that connects a body. That radius leaves little more than one cluster per particle: the
 * body holds together loosely and oscillates for seconds (a block of 20 clusters had not come to rest after 16 000
 * steps). With 1.3 times that radius it is firm.
 */
const OVERLAP = 1.3;

function withOverlap(options: ClusterOptions = {}): ClusterOptions {
  return options.radius === undefined && options.overlap === undefined ? { ...options, overlap: OVERLAP } : options;
}

/** Particles for each cluster of a body with levels: with coarser clusters above them, the finest may be as small as SPEC C5 has them. 125 000 particles make six levels. */
const PER_CLUSTER = 15;
/**
 * The same for a body with an elastic law: clusters half as large as those of other bodies bend and twist nearer to theory (bars of 9 particles across twist by 0.95 of it, and by 0.85 with 50
 * a cluster). A small body has smaller clusters, down to `fine` particles each, until it has `few` of them: a cube of 343 particles swings at 0.84 of its frequency with 13 clusters, at 0.98 with 22.
 */
const LAW_CLUSTERS = { each: 25, fine: 15, few: 40 } as const;

function withCount(options: ClusterOptions, particles: number, { levels, material }: BodyOptions): ClusterOptions {
  if (options.count !== undefined || options.algorithm === 'random') return options;
  const count = (each: number) => Math.max(1, Math.floor(particles / each));
  if (levels !== undefined) return { ...options, count: count(PER_CLUSTER) };
  if (!asksForLaw(material ?? {})) return options;
  const { each, fine, few } = LAW_CLUSTERS;
  return { ...options, count: Math.max(count(each), Math.min(count(fine), few)) };
}
