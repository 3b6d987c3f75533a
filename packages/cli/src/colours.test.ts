import { World } from 'pliant';
import { expect, test } from 'vitest';
import { heaviestClusters, particleColours } from './colours.js';

test('a particle takes the cluster of its largest weight, in every body', async () => {
  const world = await World.create({ backend: 'ts' });
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1];
  const clusters = [
    { members: [0, 1, 2, 3], weights: [1, 0.3, 0.6, 1] },
    { members: [1, 2, 4], weights: [0.7, 0.4, 1] },
  ];
  world.addBody({ points, clusters });
  world.addBody({ points, clusters });
  expect(Array.from(heaviestClusters(world))).toEqual([0, 1, 0, 0, 1, 2, 3, 2, 2, 3]);
  expect(particleColours(world)).toHaveLength(30);
});
