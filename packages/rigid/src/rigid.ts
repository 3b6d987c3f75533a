import type { Groups, MeshData, Quaternion, Vec3 } from 'pliant';

/** Where a rigid body is. */
export interface Pose {
  /** Position of the body's origin (m). */
  readonly position: Vec3;
  /** Quaternion x, y, z, w. */
  readonly rotation: Quaternion;
}

/** A shape of a rigid body, in the body's own axes. Lengths in m. */
export type RigidShape = (
  | { readonly type: 'sphere'; readonly radius: number }
  | { readonly type: 'box'; readonly size: Vec3 }
  /** Along y, `height` between the centres of its half balls. */
  | { readonly type: 'capsule'; readonly radius: number; readonly height: number }
  /** Solid behind the plane through its position with the normal y. */
  | { readonly type: 'plane'; readonly normal: Vec3 }
  /** Closed. */
  | { readonly type: 'mesh'; readonly mesh: MeshData }
) & {
  /** Relative to the body. Default: at its origin. */
  readonly pose?: Pose;
  readonly friction?: number;
  readonly restitution?: number;
  readonly groups?: Partial<Groups>;
};

/** A rigid body of another engine: what a Coupling reads of it and writes to it. An adapter implements it. */
export interface RigidBody {
  /** The body of the other engine, for events. */
  readonly native: unknown;
  /** Its shapes. */
  readonly shapes: readonly RigidShape[];
  /** Whether impulses move it. Bodies that are fixed, or moved by their users, only push. */
  readonly isDynamic: boolean;
  /** Where it is now. */
  pose(): Pose;
  /** Its centre of mass in the world (m), and its velocities (m/s, rad/s). */
  motion(): { centre: Vec3; linear: Vec3; angular: Vec3 };
  /** Gives it an impulse (N s) at its centre of mass and an angular impulse (N m s). */
  push(impulse: Vec3, angularImpulse: Vec3): void;
}

/** The world of another engine. */
export interface RigidWorld {
  /** Advances by so many seconds. */
  step(dt: number): void;
}
