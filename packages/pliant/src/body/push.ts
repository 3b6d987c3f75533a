import type { Vec3 } from '../check.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { cross, rigidMotionOf, timesVector } from './rigid.js';
import { inRange } from './start.js';

/**
 * Distance beyond the nearest particle up to which an impulse acts, in spacings: some fifty particles of a grid, as for
 * a pick.
 */
const REACH = 2.5;

/**
 * Bound of impulses (N s) and forces (N) along an axis. It makes any particle faster than the largest velocity allowed,
 * and products of it are far from overflowing.
 */
const STRONGEST = 1e60;

/**
 * Distributes an impulse J (N s), or a force (N), that acts at a point p of the world over a body. Calls `give` with
 * the row and the share of each particle that is not held.
 *
 * Particle i at the distance d from p gets J W_i / Σ W with W_i = m_i (1 − d²/r²)², where r is the distance of the
 * nearest particle plus REACH spacings. That gives the linear momentum, acting at the mean c of these particles by W.
 * The rest of the angular momentum, (p − c) × J, turns the body as a whole: particle i gets m_i β × (x_i − X), with the
 * centre of mass X and β = I⁺ ((p − c) × J). So both momenta are those of J at p, however far p is from the body. There
 * are two exceptions: the shares of held particles are lost to their clamp or pin, and particles on a line take no turn
 * about the line.
 */
export function distributeAt(
  s: Views,
  rows: Rows,
  spacing: number,
  impulse: Vec3,
  p: Vec3,
  give: (row: number, jx: number, jy: number, jz: number) => void,
): void {
  const { x, flags } = s;
  const J = impulse.map((c) => Math.max(-STRONGEST, Math.min(STRONGEST, c)));
  const { centre, inertiaInverse } = rigidMotionOf(s, rows);
  const weights = weightsAt(s, rows, spacing, p);
  let sum = 0;
  const mean: [number, number, number] = [0, 0, 0];
  for (let n = 0; n < weights.length; n++) {
    sum += weights[n];
    for (let a = 0; a < 3; a++) mean[a] += weights[n] * (x[4 * (rows.particleStart + n) + a] - p[a]);
  }
  for (let a = 0; a < 3; a++) mean[a] /= -sum;
  const turn = timesVector(inertiaInverse, cross(mean, J));
  for (let n = 0; n < weights.length; n++) {
    const i = rows.particleStart + n;
    if (flags[i] & Flag.HELD) continue;
    const o = 4 * i;
    const m = x[o + 3];
    const share = weights[n] / sum;
    const [tx, ty, tz] = cross(turn, [x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]]);
    give(i, share * J[0] + m * tx, share * J[1] + m * ty, share * J[2] + m * tz);
  }
}

/** W of each particle. */
function weightsAt({ x }: Views, { particleStart, particleEnd }: Rows, spacing: number, p: Vec3): Float64Array {
  const weights = new Float64Array(particleEnd - particleStart);
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let n = 0; n < weights.length; n++) {
    const o = 4 * (particleStart + n);
    const [dx, dy, dz] = [x[o] - p[0], x[o + 1] - p[1], x[o + 2] - p[2]];
    weights[n] = dx * dx + dy * dy + dz * dz;
    if (weights[n] < least) [nearest, least] = [n, weights[n]];
  }
  const reach = Math.sqrt(least) + REACH * spacing;
  for (let n = 0; n < weights.length; n++) {
    const share = Math.max(0, 1 - weights[n] / (reach * reach));
    weights[n] = x[4 * (particleStart + n) + 3] * share * share;
  }
  // From very far away, or if particles coincide, rounding leaves no weight: then the nearest takes all.
  if (!(weights[nearest] > 0)) weights.fill(0)[nearest] = x[4 * (particleStart + nearest) + 3];
  return weights;
}

/** Adds an impulse to the velocities. */
export function pushAt(s: Views, rows: Rows, spacing: number, impulse: Vec3, point: Vec3): void {
  const { x, v } = s;
  distributeAt(s, rows, spacing, impulse, point, (i, jx, jy, jz) => {
    const o = 4 * i;
    v[o] = inRange(v[o] + jx / x[o + 3]);
    v[o + 1] = inRange(v[o + 1] + jy / x[o + 3]);
    v[o + 2] = inRange(v[o + 2] + jz / x[o + 3]);
  });
}

/** Adds a force to those for the next step. */
export function forceAt(s: Views, rows: Rows, spacing: number, force: Vec3, point: Vec3): void {
  const { x, force: f } = s;
  distributeAt(s, rows, spacing, force, point, (i, fx, fy, fz) => {
    const o = 4 * i;
    const m = x[o + 3];
    f[o] = inRange((f[o] + fx) / m) * m;
    f[o + 1] = inRange((f[o + 1] + fy) / m) * m;
    f[o + 2] = inRange((f[o + 2] + fz) / m) * m;
  });
}

/**
 * Sets the linear (m/s) and angular velocity (rad/s) of the body as a whole by adding the missing rigid motion. The
 * motion of its particles relative to each other stays. Held particles keep their velocity.
 */
export function setRigidMotion(s: Views, rows: Rows, linear: Vec3 | undefined, angular: Vec3 | undefined): void {
  const { x, v, flags } = s;
  const now = rigidMotionOf(s, rows);
  const { centre } = now;
  const add = [0, 1, 2].map((a) => (linear ? linear[a] - now.linear[a] : 0));
  // Products of numbers near the largest f64 would be infinite, and their differences NaN.
  const turn = [0, 1, 2].map((a) => inRange(angular ? angular[a] - now.angular[a] : 0));
  for (let i = rows.particleStart; i < rows.particleEnd; i++) {
    if (flags[i] & Flag.HELD) continue;
    const o = 4 * i;
    const [tx, ty, tz] = cross(turn, [x[o] - centre[0], x[o + 1] - centre[1], x[o + 2] - centre[2]]);
    v[o] = inRange(v[o] + add[0] + tx);
    v[o + 1] = inRange(v[o + 1] + add[1] + ty);
    v[o + 2] = inRange(v[o + 2] + add[2] + tz);
  }
}
