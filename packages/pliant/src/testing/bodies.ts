import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import type { WorldOptions } from '../world/options.js';
import { World } from '../world.js';

/** A block of 9 × 8 × 7 grid particles, 10 cm apart. */
export const BLOCK: BodyOptions = {
  shape: { type: 'box', size: [0.9, 0.8, 0.7] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 8, radius: 0.45 },
};

/** A world with one body in it, in which nothing falls asleep: tests look at bodies that have long been at rest. */
export async function worldWith(body: BodyOptions, options: WorldOptions = {}) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, ...options });
  return { world, body: world.addBody(body) };
}

/** Gives every particle a random push and displacement, so that nothing is symmetric. */
export function disturb(world: World, seed: number, shift: number, speed: number): void {
  const next = random(seed);
  const [x, v] = [world.positions, world.velocities];
  for (let o = 0; o < x.length; o += 4)
    for (let a = 0; a < 3; a++) {
      x[o + a] += shift * (2 * next() - 1);
      v[o + a] += speed * (2 * next() - 1);
    }
}

/** Σ m |x − x̄| |v − v̄|: what an angular momentum is measured against. */
export function turmoil(world: World): number {
  const { com, momentum, mass } = world.measure();
  const [x, v] = [world.positions, world.velocities];
  let sum = 0;
  for (let o = 0; o < x.length; o += 4)
    sum +=
      x[o + 3] *
      Math.hypot(x[o] - com[0], x[o + 1] - com[1], x[o + 2] - com[2]) *
      Math.hypot(v[o] - momentum[0] / mass, v[o + 1] - momentum[1] / mass, v[o + 2] - momentum[2] / mass);
  return sum;
}

/** Angular momentum about the centre of mass, which a drifting origin does not change. */
export function spinOf(world: World): number[] {
  const { com, momentum: p, angularMomentum: l } = world.measure();
  return [
    l[0] - (com[1] * p[2] - com[2] * p[1]),
    l[1] - (com[2] * p[0] - com[0] * p[2]),
    l[2] - (com[0] * p[1] - com[1] * p[0]),
  ];
}

export const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.hypot(...Array.from(a, (v, k) => v - b[k]));
