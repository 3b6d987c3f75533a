import { checkKeys, PliantError, refuse } from '../check.js';
import { type ArrayName, LAYOUT } from '../state/layout.js';
import { checkSnapshot, checkSound } from './check/check.js';
import { contentOf, hashArray, hashSnapshot, knownHash } from './content.js';
import { KEPT } from './format/arrays.js';
import { isTyped } from './format/schema.js';
import { Hash } from './hash.js';
import { mostUnpacked, pack, unpack } from './pack.js';
import { PlainReader, PlainWriter, TYPES, type TypedArray, typeOf } from './plain.js';
import type { Snapshot } from './snapshot.js';

/**
 * A snapshot as bytes, little-endian as in the memory of WASM:
 *
 *     0   magic              8 bytes
 *     8   format             u32: VERSION
 *     12  flags              u32: 1 if arrays of a base are referred to
 *     16  layout             hash of the arrays that this engine keeps
 *     24  length             u32, of all bytes
 *     28  arrays             u32, their number
 *     32  content            hash of the decoded snapshot
 *     40  checksum           hash of everything else
 *     48  one row an array   type u8, mode u8, stride u16, numbers u32, bytes u32, 0 u32, hash of the base's array
 *         description        u32 length, then the output of PlainWriter
 *         the arrays' bytes  one after the other
 */
const MAGIC = Uint8Array.of(0x89, 0x50, 0x4c, 0x49, 0x41, 0x4e, 0x54, 0x0a);
export const VERSION = 3;
const HEADER = 48;
const CHECKSUM = 40;
const ROW = 24;
const DELTA = 1;

/** How an array is stored: as it is; packed; not at all, as the base has it; as a packed difference from the base's. */
const Mode = { PLAIN: 0, PACKED: 1, SAME: 2, DIFFERENCE: 3 } as const;

/** Options of `world.save`, `world.restore` and `decodeSnapshot`. */
export interface BytesOptions {
  /**
   * A snapshot that both sides have: only differences from it are stored. Good bases are the world as it was built and
   * a recent snapshot. To restore such bytes the same base is needed.
   */
  base?: Snapshot;
}

/** Hash of the names and shapes of the state's arrays: bytes of an engine with other arrays cannot be read. */
const layoutHash = (() => {
  const hash = new Hash();
  for (const name of KEPT) {
    const { of, type, width, extra = 0 }: { of: string; type: string; width: number; extra?: number } = LAYOUT[name];
    hash.text(`${name} ${of} ${type} ${width} ${extra}`);
  }
  return hash.toString();
})();

/** Writes a snapshot as bytes. */
export function encodeSnapshot(snapshot: Snapshot, { base }: BytesOptions = {}): Uint8Array {
  const writer = new PlainWriter(knownHash);
  writer.write('snapshot', contentOf(snapshot));
  const known = base === undefined ? undefined : arraysOf(base);
  const strides = new Map(KEPT.map((name) => [`snapshot.arrays.${name}`, strideOf(name)]));
  const packed = writer.arrays.map((array, k) => {
    const path = writer.paths[k];
    return packArray(array, path, strides.get(path), known);
  });
  const description = writer.bytes;
  const head = HEADER + ROW * packed.length + 4;
  const length = packed.reduce((sum, { bytes }) => sum + bytes.length, head + description.length);
  if (length >= 0x100000000)
    throw new PliantError('snapshot', `snapshot takes ${length} bytes; expected less than 2^32.`);
  const out = new Uint8Array(length);
  const view = new DataView(out.buffer);
  out.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, packed.some(({ mode }) => mode >= Mode.SAME) ? DELTA : 0, true);
  writeHash(view, 16, layoutHash);
  view.setUint32(24, length, true);
  view.setUint32(28, packed.length, true);
  writeHash(view, 32, hashSnapshot(snapshot, knownHash));
  let at = head + description.length;
  packed.forEach(({ type, mode, stride, count, bytes, base }, k) => {
    const row = HEADER + ROW * k;
    out[row] = type;
    out[row + 1] = mode;
    view.setUint16(row + 2, stride, true);
    view.setUint32(row + 4, count, true);
    view.setUint32(row + 8, bytes.length, true);
    if (base) writeHash(view, row + 16, base);
    out.set(bytes, at);
    at += bytes.length;
  });
  view.setUint32(head - 4, description.length, true);
  out.set(description, head);
  return sealBytes(out);
}

/** Writes the checksum of bytes into them. */
export function sealBytes(bytes: Uint8Array): Uint8Array {
  writeHash(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), CHECKSUM, checksumOf(bytes));
  return bytes;
}

/**
 * Reads the bytes of `world.save` and checks everything: types, ranges, references, and the conditions of
 * `world.validate()`. Throws a PliantError for bytes that are damaged, truncated, of another format or engine, or that
 * need another base. It allocates no more than the length of the bytes allows.
 */
export function decodeSnapshot(bytes: Uint8Array, options: BytesOptions = {}): Snapshot {
  checkKeys('options', options, ['base']);
  const snapshot = readSnapshot(bytes, options);
  checkSnapshot(snapshot);
  checkSound(snapshot);
  return snapshot;
}

/** The same without the checks of the content. */
export function readSnapshot(given: Uint8Array, { base }: BytesOptions = {}): unknown {
  const view = checkHeader(given);
  // A Buffer of Node is a Uint8Array whose `slice` copies nothing.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const count = view.getUint32(28, true);
  const head = HEADER + ROW * count + 4;
  if (head > bytes.length) fail(`has ${bytes.length} bytes, too few for its ${count} arrays`);
  const described = view.getUint32(head - 4, true);
  let at = head + described;
  if (at > bytes.length) fail(`has a description of ${described} bytes, more than follow`);
  const known = base && arraysOf(base);
  const arrays: TypedArray[] = [];
  for (let k = 0; k < count; k++) {
    const size = view.getUint32(HEADER + ROW * k + 8, true);
    if (at + size > bytes.length) fail(`ends within array ${k}`);
    arrays.push(readArray(view, k, bytes.subarray(at, at + size), known));
    at += size;
  }
  if (at !== bytes.length) fail(`has ${bytes.length - at} bytes behind its arrays`);
  const snapshot = new PlainReader(bytes.subarray(head, head + described), arrays).readAll();
  if (typeof snapshot !== 'object' || snapshot === null) refuse('snapshot', snapshot, 'an object');
  if (hashSnapshot(snapshot as Snapshot, hashArray) !== readHash(view, 32))
    fail('is not what was saved: the base was written to since, or the bytes were');
  const byteLength = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  return { ...snapshot, byteLength, addedByteLength: byteLength };
}

/** Refuses bytes that are not of this format, complete and undamaged. */
function checkHeader(bytes: Uint8Array): DataView {
  // The array of a buffer that was sent away has length 0.
  if (!isTyped(bytes, 'Uint8Array') || bytes.length < HEADER || MAGIC.some((value, k) => bytes[k] !== value))
    refuse('snapshot', bytes, 'the bytes that world.save() returned');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) fail(`has format version ${version}; expected ${VERSION}`);
  const length = view.getUint32(24, true);
  if (length !== bytes.length)
    fail(
      `is ${bytes.length < length ? 'truncated' : 'followed by something else'}: ${bytes.length} bytes; expected ${length}`,
    );
  if (checksumOf(bytes) !== readHash(view, CHECKSUM)) fail('is damaged: its checksum is not that of its bytes');
  if (readHash(view, 16) !== layoutHash) fail('is of an engine with other arrays; expected one saved by this version');
  if (view.getUint32(12, true) > DELTA) fail(`has flags ${view.getUint32(12, true)}; expected 0 or ${DELTA}`);
  return view;
}

const fail = (what: string): never => {
  throw new PliantError('snapshot', `snapshot ${what}.`);
};

/** The hash of all bytes but the checksum itself. */
function checksumOf(bytes: Uint8Array): string {
  const hash = new Hash();
  hash.bytes(bytes.subarray(0, CHECKSUM));
  hash.bytes(bytes.subarray(HEADER));
  return hash.toString();
}

interface Known {
  byHash: Map<string, TypedArray>;
  byPath: Map<string, TypedArray>;
}

function arraysOf(base: Snapshot): Known {
  if ((base as Snapshot | null)?.format === undefined)
    refuse('base', base, 'a snapshot: what world.snapshot() returned');
  const writer = new PlainWriter(knownHash);
  writer.write('base', contentOf(base));
  return {
    byHash: new Map(writer.arrays.map((array) => [knownHash(array), array])),
    byPath: new Map(writer.arrays.map((array, k) => [writer.paths[k].slice('base'.length), array])),
  };
}

interface Packed {
  type: number;
  mode: number;
  stride: number;
  count: number;
  bytes: Uint8Array;
  /** Hash of the base's array. */
  base?: string;
}

const NOTHING = new Uint8Array(0);

function packArray(array: TypedArray, path: string, stride = array.BYTES_PER_ELEMENT, known?: Known): Packed {
  const row = { type: typeOf(array), stride, count: array.length };
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const hash = known && knownHash(array);
  if (hash && known.byHash.has(hash)) return { ...row, mode: Mode.SAME, bytes: NOTHING, base: hash };
  const before = known?.byPath.get(path.slice('snapshot'.length));
  if (before && before.length === array.length && typeOf(before) === row.type) {
    const packed = pack(difference(bytes, before), stride);
    if (packed.length < bytes.length) return { ...row, mode: Mode.DIFFERENCE, bytes: packed, base: knownHash(before) };
  }
  // The last entry of an offset table is not a whole row.
  const even = bytes.length % stride === 0 ? stride : array.BYTES_PER_ELEMENT;
  const packed = pack(bytes, even);
  if (packed.length >= bytes.length) return { ...row, mode: Mode.PLAIN, bytes };
  return { ...row, stride: even, mode: Mode.PACKED, bytes: packed };
}

function readArray(view: DataView, k: number, bytes: Uint8Array, known?: Known): TypedArray {
  const row = HEADER + ROW * k;
  const [type, mode, stride] = [TYPES[view.getUint8(row)], view.getUint8(row + 1), view.getUint16(row + 2, true)];
  const count = view.getUint32(row + 4, true);
  if (!type) fail(`has array ${k} of type ${view.getUint8(row)}, which there is not`);
  if (stride === 0) fail(`has array ${k} in rows of 0 bytes`);
  const size = count * type.BYTES_PER_ELEMENT;
  const before = mode >= Mode.SAME ? findBefore(readHash(view, row + 16), k, known) : undefined;
  if (before && (before.length !== count || TYPES[typeOf(before)] !== type))
    fail(`has array ${k} of another shape than its base`);
  if (mode === Mode.SAME) return bytes.length === 0 ? before! : fail(`has bytes for array ${k}, which is its base's`);
  if (mode === Mode.PLAIN) {
    if (bytes.length !== size) fail(`has ${bytes.length} bytes for array ${k}; expected ${size}`);
    return new type(bytes.slice().buffer);
  }
  if (mode !== Mode.PACKED && mode !== Mode.DIFFERENCE) fail(`has array ${k} in mode ${mode}, which there is not`);
  if (size > mostUnpacked(bytes.length))
    fail(`has ${bytes.length} bytes for the ${count} numbers of array ${k}, too few`);
  const unpacked =
    unpack(bytes, stride, size) ?? fail(`has array ${k} packed in a way that does not give ${count} numbers`);
  return new type((before ? difference(unpacked, before) : unpacked.slice()).buffer as ArrayBuffer);
}

function findBefore(hash: string, k: number, known?: Known): TypedArray {
  if (!known) return fail('is a difference; expected the base it was saved against as well');
  return known.byHash.get(hash) ?? fail(`is a difference to another base: array ${k} is not in this one`);
}

/** Bitwise XOR; applied twice it gives the original. */
function difference(bytes: Uint8Array, { buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  const other = new Uint8Array(buffer, byteOffset, byteLength);
  const out = new Uint8Array(bytes.length);
  for (let n = 0; n < bytes.length; n++) out[n] = bytes[n] ^ other[n];
  return out;
}

/** Bytes of one row of an array of the state. Packing puts equal fields of all rows next to each other. */
function strideOf(name: ArrayName): number {
  const { type, width } = LAYOUT[name];
  return width * (type === 'f64' ? 8 : 4);
}

function writeHash(view: DataView, at: number, hash: string): void {
  view.setUint32(at, Number.parseInt(hash.slice(0, 8), 16), true);
  view.setUint32(at + 4, Number.parseInt(hash.slice(8), 16), true);
}

function readHash(view: DataView, at: number): string {
  return [0, 4]
    .map((half) =>
      view
        .getUint32(at + half, true)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}
