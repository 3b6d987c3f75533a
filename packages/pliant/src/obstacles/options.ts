import type { Vec3 } from '../check.js';
import type { Clamp } from '../external/clamp.js';
import { ALL_GROUPS, type Groups } from '../groups.js';
import type { MeshData } from '../mesh/index.js';
import type { Quaternion } from '../spatial/pose.js';
import type { MotionOptions } from './motion.js';

interface Common extends MotionOptions {
  /** Coulomb's coefficient of friction μ, at least 0. Default 0.5. */
  friction?: number;
  /** Share of the approaching speed that a particle bounces back with, in [0, 1]. Default 0. */
  restitution?: number;
  /** Time after which the collider is gone (s). Default: never. */
  lifetime?: number;
  /**
   * 'coulomb' (default): friction and restitution act on the velocity relative to the collider.
   *
   * 'research': as in the program of the papers' authors. A plane takes the whole normal velocity and 60 % of the rest, a cylinder adds 2 m/s
   * outwards, a sphere adds momentumScale · velocity and takes nothing. Only for planes, spheres and cylinders that do not turn.
   */
  law?: 'coulomb' | 'research';
  /** A clamp whose particles pass through the collider. Default: none. */
  except?: Clamp;
  /** Which bodies the collider meets. Default: all. */
  groups?: Partial<Groups>;
}

/** An infinite plane with a solid half-space behind it. Bodies stay where n·x ≥ offset. */
export interface PlaneOptions extends Common {
  /** Selects this type. */
  type: 'plane';
  /** Direction n to the free side; any length but 0. */
  normal: Vec3;
  /** Distance of the plane from the origin along the normal (m). Default 0. Give this or `position`. */
  offset?: number;
  /** A point of the plane (m), about which the plane turns. Give this or `offset`. */
  position?: Vec3;
}

/** A ball; with a velocity, a projectile. */
export interface SphereOptions extends Common {
  /** Selects this type. */
  type: 'sphere';
  /** Centre (m). */
  centre: Vec3;
  /** Radius (m). */
  radius: number;
  /** With `law: 'research'`: share of the ball's velocity that is added to a particle in every step of contact. Default 0. */
  momentumScale?: number;
  /**
   * Speed (m/s) at which particles that are inside the ball when it appears, or is enabled, are pushed out. Use 1 or 2 for a ball at the
   * cursor. Default: infinite; the particles are put outside within one step, and the strain of that throws the body apart. Particles that
   * the ball meets as it moves never get inside.
   */
  exitSpeed?: number;
}

/** A cylinder of infinite length. It turns about `point`. */
export interface CylinderOptions extends Common {
  /** Selects this type. */
  type: 'cylinder';
  /** Direction of the axis; any length but 0. */
  axis: Vec3;
  /** A point of the axis (m). */
  point: Vec3;
  /** Radius (m). */
  radius: number;
}

/** A box around `position`. */
export interface BoxOptions extends Common {
  /** Selects this type. */
  type: 'box';
  /** Lengths of the edges (m). With one length of 0 the box is a thin wall. */
  size: Vec3;
  /** Centre (m). Default [0, 0, 0]. */
  position?: Vec3;
  /** Quaternion x, y, z, w. Default: not turned. */
  rotation?: Quaternion;
}

/** Everything within `radius` of the line between two points. Its position is the middle of that line. */
export interface CapsuleOptions extends Common {
  /** Selects this type. */
  type: 'capsule';
  /** One end of the line (m). */
  from: Vec3;
  /** The other end of the line (m). */
  to: Vec3;
  /** Radius (m). */
  radius: number;
}

/** The inside of a closed triangle mesh: scaled, turned about its own origin, then put at `position`. */
export interface MeshOptions extends Common {
  /** Selects this type. */
  type: 'mesh';
  /** The mesh. Holes are tolerated and named in `collider.warnings`. */
  mesh: MeshData;
  /** Scale, all axes alike or each by itself. Default 1. */
  scale?: number | Vec3;
  /** Place of the mesh's own origin (m). Default [0, 0, 0]. */
  position?: Vec3;
  /** Quaternion x, y, z, w. Default: not turned. */
  rotation?: Quaternion;
}

/** Options of `world.addCollider`: one of the six types of obstacle. */
export type ColliderOptions =
  | PlaneOptions
  | SphereOptions
  | CylinderOptions
  | BoxOptions
  | CapsuleOptions
  | MeshOptions;

/** Defaults of the options that all colliders have. */
export const COLLIDER_DEFAULTS = {
  friction: 0.5,
  restitution: 0,
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
  lifetime: Number.POSITIVE_INFINITY,
  law: 'coulomb',
  groups: ALL_GROUPS,
} as const satisfies Omit<Required<Common>, 'except' | 'keyframes' | 'loop'>;

/** The options of each type beyond the common ones. */
export const OWN_KEYS = {
  plane: ['normal', 'offset', 'position'],
  sphere: ['centre', 'radius', 'momentumScale', 'exitSpeed'],
  cylinder: ['axis', 'point', 'radius'],
  box: ['size', 'position', 'rotation'],
  capsule: ['from', 'to', 'radius'],
  mesh: ['mesh', 'scale', 'position', 'rotation'],
} as const satisfies Record<ColliderOptions['type'], readonly string[]>;

export const COLLIDER_TYPES = Object.keys(OWN_KEYS) as readonly ColliderOptions['type'][];
