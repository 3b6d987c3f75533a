import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { CONTACT_ROW, ContactRow, PATCH } from '../state/contactRow.js';
import { Flag } from '../state/flags.js';
import { disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';

/** Weights, masses and squared distances in spacings are f32 numbers of about 1, of a few roundings each. */
const ROUNDING = 1e-5;

interface Member {
  particle: number;
  /** In squared spacings. */
  d2: number;
}

/**
 * The members of a cluster that a patch may have, nearest to particle i first: those on the surface, or all if none is. Distances
 * are those of the rest shape, to where the particle would be in it.
 */
function nearestOf({ state: { views: s } }: World, i: number, c: number): Member[] {
  const d = [0, 1, 2].map((a) => s.x[4 * i + a] - s.proxyFrame[20 * c + 12 + a]);
  const at = [0, 1, 2].map(
    (a) => d[0] * s.proxyFrame[20 * c + a] + d[1] * s.proxyFrame[20 * c + 4 + a] + d[2] * s.proxyFrame[20 * c + 8 + a],
  );
  const members = Array.from({ length: s.memberStart[c + 1] - s.memberStart[c] }, (_, k) => s.memberStart[c] + k);
  const outer = members.filter((k) => s.outward[4 * k + 3] >= 0);
  return (outer.length > 0 ? outer : members)
    .map((k) => {
      const square = at.reduce((sum, v, a) => sum + (s.member[4 * k + a] - v) ** 2, 0);
      return { particle: s.memberParticle[k], d2: square / s.proxySpacing[c] ** 2 };
    })
    .sort((a, b) => a.d2 - b.d2);
}

/** The first six of those no farther off than the nearest and two spacings; undefined where rounding decides which. */
function patchOf(world: World, i: number, c: number): Member[] | undefined {
  const all = nearestOf(world, i, c);
  const farthest = all[0].d2 + 4;
  if (all.some(({ d2 }) => Math.abs(d2 - farthest) < ROUNDING)) return undefined;
  const within = all.filter(({ d2 }) => d2 < farthest);
  const order = within.slice(0, PATCH + 1);
  return order.some(({ d2 }, n) => n > 0 && d2 - order[n - 1].d2 < ROUNDING) ? undefined : within.slice(0, PATCH);
}

/** Makes contacts of these particles, all in cluster c, and describes them. */
function describeAll(world: World, particles: number[], c: number): void {
  const { touching, touchCluster } = world.state.views;
  world.kernels.placeProxy(c, world.dt);
  touching.set(particles);
  for (const i of particles) touchCluster[i] = c;
  world.kernels.describeContacts(particles.length);
}

/** Contact number k must have the patch of particle i in cluster c, and all its masses. Returns how many it is of, if that is clear. */
function expectPatch(world: World, k: number, i: number, c: number): number | undefined {
  const { patch, contactRow, x, flags } = world.state.views;
  const row = Array.from(contactRow.slice(CONTACT_ROW * k, CONTACT_ROW * (k + 1)));
  const found = Array.from(patch.slice(8 * k, 8 * k + PATCH));
  const weights = row.slice(ContactRow.WEIGHT, ContactRow.WEIGHT + PATCH);
  const inverseMass = (j: number) => (flags[j] & (Flag.HELD | Flag.ASLEEP) ? 0 : 1 / x[4 * j + 3]);
  expect(Math.abs(weights.reduce((a, b) => a + b) - 1)).toBeLessThan(ROUNDING);
  let softness = inverseMass(i);
  expect(Math.abs(row[ContactRow.PARTICLE_INVERSE_MASS] - softness)).toBeLessThanOrEqual(ROUNDING * softness);
  found.forEach((j, n) => {
    const push = weights[n] * inverseMass(j);
    expect(Math.abs(row[ContactRow.PATCH_INVERSE_MASS + n] - push)).toBeLessThanOrEqual(ROUNDING * push);
    softness += weights[n] * push;
  });
  expect(Math.abs(row[ContactRow.INVERSE_MASS] - softness)).toBeLessThanOrEqual(ROUNDING * softness);
  // The fields that other functions fill in, and the sums of impulses.
  expect(row.slice(ContactRow.INVERSE_MASS + 1).every((v) => v === 0)).toBe(true);

  const expected = patchOf(world, i, c);
  if (!expected) return undefined;
  expect(found.slice(0, expected.length)).toEqual(expected.map(({ particle }) => particle));
  // Half a squared spacing keeps a particle in the very place from counting alone.
  const raw = expected.map(({ d2 }) => 1 / (d2 + 0.5) ** 2);
  const sum = raw.reduce((a, b) => a + b);
  weights.forEach((w, n) => {
    expect(Math.abs(w - (n < raw.length ? raw[n] / sum : 0))).toBeLessThan(ROUNDING);
  });
  // The slots that are left over have the weight 0 and repeat the first member.
  for (const particle of found.slice(expected.length)) expect(particle).toBe(found[0]);
  return expected.length;
}

describe.each(BACKENDS)('the patch of a contact (%s)', (backend) => {
  it('is of the six nearest surface members of the cluster, of those near the nearest, the nearer the weightier', async () => {
    const next = random(testSeed('patch'));
    const world = await World.create({ backend });
    const points = Array.from({ length: 60 }, () => 1.4 * next() - 0.7);
    world.addBody({ points, clustering: { count: 1 }, material: { particleMass: 0.3 } });
    const { rows } = world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 10, radius: 0.4 },
      material: { density: (_x, y) => 1000 * (1.2 + y) },
    });
    disturb(world, 3, 0.05, 0);
    const particles = Array.from({ length: 20 }, (_, k) => 19 - k);
    const sizes: number[] = [];
    for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
      describeAll(world, particles, c);
      particles.forEach((i, k) => {
        sizes.push(expectPatch(world, k, i, c) ?? 0);
      });
    }
    // Far beyond an edge fewer are within two spacings of the nearest. Few are left to rounding.
    expect(sizes.filter((size) => size === PATCH).length).toBeGreaterThan(10);
    expect(sizes.filter((size) => size > 0 && size < PATCH).length).toBeGreaterThan(10);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(190);
  });

  it('of a bent cluster is that of its rest shape, seen from where the particle would be in it', async () => {
    const next = random(testSeed('bent'));
    const world = await World.create({ backend });
    world.addBody({ points: Array.from({ length: 60 }, () => next() - 0.5), clustering: { count: 1 } });
    world.addBody({ shape: { type: 'sphere', radius: 0.5 }, sampling: { spacing: 0.08 }, clustering: { count: 1 } });
    const [other, ball] = world.bodies;
    const { x } = world.state.views;
    // Flattened to a fifth: the nearest in space would be those of both sides.
    for (let i = ball.rows.particleStart; i < ball.rows.particleEnd; i++) x[4 * i + 1] *= 0.2;
    for (let i = 0; i < other.particleCount; i++) x[4 * i + 1] *= 0.2;
    const particles = Array.from({ length: other.particleCount }, (_, i) => i);
    describeAll(world, particles, ball.rows.clusterStart);
    const sizes = particles.map((i, k) => expectPatch(world, k, i, ball.rows.clusterStart));
    expect(sizes.filter((size) => size !== undefined).length).toBeGreaterThan(0.9 * sizes.length);
  });

  it('of a cluster with no surface is of its nearest members; with few, of all that are near', async () => {
    const world = await World.create({ backend });
    // A cube of 5³ points: a cluster within it, one of a corner, one with a single surface particle, one of one, and the rest.
    const index = (x: number, y: number, z: number) => 25 * z + 5 * y + x;
    const all = Array.from({ length: 125 }, (_, i) => i);
    const coordinates = (i: number) => [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)];
    const core = all.filter((i) => coordinates(i).every((v) => v > 0 && v < 4));
    const corner = [index(0, 0, 0), index(1, 0, 0), index(0, 1, 0), index(0, 0, 1)];
    const single = [index(2, 2, 2), index(2, 2, 1), index(2, 2, 0)];
    const distant = [index(0, 0, 0), index(4, 4, 4)];
    const { rows } = world.addBody({
      points: all.flatMap(coordinates),
      clusters: [core, corner, single, distant, [index(4, 4, 4)], all].map((members) => ({ members })),
    });
    // One at the corner 0 0 0, one in the middle.
    const probes = world.addBody({ points: [0.01, 0.02, 0.03, 2.05, 1.91, 2.13], clustering: { count: 1 } });
    const particles = [0, 1].map((k) => probes.rows.particleStart + k);
    const sizes = [0, 1, 2, 3, 4, 5].map((c) => {
      describeAll(world, particles, rows.clusterStart + c);
      return particles.map((i, k) => expectPatch(world, k, i, rows.clusterStart + c));
    });
    expect(sizes.map(([corner]) => corner)).toEqual([4, 4, 1, 1, 1, PATCH]);
    expect(sizes.map(([, middle]) => middle)).toEqual([PATCH, 4, 1, 2, 1, PATCH]);
  });

  it('of a particle in the very place of a member is finite', async () => {
    const world = await World.create({ backend });
    const points = Array.from({ length: 27 }, (_, i) => [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)]).flat();
    const { rows } = world.addBody({ points, clustering: { count: 1 } });
    describeAll(world, [4], rows.clusterStart);
    const { patch, contactRow } = world.state.views;
    expect(patch[0]).toBe(4);
    expect(contactRow.slice(0, CONTACT_ROW).every(Number.isFinite)).toBe(true);
    expect(Math.abs(contactRow.slice(0, PATCH).reduce((a, b) => a + b) - 1)).toBeLessThan(ROUNDING);
  });

  it('does not move what is held or asleep', async () => {
    const next = random(testSeed('held'));
    const world = await World.create({ backend });
    const points = () => Array.from({ length: 90 }, () => next());
    const [a, b] = [0, 1].map(() => world.addBody({ points: points(), clustering: { count: 1 } }));
    const mine = Array.from({ length: a.particleCount }, (_, i) => i);
    const ask = () => {
      describeAll(world, mine, b.rows.clusterStart);
      mine.forEach((i, k) => void expectPatch(world, k, i, b.rows.clusterStart));
      const { contactRow, patch } = world.state.views;
      return mine.map((_, k) => ({
        own: contactRow[CONTACT_ROW * k + ContactRow.PARTICLE_INVERSE_MASS],
        softness: contactRow[CONTACT_ROW * k + ContactRow.INVERSE_MASS],
        push: Array.from(
          contactRow.slice(
            CONTACT_ROW * k + ContactRow.PATCH_INVERSE_MASS,
            CONTACT_ROW * k + ContactRow.PATCH_INVERSE_MASS + PATCH,
          ),
        ),
        patch: Array.from(patch.slice(8 * k, 8 * k + PATCH)),
      }));
    };
    a.pin(3);
    for (const i of [0, 5, 10, 15, 20]) b.pin(i);
    const pinned = ask();
    expect(pinned.map(({ own }) => own > 0)).toEqual(mine.map((i) => i !== 3));
    let still = 0;
    for (const { push, patch } of pinned)
      patch.forEach((j, n) => {
        const held = (j - b.rows.particleStart) % 5 === 0 && j - b.rows.particleStart <= 20;
        if (held) expect(push[n]).toBe(0);
        still += held ? 1 : 0;
      });
    expect(still).toBeGreaterThan(5);
    b.sleep();
    for (const { own, softness, push } of ask()) {
      expect(push).toEqual(new Array(PATCH).fill(0));
      expect(softness).toBe(own);
    }
    a.sleep();
    for (const { softness } of ask()) expect(softness).toBe(0);
  });
});
