import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuiltScene, buildWorld, type SceneDescription } from '@pliant/scene';
import { loadSceneFile } from '@pliant/scene/node';
import { PliantError } from 'pliant';

/** The gallery: in the published package beside dist, in a clone at the root. */
const FOLDERS = ['../../scenes/', '../../../../scenes/'].map((path) => new URL(path, import.meta.url));

/** Path of a scene of the gallery. */
export function examplePath(name: string): string {
  for (const folder of FOLDERS) {
    const path = fileURLToPath(new URL(`${name}.json`, folder));
    if (existsSync(path)) return path;
  }
  throw new PliantError(
    'scene',
    `there is no scene ${name} in ${FOLDERS.map((folder) => fileURLToPath(folder)).join(' or ')}.`,
  );
}

/** A scene of the gallery, built; `change` may alter its description before. */
export async function loadExample(
  name: string,
  change: (scene: SceneDescription) => void = () => {},
): Promise<BuiltScene & { scene: SceneDescription }> {
  const scene = await loadSceneFile(examplePath(name));
  change(scene);
  return { ...(await buildWorld(scene, { threads: 1 })), scene };
}
