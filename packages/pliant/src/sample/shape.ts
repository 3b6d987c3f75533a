import { checkKeys, checkNumber, checkOneOf, checkVec3, refuse, type Vec3 } from '../check.js';
import { checkLength, checkPlace, MAX_LENGTH } from '../limits.js';
import { checkRotation, type Quaternion } from '../spatial/pose.js';
import { type Combination, combined } from './combine.js';
import { moved, turned } from './place.js';
import { box, capsule, cylinder, ellipsoid, type SignedSolid, sphere, torus } from './primitives.js';
import type { Solid } from './solid.js';

/** A solid by its description. All are centred on `position` (the origin by default), and turned about that; lengths are in metres. */
export type ShapeOptions = (
  | { type: 'box'; size: Vec3 }
  | { type: 'sphere'; radius: number }
  | { type: 'ellipsoid'; radii: Vec3 }
  /** Along y. */
  | { type: 'cylinder'; radius: number; height: number }
  /** Along y; `height` is that of the cylindrical part. */
  | { type: 'capsule'; radius: number; height: number }
  /** A ring of `radius` around the y axis, its tube of radius `tube`. */
  | { type: 'torus'; radius: number; tube: number }
  /**
   * Where `distance` is negative, between `min` and `max`. Any function with the right sign will do for sampling; for a
   * `shell` the walls are as thick as the function says, so it should be a distance.
   */
  | { type: 'implicit'; distance: (x: number, y: number, z: number) => number; min: Vec3; max: Vec3 }
  /**
   * `difference` is the first shape without all the others. Parts nearer to each other than `smooth` flow into one another: a union has
   * fillets, at most a quarter of that beyond two parts, the others have round edges.
   */
  | { type: Combination; of: readonly ShapeOptions[]; smooth?: number }
) & { position?: Vec3; rotation?: Quaternion };

const KEYS: Record<ShapeOptions['type'], readonly string[]> = {
  box: ['size'],
  sphere: ['radius'],
  ellipsoid: ['radii'],
  cylinder: ['radius', 'height'],
  capsule: ['radius', 'height'],
  torus: ['radius', 'tube'],
  implicit: ['distance', 'min', 'max'],
  union: ['of', 'smooth'],
  difference: ['of', 'smooth'],
  intersection: ['of', 'smooth'],
};

/**
 * Builds the solid that a description means. `volume` is set where it has a closed form (all but implicit functions and
 * combinations; `volumeOf` estimates those). Distances are exact, except that inside a union, outside a difference or
 * an intersection and near the seams of smooth ones they can be below the true distance.
 */
export function shapeSolid(shape: ShapeOptions, field = 'shape'): Solid {
  const { signed, ...solid } = signedSolid(shape, field);
  return { ...solid, distance: (x, y, z, limit) => Math.abs(signed(x, y, z, limit)) };
}

function signedSolid(shape: ShapeOptions, field: string): SignedSolid {
  if (typeof shape !== 'object' || shape === null) refuse(field, shape, 'an object with a type');
  checkOneOf(`${field}.type`, shape.type, Object.keys(KEYS));
  checkKeys(field, shape, ['type', 'position', 'rotation', ...KEYS[shape.type]]);
  let solid = atOrigin(shape, field);
  if (shape.rotation !== undefined) solid = turned(solid, checkRotation(`${field}.rotation`, shape.rotation));
  return shape.position === undefined
    ? solid
    : moved(solid, checkPlace(`${field}.position`, checkVec3(`${field}.position`, shape.position)));
}

function atOrigin(shape: ShapeOptions, field: string): SignedSolid {
  const length = (key: string) => {
    const name = `${field}.${key}`;
    return checkLength(name, checkNumber(name, (shape as unknown as Record<string, unknown>)[key], { above: 0 }));
  };
  switch (shape.type) {
    case 'box':
      return box(checkSizes(`${field}.size`, shape.size));
    case 'sphere':
      return sphere(length('radius'));
    case 'ellipsoid':
      return ellipsoid(checkSizes(`${field}.radii`, shape.radii));
    case 'cylinder':
      return cylinder(length('radius'), length('height'));
    case 'capsule':
      return capsule(length('radius'), length('height'));
    case 'torus':
      checkNumber(`${field}.tube`, shape.tube, { above: 0, max: length('radius') });
      return torus(length('radius'), length('tube'));
    case 'implicit':
      return implicit(shape, field);
    default:
      return combined(
        shape.type,
        checkParts(`${field}.of`, shape.of),
        checkNumber(`${field}.smooth`, checkNumber(`${field}.smooth`, shape.smooth ?? 0, { min: 0 }), {
          max: MAX_LENGTH,
        }),
        field,
      );
  }
}

function checkSizes(field: string, value: Vec3): Vec3 {
  const sizes = checkVec3(field, value);
  if (Math.min(...sizes) <= 0) refuse(field, value, 'three numbers above 0');
  for (const size of sizes) checkLength(field, size);
  return sizes;
}

function checkParts(field: string, of: readonly ShapeOptions[]): SignedSolid[] {
  if (!Array.isArray(of) || of.length === 0) refuse(field, of, 'a list of shapes');
  return of.map((part: ShapeOptions, k) => signedSolid(part, `${field}[${k}]`));
}

function implicit(shape: ShapeOptions & { type: 'implicit' }, field: string): SignedSolid {
  const { distance } = shape;
  if (typeof distance !== 'function') refuse(`${field}.distance`, distance, 'a function of x, y, z');
  const low = checkPlace(`${field}.min`, checkVec3(`${field}.min`, shape.min));
  const high = checkPlace(`${field}.max`, checkVec3(`${field}.max`, shape.max));
  for (let axis = 0; axis < 3; axis++)
    if (!(low[axis] < high[axis])) refuse(`${field}.max`, shape.max, `more than min (${low.join(', ')}) on every axis`);
    else checkLength(`${field}.max[${axis}] − min[${axis}]`, high[axis] - low[axis]);
  const signed = (x: number, y: number, z: number) => {
    const d = distance(x, y, z);
    if (typeof d !== 'number' || Number.isNaN(d)) refuse(`${field}.distance(${x}, ${y}, ${z})`, d, 'a number');
    return d;
  };
  return {
    min: low,
    max: high,
    inside: (x, y, z) =>
      x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2] && signed(x, y, z) < 0,
    signed,
    signOnly: true,
  };
}
