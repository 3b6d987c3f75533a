export { type Bvh, buildBvh } from './bvh.js';
export { checkMesh, type MeshData } from './checkMesh.js';
export { type ClosestPoint, closestPoint, newClosestPoint } from './closestPoint.js';
export { interpolateVertices, type MeshSurface } from './interpolate.js';
export { type Orientation, orient } from './orient.js';
export { buildSurface, type Surface } from './surface.js';
export { signedVolume } from './volume.js';
export { type WeldedMesh, weld } from './weld.js';
export { buildDipoles, type Dipoles, isWoundAround, windingNumber } from './winding.js';
