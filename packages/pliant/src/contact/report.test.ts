import { expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { icosphere } from '../mesh/testing/meshes.js';
import { World } from '../world.js';

it.each([
  ['proxies', 1],
  ['surface', 1],
  ['proxies', 4],
  ['surface', 4],
] as const)('bodies that part while they touch are told where, by %s in %i substeps', async (mode, substeps) => {
  // 2 cm in one another and parting: there is no impulse to weigh the places by.
  const ball = (side: number): BodyOptions => ({
    mesh: icosphere(3, 0.2),
    sampling: { method: 'grid', spacing: 0.05 },
    clustering: { count: 1 },
    contact: { mode },
    position: [0.3 + 0.19 * side, 0.4, -7.6],
    velocity: [0.2 * side, 0, 0],
  });
  const world = await World.create({ gravity: [0, 0, 0], substeps });
  world.addBody(ball(-1));
  world.addBody(ball(1));
  world.step();
  const [{ position, normal, impulse, count }] = world.contactPairs();
  expect(count).toBeGreaterThan(0);
  // In later substeps what was pushed apart swings back.
  if (substeps === 1) expect(impulse.map(Math.abs)).toEqual([0, 0, 0]);
  expect(position[0]).toBeCloseTo(0.3, 1);
  expect(position[1]).toBeCloseTo(0.4, 1);
  expect(position[2]).toBeCloseTo(-7.6, 1);
  expect(normal[0]).toBeCloseTo(-1, 1);
});
