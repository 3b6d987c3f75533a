import { checkNumber } from '../check.js';
import { checkLength } from '../limits.js';
import type { Solid } from './solid.js';

/**
 * The part of a solid within `thickness` of its surface: a hollow body with walls of that thickness. A thickness beyond
 * the deepest point gives the whole solid.
 *
 * The walls follow `solid.distance`: in the overlap of a union, and at inner walls of a mesh of overlapping shells, that
 * is the distance to the nearest part's surface.
 */
export function shell(solid: Solid, thickness: number, path = 'shell'): Solid {
  checkLength(path, checkNumber(path, thickness, { above: 0 }));
  return {
    min: solid.min,
    max: solid.max,
    signOnly: solid.signOnly,
    clearance: solid.clearance,
    inside: (x, y, z) => solid.distance(x, y, z, 1.001 * thickness) <= thickness && solid.inside(x, y, z),
    // The inner wall is where the depth d equals the thickness; as d changes by at most 1 per unit of length, the wall is
    // at least |d − thickness| away. On which side the point is matters only where that is the nearer of the two.
    distance(x, y, z, limit = Number.POSITIVE_INFINITY) {
      const d = solid.distance(x, y, z, thickness + limit);
      const toWall = Math.abs(thickness - d);
      return toWall < Math.min(d, limit) && solid.inside(x, y, z) ? toWall : d;
    },
  };
}
