import { checkKeys, checkNumber, checkOneOf, checkVec3, type Vec3, withDefaults } from '../check.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';

/** Settings of a world. WORLD_DEFAULTS has the defaults. */
export interface WorldOptions {
  /** Acceleration of all particles (m/s²). Default [0, −9.81, 0]. */
  gravity?: Vec3;
  /** Length of a step (s), above 0 and at most 1. Default 1/60. */
  dt?: number;
  /** Which implementation of the kernels to run. Default 'wasm'; 'ts' is plain TypeScript, slower, for comparison. */
  backend?: Backend;
  /** A body may fall asleep when its particles move slower than this many body sizes a second (root mean square). 0: no body falls asleep. Default 0.03. */
  sleepSpeed?: number;
  /** How long (s) a body must have been that slow before it falls asleep. Default 0.5. */
  sleepAfter?: number;
  /** Largest speed of a particle (m/s). Faster particles are slowed to it, so that no impulse overflows 32-bit floats. Default 1e6. */
  maxSpeed?: number;
}

/** Defaults of {@link WorldOptions}. */
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
