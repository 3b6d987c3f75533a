import { checkInteger, checkKeys, checkNumber, checkOneOf, refuse, withDefaults } from '../check.js';
import { checkLength, MAX_LENGTH, MIN_LENGTH } from '../limits.js';
import { cubed, squared } from '../math/elementary.js';
import { KERNELS, type Kernel } from './weightKernel.js';

/**
 * How clusters are found: 'fuzzy' optimises overlapping clusters, 'kmeans' separate ones that are then enlarged, 'random' puts clusters about random
 * particles until all are covered.
 */
export type ClusterAlgorithm = 'random' | 'kmeans' | 'fuzzy';

/** How the particles of a body are divided into overlapping clusters. The references [J15] are to Jones et al. 2015. */
export interface ClusterOptions {
  /** How clusters are found. Default 'fuzzy', in which the overlap is part of the optimisation and the centres are centres of mass. */
  algorithm?: ClusterAlgorithm;
  /** How the weight of a particle in a cluster falls with its distance from the cluster's centre. Default 'invsq'. */
  kernel?: Kernel;
  /** With the kernel 'blend': the constant that is added to poly6 (1/m³). Default 2. */
  beta?: number;
  /**
   * With the kernel 'invsq': the squared length (m²) that keeps 1/(d² + ε) finite at the centre. 'even' is the square of 0.35 times the radius, which makes clusters of small and of
   * large bodies alike. Default 1e-4; `addBody` takes 'even' for bodies with an elastic law.
   */
  epsilon?: number | 'even';
  /** With the kernel 'fcm': its exponent, above 1. Towards 1 the nearest cluster takes all of a particle. Default 2. */
  m?: number;
  /**
   * Number of clusters wanted. Default: one per 50 particles; for a body with an elastic law one per 25, or per 12 up to 90 clusters, fewer in thick bodies and more in slender ones; for one with levels one per 15; at least 1. More clusters make a body softer and
   * richer in detail. With 'random' it is ignored: the radius decides.
   */
  count?: number;
  /**
   * Largest distance from a cluster's centre to a member (m). 'auto' (default) searches the smallest radius that works, to 1 %. 'even' is 2.1 times the root mean square distance of
   * particles from the nearest centre of k-means, by which a particle inside the body is in four clusters (2.3 times in slender bodies with an elastic law whose count is not given); where that does not connect the body it is 'auto'. `addBody` takes it for
   * bodies with an elastic law. Small radii give a soft body with visible borders between the clusters. Large radii give a smoother and stiffer body that costs more per step.
   */
  radius?: number | 'auto' | 'even';
  /** Factor on the automatic radius, at least 1. Default 1; `addBody` takes 1.3 if neither radius nor overlap is given. */
  overlap?: number;
  /** How far the number of clusters may grow when the wanted one does not work. Default: the number of particles. */
  maxCount?: number;
  /** How far the radius may grow when the wanted one does not work (m). Default: the diagonal of the body, with which one cluster holds everything. */
  maxRadius?: number;
  /**
   * Largest number of iterations of one optimisation. Default 10000; cycles and hopeless states end it much earlier.
   */
  maxIterations?: number;
  /** Weight of a particle outside every radius in its nearest cluster, while the optimisation runs. Default 1. */
  orphanWeight?: number;
  /** Seed of the random numbers: the same seed gives the same clusters on every machine. Default 2. */
  seed?: number;
}

/** Defaults of {@link ClusterOptions}. */
export const CLUSTER_DEFAULTS = {
  algorithm: 'fuzzy',
  kernel: 'invsq',
  beta: 2,
  epsilon: 1e-4,
  m: 2,
  radius: 'auto',
  overlap: 1,
  maxIterations: 10_000,
  orphanWeight: 1,
  // With `kmeans` the seed decides how evenly a body is divided. On the papers' stretched cube seeds 1 to 12 leave its
  // centre of mass 0.6 to 3.7 % of the diagonal from that of the authors' program; 2 leaves the least. `fuzzy` hardly
  // depends on it.
  seed: 2,
} as const satisfies ClusterOptions;

/** Particles per cluster when no count is given. */
const PARTICLES_PER_CLUSTER = 50;

export type ClusterSettings = Required<ClusterOptions>;

/** √ε of 'even', as a share of the radius. From 0.35 to 0.6 bodies hang, swing and bend alike; with 0.03 the stretching modes of a cube of 343 particles differ by a tenth between its axes. */
const EVEN_CORE = 0.35;

/** ε (m²) of clusters of this radius (m). */
export const epsilonAt = (epsilon: ClusterSettings['epsilon'], radius: number): number =>
  epsilon === 'even' ? Math.max(SQUARED_LENGTHS.min, squared(EVEN_CORE * radius)) : epsilon;

const SQUARED_LENGTHS = { min: squared(MIN_LENGTH), max: squared(MAX_LENGTH) };
/**
 * About the peak of poly6 at the smallest radius. With a larger constant the kernel is the box kernel to the last
 * digit, and a still larger one overflows.
 */
const MOST_BETA = 1 / cubed(MIN_LENGTH);
/** Largest number of iterations of one optimisation: convergence takes hundreds, and cycles are detected. */
const MOST_ITERATIONS = 1e6;
/**
 * An orphan that pulls a million times as hard as a member already has its cluster's centre at its own place; a larger
 * weight only overflows sums.
 */
const MOST_ORPHAN_WEIGHT = 1e6;
/** Radii beyond this many diagonals give the same as smaller ones: each cluster holds the whole body. */
const MOST_DIAGONALS = 4;

const ALGORITHMS: readonly ClusterAlgorithm[] = ['random', 'kmeans', 'fuzzy'];
const KEYS = [
  ...['algorithm', 'kernel', 'beta', 'epsilon', 'm', 'count', 'radius', 'overlap', 'maxCount', 'maxRadius'],
  ...['maxIterations', 'orphanWeight', 'seed'],
];

/**
 * The options with every default filled in, each checked. `places` is the number of different positions: more clusters
 * than that cannot have different centres. `diagonal` is that of the body's bounding box.
 */
export function checkClusterOptions(
  options: ClusterOptions,
  places: number,
  diagonal: number,
  path: string,
): ClusterSettings {
  checkKeys(path, options, KEYS);
  const given = withDefaults<Pick<ClusterSettings, keyof typeof CLUSTER_DEFAULTS>, ClusterOptions>(
    CLUSTER_DEFAULTS,
    options,
  );
  const count = checkInteger(`${path}.count`, given.count ?? Math.max(1, Math.floor(places / PARTICLES_PER_CLUSTER)), {
    min: 1,
  });
  if (count > places)
    refuse(`${path}.count`, count, `at most ${places}: the body has particles at ${places} different positions`);
  const radius =
    given.radius === 'auto' || given.radius === 'even'
      ? given.radius
      : checkLength(`${path}.radius`, checkNumber(`${path}.radius`, given.radius, { above: 0 }));
  const least = typeof radius === 'number' ? radius : 0;
  const epsilon =
    given.epsilon === 'even'
      ? 'even'
      : checkNumber(`${path}.epsilon`, checkNumber(`${path}.epsilon`, given.epsilon, { above: 0 }), SQUARED_LENGTHS);
  const whole = Math.max(
    least,
    diagonal * (1 + 1e-9),
    Math.sqrt(epsilon === 'even' ? CLUSTER_DEFAULTS.epsilon : epsilon),
  );
  if (typeof radius === 'number' && given.overlap !== 1)
    refuse(`${path}.overlap`, given.overlap, 'nothing beside a radius: it enlarges an automatic one');
  return {
    algorithm: checkOneOf(`${path}.algorithm`, given.algorithm, ALGORITHMS),
    kernel: checkOneOf(`${path}.kernel`, given.kernel, KERNELS),
    beta: checkNumber(`${path}.beta`, given.beta, { min: 0, max: MOST_BETA }),
    epsilon,
    m: checkNumber(`${path}.m`, given.m, { above: 1 }),
    count,
    radius,
    overlap: checkNumber(`${path}.overlap`, given.overlap, { min: 1 }),
    // A maximum above what the body can use is no mistake: it means "as far as needed".
    maxCount: Math.min(places, checkInteger(`${path}.maxCount`, given.maxCount ?? places, { min: count })),
    maxRadius: Math.min(
      checkNumber(
        `${path}.maxRadius`,
        given.maxRadius ?? whole,
        typeof radius === 'number' ? { min: least } : { min: MIN_LENGTH },
      ),
      MOST_DIAGONALS * whole,
    ),
    maxIterations: checkInteger(`${path}.maxIterations`, given.maxIterations, { min: 1, max: MOST_ITERATIONS }),
    orphanWeight: checkNumber(`${path}.orphanWeight`, given.orphanWeight, { min: 0, max: MOST_ORPHAN_WEIGHT }),
    seed: checkNumber(`${path}.seed`, given.seed),
  };
}
