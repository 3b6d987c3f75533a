import { elementary } from 'pliant';
import type { RotationFile } from './schema/primitives.js';

/** A rotation of a scene file as x, y, z, w. */
export function quaternion(rotation: RotationFile): [number, number, number, number] {
  if (Array.isArray(rotation)) return rotation;
  const { axis, degrees } = rotation;
  const half = (degrees * Math.PI) / 360;
  const scale = elementary.sin(half) / elementary.hypot(...axis);
  return [axis[0] * scale, axis[1] * scale, axis[2] * scale, elementary.cos(half)];
}
