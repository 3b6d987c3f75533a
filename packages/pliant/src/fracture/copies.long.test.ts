import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [0.6, 0.3, 0.3] },
  sampling: { count: 120 },
  clustering: { count: 6 },
  material: { toughness: 0.15, yield: 0.05, raw: { stiffness: 0.5 } },
  reclustering: { threshold: 1.5 },
  position: [0, 1, 0],
  velocity: [0, -6, 0],
};

/** Copies of each particle that a body was built with, and how many there may be: resampling adds 16 at most. */
function copiesOf(world: World, body: Body): { there: Uint32Array; most: Uint32Array } {
  const built = body.builtPositions.length / 3;
  const [there, held] = [new Uint32Array(built), new Uint32Array(built)];
  for (const i of body.clustering.particle) held[i]++;
  const { ancestor } = world.state.views;
  for (let i = body.rows.particleStart; i < body.rows.particleEnd; i++) there[ancestor[i]]++;
  const more = body.reclustering.resample < Number.POSITIVE_INFINITY ? 16 : 0;
  return { there, most: held.map((n) => Math.max(4, n) + more) };
}

describe('the particles of a body that breaks', () => {
  it('stay few where it also flows and its clusters are replaced, and keep their mass', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = world.addBody(BAR);
    const { mass } = world.measure();
    const { most } = copiesOf(world, body);
    let broke = 0;
    for (let n = 0; n < 900; n++) {
      world.step();
      broke += world.drainEvents().filter((e) => e.type === 'fracture').length;
      if (n % 100 === 99) expect(copiesOf(world, body).there.every((count, i) => count <= most[i])).toBe(true);
    }
    expect(broke).toBeGreaterThan(20);
    // 7 556 without a bound.
    expect(body.particleCount).toBeLessThan(4 * 121);
    expect(world.measure().mass / mass).toBeCloseTo(1, 6);
    expect(world.validate()).toEqual([]);
  });

  it('are counted from break to break as if they were counted anew, and after a snapshot of before', async () => {
    const run = async (each: (world: World, body: Body, n: number) => void) => {
      const world = await World.create();
      world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      const body = world.addBody({ ...BAR, reclustering: undefined, fracture: { delay: false } });
      let breaks = 0;
      for (let n = 0; n < 60; n++) {
        each(world, body, n);
        world.step();
        breaks += world.drainEvents().filter((e) => e.type === 'fracture').length;
      }
      return { breaks, positions: world.positions.slice() };
    };
    const kept = await run(() => {});
    // Another array of rest positions: nothing is known of it.
    const anew = await run((_, body) => {
      body.restPositions = body.restPositions.slice();
    });
    const again = await run((world, _, n) => {
      if (n % 5 > 0) return;
      // The breaks of these steps are undone.
      const saved = world.snapshot();
      for (let k = 0; k < 4; k++) world.step();
      world.drainEvents();
      world.restore(saved);
    });
    expect(kept.breaks).toBeGreaterThan(3);
    expect(anew.positions).toEqual(kept.positions);
    expect(again.positions).toEqual(kept.positions);
  });

  it('are bounded for every combination of options', async () => {
    const next = random(testSeed('copies'));
    const one = <T>(...of: readonly T[]): T => of[Math.floor(next() * of.length)];
    let splits = 0;
    for (let n = 0; n < 12; n++) {
      const world = await World.create({ gravity: [0, 0, 0] });
      const body = world.addBody({
        ...BAR,
        sampling: { count: 60, seed: 1 + n },
        clustering: one({ count: 4 }, { count: 8 }, {}),
        material: {
          toughness: one(0.01, 0.05, 0.2),
          yield: one(0, 0.02, 0.1),
          raw: { stiffness: one(0.2, 0.5, 1.2), flowRate: one(0.3, 1), hardening: one(0, 0.1, -0.1) },
        },
        fracture: {
          outliers: one(0.3, 2, Number.POSITIVE_INFINITY),
          delay: one(true, false),
          boost: one(0, 3),
          minMembers: one(1, 2, 4),
          debris: one(true, false),
        },
        reclustering: {
          threshold: one(1.05, 1.3, 2),
          every: one(1, 4, 16) / 60,
          fadeIn: one(2, 24) / 60,
          fadeOut: one(3, 30) / 60,
          minClusters: one(1, 2, 3),
          resample: one(1, 1.5, Number.POSITIVE_INFINITY),
          space: one('embedded', 'linear', 'world'),
        },
        levels: one(undefined, undefined, {}),
        angularVelocity: [one(0, 20), 0, one(5, 30)],
      });
      const before = world.measure();
      const { most } = copiesOf(world, body);
      const pull = world.addClamp({
        region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.2 },
        velocity: [one(1, 4), 0, 0],
      });
      let removed = 0;
      for (let k = 0; k < 150; k++) {
        if (k === 75) world.removeClamp(pull);
        world.step();
        for (const event of world.drainEvents())
          if (event.type === 'fracture')
            [splits, removed] = [splits + event.splits.length, removed + event.removed.length];
      }
      const { there } = copiesOf(world, body);
      expect(there.every((count, i) => count <= most[i])).toBe(true);
      if (removed === 0) expect(world.measure().mass / before.mass).toBeCloseTo(1, 6);
      expect(world.validate()).toEqual([]);
      world.dispose();
    }
    expect(splits).toBeGreaterThan(50);
  });

  it('are not copied further for being separated and cut', async () => {
    const next = random(testSeed('copies of pieces'));
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    world.addBody(BAR);
    for (let n = 0; n < 5; n++) {
      for (let k = 0; k < 40; k++) world.step();
      for (const body of [...world.bodies]) {
        const { com } = world.measure(body);
        world.cut(body, { point: com, normal: [next() - 0.5, next() - 0.5, next() - 0.5] });
      }
    }
    expect(world.bodies.length).toBeGreaterThan(8);
    // Each of 121 particles was in 6 clusters at most.
    expect(world.particleCount).toBeLessThan(6 * 121);
    expect(world.validate()).toEqual([]);
  });
});
