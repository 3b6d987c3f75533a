import { checkInteger, checkKeys, checkNumber, checkOneOf, refuse, withDefaults } from '../check.js';
import { MAX_LENGTH } from '../limits.js';
import { checkCount, type LevelWeights, levelWeights } from './weights.js';

/** How much each level of clusters counts. `body.setLevels` changes it while the world runs. */
export interface LevelSettings {
  /** Share of each level in the goals of the particles. Default 'uniform'. */
  weights?: LevelWeights;
  /** Stiffness of each level, in [0, 2), the finest first, instead of the material's stiffness. */
  stiffness?: readonly number[];
  /** Damping of each level, in [0, 1], the finest first, instead of the material's damping. */
  damping?: readonly number[];
}

/** Coarser levels of clusters above the clusters of a body. They make a body stiff as a whole that is rich in detail. */
export interface LevelOptions extends LevelSettings {
  /** How many times as far the clusters of a level reach as those of the level below, above 1. Default 2. */
  radiusFactor?: number;
  /** Number of levels at most, the finest included. Default: as many as it takes until one cluster holds the whole body. */
  count?: number;
  /**
   * Sums to which a coarse cluster is fitted: 'nested' (default) those of the clusters of the level below, 'particles'
   * those of its own particles, as in the paper (Kaliappan and Bargteil 2020). 'particles' is for comparison: it took
   * nine times as long for a ball of 5000 particles, and is refused for bodies that yield or break.
   */
  sums?: 'nested' | 'particles';
  /**
   * Members of which the clusters of a level are made: 'clusters' (default) of the level below, or 'particles' as in
   * the paper. With 'particles' each level takes as long to build as the finest. With `sums: 'particles'` it is always
   * 'particles'.
   */
  of?: 'clusters' | 'particles';
}

/** Defaults of {@link LevelOptions}. */
export const LEVEL_DEFAULTS = {
  radiusFactor: 2,
  sums: 'nested',
  of: 'clusters',
  weights: 'uniform',
} as const satisfies LevelOptions;

/**
 * Checks how the levels are to be built. Settings that depend on the number of levels are checked by
 * resolveLevelStrengths.
 */
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
  /** Settings as given, to which later partial changes apply. */
  settings: LevelSettings;
  /** w_ℓ; their sum is 1. */
  weights: Float64Array;
  /** Share of each level in the pull to the goal, w_ℓ α_ℓ / Σ w α, and in the damping: both sum to 1. */
  pull: Float64Array;
  drag: Float64Array;
  /** Σ w_ℓ α_ℓ and Σ w_ℓ k_ℓ; undefined where not given by level. */
  stiffness: number | undefined;
  damping: number | undefined;
}

/** Checks settings for a body of `levels` levels. Settings that are not given are those of `base`. */
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

/** Shares w v / Σ w v of each level. Where all values are 0 the shares have no effect, and are the weights. */
function sharesOf(weights: Float64Array, values: Float64Array | undefined): Float64Array {
  const sum = values ? dot(weights, values) : 0;
  return values && sum > 0 ? weights.map((w, level) => (w * values[level]) / sum) : weights;
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, k) => sum + v * b[k], 0);
