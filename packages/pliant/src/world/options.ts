import { checkKeys, checkNumber, checkOneOf, checkVec3, type Vec3, withDefaults } from '../check.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';

export interface WorldOptions {
  /** m/s². */
  gravity?: Vec3;
  /** Fixed time step (s). */
  dt?: number;
  backend?: Backend;
  /** Bodies slower than this share of their size per second (rms over their particles) may fall asleep; 0: none ever does. */
  sleepSpeed?: number;
  /** For how long (s) they must have been that slow. */
  sleepAfter?: number;
  /** m/s; faster particles are slowed to it, so that no impulse of any size overflows f32. */
  maxSpeed?: number;
}

export const WORLD_DEFAULTS = {
  gravity: [0, -9.81, 0],
  dt: 1 / 60,
  backend: 'wasm',
  sleepSpeed: 0.03,
  sleepAfter: 0.5,
  maxSpeed: 1e6,
} as const satisfies Required<WorldOptions>;

export const checkDt = (path: string, value: unknown) => checkNumber(path, value, { above: 0, max: 1 });

export function resolveWorld(options: WorldOptions): Required<WorldOptions> {
  checkKeys('world', options, Object.keys(WORLD_DEFAULTS));
  const all = withDefaults(WORLD_DEFAULTS, options);
  return {
    gravity: checkVec3('world.gravity', all.gravity),
    dt: checkDt('world.dt', all.dt),
    backend: checkOneOf('world.backend', all.backend, BACKENDS),
    sleepSpeed: checkNumber('world.sleepSpeed', all.sleepSpeed, { min: 0 }),
    sleepAfter: checkNumber('world.sleepAfter', all.sleepAfter, { min: 0 }),
    maxSpeed: checkNumber('world.maxSpeed', all.maxSpeed, { above: 0, max: 1e15 }),
  };
}
