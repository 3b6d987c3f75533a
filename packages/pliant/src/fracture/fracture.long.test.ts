import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { NO_PIECE } from '../topology/pieces.js';
import { run } from './testing/pulled.js';

describe.each(BACKENDS)('splinters (%s)', (backend) => {
  it('win no energy out of nothing, unless the rotation of F is asked for', async () => {
    const grown: Record<string, number> = {};
    for (const rotation of [undefined, 'deformation'] as const) {
      const { world, body } = await worldWith(
        {
          shape: { type: 'box', size: [1, 0.7, 0.06] },
          sampling: { count: 1500 },
          clustering: { count: 30 },
          material: { toughness: 0.02, raw: { stiffness: 1, damping: 0.3, ...(rotation && { rotation }) } },
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

describe('random bodies under random impulses', () => {
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
            toughness: 0.05 + 0.4 * next(),
            yield: next() < 0.5 ? 0.1 * next() : Number.POSITIVE_INFINITY,
            raw: { rotation: 'covariance', damping: 0.2 * next() },
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
