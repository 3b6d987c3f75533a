import type { Vec3 } from '../check.js';
import { ellipsoidDistance } from './ellipsoidDistance.js';
import { FormKind, leafForm, type SolidForm } from './form.js';
import type { Middle } from './middle.js';

/** A solid with signed distances, negative inside, so that it can be combined with others. */
export interface SignedSolid {
  min: Vec3;
  max: Vec3;
  inside(x: number, y: number, z: number): boolean;
  /**
   * Signed distance to the surface. If its magnitude is above `limit`, any value of at least that magnitude and of the
   * right sign may be returned.
   */
  signed(x: number, y: number, z: number, limit?: number): number;
  /** For a solid whose distances take long: a lower or an upper bound of the distance from a point outside. */
  outer?(x: number, y: number, z: number, upper?: boolean): number;
  volume?: number;
  signOnly?: boolean;
  middle?: Middle;
  /** The solid as numbers, for the kernels. */
  form?: SolidForm;
}

const { PI, abs, max, min, sqrt } = Math;

/** Signed distance to the box |a| ≤ 0, |b| ≤ 0, |c| ≤ 0 given the signed distances to its three slabs. */
function fromSlabs(a: number, b: number, c: number): number {
  const x = max(a, 0);
  const y = max(b, 0);
  const z = max(c, 0);
  return sqrt(x * x + y * y + z * z) + min(max(a, b, c), 0);
}

const around = (x: number, y: number, z: number) => ({ min: [-x, -y, -z] as Vec3, max: [x, y, z] as Vec3 });

export function box([sx, sy, sz]: Vec3): SignedSolid {
  const [hx, hy, hz] = [sx / 2, sy / 2, sz / 2];
  return {
    ...around(hx, hy, hz),
    inside: (x, y, z) => abs(x) <= hx && abs(y) <= hy && abs(z) <= hz,
    signed: (x, y, z) => fromSlabs(abs(x) - hx, abs(y) - hy, abs(z) - hz),
    volume: sx * sy * sz,
    form: leafForm(FormKind.BOX, [hx, hy, hz], around(hx, hy, hz)),
  };
}

export function sphere(r: number): SignedSolid {
  return {
    ...around(r, r, r),
    inside: (x, y, z) => x * x + y * y + z * z <= r * r,
    signed: (x, y, z) => sqrt(x * x + y * y + z * z) - r,
    volume: (4 / 3) * PI * r * r * r,
    form: leafForm(FormKind.SPHERE, [r], around(r, r, r)),
  };
}

export function ellipsoid([a, b, c]: Vec3): SignedSolid {
  const least = min(a, b, c);
  const size = (x: number, y: number, z: number) => {
    const u = x / a;
    const v = y / b;
    const w = z / c;
    return u * u + v * v + w * w;
  };
  return {
    ...around(a, b, c),
    inside: (x, y, z) => size(x, y, z) <= 1,
    signed(x, y, z, limit = Number.POSITIVE_INFINITY) {
      const square = size(x, y, z);
      const sign = square <= 1 ? -1 : 1;
      // p/e| changes by at most 1/e_min per length, so this bound never exceeds the distance. It decides for most far points.
      const bound = abs(sqrt(square) - 1) * least;
      return sign * (bound > limit ? bound : ellipsoidDistance(a, b, c, x, y, z));
    },
    // With n = ∇|p/e|²/2, the plane of normal n that touches the ellipsoid is a distance (|p/e|² − |p/e|)/|n| away. Along −n the surface is met at the smaller root of a quadratic equation.
    outer(x, y, z, upper) {
      const square = size(x, y, z);
      const u = x / (a * a);
      const v = y / (b * b);
      const w = z / (c * c);
      const n2 = u * u + v * v + w * w;
      const n = sqrt(n2);
      if (!upper) return (square - sqrt(square)) / n;
      const discriminant = n2 - (size(u, v, w) / n2) * (square - 1);
      return discriminant > 0 ? (square - 1) / (n + sqrt(discriminant)) : sqrt(x * x + y * y + z * z);
    },
    volume: (4 / 3) * PI * a * b * c,
    form: leafForm(FormKind.ELLIPSOID, [a, b, c], around(a, b, c)),
  };
}

/** Along y, between −height/2 and height/2. */
export function cylinder(r: number, height: number): SignedSolid {
  const h = height / 2;
  return {
    ...around(r, h, r),
    inside: (x, y, z) => x * x + z * z <= r * r && abs(y) <= h,
    signed: (x, y, z) => fromSlabs(sqrt(x * x + z * z) - r, abs(y) - h, Number.NEGATIVE_INFINITY),
    volume: PI * r * r * height,
    form: leafForm(FormKind.CYLINDER, [r, h], around(r, h, r)),
  };
}

/** A cylinder along y of the given height with a half sphere on each end. */
export function capsule(r: number, height: number): SignedSolid {
  const h = height / 2;
  const squared = (x: number, y: number, z: number) => {
    const beyond = max(abs(y) - h, 0);
    return x * x + beyond * beyond + z * z;
  };
  return {
    ...around(r, h + r, r),
    inside: (x, y, z) => squared(x, y, z) <= r * r,
    signed: (x, y, z) => sqrt(squared(x, y, z)) - r,
    volume: PI * r * r * (height + (4 / 3) * r),
    form: leafForm(FormKind.CAPSULE, [r, h], around(r, h + r, r)),
  };
}

/** A ring of the given radius in the xz plane, with a tube of radius `tube` around it. */
export function torus(r: number, tube: number): SignedSolid {
  const squared = (x: number, y: number, z: number) => {
    const q = sqrt(x * x + z * z) - r;
    return q * q + y * y;
  };
  return {
    ...around(r + tube, tube, r + tube),
    inside: (x, y, z) => squared(x, y, z) <= tube * tube,
    signed: (x, y, z) => sqrt(squared(x, y, z)) - tube,
    volume: 2 * PI * PI * r * tube * tube,
    form: leafForm(FormKind.TORUS, [r, tube], around(r + tube, tube, r + tube)),
  };
}
