/**
 * Scene files: `loadScene` reads one with all files that it names, `buildWorld` makes the world that it describes. Also
 * readers and writers of mesh and particle files. It runs in browsers, in workers and in Node; `@pliant/scene/node`
 * reads from disk.
 *
 * @module @pliant/scene
 */

export { type BuildOptions, type BuiltScene, buildWorld, type SceneProgress, type SceneWatch } from './buildWorld.js';
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
  PickDescription,
  SceneDescription,
} from './description.js';
export type { ResolveUri } from './files/gltfContainer.js';
export { readMaterials, type SourceImage, type SourceMaterials } from './files/gltfMaterials.js';
export type { MeshFile, MeshGroup } from './files/meshFile.js';
export { type ParticleFile, parseParticles } from './files/particles.js';
export { MESH_EXTENSIONS, readMesh } from './files/readMesh.js';
export { type PlyContent, writePly } from './files/writePly.js';
export { type LoadOptions, loadScene, type SceneOverrides } from './loadScene.js';
export {
  type BodyLook,
  bodyColours,
  type InnerLook,
  LOOK_NAMES,
  LOOKS,
  type Look,
  type LookName,
  type Pattern,
  PRESET_LOOKS,
  type Rgb,
} from './looks.js';
export { parseJson } from './parseJson.js';
export {
  FILE_LIMITS,
  type FileKind,
  OutsideError,
  type Read,
  readFirst,
  TOTAL_LIMIT,
  type Wanted,
} from './readFile.js';
export { isResearchScene } from './research/recognise.js';
export { restoreWorld } from './restoreWorld.js';
export { type SceneIssue, type SceneSchema, sceneJsonSchema, sceneSchema } from './schema/publicSchema.js';
export type { SceneFile, ShapeFile } from './schema/sceneTypes.js';
export { type PathStep, parsePath, setAt } from './setAt.js';
export { shorten } from './show.js';
export {
  applyVariant,
  chooseVariant,
  splitVariant,
  type VariantDescription,
  variantPath,
  variantsOf,
} from './variants.js';
