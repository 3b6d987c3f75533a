type List = Uint32Array | Int32Array | Uint8Array | Int8Array | Float32Array | Float64Array;

/** Uses after which the size of a buffer is looked at, and the length that is never too large. */
const USES = 500;
const SMALL = 1 << 14;

/**
 * A reusable buffer for a list that is filled again and again. Bodies that break are rewritten many times a second, and
 * fresh memory from the system costs more than the work on it. The buffer keeps its former content, unless it is replaced: by a larger one
 * where it is too small, and by a smaller one where the last uses needed but a quarter of it. One large body does not take memory for ever.
 */
export class Scratch<T extends List = Uint32Array> {
  private room: T;
  /** Uses since the size was last looked at, and the largest length among them. */
  private uses = 0;
  private most = 0;

  constructor(private readonly Kind: new (length: number) => T = Uint32Array as unknown as new (length: number) => T) {
    this.room = new Kind(0);
  }

  take(length: number): T {
    this.most = Math.max(this.most, length);
    if (this.room.length < length) this.room = new this.Kind(Math.ceil(1.5 * length));
    else if (++this.uses >= USES) this.look();
    return this.room.subarray(0, length) as T;
  }

  takeZeros(length: number): T {
    return this.take(length).fill(0) as T;
  }

  private look(): void {
    if (this.room.length > SMALL && this.room.length > 4 * this.most) this.room = new this.Kind(2 * this.most);
    this.uses = this.most = 0;
  }
}

/** A buffer for several lists at a time, one behind the other, all released at once. */
export class Shelf {
  private room = new Uint32Array(0);
  private taken = 0;
  private wanted = 0;

  /** Releases everything that was taken before. */
  clear(): void {
    if (this.wanted > this.room.length) this.room = new Uint32Array(Math.ceil(1.5 * this.wanted));
    this.taken = this.wanted = 0;
  }

  words(length: number): Uint32Array {
    this.wanted += length;
    // `clear` enlarges the buffer for the next time.
    if (this.taken + length > this.room.length) return new Uint32Array(length);
    this.taken += length;
    return this.room.subarray(this.taken - length, this.taken);
  }

  floats(length: number): Float32Array {
    const { buffer, byteOffset } = this.words(length);
    return new Float32Array(buffer, byteOffset, length);
  }
}

/** 0, 1, 2, …: a shared array, to be read only. */
export function counting(length: number): Uint32Array {
  if (length > numbers.length) {
    numbers = new Uint32Array(2 * length);
    for (let n = 0; n < numbers.length; n++) numbers[n] = n;
  }
  return numbers.subarray(0, length);
}
let numbers = new Uint32Array(0);
