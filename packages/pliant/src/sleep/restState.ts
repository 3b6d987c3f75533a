import { Heap } from './heap.js';

/** How a body was on its obstacles when it became slow. */
export const Stance = { MOVES: 0, STANDS: 1, LEANS: 2 } as const;

/** State of a body that the sleep stage keeps. */
export class RestState {
  /** Root mean square speed of its particles in the last step (m/s). */
  speed = 0;
  /** Sum of the squared displacements of its particles in the last substep (m²), as the quarantine left it. */
  squaredWays = 0;
  /** How long it has moved less than the sleeping speed (s). */
  slowTime = 0;
  /** How long it has moved less than `TREMBLING` times the sleeping speed (s). */
  tremblingTime = 0;
  /** Positions of its particles when the stage last checked it, four numbers each. */
  checkedPositions: Float32Array = new Float32Array(0);
  /** Time since that check (s). */
  sinceCheck = 0;
  /** Sum over the looks since that check, of which the mean is 0 where the body is as far from its checked positions at all of them (m/s). */
  trend = 0;
  /** Change of its shape between the last two checks, over the time (m/s). */
  bent = 0;
  /** How much its motion is a change of shape that goes on though the body is braked, from 0 to 1: something drives it. */
  driven = 0;
  /** Whether an obstacle, a clamp, a pick or a pin supports the body in this step, directly or through other bodies. */
  grounded = false;
  /** Sum of the impulses by which obstacles pressed on the body in the last substep, along their normals (N s). */
  pressedX = 0;
  pressedY = 0;
  pressedZ = 0;
  /** Sum of these impulses, each times the velocity of the obstacle along the normal (N m). */
  pressedDrift = 0;
  /** Impulse that holds the body against rolling, as angular momentum per mass (m²/s). */
  heldX = 0;
  heldY = 0;
  heldZ = 0;
  /** Whether it moves, or how it stood when it became slow: a body that leans is not held against rolling. */
  stance: number = Stance.MOVES;
  /** Whether it touches another body in this substep. */
  touching = false;
  /** The bodies that fall asleep together with this one. */
  readonly heap = new Heap();

  /** Whether obstacles press on it. */
  get isPressed(): boolean {
    return this.pressedX !== 0 || this.pressedY !== 0 || this.pressedZ !== 0;
  }

  /** Ends the hold against rolling. */
  letGo(): void {
    this.heldX = this.heldY = this.heldZ = 0;
    this.stance = Stance.MOVES;
  }

  /** Start of the obstacles stage. */
  unpress(): void {
    this.pressedX = this.pressedY = this.pressedZ = this.pressedDrift = 0;
  }

  /**
   * A check: by how much the body and its shape have moved (m/s); `even` is the trend of a body whose shape moves evenly by 1 m/s. Returns how fast its shape drifts (m/s). A body that
   * trembles in place is as far off at the first look as at the last: it does not drift, even if the few particles that tremble have most of the speed.
   */
  check(moved: number, bent: number, even: number): number {
    const drift = Math.max(0, Math.min(bent, this.trend / even));
    // A body that only has momentum is nearly stopped from one check to the next, and one that swings as a whole moves by more than four times what its shape does.
    this.driven =
      drift > 0 && this.bent > 0 ? (drift * drift) / (Math.max(bent, moved / 4) * Math.max(bent, this.bent)) : 0;
    this.bent = bent;
    this.trend = 0;
    return drift;
  }

  /** Resets what it knows of its motion when the body is woken. */
  restart(): void {
    this.slowTime = this.tremblingTime = this.sinceCheck = this.trend = this.bent = this.driven = 0;
  }
}
