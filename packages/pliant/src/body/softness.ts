import { checkKeys, checkNumber, checkNumberOrInfinity, checkOneOf, refuse } from '../check.js';
import { describeBend } from '../state/bend.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { Soft } from '../state/soft.js';

/** Which goals clusters pull to (SPEC M5): the rest shape turned; stretched and sheared as well; bent and twisted as well. */
export type GoalMode = 'rigid' | 'linear' | 'quadratic';
export const GOAL_MODES: readonly GoalMode[] = ['rigid', 'linear', 'quadratic'];

/**
 * How far the goals of 'linear' and 'quadratic' may stretch (SPEC M6, [H07] 3.1). Measured by ‖A‖²/3, the mean square stretch: 1 at rest, and
 * never less than what the surface of a cube or a ball grows by (its growth is at most ‖cof A‖/√3 ≤ ‖A‖²/3).
 */
export interface AreaLimitOptions {
  /**
   * How A is brought back: 'row' shortens each row of A that is too long, an axis of the world by itself; 'exact' blends A with R so
   * that the limit is met; 'norm' is the papers' cheap imitation of that, which may pass a limit below 4 by up to a third. Default 'exact'.
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
  keepVolume: boolean;
  areaLimit: Required<AreaLimitOptions>;
}

export interface SoftnessOptions {
  mode?: GoalMode;
  beta?: number;
  keepVolume?: boolean;
  areaLimit?: AreaLimitOptions;
}

export const SOFTNESS_DEFAULTS = {
  mode: 'rigid',
  beta: 0.5,
  keepVolume: true,
  areaLimit: { clamp: 'exact', max: Number.POSITIVE_INFINITY, from: 'auto' },
} as const satisfies Required<SoftnessOptions>;

const CLAMPS = ['row', 'exact', 'norm'] as const;

export function resolveSoftness(field: string, options: SoftnessOptions, base: Softness): Softness {
  const area = options.areaLimit ?? {};
  checkKeys(`${field}.areaLimit`, area, ['clamp', 'max', 'from']);
  const keepVolume = options.keepVolume ?? base.keepVolume;
  if (typeof keepVolume !== 'boolean') refuse(`${field}.keepVolume`, keepVolume, 'true or false');
  const max = checkNumberOrInfinity(`${field}.areaLimit.max`, area.max ?? base.areaLimit.max, { above: 1 });
  const from = area.from ?? base.areaLimit.from;
  // From less than max/2 on f(φ) = m − (c/φ)(m − c) is above φ itself for a while: it would stretch what it is to hold back.
  if (from !== 'auto') checkNumber(`${field}.areaLimit.from`, from, { min: Math.max(1, max / 2), max });
  return {
    mode: checkOneOf(`${field}.mode`, options.mode ?? base.mode, GOAL_MODES),
    beta: checkNumber(`${field}.beta`, options.beta ?? base.beta, { min: 0, max: 1 }),
    keepVolume,
    areaLimit: { clamp: checkOneOf(`${field}.areaLimit.clamp`, area.clamp ?? base.areaLimit.clamp, CLAMPS), max, from },
  };
}

/** Writes into a body's clusters what their goals are; those that bend are described anew where that was not known. */
export function setSoftness(s: Views, { clusterStart, clusterEnd }: Clusters, softness: Softness): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    const bent = s.softness[8 * c + Soft.ORDER] === 2;
    writeSoftness(s, c, softness);
    if (softness.mode === 'quadratic' && !bent) describeBend(s, c);
  }
}
type Clusters = Pick<Rows, 'clusterStart' | 'clusterEnd'>;

/** The row of one cluster. */
export function writeSoftness({ softness: row }: Views, c: number, { mode, beta, keepVolume, areaLimit }: Softness) {
  const { clamp, max, from } = areaLimit;
  const o = 8 * c;
  row.fill(0, o, o + 8);
  row[o + Soft.ORDER] = GOAL_MODES.indexOf(mode);
  row[o + Soft.BETA] = beta;
  row[o + Soft.VOLUME] = keepVolume ? 1 : 0;
  if (max === Number.POSITIVE_INFINITY) return;
  row[o + Soft.CLAMP] = 1 + CLAMPS.indexOf(clamp);
  row[o + Soft.MAX] = max;
  row[o + Soft.FROM] = from === 'auto' ? Math.max(1, max / 2) : from;
}
