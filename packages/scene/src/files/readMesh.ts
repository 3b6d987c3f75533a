import type { ResolveUri } from './gltf.js';
import { bounded, fail, type MeshFile, quote } from './meshFile.js';

type Parse = (bytes: Uint8Array, file: string, resolve?: ResolveUri) => MeshFile | Promise<MeshFile>;

/** A reader is loaded with the first file of its kind: most pages need none. That of glTF is a tenth of all code. */
const READERS = new Map<string, () => Promise<Parse>>([
  ['obj', async () => (await import('./obj.js')).parseObj],
  ['ply', async () => (await import('./ply.js')).parsePly],
  ['stl', async () => (await import('./stl.js')).parseStl],
  ['gltf', async () => (await import('./gltf.js')).parseGltf],
  ['glb', async () => (await import('./gltf.js')).parseGltf],
]);

/** The file name endings that readMesh supports, with their dot. */
export const MESH_EXTENSIONS: readonly string[] = [...READERS.keys()].map((extension) => `.${extension}`);

/**
 * Reads a mesh file by the ending of its name. `resolve` fetches separate files of a .gltf file; see parseGltf.
 * @throws PliantError that names the file and the problem.
 */
export async function readMesh(bytes: Uint8Array, file: string, resolve?: ResolveUri): Promise<MeshFile> {
  const extension = /\.([^./\\]*)$/.exec(file)?.[1] ?? '';
  const load = READERS.get(extension.toLowerCase());
  if (!load) {
    const found = extension ? quote(`.${extension}`) : 'missing';
    fail(file, '', `the file's ending is ${found}; expected ${MESH_EXTENSIONS.join(', ')}`);
  }
  const parse = await load();
  return bounded(file, () => parse(bytes, file, resolve));
}
