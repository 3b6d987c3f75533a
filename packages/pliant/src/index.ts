export { Body } from './body/body.js';
export { type BodyOptions, type BuiltBody, buildBody } from './body/build.js';
export {
  type Field,
  type LimitOptions,
  MATERIAL_DEFAULTS,
  type Material,
  type MaterialOptions,
} from './body/material.js';
export { PliantError, refuse, type Vec3 } from './check.js';
export * from './cluster/index.js';
export {
  COLLIDER_DEFAULTS,
  type Collider,
  type ColliderOptions,
  type CylinderOptions,
  type PlaneOptions,
  type SphereOptions,
} from './collide/collider.js';
export { CLAMP_DEFAULTS, Clamp, type ClampOptions } from './drive/clamp.js';
export type { Region } from './drive/region.js';
export type { WorldEvent } from './events.js';
export { BACKENDS, type Backend } from './kernels/kernels.js';
export { random } from './math/random.js';
export type { Measures } from './measure.js';
export type { MeshData } from './mesh/index.js';
export { type Profile, STAGES, type Stage } from './profile.js';
export * from './sample/index.js';
export { WORLD_DEFAULTS, World, type WorldOptions } from './world.js';
