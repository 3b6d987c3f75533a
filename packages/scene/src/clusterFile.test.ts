import { expect, test } from 'vitest';
import { parseClusterFile, splitClusters } from './clusterFile.js';

const parse = (data: unknown) => parseClusterFile(new TextEncoder().encode(JSON.stringify(data)), 'c.json');
const bodies = [
  { name: 'left', particles: 3 },
  { name: 'right', particles: 2 },
];
const split = (...members: number[][]) =>
  splitClusters(
    members.map((m) => ({ members: m })),
    bodies,
    'c.json',
  );

test('the research dumps and a bare list are read; other keys are not', async () => {
  const cluster = { members: [0, 1], weights: [1, 0.5] };
  expect(await parse({ neighborRadius: 0.1, clusters: [{ ...cluster, com: [0, 0, 0], planes: [] }] })).toEqual([
    cluster,
  ]);
  expect(await parse([{ members: [0] }])).toEqual([{ members: [0] }]);
});

test.each([
  [{}, 'c.json: clusters is missing; expected a list of { members, weights }.'],
  [{ clusters: [] }, 'c.json: clusters is empty or no list; expected a list of { members, weights }.'],
  [{ clusters: [null] }, 'c.json: clusters[0].members is undefined; expected a list of numbers.'],
  [
    { clusters: [{ members: ['a'] }] },
    'c.json: clusters[0].members is not all numbers, or empty; expected a list of numbers.',
  ],
  [{ clusters: [{ members: [0], weights: 1 }] }, 'c.json: clusters[0].weights is number; expected a list of numbers.'],
])('%j is refused', async (data, message) => {
  await expect(parse(data)).rejects.toThrow(message);
});

test('clusters are dealt out to the bodies and renumbered', () => {
  expect(split([3, 4], [0, 1, 2], [2, 0])).toEqual([
    [{ members: [0, 1, 2] }, { members: [2, 0] }],
    [{ members: [0, 1] }],
  ]);
});

test('a member that is no particle, a cluster over two bodies and a bare particle are refused', () => {
  expect(() => split([0, 1, 2], [3, 5])).toThrow(
    'c.json: clusters[1].members[1] is 5; expected a particle number from 0 to 4.',
  );
  expect(() => split([0, 1, 2.5])).toThrow('clusters[0].members[2] is 2.5; expected a particle number');
  expect(() => split([0, 1, 3], [4])).toThrow(
    'c.json: clusters[0] holds particles of two bodies (0 of left, 3 of right); expected one.',
  );
  expect(() => split([0, 1], [3, 4])).toThrow(
    'c.json: particle 2 is in no cluster; expected each of 5 particles in at least one.',
  );
});
