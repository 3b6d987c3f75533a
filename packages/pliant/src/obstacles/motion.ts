import { checkBoolean, checkKeys, checkNumber, checkVec3, PliantError, refuse, type Vec3 } from '../check.js';
import { hypot } from '../math/elementary.js';
import { checkRotation, type Pose, type Quaternion, slerpInto, spinInto } from '../spatial/pose.js';

/** A pose of an obstacle at a time. A field that is left out has the value with which the obstacle was added. */
export interface Keyframe {
  /** Seconds since the obstacle was added; each later than the one before. */
  time: number;
  /** Place (m). */
  position?: Vec3;
  /** Quaternion x, y, z, w. */
  rotation?: Quaternion;
}

/** How an obstacle moves: at constant velocity, or through keyframes. Bodies never move it. */
export interface MotionOptions {
  /** Velocity (m/s). Default [0, 0, 0]. */
  velocity?: Vec3;
  /** Angular velocity about the obstacle's own position, in the axes of the world (rad/s). Default [0, 0, 0]. */
  angularVelocity?: Vec3;
  /**
   * Poses to go through, instead of velocities. Between two of them position and rotation are interpolated linearly in time; before the first and
   * after the last the obstacle stands still.
   */
  keyframes?: readonly Keyframe[];
  /**
   * Whether to begin again after the last keyframe. Default false. Give the last keyframe the pose of the first; otherwise the obstacle
   * jumps, and hits everything between the two poses.
   */
  loop?: boolean;
}

/** How a collider moves, as its options say: it stands, moves at constant velocity, goes through keyframes, or is led by `moveTo`. */
export type Motion =
  | { readonly type: 'standing' }
  /** Velocity (m/s) and angular velocity (rad/s). */
  | { readonly type: 'steady'; readonly velocity: Vec3; readonly spin: Vec3 }
  /** Eight numbers a keyframe: time, position, rotation. */
  | { readonly type: 'keyed'; readonly keys: Float64Array; readonly loop: boolean }
  /** Led by moveTo. */
  | { readonly type: 'led' };

const KEY = 8;
/** Largest angular velocity (rad/s), about a thousand turns a millisecond. Beyond it rounding makes the phase meaningless. */
const FASTEST_SPIN = 1e7;

export function resolveMotion(path: string, options: MotionOptions, start: Pose): Motion {
  const velocity = checkVec3(`${path}.velocity`, options.velocity ?? [0, 0, 0]);
  const spin = checkVec3(`${path}.angularVelocity`, options.angularVelocity ?? [0, 0, 0]);
  if (hypot(...spin) > FASTEST_SPIN)
    refuse(`${path}.angularVelocity`, spin, `three numbers of a length of at most ${FASTEST_SPIN}`);
  const loop = checkBoolean(`${path}.loop`, options.loop ?? false);
  const moves = velocity.some((c) => c !== 0) || spin.some((c) => c !== 0);
  if (options.keyframes !== undefined) {
    if (moves)
      throw new PliantError(
        `${path}.keyframes`,
        `${path} gives keyframes and a velocity or angularVelocity; expected one of the two.`,
      );
    return { type: 'keyed', keys: resolveKeyframes(`${path}.keyframes`, options.keyframes, start), loop };
  }
  if (loop) refuse(`${path}.loop`, loop, 'keyframes to go with it');
  return moves ? { type: 'steady', velocity, spin } : { type: 'standing' };
}

function resolveKeyframes(path: string, list: readonly Keyframe[], start: Pose): Float64Array {
  if (!Array.isArray(list) || list.length === 0)
    refuse(path, list, 'a list of at least one { time, position, rotation }');
  const keys = new Float64Array(KEY * list.length);
  list.forEach((key: Keyframe, k) => {
    const name = `${path}[${k}]`;
    checkKeys(name, key, ['time', 'position', 'rotation']);
    const o = KEY * k;
    keys[o] = checkNumber(`${name}.time`, key.time, { min: 0 });
    if (k > 0 && !(keys[o] > keys[o - KEY]))
      refuse(`${name}.time`, key.time, `a time after ${keys[o - KEY]}, the one before`);
    keys.set(checkVec3(`${name}.position`, key.position ?? Array.from(start.position)), o + 1);
    const q = checkRotation(`${name}.rotation`, key.rotation ?? start.rotation);
    // q and −q are the same rotation; the sign nearer to the previous keyframe gives the shorter way.
    let side = 0;
    for (let c = 0; c < 4; c++) side += k > 0 ? q[c] * keys[o - KEY + 4 + c] : 0;
    keys.set(side < 0 ? q.map((c) => -c) : q, o + 4);
  });
  return keys;
}

const position = new Float64Array(3);
const rotation = new Float64Array(4);

/** out := pose after t seconds of an obstacle that began at `start`. A led obstacle keeps its last pose. */
export function poseInto(out: Pose, start: Pose, motion: Motion, t: number): void {
  switch (motion.type) {
    case 'standing':
      out.copy(start);
      break;
    case 'steady':
      for (let a = 0; a < 3; a++) position[a] = start.position[a] + t * motion.velocity[a];
      spinInto(rotation, start.rotation, motion.spin, t);
      out.set(position, rotation);
      break;
    case 'keyed':
      keyedInto(motion.keys, motion.loop, t);
      out.set(position, rotation);
  }
}

function keyedInto(keys: Float64Array, loop: boolean, t: number): void {
  const last = keys.length - KEY;
  const period = keys[last] - keys[0];
  const time = loop && t > keys[last] && period > 0 ? keys[0] + ((t - keys[0]) % period) : t;
  // The last key that is not later than now.
  let low = 0;
  let high = last / KEY;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (keys[KEY * middle] <= time) low = middle;
    else high = middle - 1;
  }
  const a = KEY * low;
  const b = Math.min(a + KEY, last);
  const share = b > a && time > keys[a] ? (time - keys[a]) / (keys[b] - keys[a]) : 0;
  for (let k = 0; k < 3; k++) position[k] = keys[a + 1 + k] + share * (keys[b + 1 + k] - keys[a + 1 + k]);
  for (let k = 0; k < 4; k++) {
    qa[k] = keys[a + 4 + k];
    qb[k] = keys[b + 4 + k];
  }
  slerpInto(rotation, qa, qb, share);
}

const qa = new Float64Array(4);
const qb = new Float64Array(4);
