/**
 * Scene files from disk, for Node.
 *
 * @module @pliant/scene/node
 */

export { loadSceneFile } from './loadSceneFile.js';
export { readDisk } from './readDisk.js';
