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

/** How `loadExample` builds. */
export interface ExampleOptions {
  /** Seed of sampling and clustering. Default: that of the scene. */
  seed?: number;
  /** Threads. Default 1: claims run at the same time. */
  threads?: number;
  /** Alters the description before it is built. */
  change?(scene: SceneDescription): void;
}

/** The description of a scene of the gallery, or of a variant of one: "twisted-bar#paper". */
export function describeExample(name: string): Promise<SceneDescription> {
  const [file, variant] = name.split('#');
  return loadSceneFile(examplePath(file), { variant });
}

/** A scene of the gallery, or a variant of one, built. */
export async function loadExample(
  name: string,
  { seed, threads, change }: ExampleOptions = {},
): Promise<BuiltScene & { scene: SceneDescription }> {
  const scene = await describeExample(name);
  change?.(scene);
  return { ...(await buildWorld(scene, { seed, threads: threads ?? 1 })), scene };
}
