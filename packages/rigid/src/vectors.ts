import type { Quaternion, Vec3 } from 'pliant';

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [s * a[0], s * a[1], s * a[2]];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A vector turned by a quaternion of length 1: p + 2 w (u × p) + 2 u × (u × p). */
export function rotate([x, y, z, w]: Quaternion, p: Vec3): Vec3 {
  const u: Vec3 = [x, y, z];
  const t = scale(cross(u, p), 2);
  return add(add(p, scale(t, w)), cross(u, t));
}

/** First b, then a. */
export const multiply = ([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

export const conjugate = ([x, y, z, w]: Quaternion): Quaternion => [-x, -y, -z, w];

/** Floats of other engines drift; the engine takes quaternions of length 1. */
export function unit([x, y, z, w]: Quaternion): Quaternion {
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return length > 0 ? [x / length, y / length, z / length, w / length] : [0, 0, 0, 1];
}
