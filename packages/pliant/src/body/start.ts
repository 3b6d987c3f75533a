import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { BuiltBody } from './build.js';

/**
 * The largest velocity (m/s) or acceleration (m/s²) that is written into the f32 state. The step shortens velocities to
 * maxSpeed, but cannot shorten what has become infinite.
 */
const LARGEST = 1e25;
export const inRange = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value));

/** Initial stretch and motion of a body whose rest shape is already in its clusters. */
export function startMotion(
  { x, v, xOld }: Views,
  { particleStart, particleEnd }: Rows,
  { velocity, angularVelocity, stretch, stretchCentre }: BuiltBody,
): void {
  // Of products that have become infinite the difference would be no number.
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
