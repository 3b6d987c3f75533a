import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
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

  it('has the same budget in a step of several substeps', async () => {
    const splitsIn = async (substeps: number, budget: number) => {
      const { world, body } = await worldWith({ ...BAR, fracture: { budget } }, { backend, substeps });
      const x = body.positions;
      for (let o = 0; o < x.length; o += 4) x[o] *= 1.8;
      return run(world, 1).reduce((sum, { splits }) => sum + splits.length, 0);
    };
    const [one, four, free] = [await splitsIn(1, 200), await splitsIn(4, 200), await splitsIn(4, 50_000)];
    // A split that was begun is finished: up to one more in each substep.
    expect(four).toBeLessThanOrEqual(one + 4);
    expect(free).toBeGreaterThan(one + 4);
  });
});

describe.each(BACKENDS)('a particle that has gone astray (%s)', (backend) => {
  it.each([2, Number.POSITIVE_INFINITY])(
    'leaves its other clusters beyond %f times its rest distance',
    async (outliers) => {
      const material = {
        ...BAR.material,
        toughness: 1e3,
        raw: { ...BAR.material?.raw, stiffness: 0, limit: { iterations: 0 } },
      };
      const { world, body } = await worldWith({ ...BAR, material, fracture: { outliers } }, { backend });
      const { mass } = world.measure();
      const count = body.particleCount;
      // Without stiffness nothing draws it back. One of several clusters: its neighbours are where they were.
      const s = world.state.views;
      let i = 0;
      while (s.linkStart[s.gatherRank[i] + 1] - s.linkStart[s.gatherRank[i]] < 2) i++;
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
