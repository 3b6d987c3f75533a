import { checkKeys, checkNumber, checkNumberOrInfinity, checkOneOf } from '../check.js';
import { describeGoals } from '../state/bend.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { Soft } from '../state/soft.js';

/** Which goals clusters pull to (SPEC M5): the rest shape turned; stretched and sheared as well; bent and twisted as well. */
export type GoalMode = 'rigid' | 'linear' | 'quadratic';
export const GOAL_MODES: readonly GoalMode[] = ['rigid', 'linear', 'quadratic'];

/**
 * What volume the goals of 'linear' and 'quadratic' have: any; that of the rest shape, by the deformation of that volume that is nearest to where
 * the particles are; or by scaling A, as the papers do. Scaling is no force that a potential could have: it feeds energy from one vibration
 * into another, and a block that was stretched by a fifth, with β = 0.7, came from 0.4 to 50 kJ within ten seconds.
 */
export type VolumeMode = 'free' | 'nearest' | 'scaled';
const VOLUME_MODES: readonly VolumeMode[] = ['free', 'nearest', 'scaled'];

/**
 * How far the goals of 'linear' and 'quadratic' may stretch (SPEC M6, [H07] 3.1). Measured by ‖A‖²/3, the mean square stretch: 1 at rest, and
 * never less than what the surface of a cube or a ball grows by (its growth is at most ‖cof A‖/√3 ≤ ‖A‖²/3).
 */
export interface AreaLimitOptions {
  /**
   * How A is brought back: 'row' shortens each row of A that is too long, an axis of the world by itself; 'exact' blends A with R so
   * that the limit is met; 'norm' is the papers' cheap imitation of that, which may pass a limit below 4, up to (1 + max/4)². Default 'exact'.
   */
  clamp?: 'row' | 'exact' | 'norm';
  /** The growth that is never reached, above 1. Default: infinite, no limit. */
  max?: number;
  /**
   * Growth from which on it is held back, so that goals do not stop with a jerk: from max/2 (and 1) to max. 'auto' (default) is max/2, the one
   * choice at which goals slow down without a kink; max itself is a hard stop.
   */
  from?: number | 'auto';
}

/** Of a material: what its goals are. */
export interface Softness {
  mode: GoalMode;
  beta: number;
  volume: VolumeMode;
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
    describeGoals(s, c);
  }
}
type Clusters = Pick<Rows, 'clusterStart' | 'clusterEnd'>;

/** The row of one cluster. */
export function writeSoftness({ softness: row }: Views, c: number, { mode, beta, volume, areaLimit }: Softness) {
  const { clamp, max, from } = areaLimit;
  const o = 8 * c;
  row.fill(0, o, o + 8);
  row[o + Soft.ORDER] = GOAL_MODES.indexOf(mode);
  row[o + Soft.BETA] = beta;
  row[o + Soft.VOLUME] = VOLUME_MODES.indexOf(volume);
  if (max === Number.POSITIVE_INFINITY) return;
  row[o + Soft.CLAMP] = 1 + CLAMPS.indexOf(clamp);
  row[o + Soft.MAX] = max;
  row[o + Soft.FROM] = from === 'auto' ? Math.max(1, max / 2) : from;
}
