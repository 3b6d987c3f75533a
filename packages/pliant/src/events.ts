import type { Body } from './body/body.js';
import type { Vec3 } from './check.js';
import type { Clamp } from './external/clamp.js';
import type { Pieces } from './topology/pieces.js';

/**
 * An event of a step, or of a call such as `cut`. Events wait in the world until `world.drainEvents()`. `time` is the
 * world time (s).
 */
export type WorldEvent =
  /**
   * A position or velocity became NaN or infinite: the body was put back to the start of the step, stopped and
   * disabled.
   */
  | { type: 'quarantine'; body: Body; particles: number; time: number }
  /** Two bodies touch that did not touch in the step before. `impulse` is that on the first by the second (N s). */
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
   * Clusters of a body split (SPEC X). The former `cluster` became the two of `into`, behind the plane and beyond it;
   * −1 for one that was removed at once. Particle copies[2n] was copied as copies[2n + 1], after all others. Then, if
   * debris is not kept, the particles `removed` (ascending) were removed and those after them moved up. `pieces` is
   * computed from the present body at the first access and then kept: read it before the next step. Numbers count from
   * the body's first.
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
  /**
   * A body was cut: into itself and others, the largest first. A blade that ends inside the body leaves it in one
   * piece, cut open (SPEC I3).
   */
  | { type: 'cut'; body: Body; bodies: readonly Body[]; time: number }
  /**
   * Clusters of a body whose rest shape had flowed too far were removed, and new ones begin to fade in (SPEC R).
   * `divided` is the number of particles that were divided (R5).
   */
  | { type: 'recluster'; body: Body; added: number; removed: number; divided: number; time: number }
  /** A clamp's lifetime ended and its particles are free. */
  | { type: 'release'; clamp: Clamp; time: number };
