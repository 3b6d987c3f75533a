import { checkInteger, checkKeys, checkNumber, checkNumberOrInfinity, checkOneOf, withDefaults } from '../check.js';
import type { KernelParameters } from '../cluster/weightKernel.js';

/**
 * Where a new cluster takes its rest shape from: 'embedded' is where its particles would lie without stress, 'linear' the same without rotations,
 * 'world' where they are now.
 */
export type ReclusterSpace = 'embedded' | 'linear' | 'world';

/**
 * How clusters whose rest shape has flowed too far are replaced by new ones, so that a body can be drawn out without end. Old clusters fade out and
 * new ones fade in.
 */
export interface ReclusterOptions {
  /** A cluster is replaced once the largest stretch of its plastic deformation is this many times the smallest. Default: infinite, none is replaced. */
  threshold?: number;
  /** Seconds over which an old cluster fades out. Longer than `fadeIn`, so that new clusters are there when it goes. Default 0.5. */
  fadeOut?: number;
  /** Seconds over which a new cluster fades in. Default 0.4. */
  fadeIn?: number;
  /** A particle that is in fewer lasting clusters becomes the centre of a new one. Default 1. */
  minClusters?: number;
  /** Where a new cluster takes its rest shape from. Default 'embedded'. 'linear' and 'world' are for comparison; 'world' forgets the stress in the body. */
  space?: ReclusterSpace;
  /** Iterations of the embedding at most. Default 20. */
  iterations?: number;
  /** Seconds between two searches for clusters to replace; each step searches where this is shorter than a step. Default 4/15. */
  every?: number;
  /** Memberships that one search may embed; the other new clusters wait for the next search. Default 20 000. */
  budget?: number;
  /**
   * A particle farther than this many spacings from its neighbours on both sides is divided in two, so that a body that is drawn out stays densely
   * sampled. Mass and momentum stay. A particle with an eighth of its first mass or less is not divided. Default: infinite, none is.
   */
  resample?: number;
}

/** Defaults of {@link ReclusterOptions}. */
export const RECLUSTER_DEFAULTS = {
  threshold: Number.POSITIVE_INFINITY,
  fadeOut: 0.5,
  fadeIn: 0.4,
  minClusters: 1,
  space: 'embedded',
  iterations: 20,
  every: 4 / 15,
  budget: 20_000,
  resample: Number.POSITIVE_INFINITY,
} as const satisfies Required<ReclusterOptions>;

/** {@link ReclusterOptions} with defaults filled in. */
export interface ReclusterSettings extends Required<ReclusterOptions> {
  /** @internal Weights of a new cluster by distance, as when the body was built. */
  kernel: KernelParameters;
  /** How far a new cluster reaches (m). */
  radius: number;
}

/** Upper bound, as for strain limiting: a step with more iterations would not end in acceptable time. */
export const MOST_ITERATIONS = 1000;

const SPACES: readonly ReclusterSpace[] = ['embedded', 'linear', 'world'];

export function resolveRecluster(
  path: string,
  options: ReclusterOptions = {},
  kernel: KernelParameters,
  radius: number,
): ReclusterSettings {
  checkKeys(path, options, Object.keys(RECLUSTER_DEFAULTS));
  const all = withDefaults(RECLUSTER_DEFAULTS, options);
  return {
    threshold: checkNumberOrInfinity(`${path}.threshold`, all.threshold, { above: 1 }),
    fadeOut: checkNumber(`${path}.fadeOut`, all.fadeOut, { above: 0 }),
    fadeIn: checkNumber(`${path}.fadeIn`, all.fadeIn, { above: 0 }),
    minClusters: checkInteger(`${path}.minClusters`, all.minClusters, { min: 1 }),
    space: checkOneOf(`${path}.space`, all.space, SPACES),
    iterations: checkInteger(`${path}.iterations`, all.iterations, { min: 1, max: MOST_ITERATIONS }),
    every: checkNumber(`${path}.every`, all.every, { above: 0 }),
    budget: checkInteger(`${path}.budget`, all.budget, { min: 1 }),
    resample: checkNumberOrInfinity(`${path}.resample`, all.resample, { min: 1 }),
    kernel,
    radius,
  };
}
