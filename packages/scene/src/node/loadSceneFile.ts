import type { SceneDescription } from '../description.js';
import { type LoadOptions, loadScene } from '../loadScene.js';
import { readDisk } from './readDisk.js';

/**
 * `loadScene` from this machine's disk. A scene may name only regular files inside its folder, unless `allowOutside` is
 * set.
 */
export const loadSceneFile = (path: string, options: LoadOptions = {}): Promise<SceneDescription> =>
  loadScene(path, readDisk, { cwd: process.cwd(), ...options });
