import { refuse } from '../check.js';
import type { Snapshot } from './snapshot.js';

/**
 * The hash of all that the further run of a world depends on, 128 bits in hexadecimal: equal on every machine, engine and thread count
 * for the same scene and inputs (SPEC Q1). Nothing is rounded or canonicalised, so that −0 and 0 differ; NaN is refused.
 */
export function hashSnapshot(snapshot: Snapshot): string {
  if (typeof snapshot !== 'object' || snapshot === null) refuse('snapshot', snapshot, 'what world.snapshot() returned');
  // Sizes tell what the snapshot before it was; the format is not the world's.
  const { format, byteLength, addedByteLength, ...world } = snapshot;
  return hashData(world, 'snapshot');
}

/** The hash of plain data: numbers, strings, booleans, typed arrays, and lists and objects of these. Keys count, their order does not. `field` names it in refusals. */
export function hashData(data: unknown, field = 'data'): string {
  const hash = new Hash();
  hash.add(data, field);
  return hash.digest();
}

/** What a value is; written before it, so that no two different data are the same row of words. */
const Kind = { UNDEFINED: 1, NULL: 2, BOOLEAN: 3, NUMBER: 4, STRING: 5, LIST: 6, OBJECT: 7, ARRAY: 8 } as const;

/** Odd numbers without a pattern: the golden ratio's fraction, and those of √2, √3 and √5, as 32 bits. */
const FACTORS = [0x9e3779b1, 0x6a09e667, 0xbb67ae85, 0x3c6ef373] as const;

/** Four lanes of 32 bits. Each takes every fourth word in and passes on what it has become to the next. */
class Hash {
  private a: number = FACTORS[0];
  private b: number = FACTORS[1];
  private c: number = FACTORS[2];
  private d: number = FACTORS[3];
  private readonly number = new Float64Array(1);
  private readonly words = new Uint32Array(this.number.buffer);

  add(value: unknown, path: string): void {
    if (value === undefined) this.mix(Kind.UNDEFINED, 0, 0, 0);
    else if (value === null) this.mix(Kind.NULL, 0, 0, 0);
    else if (typeof value === 'boolean') this.mix(Kind.BOOLEAN, value ? 1 : 0, 0, 0);
    else if (typeof value === 'number') this.addNumber(value, path);
    else if (typeof value === 'string') this.addString(value);
    else if (ArrayBuffer.isView(value)) this.addArray(value as TypedArray, path);
    else if (Array.isArray(value)) {
      this.mix(Kind.LIST, value.length, 0, 0);
      value.forEach((part, k) => {
        this.add(part, `${path}[${k}]`);
      });
    } else if (typeof value === 'object' && isPlain(value)) {
      const keys = Object.keys(value).sort();
      this.mix(Kind.OBJECT, keys.length, 0, 0);
      for (const key of keys) {
        this.addString(key);
        this.add((value as Record<string, unknown>)[key], `${path}.${key}`);
      }
    } else refuse(path, value, 'plain data');
  }

  digest(): string {
    // Every lane comes to depend on every word.
    for (let k = 0; k < 4; k++) this.mix(k, k, k, k);
    return [this.a, this.b, this.c, this.d].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private addNumber(value: number, path: string): void {
    if (Number.isNaN(value)) refuse(path, value, 'a number, whose bits are the same everywhere');
    this.number[0] = value;
    this.mix(Kind.NUMBER, this.words[0], this.words[1], 0);
  }

  private addString(text: string): void {
    this.mix(Kind.STRING, text.length, 0, 0);
    for (let k = 0; k < text.length; k += 4)
      this.mix(text.charCodeAt(k), text.charCodeAt(k + 1), text.charCodeAt(k + 2), text.charCodeAt(k + 3));
  }

  /** By its bits, little-endian as in the memory of WASM, filled up with zeros to whole blocks of four words. */
  private addArray(array: TypedArray, path: string): void {
    if (array instanceof Float32Array || array instanceof Float64Array)
      for (let k = 0; k < array.length; k++)
        if (Number.isNaN(array[k])) refuse(`${path}[${k}]`, array[k], 'a number, whose bits are the same everywhere');
    this.addString(array.constructor.name);
    this.mix(Kind.ARRAY, array.length, 0, 0);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const whole = array.byteOffset % 4 === 0 ? array.byteLength >>> 4 : 0;
    this.mixAll(new Uint32Array(array.buffer, whole > 0 ? array.byteOffset : 0, 4 * whole));
    const rest = new Uint8Array(16 * Math.ceil((bytes.length - 16 * whole) / 16));
    rest.set(bytes.subarray(16 * whole));
    this.mixAll(new Uint32Array(rest.buffer));
  }

  private mixAll(words: Uint32Array): void {
    for (let k = 0; k < words.length; k += 4) this.mix(words[k], words[k + 1], words[k + 2], words[k + 3]);
  }

  /** Each line is one-to-one in its word and in its lane: a single word that differs always changes its lane. */
  private mix(p: number, q: number, r: number, s: number): void {
    const a = turned(Math.imul(this.a ^ p, FACTORS[0]) ^ this.d);
    const b = turned(Math.imul(this.b ^ q, FACTORS[1]) ^ a);
    const c = turned(Math.imul(this.c ^ r, FACTORS[2]) ^ b);
    this.d = turned(Math.imul(this.d ^ s, FACTORS[3]) ^ c);
    this.a = a;
    this.b = b;
    this.c = c;
  }
}

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

type TypedArray = Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array;

/** The bits turned by 15 places: those that a product leaves alone, the low ones, come to the top of the next. */
const turned = (lane: number) => (lane << 15) | (lane >>> 17);
