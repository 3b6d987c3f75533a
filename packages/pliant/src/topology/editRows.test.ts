import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { multiplyInto } from '../math/mat3.js';
import { random } from '../math/random.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { linksOf } from '../testing/links.js';
import { testSeed } from '../testing/seed.js';
import { validate } from '../validate.js';
import { World } from '../world.js';

/** A cloud of points, each size and seed another. */
function cloud(count: number, seed: number, clusters = 1): BodyOptions {
  const next = random(seed);
  return {
    name: `cloud ${count}/${seed}`,
    points: Float64Array.from({ length: 3 * count }, () => 2 * next() - 1),
    material: { particleMass: 0.05 + next(), raw: { damping: 0.1 * next(), stiffness: 0.3 + next() } },
    clustering: { count: clusters, radius: 1.6 },
    velocity: [next(), next(), next()],
    angularVelocity: [next(), next(), next()],
    // They lie in one another: what one would do to the others is not looked at here.
    contact: { mode: 'none' },
  };
}

/** A_rr = Σ m w p pᵀ of a cluster, from the stored members. */
function momentOf(world: World, c: number): Float64Array {
  const { member, memberStart } = world.state.views;
  const m = new Float64Array(9);
  for (let k = memberStart[c]; k < memberStart[c + 1]; k++)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) m[3 * b + a] += member[4 * k + 3] * member[4 * k + a] * member[4 * k + b];
  return m;
}

describe('a body in the state', () => {
  it('has members and links that are transposes, weights that sum to 1, and all its mass in clusters (C4)', async () => {
    const { world } = await worldWith(BLOCK);
    expect(validate(world)).toEqual([]);
    const { clusterMass } = world.state.views;
    const inClusters = clusterMass.slice(0, world.clusterCount).reduce((a, b) => a + b, 0);
    expect(inClusters / world.measure().mass).toBeCloseTo(1, 7);
    // The rest offsets of a particle differ from cluster to cluster by the distance of the centres.
    const shared = Array.from({ length: world.particleCount }, (_, i) => linksOf(world, i)).filter((l) => l.length > 1);
    expect(shared.length).toBeGreaterThan(50);
  });

  it('keeps offsets from the weighted centre, and what rounding left of their mean', async () => {
    const { world } = await worldWith({ ...BLOCK, position: [100, -50, 30] });
    const { member, memberStart, restShift, width, limit, clusterMass } = world.state.views;
    for (let c = 0; c < world.clusterCount; c++) {
      const mean = [0, 0, 0];
      let widest = 0;
      for (let k = memberStart[c]; k < memberStart[c + 1]; k++) {
        const p = member.subarray(4 * k, 4 * k + 4);
        for (let a = 0; a < 3; a++) mean[a] += (p[3] * p[a]) / clusterMass[c];
        widest = Math.max(widest, Math.hypot(p[0], p[1], p[2]));
      }
      for (let a = 0; a < 3; a++) {
        expect(restShift[3 * c + a]).toBeCloseTo(mean[a], 14);
        expect(Math.abs(restShift[3 * c + a])).toBeLessThan(1e-7);
      }
      expect(width[c]).toBeCloseTo(widest, 6);
      expect(limit[c]).toBeCloseTo(0.3 * widest, 6);
    }
  });

  it('begins each cluster with the member nearest its centre, from which the kernels sum', async () => {
    const { world } = await worldWith(BLOCK);
    const { member, memberStart } = world.state.views;
    for (let c = 0; c < world.clusterCount; c++) {
      const reach = [];
      for (let k = memberStart[c]; k < memberStart[c + 1]; k++)
        reach.push(Math.hypot(member[4 * k], member[4 * k + 1], member[4 * k + 2]));
      expect(reach[0]).toBeLessThanOrEqual(Math.min(...reach) + 1e-7);
    }
  });

  it('has the inverse of A_rr where a cluster has volume', async () => {
    const { world } = await worldWith(BLOCK);
    const product = new Float64Array(9);
    for (let c = 0; c < world.clusterCount; c++) {
      multiplyInto(product, world.state.views.restInverse.subarray(9 * c, 9 * c + 9), momentOf(world, c));
      for (let k = 0; k < 9; k++) expect(product[k]).toBeCloseTo(k % 4 === 0 ? 1 : 0, 9);
    }
  });

  it.each([
    ['a sheet', (x: number, y: number) => [x, y, 0], [1, 0, 0, 0, 1, 0, 0, 0, 0]],
    // Turned out of the axes, rounding to f32 leaves a thickness of 1e-8 that must not count: I − n nᵀ, n = (1, 1, 1)/√3.
    ['a sheet askew', (x: number, y: number) => [x, y, -x - y], [2, -1, -1, -1, 2, -1, -1, -1, 2].map((k) => k / 3)],
    ['a line', (x: number) => [x, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['a line askew', (x: number) => [x, x / 3, x / 7], [441, 147, 63, 147, 49, 21, 63, 21, 9].map((k) => k / 499)],
    ['a point', () => [0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('has a finite pseudo-inverse of A_rr for %s: A⁺ A projects on what there is', async (_, flatten, projector) => {
    const next = random(3);
    const points = Array.from({ length: 20 }, () => flatten(next() - 0.5, next() - 0.5)).flat();
    const { world } = await worldWith({ points, clusters: [{ members: Array.from({ length: 20 }, (_, i) => i) }] });
    const product = new Float64Array(9);
    multiplyInto(product, world.state.views.restInverse.subarray(0, 9), momentOf(world, 0));
    for (let k = 0; k < 9; k++) expect(product[k]).toBeCloseTo(projector[k], 6);
    for (let n = 0; n < 50; n++) world.step();
    expect(world.positions.every(Number.isFinite)).toBe(true);
    expect(world.drainEvents()).toEqual([]);
  });
});

/** Bits of a body's positions and velocities. */
const bitsOf = (body: Body) => [body.positions, body.velocities].map((v) => new Uint32Array(v.slice().buffer));

describe.each(['wasm', 'ts'] as const)('a removed body (%s)', (backend) => {
  const three = [cloud(40, 1, 3), cloud(70, 2, 5), cloud(25, 3)];

  it.each([0, 1, 2])(
    'leaves no trace: the others move as if number %i had never been there, bit for bit',
    async (gone) => {
      const [world, other] = await Promise.all([World.create({ backend }), World.create({ backend })]);
      const bodies = three.map((options) => world.addBody(options));
      const alone = three.map((options, k) => (k === gone ? undefined : other.addBody(options)));
      const advance = (steps: number) => {
        for (let n = 0; n < steps; n++) {
          for (const w of [world, other]) w.step();
        }
      };
      advance(5);
      bodies.forEach((body, k) => {
        if (k === gone) return;
        for (const b of [body, alone[k]!]) {
          b.pin(3);
          b.applyForce([1, 2, 3], 7);
        }
      });
      world.removeBody(bodies[gone]);
      expect(validate(world)).toEqual([]);
      expect(world.particleCount).toBe(other.particleCount);
      expect(world.membershipCount).toBe(other.membershipCount);
      advance(20);
      bodies.forEach((body, k) => {
        if (k !== gone) expect(bitsOf(body)).toEqual(bitsOf(alone[k]!));
      });
    },
  );

  it('leaves a sound world over any sequence of adding, removing and stepping', async () => {
    // Handed to the property by index: fast-check shrinks the sequence, not the worlds.
    const pool = Array.from({ length: 6 }, (_, k) => cloud(5 + 13 * k, 10 + k, k < 2 ? 1 : k));
    const action = fc.oneof(
      fc.record({ add: fc.nat(pool.length - 1) }),
      fc.record({ remove: fc.nat(9) }),
      fc.constant({ step: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const world = await World.create({ backend, gravity: [0, -1, 0] });
        const reference = new Map<Body, { world: World; body: Body }>();
        for (const act of actions) {
          if ('add' in act) {
            const alone = await World.create({ backend, gravity: [0, -1, 0] });
            reference.set(world.addBody(pool[act.add]), { world: alone, body: alone.addBody(pool[act.add]) });
          } else if ('remove' in act && world.bodies.length > 0) {
            const gone = world.bodies[act.remove % world.bodies.length];
            world.removeBody(gone);
            reference.delete(gone);
          } else if ('step' in act) {
            for (let n = 0; n < act.step; n++)
              for (const w of [world, ...[...reference.values()].map((r) => r.world)]) w.step();
          }
          expect(validate(world)).toEqual([]);
        }
        for (const [body, { body: alone }] of reference) expect(bitsOf(body)).toEqual(bitsOf(alone));
      }),
      { seed: testSeed(`adding and removing ${backend}`), numRuns: 30 },
    );
  });
});
