export { type BuildOptions, type BuiltScene, buildWorld } from './buildWorld.js';
export { clusterColour } from './clusterColour.js';
export { parseClusterFile, splitClusters } from './clusterFile.js';
export { Cuts } from './cuts.js';
export { encodeDataUri } from './dataUri.js';
export type {
  ActorDescription,
  BodyDescription,
  Camera,
  ClampDescription,
  ColliderDescription,
  CutDescription,
  ForceFieldDescription,
  SceneDescription,
} from './description.js';
export type { MeshFile } from './files/meshFile.js';
export { type ParticleFile, parseParticles } from './files/particles.js';
export { MESH_EXTENSIONS, readMesh } from './files/readMesh.js';
export { type PlyContent, writePly } from './files/writePly.js';
export { loadScene, type SceneOverrides } from './loadScene.js';
export { parseJson } from './parseJson.js';
export { type Read, readFirst } from './readFile.js';
export { isResearchScene } from './research/convert.js';
export { restoreWorld } from './restoreWorld.js';
export { type SceneFile, sceneJsonSchema, sceneSchema } from './schema/scene.js';
