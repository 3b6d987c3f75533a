import { PliantError } from 'pliant';
import type { MeshFile } from './files/meshFile.js';
import { readMesh } from './files/readMesh.js';
import { folderOf, resolvePath } from './paths.js';
import { type Read, readFirst } from './readFile.js';

/** Reads the triangle mesh that a scene names in `${field}.file`; a cloud of points is refused. */
export async function readSurface(
  name: string,
  path: string,
  field: string,
  read: Read,
  warnings: string[],
): Promise<{ mesh: MeshFile; source: string }> {
  const source = resolvePath(folderOf(path), name);
  const { bytes } = await readFirst(read, [source], `${path}: ${field}.file`);
  const mesh = await readMesh(bytes, source, (uri) => read(resolvePath(folderOf(source), uri)));
  warnings.push(...mesh.warnings);
  if (mesh.kind === 'points')
    throw new PliantError(
      field,
      `${path}: ${field}.file is ${JSON.stringify(name)}, which has points and no triangles; expected a closed mesh.`,
    );
  return { mesh, source };
}
