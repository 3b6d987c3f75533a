import type { ColliderOptions } from 'pliant';
import type { ColliderDescription } from './description.js';
import { quaternion } from './quaternion.js';
import type { Read } from './readFile.js';
import { readSurface } from './readSurface.js';
import type { SceneFile } from './schema/scene.js';
import { refuseName } from './validate.js';

type ColliderFile = NonNullable<SceneFile['colliders']>[number];

/** The scene's obstacles, with their meshes read and the names of clamps resolved. */
export async function describeColliders(
  file: SceneFile,
  scenePath: string,
  read: Read,
  warnings: string[],
): Promise<ColliderDescription[]> {
  const clamps = (file.clamps ?? []).map((clamp) => clamp.name);
  const described: ColliderDescription[] = [];
  for (const [k, { name, except, ...options }] of (file.colliders ?? []).entries()) {
    const path = `colliders[${k}]`;
    const at = except === undefined ? -1 : clamps.indexOf(except);
    if (except !== undefined && at < 0) {
      const known = clamps.filter((c) => c !== undefined);
      refuseName(scenePath, `${path}.except`, except, 'clamp', known);
    }
    described.push({
      kind: 'collider',
      path,
      name,
      ...(await resolveOptions(options, scenePath, path, read, warnings)),
      ...(at < 0 ? {} : { except: `clamps[${at}]` }),
    });
  }
  return described;
}

/** The engine's options: rotations as quaternions, a mesh instead of its file. */
async function resolveOptions(
  options: Omit<ColliderFile, 'name' | 'except'>,
  scenePath: string,
  path: string,
  read: Read,
  warnings: string[],
): Promise<{ options: ColliderOptions; source?: string }> {
  const { rotation, keyframes, file, ...rest } = options as Partial<Extract<ColliderFile, { type: 'mesh' }>>;
  const made: object = {
    ...rest,
    ...(rotation ? { rotation: quaternion(rotation) } : {}),
    ...(keyframes ? { keyframes: keyframes.map(withQuaternion) } : {}),
  };
  if (file === undefined) return { options: made as ColliderOptions };
  const { mesh, source } = await readSurface(file, scenePath, path, read, warnings);
  const { positions, indices } = mesh;
  return { options: { ...made, type: 'mesh', mesh: { positions, indices } }, source };
}

type KeyframeFile = NonNullable<ColliderFile['keyframes']>[number];

const withQuaternion = ({ rotation, ...key }: KeyframeFile) =>
  rotation ? { ...key, rotation: quaternion(rotation) } : key;
