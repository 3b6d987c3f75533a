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

  /** Resets the times when the body is woken. */
  restart(): void {
    this.slowTime = this.tremblingTime = this.sinceCheck = 0;
  }
}
