import { refuse } from '../check.js';
import { acos, atan2, cos, hypot, sin } from '../math/elementary.js';

/** A rotation as a quaternion x, y, z, w, in the order of three.js. Options accept any length but 0. */
export type Quaternion = readonly [number, number, number, number];

/** Position and rotation of an obstacle. World = matrix · own + position. */
export class Pose {
  readonly position: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = Float64Array.of(0, 0, 0, 1);
  /** The rotation as a matrix, by columns. */
  readonly matrix: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

  set(position: ArrayLike<number>, rotation: ArrayLike<number>): this {
    this.position.set(position);
    this.rotation.set(rotation);
    matrixInto(this.matrix, this.rotation);
    return this;
  }

  copy(other: Pose): void {
    this.position.set(other.position);
    this.rotation.set(other.rotation);
    this.matrix.set(other.matrix);
  }

  /** Interpolates towards another pose by `share`. Rotations take the shorter way, along the chord, and are normalized. */
  moveTowards({ position, rotation }: Pose, share: number): void {
    const { position: p, rotation: q } = this;
    for (let a = 0; a < 3; a++) p[a] += share * (position[a] - p[a]);
    const dot = q[0] * rotation[0] + q[1] * rotation[1] + q[2] * rotation[2] + q[3] * rotation[3];
    for (let k = 0; k < 4; k++) q[k] += share * ((dot < 0 ? -rotation[k] : rotation[k]) - q[k]);
    const length = hypot(q[0], q[1], q[2], q[3]);
    for (let k = 0; k < 4; k++) q[k] /= length;
    matrixInto(this.matrix, q);
  }

  /** out := a point of the world in the obstacle's coordinates. */
  ownInto(out: Float64Array, x: number, y: number, z: number): void {
    const { position: p, matrix: m } = this;
    const dx = x - p[0];
    const dy = y - p[1];
    const dz = z - p[2];
    out[0] = m[0] * dx + m[1] * dy + m[2] * dz;
    out[1] = m[3] * dx + m[4] * dy + m[5] * dz;
    out[2] = m[6] * dx + m[7] * dy + m[8] * dz;
  }

  /** out := a direction of the obstacle in world coordinates. */
  turnInto(out: Float64Array, x: number, y: number, z: number): void {
    const m = this.matrix;
    out[0] = m[0] * x + m[3] * y + m[6] * z;
    out[1] = m[1] * x + m[4] * y + m[7] * z;
    out[2] = m[2] * x + m[5] * y + m[8] * z;
  }
}

/** Validates a rotation and normalizes it. */
export function checkRotation(path: string, value: unknown): Quaternion {
  const q = value as ArrayLike<number>;
  const sound = typeof value === 'object' && value !== null && q.length === 4 && Array.from(q).every(Number.isFinite);
  const length = sound ? hypot(q[0], q[1], q[2], q[3]) : 0;
  if (!(length >= 1e-12)) refuse(path, value, 'a quaternion x, y, z, w of non-zero length');
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

function matrixInto(out: Float64Array, q: Float64Array): void {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y + z * w);
  out[2] = 2 * (x * z - y * w);
  out[3] = 2 * (x * y - z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z + x * w);
  out[6] = 2 * (x * z + y * w);
  out[7] = 2 * (y * z - x * w);
  out[8] = 1 - 2 * (x * x + y * y);
}

/** out := rotation by |ω|·t about ω, applied after the rotation q. */
export function spinInto(out: Float64Array, q: ArrayLike<number>, w: ArrayLike<number>, t: number): void {
  const rate = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const sine = rate > 0 ? sin((rate * t) / 2) / rate : 0;
  const cosine = cos((rate * t) / 2);
  const x = sine * w[0];
  const y = sine * w[1];
  const z = sine * w[2];
  const qx = q[0];
  const qy = q[1];
  const qz = q[2];
  const qw = q[3];
  out[0] = cosine * qx + x * qw + y * qz - z * qy;
  out[1] = cosine * qy + y * qw + z * qx - x * qz;
  out[2] = cosine * qz + z * qw + x * qy - y * qx;
  out[3] = cosine * qw - x * qx - y * qy - z * qz;
}

/** out := angular velocity (rad/s) that takes one rotation to the other in h seconds by the shorter way. */
export function angularVelocityInto(out: Float64Array, from: Float64Array, to: Float64Array, h: number): void {
  // to · from⁻¹
  const w = to[3] * from[3] + to[0] * from[0] + to[1] * from[1] + to[2] * from[2];
  const x = -to[3] * from[0] + to[0] * from[3] - to[1] * from[2] + to[2] * from[1];
  const y = -to[3] * from[1] + to[1] * from[3] - to[2] * from[0] + to[0] * from[2];
  const z = -to[3] * from[2] + to[2] * from[3] - to[0] * from[1] + to[1] * from[0];
  const sine = Math.sqrt(x * x + y * y + z * z);
  // angle / sine → 2 as both vanish. q and −q are the same rotation; the one with w > 0 is the shorter way.
  const size = (sine > 1e-9 ? (2 * atan2(sine, Math.abs(w))) / sine : 2) / h;
  const scale = w < 0 ? -size : size;
  out[0] = scale * x;
  out[1] = scale * y;
  out[2] = scale * z;
}

/** out := interpolation between two rotations at constant angular speed (Shoemake 1985). Requires a·b ≥ 0. */
export function slerpInto(out: Float64Array, a: ArrayLike<number>, b: ArrayLike<number>, share: number): void {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  let from = 1 - share;
  let to = share;
  // Nearly equal rotations are interpolated linearly; the error is below the square of the angle.
  if (cosine < 1 - 1e-9) {
    const angle = acos(cosine);
    from = sin(from * angle) / sin(angle);
    to = sin(to * angle) / sin(angle);
  }
  let square = 0;
  for (let k = 0; k < 4; k++) {
    out[k] = from * a[k] + to * b[k];
    square += out[k] * out[k];
  }
  for (let k = 0; k < 4; k++) out[k] /= Math.sqrt(square);
}
