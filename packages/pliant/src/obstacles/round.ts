import type { Vec3 } from '../check.js';
import { type Convex, type Hit, meetConvex, type Shape } from './shape.js';

/** A point nearer to the axis than this share of its coordinates counts as on it: its offset is rounding and has no direction. */
const ROUNDING = 1e-12;

/**
 * Everything within `radius` of a line whose middle is the origin. With a line of length 0 it is a ball, of finite length a capsule, of infinite
 * length a cylinder.
 */
export class RoundShape implements Shape, Convex {
  /** The box around it: minX, minY, minZ, maxX, maxY, maxZ (m); infinite for a cylinder. */
  readonly bounds: Float64Array;
  /** @internal A path of a quarter of the radius that ends outside has cut off less than 1 % of the radius. */
  readonly grain: number;

  /** @internal */
  constructor(
    /** Direction of the line, of length 1. */
    readonly axis: Vec3,
    /** Half of the line's length (m). */
    readonly half: number,
    /** Radius (m). */
    readonly radius: number,
  ) {
    this.grain = radius / 4;
    this.bounds = new Float64Array(6);
    for (let a = 0; a < 3; a++) {
      this.bounds[3 + a] = radius + (axis[a] === 0 ? 0 : half * Math.abs(axis[a]));
      this.bounds[a] = -this.bounds[3 + a];
    }
  }

  /** @internal */
  meet(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean {
    return meetConvex(this, out, ax, ay, az, bx, by, bz);
  }

  /** @internal */
  nearest(out: Hit, x: number, y: number, z: number): boolean {
    return this.within(out, x, y, z, this.radius);
  }

  /** @internal */
  near(out: Hit, x: number, y: number, z: number, reach: number): boolean {
    return this.within(out, x, y, z, this.radius + reach);
  }

  private within(out: Hit, x: number, y: number, z: number, radius: number): boolean {
    const { axis, half } = this;
    const along = x * axis[0] + y * axis[1] + z * axis[2];
    const on = Math.max(-half, Math.min(half, along));
    const rx = x - on * axis[0];
    const ry = y - on * axis[1];
    const rz = z - on * axis[2];
    const square = rx * rx + ry * ry + rz * rz;
    if (!(square < radius * radius)) return false;
    const distance = Math.sqrt(square);
    out.depth = radius - distance;
    if (distance > ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z))) {
      out.nx = rx / distance;
      out.ny = ry / distance;
      out.nz = rz / distance;
    } else acrossInto(out, axis);
    return true;
  }

  /** @internal */
  enter(out: Hit, ax: number, ay: number, az: number, bx: number, by: number, bz: number): boolean {
    const { axis, half, radius } = this;
    const [ux, uy, uz] = axis;
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    let first = Number.POSITIVE_INFINITY;
    let on = 0;
    if (half > 0) {
      // The lateral surface: only components across the axis matter.
      const d = dx * ux + dy * uy + dz * uz;
      const a = ax * ux + ay * uy + az * uz;
      const t = enterBall(ax - a * ux, ay - a * uy, az - a * uz, dx - d * ux, dy - d * uy, dz - d * uz, radius);
      if (Math.abs(a + t * d) <= half) {
        first = t;
        on = a + t * d;
      }
    }
    if (half < Number.POSITIVE_INFINITY)
      for (let end = -half; end <= half; end += 2 * half) {
        const t = enterBall(ax - end * ux, ay - end * uy, az - end * uz, dx, dy, dz, radius);
        if (t < first) {
          first = t;
          on = end;
        }
        if (half === 0) break;
      }
    if (!(first <= 1)) return false;
    normalInto(out, ax + first * dx - on * ux, ay + first * dy - on * uy, az + first * dz - on * uz, dx, dy, dz);
    out.depth = -(1 - first) * (dx * out.nx + dy * out.ny + dz * out.nz);
    return true;
  }
}

/** The share of the path d at which a point enters a ball around the origin; infinite if it does not. */
function enterBall(ax: number, ay: number, az: number, dx: number, dy: number, dz: number, radius: number): number {
  const dd = dx * dx + dy * dy + dz * dz;
  const ad = ax * dx + ay * dy + az * dz;
  if (!(ad < 0) || dd === 0) return Number.POSITIVE_INFINITY;
  // Computed from the nearest point of the line. The textbook |a|² − r² loses its digits where the path is long and the ball small.
  const nearest = -ad / dd;
  const px = ax + nearest * dx;
  const py = ay + nearest * dy;
  const pz = az + nearest * dz;
  const rest = radius * radius - (px * px + py * py + pz * pz);
  if (rest < 0) return Number.POSITIVE_INFINITY;
  const t = nearest - Math.sqrt(rest / dd);
  return t >= 0 ? t : Number.POSITIVE_INFINITY;
}

/** Writes the direction of p. For p = 0 (a shape of radius 0, hit exactly at its centre) the direction is against the path d. */
function normalInto(out: Hit, px: number, py: number, pz: number, dx: number, dy: number, dz: number): void {
  let length = Math.sqrt(px * px + py * py + pz * pz);
  if (length === 0) {
    [px, py, pz] = [-dx, -dy, -dz];
    length = Math.sqrt(px * px + py * py + pz * pz);
  }
  out.nx = px / length;
  out.ny = py / length;
  out.nz = pz / length;
}

/** Writes a direction across the axis, for a point on the axis, where all such directions are equally short. */
function acrossInto(out: Hit, [x, y, z]: Vec3): void {
  const [a, b, c] = Math.abs(x) < 0.9 ? [0, z, -y] : [-z, 0, x];
  const length = Math.sqrt(a * a + b * b + c * c);
  out.nx = a / length;
  out.ny = b / length;
  out.nz = c / length;
}
