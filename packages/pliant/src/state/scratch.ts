/**
 * Room for a list of whole numbers that is filled anew again and again: bodies that break are rewritten many times a second, and memory fresh from
 * the system costs more than what is done with it. What was in it before is still there.
 */
export class Scratch {
  private room = new Uint32Array(0);

  take(length: number): Uint32Array {
    if (this.room.length < length) this.room = new Uint32Array(Math.ceil(1.5 * length));
    return this.room.subarray(0, length);
  }

  takeZeros(length: number): Uint32Array {
    return this.take(length).fill(0);
  }
}
