import { expect, test } from 'vitest';
import { distance, worldWith } from '../testing/bodies.js';

test('a body of many particles has five levels, lies along a curve in memory, and steps', async () => {
  const { world, body } = await worldWith({
    shape: { type: 'box', size: [3.6, 3, 3.1] },
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { radius: 0.24 },
    levels: {},
    contact: { mode: 'none' },
    stretch: [1.05, 1, 1],
  });
  expect(body.particleCount).toBe(36 * 30 * 31);
  expect(body.levels.map((level) => level.clusters)).toEqual([2232, 279, 34, 4, 1]);
  expect(world.validate()).toEqual([]);
  // In the order of the grid a step is one spacing but for the ends of rows; along the curve whole neighbourhoods follow each other.
  const rest = body.restPositions;
  const spread = (first: number) => {
    let most = 0;
    for (let i = first; i < first + 64; i++)
      most = Math.max(most, distance(rest.subarray(3 * i, 3 * i + 3), rest.subarray(3 * first, 3 * first + 3)));
    return most;
  };
  let sum = 0;
  for (let n = 0; n < 100; n++) sum += spread(300 * n);
  // 64 particles fill a cube of 4 spacings, whose diagonal is 0.7 m; a row of the grid is 3 m and more.
  expect(sum / 100).toBeLessThan(1.2);
  for (let n = 0; n < 5; n++) world.step();
  expect(world.drainEvents()).toEqual([]);
});
