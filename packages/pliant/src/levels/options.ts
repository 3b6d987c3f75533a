import { checkInteger, checkKeys, checkNumber, checkOneOf, refuse, withDefaults } from '../check.js';
import { MAX_LENGTH } from '../limits.js';
import { checkCount, type LevelWeights, levelWeights } from './weights.js';

/** How much each level of a body says; may be changed while it runs. */
export interface LevelSettings {
  /** Default 'uniform'. */
  weights?: LevelWeights;
  /** α of each level, [0, 2), the finest first, instead of the material's stiffness. */
  stiffness?: readonly number[];
  /** k_d of each level, [0, 1], the finest first, instead of the material's damping. */
  damping?: readonly number[];
}

/** Coarser levels above a body's clusters (SPEC C5, L; [K20]): stiff as a whole and rich in detail at once. */
export interface LevelOptions extends LevelSettings {
  /** m, above 1: clusters of each level reach m times as far as those of the one below. Default 2. */
  radiusFactor?: number;
  /** Levels at most, the finest among them. Default: until one cluster holds the whole body, each with an eighth of the clusters below. */
  count?: number;
  /**
   * How coarse clusters sum: over the clusters that they hold (default), or 'particles' as in [K20], where every cluster of every level has
   * its own particles with its own weights. That is there to compare with (docs/levels.md has the differences), takes nine times as long
   * for a ball of 5000 particles, and is refused for bodies that yield or break.
   */
  sums?: 'nested' | 'particles';
  /**
   * What the clusters of a level are found among: the clusters of the level below (default), or all particles as in [K20] algorithm 1, which
   * takes as long as the finest level does, for each of them. With `sums: 'particles'` it is always particles.
   */
  of?: 'clusters' | 'particles';
}

export const LEVEL_DEFAULTS = {
  radiusFactor: 2,
  sums: 'nested',
  of: 'clusters',
  weights: 'uniform',
} as const satisfies LevelOptions;

/** How the levels are built, checked. What depends on their number is checked when that is known. */
export function resolveLevels(path: string, options: LevelOptions) {
  checkKeys(path, options, ['radiusFactor', 'count', 'sums', 'of', 'weights', 'stiffness', 'damping']);
  const all = withDefaults(LEVEL_DEFAULTS, options);
  const sums = checkOneOf(`${path}.sums`, all.sums, ['nested', 'particles']);
  if (sums === 'particles' && options.of === 'clusters')
    refuse(`${path}.of`, options.of, "'particles' or nothing beside sums: 'particles', whose clusters hold particles");
  return {
    sums,
    radiusFactor: checkNumber(`${path}.radiusFactor`, all.radiusFactor, { above: 1, max: MAX_LENGTH }),
    count: all.count === undefined ? Number.POSITIVE_INFINITY : checkInteger(`${path}.count`, all.count, { min: 1 }),
    of: checkOneOf(`${path}.of`, all.of, ['clusters', 'particles']),
  };
}

/** How strongly each level acts, the finest first. */
export interface LevelStrengths {
  /** As they were given, to go on from when only some are changed. */
  settings: LevelSettings;
  /** w_ℓ; their sum is 1. */
  weights: Float64Array;
  /** Share of each level in the pull to the goal, w_ℓ α_ℓ / Σ w α, and in the damping: both sum to 1. */
  pull: Float64Array;
  drag: Float64Array;
  /** Σ w_ℓ α_ℓ and Σ w_ℓ k_ℓ, where they are given by level. */
  stiffness: number | undefined;
  damping: number | undefined;
}

/** Settings for a body of so many levels; what is not given stays as it was in `base`. */
export function resolveLevelStrengths(
  path: string,
  options: LevelSettings,
  levels: number,
  base: LevelSettings = {},
): LevelStrengths {
  const settings = withDefaults(base, options);
  const weights = levelWeights(`${path}.weights`, settings.weights ?? LEVEL_DEFAULTS.weights, levels);
  const stiffness = perLevel(`${path}.stiffness`, settings.stiffness, levels, { min: 0, below: 2 });
  const damping = perLevel(`${path}.damping`, settings.damping, levels, { min: 0, max: 1 });
  return {
    settings,
    weights,
    ...{ pull: sharesOf(weights, stiffness), stiffness: stiffness && dot(weights, stiffness) },
    ...{ drag: sharesOf(weights, damping), damping: damping && dot(weights, damping) },
  };
}

function perLevel(
  path: string,
  given: readonly number[] | undefined,
  levels: number,
  range: { min: number; max?: number; below?: number },
): Float64Array | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) refuse(path, given, 'one number for each level of the body, the finest first');
  checkCount(path, given, levels);
  return Float64Array.from(given, (value, level) => checkNumber(`${path}[${level}]`, value, range));
}

/** Where no level does anything, how it is divided does not matter. */
function sharesOf(weights: Float64Array, values: Float64Array | undefined): Float64Array {
  const sum = values ? dot(weights, values) : 0;
  return values && sum > 0 ? weights.map((w, level) => (w * values[level]) / sum) : weights;
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, k) => sum + v * b[k], 0);
