export { MAX_PARTICLES } from '../limits.js';
export { interpolateVertices, type MeshSurface } from '../mesh/interpolate.js';
export { type MeshSolid, meshSolid } from './meshSolid.js';
export { SAMPLE_DEFAULTS, type SampleOptions, type Sampling, sample } from './sample.js';
export { type ShapeOptions, shapeSolid } from './shape.js';
export { isSheet } from './sheet.js';
export { shell } from './shell.js';
export type { Solid } from './solid.js';
export { estimateVolume, volumeOf } from './volumeOf.js';
