import { PliantError, refuse } from '../check.js';
import { type Clustering, type ClusterOptions, cluster, explicitClusters } from '../cluster/index.js';
import { asksForLaw } from '../material/material.js';
import type { Work } from '../work.js';
import type { BodyOptions } from './options.js';
import { clustersInOrder } from './order.js';
import { countWithinReach } from './widerClusters.js';

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
  stiffness?: { modulus: Float64Array; beta: number },
): MadeClusters {
  if (options.clusters && options.clustering)
    throw new PliantError(`${path}.clusters`, `${path} gives clusters and clustering; expected one of the two.`);
  if (options.clustering === null) refuse(`${path}.clustering`, null, 'an object');
  let wanted = withCount(withOverlap(options.clustering), masses.length, options);
  work.begin('cluster');
  const find = () => clustersInOrder(cluster(positions, masses, wanted, `${path}.clustering`, work), masses.length);
  let clustering = options.clusters
    ? explicitClusters(masses.length, options.clusters, `${path}.clusters`, (line) => warnings.push(line))
    : find();
  // Wider ones for a body that is stiffer than these reach, if their number is left to the engine.
  const first = clustering;
  while (stiffness && !options.clusters && isFree(options.clustering) && clustering.count > 1) {
    const count = countWithinReach(
      clustering,
      positions,
      masses,
      stiffness.modulus,
      stiffness.beta,
      clustering !== first,
    );
    if (count === clustering.count) break;
    wanted = { ...wanted, count };
    const wider = find();
    if (wider.count >= clustering.count) break;
    clustering = wider;
  }
  warnings.push(...clustering.report.notes.map((note) => `${path}.clustering: ${note}`));
  return { clustering, wanted };
}

/** Whether the options leave the number and the width of clusters to the engine. */
const isFree = ({ count, radius, algorithm }: ClusterOptions = {}) =>
  count === undefined && radius === undefined && algorithm !== 'random';

/**
 * Factor on the smallest radius that connects a body. That radius leaves little more than one cluster per particle: the
 * body holds together loosely and oscillates for seconds (a block of 20 clusters had not come to rest after 16 000
 * steps). With 1.3 times that radius it is firm.
 */
const OVERLAP = 1.3;

function withOverlap(options: ClusterOptions = {}): ClusterOptions {
  return options.radius === undefined && options.overlap === undefined ? { ...options, overlap: OVERLAP } : options;
}

/**
 * Particles for each cluster. With coarser levels above them, the finest clusters may be as small as SPEC C5 has them: 125 000 particles make six levels. With an elastic law,
 * clusters half as large as those of other bodies bend and twist nearer to theory: bars of 9 particles across twist by 0.95 of it, and by 0.85 with 50 a cluster. A cube of 343 particles
 * then has 13 clusters and swings at 0.84 of its frequency; with 22 it swings at 0.98 of it, but hangs 13 % too short.
 */
const PER_CLUSTER = { levels: 15, law: 25 } as const;

function withCount(options: ClusterOptions, particles: number, { levels, material }: BodyOptions): ClusterOptions {
  if (options.count !== undefined || options.algorithm === 'random') return options;
  const each = levels !== undefined ? PER_CLUSTER.levels : asksForLaw(material ?? {}) ? PER_CLUSTER.law : undefined;
  return each === undefined ? options : { ...options, count: Math.max(1, Math.floor(particles / each)) };
}
