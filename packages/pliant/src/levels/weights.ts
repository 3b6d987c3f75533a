import { checkKeys, checkNumber, checkOneOf, PliantError, refuse } from '../check.js';
import { exp, pow, squared } from '../math/elementary.js';

/**
 * Share of each level of clusters in the goals. More weight on coarse levels makes a body stiffer, on fine ones its deformation richer. A list has
 * the weights themselves, the finest level first. The others are formulas of the level ℓ (0 is the finest) of L levels ([K20] 14 to 21). All are
 * scaled to a sum of 1.
 */
export type LevelWeights =
  | 'uniform'
  | { type: 'uniform' }
  /** w = ℓ + ε (to coarse) or (L − ℓ − 1) + ε (to fine), ε above 0, default 1. */
  | { type: 'linear'; to: 'coarse' | 'fine'; epsilon?: number }
  /** w = e^(−d²/2), d levels away from the coarsest or the finest. */
  | { type: 'gaussian'; to: 'coarse' | 'fine' }
  /** w = (1 + b ℓ/L)^c (to coarse) or (1 + b (L − ℓ − 1)/L)^c (to fine); defaults 10 and 1. */
  | { type: 'polynomial'; to: 'coarse' | 'fine'; b?: number; c?: number }
  | readonly number[];

const TYPES = ['uniform', 'linear', 'gaussian', 'polynomial'] as const;
const KEYS = {
  uniform: ['type'],
  linear: ['type', 'to', 'epsilon'],
  gaussian: ['type', 'to'],
  polynomial: ['type', 'to', 'b', 'c'],
} as const;

/** The weights of `levels` levels, the finest first; their sum is 1. */
export function levelWeights(path: string, given: LevelWeights, levels: number): Float64Array {
  const weights = isList(given) ? manual(path, given, levels) : byName(path, given, levels);
  let sum = 0;
  for (const w of weights) sum += w;
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) refuse(path, given, 'weights whose sum is above 0 and finite');
  return weights.map((w) => w / sum);
}

const isList = (given: LevelWeights): given is readonly number[] => Array.isArray(given);

function manual(path: string, given: readonly number[], levels: number): Float64Array {
  checkCount(path, given, levels);
  return Float64Array.from(given, (w, level) => checkNumber(`${path}[${level}]`, w, { min: 0 }));
}

/** Throws unless there is one number for each level. */
export function checkCount(path: string, given: readonly number[], levels: number): void {
  if (given.length !== levels)
    throw new PliantError(
      path,
      `${path} has ${given.length} numbers; expected ${levels}, one for each level of the body, the finest first.`,
    );
}

function byName(path: string, given: Exclude<LevelWeights, readonly number[]>, levels: number): Float64Array {
  const all = typeof given === 'string' ? { type: given } : given;
  if (typeof all !== 'object' || all === null)
    refuse(path, given, "'uniform', an object with a type, or one number for each level");
  const type = checkOneOf(typeof given === 'string' ? path : `${path}.type`, all.type, TYPES);
  checkKeys(path, all, KEYS[type]);
  const weigh = formula(path, all, levels);
  return Float64Array.from({ length: levels }, (_, level) => weigh(level));
}

/** The weight of a level as printed in the paper: ranks are divided by L, not by L − 1. */
function formula(
  path: string,
  given: Exclude<LevelWeights, readonly number[] | string>,
  levels: number,
): (level: number) => number {
  if (given.type === 'uniform') return () => 1;
  const to = checkOneOf(`${path}.to`, given.to, ['coarse', 'fine']);
  const rank = (level: number) => (to === 'coarse' ? level : levels - level - 1);
  if (given.type === 'linear') {
    const epsilon = checkNumber(`${path}.epsilon`, given.epsilon ?? 1, { above: 0 });
    return (level) => rank(level) + epsilon;
  }
  if (given.type === 'gaussian') return (level) => exp(-0.5 * squared(levels - 1 - rank(level)));
  const b = checkNumber(`${path}.b`, given.b ?? 10, { min: 0 });
  const c = checkNumber(`${path}.c`, given.c ?? 1, { min: 0 });
  return (level) => pow(1 + (b * rank(level)) / levels, c);
}
