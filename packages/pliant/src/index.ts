export { Body } from './body/body.js';
export { type BodyOptions, buildBody, type BuiltBody } from './body/build.js';
export { type Field, type LimitOptions, type Material, MATERIAL_DEFAULTS, type MaterialOptions } from './body/material.js';
export { PliantError, refuse, type Vec3 } from './check.js';
export * from './cluster/index.js';
export {
  type Collider,
  COLLIDER_DEFAULTS,
  type ColliderOptions,
  type CylinderOptions,
  type PlaneOptions,
  type SphereOptions,
} from './collide/collider.js';
export { Clamp, CLAMP_DEFAULTS, type ClampOptions } from './drive/clamp.js';
export type { Region } from './drive/region.js';
export type { WorldEvent } from './events.js';
export { type Backend, BACKENDS } from './kernels/kernels.js';
export { random } from './math/random.js';
export type { Measures } from './measure.js';
export type { MeshData } from './mesh/index.js';
export { type Profile, type Stage, STAGES } from './profile.js';
export * from './sample/index.js';
export { World, WORLD_DEFAULTS, type WorldOptions } from './world.js';
