import type { BodyOptions } from '../../body/options.js';
import type { WorldOptions } from '../../world/options.js';
import { World } from '../../world.js';

/** Uses the torque-free rotation: the rotation of F turns strain into spin and adds energy (SPEC M3). */
export const RAW = { rotation: 'covariance', stiffness: 0.9, damping: 0.3 } as const;
export const MATERIAL = { raw: RAW } as const;

export const SHAPES = [
  { type: 'sphere', radius: 0.3 },
  { type: 'box', size: [0.5, 0.4, 0.45] },
  { type: 'capsule', radius: 0.18, height: 0.4 },
  { type: 'torus', radius: 0.28, tube: 0.12 },
] as const;

export async function worldOf(bodies: BodyOptions[], options: WorldOptions = {}): Promise<World> {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, ...options });
  for (const body of bodies) world.addBody(body);
  return world;
}

/** Σ m |v|: the scale for errors of momentum. */
export function bustle(world: World): number {
  const [x, v] = [world.positions, world.velocities];
  let sum = 0;
  for (let o = 0; o < x.length; o += 4) sum += x[o + 3] * Math.hypot(v[o], v[o + 1], v[o + 2]);
  return sum;
}

/** A slab of 1 × 0.3 × 1 m at a height. */
export const block = (y: number, more: BodyOptions = {}): BodyOptions => ({
  shape: { type: 'box', size: [1, 0.3, 1] },
  sampling: { spacing: 0.1 },
  clustering: { count: 8 },
  position: [0, y, 0],
  material: { raw: { ...RAW, damping: 0.5, bodyDamping: 0.05 } },
  ...more,
});
