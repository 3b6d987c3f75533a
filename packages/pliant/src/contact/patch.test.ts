import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { findPatch, PATCH, patchParticle, patchWeight, reservePatches } from './patch.js';

/** Members of a cluster that a patch may have: those on the surface, or all if none is; nearest to particle i first. */
function nearestOf({ state: { views: s } }: World, i: number, c: number): { particle: number; d2: number }[] {
  const members = Array.from({ length: s.memberStart[c + 1] - s.memberStart[c] }, (_, k) => s.memberStart[c] + k);
  const outer = members.filter((k) => s.outward[4 * k + 3] >= 0);
  return (outer.length > 0 ? outer : members)
    .map((k) => {
      const particle = s.memberParticle[k];
      return { particle, d2: [0, 1, 2].reduce((d, a) => d + (s.x[4 * particle + a] - s.x[4 * i + a]) ** 2, 0) };
    })
    .sort((a, b) => a.d2 - b.d2);
}

/** Contact number k must have the patch of particle i in cluster c that brute force finds. */
function expectPatch(world: World, k: number, i: number, c: number): number {
  const s = world.state.views;
  const expected = nearestOf(world, i, c).slice(0, PATCH);
  const found = Array.from(patchParticle.slice(PATCH * k, PATCH * (k + 1)));
  const weights = Array.from(patchWeight.slice(PATCH * k, PATCH * (k + 1)));
  expect(found.slice(0, expected.length)).toEqual(expected.map(({ particle }) => particle));
  // Half a squared spacing keeps a particle in the very place from counting alone.
  const raw = expected.map(({ d2 }) => 1 / (d2 / s.proxySpacing[c] ** 2 + 0.5) ** 2);
  const sum = raw.reduce((a, b) => a + b);
  weights.forEach((w, n) => {
    expect(w).toBeCloseTo(n < raw.length ? raw[n] / sum : 0, 12);
    expect(w).toBeGreaterThanOrEqual(0);
  });
  expect(weights.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  // What is left over counts nothing, but is a member all the same.
  for (const particle of found.slice(expected.length)) expect(particle).toBe(found[0]);
  return expected.length;
}

describe('a patch', () => {
  it('is the six nearest surface members of the cluster, the nearer the weightier', async () => {
    const next = random(testSeed('patch'));
    const world = await World.create();
    world.addBody({ points: Array.from({ length: 60 }, () => 3 * next() - 1.5), clustering: { count: 1 } });
    const body = world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 10, radius: 0.4 },
    });
    disturb(world, 3, 0.05, 0);
    reservePatches(20);
    for (let k = 0; k < 20; k++)
      for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) {
        findPatch(world.state.views, k, k, c);
        expect(expectPatch(world, k, k, c)).toBe(PATCH);
      }
    // Contacts do not disturb each other.
    for (let k = 0; k < 20; k++) expectPatch(world, k, k, body.rows.clusterEnd - 1);
  });

  it('of a cluster with no surface is of its nearest members; with few, of all there are', async () => {
    const next = random(testSeed('few'));
    const world = await World.create();
    // A cube of 5³ points: a cluster within it, one of a corner, one of a single surface particle, and the rest.
    const index = (x: number, y: number, z: number) => 25 * z + 5 * y + x;
    const all = Array.from({ length: 125 }, (_, i) => i);
    const core = all.filter((i) => [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)].every((v) => v > 0 && v < 4));
    const corner = [index(0, 0, 0), index(1, 0, 0), index(0, 1, 0), index(0, 0, 1)];
    const single = [index(2, 2, 2), index(2, 2, 1), index(2, 2, 0)];
    const body = world.addBody({
      points: all.flatMap((i) => [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)]),
      clusters: [
        { members: core },
        { members: corner },
        { members: single },
        { members: [index(4, 4, 4)] },
        { members: all },
      ],
    });
    const { rows } = body;
    disturb(world, 4, 0.2, 0);
    const other = world.addBody({ points: Array.from({ length: 30 }, () => 6 * next() - 1), clustering: { count: 1 } });
    reservePatches(10);
    for (let k = 0; k < 10; k++) {
      const sizes = [0, 1, 2, 3, 4].map((c) => {
        findPatch(world.state.views, k, other.rows.particleStart + k, rows.clusterStart + c);
        return expectPatch(world, k, other.rows.particleStart + k, rows.clusterStart + c);
      });
      expect(sizes).toEqual([PATCH, 4, 1, 1, PATCH]);
    }
  });

  it('of a particle in the very place of a member is finite', async () => {
    const world = await World.create();
    const points = Array.from({ length: 27 }, (_, i) => [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)]).flat();
    const body = world.addBody({ points, clustering: { count: 1 } });
    reservePatches(1);
    findPatch(world.state.views, 0, 4, body.rows.clusterStart);
    expect(patchParticle[0]).toBe(4);
    expect(patchWeight.slice(0, PATCH).every(Number.isFinite)).toBe(true);
    expect(patchWeight.slice(0, PATCH).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });
});
