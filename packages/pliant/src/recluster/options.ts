import { checkInteger, checkKeys, checkNumberOrInfinity, checkOneOf, withDefaults } from '../check.js';
import type { KernelParameters } from '../cluster/weightKernel.js';

/** Where new clusters are laid out. */
export type ReclusterSpace = 'embedded' | 'linear' | 'world';

/** How clusters whose rest shape has flowed too far are replaced (SPEC R, [F17] 3.0.2). */
export interface ReclusterOptions {
  /** A cluster fades out once the largest and the smallest stretch of its F^p are this many times apart (R1). Default: infinite, none ever does. */
  threshold?: number;
  /** Steps in which it does; longer than `fadeIn`, so that others are there when it goes. */
  fadeOut?: number;
  /** Steps in which a new one comes. */
  fadeIn?: number;
  /** A particle with fewer clusters that stay seeds a new one (R2). */
  minClusters?: number;
  /**
   * New clusters take their shape from where particles would lie without stress: `'embedded'`. Two others exist to be compared with: `'linear'`,
   * the same without rotations (R3), and `'world'`, where particles are now, whatever stress that means ([Chentanez 2016], R4).
   */
  space?: ReclusterSpace;
  /** Iterations of the embedding, at most. */
  iterations?: number;
  /** Steps from one look for clusters to replace to the next. */
  every?: number;
  /** Memberships that one look may embed; seeds that find no room wait for the next. */
  budget?: number;
  /**
   * A particle farther than this many spacings from its neighbours on both sides divides in two (R5): drawn-out bodies are sampled anew, and mass and
   * momentum stay. One that has an eighth of the mass it was built with, or less, does not divide. Default: infinite, none ever does.
   */
  resample?: number;
}

export const RECLUSTER_DEFAULTS = {
  threshold: Number.POSITIVE_INFINITY,
  fadeOut: 30,
  fadeIn: 24,
  minClusters: 1,
  space: 'embedded',
  iterations: 20,
  every: 16,
  budget: 20_000,
  resample: Number.POSITIVE_INFINITY,
} as const satisfies Required<ReclusterOptions>;

export interface ReclusterSettings extends Required<ReclusterOptions> {
  /** What a new cluster weighs its particles by: as when the body was built. */
  kernel: KernelParameters;
  /** And how far it reaches (m). */
  radius: number;
}

/** As for strain limiting: beyond that a step does not end. */
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
    fadeOut: checkInteger(`${path}.fadeOut`, all.fadeOut, { min: 1 }),
    fadeIn: checkInteger(`${path}.fadeIn`, all.fadeIn, { min: 1 }),
    minClusters: checkInteger(`${path}.minClusters`, all.minClusters, { min: 1 }),
    space: checkOneOf(`${path}.space`, all.space, SPACES),
    iterations: checkInteger(`${path}.iterations`, all.iterations, { min: 1, max: MOST_ITERATIONS }),
    every: checkInteger(`${path}.every`, all.every, { min: 1 }),
    budget: checkInteger(`${path}.budget`, all.budget, { min: 1 }),
    resample: checkNumberOrInfinity(`${path}.resample`, all.resample, { min: 1 }),
    kernel,
    radius,
  };
}
