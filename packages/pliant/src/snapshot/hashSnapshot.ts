import { PliantError, refuse } from '../check.js';
import { Hash } from './hash.js';
import type { Snapshot } from './snapshot.js';

/**
 * Hash of the state of a world, 64 bits in hexadecimal. For the same scene and inputs it is the same on every machine and in every JavaScript engine.
 * −0 and 0 differ; NaN is refused.
 */
export function hashSnapshot(snapshot: Snapshot): string {
  if (typeof snapshot !== 'object' || snapshot === null) refuse('snapshot', snapshot, 'what world.snapshot() returned');
  // The sizes depend on the snapshot before, and the format is no part of the world's state.
  const { format, byteLength, addedByteLength, ...world } = snapshot;
  return hashData(world, 'snapshot');
}

/**
 * Hash of plain data, 64 bits in hexadecimal: numbers, strings, booleans, typed arrays, and lists and objects of these. The order of keys does not
 * matter. `path` is the name that messages begin with.
 */
export function hashData(data: unknown, path = 'data'): string {
  const hash = new Hash();
  add(hash, data, path);
  return hash.toString();
}

/** Type of a value, hashed before it, so that different data are never the same sequence of words. */
const Kind = { UNDEFINED: 1, NULL: 2, BOOLEAN: 3, NUMBER: 4, STRING: 5, LIST: 6, OBJECT: 7, ARRAY: 8 } as const;

type TypedArray = Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array;

/** Deepest nesting: deeper, or nested in itself, it would fill the call stack. */
const DEEPEST = 200;

function add(hash: Hash, value: unknown, path: string, depth = 0): void {
  if (depth > DEEPEST) throw new PliantError('data', `data is nested more than ${DEEPEST} deep; expected plain data.`);
  if (value === undefined) hash.word(Kind.UNDEFINED);
  else if (value === null) hash.word(Kind.NULL);
  else if (typeof value === 'boolean') {
    hash.word(Kind.BOOLEAN);
    hash.word(value ? 1 : 0);
  } else if (typeof value === 'number') {
    hash.word(Kind.NUMBER);
    refuseNaN(value, path);
    hash.bytes(Float64Array.of(value));
  } else if (typeof value === 'string') {
    hash.word(Kind.STRING);
    hash.text(value);
  } else if (ArrayBuffer.isView(value)) {
    hash.word(Kind.ARRAY);
    addArray(hash, value as TypedArray, path);
  } else if (Array.isArray(value)) {
    hash.word(Kind.LIST);
    hash.word(value.length);
    for (const [k, part] of value.entries()) add(hash, part, `${path}[${k}]`, depth + 1);
  } else if (typeof value === 'object' && isPlain(value)) {
    const keys = Object.keys(value).sort();
    hash.word(Kind.OBJECT);
    hash.word(keys.length);
    for (const key of keys) {
      hash.text(key);
      add(hash, (value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1);
    }
  } else refuse(path, value, 'plain data');
}

/** Hashes an array by its bits, little-endian as in the memory of WASM. */
function addArray(hash: Hash, array: TypedArray, path: string): void {
  if (array instanceof Float32Array || array instanceof Float64Array)
    for (let k = 0; k < array.length; k++) if (Number.isNaN(array[k])) refuseNaN(array[k], `${path}[${k}]`);
  hash.text(array.constructor.name);
  hash.bytes(array);
}

function refuseNaN(value: number, path: string): void {
  if (Number.isNaN(value)) refuse(path, value, 'a number, whose bits are the same everywhere');
}

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));
