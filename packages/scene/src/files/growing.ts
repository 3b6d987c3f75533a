/** Numbers of one kind that a file may hold, 1 GiB of coordinates: what it says of itself and what its text expands to end there. */
export const MOST_NUMBERS = 1 << 27;

/** Vertices of a mesh. */
export const MOST_VERTICES = Math.floor(MOST_NUMBERS / 3);

/** A file would expand to more than is held. */
export class TooLarge extends Error {}

/** A typed array that doubles as it fills: file headers are not trusted with the size of an allocation. */
export class Growing<A extends Float64Array | Uint32Array> {
  length = 0;
  constructor(public values: A) {}

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** The filled part, in memory of its own size. */
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
