import { checkNumber } from '../check.js';
import { checkLength } from '../limits.js';
import { formOf, shellForm, withForm } from './form.js';
import type { Solid } from './solid.js';

/**
 * The part of a solid within `thickness` (m) of its surface: a hollow body with walls. A thickness beyond the deepest point gives the whole solid.
 * Where parts of the solid overlap, walls follow `solid.distance`, the distance to the nearest part's surface. `path` is the name that messages begin
 * with.
 */
export function shell(solid: Solid, thickness: number, path = 'shell'): Solid {
  checkLength(path, checkNumber(path, thickness, { above: 0 }));
  const walls: Solid = {
    min: solid.min,
    max: solid.max,
    signOnly: solid.signOnly,
    clearance: solid.clearance,
    inside: (x, y, z) => solid.distance(x, y, z, 1.001 * thickness) <= thickness && solid.inside(x, y, z),
    // The inner wall is where the depth d equals the thickness. d changes by at most 1 per unit of length, so the wall
    // is at least |d − thickness| away. The side of the point matters only if that is the smaller of the two distances.
    distance(x, y, z, limit = Number.POSITIVE_INFINITY) {
      const d = solid.distance(x, y, z, thickness + limit);
      const toWall = Math.abs(thickness - d);
      return toWall < Math.min(d, limit) && solid.inside(x, y, z) ? toWall : d;
    },
  };
  return withForm(walls, shellForm(formOf(solid), thickness));
}
