import type { Vec3 } from '../check.js';
import type { ClusterOptions, ExplicitCluster } from '../cluster/index.js';
import type { ContactOptions } from '../contact/options.js';
import type { FractureOptions } from '../fracture/options.js';
import type { Groups } from '../groups.js';
import type { LevelOptions } from '../levels/options.js';
import type { MaterialOptions } from '../material/material.js';
import type { MeshData } from '../mesh/index.js';
import type { ReclusterOptions } from '../recluster/options.js';
import type { SampleOptions, ShapeOptions } from '../sample/index.js';

/** Options of `world.addBody`. Exactly one of `mesh`, `shape` and `points` is required; everything else has a default. */
export interface BodyOptions {
  /** A name for messages and files. Default: the empty string. */
  name?: string;
  /** A triangle mesh, whose inside is filled with particles. Small holes are tolerated and named in `body.warnings`. */
  mesh?: MeshData;
  /** Makes a sheet of an open mesh, this thick (m), half of it to either side. Refused for a closed mesh and for other geometry. Default: the inside of the mesh is filled. */
  thickness?: number;
  /** A box, sphere, …, or a signed distance function, whose inside is filled with particles. */
  shape?: ShapeOptions;
  /** The particles themselves: x, y, z, x, y, z, … (m). */
  points?: ArrayLike<number>;
  /** How a mesh or a shape is filled with particles: `{ count }` or `{ spacing }`. Required with these, refused with points. */
  sampling?: SampleOptions;
  /** Density, elasticity, damping, plasticity, toughness, friction. Default: MATERIAL_DEFAULTS. */
  material?: MaterialOptions;
  /** How particles are divided into clusters. Default: CLUSTER_DEFAULTS, with a number of clusters that goes with the number of particles. */
  clustering?: ClusterOptions;
  /** The clusters member by member, instead of `clustering`. */
  clusters?: readonly ExplicitCluster[];
  /** Coarser levels of clusters above the clusters, which make a large body with `material.raw` stiff as a whole; `{}` for the defaults. Refused without `material.raw`. Default: none. */
  levels?: LevelOptions;
  /** How the body meets other bodies, itself and obstacles. Default: by one convex proxy per cluster. */
  contact?: ContactOptions;
  /** Which other bodies and obstacles the body meets. Default: all. */
  groups?: Partial<Groups>;
  /** How the body breaks. It has an effect only if the toughness of the material is finite. Default: FRACTURE_DEFAULTS. */
  fracture?: FractureOptions;
  /** How clusters that flowed too far are replaced. It has an effect only if the material yields and `threshold` is finite. Default: RECLUSTER_DEFAULTS. */
  reclustering?: ReclusterOptions;
  /** Scales the rest shape, all axes alike or each by itself, before `rotation` and `position`. Default 1. */
  scale?: number | Vec3;
  /** Turns the rest shape about the origin after `scale`: quaternion x, y, z, w. Default: no turn. */
  rotation?: readonly [number, number, number, number];
  /** Moves the rest shape after `scale` and `rotation` (m). Default [0, 0, 0]. */
  position?: Vec3;
  /** Initial velocity (m/s). Default [0, 0, 0]. */
  velocity?: Vec3;
  /** Initial angular velocity about the centre of mass (rad/s). Default [0, 0, 0]. */
  angularVelocity?: Vec3;
  /** Initial stretch along x, y and z about `stretchCentre`: the body starts deformed, and its rest shape stays. Default [1, 1, 1]. */
  stretch?: Vec3;
  /** The point that `stretch` leaves in place (m). Default [0, 0, 0]. */
  stretchCentre?: Vec3;
}

/**
 * How a built body is added to a world. An option that is left out is as in the options that it was built with.
 *
 * @example
 * const brick = pliant.buildBody({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 100 } });
 * world.addBody(brick, { position: [0, 2, 0], velocity: [1, 0, 0] });
 */
export type AddOptions = Pick<
  BodyOptions,
  'name' | 'groups' | 'rotation' | 'position' | 'velocity' | 'angularVelocity' | 'stretch' | 'stretchCentre'
>;

/** The names of all options of {@link AddOptions}. */
export const ADD_KEYS = [
  'name',
  'groups',
  'rotation',
  'position',
  'velocity',
  'angularVelocity',
  'stretch',
  'stretchCentre',
] as const satisfies (keyof AddOptions)[];

/** The names of all options of a body. */
export const BODY_KEYS = [
  'name',
  'mesh',
  'shape',
  'points',
  'thickness',
  'sampling',
  'material',
  'clustering',
  'clusters',
  'levels',
  'contact',
  'groups',
  'fracture',
  'reclustering',
  'scale',
  'rotation',
  'position',
  'velocity',
  'angularVelocity',
  'stretch',
  'stretchCentre',
];
