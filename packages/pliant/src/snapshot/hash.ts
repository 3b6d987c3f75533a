/**
 * A hash of 64 bits over 32-bit words, in two lanes that mix each other, by arithmetic of 32-bit integers that is the
 * same on every machine. It detects accidental damage: a difference in any single word gives another hash, as every
 * step is a bijection of the lanes. It is no signature: bytes with a given hash can be made on purpose.
 */
export class Hash {
  private a = 0x9e3779b9 | 0;
  private b = 0x85ebca6b | 0;

  word(value: number): void {
    let a = Math.imul(this.a ^ value, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    this.b = (Math.imul(this.b, 5) + a) | 0;
    this.a = a ^ (this.b >>> 13);
  }

  words(values: Uint32Array): void {
    let { a, b } = this;
    for (let k = 0; k < values.length; k++) {
      a = Math.imul(a ^ values[k], 0xcc9e2d51);
      a = (a << 15) | (a >>> 17);
      b = (Math.imul(b, 5) + a) | 0;
      a ^= b >>> 13;
    }
    this.a = a;
    this.b = b;
  }

  /** Hashes bytes. A last word that is not full is padded with zeros. The number of bytes is part of the hash. */
  bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.word(byteLength);
    const whole = byteLength >> 2;
    if (byteOffset % 4 === 0) this.words(new Uint32Array(buffer, byteOffset, whole));
    else this.words(new Uint32Array(buffer.slice(byteOffset, byteOffset + 4 * whole)));
    if (byteLength % 4 === 0) return;
    const last = new Uint8Array(4);
    last.set(new Uint8Array(buffer, byteOffset + 4 * whole, byteLength % 4));
    this.words(new Uint32Array(last.buffer));
  }

  text(value: string): void {
    this.word(value.length);
    for (let k = 0; k < value.length; k++) this.word(value.charCodeAt(k));
  }

  /** The two halves of the hash, each scrambled once more (the final mix of MurmurHash3, a bijection as well). */
  digest(): readonly [number, number] {
    return [scramble((this.a + this.b) | 0), scramble(this.b)];
  }

  /** The same as sixteen hexadecimal digits. */
  toString(): string {
    return this.digest()
      .map((half) => half.toString(16).padStart(8, '0'))
      .join('');
  }
}

function scramble(h: number): number {
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
