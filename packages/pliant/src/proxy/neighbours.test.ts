import { expect, it } from 'vitest';
import { type Cloud, randomCloud } from '../contact/testing/clouds.js';
import { random } from '../math/random.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { findNeighbours, type Neighbours } from './neighbours.js';

/** Memberships one cluster after the other, as findNeighbours takes them. */
function inRows({ points, clusters }: Cloud) {
  const start = [0];
  for (const { members } of clusters) start.push(start[start.length - 1] + members.length);
  return { memberships: { start, particle: clusters.flatMap((c) => c.members) }, positions: Float64Array.from(points) };
}

function listsOf({ start, list }: Neighbours, c: number) {
  const run = (k: number) => Array.from(list.slice(start[3 * c + k], start[3 * c + k + 1]));
  return { sharing: run(0), ring: run(1), far: run(2) };
}

type Bounds = { low: number[]; high: number[] };

/** Padded bounds of some clusters at rest. */
function boundsOf({ points, clusters }: Cloud, list: number[], pad: number): Bounds {
  const members = list.flatMap((c) => clusters[c].members);
  const along = (a: number) => members.map((i) => points[3 * i + a]);
  return {
    low: [0, 1, 2].map((a) => Math.min(...along(a)) - pad),
    high: [0, 1, 2].map((a) => Math.max(...along(a)) + pad),
  };
}

const meet = (p: Bounds, q: Bounds) => [0, 1, 2].every((a) => p.low[a] <= q.high[a] && q.low[a] <= p.high[a]);

/** The clusters in the leaves under every node of a tree, and every node's parent. */
function unfold({ tree: { branch } }: Neighbours) {
  const under: number[][] = [];
  const parent: number[] = [];
  const visit = (node: number, from: number): number[] => {
    parent[node] = from;
    const right = branch[2 * node];
    under[node] = right === 0 ? [branch[2 * node + 1]] : [...visit(node + 1, node), ...visit(right, node)];
    return under[node];
  };
  visit(0, -1);
  return { under, parent };
}

const ascending = (list: number[]) => [...list].sort((a, b) => a - b);

it('are, of every cluster, those that share a particle, those whose boxes meet and the largest nodes whose do not', () => {
  const next = random(testSeed('neighbours'));
  const found = { sharing: 0, ring: 0, far: 0, inner: 0 };
  for (let trial = 0; trial < 60; trial++) {
    const cloud = randomCloud(next, 20 + Math.floor(150 * next()), trial < 5 ? 1 : 40, [1, 1, trial % 3 ? 1 : 4]);
    const pad = 0.1 * next() ** 2;
    const { memberships, positions } = inRows(cloud);
    const neighbours = findNeighbours(memberships, positions, pad);
    expect(withoutKernels(() => findNeighbours(memberships, positions, pad))).toEqual(neighbours);
    const { under, parent } = unfold(neighbours);
    const all = cloud.clusters.map((_, c) => c);
    const boxes = under.map((list) => boundsOf(cloud, list, pad));
    for (const c of all) {
      const { sharing, ring, far } = listsOf(neighbours, c);
      const mine = new Set(cloud.clusters[c].members);
      const box = boundsOf(cloud, [c], pad);
      expect(ascending(sharing)).toEqual(
        all.filter((b) => b !== c && cloud.clusters[b].members.some((i) => mine.has(i))),
      );
      // Every cluster once and only once.
      expect(ascending([c, ...sharing, ...ring, ...far.flatMap((node) => under[node])])).toEqual(all);
      for (const b of ring) expect(meet(boundsOf(cloud, [b], pad), box)).toBe(true);
      for (const node of far) {
        expect(meet(boxes[node], box)).toBe(false);
        expect(node === 0 || meet(boxes[parent[node]], box)).toBe(true);
        found.inner += under[node].length > 1 ? 1 : 0;
      }
      found.sharing += sharing.length;
      found.ring += ring.length;
      found.far += far.length;
    }
  }
  // Each kind often enough to mean something.
  expect(Math.min(found.sharing, found.ring, found.far, found.inner)).toBeGreaterThan(200);
});

it('of clusters that all share a particle, or none, or are in one place', () => {
  const points = Array.from({ length: 90 }, (_, k) => (k % 3 === 0 ? k / 3 : 0));
  const lists = (members: number[][], pad: number) => {
    const { memberships, positions } = inRows({ points, clusters: members.map((list) => ({ members: list })) });
    const neighbours = findNeighbours(memberships, positions, pad);
    return members.map((_, c) => listsOf(neighbours, c));
  };
  // A row of points 1 m apart.
  expect(
    lists(
      [
        [0, 1],
        [0, 5],
        [0, 9],
      ],
      0,
    ).map(({ sharing }) => ascending(sharing)),
  ).toEqual([
    [1, 2],
    [0, 2],
    [0, 1],
  ]);
  const apart = lists(
    [
      [0, 1],
      [10, 11],
      [20, 21],
    ],
    0,
  );
  expect(apart.map(({ sharing, ring }) => [...sharing, ...ring])).toEqual([[], [], []]);
  // Boxes that touch meet.
  expect(
    lists(
      [
        [0, 1],
        [2, 3],
      ],
      0.5,
    ).map(({ ring }) => ring),
  ).toEqual([[1], [0]]);
  expect(
    lists(
      [
        [0, 1],
        [2, 3],
      ],
      0.49,
    ).map(({ ring }) => ring),
  ).toEqual([[], []]);
  expect(
    lists(
      [
        [0, 9],
        [1, 8],
        [2, 7],
      ],
      0,
    ).map(({ ring }) => ascending(ring)),
  ).toEqual([
    [1, 2],
    [0, 2],
    [0, 1],
  ]);
  expect(lists([[4]], 0)).toEqual([{ sharing: [], ring: [], far: [] }]);
});

it('are found in the state by each body, also when one before it is gone', async () => {
  const next = random(testSeed('neighbours in the state'));
  const world = await World.create();
  const clouds = [0, 1, 2].map(() => randomCloud(next, 80, 20));
  const bodies = clouds.map((cloud) => world.addBody(cloud));
  const check = () => {
    for (const body of world.bodies) {
      const { memberships, positions } = inRows(clouds[bodies.indexOf(body)]);
      // Particles given as points reach no farther than themselves.
      const { start, list, tree } = findNeighbours(memberships, positions, 0);
      const { neighbourStart: from, neighbour, treeNode } = world.state.views;
      const [first, last] = [body.rows.clusterStart, body.rows.clusterEnd];
      const base = from[3 * first];
      expect(Array.from(from.slice(3 * first, 3 * last + 1), (k) => k - base)).toEqual(
        Array.from(start.slice(0, 3 * (last - first) + 1)),
      );
      expect(neighbour.slice(base, base + list.length)).toEqual(list);
      expect(treeNode.slice(4 * first, 4 * last - 2)).toEqual(tree.branch);
    }
  };
  check();
  world.removeBody(bodies[1]);
  check();
  world.removeBody(bodies[0]);
  check();
  expect(world.bodies.length).toBe(1);
});

it('the plain form lists the same for more clusters than a table of all pairs is used for', () => {
  const next = random(testSeed('many'));
  // The first number decides how many clusters there are, the second how wide they are.
  const given = [0.99, 0.4];
  const { memberships, positions } = inRows(randomCloud(() => given.shift() ?? next(), 6000, 1300, [1, 1, 4]));
  expect(memberships.start.length - 1).toBeGreaterThan(1024);
  const neighbours = findNeighbours(memberships, positions, 0.01);
  expect(withoutKernels(() => findNeighbours(memberships, positions, 0.01))).toEqual(neighbours);
});
