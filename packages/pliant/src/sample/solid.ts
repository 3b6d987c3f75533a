import type { Vec3 } from '../check.js';
import type { Middle } from './middle.js';

/** A solid that can be filled with particles. `shapeSolid` and `meshSolid` make one. */
export interface Solid {
  /** Lower corner of a box that holds the solid (m). */
  min: Vec3;
  /** Upper corner of that box (m). */
  max: Vec3;
  /** Whether a point is inside. */
  inside(x: number, y: number, z: number): boolean;
  /**
   * Distance from a point to the surface, from either side (m). It may be too small, but never too large, unless `signOnly` is set. If the distance
   * is above `limit`, any value from `limit` on may be returned, which saves time.
   */
  distance(x: number, y: number, z: number, limit?: number): number;
  /**
   * Only for a solid whose inside can end without a surface, as in the hole of an open mesh: a distance (m) within
   * which the inside does not end, as long as the surface is not crossed.
   */
  clearance?(x: number, y: number, z: number): number;
  /** @internal `distance` with a sign, negative inside. If it is positive, the point is outside. */
  signed?(x: number, y: number, z: number, limit?: number): number;
  /** The volume (m³), if a formula gives it. `volumeOf` estimates the others. */
  volume?: number;
  /**
   * True if `distance` is no distance, as for an implicit function of which only the sign is known. Then every point is
   * tested separately, which is slower.
   */
  signOnly?: boolean;
  /** @internal The middle of a sheet or a cord, along which particles lie that are farther apart than it is thick. */
  middle?: Middle;
  /** Throws a PliantError if the solid has no inside. */
  checkInside?(): void;
}

export const OUTSIDE = 0;
export const INSIDE = 1;
export const MIXED = 2;

/** Whether a box, given by centre and half extents, lies wholly inside or outside of a solid, or may hold both. */
export function classifyBox(
  solid: Solid,
  x: number,
  y: number,
  z: number,
  hx: number,
  hy: number,
  hz: number,
): typeof OUTSIDE | typeof INSIDE | typeof MIXED {
  if (solid.signOnly) return MIXED;
  const reach = Math.sqrt(hx * hx + hy * hy + hz * hz);
  const distance = solid.signed ? solid.signed(x, y, z, 1.001 * reach) : solid.distance(x, y, z, 1.001 * reach);
  if (Math.abs(distance) <= reach) return MIXED;
  if (solid.signed && distance > 0) return OUTSIDE;
  if (solid.clearance && solid.clearance(x, y, z) <= reach) return MIXED;
  return solid.inside(x, y, z) ? INSIDE : OUTSIDE;
}

/** Longest side of a solid's box. */
export const extentOf = ({ min, max }: Solid) => Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
