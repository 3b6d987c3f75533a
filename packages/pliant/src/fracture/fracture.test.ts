import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/build.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { NO_PIECE } from './pieces.js';
import { BAR, pulled, run } from './testing/pulled.js';

describe.each(BACKENDS)('a body pulled apart (%s)', (backend) => {
  it('breaks across the pull, keeps its mass, and its pieces hold what is held of them', async () => {
    const { world, body } = await pulled(BAR, { backend });
    const before = world.measure();
    const fractures = run(world, 120);
    expect(body.pieces.count).toBeGreaterThan(1);
    expect(Math.abs(world.measure().mass / before.mass - 1)).toBeLessThan(1e-6);
    expect(world.validate()).toEqual([]);
    // The first splits are where nothing but the pull acts: their normals lie along it.
    for (const { normal } of fractures[0].splits) expect(Math.abs(normal[0])).toBeGreaterThan(0.95);
    // Both ends go where their clamps take them.
    const { bboxMin, bboxMax } = world.measure();
    expect(bboxMax[0]).toBeCloseTo(0.95 + 0.5 * 2, 1);
    expect(bboxMin[0]).toBeCloseTo(-0.95 - 0.5 * 2, 1);
    // And nothing spans the gap: the two ends belong to different pieces.
    const { ofParticle } = body.pieces;
    const at = (sign: number) =>
      [...body.restPositions.keys()].find((o) => o % 3 === 0 && sign * body.restPositions[o] > 0.9)! / 3;
    expect(ofParticle[at(1)]).not.toBe(ofParticle[at(-1)]);
  });

  it('breaks across the pull when it was turned before (the papers split by the rest shape)', async () => {
    const turned: BodyOptions = { ...BAR, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] };
    const { world } = await pulled(turned, { backend }, [0, 1, 0]);
    const [first] = run(world, 60);
    for (const { normal } of first.splits) expect(Math.abs(normal[1])).toBeGreaterThan(0.95);
    // Turned while it lives: the rest frame of its clusters is that of x still.
    const { world: spun, body } = await worldWith(BAR, { backend });
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) [x[o], x[o + 1]] = [-x[o + 1], 1.6 * x[o]];
    const [split] = run(spun, 3);
    for (const { normal } of split.splits) expect(Math.abs(normal[1])).toBeGreaterThan(0.9);
  });

  it('does not break below its toughness, and a tougher one later', async () => {
    const first: number[] = [];
    for (const toughness of [0.1, 0.2, 0.4]) {
      const { world } = await pulled({ ...BAR, material: { ...BAR.material, toughness } }, { backend });
      let n = 0;
      while (run(world, 1).length === 0 && n < 300) n++;
      first.push(n);
    }
    expect(first[0]).toBeLessThan(first[1]);
    expect(first[1]).toBeLessThan(first[2]);
    const { world, body } = await pulled({ ...BAR, material: { ...BAR.material, toughness: 1e3 } }, { backend });
    expect(run(world, 30)).toEqual([]);
    expect(body.topologyVersion).toBe(0);
  });

  it('splits less often when those that split wait until they have relaxed, or are tougher for a while', async () => {
    const splits = async (fracture: BodyOptions['fracture']) => {
      const { world } = await pulled({ ...BAR, fracture }, { backend });
      return run(world, 90).reduce((sum, { splits: s }) => sum + s.length, 0);
    };
    const [free, delayed, boosted] = [
      await splits({ delay: false }),
      await splits({ delay: true }),
      await splits({ delay: false, boost: 5, falloff: 2 }),
    ];
    report('splits', { free, delayed, boosted }, '');
    expect(delayed).toBeLessThan(free);
    expect(boosted).toBeLessThan(free);
  });

  it('works off no more than its budget in a step, and goes on in the next', async () => {
    const { world, body } = await worldWith({ ...BAR, fracture: { budget: 1 } }, { backend });
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) x[o] *= 1.8;
    const counts = Array.from({ length: 4 }, () => run(world, 1)[0]?.splits.length ?? 0);
    expect(Math.max(...counts)).toBe(1);
    expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(1);
  });
});

describe.each(BACKENDS)('a particle that has gone astray (%s)', (backend) => {
  it.each([2, Number.POSITIVE_INFINITY])(
    'leaves its other clusters beyond %f times its rest distance',
    async (outliers) => {
      const material = { ...BAR.material, toughness: 1e3, stiffness: 0, limit: { iterations: 0 } };
      const { world, body } = await worldWith({ ...BAR, material, fracture: { outliers } }, { backend });
      const { mass } = world.measure();
      const count = body.particleCount;
      // Without stiffness nothing draws it back. One of several clusters: its neighbours are where they were.
      const s = world.state.views;
      let i = 0;
      while (s.linkStart[s.rank[i] + 1] - s.linkStart[s.rank[i]] < 2) i++;
      body.positions[4 * i + 1] += 5;
      const copies = run(world, 8).flatMap((event) => Array.from(event.copies));
      expect(world.validate()).toEqual([]);
      expect(Math.abs(world.measure().mass / mass - 1)).toBeLessThan(1e-6);
      expect(body.particleCount > count).toBe(outliers === 2);
      // Every copy is of the one that went, and there are no more than it had clusters.
      for (let k = 0; k < copies.length; k += 2) expect([i, ...copies.filter((_, n) => n % 2)]).toContain(copies[k]);
    },
  );
});

describe.each(BACKENDS)('splinters (%s)', (backend) => {
  it('win no energy out of nothing, unless the rotation of F is asked for', async () => {
    const grown: Record<string, number> = {};
    for (const rotation of [undefined, 'deformation'] as const) {
      const { world, body } = await worldWith(
        {
          shape: { type: 'box', size: [1, 0.7, 0.06] },
          sampling: { count: 1500 },
          clustering: { count: 30 },
          material: { stiffness: 1, damping: 0.3, toughness: 0.02, ...(rotation && { rotation }) },
          contact: { mode: 'none' },
        },
        { backend },
      );
      // Its middle is knocked out of it.
      const [x, v] = [body.positions, body.velocities];
      for (let o = 0; o < v.length; o += 4) if (Math.hypot(x[o], x[o + 1]) < 0.12) v[o + 2] = 6;
      run(world, 30);
      expect(body.pieces.count).toBeGreaterThan(5);
      const before = world.measure().kineticEnergy;
      run(world, 120);
      grown[rotation ?? 'default'] = world.measure().kineticEnergy / before;
    }
    report('energy of splinters after 2 s, as a factor', grown, '');
    expect(grown.default).toBeLessThan(1);
    expect(grown.deformation).toBeGreaterThan(1);
  });
});

describe('random bodies under random blows', () => {
  it('keep mass and momentum through every split, outlier and culling, and all lists stay right', async () => {
    const seed = testSeed('fracture torture');
    const next = random(seed);
    let [splits, copies, strays, culls, debris, most] = [0, 0, 0, 0, 0, 0];
    for (let trial = 0; trial < 12; trial++) {
      const clusters = 4 + Math.floor(20 * next());
      const { world, body } = await worldWith(
        {
          shape: [
            { type: 'sphere', radius: 0.4 } as const,
            { type: 'box', size: [0.8, 0.6, 0.3] } as const,
            { type: 'torus', radius: 0.4, tube: 0.15 } as const,
          ][trial % 3],
          sampling: { count: 300 + Math.floor(300 * next()), seed: 1 + trial },
          clustering: { count: clusters },
          material: {
            mass: 1,
            rotation: 'covariance',
            damping: 0.2 * next(),
            toughness: 0.05 + 0.4 * next(),
            yield: next() < 0.5 ? 0.1 * next() : Number.POSITIVE_INFINITY,
          },
          fracture: {
            delay: next() < 0.5,
            outliers: 0.2 + 1.8 * next(),
            boost: next() < 0.5 ? next() : 0,
            // Of a cluster's share of the body: halves of two trials in three are likely to end.
            minMass: trial % 3 === 0 ? 0 : (0.7 * next()) / clusters,
          },
        },
        { backend: trial % 2 ? 'wasm' : 'ts' },
      );
      const { mass } = world.measure();
      const start = body.particleCount;
      for (let n = 0; n < 40; n++) {
        if (n % 8 === 0) {
          const v = body.velocities;
          // Every particle is thrown outwards, more on one side: the body is torn.
          for (let o = 0; o < v.length; o += 4)
            for (let a = 0; a < 3; a++) v[o + a] += 12 * next() * body.positions[o + a];
        }
        const before = world.measure();
        const count = body.clusterCount;
        world.step();
        expect(world.validate()).toEqual([]);
        const after = world.measure();
        expect(Math.abs(after.mass / mass - 1)).toBeLessThan(1e-6);
        // Rounding of f32 velocities against Σ m |v|.
        const scale = Math.sqrt(2 * before.mass * (before.kineticEnergy + after.kineticEnergy)) + 1e-9;
        for (let a = 0; a < 3; a++) expect(Math.abs(after.momentum[a] - before.momentum[a]) / scale).toBeLessThan(1e-5);
        for (const event of world.drainEvents())
          if (event.type === 'fracture') {
            splits += event.splits.length;
            copies += event.copies.length / 2;
            // Where nothing split, particles are copied because they went astray.
            if (event.splits.length === 0) strays += event.copies.length / 2;
            culls += count + event.splits.length - body.clusterCount;
          }
      }
      debris += body.pieces.ofParticle.filter((p) => p === NO_PIECE).length;
      most = Math.max(most, body.particleCount / start);
      world.dispose();
    }
    report('what happened to the bodies', { splits, copies, strays, culls, debris, growth: most }, '');
    expect(splits).toBeGreaterThan(100);
    expect(copies).toBeGreaterThan(100);
    expect(strays).toBeGreaterThan(0);
    expect(culls).toBeGreaterThan(0);
    expect(debris).toBeGreaterThan(0);
  });
});
