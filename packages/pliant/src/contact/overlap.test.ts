import { expect, it } from 'vitest';
import type { ExplicitCluster } from '../cluster/index.js';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { overlaps } from './overlap.js';

/** Clusters of any sizes, from hardly to heavily overlapping; every particle is in one at least. */
function randomClusters(next: () => number, particles: number): ExplicitCluster[] {
  const count = 1 + Math.floor(12 * next());
  const share = 0.3 * next() ** 3;
  const clusters: { members: number[] }[] = Array.from({ length: count }, () => ({ members: [] }));
  for (let i = 0; i < particles; i++) {
    const home = Math.floor(count * next());
    clusters.forEach(({ members }, c) => {
      if (c === home || next() < share) members.push(i);
    });
  }
  return clusters.filter(({ members }) => members.length > 0);
}

it('is the relation "share a particle", both ways, of each body for itself', async () => {
  const next = random(testSeed('overlap'));
  let [yes, no] = [0, 0];
  for (let trial = 0; trial < 40; trial++) {
    const particles = 5 + Math.floor(40 * next());
    const points = Array.from({ length: 3 * particles }, () => next());
    const world = await World.create();
    // A body in front of it, so that its rows do not begin at 0.
    world.addBody({ points, clusters: randomClusters(next, particles) });
    const clusters = randomClusters(next, particles);
    const { overlap } = world.addBody({ points, clusters }).contact;
    expect(overlap.start.length).toBe(clusters.length + 1);
    for (let a = 0; a < clusters.length; a++) {
      const mine = new Set(Array.from(clusters[a].members));
      const others: number[] = [];
      for (let b = 0; b < clusters.length; b++) {
        const shared = Array.from(clusters[b].members).some((i) => mine.has(i));
        expect(overlaps(overlap, a, b)).toBe(shared);
        if (shared && b !== a) others.push(b);
      }
      // Ascending, each once, itself left out.
      expect(Array.from(overlap.cluster.slice(overlap.start[a], overlap.start[a + 1]))).toEqual(others);
      yes += others.length;
      no += clusters.length - 1 - others.length;
    }
  }
  expect(Math.min(yes, no)).toBeGreaterThan(200);
});
