import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { World } from '../world.js';
import { checkSnapshot } from './check/check.js';
import { bitsOf, differences } from './testing/bits.js';

const points = (list: number[][]): BodyOptions => ({ points: list.flat() });

const BODIES: [name: string, body: BodyOptions][] = [
  ['one point', points([[0, 1, 0]])],
  ['two points in one place', points([[0, 1, 0], [0, 1, 0]])], // biome-ignore format: short
  ['points on a line', points([0, 1, 2, 3, 4].map((k) => [0.1 * k, 1, 0]))],
  ['points on a plane', points(Array.from({ length: 16 }, (_, k) => [0.1 * (k % 4), 1, 0.1 * Math.floor(k / 4)]))],
  ['a sheet far off', points(Array.from({ length: 16 }, (_, k) => [1e7 + (k % 4), 1, Math.floor(k / 4)]))],
  ['a speck', { shape: { type: 'sphere', radius: 1e-4 }, sampling: { spacing: 5e-5, method: 'grid' } }],
  ['a giant', { shape: { type: 'sphere', radius: 500 }, sampling: { spacing: 250, method: 'grid' } }],
];

describe.each(['rigid', 'linear', 'quadratic'] as const)('bodies with goals of mode %s', (mode) => {
  it.each(BODIES)('are snapshots like others, also where they have no extent: %s', async (_, options) => {
    const make = async () => {
      const world = await World.create();
      world.addBody({ ...options, material: { raw: { mode } } });
      return world;
    };
    const [world, other] = [await make(), await make()];
    for (let n = 0; n < 10; n++) world.step();
    // Numbers that are not finite would be refused in another world.
    checkSnapshot(structuredClone(world.snapshot()));
    const bytes = world.save();
    const before = bitsOf(world);
    for (let n = 0; n < 5; n++) world.step();
    world.restore(bytes);
    expect(differences(bitsOf(world), before)).toEqual([]);
    if (other.validate().length === 0) other.restore(bytes);
    else expect(other.validate()[0]).toMatch(/is not about its centre/);
  });
});
