import type { Vec3 } from '../check.js';

/** A body to be filled with particles. Everything that samples asks only this. */
export interface Solid {
  /** Corners of a box that holds the body; as tight as is cheaply known. */
  min: Vec3;
  max: Vec3;
  inside(x: number, y: number, z: number): boolean;
  /**
   * Distance to the surface, from either side; never above the true distance, unless `signOnly` is set. Where it is beyond
   * `limit`, any value from the limit on may be returned: it is then not worth finding.
   */
  distance(x: number, y: number, z: number, limit?: number): number;
  /**
   * For a solid whose inside can end where there is no surface, as in the hole of an open mesh: a distance within which it
   * does not, as long as the surface is not crossed.
   */
  clearance?(x: number, y: number, z: number): number;
  /** Exact where it is known in closed form; see `volumeOf` for the rest. */
  volume?: number;
  /**
   * True when distances say nothing about where `inside` changes (an implicit function of which only the sign is known):
   * every point has to be tested by itself, no region can be judged by its centre.
   */
  signOnly?: boolean;
  /** Throws where there is plainly no inside, before anybody tries to fill it. Obstacles need none. */
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
  if (solid.distance(x, y, z, 1.001 * reach) <= reach) return MIXED;
  if (solid.clearance && solid.clearance(x, y, z) <= reach) return MIXED;
  return solid.inside(x, y, z) ? INSIDE : OUTSIDE;
}

/** Longest side of a solid's box. */
export const extentOf = ({ min, max }: Solid) => Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
