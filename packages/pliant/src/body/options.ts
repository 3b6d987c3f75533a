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

export interface BodyOptions {
  /** A name for messages and files. */
  name?: string;
  /** A closed triangle mesh, sampled inside. Exactly one of mesh, shape and points is given. */
  mesh?: MeshData;
  /** A box, sphere, …, or a signed distance function, sampled inside. */
  shape?: ShapeOptions;
  /** The particles themselves: x, y, z, x, y, z, … */
  points?: ArrayLike<number>;
  /** How a mesh or shape is filled with particles. */
  sampling?: SampleOptions;
  material?: MaterialOptions;
  clustering?: ClusterOptions;
  /** Clusters given member by member instead of computed (SPEC C7). */
  clusters?: readonly ExplicitCluster[];
  /** Coarser levels above its clusters; `{}` for the defaults. Left out: none. */
  levels?: LevelOptions;
  /** How it meets other bodies and itself. */
  contact?: ContactOptions;
  /** Which other bodies and obstacles it meets. Default: all. */
  groups?: Partial<Groups>;
  /** How it comes apart, if its material's toughness is finite. */
  fracture?: FractureOptions;
  /** How its clusters are replaced once they have flowed too far, if its material yields. */
  reclustering?: ReclusterOptions;
  /** Placement of the rest shape: scale, then rotation (quaternion x y z w), then position. */
  scale?: number | Vec3;
  rotation?: readonly [number, number, number, number];
  position?: Vec3;
  /** Initial velocity (m/s) and angular velocity (rad/s, about the centre of mass). */
  velocity?: Vec3;
  angularVelocity?: Vec3;
  /** Initial stretch about the world's origin or `stretchCentre`; the rest shape stays. */
  stretch?: Vec3;
  stretchCentre?: Vec3;
}

/** The names of all options of a body. */
export const BODY_KEYS = [
  'name',
  'mesh',
  'shape',
  'points',
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
