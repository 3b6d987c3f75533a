import {
  index,
  isObject,
  type Json,
  loadBuffer,
  loadUri,
  objects,
  openGltf,
  type ResolveUri,
} from './gltfContainer.js';
import { fail, place } from './meshFile.js';

/** An image file that a material uses. */
export interface SourceImage {
  /** Name without an ending. */
  name: string;
  /** "image/png", "image/jpeg", "image/webp", …. */
  mimeType: string;
  /** The encoded file. */
  bytes: Uint8Array;
}

/**
 * The materials of a glTF file, as that format has them: `materials`, `textures` and `samplers` are its JSON, in which textures refer to `images` and
 * `samplers` by number. Images lie here as bytes. A texture whose image is missing has no `source`.
 */
export interface SourceMaterials {
  /** The materials, by their number in the file. */
  materials: readonly Record<string, unknown>[];
  /** The textures that they name. */
  textures: readonly Record<string, unknown>[];
  /** The samplers that the textures name. */
  samplers: readonly Record<string, unknown>[];
  /** The images that the textures name, by number; undefined for one that could not be read. */
  images: readonly (SourceImage | undefined)[];
  /** Extensions that the file uses. */
  extensions: readonly string[];
}

/** Kinds of images by the first bytes of their file, for those whose kind is not told. */
const KINDS: readonly [mimeType: string, at: number, bytes: readonly number[]][] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['image/ktx2', 0, [0xab, 0x4b, 0x54, 0x58]],
];

/**
 * Reads the materials of a .gltf or .glb file with their images. `resolve` fetches images and buffers that are in separate files. An image that cannot
 * be read is named in `warnings` and left out.
 */
export async function readMaterials(
  bytes: Uint8Array,
  file: string,
  warnings: string[],
  resolve?: ResolveUri,
): Promise<SourceMaterials> {
  const { json, bin } = openGltf(bytes, file);
  const images: (SourceImage | undefined)[] = [];
  for (const [k, image] of objects(json, 'images', file).entries()) {
    try {
      images.push(await readImage(image, k, json, file, bin, resolve));
    } catch (error) {
      warnings.push(`${place(file)} images[${k}] is left out: ${(error as Error).message}`);
      images.push(undefined);
    }
  }
  const used = json.extensionsUsed;
  return {
    materials: objects(json, 'materials', file),
    textures: objects(json, 'textures', file),
    samplers: objects(json, 'samplers', file),
    images,
    extensions: Array.isArray(used) ? used.filter((name) => typeof name === 'string') : [],
  };
}

async function readImage(
  image: Json,
  k: number,
  json: Json,
  file: string,
  bin: Uint8Array | undefined,
  resolve: ResolveUri | undefined,
): Promise<SourceImage> {
  const what = `images[${k}]`;
  const bytes = image.uri === undefined ? await viewBytes(image, what, json, file, bin, resolve) : undefined;
  const content = bytes ?? (await loadUri(image.uri, what, file, resolve));
  const known = KINDS.find(([, at, start]) => start.every((byte, n) => content[at + n] === byte))?.[0];
  const mimeType = known ?? (typeof image.mimeType === 'string' ? image.mimeType : undefined);
  if (mimeType === undefined) fail(file, '', `${what} is of no known kind; expected PNG, JPEG or WebP`);
  return { name: nameOf(image, k), mimeType, bytes: content };
}

function nameOf({ name, uri }: Json, k: number): string {
  if (typeof name === 'string' && name !== '') return name.replace(/\.\w+$/, '');
  if (typeof uri === 'string' && !/^data:/i.test(uri)) return uri.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  return `image ${k + 1}`;
}

async function viewBytes(
  image: Json,
  what: string,
  json: Json,
  file: string,
  bin: Uint8Array | undefined,
  resolve: ResolveUri | undefined,
): Promise<Uint8Array> {
  const views = objects(json, 'bufferViews', file);
  const view = views[index(image.bufferView, views.length, `${what}.bufferView`, file)];
  const buffers = objects(json, 'buffers', file);
  const b = index(view.buffer, buffers.length, `${what}: its view's buffer`, file);
  const source = buffers[b];
  if (!isObject(source)) fail(file, '', `buffers[${b}] is no object; expected one`);
  const most = index(source.byteLength, 4294967296, `buffers[${b}].byteLength`, file);
  const from = index(view.byteOffset ?? 0, most + 1, `${what}: its view's byteOffset`, file);
  const length = index(view.byteLength, most - from + 1, `${what}: its view's byteLength`, file);
  const buffer = await loadBuffer({ what: `buffers[${b}]`, uri: source.uri }, most, file, bin, resolve);
  return buffer.slice(from, from + length);
}
