import { checkDirection, checkKeys, checkNumber, checkOneOf, checkVec3, refuse, type Vec3 } from '../check.js';
import { expm1, pow } from '../math/elementary.js';

/**
 * A force function of the user. It writes the force (N) or the acceleration (m/s²), as the field's `as` says, into out[0], out[1], out[2].
 * Its arguments are the position (m) and velocity (m/s) of a particle and the world time at the start of the step (s). It is called for
 * every particle in every step, and must not change the world.
 */
export type FieldFunction = (
  x: number,
  y: number,
  z: number,
  vx: number,
  vy: number,
  vz: number,
  time: number,
  out: Float64Array,
) => void;

/** The same vector everywhere. */
export interface UniformField {
  /** Selects this type. */
  type: 'uniform';
  /** The acceleration (m/s²) or force on each particle (N). */
  vector: Vec3;
}

/** Grows linearly with the distance from a centre, axis by axis: scale · (x − centre). A negative scale pulls to the centre. */
export interface LinearField {
  /** Selects this type. */
  type: 'linear';
  /** Factor for x, y and z (1/s² or N/m). */
  scale: Vec3;
  /** Where the field is 0 (m). Default [0, 0, 0]. */
  centre?: Vec3;
}

/**
 * Points away from a centre. Its strength is `strength` at the distance `radius`; farther out it falls off with a power of the distance, farther in
 * it falls linearly to 0.
 */
export interface RadialField {
  /** Selects this type. */
  type: 'radial';
  /** The centre (m). Default [0, 0, 0]. */
  centre?: Vec3;
  /** Strength at `radius` (m/s² or N); negative values attract. */
  strength: number;
  /** Distance from the centre at which the field is strongest (m). Default 1. */
  radius?: number;
  /** Power of the distance with which it falls off beyond `radius`, at least 0. Default 2. */
  falloff?: number;
}

/** Runs around an axis, right-handed. */
export interface VortexField {
  /** Selects this type. */
  type: 'vortex';
  /** A point of the axis (m). Default [0, 0, 0]. */
  centre?: Vec3;
  /** Direction of the axis; any length but 0. */
  axis: Vec3;
  /** Strength at `radius` (m/s² or N). */
  strength: number;
  /** Distance from the axis at which the field is strongest (m). Default 1. */
  radius?: number;
  /** Power of the distance with which it falls off beyond `radius`, at least 0. Default 2. */
  falloff?: number;
}

/** Drags particles towards the velocity of a wind: rate · (velocity − v). It never overshoots, however large the rate is. */
export interface DragField {
  /** Selects this type. */
  type: 'drag';
  /** Velocity of the wind (m/s). Default [0, 0, 0]. */
  velocity?: Vec3;
  /** How fast velocities approach that of the wind (1/s or N s/m). */
  rate: number;
}

/**
 * A function of the user. Infinite values are cut to the largest possible. A NaN puts the body into quarantine: it is stopped and disabled.
 * An exception of the function passes through `world.step`, which has then changed nothing.
 */
export interface CustomField {
  /** Selects this type. */
  type: 'custom';
  /** The function. */
  at: FieldFunction;
}

/** The types of force field and their own options. */
export type FieldType = UniformField | LinearField | RadialField | VortexField | DragField | CustomField;

/**
 * As FieldFunction, with two more arguments for drag: the time step (s), and the mass (kg) on which `rate` acts; 1 for a field of
 * accelerations.
 */
export type Evaluate = (
  x: number,
  y: number,
  z: number,
  vx: number,
  vy: number,
  vz: number,
  time: number,
  out: Float64Array,
  h: number,
  mass: number,
) => void;

const OWN_KEYS = {
  uniform: ['vector'],
  linear: ['scale', 'centre'],
  radial: ['centre', 'strength', 'radius', 'falloff'],
  vortex: ['centre', 'axis', 'strength', 'radius', 'falloff'],
  drag: ['velocity', 'rate'],
  custom: ['at'],
} as const satisfies Record<FieldType['type'], readonly string[]>;

/** Validates the options of the type and makes its function. `common` are the keys that every field has. */
export function resolveField(path: string, options: FieldType, common: readonly string[]): Evaluate {
  const types = Object.keys(OWN_KEYS) as FieldType['type'][];
  const type = checkOneOf(`${path}.type`, (options as FieldType | undefined)?.type, types);
  checkKeys(path, options, ['type', ...common, ...OWN_KEYS[type]]);
  switch (options.type) {
    case 'uniform':
      return uniform(checkVec3(`${path}.vector`, options.vector));
    case 'linear':
      return linear(checkVec3(`${path}.scale`, options.scale), centreOf(path, options.centre));
    case 'radial':
      return radial(centreOf(path, options.centre), profileOf(path, options));
    case 'vortex':
      return vortex(
        centreOf(path, options.centre),
        checkDirection(`${path}.axis`, options.axis),
        profileOf(path, options),
      );
    case 'drag':
      return drag(
        checkVec3(`${path}.velocity`, options.velocity ?? [0, 0, 0]),
        checkNumber(`${path}.rate`, options.rate, { min: 0 }),
      );
    case 'custom': {
      const { at } = options;
      if (typeof at !== 'function') refuse(`${path}.at`, at, 'a function (x, y, z, vx, vy, vz, time, out) => void');
      return (x, y, z, vx, vy, vz, time, out) => at(x, y, z, vx, vy, vz, time, out);
    }
  }
}

const centreOf = (path: string, centre?: Vec3) => checkVec3(`${path}.centre`, centre ?? [0, 0, 0]);

/** Strength by distance. */
type Profile = (distance: number) => number;

function profileOf(path: string, options: RadialField | VortexField): Profile {
  const strength = checkNumber(`${path}.strength`, options.strength);
  const radius = checkNumber(`${path}.radius`, options.radius ?? 1, { above: 0 });
  const falloff = checkNumber(`${path}.falloff`, options.falloff ?? 2, { min: 0 });
  return (r) => (r < radius ? (strength * r) / radius : strength * pow(radius / r, falloff));
}

function uniform([fx, fy, fz]: Vec3): Evaluate {
  return (_x, _y, _z, _vx, _vy, _vz, _time, out) => {
    out[0] = fx;
    out[1] = fy;
    out[2] = fz;
  };
}

function linear(scale: Vec3, centre: Vec3): Evaluate {
  return (x, y, z, _vx, _vy, _vz, _time, out) => {
    out[0] = scale[0] * (x - centre[0]);
    out[1] = scale[1] * (y - centre[1]);
    out[2] = scale[2] * (z - centre[2]);
  };
}

function radial(centre: Vec3, profile: Profile): Evaluate {
  return (x, y, z, _vx, _vy, _vz, _time, out) => {
    const rx = x - centre[0];
    const ry = y - centre[1];
    const rz = z - centre[2];
    const r = Math.sqrt(rx * rx + ry * ry + rz * rz);
    const f = r > 0 ? profile(r) / r : 0;
    out[0] = f * rx;
    out[1] = f * ry;
    out[2] = f * rz;
  };
}

function vortex(centre: Vec3, [ax, ay, az]: Vec3, profile: Profile): Evaluate {
  return (x, y, z, _vx, _vy, _vz, _time, out) => {
    const rx = x - centre[0];
    const ry = y - centre[1];
    const rz = z - centre[2];
    // axis × r is perpendicular to both. Its length is the distance from the axis.
    const tx = ay * rz - az * ry;
    const ty = az * rx - ax * rz;
    const tz = ax * ry - ay * rx;
    const r = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const f = r > 0 ? profile(r) / r : 0;
    out[0] = f * tx;
    out[1] = f * ty;
    out[2] = f * tz;
  };
}

/** dv/dt = k (u − v) over a step is v += (1 − e^{−kh})(u − v). The force is the one that has this effect in one explicit step. */
function drag(wind: Vec3, rate: number): Evaluate {
  return (_x, _y, _z, vx, vy, vz, _time, out, h, mass) => {
    const share = (-expm1((-rate * h) / mass) * mass) / h;
    out[0] = share * (wind[0] - vx);
    out[1] = share * (wind[1] - vy);
    out[2] = share * (wind[2] - vz);
  };
}
