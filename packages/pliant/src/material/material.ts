import {
  checkInteger,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  PliantError,
  type Range,
  refuse,
} from '../check.js';
import {
  type AreaLimitOptions,
  type GoalMode,
  resolveSoftness,
  SOFTNESS_DEFAULTS,
  type Softness,
  type VolumeMode,
} from './softness.js';

/**
 * A material value: one number for the body, a function of the rest position in the world, one value per particle, or
 * `{ vertices }` with one value per vertex of the body's mesh (a vertex colour, a painted mask; SPEC C6).
 */
export type Field =
  | number
  | ((x: number, y: number, z: number) => number)
  | ArrayLike<number>
  | { vertices: ArrayLike<number> };

export interface MaterialOptions {
  /** kg/m³. For bodies sampled from a shape or a mesh. Default 1000. */
  density?: Field;
  /** Mass of the whole body (kg), instead of the density. */
  mass?: number;
  /** Mass of each particle (kg), instead of the density. Default 0.1 for bodies given as points. */
  particleMass?: number;
  /** α ∈ [0, 2): share of the way to the goal that a particle takes in one step (SPEC M7). */
  stiffness?: Field;
  /** k_d ∈ [0, 1]: share of the difference to the goal velocity that is lost in one step. */
  damping?: number;
  /** Share of the velocity against the rigid motion of the whole body that is lost in one step, [0, 1]. */
  bodyDamping?: number;
  /** What damping pulls towards: the cluster's rigid motion, or its mean velocity as in the papers (brakes rotation). */
  dampingMode?: 'rigid' | 'linear';
  /**
   * Whose rotation the goals take: that of F = A_xr A_rr⁻¹, or the torque-free one of A_xr (SPEC M2, M3). Default 'deformation', and
   * 'covariance' once a body has flowed, broken or touched another, and while a pick holds it: stress that stays in it turns it by the torque
   * of the former (a free block came to 5.6 rad/s within a minute), splinters of a plate spun up by it, from 0.3 to 1.7 m/s within three
   * seconds, and broke on, and 44 of 120 bodies that ring undamped after a collision had more energy than before it; with the latter none.
   */
  rotation?: 'deformation' | 'covariance';
  /** What an inverted cluster pulls to: its proper shape, or (research scenes) the mirror image it has become. */
  inversion?: 'proper' | 'mirror';
  /**
   * What clusters pull to (SPEC M5): 'rigid' (default) the rest shape turned, 'linear' also stretched and sheared, 'quadratic' also bent and
   * twisted as its particles are. One quadratic cluster bends as a bar does, which otherwise takes many clusters. Default 'rigid'.
   */
  mode?: GoalMode;
  /** β ∈ [0, 1] of 'linear' and 'quadratic': how far goals follow the deformation, 0 as rigid to 1 without a shape of its own. Default 0.5. */
  beta?: number;
  /** 'linear' and 'quadratic': whether, and how, goals keep the volume of the rest shape. Default 'nearest'. */
  volume?: VolumeMode;
  /** 'linear' and 'quadratic': how far goals may stretch (SPEC M6). Default: as far as they like. */
  areaLimit?: AreaLimitOptions;
  /** Coulomb's μ against other bodies; of two bodies the geometric mean counts. Obstacles have their own. */
  friction?: number;
  /** Share of the approaching speed that contact with another body gives back, [0, 1]; of two bodies the larger counts. */
  restitution?: number;
  /** Strain limiting (SPEC M8, M10). */
  limit?: LimitOptions;
  /**
   * Plastic yield λ: elastic strain ‖F* − I‖ of a cluster, without change of volume, beyond which it flows (SPEC P1). A cluster has
   * the mean of its particles' by mass, and never flows if one of them never does. Default: infinite.
   */
  yield?: Field;
  /** ν: share of the strain beyond the yield that becomes lasting in one step; above 1 it takes more than that. Default 1. */
  flowRate?: number;
  /**
   * 'dissipative' lets no cluster flow so far that its elastic energy rises; 'paper' is the form of the papers, in which one that is
   * crushed flows into a wide sheet that then throws the body about.
   */
  flowMode?: 'dissipative' | 'paper';
  /** K: what each unit of strain, summed over the steps, adds to the yield; negative softens, down to a yield of 0. Default 0. */
  hardening?: number;
  /**
   * τ: a cluster breaks where its largest elastic stretch exceeds 1 + τ (SPEC X1). It has the mean of its particles' by mass, and never breaks if
   * one of them never does. Default: infinite.
   */
  toughness?: Field;
}

export interface LimitOptions {
  /** 'conserving' keeps linear and angular momentum; 'paper' is the form of the papers, which does not. */
  mode?: 'conserving' | 'paper';
  /** γ: allowed distance between a particle and its goal, as a share of the cluster's width. */
  gamma?: number;
  /** ω: over- or under-relaxation of a sweep. */
  omega?: number;
  /** n: sweeps per step; 0 switches limiting off. */
  iterations?: number;
}

export interface Material extends Softness {
  damping: number;
  bodyDamping: number;
  dampingMode: 'rigid' | 'linear';
  rotation: 'deformation' | 'covariance';
  /** The same for a body that has flowed, broken or touched another, or is in a hand. */
  changedRotation: 'deformation' | 'covariance';
  inversion: 'proper' | 'mirror';
  friction: number;
  restitution: number;
  flowRate: number;
  flowMode: 'dissipative' | 'paper';
  hardening: number;
  limit: Required<LimitOptions>;
}

export const MATERIAL_DEFAULTS = {
  density: 1000,
  particleMass: 0.1,
  stiffness: 0.8,
  damping: 0.02,
  bodyDamping: 0,
  dampingMode: 'rigid',
  rotation: 'deformation',
  inversion: 'proper',
  friction: 0.5,
  restitution: 0,
  limit: { mode: 'conserving', gamma: 0.3, omega: 0.5, iterations: 4 },
  yield: Number.POSITIVE_INFINITY,
  flowRate: 1,
  flowMode: 'dissipative',
  hardening: 0,
  toughness: Number.POSITIVE_INFINITY,
  ...SOFTNESS_DEFAULTS,
} as const satisfies Omit<Required<MaterialOptions>, 'mass'>;

export const STIFFNESS_RANGE: Range = { min: 0, below: 2 };

const KEYS = [
  'density',
  'mass',
  'particleMass',
  'stiffness',
  'damping',
  'bodyDamping',
  'dampingMode',
  'rotation',
  'inversion',
  'friction',
  'restitution',
  'limit',
  'yield',
  'flowRate',
  'flowMode',
  'hardening',
  'toughness',
  'mode',
  'beta',
  'volume',
  'areaLimit',
];

/** The scalar settings of a material, checked; fields (density, stiffness, …) are evaluated where the particles are known. */
export function resolveMaterial(
  path: string,
  options: MaterialOptions = {},
  base: Material = { ...MATERIAL_DEFAULTS, changedRotation: 'covariance' },
): Material {
  checkKeys(path, options, KEYS);
  const limit = options.limit ?? {};
  checkKeys(`${path}.limit`, limit, ['mode', 'gamma', 'omega', 'iterations']);
  const given = ['density', 'mass', 'particleMass'].filter((k) => options[k as keyof MaterialOptions] !== undefined);
  if (given.length > 1)
    throw new PliantError(path, `${path} gives ${given.join(' and ')}; expected one of density, mass, particleMass.`);
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
    changedRotation: options.rotation ?? base.changedRotation,
    inversion,
    friction: checkNumber(`${path}.friction`, options.friction ?? base.friction, { min: 0 }),
    restitution: checkNumber(`${path}.restitution`, options.restitution ?? base.restitution, { min: 0, max: 1 }),
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

/** A field's value at every particle, each checked. `fromVertices` interpolates values painted on the body's mesh. */
export function evaluateField(
  name: string,
  field: Field,
  positions: Float64Array,
  range: Range,
  fromVertices?: (values: ArrayLike<number>, name: string) => Float64Array,
): Float64Array {
  const n = positions.length / 3;
  let values: ArrayLike<number>;
  if (typeof field === 'number') values = new Float64Array(n).fill(field);
  else if (typeof field === 'function')
    values = Float64Array.from({ length: n }, (_, i) =>
      field(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]),
    );
  else if (typeof field === 'object' && field !== null && 'vertices' in field) {
    if (!fromVertices) refuse(`${name}.vertices`, field.vertices, 'a body made from a mesh, which this one is not');
    values = fromVertices(field.vertices, `${name}.vertices`);
  } else if (typeof field === 'object' && field !== null && typeof field.length === 'number') {
    if (field.length !== n)
      throw new PliantError(name, `${name} has ${field.length} values; expected one per particle, ${n}.`);
    values = field;
  } else refuse(name, field, 'a number, a function, a list with one value per particle, or { vertices }');
  const perParticle = typeof field === 'number' ? 1 : n;
  for (let i = 0; i < perParticle; i++) {
    const where = typeof field === 'number' ? name : `${name} at particle ${i}`;
    if (range.min === 0 && range.max === undefined && range.below === undefined)
      checkNumberOrInfinity(where, values[i], range);
    else checkNumber(where, values[i], range);
  }
  return values instanceof Float64Array ? values : Float64Array.from(values as ArrayLike<number>, Number);
}
