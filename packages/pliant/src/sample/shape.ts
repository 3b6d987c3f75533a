import { checkKeys, checkNumber, checkOneOf, checkVec3, refuse, type Vec3 } from '../check.js';
import { checkLength, checkPlace, MAX_LENGTH } from '../limits.js';
import { checkRotation, type Quaternion } from '../spatial/pose.js';
import { type Combination, combined } from './combine.js';
import { cord } from './cord.js';
import { withForm } from './form.js';
import { moved, turned } from './place.js';
import { box, capsule, cylinder, ellipsoid, type SignedSolid, sphere, torus } from './primitives.js';
import { sheet } from './sheetSolid.js';
import type { Solid } from './solid.js';

/**
 * Description of a solid: `type` with the lengths of that type (m). It is centred on `position` (m, default the origin)
 * and rotated about that by `rotation` (quaternion x, y, z, w). Shapes can be nested in 'union', 'difference' and
 * 'intersection'.
 */
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
  /** A flat sheet in the xz plane, `size` along x and z: cloth, leather, a rubber mat. Particles at least `thickness` apart lie in one layer, with a row along the hem. */
  | { type: 'sheet'; size: readonly [number, number]; thickness: number }
  /** A round cord along a line of straight parts: a rope, a cable, a noodle. Particles at least a radius apart lie in sections of three. */
  | { type: 'cord'; path: readonly Vec3[]; radius: number }
  /**
   * The region between `min` and `max` where `distance` is negative. For sampling any function with the right sign
   * works. For a `shell` it should be a distance, as the walls are as thick as the function says.
   */
  | { type: 'implicit'; distance: (x: number, y: number, z: number) => number; min: Vec3; max: Vec3 }
  /**
   * `difference` is the first shape without all the others. Parts nearer to each other than `smooth` are blended: a
   * union has fillets, which extend at most a quarter of that beyond two parts; the others have round edges.
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
  sheet: ['size', 'thickness'],
  cord: ['path', 'radius'],
  implicit: ['distance', 'min', 'max'],
  union: ['of', 'smooth'],
  difference: ['of', 'smooth'],
  intersection: ['of', 'smooth'],
};

/**
 * Makes the solid of a description. `volume` is set if a formula gives it: for all but implicit functions and
 * combinations. Distances are exact, except that inside a union, outside a difference or an intersection and near
 * smooth seams they may be too small. `path` is the name that messages begin with.
 */
export function shapeSolid(shape: ShapeOptions, path = 'shape'): Solid {
  const { signed, outer, form, ...solid } = signedSolid(shape, path);
  const made: Solid = { ...solid, distance: (x, y, z, limit) => Math.abs(signed(x, y, z, limit)) };
  // Not enumerable: a caller's copy with another `distance` or `inside` has none.
  return withForm(Object.defineProperty(made, 'signed', { value: signed }), form);
}

function signedSolid(shape: ShapeOptions, path: string): SignedSolid {
  if (typeof shape !== 'object' || shape === null) refuse(path, shape, 'an object with a type');
  checkOneOf(`${path}.type`, shape.type, Object.keys(KEYS));
  checkKeys(path, shape, ['type', 'position', 'rotation', ...KEYS[shape.type]]);
  let solid = atOrigin(shape, path);
  if (shape.rotation !== undefined) solid = turned(solid, checkRotation(`${path}.rotation`, shape.rotation));
  return shape.position === undefined
    ? solid
    : moved(solid, checkPlace(`${path}.position`, checkVec3(`${path}.position`, shape.position)));
}

function atOrigin(shape: ShapeOptions, path: string): SignedSolid {
  const length = (key: string) => {
    const name = `${path}.${key}`;
    return checkLength(name, checkNumber(name, (shape as unknown as Record<string, unknown>)[key], { above: 0 }));
  };
  switch (shape.type) {
    case 'box':
      return box(checkSizes(`${path}.size`, shape.size));
    case 'sphere':
      return sphere(length('radius'));
    case 'ellipsoid':
      return ellipsoid(checkSizes(`${path}.radii`, shape.radii));
    case 'cylinder':
      return cylinder(length('radius'), length('height'));
    case 'capsule':
      return capsule(length('radius'), length('height'));
    case 'torus':
      checkNumber(`${path}.tube`, shape.tube, { above: 0, max: length('radius') });
      return torus(length('radius'), length('tube'));
    case 'sheet':
      return sheet(...checkSheetSize(`${path}.size`, shape.size), length('thickness'));
    case 'cord':
      return cord(checkPath(`${path}.path`, shape.path), length('radius'));
    case 'implicit':
      return implicit(shape, path);
    default:
      return combined(
        shape.type,
        checkParts(`${path}.of`, shape.of),
        checkNumber(`${path}.smooth`, checkNumber(`${path}.smooth`, shape.smooth ?? 0, { min: 0 }), {
          max: MAX_LENGTH,
        }),
        path,
      );
  }
}

function checkSizes(path: string, value: Vec3): Vec3 {
  const sizes = checkVec3(path, value);
  if (Math.min(...sizes) <= 0) refuse(path, value, 'three numbers above 0');
  for (const size of sizes) checkLength(path, size);
  return sizes;
}

function checkSheetSize(path: string, value: readonly [number, number]): [number, number] {
  if (!Array.isArray(value) || value.length !== 2 || !value.every((side) => typeof side === 'number' && side > 0))
    refuse(path, value, 'two numbers above 0');
  return [checkLength(`${path}[0]`, value[0]), checkLength(`${path}[1]`, value[1])];
}

function checkPath(path: string, value: readonly Vec3[]): Vec3[] {
  if (!Array.isArray(value) || value.length < 2) refuse(path, value, 'a list of two or more points');
  const points = value.map((point: Vec3, k) => checkPlace(`${path}[${k}]`, checkVec3(`${path}[${k}]`, point)));
  for (let k = 1; k < points.length; k++)
    if (points[k].every((c, a) => c === points[k - 1][a]))
      refuse(`${path}[${k}]`, value[k], 'another point than the one before it');
  return points;
}

function checkParts(path: string, of: readonly ShapeOptions[]): SignedSolid[] {
  if (!Array.isArray(of) || of.length === 0) refuse(path, of, 'a list of shapes');
  return of.map((part: ShapeOptions, k) => signedSolid(part, `${path}[${k}]`));
}

function implicit(shape: ShapeOptions & { type: 'implicit' }, path: string): SignedSolid {
  const { distance } = shape;
  if (typeof distance !== 'function') refuse(`${path}.distance`, distance, 'a function of x, y, z');
  const low = checkPlace(`${path}.min`, checkVec3(`${path}.min`, shape.min));
  const high = checkPlace(`${path}.max`, checkVec3(`${path}.max`, shape.max));
  for (let axis = 0; axis < 3; axis++)
    if (!(low[axis] < high[axis])) refuse(`${path}.max`, shape.max, `more than min (${low.join(', ')}) on every axis`);
    else checkLength(`${path}.max[${axis}] − min[${axis}]`, high[axis] - low[axis]);
  const signed = (x: number, y: number, z: number) => {
    const d = distance(x, y, z);
    if (typeof d !== 'number' || Number.isNaN(d)) refuse(`${path}.distance(${x}, ${y}, ${z})`, d, 'a number');
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
