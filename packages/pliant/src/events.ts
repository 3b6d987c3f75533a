import type { Body } from './body/body.js';
import type { Clamp } from './drive/clamp.js';

/** What a step has to tell. Events wait in the world until `world.drainEvents()`. */
export type WorldEvent =
  /** A position or velocity became NaN or infinite: the body was put back, stopped and switched off. */
  | { type: 'quarantine'; body: Body; particles: number; time: number }
  /** A clamp's lifetime ended and its particles are free. */
  | { type: 'release'; clamp: Clamp; time: number };
