import type { Collider, World } from 'pliant';

/** A collider as the page draws it. */
export interface Obstacle {
  type: 'plane' | 'sphere' | 'cylinder';
  /** Normal or axis, of length 1. */
  direction: readonly number[];
  /** A point on the plane or the axis, or the centre, at time 0. */
  origin: readonly number[];
  radius: number;
  velocity: readonly number[];
  /** Seconds at which it goes; null for never. */
  until: number | null;
}

/** What a viewer should see of the world's colliders. Backs of moving clamps are left out: they would hide the body. */
export function obstaclesOf(world: World): Obstacle[] {
  return world.colliders.filter((collider) => collider.except === undefined).map(describe);
}

function describe({ type, direction, origin, offset, radius, velocity, lifetime, since }: Collider): Obstacle {
  return {
    type,
    direction,
    origin: type === 'plane' ? direction.map((n) => n * offset) : origin,
    radius,
    velocity,
    until: Number.isFinite(lifetime) ? since + lifetime : null,
  };
}
