import { type BuiltBody, isBuilt } from '../body/build.js';
import { PliantError, refuse } from '../check.js';
import { isTyped } from '../snapshot/format/schema.js';
import { Hash } from '../snapshot/hash.js';
import { PlainReader, PlainWriter, TYPES, type TypedArray, typeOf } from '../snapshot/plain.js';
import { checkAsset } from './check.js';
import { builtFrom, describeBuilt } from './record.js';

/**
 * A built body as bytes, little-endian as in the memory of WASM:
 *
 *     0   magic              8 bytes
 *     8   format             u32: VERSION
 *     12  length             u32, of all bytes
 *     16  arrays             u32, their number
 *     20  description        u32, its length
 *     24  checksum           hash of everything else
 *     32  one row an array   type u8, mode u8, 0 u16, numbers u32
 *         description        the output of PlainWriter
 *         the arrays' bytes  one after the other
 */
const MAGIC = Uint8Array.of(0x89, 0x50, 0x4c, 0x42, 0x4f, 0x44, 0x59, 0x0a);
/** To be raised whenever a field is added, or the meaning of one changes. */
export const ASSET_VERSION = 1;
const HEADER = 32;
const CHECKSUM = 24;
const ROW = 8;

/** How an array is stored: number by number, or once where all its numbers are the same, as in bodies of one material. */
const Mode = { EACH: 0, SAME: 1 } as const;

/**
 * A built body as bytes with a checksum, for files and messages: its particles, clusters, material, contact and the mesh that shows it. A function among the options was evaluated when the
 * body was built and is not stored.
 *
 * @example
 * const bytes = pliant.saveBody(pliant.buildBody({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 100 } }));
 * console.log(bytes.length);
 */
export function saveBody(built: BuiltBody): Uint8Array {
  if (!isBuilt(built)) refuse('built', built, 'what buildBody or loadBody returned');
  const writer = new PlainWriter(nameOf());
  writer.write('asset', describeBuilt(built));
  const description = writer.bytes;
  const stored = writer.arrays.map((array) => ({ array, kept: isSame(array) ? 1 : array.length }));
  const head = HEADER + ROW * stored.length;
  const length = stored.reduce(
    (sum, { array, kept }) => sum + kept * array.BYTES_PER_ELEMENT,
    head + description.length,
  );
  if (length >= 0x100000000) throw new PliantError('built', `built takes ${length} bytes; expected less than 2^32.`);
  const out = new Uint8Array(length);
  const view = new DataView(out.buffer);
  out.set(MAGIC);
  view.setUint32(8, ASSET_VERSION, true);
  view.setUint32(12, length, true);
  view.setUint32(16, stored.length, true);
  view.setUint32(20, description.length, true);
  out.set(description, head);
  let at = head + description.length;
  stored.forEach(({ array, kept }, k) => {
    const row = HEADER + ROW * k;
    out[row] = typeOf(array);
    out[row + 1] = kept < array.length ? Mode.SAME : Mode.EACH;
    view.setUint32(row + 4, array.length, true);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, kept * array.BYTES_PER_ELEMENT);
    out.set(bytes, at);
    at += bytes.length;
  });
  return sealAsset(out);
}

/** Arrays that are the same object are stored once. */
function nameOf(): (array: TypedArray) => string {
  const names = new Map<TypedArray, string>();
  return (array) => {
    if (!names.has(array)) names.set(array, String(names.size));
    return names.get(array)!;
  };
}

function isSame(array: TypedArray): boolean {
  for (let k = 1; k < array.length; k++) if (!Object.is(array[k], array[0])) return false;
  return array.length > 1;
}

/** Writes the checksum of bytes into them. */
export function sealAsset(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checksumOf(bytes).forEach((half, k) => {
    view.setUint32(CHECKSUM + 4 * k, half, true);
  });
  return bytes;
}

function checksumOf(bytes: Uint8Array): readonly [number, number] {
  const hash = new Hash();
  hash.bytes(bytes.subarray(0, CHECKSUM));
  hash.bytes(bytes.subarray(HEADER));
  return hash.digest();
}

/**
 * Reads the bytes of `saveBody` and checks everything: types, ranges, and every number that names a row. Throws a PliantError for bytes that are damaged, truncated, or of another version.
 * It allocates no more than a world could hold.
 *
 * @example
 * const bytes = pliant.saveBody(pliant.buildBody({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 100 } }));
 * world.addBody(pliant.loadBody(bytes), { position: [0, 1, 0] });
 */
export function loadBody(given: Uint8Array): BuiltBody {
  const view = checkHeader(given);
  // A Buffer of Node is a Uint8Array whose `slice` copies nothing.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const count = view.getUint32(16, true);
  const described = view.getUint32(20, true);
  const head = HEADER + ROW * count;
  let at = head + described;
  if (at > bytes.length) fail(`has ${bytes.length} bytes, too few for its ${count} arrays and its description`);
  const arrays: TypedArray[] = [];
  for (let k = 0; k < count; k++) {
    const row = HEADER + ROW * k;
    const [type, mode, numbers] = [TYPES[bytes[row]], bytes[row + 1], view.getUint32(row + 4, true)];
    if (!type) fail(`has array ${k} of type ${bytes[row]}, which there is not`);
    if (mode !== Mode.EACH && mode !== Mode.SAME) fail(`has array ${k} in mode ${mode}, which there is not`);
    if (mode === Mode.SAME && !(numbers > 1 && numbers <= MOST_SAME))
      fail(`has array ${k} of ${numbers} equal numbers; expected at most ${MOST_SAME}`);
    const size = (mode === Mode.SAME ? 1 : numbers) * type.BYTES_PER_ELEMENT;
    if (at + size > bytes.length) fail(`ends within array ${k}`);
    const stored = new type(bytes.slice(at, at + size).buffer);
    arrays.push(mode === Mode.SAME ? new type(numbers).fill(stored[0]) : stored);
    at += size;
  }
  if (at !== bytes.length) fail(`has ${bytes.length - at} bytes behind its arrays`);
  const asset = read(bytes.subarray(head, head + described), arrays);
  checkAsset(asset);
  return builtFrom(asset);
}

/** Largest number of equal numbers in one array: three coordinates of each particle of the largest world. */
const MOST_SAME = 6_000_000;

function read(description: Uint8Array, arrays: readonly TypedArray[]): unknown {
  return new PlainReader(description, arrays, 'asset', 'what saveBody returned').readAll();
}

/** Refuses bytes that are not of this format, complete and undamaged. */
function checkHeader(bytes: Uint8Array): DataView {
  if (!isTyped(bytes, 'Uint8Array') || bytes.length < HEADER || MAGIC.some((value, k) => bytes[k] !== value))
    refuse('asset', bytes, 'the bytes that saveBody returned');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== ASSET_VERSION)
    fail(`has format version ${version}; expected ${ASSET_VERSION}: build the body again with this version`);
  const length = view.getUint32(12, true);
  if (length !== bytes.length)
    fail(
      `is ${bytes.length < length ? 'truncated' : 'followed by something else'}: ${bytes.length} bytes; expected ${length}`,
    );
  const checksum = checksumOf(bytes);
  if (checksum.some((half, k) => half !== view.getUint32(CHECKSUM + 4 * k, true)))
    fail('is damaged: its checksum is not that of its bytes');
  return view;
}

const fail = (what: string): never => {
  throw new PliantError('asset', `asset ${what}.`);
};
