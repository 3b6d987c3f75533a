import { fail, named, quote } from './meshFile.js';

export interface ScanOptions {
  /** A token that begins with `#` ends the line; inside a token it is an ordinary character (1.#QNAN is not 1). */
  comments?: boolean;
  /** A backslash at the end of a line joins it to the next. */
  continuation?: boolean;
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const BACKSLASH = 92;

/**
 * Iterates over the whitespace-separated tokens of a text file without making strings of them: the current token is
 * `bytes[start .. end)` on line `line`. Lines end with LF, CR LF or CR; a byte-order mark is skipped.
 */
export class Scanner {
  line = 1;
  start = 0;
  end = 0;
  private readonly comments: boolean;
  private readonly continuation: boolean;

  constructor(
    readonly bytes: Uint8Array,
    readonly file: string,
    options: ScanOptions = {},
    offset = 0,
  ) {
    this.comments = options.comments ?? false;
    this.continuation = options.continuation ?? false;
    const marked = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.start = this.end = marked ? 3 : offset;
  }

  /** Moves to the next token, on this line or a later one; false at the end of the file. */
  next(): boolean {
    while (!this.nextOnLine()) if (!this.skipLine()) return false;
    return true;
  }

  /** Moves to the next token of this line; false at the end of the line, where it stays. */
  nextOnLine(): boolean {
    const { bytes } = this;
    let p = this.end;
    for (;;) {
      const c = bytes[p];
      if (c === SPACE || c === TAB || c === 11 || c === 12) p++;
      else if (c === BACKSLASH && this.continuation && this.lineEnd(p + 1) > 0) {
        p += 1 + this.lineEnd(p + 1);
        this.line++;
      } else break;
    }
    this.start = p;
    this.end = this.comments && bytes[p] === HASH ? p : this.tokenEnd(p);
    return this.end > p;
  }

  /** Moves past the end of this line; false at the end of the file. */
  skipLine(): boolean {
    const { bytes } = this;
    let p = this.end;
    while (p < bytes.length && bytes[p] !== LF && bytes[p] !== CR) p++;
    const length = this.lineEnd(p);
    this.start = this.end = p + length;
    if (length > 0) this.line++;
    return length > 0;
  }

  /** The current token as a number; NaN if it is not one. */
  number(): number {
    return parseNumber(this.bytes, this.start, this.end);
  }

  /** The current token as a finite number; refuses others under the name `what`. */
  finite(what: string): number {
    const value = this.number();
    if (!Number.isFinite(value)) this.refuse(what, 'a finite number');
    return value;
  }

  /** The current token as text, for keywords and messages. */
  text(): string {
    return text(this.bytes, this.start, this.end);
  }

  refuse(what: string, expected: string): never {
    const value = this.end > this.start ? quote(this.text()) : 'missing';
    fail(this.file, `line ${this.line}`, `${named(what)} is ${value}; expected ${expected}`);
  }

  /** Bytes after the current token: an upper bound of any token or count. */
  get remaining(): number {
    return this.bytes.length - this.end;
  }

  private tokenEnd(p: number): number {
    const { bytes } = this;
    const { length } = bytes;
    let end = p;
    for (; end < length; end++) {
      const c = bytes[end];
      if (c > SPACE && c !== BACKSLASH) continue;
      if (c === SPACE || (c >= TAB && c <= CR)) break;
      if (c === BACKSLASH && this.continuation && this.lineEnd(end + 1) > 0) break;
    }
    return end;
  }

  /** Length of the line end at p: 2 for CR LF, 1 for CR or LF, 0 if there is none. */
  private lineEnd(p: number): number {
    const c = this.bytes[p];
    if (c === CR) return this.bytes[p + 1] === LF ? 2 : 1;
    return c === LF ? 1 : 0;
  }
}

const decoder = new TextDecoder('utf-8');

/** Bytes of a token that are considered. A longer token is no number and no keyword, and may be as long as the file. */
const LONGEST_TOKEN = 4096;

function text(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, Math.min(end, start + LONGEST_TOKEN)));
}

// Powers of ten that a double represents exactly.
const TEN = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/**
 * The decimal number in bytes[start .. end), the same double as Number() gives; NaN if it is not one.
 *
 * Up to 15 digits and a power of ten up to 22 are both exact in a double, so that one division or product is rounded
 * once and correctly (Clinger 1990, "How to read floating point numbers accurately"). Other numbers are parsed by
 * Number().
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST_TOKEN) return Number.NaN;
  let p = start;
  const sign = bytes[p];
  if (sign === 45 || sign === 43) p++;
  let mantissa = 0;
  let digits = 0;
  let power = 0;
  let point = false;
  const first = p;
  for (; p < end; p++) {
    const c = bytes[p];
    if (c >= 48 && c <= 57) {
      mantissa = mantissa * 10 + (c - 48);
      if (mantissa > 0) digits++;
      if (point) power--;
    } else if (c === 46 && !point) point = true;
    else break;
  }
  if (p - first <= (point ? 1 : 0)) return Number.NaN;
  if (p < end) {
    if ((bytes[p] | 32) !== 101) return Number.NaN;
    p++;
    const negative = bytes[p] === 45;
    if (p < end && (negative || bytes[p] === 43)) p++;
    if (p === end) return Number.NaN;
    let exponent = 0;
    for (; p < end; p++) {
      const c = bytes[p];
      if (c < 48 || c > 57) return Number.NaN;
      exponent = exponent * 10 + (c - 48);
    }
    power += negative ? -exponent : exponent;
  }
  if (digits > 15 || power > 22 || power < -22) return Number(text(bytes, start, end));
  const value = power < 0 ? mantissa / TEN[-power] : mantissa * TEN[power];
  return sign === 45 ? -value : value;
}
