export { Body } from './body/body.js';
export { type BodyOptions, type BuiltBody, buildBody } from './body/build.js';
export {
  type Field,
  type LimitOptions,
  MATERIAL_DEFAULTS,
  type Material,
  type MaterialOptions,
} from './body/material.js';
export type { AreaLimitOptions, GoalMode, VolumeMode } from './body/softness.js';
export { PliantError, refuse, type Vec3 } from './check.js';
export * from './cluster/index.js';
export type { BoxShape } from './collide/box.js';
export type { Collider } from './collide/collider.js';
export type { MeshShape } from './collide/meshShape.js';
export type { Keyframe, MotionOptions } from './collide/motion.js';
export {
  type BoxOptions,
  type CapsuleOptions,
  COLLIDER_DEFAULTS,
  type ColliderOptions,
  type CylinderOptions,
  type MeshOptions,
  type PlaneOptions,
  type SphereOptions,
} from './collide/options.js';
export type { Quaternion } from './collide/pose.js';
export type { RoundShape } from './collide/round.js';
export type { CutResult } from './cut/cut.js';
export { type CutOptions, checkCut } from './cut/knife.js';
export { CLAMP_DEFAULTS, Clamp, type ClampOptions } from './drive/clamp.js';
export type { FieldFunction, FieldType } from './drive/fieldTypes.js';
export { FORCE_FIELD_DEFAULTS, ForceField, type ForceFieldOptions } from './drive/forceField.js';
export { PICK_DEFAULTS, Pick, type PickOptions } from './drive/pick.js';
export type { Region } from './drive/region.js';
export type { WorldEvent } from './events.js';
export { FRACTURE_DEFAULTS, type FractureOptions } from './fracture/options.js';
export { NO_PIECE, type Pieces } from './fracture/pieces.js';
export * from './inspect.js';
export { BACKENDS, type Backend } from './kernels/kernels.js';
export { LEVEL_DEFAULTS, type LevelOptions, type LevelSettings } from './levels/options.js';
export type { LevelWeights } from './levels/weights.js';
export { MAX_LENGTH, MAX_MASS, MIN_LENGTH, MIN_MASS } from './limits.js';
export * as elementary from './math/elementary.js';
export { random } from './math/random.js';
export type { Measures } from './measure.js';
export type { MeshData } from './mesh/index.js';
export { type Profile, STAGES, type Stage } from './profile.js';
export type { RayHit } from './query/castRay.js';
export type { NearestParticle } from './query/nearestParticle.js';
export type { QueryOptions, ReachOptions } from './query/options.js';
export type { SphereOverlap } from './query/overlapSphere.js';
export { RECLUSTER_DEFAULTS, type ReclusterOptions, type ReclusterSpace } from './recluster/options.js';
export * from './sample/index.js';
export type { RenderSkin, SkinGroup } from './skin/renderSkin.js';
export { CREASE, type SkinMesh, SMOOTH } from './skin/skinMesh.js';
export { type BytesOptions, decodeSnapshot } from './snapshot/bytes.js';
export { hashData, hashSnapshot } from './snapshot/hashSnapshot.js';
export type { Snapshot } from './snapshot/snapshot.js';
export { Flag } from './state/flags.js';
export { PROXY_PLANES } from './state/layout.js';
export { BUILD_STAGES, type BuildProgress, type BuildStage, type BuildWatch } from './work.js';
export { WORLD_DEFAULTS, World, type WorldOptions } from './world.js';
