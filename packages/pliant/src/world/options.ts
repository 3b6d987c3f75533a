import {
  checkInteger,
  checkKeys,
  checkNumber,
  checkOneOf,
  checkVec3,
  refuse,
  type Vec3,
  withDefaults,
} from '../check.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { MOST_THREADS } from '../threads/memoryMap.js';

/** Settings of a world. WORLD_DEFAULTS has the defaults. */
export interface WorldOptions {
  /** Acceleration of all particles (m/s²). Default [0, −9.81, 0]. */
  gravity?: Vec3;
  /** Length of a step (s), above 0 and at most 1. Default 1/60. */
  dt?: number;
  /**
   * Parts of equal length into which each step is divided. 'auto' (default): as many as the stiffest awake body with an elastic law (`material.young`) needs, up to `maxSubsteps`; without such
   * bodies one. Rigid bodies, which no number of substeps gives their modulus, ask for 240 substeps a second, and for more when they are fast. Bodies that `maxSubsteps` leaves too soft say so in `body.warnings`.
   */
  substeps?: number | 'auto';
  /** Bound of `substeps: 'auto'`. Default 8. */
  maxSubsteps?: number;
  /** Which implementation of the kernels to run. Default 'wasm'; 'ts' is plain TypeScript, slower, for comparison. */
  backend?: Backend;
  /**
   * Threads that run steps, the calling one among them, with `backend: 'wasm'`: 1 to 8. 'auto' (default): as many as the machine has cores, up to 8, while the awake bodies have some thousand
   * particles; one otherwise. Results do not depend on it. Needs memory that can be shared with workers: Node, or a page or worker that is cross-origin isolated. Elsewhere steps run on one
   * thread; {@link World.threads} tells. With 1 the memory is not shared.
   */
  threads?: number | 'auto';
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
  substeps: 'auto',
  maxSubsteps: 8,
  backend: 'wasm',
  threads: 'auto',
  sleepSpeed: 0.03,
  sleepAfter: 0.5,
  maxSpeed: 1e6,
} as const satisfies Required<WorldOptions>;

export const checkDt = (path: string, value: unknown) => checkNumber(path, value, { above: 0, max: 1 });

/** Substeps of a step at most: a body that needs more of them is better built of larger clusters. */
const MOST_SUBSTEPS = 1000;

export const checkSubsteps = (path: string, value: unknown): number | 'auto' =>
  value === 'auto' ? value : checkInteger(path, value, { min: 1, max: MOST_SUBSTEPS });

export const checkMaxSubsteps = (path: string, value: unknown): number =>
  checkInteger(path, value, { min: 1, max: MOST_SUBSTEPS });

const checkThreads = (path: string, value: unknown): number | 'auto' =>
  value === 'auto' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_THREADS)
    ? (value as number | 'auto')
    : refuse(path, value, `"auto" or an integer in [1, ${MOST_THREADS}]`);

export function resolveWorld(options: WorldOptions): Required<WorldOptions> {
  checkKeys('world', options, Object.keys(WORLD_DEFAULTS));
  const all = withDefaults(WORLD_DEFAULTS, options);
  return {
    gravity: checkVec3('world.gravity', all.gravity),
    dt: checkDt('world.dt', all.dt),
    substeps: checkSubsteps('world.substeps', all.substeps),
    maxSubsteps: checkMaxSubsteps('world.maxSubsteps', all.maxSubsteps),
    backend: checkOneOf('world.backend', all.backend, BACKENDS),
    threads: checkThreads('world.threads', all.threads),
    sleepSpeed: checkNumber('world.sleepSpeed', all.sleepSpeed, { min: 0 }),
    sleepAfter: checkNumber('world.sleepAfter', all.sleepAfter, { min: 0 }),
    maxSpeed: checkNumber('world.maxSpeed', all.maxSpeed, { above: 0, max: 1e15 }),
  };
}
