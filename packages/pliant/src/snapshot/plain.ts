import { PliantError } from '../check.js';

/** The typed arrays that a snapshot may hold. Their places are their type numbers in bytes. */
export const TYPES = [Uint8Array, Uint32Array, Float32Array, Float64Array] as const;
export type TypedArray = Uint8Array | Uint32Array | Float32Array | Float64Array;
/** The place in TYPES of an array's type, in whichever realm it was made; −1 if it has none. */
export const typeOf = (array: ArrayBufferView): number => {
  const name = Object.prototype.toString.call(array);
  return TYPES.findIndex((type) => name === `[object ${type.name}]`);
};

/** First byte of each value. */
const Tag = {
  UNDEFINED: 0,
  NULL: 1,
  FALSE: 2,
  TRUE: 3,
  NUMBER: 4,
  COUNT: 5,
  TEXT: 6,
  LIST: 7,
  RECORD: 8,
  ARRAY: 9,
} as const;

/** Largest depth of nested objects: a snapshot has seven. */
const DEEPEST = 24;

/**
 * Writes plain data as bytes: undefined, null, booleans, numbers, texts, lists, objects. Typed arrays are collected,
 * equal ones once, and referred to by number. Keys are texts, and each text is written once. Numbers keep every bit,
 * including −0 and NaN.
 */
export class PlainWriter {
  readonly arrays: TypedArray[] = [];
  /** Path of the first occurrence of each of these. */
  readonly paths: string[] = [];
  private readonly places = new Map<string, number>();
  private readonly texts = new Map<string, number>();
  private out = new Uint8Array(1024);
  private room = new DataView(this.out.buffer);
  private at = 0;
  private depth = 0;

  /** `nameOf` names an array; arrays of the same name, such as those of equal bits, are stored once. */
  constructor(private readonly nameOf: (array: TypedArray) => string) {}

  /** The bytes of what was written. */
  get bytes(): Uint8Array {
    return this.out.slice(0, this.at);
  }

  /** Writes a value. `path` is its path, for the message if it cannot be written. */
  write(path: string, value: unknown): void {
    if (value === undefined) this.byte(Tag.UNDEFINED);
    else if (value === null) this.byte(Tag.NULL);
    else if (typeof value === 'boolean') this.byte(value ? Tag.TRUE : Tag.FALSE);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') {
      this.byte(Tag.TEXT);
      this.text(value);
    } else if (typeof value === 'object') this.object(path, value);
    else
      throw new PliantError(
        path,
        `${path} is a ${typeof value}, which cannot be stored in bytes; expected plain data.`,
      );
  }

  private object(path: string, value: object): void {
    if (ArrayBuffer.isView(value)) {
      this.byte(Tag.ARRAY);
      this.count(this.place(path, value));
      return;
    }
    if (this.depth === DEEPEST)
      throw new PliantError(path, `${path} has objects within objects, deeper than ${DEEPEST}, or is within itself.`);
    this.depth++;
    if (Array.isArray(value)) {
      this.byte(Tag.LIST);
      this.count(value.length);
      for (let k = 0; k < value.length; k++) this.write(`${path}[${k}]`, value[k]);
    } else {
      const entries = Object.entries(value);
      this.byte(Tag.RECORD);
      this.count(entries.length);
      for (const [key, part] of entries) {
        this.text(key);
        this.write(`${path}.${key}`, part);
      }
    }
    this.depth--;
  }

  private place(path: string, array: ArrayBufferView): number {
    if (typeOf(array) < 0) throw new PliantError(path, `${path} is an array of a type that is not stored in bytes.`);
    const name = this.nameOf(array as TypedArray);
    let at = this.places.get(name);
    if (at === undefined) {
      at = this.arrays.push(array as TypedArray) - 1;
      this.paths.push(path);
      this.places.set(name, at);
    }
    return at;
  }

  private number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < 0x100000000 && !Object.is(value, -0)) {
      this.byte(Tag.COUNT);
      this.count(value);
      return;
    }
    this.byte(Tag.NUMBER);
    this.reserve(8);
    this.room.setFloat64(this.at, value, true);
    this.at += 8;
  }

  /** Writes the number of a text that occurred before, or the next number and then the text. */
  private text(value: string): void {
    const known = this.texts.get(value);
    this.count(known ?? this.texts.size);
    if (known !== undefined) return;
    this.texts.set(value, this.texts.size);
    this.count(value.length);
    for (let k = 0; k < value.length; k++) this.count(value.charCodeAt(k));
  }

  /** Seven bits a byte, the lowest first; the eighth bit is set if more follow. */
  private count(value: number): void {
    while (value >= 128) {
      this.byte((value % 128) + 128);
      value = Math.floor(value / 128);
    }
    this.byte(value);
  }

  private byte(value: number): void {
    this.reserve(1);
    this.out[this.at++] = value;
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.out.length) return;
    const wider = new Uint8Array(2 * this.out.length);
    wider.set(this.out);
    this.out = wider;
    this.room = new DataView(wider.buffer);
  }
}

/** Reads the output of a PlainWriter. For any bytes it terminates, and allocates no more than they have room for. */
export class PlainReader {
  private readonly texts: string[] = [];
  private readonly room: DataView;
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly arrays: readonly TypedArray[],
    private readonly what = 'snapshot',
    private readonly expected = 'what world.save() returned',
  ) {
    this.room = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The one value that the bytes hold. */
  readAll(): unknown {
    const value = this.read(0);
    if (this.at !== this.bytes.length) this.fail('ends before its bytes do');
    return value;
  }

  private read(depth: number): unknown {
    if (depth > DEEPEST) this.fail(`has objects within objects, deeper than ${DEEPEST}`);
    const tag = this.byte();
    switch (tag) {
      case Tag.UNDEFINED:
        return undefined;
      case Tag.NULL:
        return null;
      case Tag.FALSE:
        return false;
      case Tag.TRUE:
        return true;
      case Tag.NUMBER:
        this.need(8);
        this.at += 8;
        return this.room.getFloat64(this.at - 8, true);
      case Tag.COUNT:
        return this.count();
      case Tag.TEXT:
        return this.text();
      case Tag.ARRAY: {
        const n = this.count();
        return this.arrays[n] ?? this.fail(`names array ${n} of ${this.arrays.length}`);
      }
      case Tag.LIST: {
        const length = this.length();
        const list: unknown[] = [];
        for (let k = 0; k < length; k++) list.push(this.read(depth + 1));
        return list;
      }
      case Tag.RECORD:
        return this.record(depth);
      default:
        return this.fail(`has a value of kind ${tag}, which there is not`);
    }
  }

  private record(depth: number): object {
    const length = this.length();
    const record: Record<string, unknown> = {};
    for (let k = 0; k < length; k++) {
      const key = this.text();
      if (key === '__proto__' || Object.hasOwn(record, key))
        this.fail(`has the field ${JSON.stringify(key.slice(0, 40))} twice, or one that no object may have`);
      record[key] = this.read(depth + 1);
    }
    return record;
  }

  private text(): string {
    const n = this.count();
    if (n < this.texts.length) return this.texts[n];
    if (n > this.texts.length) this.fail(`names text ${n} of ${this.texts.length}`);
    const length = this.length();
    let text = '';
    for (let k = 0; k < length; k++) {
      const code = this.count();
      if (code > 0xffff) this.fail(`has character ${code}`);
      text += String.fromCharCode(code);
    }
    this.texts.push(text);
    return text;
  }

  /** A number of values that follow, each of which takes at least a byte. */
  private length(): number {
    const length = this.count();
    this.need(length);
    return length;
  }

  private count(): number {
    let [value, scale] = [0, 1];
    for (let k = 0; k < 5; k++) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value < 0x100000000 ? value : this.fail(`has a count of ${value}`);
      scale *= 128;
    }
    return this.fail('has a count of more than five bytes');
  }

  private byte(): number {
    this.need(1);
    return this.bytes[this.at++];
  }

  private need(bytes: number): void {
    if (this.at + bytes > this.bytes.length) this.fail(`ends within a value, at byte ${this.bytes.length}`);
  }

  private fail(what: string): never {
    throw new PliantError(this.what, `${this.what}: the description ${what}; expected ${this.expected}.`);
  }
}
