/**
 * Largest number of values of one kind in a file: 1 GiB of coordinates. It bounds both declared counts and expanded
 * text.
 */
export const MOST_NUMBERS = 1 << 27;

/** Largest number of vertices of a mesh. */
export const MOST_VERTICES = Math.floor(MOST_NUMBERS / 3);

/** Thrown if a file would expand beyond these bounds. */
export class TooLarge extends Error {}

/** A typed array that doubles as it fills: sizes in file headers are not trusted for allocation. */
export class Growing<A extends Float64Array | Uint32Array> {
  length = 0;
  constructor(public values: A) {}

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** A copy of the filled part. */
  take(): A {
    return this.values.slice(0, this.length) as A;
  }

  private grow(): void {
    if (this.length >= MOST_NUMBERS) throw new TooLarge();
    const larger = new (this.values.constructor as new (length: number) => A)(Math.max(16, this.values.length * 2));
    larger.set(this.values);
    this.values = larger;
  }
}

export const growingFloats = (capacity = 1024): Growing<Float64Array> => new Growing(new Float64Array(capacity));
export const growingIndices = (capacity = 1024): Growing<Uint32Array> => new Growing(new Uint32Array(capacity));
