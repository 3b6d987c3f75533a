import { squared } from '../math/elementary.js';
import { invertInertiaInto } from '../math/inertia.js';
import { polarInto } from '../math/polar.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

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

/** A body whose particles are nearer to each other than this share of their reach is a point. */
const POINT = 1e-4;

const moment = new Float64Array(9);
const rotation = new Float64Array(9);
const inertia = new Float64Array(6);
const spin = new Float64Array(3);

/**
 * Reads the rigid motion of a body of one cluster into the row at m[o…]: the centre and the velocity of its mass, and the rotation that
 * brings its rest shape nearest to its particles. That rotation, of Σ m (x − c) pᵀ, and an angular velocity that keeps the angular
 * momentum conserve both momenta.
 */
export function readMotion(
  m: Float64Array,
  o: number,
  s: Views,
  { particleStart, particleEnd, clusterStart }: Rows,
): void {
  const { x, v, member, memberParticle } = s;
  const first = 4 * particleStart;
  let [mass, cx, cy, cz, vx, vy, vz] = [0, 0, 0, 0, 0, 0, 0];
  // Sums are relative to the first particle, so that bodies far from the origin lose no precision.
  const [ox, oy, oz] = [x[first], x[first + 1], x[first + 2]];
  for (let q = first; q < 4 * particleEnd; q += 4) {
    const w = x[q + 3];
    mass += w;
    cx += w * (x[q] - ox);
    cy += w * (x[q + 1] - oy);
    cz += w * (x[q + 2] - oz);
    vx += w * v[q];
    vy += w * v[q + 1];
    vz += w * v[q + 2];
  }
  m[o + CENTRE] = cx = ox + cx / mass;
  m[o + CENTRE + 1] = cy = oy + cy / mass;
  m[o + CENTRE + 2] = cz = oz + cz / mass;
  m[o + LINEAR] = vx /= mass;
  m[o + LINEAR + 1] = vy /= mass;
  m[o + LINEAR + 2] = vz /= mass;
  moment.fill(0);
  spin.fill(0);
  for (let k = s.memberStart[clusterStart]; k < s.memberStart[clusterStart + 1]; k++) {
    const q = 4 * memberParticle[k];
    const w = x[q + 3];
    const [rx, ry, rz] = [w * (x[q] - cx), w * (x[q + 1] - cy), w * (x[q + 2] - cz)];
    for (let j = 0; j < 3; j++) {
      const p = member[4 * k + j];
      moment[3 * j] += rx * p;
      moment[3 * j + 1] += ry * p;
      moment[3 * j + 2] += rz * p;
    }
    const [ux, uy, uz] = [v[q] - vx, v[q + 1] - vy, v[q + 2] - vz];
    spin[0] += ry * uz - rz * uy;
    spin[1] += rz * ux - rx * uz;
    spin[2] += rx * uy - ry * ux;
  }
  polarInto(rotation, moment);
  m.set(rotation, o + ROTATION);
  inertia.fill(0);
  for (let k = s.memberStart[clusterStart]; k < s.memberStart[clusterStart + 1]; k++) {
    const w = x[4 * memberParticle[k] + 3];
    const [rx, ry, rz] = [turned(member, k, 0), turned(member, k, 1), turned(member, k, 2)];
    inertia[0] += w * (ry * ry + rz * rz);
    inertia[1] += w * (rx * rx + rz * rz);
    inertia[2] += w * (rx * rx + ry * ry);
    inertia[3] -= w * rx * ry;
    inertia[4] -= w * rx * rz;
    inertia[5] -= w * ry * rz;
  }
  // A point does not turn. Its offset from its own centre is rounding, whose inverse inertia would turn the slightest friction into any speed.
  if (inertia[0] + inertia[1] + inertia[2] < mass * squared(POINT * s.reach[particleStart])) inertia.fill(0);
  m.set(inertia, o + INERTIA);
  invertInertiaInto(m, o + INVERSE_INERTIA, inertia);
  for (let a = 0; a < 3; a++) m[o + ANGULAR + a] = timesInertia(m, o, a, spin[0], spin[1], spin[2]);
  m[o + INVERSE_MASS] = 1 / mass;
  for (let a = 0; a < 6; a++) {
    m[o + SHIFT + a] = 0;
    m[o + FORMER + a] = m[o + LINEAR + a];
  }
}

/** Coordinate a of R p, p being the rest offset of membership k. */
const turned = (member: Float32Array, k: number, a: number) =>
  rotation[a] * member[4 * k] + rotation[3 + a] * member[4 * k + 1] + rotation[6 + a] * member[4 * k + 2];

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
export function writeMotion(m: Float64Array, o: number, s: Views, { clusterStart }: Rows, h: number): void {
  const { x, v, member, memberParticle } = s;
  const at = (a: number) => h * (m[o + LINEAR + a] - m[o + FORMER + a]) + m[o + SHIFT + a];
  const by = (a: number) => h * (m[o + ANGULAR + a] - m[o + FORMER + 3 + a]) + m[o + TURN + a];
  const [cx, cy, cz] = [m[o + CENTRE] + at(0), m[o + CENTRE + 1] + at(1), m[o + CENTRE + 2] + at(2)];
  turnInto(turn, by(0), by(1), by(2));
  for (let j = 0; j < 3; j++)
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let b = 0; b < 3; b++) sum += turn[3 * b + a] * m[o + ROTATION + 3 * j + b];
      rotation[3 * j + a] = sum;
    }
  const [vx, vy, vz] = [m[o + LINEAR], m[o + LINEAR + 1], m[o + LINEAR + 2]];
  const [wx, wy, wz] = [m[o + ANGULAR], m[o + ANGULAR + 1], m[o + ANGULAR + 2]];
  for (let k = s.memberStart[clusterStart]; k < s.memberStart[clusterStart + 1]; k++) {
    const q = 4 * memberParticle[k];
    const [rx, ry, rz] = [turned(member, k, 0), turned(member, k, 1), turned(member, k, 2)];
    x[q] = cx + rx;
    x[q + 1] = cy + ry;
    x[q + 2] = cz + rz;
    v[q] = vx + wy * rz - wz * ry;
    v[q + 1] = vy + wz * rx - wx * rz;
    v[q + 2] = vz + wx * ry - wy * rx;
  }
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
