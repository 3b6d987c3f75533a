import { fail, quote } from './meshFile.js';

export type PlyFormat = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

/** A scalar type of the format: its size in a binary file and how to read it there. */
export interface PlyType {
  size: number;
  read(view: DataView, offset: number, little: boolean): number;
  /** The value that means 1 in a colour; undefined for floats, which store fractions. */
  full?: number;
  integer: boolean;
}

export interface PlyProperty {
  name: string;
  type: PlyType;
  /** Type of the length before a list; undefined for a single value. */
  length?: PlyType;
}

export interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

export interface PlyHeader {
  format: PlyFormat;
  elements: PlyElement[];
  /** Start of the data: byte and line. */
  dataOffset: number;
  dataLine: number;
}

const INT8: PlyType = { size: 1, read: (v, o) => v.getInt8(o), full: 127, integer: true };
const UINT8: PlyType = { size: 1, read: (v, o) => v.getUint8(o), full: 255, integer: true };
const INT16: PlyType = { size: 2, read: (v, o, l) => v.getInt16(o, l), full: 32767, integer: true };
const UINT16: PlyType = { size: 2, read: (v, o, l) => v.getUint16(o, l), full: 65535, integer: true };
// Writers that give colours as int mean 0..255.
const INT32: PlyType = { size: 4, read: (v, o, l) => v.getInt32(o, l), full: 255, integer: true };
const UINT32: PlyType = { size: 4, read: (v, o, l) => v.getUint32(o, l), full: 255, integer: true };
const FLOAT32: PlyType = { size: 4, read: (v, o, l) => v.getFloat32(o, l), integer: false };
const FLOAT64: PlyType = { size: 8, read: (v, o, l) => v.getFloat64(o, l), integer: false };

const TYPES = new Map<string, PlyType>([
  ...Object.entries({ char: INT8, uchar: UINT8, short: INT16, ushort: UINT16, int: INT32, uint: UINT32 }),
  ...Object.entries({ int8: INT8, uint8: UINT8, int16: INT16, uint16: UINT16, int32: INT32, uint32: UINT32 }),
  ...Object.entries({ float: FLOAT32, double: FLOAT64, float32: FLOAT32, float64: FLOAT64 }),
]);

const FORMATS: readonly string[] = ['ascii', 'binary_little_endian', 'binary_big_endian'] satisfies PlyFormat[];

/** A header has tens of lines; the bound keeps a binary file without end_header from being read as one line. */
const LONGEST_LINE = 4096;

/**
 * Largest number of elements, and of properties of each. Writers have ten or twenty, and each is compared with all
 * others.
 */
const MOST_NAMES = 1000;

/** Reads from "ply" to "end_header". Checks counts and types, but not sizes against the file. */
export function parsePlyHeader(bytes: Uint8Array, file: string): PlyHeader {
  const lines = headerLines(bytes, file);
  const elements: PlyElement[] = [];
  let format: PlyFormat | undefined;
  for (const { words, line, end } of lines) {
    const where = `line ${line}`;
    switch (words[0]) {
      case 'format':
        if (!FORMATS.includes(words[1]))
          fail(file, where, `format is ${quote(words[1] ?? '')}; expected ${FORMATS.join(', ')}`);
        format = words[1] as PlyFormat;
        break;
      case 'element':
        elements.push(parseElement(words, elements, file, where));
        break;
      case 'property': {
        const element = elements.at(-1);
        if (!element)
          fail(file, where, `the property ${quote(words.at(-1)!)} has no element; expected "element" before it`);
        element.properties.push(parseProperty(words, element, file, where));
        break;
      }
      case 'end_header':
        if (!format) fail(file, where, 'the header has no format line; expected "format ascii 1.0" or a binary one');
        return { format, elements, dataOffset: end, dataLine: line + 1 };
      case undefined:
      case 'comment':
      case 'obj_info':
        break;
      default:
        fail(
          file,
          where,
          `the header has ${quote(words[0])}; expected format, element, property, comment, obj_info or end_header`,
        );
    }
  }
  fail(file, '', 'the header does not end; expected a line "end_header"');
}

function parseElement(words: string[], elements: PlyElement[], file: string, where: string): PlyElement {
  const [, name, digits] = words;
  if (words.length !== 3 || !/^\d{1,10}$/.test(digits))
    fail(file, where, `the element is ${quote(words.slice(1).join(' '))}; expected a name and a count`);
  if (elements.length === MOST_NAMES) fail(file, where, `the header has ${MOST_NAMES} elements; expected fewer`);
  if (elements.some((e) => e.name === name))
    fail(file, where, `the element ${quote(name)} is there twice; expected it once`);
  return { name, count: Number(digits), properties: [] };
}

function parseProperty(words: string[], element: PlyElement, file: string, where: string): PlyProperty {
  const list = words[1] === 'list';
  const [lengthName, typeName, name] = list ? words.slice(2) : ['', ...words.slice(1)];
  const type = TYPES.get(typeName);
  const length = TYPES.get(lengthName);
  if (words.length !== (list ? 5 : 3) || !type || (list && !length?.integer))
    fail(
      file,
      where,
      `the property is ${quote(words.slice(1).join(' '))}; expected a type and a name, or "list", an integer type, a type and a name`,
    );
  if (element.properties.length === MOST_NAMES)
    fail(file, where, `the element ${quote(element.name)} has ${MOST_NAMES} properties; expected fewer`);
  if (element.properties.some((p) => p.name === name))
    fail(file, where, `the property ${quote(name)} is there twice; expected it once`);
  return { name, type, length };
}

/** The header's lines as words; `end` is the byte after the line. The first line decides how lines end. */
function* headerLines(bytes: Uint8Array, file: string) {
  const crOnly = bytes[3] === 13 && bytes[4] !== 10;
  const decoder = new TextDecoder('latin1');
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    let end = start;
    while (end < bytes.length && bytes[end] !== (crOnly ? 13 : 10)) {
      if (end - start > LONGEST_LINE)
        fail(file, `line ${line}`, `the header's line is longer than ${LONGEST_LINE} bytes; expected a PLY header`);
      end++;
    }
    const words = decoder.decode(bytes.subarray(start, end)).trim().split(/\s+/).filter(Boolean);
    if (line === 1) {
      if (words[0] !== 'ply') fail(file, 'line 1', `the file begins with ${quote(words.join(' '))}; expected "ply"`);
    } else yield { words, line, end: Math.min(end + 1, bytes.length) };
    start = end + 1;
  }
}
