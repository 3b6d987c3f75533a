import { checkInteger, checkKeys, checkNumber, checkOneOf, type Range, refuse } from '../check.js';
import type { Field } from './field.js';
import {
  type AreaLimitOptions,
  type GoalMode,
  resolveSoftness,
  SOFTNESS_DEFAULTS,
  type Softness,
  type VolumeMode,
} from './softness.js';

/**
 * The parameters of the papers, for a body without an elastic law. They count in steps: their effect depends on the length of the step and on the width of the clusters.
 * RAW_DEFAULTS has the defaults. docs/parameters.md shows what each does.
 */
export interface RawOptions {
  /** Stiffness α in [0, 2): share of the way to its goal that a particle takes in one step. 0 is no pull at all, 1 goes all the way. Default 0.8. */
  stiffness?: Field;
  /**
   * Damping in [0, 1]: share of a particle's velocity relative to its clusters that is lost in one step. `dampingMode` says what their velocity is.
   * Default 0.02.
   */
  damping?: number;
  /** Damping in [0, 1]: share of a particle's velocity relative to the rigid motion of the whole body that is lost in one step. Default 0. */
  bodyDamping?: number;
  /**
   * The motion that `damping` measures velocities against: 'rigid' (default) is the motion and rotation of the cluster, 'linear' its mean velocity as in the
   * papers, which also brakes rotation.
   */
  dampingMode?: 'rigid' | 'linear';
  /**
   * Which rotation is fitted to a cluster: 'covariance' (default) is that of A_xr, whose goals exert no net torque; 'deformation' is that of the matrix
   * F = A_xr A_rr⁻¹, as in the papers. With 'deformation', stress that stays in a body that has flowed, broken or is held makes it spin and gain energy.
   */
  rotation?: 'deformation' | 'covariance';
  /** The shape to which a cluster that is turned inside out returns: 'proper' (default) its rest shape, 'mirror' the mirror image of it, as in the research scenes. */
  inversion?: 'proper' | 'mirror';
  /**
   * Which deformations clusters give way to: 'rigid' (default) none, their goals are the rest shape turned; 'linear' stretch and shear; 'quadratic'
   * also bending and twisting. One quadratic cluster bends as a bar does, for which rigid goals need many clusters.
   */
  mode?: GoalMode;
  /**
   * With 'linear' and 'quadratic', in [0, 1]: how far goals give way to the deformation. 0 is like 'rigid'; at 1 the body does not return to its
   * shape. Default 0.5.
   */
  beta?: number;
  /** With 'linear' and 'quadratic': whether and how goals keep the volume of the rest shape. Default 'nearest'. */
  volume?: VolumeMode;
  /** With 'linear' and 'quadratic': how far goals may stretch. Default: without limit. */
  areaLimit?: AreaLimitOptions;
  /** Strain limiting: keeps particles near their goals when a body is stretched hard. */
  limit?: LimitOptions;
  /** Share of the strain beyond the yield that becomes permanent in one step, at least 0. Default 1. */
  flowRate?: number;
  /**
   * 'dissipative' (default): no cluster flows so far that its elastic energy rises. 'paper': as in the papers, where a crushed cluster may flow into
   * a wide sheet that throws the body about.
   */
  flowMode?: 'dissipative' | 'paper';
  /**
   * How much the yield of a cluster rises with use: its elastic strain is summed over all steps, and each unit of the sum adds this to the yield.
   * Negative values soften the body, down to a yield of 0. Default 0.
   */
  hardening?: number;
}

/** Strain limiting: after each step, sweeps move particles that are too far from their goals. */
export interface LimitOptions {
  /** 'conserving' (default) keeps linear and angular momentum. 'paper' is the form of the papers, which does not. */
  mode?: 'conserving' | 'paper';
  /** Allowed distance between a particle and its goal, as a share of the cluster's radius. Default 0.3. */
  gamma?: number;
  /** Relaxation of a sweep, in [0, 2]: share of the excess distance that one sweep takes away. Default 0.5. */
  omega?: number;
  /** Sweeps per step; 0 switches limiting off. Default 4. */
  iterations?: number;
}

/** How clusters are fitted and pull in a step, with defaults filled in: that of {@link RawOptions}, or what the elastic law comes to. */
export interface StepSettings extends Softness {
  /** Share lost per step, [0, 1]. */
  damping: number;
  /** Share lost per step, [0, 1]. */
  bodyDamping: number;
  /** The motion that `damping` measures velocities against. */
  dampingMode: 'rigid' | 'linear';
  /** Which rotation is fitted to a cluster. */
  rotation: 'deformation' | 'covariance';
  /** The shape to which a cluster that is turned inside out returns. */
  inversion: 'proper' | 'mirror';
  /** Share of the strain beyond the yield that becomes permanent in one step. */
  flowRate: number;
  /** Whether flow may raise the elastic energy. */
  flowMode: 'dissipative' | 'paper';
  /** How much each unit of plastic strain adds to the yield. */
  hardening: number;
  /** Strain limiting. */
  limit: Required<LimitOptions>;
}

/** Defaults of {@link RawOptions}. */
export const RAW_DEFAULTS = {
  stiffness: 0.8,
  damping: 0.02,
  bodyDamping: 0,
  dampingMode: 'rigid',
  rotation: 'covariance',
  inversion: 'proper',
  limit: { mode: 'conserving', gamma: 0.3, omega: 0.5, iterations: 4 },
  flowRate: 1,
  flowMode: 'dissipative',
  hardening: 0,
  ...SOFTNESS_DEFAULTS,
} as const satisfies Required<RawOptions>;

export const STIFFNESS_RANGE: Range = { min: 0, below: 2 };

export const RAW_KEYS = Object.keys(RAW_DEFAULTS) as (keyof RawOptions)[];

/** Per-step settings, checked; what is not given is that of `base`. `stiffness` is a field, evaluated where the particles are known. */
export function resolveRaw(path: string, options: RawOptions, base: StepSettings = RAW_DEFAULTS): StepSettings {
  checkKeys(path, options, RAW_KEYS);
  const limit = options.limit ?? {};
  checkKeys(`${path}.limit`, limit, ['mode', 'gamma', 'omega', 'iterations']);
  const inversion = checkOneOf(`${path}.inversion`, options.inversion ?? base.inversion, ['proper', 'mirror']);
  const softness = resolveSoftness(path, options, base);
  if (softness.mode !== 'rigid' && inversion === 'mirror')
    refuse(`${path}.mode`, softness.mode, `"rigid" where inversion is "mirror": other goals hold no reflection`);
  return {
    ...softness,
    damping: checkNumber(`${path}.damping`, options.damping ?? base.damping, { min: 0, max: 1 }),
    bodyDamping: checkNumber(`${path}.bodyDamping`, options.bodyDamping ?? base.bodyDamping, { min: 0, max: 1 }),
    dampingMode: checkOneOf(`${path}.dampingMode`, options.dampingMode ?? base.dampingMode, ['rigid', 'linear']),
    rotation: checkOneOf(`${path}.rotation`, options.rotation ?? base.rotation, ['deformation', 'covariance']),
    inversion,
    flowRate: checkNumber(`${path}.flowRate`, options.flowRate ?? base.flowRate, { min: 0 }),
    flowMode: checkOneOf(`${path}.flowMode`, options.flowMode ?? base.flowMode, ['dissipative', 'paper']),
    hardening: checkNumber(`${path}.hardening`, options.hardening ?? base.hardening),
    limit: {
      mode: checkOneOf(`${path}.limit.mode`, limit.mode ?? base.limit.mode, ['conserving', 'paper']),
      gamma: checkNumber(`${path}.limit.gamma`, limit.gamma ?? base.limit.gamma, { min: 0 }),
      omega: checkNumber(`${path}.limit.omega`, limit.omega ?? base.limit.omega, { min: 0, max: 2 }),
      iterations: checkInteger(`${path}.limit.iterations`, limit.iterations ?? base.limit.iterations, {
        min: 0,
        max: 1000,
      }),
    },
  };
}
