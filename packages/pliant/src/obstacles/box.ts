import type { Vec3 } from '../check.js';
import { type Convex, type Hit, meetConvex, type Shape } from './shape.js';

/** A box around its own origin. A box with an edge of length 0 is a wall that stops particles on their path through it. */
export class BoxShape implements Shape, Convex {
  /** The box itself: minX, minY, minZ, maxX, maxY, maxZ (m). */
  readonly bounds: Float64Array;
  /** @internal 0: every path is swept, because near an edge the nearest face is often not the one that was crossed. */
  readonly grain = 0;
  private readonly half: Float64Array;

  /** @internal */
  constructor(
    /** Lengths of the edges (m). */
    readonly size: Vec3,
  ) {
    this.half = Float64Array.from(size, (s) => s / 2);
    const [x, y, z] = this.half;
    this.bounds = Float64Array.of(-x, -y, -z, x, y, z);
  }

  /** @internal */
  meet(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean {
    return meetConvex(this, out, ax, ay, az, bx, by, bz);
  }

  /** @internal */
  nearest(out: Hit, x: number, y: number, z: number): boolean {
    const { half } = this;
    const px = half[0] - Math.abs(x);
    const py = half[1] - Math.abs(y);
    const pz = half[2] - Math.abs(z);
    if (!(px > 0 && py > 0 && pz > 0)) return false;
    const axis = px < py ? (px < pz ? 0 : 2) : py < pz ? 1 : 2;
    face(out, axis, (axis === 0 ? x : axis === 1 ? y : z) < 0 ? -1 : 1);
    out.depth = Math.min(px, py, pz);
    return true;
  }

  /** @internal */
  near(out: Hit, x: number, y: number, z: number, reach: number): boolean {
    const { half } = this;
    const dx = x - Math.max(-half[0], Math.min(half[0], x));
    const dy = y - Math.max(-half[1], Math.min(half[1], y));
    const dz = z - Math.max(-half[2], Math.min(half[2], z));
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    // A point exactly on a face has no direction. It was put there with its LIFT, or does not touch at all.
    if (!(distance < reach) || distance === 0) return false;
    out.nx = dx / distance;
    out.ny = dy / distance;
    out.nz = dz / distance;
    out.depth = reach - distance;
    return true;
  }

  /** @internal Slab test (Kay and Kajiya 1986): the path is in the box from where it enters the last of the three slabs. */
  enter(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean {
    from[0] = ax;
    from[1] = ay;
    from[2] = az;
    to[0] = bx;
    to[1] = by;
    to[2] = bz;
    let first = -1;
    let last = 1;
    let axis = -1;
    for (let k = 0; k < 3; k++) {
      const d = to[k] - from[k];
      if (d === 0) {
        if (Math.abs(from[k]) > this.half[k]) return false;
        continue;
      }
      const side = d > 0 ? -1 : 1;
      const near = (side * this.half[k] - from[k]) / d;
      const far = (-side * this.half[k] - from[k]) / d;
      if (near > first) {
        first = near;
        axis = k;
      }
      if (far < last) last = far;
    }
    if (axis < 0 || first < 0 || first > last) return false;
    const side = to[axis] - from[axis] > 0 ? -1 : 1;
    face(out, axis, side);
    out.depth = this.half[axis] - side * to[axis];
    return true;
  }
}

const from = new Float64Array(3);
const to = new Float64Array(3);

function face(out: Hit, axis: number, side: number): void {
  out.nx = axis === 0 ? side : 0;
  out.ny = axis === 1 ? side : 0;
  out.nz = axis === 2 ? side : 0;
}
