import { checkVec3, type Vec3 } from '../check.js';
import { checkPlace } from '../limits.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { AddOptions } from './options.js';

/** Motion and stretch of a body when it is added to a world. */
export interface Start {
  /** Initial velocity (m/s). */
  velocity: Vec3;
  /** Initial angular velocity about the centre of mass (rad/s). */
  angularVelocity: Vec3;
  /** Initial stretch along x, y and z. */
  stretch: Vec3;
  /** The point that `stretch` leaves in place (m). */
  stretchCentre: Vec3;
}

export function resolveStart(path: string, options: Omit<AddOptions, 'name' | 'groups'>): Start {
  const velocity = checkVec3(`${path}.velocity`, options.velocity ?? [0, 0, 0]);
  const angularVelocity = checkVec3(`${path}.angularVelocity`, options.angularVelocity ?? [0, 0, 0]);
  const stretch = checkVec3(`${path}.stretch`, options.stretch ?? [1, 1, 1]);
  const stretchCentre = checkPlace(
    `${path}.stretchCentre`,
    checkVec3(`${path}.stretchCentre`, options.stretchCentre ?? [0, 0, 0]),
  );
  return { velocity, angularVelocity, stretch, stretchCentre };
}

/**
 * The largest velocity (m/s) or acceleration (m/s²) that is written into the f32 state. The step limits velocities to
 * maxSpeed, but cannot limit infinite ones.
 */
const LARGEST = 1e25;
export const inRange = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value));

/** Initial stretch and motion of a body whose rest shape is already in its clusters. */
export function startMotion(
  { x, v, xOld }: Views,
  { particleStart, particleEnd }: Rows,
  { velocity, angularVelocity, stretch, stretchCentre }: Start,
): void {
  // Differences of infinite products would be NaN.
  const w = angularVelocity.map(inRange);
  const centre = [0, 0, 0];
  let mass = 0;
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
    for (let a = 0; a < 3; a++) {
      x[o + a] = xOld[o + a] = stretchCentre[a] + stretch[a] * (x[o + a] - stretchCentre[a]);
      centre[a] += x[o + 3] * x[o + a];
    }
    mass += x[o + 3];
  }
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
    const [rx, ry, rz] = [x[o] - centre[0] / mass, x[o + 1] - centre[1] / mass, x[o + 2] - centre[2] / mass];
    v[o] = inRange(velocity[0] + w[1] * rz - w[2] * ry);
    v[o + 1] = inRange(velocity[1] + w[2] * rx - w[0] * rz);
    v[o + 2] = inRange(velocity[2] + w[0] * ry - w[1] * rx);
  }
}
