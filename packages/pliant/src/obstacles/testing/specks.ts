import { expect } from 'vitest';
import type { Body } from '../../body/body.js';
import type { BodyOptions } from '../../body/options.js';
import type { Vec3 } from '../../check.js';
import { worldWith } from '../../testing/bodies.js';
import type { WorldOptions } from '../../world/options.js';
import type { World } from '../../world.js';
import type { ColliderOptions } from '../options.js';

/** Particles that do not interact, so that the effect of a collider on one can be seen alone. */
export const dust = (points: ArrayLike<number>, velocity: Vec3 = [0, 0, 0]): BodyOptions => ({
  points,
  velocity,
  clusters: [{ members: Array.from({ length: points.length / 3 }, (_, i) => i) }],
  material: { raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } },
});

export const at = (body: Body, i = 0) => Array.from(body.positions.slice(4 * i, 4 * i + 3));
export const velocityOf = (body: Body, i = 0) => Array.from(body.velocities.slice(4 * i, 4 * i + 3));
export const close = (values: readonly number[], digits = 5) => values.map((v) => expect.closeTo(v, digits));
export const run = (world: World, steps: number) => {
  for (let n = 0; n < steps; n++) world.step();
};

/** One step of a speck in a world with one collider and no gravity, dt = 1/64. */
export async function strike(collider: ColliderOptions, start: Vec3, velocity: Vec3, options: WorldOptions = {}) {
  const { world, body } = await worldWith(dust([...start], velocity), { dt: 1 / 64, ...options });
  const made = world.addCollider(collider);
  world.step();
  return { world, body, collider: made, x: at(body), v: velocityOf(body) };
}

/** A quaternion from an axis of length 1 and an angle (rad). */
export const turned = (axis: Vec3, angle: number): [number, number, number, number] => [
  axis[0] * Math.sin(angle / 2),
  axis[1] * Math.sin(angle / 2),
  axis[2] * Math.sin(angle / 2),
  Math.cos(angle / 2),
];
