import type { ResolveUri } from './gltf.js';
import { bounded, fail, type MeshFile, quote } from './meshFile.js';
import { parseObj } from './obj.js';
import { parsePly } from './ply.js';
import { parseStl } from './stl.js';

type Parse = (bytes: Uint8Array, file: string, resolve?: ResolveUri) => MeshFile | Promise<MeshFile>;

/** The reader of glTF files is loaded with the first of them: in a page it is a tenth of all code. */
const parseGltf: Parse = async (bytes, file, resolve) => (await import('./gltf.js')).parseGltf(bytes, file, resolve);

const READERS = new Map<string, Parse>([
  ['obj', parseObj],
  ['ply', parsePly],
  ['stl', parseStl],
  ['gltf', parseGltf],
  ['glb', parseGltf],
]);

/** The file name endings that readMesh supports, with their dot. */
export const MESH_EXTENSIONS: readonly string[] = [...READERS.keys()].map((extension) => `.${extension}`);

/**
 * Reads a mesh file by the ending of its name. `resolve` fetches separate files of a .gltf file; see parseGltf.
 * @throws PliantError that names the file and the problem.
 */
export async function readMesh(bytes: Uint8Array, file: string, resolve?: ResolveUri): Promise<MeshFile> {
  const extension = /\.([^./\\]*)$/.exec(file)?.[1] ?? '';
  const parse = READERS.get(extension.toLowerCase());
  if (!parse) {
    const found = extension ? quote(`.${extension}`) : 'missing';
    fail(file, '', `the file's ending is ${found}; expected ${MESH_EXTENSIONS.join(', ')}`);
  }
  return bounded(file, () => parse(bytes, file, resolve));
}
