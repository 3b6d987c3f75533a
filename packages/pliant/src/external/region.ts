import { checkDirection, checkKeys, checkNumber, checkOneOf, checkVec3, type Vec3 } from '../check.js';
import { squared } from '../math/elementary.js';

/**
 * A part of space that selects particles: for clamps by their rest or current position (`by`), for force fields by their current position.
 * Lengths are in metres. A half-space is where n·x > offset, with n the normal scaled to length 1.
 */
export type Region =
  /** Where n·x > offset. */
  | { type: 'halfspace'; normal: Vec3; offset: number }
  | { type: 'box'; min: Vec3; max: Vec3 }
  | { type: 'sphere'; centre: Vec3; radius: number };

export type Inside = (x: number, y: number, z: number) => boolean;

export function resolveRegion(path: string, region: Region): Inside {
  checkOneOf(`${path}.type`, (region as Region | undefined)?.type, ['halfspace', 'box', 'sphere']);
  switch (region.type) {
    case 'halfspace': {
      checkKeys(path, region, ['type', 'normal', 'offset']);
      const [a, b, c] = checkDirection(`${path}.normal`, region.normal);
      const offset = checkNumber(`${path}.offset`, region.offset);
      return (x, y, z) => a * x + b * y + c * z > offset;
    }
    case 'box': {
      checkKeys(path, region, ['type', 'min', 'max']);
      const min = checkVec3(`${path}.min`, region.min);
      const max = checkVec3(`${path}.max`, region.max);
      return (x, y, z) => x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2];
    }
    case 'sphere': {
      checkKeys(path, region, ['type', 'centre', 'radius']);
      const [a, b, c] = checkVec3(`${path}.centre`, region.centre);
      const radius = checkNumber(`${path}.radius`, region.radius, { min: 0 });
      return (x, y, z) => squared(x - a) + squared(y - b) + squared(z - c) <= radius * radius;
    }
  }
}
