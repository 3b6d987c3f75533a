import type { Vec3 } from '../check.js';
import { pseudoInverseOf } from '../math/pseudoInverse.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** The rigid part of a body's motion: sums over its particles in f64. */
export interface RigidMotion {
  /** kg. */
  readonly mass: number;
  /** m. */
  readonly centre: Vec3;
  /** m/s. */
  readonly linear: Vec3;
  /** rad/s. */
  readonly angular: Vec3;
  /** Pseudo-inverse of the inertia about the centre (1/(kg m²)), nine numbers; symmetric. */
  readonly inertiaInverse: Float64Array;
}

/** Axis-aligned box (m). */
export interface Bounds {
  /** Smallest x, y and z (m). */
  readonly min: Vec3;
  /** Largest x, y and z (m). */
  readonly max: Vec3;
}

type Particles = Pick<Rows, 'particleStart' | 'particleEnd'>;

/** Total mass (kg). */
export function massOf({ x }: Views, { particleStart, particleEnd }: Particles): number {
  let mass = 0;
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) mass += x[o + 3];
  return mass;
}

/** Mean of three of four numbers a row, by mass. */
function meanOf(
  values: Float32Array,
  { x }: Views,
  { particleStart, particleEnd }: Particles,
): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let mass = 0;
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
    for (let a = 0; a < 3; a++) sum[a] += x[o + 3] * values[o + a];
    mass += x[o + 3];
  }
  for (let a = 0; a < 3; a++) sum[a] /= mass;
  return sum;
}

/** Centre of mass (m). */
export const centreOf = (s: Views, rows: Particles): Vec3 => meanOf(s.x, s, rows);

/** Velocity of the centre of mass (m/s). */
export const linearVelocityOf = (s: Views, rows: Particles): Vec3 => meanOf(s.v, s, rows);

/** The box around the particles. */
export function boundsOf({ x }: Views, { particleStart, particleEnd }: Particles): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4)
    for (let a = 0; a < 3; a++) {
      if (x[o + a] < min[a]) min[a] = x[o + a];
      if (x[o + a] > max[a]) max[a] = x[o + a];
    }
  return { min, max };
}

/**
 * A moment of inertia below this share of their sum counts as 0: that of particles on a line, about the line. f32
 * coordinates leave about 1e-7 there. The value is that of a rod whose thickness is a thousandth of its length.
 */
const LINE = 1e-6;

const inertia = new Float64Array(9);
const vectors = new Float64Array(9);

/**
 * Centre, linear and angular velocity. The angular velocity is ω = I⁺ L with the present inertia I and angular momentum
 * L, both about the centre of mass. I⁺ is the pseudo-inverse: particles on a line have no ω about the line, particles
 * in one place have none.
 */
export function rigidMotionOf(s: Views, rows: Particles): RigidMotion {
  const { x, v } = s;
  const mass = massOf(s, rows);
  const centre = meanOf(x, s, rows);
  const linear = meanOf(v, s, rows);
  const spin = [0, 0, 0];
  inertia.fill(0);
  for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4) {
    const m = x[o + 3];
    const [rx, ry, rz] = [x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]];
    const [ux, uy, uz] = [v[o] - linear[0], v[o + 1] - linear[1], v[o + 2] - linear[2]];
    spin[0] += m * (ry * uz - rz * uy);
    spin[1] += m * (rz * ux - rx * uz);
    spin[2] += m * (rx * uy - ry * ux);
    inertia[0] += m * (ry * ry + rz * rz);
    inertia[4] += m * (rz * rz + rx * rx);
    inertia[8] += m * (rx * rx + ry * ry);
    inertia[1] -= m * rx * ry;
    inertia[2] -= m * rx * rz;
    inertia[5] -= m * ry * rz;
  }
  inertia[3] = inertia[1];
  inertia[6] = inertia[2];
  inertia[7] = inertia[5];
  const inertiaInverse = new Float64Array(9);
  pseudoInverseOf(inertiaInverse, inertia, vectors, 3, LINE * (inertia[0] + inertia[4] + inertia[8]));
  return { mass, centre, linear, angular: timesVector(inertiaInverse, spin), inertiaInverse };
}

/** m · v of a symmetric matrix of nine numbers. */
export const timesVector = (m: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] => [
  m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
  m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
  m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
];

/** a × b. */
export const cross = (a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
