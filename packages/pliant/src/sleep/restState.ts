import { Heap } from './heap.js';

/** How near to sleep a body is: all that the sleep stage keeps of it. */
export class RestState {
  /** Root mean square speed of its particles in the last step (m/s). */
  speed = 0;
  /** How long it has moved less than the sleeping speed (s). */
  slowTime = 0;
  /** How long it has moved less than `TREMBLING` times the sleeping speed (s). */
  tremblingTime = 0;
  /** Positions of its particles when the stage last checked it, four numbers each. */
  checkedPositions: Float32Array = new Float32Array(0);
  /** Time since then (s). */
  sinceCheck = 0;
  /** An obstacle, a clamp, a pick or a pin supports it, or a body that is supported, in this step. */
  grounded = false;
  /** The bodies that it falls asleep together with. */
  readonly heap = new Heap();

  /** The body was woken: its times begin anew. */
  restart(): void {
    this.slowTime = this.tremblingTime = this.sinceCheck = 0;
  }
}
