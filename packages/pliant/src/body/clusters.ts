import { PliantError, refuse } from '../check.js';
import { type Body as PreparedBody, prepareBody } from '../cluster/body.js';
import { clusterPrepared } from '../cluster/cluster.js';
import { type Clustering, type ClusterOptions, explicitClusters } from '../cluster/index.js';
import { isRaw } from '../material/material.js';
import { particlesPerBreaking, particlesPerCluster, SLENDER, slenderCount, WIDE } from '../proxy/thickness.js';
import type { Work } from '../work.js';
import type { BodyOptions } from './options.js';
import { clustersInOrder } from './order.js';
import { bendingCount, countWithinReach, keepsBends, leastCount } from './widerClusters.js';

/** The clusters of a body, and the options by which they were found: its levels are clustered with the same options. */
export interface MadeClusters {
  clustering: Clustering;
  wanted: ClusterOptions;
}

/** Clusters the particles, or uses the clusters that were given. `cut`: they are those of a grid whose cells the surface crosses. `layers`: thickness in spacings of a thin body that can break. */
export function makeClusters(
  path: string,
  options: BodyOptions,
  positions: Float64Array,
  masses: Float64Array,
  warnings: string[],
  work: Work,
  stiffness?: { modulus: Float64Array; beta: number; thickness: number },
  thin?: 'sheet' | 'cord',
  apart?: number,
  cut = false,
  layers?: number,
): MadeClusters {
  if (options.clusters && options.clustering)
    throw new PliantError(`${path}.clusters`, `${path} gives clusters and clustering; expected one of the two.`);
  if (options.clustering === null) refuse(`${path}.clustering`, null, 'an object');
  let prepared: PreparedBody | undefined;
  const prepare = () => {
    prepared ??= prepareBody(positions, masses);
    prepared.careful = !stiffness;
    prepared.apart = apart;
    // The particles of a section of a cord lie nearer to each other than to those of the next.
    if (thin === 'cord') prepared.sampling ??= { count: 1, ofParticle: new Uint32Array(masses.length) };
    return prepared;
  };
  let wanted = withDefaultSize(options, masses.length, prepare, stiffness?.thickness, thin, cut, layers);
  work.begin('cluster');
  const find = () => clustersInOrder(clusterPrepared(prepare(), wanted, `${path}.clustering`, work), masses.length);
  let clustering = options.clusters
    ? explicitClusters(masses.length, options.clusters, `${path}.clusters`, (line) => warnings.push(line))
    : find();
  if (stiffness && !options.clusters && isFree(options.clustering) && clustering.count > 1) {
    const { modulus, beta, thickness } = stiffness;
    const again = (count: number, even?: number) => {
      wanted = { ...wanted, count };
      prepare().even = even;
      return find();
    };
    clustering = widerClusters(clustering, again, positions, masses, modulus, beta, thickness, (line) =>
      warnings.push(`${path}.material.young: ${line}`),
    );
  }
  warnings.push(...clustering.report.notes.map((note) => `${path}.clustering: ${note}`));
  return { clustering, wanted };
}

/** Wider clusters for a body that is stiffer than `first` reaches, found by `again` for other numbers of clusters. `modulus` is E/ρ of each particle (m²/s²), `beta` that of the goals. */
function widerClusters(
  first: Clustering,
  again: (count: number, even?: number) => Clustering,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
  thickness: number | undefined,
  warn: (line: string) => void,
): Clustering {
  let count = countWithinReach(first, positions, masses, modulus, beta, false);
  if (count === first.count) return first;
  const bending = bendingCount(positions, thickness);
  if (bending > 0) {
    const bends = bending < first.count ? again(bending, SLENDER.EVEN) : first;
    if (keepsBends(bends, positions, masses, modulus, beta)) return bends;
  }
  let clustering = first;
  while (count < clustering.count) {
    const wider = again(count);
    if (wider.count >= clustering.count) break;
    clustering = wider;
    if (clustering.count > 1) count = countWithinReach(clustering, positions, masses, modulus, beta, true);
  }
  const least = leastCount(clustering, positions, masses, modulus, beta);
  if (least > clustering.count && least < first.count) clustering = again(least);
  if (least > 1 && clustering.count < bending)
    warn(
      `the body is so stiff that it has ${clustering.count} wide clusters. It bends up to 1.5 times as far and twists up to 1.3 times as fast as it should. With ${bending} clusters (clustering.count) it bends right, and takes more substeps.`,
    );
  return clustering;
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

/** Particles for each cluster of a body with levels. With coarser levels above them, the finest clusters may be as small as SPEC C5 has them: 125 000 particles make six levels. */
const PER_CLUSTER_OF_LEVELS = 15;

/**
 * How many clusters a body with an elastic law has at least: one for PER particles until it has ENOUGH. Small bodies of blue noise, whose clusters are less alike, begin with smaller ones.
 * Where it has more anyway, there are 25 particles a cluster in a body of up to 9 particles across, more in thicker ones (`particlesPerCluster` in proxy/thickness.ts). Slender bodies have more (`slenderCount` there).
 *
 * Bars of 9 across twist by 0.95 of theory with 25 a cluster, and by 0.85 with 50. Small bodies need smaller ones: with 14 to 19 clusters the stretching modes of a cube of 7 a side are 4 to 24 % too slow, by chance;
 * with 28, 3 % on a grid, but of blue noise 5 to 10 % by the seed, and with 36 to 42 4 to 5 %. Grids with more are softer: 8 a side with 42, 49 and 56 clusters swing at 0.973, 0.961 and 0.942 of theory.
 * A ball on a grid of 7 across has cut cells (cutCells.ts), and as few clusters as blue noise are not alike: dropped from 30 cm its surface is pressed to 0.744 of its height with 14 clusters, 0.733 with 21, 0.718 to 0.720 with 29 to 33; balls of 8 to 20 across to 0.690 to 0.708.
 * Bodies that yield, break or are clustered anew have 25 particles a cluster at any thickness (`thickness` is then not given): they do so cluster by cluster. Those that break have fewer where they are thin (`particlesPerBreaking`).
 */
const LEAST = { PER: 12, ENOUGH: SLENDER.MORE_THAN, PER_OF_NOISE: 8.5, PER_OF_CUT: 6, ENOUGH_OF_UNLIKE: 40 } as const;

/** Particles for each cluster of a sheet or a cord, which bends as easily as these are small. */
const PER_CLUSTER_OF_THIN = { sheet: 6, cord: 6 } as const;

type Kind = 'grid' | 'cut' | 'noise';

function lawfulCount(particles: number, kind: Kind, thickness: number = WIDE.ACROSS): number {
  const least = Math.min(particles / LEAST.PER, LEAST.ENOUGH);
  const per = kind === 'cut' ? LEAST.PER_OF_CUT : LEAST.PER_OF_NOISE;
  const unlike = kind === 'grid' ? 0 : Math.min(particles / per, LEAST.ENOUGH_OF_UNLIKE);
  return Math.max(1, Math.floor(Math.max(particles / particlesPerCluster(thickness), least, unlike)));
}

/** The options with defaults that depend on the body: the number of its clusters, and how far they reach. */
function withDefaultSize(
  { clustering = {}, levels, material, sampling }: BodyOptions,
  particles: number,
  prepare: () => PreparedBody,
  thickness?: number,
  thin?: 'sheet' | 'cord',
  cut = false,
  layers?: number,
): ClusterOptions {
  const isLawful = !isRaw(material);
  const options: ClusterOptions = { ...clustering };
  if (options.radius === undefined && options.overlap === undefined) {
    options.overlap = OVERLAP;
    if (isLawful) options.radius = 'even';
  }
  if (isLawful) options.epsilon ??= 'even';
  if (options.algorithm === 'random') return options;
  if (options.count !== undefined || !(isLawful || levels !== undefined)) return options;
  let count = Math.max(1, Math.floor(particles / (thin ? PER_CLUSTER_OF_THIN[thin] : PER_CLUSTER_OF_LEVELS)));
  if (isLawful && !thin) {
    const kind = sampling?.method !== 'grid' ? 'noise' : cut ? 'cut' : 'grid';
    count = lawfulCount(particles, kind, thickness);
    if (layers !== undefined) count = Math.max(count, Math.floor(particles / particlesPerBreaking(layers)));
    const slender = thickness === undefined ? 0 : slenderCount(particles, thickness);
    if (slender > count) {
      count = slender;
      prepare().even = SLENDER.EVEN;
    }
  }
  options.count = Math.min(count, prepare().places.length);
  return options;
}
