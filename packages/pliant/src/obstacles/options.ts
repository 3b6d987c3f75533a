import type { Vec3 } from '../check.js';
import type { Clamp } from '../external/clamp.js';
import { ALL_GROUPS, type Groups } from '../groups.js';
import type { MeshData } from '../mesh/index.js';
import type { Quaternion } from '../spatial/pose.js';
import type { MotionOptions } from './motion.js';

interface Common extends MotionOptions {
  /** Coulomb's μ. */
  friction?: number;
  /** Share of the approaching speed that is given back, [0, 1]. */
  restitution?: number;
  /** Seconds after which it is gone. */
  lifetime?: number;
  /**
   * 'coulomb': friction and restitution act on the velocity relative to the collider. 'research': what the papers' program
   * does (a plane takes the whole normal velocity and 60 % of the rest, a cylinder adds 2 m/s outwards, a sphere adds
   * momentumScale · velocity and takes nothing); for planes, spheres and cylinders that do not turn.
   */
  law?: 'coulomb' | 'research';
  /** Particles held by this clamp pass through. */
  except?: Clamp;
  /** Which bodies it meets. Default: all. */
  groups?: Partial<Groups>;
}

/** Free side: n·x ≥ offset. It turns about `position`, a point of the plane that may be given instead of the offset. */
export interface PlaneOptions extends Common {
  type: 'plane';
  normal: Vec3;
  offset?: number;
  position?: Vec3;
}

/** A ball; with a velocity, a projectile. */
export interface SphereOptions extends Common {
  type: 'sphere';
  centre: Vec3;
  radius: number;
  /** Share of the ball's velocity added to a particle in every step of contact (SPEC K4). */
  momentumScale?: number;
  /**
   * m/s: what is in the ball when it appears, or is switched on, leaves it at this speed; for a ball at the cursor (SPEC I2) 1 or 2. What it meets on its way never
   * comes in. Default infinite: everything is put outside at once, and what that strains flies apart.
   */
  exitSpeed?: number;
}

/** Infinite, about the line through `point` along `axis`. It turns about `point`. */
export interface CylinderOptions extends Common {
  type: 'cylinder';
  axis: Vec3;
  point: Vec3;
  radius: number;
}

/** A box around `position`. */
export interface BoxOptions extends Common {
  type: 'box';
  /** Full lengths of the edges (m). A flat box is a wall. */
  size: Vec3;
  position?: Vec3;
  /** Quaternion x, y, z, w. */
  rotation?: Quaternion;
}

/** Everything within `radius` of the line between two points. Its position is the middle of the line. */
export interface CapsuleOptions extends Common {
  type: 'capsule';
  from: Vec3;
  to: Vec3;
  radius: number;
}

/** The inside of a closed triangle mesh: scaled, turned about its own origin, then put at `position`. */
export interface MeshOptions extends Common {
  type: 'mesh';
  mesh: MeshData;
  scale?: number | Vec3;
  position?: Vec3;
  rotation?: Quaternion;
}

export type ColliderOptions =
  | PlaneOptions
  | SphereOptions
  | CylinderOptions
  | BoxOptions
  | CapsuleOptions
  | MeshOptions;

export const COLLIDER_DEFAULTS = {
  friction: 0.5,
  restitution: 0,
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
  lifetime: Number.POSITIVE_INFINITY,
  law: 'coulomb',
  groups: ALL_GROUPS,
} as const satisfies Omit<Required<Common>, 'except' | 'keyframes' | 'loop'>;

/** The options that each type has beyond those of all. */
export const OWN_KEYS = {
  plane: ['normal', 'offset', 'position'],
  sphere: ['centre', 'radius', 'momentumScale', 'exitSpeed'],
  cylinder: ['axis', 'point', 'radius'],
  box: ['size', 'position', 'rotation'],
  capsule: ['from', 'to', 'radius'],
  mesh: ['mesh', 'scale', 'position', 'rotation'],
} as const satisfies Record<ColliderOptions['type'], readonly string[]>;

export const COLLIDER_TYPES = Object.keys(OWN_KEYS) as readonly ColliderOptions['type'][];
