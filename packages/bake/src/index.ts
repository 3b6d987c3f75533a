/**
 * Runs scenes and writes them as animations for other programs: USD, glTF, PC2, MDD and PLY. It runs in browsers, in
 * workers and in Node.
 *
 * @module @pliant/bake
 */

export { BAKE_FORMATS, type BakeFormat, type BakeOptions, type BakeResult, bake, bakeFormat } from './bake.js';
export { decodeRed, type Look, type PreparedScene, prepareScene, type Surface } from './looks.js';
export { surfaceOfTriangles } from './shapes.js';
export { BlobStorage, type HostBlob, type OutputFile, type ScratchFile, type Storage } from './storage.js';
