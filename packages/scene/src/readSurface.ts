import { PliantError } from 'pliant';
import { isDataUri } from './dataUri.js';
import { readMaterials, type SourceMaterials } from './files/gltfMaterials.js';
import type { MeshFile } from './files/meshFile.js';
import { readMesh } from './files/readMesh.js';
import { folderOf, resolvePath } from './paths.js';
import { type Read, readFirst } from './readFile.js';
import { show } from './show.js';

/**
 * Reads the triangle mesh that a scene names in `${path}.file`; a cloud of points is refused. `materials`: whether to
 * read the materials of the file too.
 */
export async function readSurface(
  name: string,
  scenePath: string,
  path: string,
  read: Read,
  warnings: string[],
  materials = false,
): Promise<{ mesh: MeshFile; source: string; materials?: SourceMaterials }> {
  const at = resolvePath(folderOf(scenePath), name);
  const { bytes, path: source } = await readFirst(read, [at], `${scenePath}: ${path}.file`, 'mesh');
  // A mesh inside the scene has no folder: its files are beside the scene.
  const folder = folderOf(isDataUri(at) ? scenePath : at);
  const beside = (uri: string) => read(resolvePath(folder, uri), { kind: 'buffer' });
  const mesh = await readMesh(bytes, source, beside);
  warnings.push(...mesh.warnings);
  if (mesh.kind === 'points')
    throw new PliantError(
      path,
      `${scenePath}: ${path}.file is ${show(isDataUri(name) ? source : name)}, which has points and no triangles; expected a closed mesh.`,
    );
  if (!materials || !mesh.groups) return { mesh, source };
  return { mesh, source, materials: await readMaterials(bytes, source, warnings, beside) };
}
