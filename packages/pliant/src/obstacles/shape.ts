/** Contact of a particle with a shape, in the shape's own space: the particle leaves by `depth` along the unit normal. */
export interface Hit {
  depth: number;
  nx: number;
  ny: number;
  nz: number;
}

export const newHit = (): Hit => ({ depth: 0, nx: 0, ny: 1, nz: 0 });

/** The geometry of an obstacle in its own axes, about its own origin. */
export interface Shape {
  /** The box around it: minX, minY, minZ, maxX, maxY, maxZ (m); infinite where the shape is. */
  readonly bounds: Float64Array;
  /** @internal Whether a particle that went from a to b, in the shape's coordinates, is in the shape or went through it. */
  meet(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean;
  /** @internal Whether a point outside the shape is nearer to it than `reach`; if so, the shortest displacement to that distance. */
  near(out: Hit, x: number, y: number, z: number, reach: number): boolean;
}

/**
 * As `Shape.meet`, for a particle whose body's surface lies `reach` beyond it. Paths through or into the shape are still found by the
 * particle itself.
 */
export function meetReaching(
  shape: Shape,
  out: Hit,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  reach: number,
): boolean {
  if (!shape.meet(out, ax, ay, az, bx, by, bz)) return reach > 0 && shape.near(out, bx, by, bz, reach);
  out.depth += reach;
  return true;
}

/** The tests that a convex shape provides; `meetConvex` builds `meet` from them. */
export interface Convex {
  /** @internal Paths longer than this (m) are swept. It must be well below the shape's thickness. */
  readonly grain: number;
  /** @internal Whether the point is inside; if so, its shortest way out. */
  nearest(out: Hit, x: number, y: number, z: number): boolean;
  /** @internal Whether the path from a point outside enters the shape; `depth` is then that of b below the tangent plane at the entry. */
  enter(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean;
}

/**
 * A particle leaves by the side where it came in, not by the side nearest to the end of a long step. Otherwise half of the particles would
 * pass a thin wall. A particle that began inside (it was put there) counts as having come in by its nearest side.
 */
export function meetConvex(
  shape: Convex,
  out: Hit,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): boolean {
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  if (dx * dx + dy * dy + dz * dz > shape.grain * shape.grain) {
    if (shape.nearest(out, ax, ay, az)) {
      const along = dx * out.nx + dy * out.ny + dz * out.nz;
      if (along < 0) {
        out.depth -= along;
        return true;
      }
    } else if (shape.enter(out, ax, ay, az, bx, by, bz)) return true;
  }
  return shape.nearest(out, bx, by, bz);
}
