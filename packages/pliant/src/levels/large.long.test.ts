import { expect, test } from 'vitest';
import type { Clustering } from '../cluster/index.js';
import { distance, worldWith } from '../testing/bodies.js';
import { buildHierarchy } from './build.js';
import { levelsOf } from './hierarchy.js';
import { resolveLevels } from './options.js';

test('a body of many particles has five levels, lies along a curve in memory, and steps', async () => {
  const { world, body } = await worldWith({
    shape: { type: 'box', size: [3.6, 3, 3.1] },
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { radius: 0.24 },
    levels: {},
    material: { raw: {} },
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

test('125 000 particles make six levels: an eighth each time, up to one cluster that holds all', () => {
  const [side, blocks] = [50, [21, 20, 20]];
  const positions = new Float64Array(3 * side ** 3);
  for (let i = 0; i < side ** 3; i++)
    positions.set([i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)], 3 * i);
  // Cubes that overlap stand for what the clustering finds, which would take too long here: 15 particles for each of them.
  const [start, particle, weight] = [[0], [] as number[], [] as number[]];
  const range = (block: number, axis: number) => {
    const middle = ((block + 0.5) * side) / blocks[axis] - 0.5;
    const [first, last] = [Math.max(0, Math.ceil(middle - 2.2)), Math.min(side - 1, Math.floor(middle + 2.2))];
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  };
  const owners = new Uint8Array(side ** 3);
  for (let b = 0; b < 8400; b++) {
    const at = [b % 21, Math.floor(b / 21) % 20, Math.floor(b / 420)];
    for (const z of range(at[2], 2))
      for (const y of range(at[1], 1))
        for (const x of range(at[0], 0)) {
          particle.push(x + side * (y + side * z));
          owners[particle[particle.length - 1]]++;
        }
    start.push(particle.length);
  }
  for (const i of particle) weight.push(1 / owners[i]);
  const clustering = {
    ...{ start: Uint32Array.from(start), particle: Uint32Array.from(particle), weight: Float64Array.from(weight) },
    ...{ radius: 2.2 * Math.sqrt(3), count: 8400 },
  } as Clustering;
  expect(owners.every((count) => count > 0)).toBe(true);
  const masses = new Float64Array(side ** 3).fill(1);
  const hierarchy = buildHierarchy(positions, masses, clustering, {}, resolveLevels('levels', {}), 'levels', []);
  const clusters = new Array<number>(levelsOf(hierarchy)).fill(0);
  for (const level of hierarchy.level) clusters[level]++;
  expect(clusters).toEqual([0, 1050, 131, 16, 2, 1]);
  // Every cluster is wholly held by the level above it.
  const held = new Map<string, number>();
  hierarchy.child.forEach((child, t) => {
    const key = `${hierarchy.level[hierarchy.parent[t]]}/${child}`;
    held.set(key, (held.get(key) ?? 0) + hierarchy.weight[t]);
  });
  expect(held.size).toBe(8400 + 1050 + 131 + 16 + 2);
  for (const sum of held.values()) expect(sum).toBeCloseTo(1, 9);
});
