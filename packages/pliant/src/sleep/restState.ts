import { Heap } from './heap.js';

/** How calm a body is: all that the sleep stage keeps of it. */
export class RestState {
  /** Root mean square speed of its particles in the last step (m/s). */
  speed = 0;
  /** How long it has moved less than the sleeping speed (s). */
  calmFor = 0;
  /** How long it has moved less than `TREMBLING` times the sleeping speed (s). */
  tremblesFor = 0;
  /** Positions of its particles when it was last looked at, four numbers each. */
  mark: Float32Array = new Float32Array(0);
  /** Time since then (s). */
  sinceMark = 0;
  /** An obstacle, a clamp, a pick or a pin supports it, or a body that is supported, in this step. */
  grounded = false;
  /** The bodies that it falls asleep together with. */
  readonly heap = new Heap();

  /** The body was woken: it begins to be calm anew. */
  restart(): void {
    this.calmFor = this.tremblesFor = this.sinceMark = 0;
  }
}
