import { checkInteger, checkKeys, checkNumber, checkOneOf, refuse, withDefaults } from '../check.js';
import { checkLength, MAX_LENGTH, MIN_LENGTH } from '../limits.js';
import { cubed, squared } from '../math/elementary.js';
import { KERNELS, type Kernel } from './weightKernel.js';

export type ClusterAlgorithm = 'random' | 'kmeans' | 'fuzzy';

/** How a body is divided into clusters; [J15] 3.3 with the corrections of SPEC C1–C4. */
export interface ClusterOptions {
  /** Default `'fuzzy'`, "ours" in [J15]: the overlap is part of the optimisation and the centres are centres of mass. */
  algorithm?: ClusterAlgorithm;
  /** Default `'invsq'`, the authors' own choice ([J15] 4). */
  kernel?: Kernel;
  /** The constant of `blend`, in units of poly6 (1/length³). Default 2, the authors' program's. */
  beta?: number;
  /** The ε of `invsq`, a squared length. Default 1e-4, as printed under [J15] eq. 11. */
  epsilon?: number;
  /** The fuzzifier of `fcm`, above 1: towards 1 the nearest cluster takes all. Default 2, the usual one. */
  m?: number;
  /**
   * Clusters wanted. Default: one per 50 particles, at least 1 (SPEC C5 names 15 to 50 particles per cluster; with the
   * overlap of an automatic radius, 50 means clusters of about 120 members); bodies with levels take 15. `random` takes as many as its radius needs.
   */
  count?: number;
  /**
   * Largest distance from a cluster's centre to a member. `'auto'` (default) looks for the smallest radius that works,
   * to 1 %. Small radii give a soft body with visible borders between the clusters, large radii a smoother and stiffer
   * one that costs more per step ([J15] 4): start from `'auto'` and enlarge.
   */
  radius?: number | 'auto';
  /** Factor on the automatic radius, at least 1. Default 1, the smallest radius; bodies that give no radius take 1.3. */
  overlap?: number;
  /** Bound for growing the count (C3). Default: the number of particles. */
  maxCount?: number;
  /** Bound for growing the radius (C3). Default: the diagonal of the body, at which one cluster holds everything. */
  maxRadius?: number;
  /** Iterations of one optimisation. Default 10000; cycles and hopeless states are recognised long before. */
  maxIterations?: number;
  /** Weight of a particle outside every radius in its nearest cluster, while the optimisation runs. Default 1. */
  orphanWeight?: number;
  /** The same seed gives the same clusters. Default 2. */
  seed?: number;
}

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
  // With `kmeans` the draw decides how evenly a body is divided: on the papers' stretched cube, seeds 1 to 12 leave its centre
  // of mass 0.6 to 3.7 % of the diagonal from where the authors' draw left theirs, 2 the least. `fuzzy` hardly cares.
  seed: 2,
} as const satisfies ClusterOptions;

/** Particles per cluster when no count is given. */
const PARTICLES_PER_CLUSTER = 50;

export type ClusterSettings = Required<ClusterOptions>;

const SQUARED_LENGTHS = { min: squared(MIN_LENGTH), max: squared(MAX_LENGTH) };
/** Peak of poly6 at the smallest radius, about: a constant beyond it is the box kernel to the last digit, and one beyond f64 no number. */
const MOST_BETA = 1 / cubed(MIN_LENGTH);
/** Iterations of one optimisation at most: convergence takes hundreds, and cycles are recognised. */
const MOST_ITERATIONS = 1e6;
/** An orphan that pulls a million times as hard as a member has its centre where it is; more only overflows sums. */
const MOST_ORPHAN_WEIGHT = 1e6;
/** Radii beyond this many diagonals find what smaller ones find: each cluster holds the whole body. */
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
  const given = withDefaults(CLUSTER_DEFAULTS, options);
  const count = checkInteger(`${path}.count`, given.count ?? Math.max(1, Math.floor(places / PARTICLES_PER_CLUSTER)), {
    min: 1,
  });
  if (count > places)
    refuse(`${path}.count`, count, `at most ${places}: the body has particles at ${places} different positions`);
  const radius =
    given.radius === 'auto'
      ? 'auto'
      : checkLength(`${path}.radius`, checkNumber(`${path}.radius`, given.radius, { above: 0 }));
  const least = radius === 'auto' ? 0 : radius;
  const epsilon = checkNumber(
    `${path}.epsilon`,
    checkNumber(`${path}.epsilon`, given.epsilon, { above: 0 }),
    SQUARED_LENGTHS,
  );
  const whole = Math.max(least, diagonal * (1 + 1e-9), Math.sqrt(epsilon));
  if (radius !== 'auto' && given.overlap !== 1)
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
    // A maximum above what the body can use is no mistake: it only means "as far as needed".
    maxCount: Math.min(places, checkInteger(`${path}.maxCount`, given.maxCount ?? places, { min: count })),
    maxRadius: Math.min(
      checkNumber(
        `${path}.maxRadius`,
        given.maxRadius ?? whole,
        radius === 'auto' ? { min: MIN_LENGTH } : { min: least },
      ),
      MOST_DIAGONALS * whole,
    ),
    maxIterations: checkInteger(`${path}.maxIterations`, given.maxIterations, { min: 1, max: MOST_ITERATIONS }),
    orphanWeight: checkNumber(`${path}.orphanWeight`, given.orphanWeight, { min: 0, max: MOST_ORPHAN_WEIGHT }),
    seed: checkNumber(`${path}.seed`, given.seed),
  };
}
