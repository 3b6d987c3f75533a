import type { Body } from './body/body.js';
import type { Vec3 } from './check.js';
import type { Clamp } from './external/clamp.js';
import type { Pieces } from './topology/pieces.js';

/** What happened in a step, or in a call such as `cut`. Events wait in the world until `world.drainEvents()`. `time` is the world time (s). */
export type WorldEvent =
  /** A position or velocity became NaN or infinite: the body was put back, stopped and switched off. */
  | { type: 'quarantine'; body: Body; particles: number; time: number }
  /** Two bodies that did not touch in the step before do. `impulse` is what the second gave the first (N s). */
  | {
      type: 'touch';
      bodies: readonly [Body, Body];
      position: Vec3;
      /** From the second to the first. */
      normal: Vec3;
      impulse: Vec3;
      time: number;
    }
  /** Two bodies that touched no longer do. */
  | { type: 'part'; bodies: readonly [Body, Body]; time: number }
  /**
   * Clusters of a body split (SPEC X): what was `cluster` before became the two of `into`, behind the plane and beyond it, −1 for one that
   * ended at once. Particles copies[2n] were copied as copies[2n + 1], behind all that were there; then, where debris is not kept, `removed`
   * left (ascending) and those behind moved up. `pieces` are what the body consists of when they are first asked for, and stay so: ask before the
   * next step. Numbers count from the body's first.
   */
  | {
      type: 'fracture';
      body: Body;
      splits: readonly { cluster: number; into: readonly [number, number]; position: Vec3; normal: Vec3 }[];
      copies: Uint32Array;
      removed: Uint32Array;
      readonly pieces: Pieces;
      time: number;
    }
  /** A body was cut: into itself and others, the largest first, or, by a blade that ends in it, open but in one piece (SPEC I3). */
  | { type: 'cut'; body: Body; bodies: readonly Body[]; time: number }
  /** Clusters of a body whose rest shape had flowed too far have gone, new ones begin to fade in (SPEC R); particles that divided (R5). */
  | { type: 'recluster'; body: Body; added: number; removed: number; divided: number; time: number }
  /** A clamp's lifetime ended and its particles are free. */
  | { type: 'release'; clamp: Clamp; time: number };
