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
import { betaOf, type ElasticLaw, refuseMixture, resolveLaw } from './elasticLaw.js';
import {
  type AreaLimitOptions,
  type GoalMode,
  resolveSoftness,
  SOFTNESS_DEFAULTS,
  type Softness,
  type VolumeMode,
} from './softness.js';

/**
 * A material value that may vary over the body: one number for all of it, a function of the rest position in the world (m), one value per particle,
 * or `{ vertices }` with one value per vertex of the body's mesh, such as a painted mask.
 */
export type Field =
  | number
  | ((x: number, y: number, z: number) => number)
  | ArrayLike<number>
  | { vertices: ArrayLike<number> };

/**
 * What a body is made of and how it moves. MATERIAL_DEFAULTS has the defaults. Stiffness and damping are shares per step: they depend on the length
 * of the step.
 */
export interface MaterialOptions {
  /** Density (kg/m³), for bodies made from a mesh or a shape. Default 1000. Give one of density, mass and particleMass. */
  density?: Field;
  /** Mass of the whole body (kg), instead of the density. */
  mass?: number;
  /** Mass of each particle (kg), instead of the density. Default 0.1 for bodies given as points. */
  particleMass?: number;
  /**
   * Young's modulus E (Pa): stress per strain of a bar that is pulled. Given it, `poisson` or `dampingRatio`, the body has an elastic law: it behaves alike at any resolution and time step, as
   * far as `body.maxYoung` allows, and none of the per-step parameters below may be given. Default then: as stiff as a body that its own weight shortens by 5 %, standing on its smallest side.
   */
  young?: Field;
  /** Poisson's ratio ν, 0 to 0.49: how much a pressed body bulges; 0.49 hardly changes its volume. Default 0.3. */
  poisson?: number;
  /** Damping ratio ζ of the first stretching mode: 0 rings for ever, 1 does not swing at all. Default 0.1. */
  dampingRatio?: number;
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
   * What `damping` measures velocities against: 'rigid' (default) is the motion and rotation of the cluster, 'linear' its mean velocity as in the
   * papers, which also brakes rotation.
   */
  dampingMode?: 'rigid' | 'linear';
  /**
   * Which rotation is fitted to a cluster: 'deformation' is that of the matrix F = A_xr A_rr⁻¹, 'covariance' that of A_xr. The second gives goals
   * without a net torque. Default: 'deformation', and 'covariance' once the body has flowed, broken or touched another body, and while a pick holds
   * it. With 'deformation', stress that stays in such a body makes it spin and gain energy.
   */
  rotation?: 'deformation' | 'covariance';
  /** What a cluster that is turned inside out returns to: 'proper' (default) its rest shape, 'mirror' the mirror image of it, as in the research scenes. */
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
  /** Coulomb's coefficient of friction μ against other bodies, at least 0. Of two bodies the geometric mean counts. Colliders have their own. Default 0.5. */
  friction?: number;
  /** Share of the approaching speed that contact with another body gives back, in [0, 1]. Of two bodies the larger counts. Default 0. */
  restitution?: number;
  /** Strain limiting: keeps particles near their goals when a body is stretched hard. */
  limit?: LimitOptions;
  /**
   * Elastic strain at which a cluster begins to flow, that is to keep its dent. The strain is ‖F* − I‖, where F* is the elastic deformation of the
   * cluster scaled to its volume at rest; 0.1 is roughly a stretch by 10 %. A cluster takes the mean of its particles by mass, and never flows if one
   * of them has an infinite yield. Default: infinite.
   */
  yield?: Field;
  /**
   * For bodies with an elastic law: time constant (s) by which strain beyond the yield becomes permanent. After this time e⁻¹ of it is still elastic. Default 0: it becomes permanent
   * at once.
   */
  flowTime?: number;
  /** Share of the strain beyond the yield that becomes permanent in one step, at least 0. Default 1. */
  flowRate?: number;
  /**
   * 'dissipative' (default): no cluster flows so far that its elastic energy rises. 'paper': as in the papers, where a crushed cluster may flow into
   * a wide sheet that throws the body about.
   */
  flowMode?: 'dissipative' | 'paper';
  /**
   * With an elastic law: rise of the yield per unit of plastic strain, at least 0, at any time step. 1 means that a stretch that has become permanent raises the yield by as much.
   *
   * Without one: how much the yield of a cluster rises with use: its elastic strain is summed over all steps, and each unit of the sum adds this to the yield.
   * Negative values soften the body, down to a yield of 0. Default 0.
   */
  hardening?: number;
  /**
   * Stretch beyond 1 at which a cluster breaks: 0.3 breaks at 130 % of its length. A cluster takes the mean of its particles by mass, and never
   * breaks if one of them has an infinite toughness. Default: infinite.
   */
  toughness?: Field;
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

/** The settings of a material that are one value for the whole body, with defaults filled in. {@link MaterialOptions} says what each does. */
export interface Material extends Softness {
  /** The elastic law, if the body has one; the per-step parameters are then of no effect. */
  law: ElasticLaw | undefined;
  /** Share lost per step, [0, 1]. */
  damping: number;
  /** Share lost per step, [0, 1]. */
  bodyDamping: number;
  /** What `damping` measures velocities against. */
  dampingMode: 'rigid' | 'linear';
  /** Which rotation is fitted to a cluster. */
  rotation: 'deformation' | 'covariance';
  /** The rotation once the body has flowed, broken or touched another body, and while a pick holds it. */
  changedRotation: 'deformation' | 'covariance';
  /** What a cluster that is turned inside out returns to. */
  inversion: 'proper' | 'mirror';
  /** Coulomb's μ against other bodies. */
  friction: number;
  /** Share of the approaching speed that is given back, [0, 1]. */
  restitution: number;
  /** Share of the strain beyond the yield that becomes permanent in one step. */
  flowRate: number;
  /** Whether flow may raise the elastic energy. */
  flowMode: 'dissipative' | 'paper';
  /** How much each unit of plastic strain adds to the yield. */
  hardening: number;
  /** Strain limiting. */
  limit: Required<LimitOptions>;
}

/** Defaults of {@link MaterialOptions}. */
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
} as const satisfies Omit<Required<MaterialOptions>, 'mass' | 'young' | 'poisson' | 'dampingRatio' | 'flowTime'>;

export const STIFFNESS_RANGE: Range = { min: 0, below: 2 };

const LAW_KEYS = ['young', 'poisson', 'dampingRatio'] as const;

/** Per-step parameters, which a body with an elastic law does not have. */
const STEP_KEYS = [
  'stiffness',
  'damping',
  'bodyDamping',
  'dampingMode',
  'rotation',
  'inversion',
  'limit',
  'flowRate',
  'flowMode',
  'mode',
  'beta',
  'volume',
  'areaLimit',
] as const;

const KEYS = [
  'density',
  'mass',
  'particleMass',
  'friction',
  'restitution',
  'yield',
  'hardening',
  'flowTime',
  'toughness',
  ...LAW_KEYS,
  ...STEP_KEYS,
];

/** Whether options ask for an elastic law. */
export const asksForLaw = (options: MaterialOptions): boolean => LAW_KEYS.some((key) => options[key] !== undefined);

/** The scalar settings of a material, checked; fields (density, young, stiffness, …) are evaluated where the particles are known. */
export function resolveMaterial(path: string, options: MaterialOptions = {}, base?: Material): Material {
  checkKeys(path, options, KEYS);
  if (base && !base.law && asksForLaw(options)) {
    const key = LAW_KEYS.find((k) => options[k] !== undefined)!;
    refuse(`${path}.${key}`, options[key], 'nothing: the body was built with per-step parameters');
  }
  if (base ? base.law : asksForLaw(options)) return resolveLawful(path, options, base);
  if (options.flowTime !== undefined)
    refuse(
      `${path}.flowTime`,
      options.flowTime,
      'nothing without young, poisson or dampingRatio: flowRate says it per step',
    );
  return resolvePerStep(path, options, base ?? PER_STEP_DEFAULTS);
}

const PER_STEP_DEFAULTS: Material = { ...MATERIAL_DEFAULTS, law: undefined, changedRotation: 'covariance' };

/** The settings of a body with an elastic law: linear goals of constant volume, torque-free rotation, no limiter. */
function resolveLawful(path: string, options: MaterialOptions, base: Material | undefined): Material {
  refuseMixture(path, options, STEP_KEYS);
  const law = resolveLaw(path, options, base?.law);
  const beta = betaOf(law.poisson);
  const { friction, restitution, density, mass, particleMass } = options;
  const rest = resolvePerStep(path, { friction, restitution, density, mass, particleMass }, base ?? PER_STEP_DEFAULTS);
  return {
    ...rest,
    law,
    mode: beta > 0 ? 'linear' : 'rigid',
    beta,
    volume: 'nearest',
    dampingMode: 'rigid',
    rotation: 'covariance',
    changedRotation: 'covariance',
    limit: { ...rest.limit, iterations: 0 },
  };
}

function resolvePerStep(path: string, options: MaterialOptions, base: Material): Material {
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
    law: base.law,
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
