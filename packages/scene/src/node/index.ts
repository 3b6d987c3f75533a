export { loadSceneFile } from './loadSceneFile.js';
export { readDisk } from './readDisk.js';
