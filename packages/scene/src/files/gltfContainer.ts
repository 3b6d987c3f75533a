import { shorten } from '../show.js';
import { fail, quote } from './meshFile.js';

/**
 * Fetches a separate file that a .gltf file refers to. `uri` is that of the file, percent-decoded: a path relative to
 * the file's own folder.
 */
export type ResolveUri = (uri: string) => Promise<Uint8Array>;

/** Any JSON object: the file need not be valid glTF. */
export type Json = Record<string, unknown>;

/** Largest size of the JSON (bytes). Three of them may become an object of a hundred. */
const LONGEST_JSON = 64 << 20;

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/**
 * The JSON of a .gltf or .glb file and the binary chunk of the latter. They are distinguished by content, not by name.
 */
export function openGltf(bytes: Uint8Array, file: string): { json: Json; bin?: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) return { json: parseJson(bytes, file) };

  if (bytes.length < 20) fail(file, '', `the file has ${bytes.length} bytes; expected a GLB header of 20`);
  const version = view.getUint32(4, true);
  if (version !== 2) fail(file, 'byte 4', `the GLB version is ${version}; expected 2`);
  const length = view.getUint32(8, true);
  if (length > bytes.length)
    fail(file, 'byte 8', `the GLB length is ${length}, the file has ${bytes.length} bytes; expected a whole file`);

  const chunk = (offset: number) => {
    const size = view.getUint32(offset, true);
    const end = offset + 8 + size;
    if (end > bytes.length)
      fail(
        file,
        `byte ${offset}`,
        `the GLB chunk ends at byte ${end}, the file at ${bytes.length}; expected a whole file`,
      );
    return { type: view.getUint32(offset + 4, true), data: bytes.subarray(offset + 8, end), end };
  };
  const first = chunk(12);
  if (first.type !== JSON_CHUNK)
    fail(file, 'byte 16', `the first GLB chunk is 0x${first.type.toString(16)}; expected JSON`);
  const json = parseJson(first.data, file);
  if (first.end + 8 > length) return { json };
  const second = chunk(first.end);
  return second.type === BIN_CHUNK ? { json, bin: second.data } : { json };
}

function parseJson(bytes: Uint8Array, file: string): Json {
  if (bytes.length > LONGEST_JSON)
    fail(
      file,
      '',
      `the JSON has ${bytes.length} bytes; expected at most ${LONGEST_JSON}, with the vertices in a .glb or in a file of their own`,
    );
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    fail(file, '', `the JSON does not parse (${shorten((error as Error).message)}); expected a glTF 2.0 file`);
  }
  if (!isObject(json)) fail(file, '', 'the JSON is not an object; expected a glTF 2.0 file');
  const version = isObject(json.asset) ? json.asset.version : undefined;
  if (typeof version !== 'string' || !version.startsWith('2.'))
    fail(file, '', `asset.version is ${shown(version)}; expected "2.0"`);
  return json;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Any JSON value as a short text; lists and objects may be nested deeper than the call stack. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isObject(value) ? 'an object' : String(value);
}

/** A list of objects under `key`; empty if it is missing. */
export function objects(parent: Json, key: string, file: string): Json[] {
  const list = parent[key] ?? [];
  if (!Array.isArray(list) || !list.every(isObject))
    fail(file, '', `${key} is not a list of objects; expected a glTF 2.0 file`);
  return list;
}

/** An integer from 0 to below `limit`. */
export function index(value: unknown, limit: number, what: string, file: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= limit)
    fail(file, '', `${what} is ${shown(value)}; expected an integer from 0 to ${limit - 1}`);
  return value;
}

/** The bytes of one buffer: the binary chunk, a data URI, or another file. */
export async function loadBuffer(
  { what, uri }: { what: string; uri: unknown },
  byteLength: number,
  file: string,
  bin?: Uint8Array,
  resolve?: ResolveUri,
): Promise<Uint8Array> {
  const bytes = uri === undefined ? bin : await loadUri(uri, what, file, resolve);
  if (!bytes) fail(file, '', `${what} has no uri and the file no binary chunk; expected one of them`);
  if (bytes.length < byteLength) fail(file, '', `${what} has ${bytes.length} bytes; expected ${byteLength}`);
  return bytes;
}

/** The bytes that an address stands for: a data URI, or another file. */
export async function loadUri(uri: unknown, what: string, file: string, resolve?: ResolveUri): Promise<Uint8Array> {
  if (typeof uri !== 'string') fail(file, '', `${what}.uri is ${shown(uri)}; expected a text`);
  if (/^data:/i.test(uri)) return decodeDataUri(uri, what, file);
  if (!resolve)
    fail(file, '', `${what} is in ${quote(uri)}, and only this file was given; expected a .glb or the other file too`);
  let bytes: unknown;
  try {
    bytes = await resolve(decodeURIComponent(uri));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    fail(file, '', `${what} in ${quote(uri)} could not be read (${why}); expected that file beside it`);
  }
  if (!(bytes instanceof Uint8Array)) fail(file, '', `${what} in ${quote(uri)} gave no bytes; expected a Uint8Array`);
  return bytes;
}

function decodeDataUri(uri: string, what: string, file: string): Uint8Array {
  const comma = uri.indexOf(',');
  let binary: string;
  try {
    if (!/;base64$/i.test(uri.slice(0, Math.max(0, comma)))) throw new Error('another encoding');
    binary = atob(uri.slice(comma + 1));
  } catch {
    fail(file, '', `${what} is ${quote(uri)}; expected base64 data`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}
