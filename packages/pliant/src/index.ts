/**
 * The engine: deformable bodies by clustered shape matching. Start with {@link World}: `const world = await World.create()`, then `world.addBody`, then `world.step()`
 * or `world.advance(seconds)` in every frame. Units are SI: metres, kilograms, seconds, radians.
 *
 * @module pliant
 */

export { loadBody, saveBody } from './asset/bytes.js';
export { Body } from './body/body.js';
export { type BuiltBody, buildBody } from './body/build.js';
export type { AddOptions, BodyOptions } from './body/options.js';
export type { Bounds } from './body/rigid.js';
export type { PoseOptions } from './body/teleport.js';
export { PliantError, refuse, type Vec3 } from './check.js';
export * from './cluster/index.js';
export type { ContactOptions, ContactSettings } from './contact/options.js';
export type { ContactPair } from './contact/report.js';
export type { CutResult } from './cut/cut.js';
export { type CutOptions, checkCut } from './cut/knife.js';
export { DEBUG_DRAW_DEFAULTS, type DebugDrawOptions, type DebugLines } from './debugDraw.js';
export type { WorldEvent } from './events.js';
export { CLAMP_DEFAULTS, Clamp, type ClampOptions } from './external/clamp.js';
export type {
  CustomField,
  DragField,
  FieldFunction,
  FieldType,
  LinearField,
  RadialField,
  UniformField,
  VortexField,
} from './external/fieldTypes.js';
export {
  type Common as ForceFieldCommon,
  FORCE_FIELD_DEFAULTS,
  ForceField,
  type ForceFieldOptions,
} from './external/forceField.js';
export { PICK_DEFAULTS, Pick, type PickOptions } from './external/pick.js';
export type { Region } from './external/region.js';
export { FRACTURE_DEFAULTS, type FractureOptions, type FractureSettings, type Grain } from './fracture/options.js';
export { ALL_GROUPS, type Groups } from './groups.js';
export * from './inspect.js';
export { BACKENDS, type Backend } from './kernels/kernels.js';
export { LEVEL_DEFAULTS, type LevelOptions, type LevelSettings } from './levels/options.js';
export type { LevelWeights } from './levels/weights.js';
export { MAX_LENGTH, MAX_MASS, MIN_LENGTH, MIN_MASS } from './limits.js';
export type { ElasticLaw } from './material/elasticLaw.js';
export type { Field } from './material/field.js';
export { MATERIAL_DEFAULTS, type Material, type MaterialOptions } from './material/material.js';
export { MATERIALS, type MaterialPreset } from './material/presets.js';
export { type LimitOptions, RAW_DEFAULTS, type RawOptions, type StepSettings } from './material/raw.js';
export type { AreaLimitOptions, GoalMode, VolumeMode } from './material/softness.js';
export * as elementary from './math/elementary.js';
export { type Random, random } from './math/random.js';
export type { Measures } from './measure.js';
export type { MeshData } from './mesh/index.js';
export type { BoxShape } from './obstacles/box.js';
export type { Collider } from './obstacles/collider.js';
export type { MeshShape } from './obstacles/meshShape.js';
export type { Keyframe, Motion, MotionOptions } from './obstacles/motion.js';
export {
  type BoxOptions,
  type CapsuleOptions,
  COLLIDER_DEFAULTS,
  type ColliderOptions,
  type CylinderOptions,
  type MeshOptions,
  type PlaneOptions,
  type SphereOptions,
} from './obstacles/options.js';
export type { RoundShape } from './obstacles/round.js';
export type { Shape } from './obstacles/shape.js';
export { type Profile, STAGES, type Stage } from './profile.js';
export type { RayHit } from './query/castRay.js';
export type { ColliderHit, ColliderOverlap } from './query/colliders.js';
export type { NearestParticle } from './query/nearestParticle.js';
export type { OverlapOptions, QueryOptions, RayOptions, ReachOptions } from './query/options.js';
export type { SphereOverlap } from './query/overlapSphere.js';
export {
  RECLUSTER_DEFAULTS,
  type ReclusterOptions,
  type ReclusterSettings,
  type ReclusterSpace,
} from './recluster/options.js';
export * from './sample/index.js';
export { NO_SOURCE, type RenderSkin, type SkinGroup, type SkinSource } from './skin/renderSkin.js';
export { CREASE, type SkinMesh, SMOOTH } from './skin/skinMesh.js';
export { type BytesOptions, decodeSnapshot } from './snapshot/bytes.js';
export { hashData, hashSnapshot } from './snapshot/hashSnapshot.js';
export type { Snapshot } from './snapshot/snapshot.js';
export type { Quaternion } from './spatial/pose.js';
export { PROXY_PLANES } from './state/layout.js';
export { NO_PIECE, type Pieces } from './topology/pieces.js';
export { BUILD_STAGES, type BuildProgress, type BuildStage, type BuildWatch } from './work.js';
export { buildBodyAsync } from './world/asyncBody.js';
export { WORLD_DEFAULTS, type WorldOptions } from './world/options.js';
export { World } from './world.js';
