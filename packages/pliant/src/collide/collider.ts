import {
  checkDirection,
  checkKeys,
  checkNumber,
  checkNumberOrInfinity,
  checkOneOf,
  checkVec3,
  refuse,
  type Vec3,
  withDefaults,
} from '../check.js';
import { Clamp } from '../drive/clamp.js';

interface Common {
  /** Coulomb's μ. */
  friction?: number;
  /** Share of the approaching speed that is given back, [0, 1]. */
  restitution?: number;
  /** m/s; the collider moves, nothing moves it. */
  velocity?: Vec3;
  /** Seconds after which it is gone. */
  lifetime?: number;
  /**
   * 'coulomb': friction and restitution act on the velocity relative to the collider. 'research': what the papers' program
   * does (a plane takes the whole normal velocity and 60 % of the rest, a cylinder adds 2 m/s outwards, a sphere adds
   * momentumScale · velocity and takes nothing).
   */
  law?: 'coulomb' | 'research';
  /** Particles held by this clamp pass through. */
  except?: Clamp;
}

/** Free side: n·x ≥ offset. */
export interface PlaneOptions extends Common {
  type: 'plane';
  normal: Vec3;
  offset?: number;
}

/** A ball; with a velocity, a projectile. */
export interface SphereOptions extends Common {
  type: 'sphere';
  centre: Vec3;
  radius: number;
  /** Share of the ball's velocity added to a particle in every step of contact (SPEC K4). */
  momentumScale?: number;
}

/** Infinite, about the line through `point` along `axis`. */
export interface CylinderOptions extends Common {
  type: 'cylinder';
  axis: Vec3;
  point: Vec3;
  radius: number;
}

export type ColliderOptions = PlaneOptions | SphereOptions | CylinderOptions;

export const COLLIDER_DEFAULTS = {
  friction: 0.5,
  restitution: 0,
  velocity: [0, 0, 0],
  lifetime: Number.POSITIVE_INFINITY,
  law: 'coulomb',
} as const satisfies Omit<Required<Common>, 'except'>;

const OWN_KEYS = {
  plane: ['normal', 'offset'],
  sphere: ['centre', 'radius', 'momentumScale'],
  cylinder: ['axis', 'point', 'radius'],
} as const;

/** A checked collider. `direction` is a plane's normal or a cylinder's axis, of length 1; `origin` a point on or in it. */
export interface Collider {
  readonly type: ColliderOptions['type'];
  readonly direction: Vec3;
  readonly origin: Vec3;
  readonly offset: number;
  readonly radius: number;
  readonly momentumScale: number;
  readonly friction: number;
  readonly restitution: number;
  readonly velocity: Vec3;
  readonly lifetime: number;
  readonly law: 'coulomb' | 'research';
  readonly except: Clamp | undefined;
  /** World time (s) when it was added: it moves and ages from then on. */
  readonly since: number;
}

export function resolveCollider(options: ColliderOptions, since: number, field = 'collider'): Collider {
  const type = checkOneOf(`${field}.type`, (options as ColliderOptions | undefined)?.type, [
    'plane',
    'sphere',
    'cylinder',
  ]);
  checkKeys(field, options, ['type', 'except', ...Object.keys(COLLIDER_DEFAULTS), ...OWN_KEYS[type]]);
  const all = withDefaults(COLLIDER_DEFAULTS, options);
  if (all.except !== undefined && !(all.except instanceof Clamp))
    refuse(`${field}.except`, all.except, 'a clamp of this world');
  const law = checkOneOf(`${field}.law`, all.law, ['coulomb', 'research']);
  const common = {
    type,
    friction: checkNumber(`${field}.friction`, all.friction, { min: 0 }),
    restitution: checkNumber(`${field}.restitution`, all.restitution, { min: 0, max: 1 }),
    velocity: checkVec3(`${field}.velocity`, all.velocity),
    lifetime: checkNumberOrInfinity(`${field}.lifetime`, all.lifetime, { min: 0 }),
    law,
    except: all.except,
    since,
  };
  switch (options.type) {
    case 'plane':
      return {
        ...common,
        direction: checkDirection(`${field}.normal`, options.normal),
        origin: [0, 0, 0],
        offset: checkNumber(`${field}.offset`, options.offset ?? 0),
        radius: 0,
        momentumScale: 0,
      };
    case 'sphere':
      return {
        ...common,
        direction: [0, 1, 0],
        origin: checkVec3(`${field}.centre`, options.centre),
        offset: 0,
        radius: checkNumber(`${field}.radius`, options.radius, { min: 0 }),
        momentumScale: checkNumber(`${field}.momentumScale`, options.momentumScale ?? 0),
      };
    case 'cylinder':
      return {
        ...common,
        direction: checkDirection(`${field}.axis`, options.axis),
        origin: checkVec3(`${field}.point`, options.point),
        offset: 0,
        radius: checkNumber(`${field}.radius`, options.radius, { min: 0 }),
        momentumScale: 0,
      };
  }
}
