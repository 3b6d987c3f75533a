import { PliantError, type Vec3 } from 'pliant';
import { describeScene } from './describeScene.js';
import type { SceneDescription } from './description.js';
import { parseJson } from './parseJson.js';
import { type Read, readFirst } from './readFile.js';
import { convertResearchScene, isResearchScene } from './research/convert.js';

/** Settings of a scene that a caller may replace. */
export interface SceneOverrides {
  gravity?: Vec3;
  dt?: number;
  frames?: number;
}

/**
 * Reads a scene file and everything it names. `read` fetches a file's bytes by its path or address; relative paths are
 * seen from the scene file's folder. Research scenes are recognised by what they contain.
 */
export async function loadScene(path: string, read: Read, overrides: SceneOverrides = {}): Promise<SceneDescription> {
  const { bytes } = await readFirst(read, [path], 'scene');
  const data = parseJson(bytes, path);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new PliantError(path, `${path}: the file holds no object; expected a scene, { "bodies": [ … ] }.`);
  const scene = isResearchScene(data)
    ? await convertResearchScene(data, path, read)
    : await describeScene(data, path, read);
  return { ...scene, ...overrides };
}
