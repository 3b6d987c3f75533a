import { squared } from '../math/elementary.js';
import { invertInertiaInto } from '../math/inertia.js';
import { polarInto } from '../math/polar.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';

/**
 * The motion of a rigid body within the stage: one row of numbers for each body of the world.
 * - CENTRE: centre of mass at the end of the substep as predicted (m).
 * - LINEAR, ANGULAR: velocity (m/s, rad/s). They follow each other, in this order, as do the next two.
 * - SHIFT, TURN: displacement and rotation vector of the position solve (m, rad).
 * - INVERSE_MASS (1/kg), INVERSE_INERTIA (1/(kg m²)): xx yy zz xy xz yz.
 * - FORMER: LINEAR and ANGULAR before the solve.
 * - ROTATION: that of the rest shape, by columns.
 * - INERTIA about the centre (kg m²): xx yy zz xy xz yz.
 */
export const Motion = {
  CENTRE: 0,
  LINEAR: 3,
  ANGULAR: 6,
  SHIFT: 9,
  TURN: 12,
  INVERSE_MASS: 15,
  INVERSE_INERTIA: 16,
  FORMER: 22,
  ROTATION: 28,
  INERTIA: 37,
  ROW: 44,
} as const;

const { CENTRE, LINEAR, ANGULAR, SHIFT, TURN, INVERSE_MASS, INVERSE_INERTIA, FORMER, ROTATION, INERTIA } = Motion;

/**
 * A body whose particles are nearer to each other than POINT of their reach is a point; so is one that is smaller than HASTY of its way in a substep, or than FAR of its distance from the
 * origin. Places of contact are known no better than that, and levers longer than the body would turn the slightest impulse into any speed.
 */
const POINT = 1e-4;
const HASTY = 0.01;
const FAR = 1e-6;

const moment = new Float64Array(9);
const rotation = new Float64Array(9);
const inertia = new Float64Array(6);
/** Results of kernels.sumMotion and sumRigid, and the motion that kernels read: centre, velocity, spin, rotation. */
const sums = new Float64Array(9);
const parts = new Float64Array(18);
const motion = new Float64Array(18);

/**
 * Reads the rigid motion of a body of one cluster into the row at m[o…]: the centre and the velocity of its mass, and the rotation that
 * brings its rest shape nearest to its particles. That rotation, of Σ m (x − c) pᵀ, and an angular velocity that keeps the angular
 * momentum conserve both momenta.
 */
export function readMotion(
  m: Float64Array,
  o: number,
  { kernels, h, state: { views: s } }: Pick<World, 'kernels' | 'h' | 'state'>,
  { particleStart, particleEnd, clusterStart }: Rows,
): void {
  kernels.sumMotion(sums, particleStart, particleEnd);
  const mass = sums[3];
  for (let a = 0; a < 3; a++) {
    motion[a] = m[o + CENTRE + a] = s.x[4 * particleStart + a] + sums[a] / mass;
    motion[3 + a] = m[o + LINEAR + a] = sums[4 + a] / mass;
  }
  kernels.sumRigid(parts, clusterStart, motion);
  for (let k = 0; k < 9; k++) moment[k] = parts[k];
  polarInto(rotation, moment);
  for (let k = 0; k < 9; k++) m[o + ROTATION + k] = rotation[k];
  turnMoments(12);
  // A point does not turn.
  const [x, y, z, vx, vy, vz] = motion;
  const least = Math.max(
    POINT * s.reach[particleStart],
    HASTY * h * Math.sqrt(vx * vx + vy * vy + vz * vz),
    FAR * Math.max(Math.abs(x), Math.abs(y), Math.abs(z)),
  );
  if (inertia[0] + inertia[1] + inertia[2] < mass * squared(least)) inertia.fill(0);
  for (let k = 0; k < 6; k++) m[o + INERTIA + k] = inertia[k];
  invertInertiaInto(m, o + INVERSE_INERTIA, inertia);
  for (let a = 0; a < 3; a++) m[o + ANGULAR + a] = timesInertia(m, o, a, parts[9], parts[10], parts[11]);
  m[o + INVERSE_MASS] = 1 / mass;
  for (let a = 0; a < 6; a++) {
    m[o + SHIFT + a] = 0;
    m[o + FORMER + a] = m[o + LINEAR + a];
  }
}

/** inertia := that of the turned rest shape, tr S − R S Rᵀ, with S = Σ m p pᵀ at parts[at…] as xx yy zz xy xz yz. */
function turnMoments(at: number): void {
  const [xx, yy, zz] = [parts[at], parts[at + 1], parts[at + 2]];
  const [xy, xz, yz] = [parts[at + 3], parts[at + 4], parts[at + 5]];
  const [ax, bx, cx] = [rotation[0], rotation[3], rotation[6]];
  const [ay, by, cy] = [rotation[1], rotation[4], rotation[7]];
  const [az, bz, cz] = [rotation[2], rotation[5], rotation[8]];
  // Rows of R S.
  const [px, qx, rx] = [ax * xx + bx * xy + cx * xz, ax * xy + bx * yy + cx * yz, ax * xz + bx * yz + cx * zz];
  const [py, qy, ry] = [ay * xx + by * xy + cy * xz, ay * xy + by * yy + cy * yz, ay * xz + by * yz + cy * zz];
  const [pz, qz, rz] = [az * xx + bz * xy + cz * xz, az * xy + bz * yy + cz * yz, az * xz + bz * yz + cz * zz];
  const [sx, sy, sz] = [px * ax + qx * bx + rx * cx, py * ay + qy * by + ry * cy, pz * az + qz * bz + rz * cz];
  inertia[0] = sy + sz;
  inertia[1] = sx + sz;
  inertia[2] = sx + sy;
  inertia[3] = -(px * ay + qx * by + rx * cy);
  inertia[4] = -(px * az + qx * bz + rx * cz);
  inertia[5] = -(py * az + qy * bz + ry * cz);
}

/** Coordinate a of I⁻¹ (x, y, z). */
export function timesInertia(m: Float64Array, o: number, a: number, x: number, y: number, z: number): number {
  const i = o + INVERSE_INERTIA;
  if (a === 0) return m[i] * x + m[i + 3] * y + m[i + 4] * z;
  return a === 1 ? m[i + 3] * x + m[i + 1] * y + m[i + 5] * z : m[i + 4] * x + m[i + 5] * y + m[i + 2] * z;
}

const turn = new Float64Array(9);

/**
 * Writes positions and velocities of the particles from a row. The velocity solve acts within the substep: the body moves by h times what it
 * changed, beside the displacement of the position solve.
 */
export function writeMotion(
  m: Float64Array,
  o: number,
  { kernels }: Pick<World, 'kernels'>,
  { clusterStart }: Rows,
  h: number,
): void {
  for (let a = 0; a < 3; a++) {
    motion[a] = m[o + CENTRE + a] + (h * (m[o + LINEAR + a] - m[o + FORMER + a]) + m[o + SHIFT + a]);
    motion[3 + a] = m[o + LINEAR + a];
    motion[6 + a] = m[o + ANGULAR + a];
  }
  turnInto(
    turn,
    h * (m[o + ANGULAR] - m[o + FORMER + 3]) + m[o + TURN],
    h * (m[o + ANGULAR + 1] - m[o + FORMER + 4]) + m[o + TURN + 1],
    h * (m[o + ANGULAR + 2] - m[o + FORMER + 5]) + m[o + TURN + 2],
  );
  for (let j = 0; j < 3; j++)
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let b = 0; b < 3; b++) sum += turn[3 * b + a] * m[o + ROTATION + 3 * j + b];
      motion[9 + 3 * j + a] = sum;
    }
  kernels.placeRigid(clusterStart, motion);
}

/** The rotation of a rotation vector (rad) that is small: that of the quaternion (½ θ, 1), which has 2 atan |½ θ| in place of |θ|. */
function turnInto(out: Float64Array, tx: number, ty: number, tz: number): void {
  const length = Math.sqrt(1 + 0.25 * (tx * tx + ty * ty + tz * tz));
  const [x, y, z, w] = [(0.5 * tx) / length, (0.5 * ty) / length, (0.5 * tz) / length, 1 / length];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y + w * z);
  out[2] = 2 * (x * z - w * y);
  out[3] = 2 * (x * y - w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z + w * x);
  out[6] = 2 * (x * z + w * y);
  out[7] = 2 * (y * z - w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}

/** Kinetic energy (J) of the body of a row with the linear and angular velocity at v[at…]. */
export function energyOf(m: Float64Array, o: number, v: Float64Array, at: number): number {
  const i = o + INERTIA;
  const [wx, wy, wz] = [v[at + 3], v[at + 4], v[at + 5]];
  const linear = (v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]) / m[o + INVERSE_MASS];
  const angular =
    m[i] * wx * wx +
    m[i + 1] * wy * wy +
    m[i + 2] * wz * wz +
    2 * (m[i + 3] * wx * wy + m[i + 4] * wx * wz + m[i + 5] * wy * wz);
  return 0.5 * (linear + angular);
}
