import { Heap } from './heap.js';

/** State of a body that the sleep stage keeps. */
export class RestState {
  /** Root mean square speed of its particles in the last step (m/s). */
  speed = 0;
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
  /** Distance between its positions at the last two checks, over the time (m/s). */
  moved = 0;
  /** How much the body goes on in one direction though it is braked, from 0 to 1: something drives it. */
  driven = 0;
  /** Whether an obstacle, a clamp, a pick or a pin supports the body in this step, directly or through other bodies. */
  grounded = false;
  /** Sum of the impulses by which obstacles pressed on the body in the last substep, along their normals (N s). */
  pressedX = 0;
  pressedY = 0;
  pressedZ = 0;
  /** Sum of these impulses, each times the velocity of the obstacle along the normal (N m). */
  pressedDrift = 0;
  /** The bodies that fall asleep together with this one. */
  readonly heap = new Heap();

  /** Start of the obstacles stage. */
  unpress(): void {
    this.pressedX = this.pressedY = this.pressedZ = this.pressedDrift = 0;
  }

  /**
   * A check: `moved` (m/s) as above; `even` is the trend of a body that moves evenly by 1 m/s. Returns how fast the body drifts (m/s). A body that trembles in place is as far off at
   * the first look as at the last: it does not drift, even if the few particles that tremble have most of the speed.
   */
  check(moved: number, even: number): number {
    const drift = Math.max(0, Math.min(moved, this.trend / even));
    // A body that only has momentum is nearly stopped from one check to the next.
    this.driven = drift > 0 && this.moved > 0 ? (drift * drift) / (moved * Math.max(moved, this.moved)) : 0;
    this.moved = moved;
    this.trend = 0;
    return drift;
  }

  /** Resets what it knows of its motion when the body is woken. */
  restart(): void {
    this.slowTime = this.tremblingTime = this.sinceCheck = this.trend = this.moved = this.driven = 0;
  }
}
