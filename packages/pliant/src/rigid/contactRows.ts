import { Motion, timesInertia } from './motion.js';

/**
 * A contact of a rigid body as a row of numbers. Its impulses act along three directions: the normal, which points from side B to side A,
 * and two across it. Side A is the body of a particle, side B another body or an obstacle.
 *
 * Of each direction (DIRECTION numbers each):
 * - AXIS: the direction d, of length 1.
 * - LEVER_A, LEVER_B: r × d, with r from the centre of the body on that side to the place of contact; 0 if that side is not rigid.
 * - SWING_A, SWING_B: I⁻¹ (r × d), the angular velocity that a unit impulse gives.
 * - MASS: impulse that changes the relative velocity along d by 1 (kg).
 * - IMPULSE: impulse so far (N s).
 * - DRIFT: velocity of an obstacle along d (m/s).
 */
export const Row = {
  AXIS: 0,
  LEVER_A: 3,
  LEVER_B: 6,
  SWING_A: 9,
  SWING_B: 12,
  MASS: 15,
  IMPULSE: 16,
  DRIFT: 17,
  DIRECTION: 18,
  /** Row of Motion of a side, or −1 where it is not rigid. */
  A: 54,
  B: 55,
  /** μ. */
  FRICTION: 56,
  /** Velocity along the normal that the contact must have at least (m/s); below 0 where the sides are still apart. */
  LEAST: 57,
  /** Restitution times the velocity of approach (m/s); 0 for slow contacts. */
  BOUNCE: 58,
  /** Velocity along the normal before the solve (m/s). */
  FORMER: 59,
  /** Depth as predicted (m), and the depth that resting contacts keep. */
  DEPTH: 60,
  SLOP: 61,
  /** Displacement along the normal so far, times MASS (kg m), and the one wanted (m). */
  PUSH: 62,
  GOAL: 63,
  /** Velocity of an obstacle at the place of contact (m/s). */
  SURFACE: 64,
  /** Impulses along the three directions before bodies bounce (N s). */
  STOPPED: 67,
  /** Number of the contact in `touching`, or −1 − k for number k of those gathered from obstacles. */
  SOURCE: 70,
  LENGTH: 71,
} as const;

/** Writes two directions across the normal of a row: across the coordinate axis that is farthest from it. */
export function setAcross(rows: Float64Array, o: number): void {
  const [nx, ny, nz] = [rows[o], rows[o + 1], rows[o + 2]];
  let [tx, ty, tz] = [0, nz, -ny];
  if (Math.abs(nx) > Math.abs(ny)) [tx, ty, tz] = [-nz, 0, nx];
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const [t, b] = [o + Row.DIRECTION, o + 2 * Row.DIRECTION];
  rows[t] = tx / length;
  rows[t + 1] = ty / length;
  rows[t + 2] = tz / length;
  rows[b] = ny * rows[t + 2] - nz * rows[t + 1];
  rows[b + 1] = nz * rows[t] - nx * rows[t + 2];
  rows[b + 2] = nx * rows[t + 1] - ny * rows[t];
}

/**
 * Writes levers, swings and masses of a row for the place of contact x, y, z. `soft`: the inverse mass of sides that are not rigid (1/kg).
 *
 * Between two rigid bodies levers are those at the start of the substep, to a place midway between where the two sides were: as bodies move by h v after the solve, the angular momentum at the end is
 * Σ (c + h v) × m v = Σ c × m v with the centres c at the start, which impulses at a common place do not change.
 */
export function setMasses(
  rows: Float64Array,
  o: number,
  m: Float64Array,
  x: number,
  y: number,
  z: number,
  soft: number,
  h: number,
): void {
  const [a, b] = [rows[o + Row.A], rows[o + Row.B]];
  const half = a >= 0 && b >= 0 ? 0.5 * h : 0;
  const [ux, uy, uz] =
    half === 0
      ? [0, 0, 0]
      : [
          half * (m[a + Motion.LINEAR] - m[b + Motion.LINEAR]),
          half * (m[a + Motion.LINEAR + 1] - m[b + Motion.LINEAR + 1]),
          half * (m[a + Motion.LINEAR + 2] - m[b + Motion.LINEAR + 2]),
        ];
  for (let k = 0; k < 3; k++) {
    const d = o + k * Row.DIRECTION;
    let softness = soft;
    softness += setLever(rows, d, Row.LEVER_A, Row.SWING_A, m, a, x + ux, y + uy, z + uz);
    softness += setLever(rows, d, Row.LEVER_B, Row.SWING_B, m, b, x - ux, y - uy, z - uz);
    rows[d + Row.MASS] = softness > 0 ? 1 / softness : 0;
    rows[d + Row.IMPULSE] = 0;
  }
}

function setLever(
  rows: Float64Array,
  d: number,
  lever: number,
  swing: number,
  m: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): number {
  if (at < 0) {
    rows.fill(0, d + lever, d + lever + 3);
    rows.fill(0, d + swing, d + swing + 3);
    return 0;
  }
  const [rx, ry, rz] = [x - m[at], y - m[at + 1], z - m[at + 2]];
  const [dx, dy, dz] = [rows[d], rows[d + 1], rows[d + 2]];
  const [lx, ly, lz] = [ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx];
  rows[d + lever] = lx;
  rows[d + lever + 1] = ly;
  rows[d + lever + 2] = lz;
  let softness = m[at + Motion.INVERSE_MASS];
  for (let a = 0; a < 3; a++) {
    rows[d + swing + a] = timesInertia(m, at, a, lx, ly, lz);
    softness += rows[d + lever + a] * rows[d + swing + a];
  }
  return softness;
}
