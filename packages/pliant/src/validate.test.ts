import { describe, expect, it } from 'vitest';
import { random } from './math/random.js';
import { linkOf } from './state/members.js';
import { BLOCK, worldWith } from './testing/bodies.js';
import { testSeed } from './testing/seed.js';
import { TopologyDraft } from './topology/topologyDraft.js';
import { writeDraft } from './topology/writeDraft.js';
import { World } from './world.js';

describe('validate', () => {
  it('reports particles in no cluster, unless their body has broken', async () => {
    const { world, body } = await worldWith(BLOCK);
    expect(world.validate()).toEqual([]);
    const draft = new TopologyDraft();
    draft.begin(world.state.views, body.rows);
    for (const c of [2, 3, 4]) draft.dropCluster(c);
    writeDraft(world, body, draft);
    const { linkStart, gatherOrder } = world.state.views;
    const alone = Array.from(gatherOrder.slice(0, body.particleCount)).filter(
      (_, n) => linkStart[n] === linkStart[n + 1],
    );
    expect(alone.length).toBeGreaterThan(0);
    expect(world.validate()).toEqual(
      alone.map((i) => `particle ${i} is in no cluster, and body ${body.name} never broke`),
    );
    body.core.history.noteBreak();
    expect(world.validate()).toEqual([]);
  });

  it('reports a body that has come apart, unless it has broken', async () => {
    const points = Array.from({ length: 10 }, (_, i) => [0.1 * i, 0.1 * (i % 2), 0.1 * (i % 3)]).flat();
    const held = (...members: number[]) => ({ members });
    // The middle one holds nothing that another does not hold, but holds these together.
    const clusters = [held(0, 1, 2, 3, 4), held(3, 4, 5, 6), held(5, 6, 7, 8, 9)];
    const { world, body } = await worldWith({ points, clusters });
    expect(world.validate()).toEqual([]);
    const draft = new TopologyDraft();
    draft.begin(world.state.views, body.rows);
    draft.dropCluster(1);
    writeDraft(world, body, draft);
    expect(world.validate()).toEqual([`body ${body.name} is in 2 pieces, was built in 1, and never broke`]);
    body.core.history.noteBreak();
    expect(world.validate()).toEqual([]);
  });

  it('reports rest offsets that are about another point than the centre of mass', async () => {
    const { world } = await worldWith(BLOCK);
    const s = world.state.views;
    const c = 3;
    const shift = (by: number) => {
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
        s.member[4 * k + 1] += by;
        s.link[4 * linkOf(s, s.memberParticle[k], c) + 1] = s.member[4 * k + 1];
      }
    };
    shift(1e-5 * s.width[c]);
    expect(world.validate()).toEqual([`cluster ${c} is not about its centre`]);
    shift(-1e-5 * s.width[c]);
    expect(world.validate()).toEqual([]);
  });

  it('finds no fault with bodies of one particle or of several at one place, wherever they are', async () => {
    const next = random(testSeed('coincident particles'));
    for (let n = 0; n < 60; n++) {
      const far = 10 ** Math.floor(8 * next() - 3);
      const place = () => [far * next(), far * next(), far * next()] as const;
      const points = Array.from({ length: 1 + (n % 7) }, () => place());
      const { world } = await worldWith(
        { points: points.flatMap(() => points[0]), position: place() },
        { backend: 'ts' },
      );
      expect(world.validate()).toEqual([]);
      world.dispose();
    }
  });

  it('finds no fault with coarse clusters that cuts left one particle', async () => {
    const clustering = { count: 40 };
    const { world, body } = await worldWith({
      ...BLOCK,
      clustering,
      position: [0.37, 0.11, 0.23],
      levels: {},
      material: { raw: {} },
    });
    for (const x of [1, -1])
      for (const y of [1, -1])
        for (const z of [1, -1]) {
          // Halfway from the particle in a corner to the planes through the next ones.
          const point = [0.37 + 0.35 * x, 0.11 + 0.35 * y, 0.23 + 0.3 * z] as const;
          const { bodies } = world.cut(body, { point, normal: [x, y, z] });
          expect(bodies.map((b) => b.particleCount).at(-1)).toBe(1);
          expect(world.validate()).toEqual([]);
        }
  });
});

it('has no alarm where weights have faded below the smallest numbers that f32 tells apart (fuzz, seed 123001)', async () => {
  const world = await World.create({ dt: 0.1, substeps: 3 });
  world.addBody({
    clustering: { kernel: 'fcm', seed: 3 },
    reclustering: { threshold: 3, iterations: 1, every: 0.07, resample: 1 },
    scale: [1.3, 0.708, 0.501],
    rotation: [0, 0.406, 0.879, 0.985],
    angularVelocity: [0, -5, -1],
    stretch: [2.6, 1.3, 1],
    sampling: { count: 28, shell: 0.197 },
    shape: { type: 'difference', of: [{ type: 'ellipsoid', radii: [1, 0.279, 0.425] }] },
    material: { young: 1600, yield: 0 },
  });
  let least = 1;
  for (let n = 0; n < 60; n++) {
    world.step();
    const { link } = world.state.views;
    for (let k = 3; k < link.length; k += 4) if (link[k] > 0 && link[k] < least) least = link[k];
    expect(world.validate()).toEqual([]);
  }
  expect(least).toBeLessThan(1e-38);
});
