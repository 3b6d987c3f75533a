import { checkKeys, checkNumber, PliantError, refuse } from '../check.js';
import { betaOf, type ElasticLaw, LAW_DEFAULTS, resolveLaw } from './elasticLaw.js';
import type { Field } from './field.js';
import { RAW_KEYS, type RawOptions, resolveRaw, type StepSettings } from './raw.js';

/**
 * Material of a body. A body has an elastic law: in the units of `young`, `poisson` and `dampingRatio` it behaves alike at any resolution and time step, as far as `body.maxYoung` allows.
 * Only with `raw` it has the per-step parameters of the papers instead. MATERIAL_DEFAULTS has the defaults.
 */
export interface MaterialOptions {
  /** Density (kg/m³), for bodies made from a mesh or a shape. Default 1000. Give one of density, mass and particleMass. */
  density?: Field;
  /** Mass of the whole body (kg), instead of the density. */
  mass?: number;
  /** Mass of each particle (kg), instead of the density. Default 0.1 for bodies given as points. */
  particleMass?: number;
  /**
   * Young's modulus E (Pa): stress per strain of a bar that is pulled. Default: as stiff as a body that its own weight shortens by 5 %, standing on its smallest side. Refused beside `raw`.
   */
  young?: Field;
  /** Poisson's ratio ν, 0 to 0.49: how much a pressed body bulges; 0.49 hardly changes its volume. Default 0.3. Refused beside `raw`. */
  poisson?: number;
  /** Damping ratio ζ of the first stretching mode: 0 rings for ever, 1 does not swing at all. Default 0.1. Refused beside `raw`. */
  dampingRatio?: number;
  /** Coulomb's coefficient of friction μ against other bodies, at least 0. Of two bodies the geometric mean counts. Colliders have their own. Default 0.5. */
  friction?: number;
  /** Share of the approaching speed that contact with another body gives back, in [0, 1]. Of two bodies the larger counts. Default 0. */
  restitution?: number;
  /**
   * Elastic strain at which a cluster begins to flow, that is to keep its dent. The strain is ‖F* − I‖, where F* is the elastic deformation of the
   * cluster scaled to its volume at rest; 0.1 is roughly a stretch by 10 %. A cluster takes the mean of its particles by mass, and never flows if one
   * of them has an infinite yield. Default: infinite.
   */
  yield?: Field;
  /** Time constant (s) by which strain beyond the yield becomes permanent. After this time e⁻¹ of it is still elastic. Default 0: it becomes permanent at once. */
  flowTime?: number;
  /** Rise of the yield per unit of plastic strain, at least 0. 1 means that a stretch that has become permanent raises the yield by as much. Default 0. */
  hardening?: number;
  /**
   * Stretch beyond 1 at which a cluster breaks: 0.3 breaks at 130 % of its length. A cluster takes the mean of its particles by mass, and never
   * breaks if one of them has an infinite toughness. Default: infinite.
   */
  toughness?: Field;
  /** The papers' per-step parameters instead of the elastic law; `{}` for the defaults of these. A body is built with them or without, and stays so. Default: none. */
  raw?: RawOptions;
}

/** The settings of a material that are one value for the whole body, with defaults filled in. {@link MaterialOptions} says what each does. */
export interface Material extends StepSettings {
  /** The elastic law; undefined for a body with `raw`. With a law, per-step settings that it does not decide are of no effect. */
  law: ElasticLaw | undefined;
  /** Coulomb's μ against other bodies. */
  friction: number;
  /** Share of the approaching speed that is given back, [0, 1]. */
  restitution: number;
}

/** Defaults of {@link MaterialOptions}; those of `raw` are RAW_DEFAULTS. */
export const MATERIAL_DEFAULTS = {
  density: 1000,
  particleMass: 0.1,
  ...LAW_DEFAULTS,
  friction: 0.5,
  restitution: 0,
  yield: Number.POSITIVE_INFINITY,
  toughness: Number.POSITIVE_INFINITY,
} as const satisfies Omit<Required<MaterialOptions>, 'mass' | 'young' | 'raw'>;

const LAW_KEYS = ['young', 'poisson', 'dampingRatio', 'flowTime', 'hardening'] as const;
const MASS_KEYS = ['density', 'mass', 'particleMass'] as const;
const KEYS = [...MASS_KEYS, ...LAW_KEYS, 'friction', 'restitution', 'yield', 'toughness', 'raw'];

/** Whether options ask for per-step parameters instead of an elastic law. */
export const isRaw = (options: MaterialOptions | undefined): boolean => options?.raw !== undefined;

/** The scalar settings of a material, checked; fields (density, young, …) are evaluated where the particles are known. */
export function resolveMaterial(path: string, options: MaterialOptions = {}, base?: Material): Material {
  if (typeof options === 'object' && options !== null) refuseStrays(path, options);
  checkKeys(path, options, KEYS);
  const { raw } = options;
  if (base?.law && raw !== undefined)
    refuse(`${path}.raw`, raw, 'nothing: the body was built without raw, and has an elastic law');
  const plain = base ? !base.law : raw !== undefined;
  if (plain) refuseLaw(path, options, base);
  const given = MASS_KEYS.filter((key) => options[key] !== undefined);
  if (given.length > 1)
    throw new PliantError(path, `${path} gives ${given.join(' and ')}; expected one of density, mass, particleMass.`);
  const { friction = MATERIAL_DEFAULTS.friction, restitution = MATERIAL_DEFAULTS.restitution } = base ?? {};
  return {
    ...(plain
      ? { ...resolveRaw(`${path}.raw`, raw === undefined ? {} : raw, base), law: undefined }
      : lawful(resolveLaw(path, options, base?.law))),
    friction: checkNumber(`${path}.friction`, options.friction ?? friction, { min: 0 }),
    restitution: checkNumber(`${path}.restitution`, options.restitution ?? restitution, { min: 0, max: 1 }),
  };
}

/** Refuses per-step parameters that stand in the material itself. */
function refuseStrays(path: string, options: object): void {
  for (const key of RAW_KEYS) {
    // The elastic law has a hardening of its own.
    if (key === 'hardening') continue;
    const value = (options as Record<string, unknown>)[key];
    if (value !== undefined)
      refuse(
        `${path}.${key}`,
        value,
        `nothing here: per-step parameters belong in ${path}.raw, which replaces young, poisson and dampingRatio`,
      );
  }
}

/** Refuses the units of the elastic law for a body of per-step parameters. */
function refuseLaw(path: string, options: MaterialOptions, base: Material | undefined): void {
  const key = LAW_KEYS.find((k) => options[k] !== undefined);
  if (key)
    refuse(
      `${path}.${key}`,
      options[key],
      base ? 'nothing: the body was built with raw' : 'nothing beside raw, whose per-step parameters replace it',
    );
}

/** A step of the elastic law: linear goals of constant volume, torque-free rotation, no limiter, flow by flowTime. */
function lawful(law: ElasticLaw): StepSettings & { law: ElasticLaw } {
  const beta = betaOf(law.poisson);
  const settings = resolveRaw('raw', {
    mode: beta > 0 ? 'linear' : 'rigid',
    beta,
    volume: 'nearest',
    limit: { iterations: 0 },
  });
  return { ...settings, law };
}
