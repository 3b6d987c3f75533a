/** How a particle meets a shape, in the shape's own space: its way out is `depth` along the unit normal. */
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
  /** @internal Whether a particle that went from a to b, as the shape saw it, is in the shape or went through it. */
  meet(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean;
  /** @internal Whether a point that is not in the shape is nearer to it than `reach`, and its shortest way to that distance. */
  near(out: Hit, x: number, y: number, z: number, reach: number): boolean;
}

/** The same for a particle whose body ends `reach` beyond it: what it goes through, or into, is still found by the particle itself. */
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

/** What a convex shape knows of itself; `meetConvex` makes the rest of it. */
export interface Convex {
  /** @internal Ways longer than this (m) are swept: it must be well below the shape's thickness. */
  readonly grain: number;
  /** @internal Whether the point is inside, and its shortest way out. */
  nearest(out: Hit, x: number, y: number, z: number): boolean;
  /** @internal Whether the way from a point outside enters the shape; `depth` is then b's below the surface's tangent plane there. */
  enter(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean;
}

/**
 * A particle leaves by the side it came in at, whichever side is nearest to where a long step took it: a thin wall would
 * otherwise let half of them through. One that began inside (it was put there) counts as having come in by its nearest side.
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
