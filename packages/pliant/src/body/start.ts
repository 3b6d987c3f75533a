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
  const isStill = [...velocity, ...angularVelocity, ...stretchCentre].every((c) => c === 0);
  // The rows of a new body are those of one that rests.
  if (isStill && stretch.every((factor) => factor === 1)) return;
  // Differences of infinite products would be NaN.
  const [wx, wy, wz] = angularVelocity.map(inRange);
  const [vx, vy, vz] = velocity;
  const [sx, sy, sz] = stretch;
  const [ox, oy, oz] = stretchCentre;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let mass = 0;
  const last = 4 * particleEnd;
  // The rows of a new body rest, and most bodies that are stretched do.
  const moves = [...velocity, ...angularVelocity].some((c) => c !== 0);
  for (let o = 4 * particleStart; o < last; o += 4) {
    const m = x[o + 3];
    x[o] = xOld[o] = ox + sx * (x[o] - ox);
    x[o + 1] = xOld[o + 1] = oy + sy * (x[o + 1] - oy);
    x[o + 2] = xOld[o + 2] = oz + sz * (x[o + 2] - oz);
    cx += m * x[o];
    cy += m * x[o + 1];
    cz += m * x[o + 2];
    mass += m;
  }
  for (let o = moves ? 4 * particleStart : last; o < last; o += 4) {
    const rx = x[o] - cx / mass;
    const ry = x[o + 1] - cy / mass;
    const rz = x[o + 2] - cz / mass;
    v[o] = inRange(vx + wy * rz - wz * ry);
    v[o + 1] = inRange(vy + wz * rx - wx * rz);
    v[o + 2] = inRange(vz + wx * ry - wy * rx);
  }
}
