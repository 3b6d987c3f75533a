import { fail, named } from './meshFile.js';
import type { PlyElement, PlyHeader, PlyType } from './plyHeader.js';
import { Scanner } from './scan.js';

/** The values after a PLY header in sequence, with the same interface for text and binary. */
export interface PlyData {
  next(type: PlyType, what: string): number;
  /** Refuses a list or an element whose values cannot fit into the rest of the file. */
  checkFits(bytes: number, values: number, what: string): void;
  /** "line 12" or "byte 340": position of the last value. */
  where(): string;
  /** Text or bytes after the last value, for a warning; empty if there are none. */
  rest(): string;
}

export function plyData(bytes: Uint8Array, file: string, { format, dataOffset, dataLine }: PlyHeader): PlyData {
  if (format === 'ascii') return new TextData(bytes, file, dataOffset, dataLine);
  return new BinaryData(bytes, file, dataOffset, format === 'binary_little_endian');
}

/** Refuses a count beyond the file before it is used for an allocation or a loop. */
export function checkElementFits(data: PlyData, file: string, { name, count, properties }: PlyElement): void {
  if (count === 0) return;
  if (properties.length === 0)
    fail(file, '', `the element ${named(name)} has no properties; expected at least one for its ${count} items`);
  const bytes = properties.reduce((sum, p) => sum + (p.length ?? p.type).size, 0);
  data.checkFits(count * bytes, count * properties.length, `${count} × ${named(name)}`);
}

class TextData implements PlyData {
  private readonly scan: Scanner;

  constructor(
    bytes: Uint8Array,
    private readonly file: string,
    offset: number,
    line: number,
  ) {
    this.scan = new Scanner(bytes, file, {}, offset);
    this.scan.line = line;
  }

  next(type: PlyType, what: string): number {
    if (!this.scan.next())
      fail(this.file, this.where(), `the file ends before ${named(what)}; expected the whole of its header's elements`);
    const value = this.scan.number();
    // Only values that are used must be finite; properties that are ignored may be nan or inf.
    if (Number.isNaN(value) && (type.integer || !/^[+-]?(nan|inf)/i.test(this.scan.text())))
      this.scan.refuse(what, type.integer ? 'an integer' : 'a number');
    if (type.integer && !Number.isInteger(value)) this.scan.refuse(what, 'an integer');
    return value;
  }

  checkFits(_bytes: number, values: number, what: string): void {
    // A value takes at least a digit and a separator; the last one may lack the separator.
    if (values * 2 - 1 > this.scan.remaining)
      fail(
        this.file,
        this.where(),
        `${what} need ${values} values, the file has ${this.scan.remaining} bytes left; expected a whole file`,
      );
  }

  where(): string {
    return `line ${this.scan.line}`;
  }

  rest(): string {
    return this.scan.next() ? `text from line ${this.scan.line}` : '';
  }
}

class BinaryData implements PlyData {
  private readonly view: DataView;
  private last: number;

  constructor(
    bytes: Uint8Array,
    private readonly file: string,
    private offset: number,
    private readonly little: boolean,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.last = offset;
  }

  next(type: PlyType, what: string): number {
    this.last = this.offset;
    if (this.offset + type.size > this.view.byteLength)
      fail(this.file, this.where(), `the file ends before ${named(what)}; expected the whole of its header's elements`);
    this.offset += type.size;
    return type.read(this.view, this.last, this.little);
  }

  checkFits(bytes: number, _values: number, what: string): void {
    const left = this.view.byteLength - this.offset;
    if (bytes > left)
      fail(
        this.file,
        `byte ${this.offset}`,
        `${what} need at least ${bytes} bytes, the file has ${left} left; expected a whole file`,
      );
  }

  where(): string {
    return `byte ${this.last}`;
  }

  rest(): string {
    const left = this.view.byteLength - this.offset;
    return left > 0 ? `${left} bytes from byte ${this.offset}` : '';
  }
}
