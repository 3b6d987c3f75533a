import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { overlaps } from './overlap.js';
import { PairList, pairsAcross, pairsWithin } from './pairs.js';
import { meet } from './tree.js';

/** A grid of points 0.1 m apart, cut into clusters of 2 × 2 × 2; each reaches `deep` points on along x. */
function blockOf(nx: number, ny: number, nz: number, deep: number) {
  const points: number[] = [];
  const at = (i: number, j: number, k: number) => (k * ny + j) * nx + i;
  const clusters: { members: number[] }[] = [];
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        points.push(0.1 * i, 0.1 * j, 0.1 * k);
        if (i % 2 || j % 2 || k % 2) continue;
        const members: number[] = [];
        for (let c = k; c <= Math.min(k + 1, nz - 1); c++)
          for (let b = j; b <= Math.min(j + 1, ny - 1); b++)
            for (let a = i; a <= Math.min(i + deep, nx - 1); a++) members.push(at(a, b, c));
        clusters.push({ members });
      }
  return { points, clusters };
}

/** Moves every particle somewhere near, some far, and refits the boxes. */
function stir(world: World, next: () => number, shift: number): void {
  const { x, xOld } = world.state.views;
  xOld.set(x);
  for (const { rows } of world.bodies) {
    const drift = [next() - 0.5, next() - 0.5, next() - 0.5];
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4)
      for (let a = 0; a < 3; a++) x[o + a] += shift * (drift[a] + 0.5 * (next() - 0.5));
  }
  world.kernels.boundClusters(0, world.clusterCount);
  for (const { rows, contact } of world.bodies) contact.tree.refit(world.state.views, rows, contact.pad);
}

/** The padded box of each cluster, as six numbers, in f32 like the tree's. */
function boxesOf({ state: { views: s } }: World, { rows, contact: { pad } }: Body): Float32Array {
  const boxes = new Float32Array(6 * (rows.clusterEnd - rows.clusterStart));
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++)
    for (let a = 0; a < 3; a++) {
      boxes[6 * (c - rows.clusterStart) + a] = s.box[8 * c + a] - pad;
      boxes[6 * (c - rows.clusterStart) + 3 + a] = s.box[8 * c + 4 + a] + pad;
    }
  return boxes;
}

const listed = ({ source, target, count }: PairList) =>
  Array.from({ length: count }, (_, k) => `${source[k]} ${target[k]}`).sort();

/** Both directions of the pairs of clusters for which `holds`. */
function allPairs(a: Body, b: Body, holds: (p: number, q: number) => boolean): string[] {
  const pairs: string[] = [];
  const [a0, b0] = [a.rows.clusterStart, b.rows.clusterStart];
  for (let p = 0; p < a.clusterCount; p++)
    for (let q = a === b ? p + 1 : 0; q < b.clusterCount; q++)
      if (holds(p, q)) pairs.push(`${a0 + p} ${b0 + q}`, `${b0 + q} ${a0 + p}`);
  return pairs.sort();
}

describe('the pairs found by the trees', () => {
  // 1, 8, 120 and 1000 clusters.
  it.each([
    [2, 2, 2, 40],
    [4, 4, 4, 20],
    [12, 10, 8, 5],
    [20, 20, 20, 2],
  ])(
    'across two bodies, one of %i by %i by %i particles, are those whose boxes meet, once each way',
    async (nx, ny, nz, trials) => {
      const next = random(testSeed(`across ${nx}`));
      const world = await World.create();
      const a = world.addBody({ ...blockOf(nx, ny, nz, 1), contact: { margin: 0.02 } });
      const b = world.addBody({
        ...blockOf(6, 4, 2, 1),
        position: [0.05 * nx, 0.1 * ny, 0],
        contact: { margin: 0.01 },
      });
      let [found, missed] = [0, 0];
      for (let trial = 0; trial < trials; trial++) {
        stir(world, next, 0.4);
        const [p, q] = [boxesOf(world, a), boxesOf(world, b)];
        const expected = allPairs(a, b, (m, n) => meet(p, m, q, n));
        const pairs = new PairList();
        pairsAcross(a.contact.tree, a.rows.clusterStart, b.contact.tree, b.rows.clusterStart, pairs);
        expect(listed(pairs)).toEqual(expected);
        pairs.clear();
        pairsAcross(b.contact.tree, b.rows.clusterStart, a.contact.tree, a.rows.clusterStart, pairs);
        expect(listed(pairs)).toEqual(expected);
        found += expected.length;
        missed += 2 * a.clusterCount * b.clusterCount - expected.length;
      }
      expect(Math.min(found, missed)).toBeGreaterThan(20);
    },
  );

  it.each([
    [2, 2, 2, 3],
    [4, 4, 4, 20],
    [12, 10, 8, 5],
    [20, 20, 20, 1],
  ])('within a body of %i by %i by %i particles share no particle and have come nearer', async (nx, ny, nz, trials) => {
    const next = random(testSeed(`within ${nx}`));
    const world = await World.create();
    world.addBody(blockOf(2, 2, 4, 1));
    // Clusters overlap their neighbours along x.
    const body = world.addBody({ ...blockOf(nx, ny, nz, 2), contact: { margin: 0.02 } });
    const { rows, contact, restPositions: rest } = body;
    let found = 0;
    for (let trial = 0; trial < trials; trial++) {
      stir(world, next, 0.3);
      const { x, memberParticle, memberStart } = world.state.views;
      const boxes = boxesOf(world, body);
      /** Distance of the clusters' first members, the nearest to their centres, now and at rest. */
      const apart = (p: number, q: number) => {
        const [i, j] = [p, q].map((c) => memberParticle[memberStart[rows.clusterStart + c]]);
        const [k, l] = [i - rows.particleStart, j - rows.particleStart];
        const now = Math.hypot(...[0, 1, 2].map((a) => x[4 * i + a] - x[4 * j + a]));
        return { now, atRest: Math.hypot(...[0, 1, 2].map((a) => rest[3 * k + a] - rest[3 * l + a])) };
      };
      const expected = allPairs(body, body, (p, q) => {
        const { now, atRest } = apart(p, q);
        return meet(boxes, p, boxes, q) && !overlaps(contact.overlap, p, q) && now < 0.85 * atRest;
      });
      const pairs = new PairList();
      pairsWithin(world.state.views, contact, rows.clusterStart, pairs);
      expect(listed(pairs)).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(nx > 2 ? 40 : -1);
  });
});

describe('PairList', () => {
  it('sorts by target and keeps the order of the sources, however many there are', () => {
    const next = random(testSeed('sort'));
    const pairs = new PairList();
    for (const [count, clusters] of [
      [0, 5],
      [10, 3],
      [5000, 200],
      [300, 40],
    ]) {
      pairs.clear();
      const expected: number[][] = Array.from({ length: clusters }, () => []);
      for (let k = 0; k < count; k++) {
        const [a, b] = [Math.floor(clusters * next()), Math.floor(clusters * next())];
        pairs.add(a, b);
        expected[b].push(a);
        expected[a].push(b);
      }
      pairs.sortByTarget(clusters);
      expect(pairs.count).toBe(2 * count);
      const sorted = expected.map((_, t) => Array.from(pairs.sorted.slice(pairs.start[t], pairs.start[t + 1])));
      expect(sorted).toEqual(expected);
      expect([pairs.start[0], pairs.start[clusters]]).toEqual([0, 2 * count]);
    }
  });
});
