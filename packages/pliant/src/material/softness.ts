import { checkKeys, checkNumber, checkNumberOrInfinity, checkOneOf } from '../check.js';
import { describeGoals } from '../state/bend.js';
import { describeElasticity } from '../state/elasticity.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { Soft } from '../state/soft.js';

/** Which deformations the clusters of a body give way to: 'rigid' none, 'linear' stretch and shear, 'quadratic' also bending and twisting. */
export type GoalMode = 'rigid' | 'linear' | 'quadratic';
export const GOAL_MODES: readonly GoalMode[] = ['rigid', 'linear', 'quadratic'];

/**
 * Which volume the goals of 'linear' and 'quadratic' have. 'free': any. 'nearest': that of the rest shape, by the nearest deformation with that
 * volume. 'scaled': that of the rest shape, by scaling as in the papers; this adds energy, and a stretched block can shake itself apart.
 */
export type VolumeMode = 'free' | 'nearest' | 'scaled';
const VOLUME_MODES: readonly VolumeMode[] = ['free', 'nearest', 'scaled'];

/**
 * How far the goals of 'linear' and 'quadratic' may stretch. The measure is ‖A‖²/3, where A is the deformation of the goals: the mean square stretch,
 * 1 at rest. The surface of a cube or a ball grows by at most this factor.
 */
export interface AreaLimitOptions {
  /**
   * How A is brought back: 'exact' (default) blends A with the rotation until the limit is met; 'row' shortens each row of A that is too long; 'norm'
   * is the cheaper form of the papers, which may exceed the limit up to (1 + max/4)².
   */
  clamp?: 'row' | 'exact' | 'norm';
  /** The value that is never exceeded, above 1. Default: infinite, no limit. */
  max?: number;
  /**
   * The value from which stretch is held back gradually, between max/2 and max. 'auto' (default) is max/2, for which goals slow down smoothly; max
   * itself is a hard stop.
   */
  from?: number | 'auto';
}

/** The kind of goals that a material has. */
export interface Softness {
  /** Set where clusters pull by the elastic law. */
  law?: unknown;
  /** Which deformations clusters give way to. */
  mode: GoalMode;
  /** How far goals give way, [0, 1]. */
  beta: number;
  /** How goals keep the volume. */
  volume: VolumeMode;
  /** How far goals may stretch. */
  areaLimit: Required<AreaLimitOptions>;
}

export interface SoftnessOptions {
  mode?: GoalMode;
  beta?: number;
  volume?: VolumeMode;
  areaLimit?: AreaLimitOptions;
}

export const SOFTNESS_DEFAULTS = {
  mode: 'rigid',
  beta: 0.5,
  volume: 'nearest',
  areaLimit: { clamp: 'exact', max: Number.POSITIVE_INFINITY, from: 'auto' },
} as const satisfies Required<SoftnessOptions>;

const CLAMPS = ['row', 'exact', 'norm'] as const;

export function resolveSoftness(path: string, options: SoftnessOptions, base: Softness): Softness {
  const area = options.areaLimit ?? {};
  checkKeys(`${path}.areaLimit`, area, ['clamp', 'max', 'from']);
  const max = checkNumberOrInfinity(`${path}.areaLimit.max`, area.max ?? base.areaLimit.max, { above: 1 });
  const from = area.from ?? base.areaLimit.from;
  // From less than max/2 on f(φ) = m − (c/φ)(m − c) is above φ itself for a while: it would stretch what it is to hold back.
  if (from !== 'auto') checkNumber(`${path}.areaLimit.from`, from, { min: Math.max(1, max / 2), max });
  return {
    mode: checkOneOf(`${path}.mode`, options.mode ?? base.mode, GOAL_MODES),
    beta: checkNumber(`${path}.beta`, options.beta ?? base.beta, { min: 0, max: 1 }),
    volume: checkOneOf(`${path}.volume`, options.volume ?? base.volume, VOLUME_MODES),
    areaLimit: { clamp: checkOneOf(`${path}.areaLimit.clamp`, area.clamp ?? base.areaLimit.clamp, CLAMPS), max, from },
  };
}

/** Writes into a body's clusters what their goals are, and what these need to know of the members. */
export function setSoftness(s: Views, { clusterStart, clusterEnd }: Clusters, softness: Softness): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    writeSoftness(s, c, softness);
    describeElasticity(s, c);
    describeGoals(s, c);
  }
}
type Clusters = Pick<Rows, 'clusterStart' | 'clusterEnd'>;

/** The row of one cluster. */
export function writeSoftness({ softness: row }: Views, c: number, { mode, beta, volume, areaLimit, law }: Softness) {
  const { clamp, max, from } = areaLimit;
  const o = 8 * c;
  row.fill(0, o, o + 8);
  row[o + Soft.LAW] = law ? 1 : 0;
  row[o + Soft.ORDER] = GOAL_MODES.indexOf(mode);
  row[o + Soft.BETA] = row[o + Soft.ASKED] = beta;
  row[o + Soft.VOLUME] = VOLUME_MODES.indexOf(volume);
  if (max === Number.POSITIVE_INFINITY) return;
  row[o + Soft.CLAMP] = 1 + CLAMPS.indexOf(clamp);
  row[o + Soft.MAX] = max;
  row[o + Soft.FROM] = from === 'auto' ? Math.max(1, max / 2) : from;
}
