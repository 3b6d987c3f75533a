import type { Form } from './schema.js';

/** Range of a slider; a number field takes all values that the schema allows. */
export interface Track {
  low: number;
  high: number;
  logarithmic: boolean;
}

const even = (low: number, high: number): Track => ({ low, high, logarithmic: false });
const log = (low: number, high: number): Track => ({ low, high, logarithmic: true });

/** Useful ranges where the schema has no bound, or a very large one. */
const USUAL: Record<string, Track> = {
  'material.density': log(10, 10_000),
  'material.mass': log(0.01, 1000),
  'material.particleMass': log(1e-4, 10),
  'material.young': log(100, 1e11),
  'material.dampingRatio': even(0, 2),
  'material.friction': even(0, 2),
  'material.raw.limit.gamma': even(0, 1),
  'material.raw.limit.iterations': even(0, 20),
  'material.raw.areaLimit.max': even(1, 6),
  'material.yield': log(0.001, 1),
  'material.flowTime': even(0, 1),
  'material.hardening': even(0, 5),
  'material.raw.flowRate': even(0, 1),
  'material.raw.hardening': even(-1, 5),
  'material.toughness': log(0.001, 10),
  'sampling.count': log(50, 20_000),
  'clustering.count': log(1, 1000),
  'clustering.overlap': even(1, 3),
  'clustering.beta': even(0, 5),
  'clustering.epsilon': log(1e-6, 1),
  'clustering.m': even(1, 4),
  'levels.radiusFactor': even(1, 4),
  'levels.count': even(1, 6),
  'fracture.outliers': even(1, 5),
  'fracture.boost': even(0, 5),
  'fracture.falloff': even(0, 60),
  'fracture.minMembers': even(1, 30),
  'fracture.roughness': even(0, 1),
  'reclustering.threshold': even(1, 6),
  'reclustering.fadeOut': even(0.02, 2),
  'reclustering.fadeIn': even(0.02, 2),
  'reclustering.minClusters': even(1, 4),
  'reclustering.iterations': even(1, 50),
  'reclustering.every': even(0.02, 1),
  'reclustering.resample': even(1, 5),
  'contact.margin': even(0, 0.1),
  'world.dt': log(0.001, 0.05),
};

/** The range of the slider of a number, if it has one: a useful range, or the bounds of the schema. */
export function trackOf(name: string, { range }: Extract<Form, { kind: 'number' }>): Track | undefined {
  if (USUAL[name]) return USUAL[name];
  const [low, high] = [range.min ?? range.above, range.max ?? range.below];
  return low !== undefined && high !== undefined ? even(low, high) : undefined;
}

/** Number of positions of a slider. */
export const NOTCHES = 1000;

export function notchOf({ low, high, logarithmic }: Track, value: number): number {
  const share = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(NOTCHES * Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)));
}

/** The value at a notch, rounded to the resolution of the slider and inside the allowed range. */
export function valueAt(
  { low, high, logarithmic }: Track,
  notch: number,
  { range, whole }: Extract<Form, { kind: 'number' }>,
): number {
  const share = notch / NOTCHES;
  const exact = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
  if (whole) return Math.round(exact);
  const grain = logarithmic
    ? 10 ** (Math.floor(Math.log10(exact)) - 2)
    : 10 ** Math.floor(Math.log10((high - low) / 500));
  const rounded = Number((Math.round(exact / grain) * grain).toPrecision(12));
  // If a bound itself is not allowed: the nearest allowed value.
  if (rounded <= range.above!) return Number((range.above! + grain).toPrecision(12));
  if (rounded >= range.below!) return Number((range.below! - grain).toPrecision(12));
  return rounded;
}
