import { checkKeys, checkVec3, type Vec3 } from '../check.js';
import { checkPlace } from '../limits.js';
import { checkRotation, Pose, type Quaternion } from '../spatial/pose.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { centreOf } from './rigid.js';

/** The pose that `body.setPose` gives a body. */
export interface PoseOptions {
  /** The new place of the centre of mass (m). Default: where it is now. */
  position?: Vec3;
  /** A turn about the centre of mass, relative to how the body lies now: quaternion x, y, z, w. Default: no turn. */
  rotation?: Quaternion;
}

/** A rigid motion of space: x ↦ R (x − from) + to. */
export class RigidMap {
  private readonly pose = new Pose();
  constructor(
    private readonly from: Vec3,
    to: Vec3,
    rotation: Quaternion,
  ) {
    this.pose.set(to, rotation);
  }

  /** Moves the place at out[o]. */
  place(out: Float32Array | Float64Array, o: number): void {
    const { pose, from } = this;
    pose.turnInto(moved, out[o] - from[0], out[o + 1] - from[1], out[o + 2] - from[2]);
    for (let a = 0; a < 3; a++) out[o + a] = moved[a] + pose.position[a];
  }

  /** Turns the direction at out[o]. */
  direction(out: Float32Array | Float64Array, o: number): void {
    this.pose.turnInto(moved, out[o], out[o + 1], out[o + 2]);
    for (let a = 0; a < 3; a++) out[o + a] = moved[a];
  }
}
const moved = new Float64Array(3);

/** Checks the new pose of a body; throws before anything moves. */
export function resolvePose(options: PoseOptions, s: Views, rows: Rows): RigidMap {
  checkKeys('pose', options, ['position', 'rotation']);
  const { position, rotation } = options;
  const to = position === undefined ? undefined : checkPlace('pose.position', checkVec3('pose.position', position));
  const turn = rotation === undefined ? ([0, 0, 0, 1] as const) : checkRotation('pose.rotation', rotation);
  const from = centreOf(s, rows);
  return new RigidMap(from, to ?? from, turn);
}

/**
 * Moves a body's particles. Their previous positions move too, so that the move does not count as velocity: neither in
 * interpolation between two steps nor in the sleep stage. `checkedPositions` are the positions that the sleep stage saw
 * last. Velocities turn with the body.
 */
export function moveParticles(
  { x, xOld, v }: Views,
  { particleStart, particleEnd }: Rows,
  checkedPositions: Float32Array,
  map: RigidMap,
): void {
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
    map.place(x, o);
    map.place(xOld, o);
    map.direction(v, o);
  }
  for (let o = 0; o < checkedPositions.length; o += 4) map.place(checkedPositions, o);
}
