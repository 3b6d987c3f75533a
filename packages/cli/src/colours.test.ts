import { World } from 'pliant';
import { expect, test } from 'vitest';
import { clusterColour, heaviestClusters, particleColours } from './colours.js';

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

test('the first hundred clusters have different colours, none of them dark or white', () => {
  const colours = Array.from({ length: 100 }, (_, c) => clusterColour(c));
  expect(new Set(colours.map(String)).size).toBe(100);
  for (const colour of colours) {
    expect(Math.max(...colour)).toBeGreaterThan(120);
    expect(Math.min(...colour)).toBeLessThan(200);
  }
});
