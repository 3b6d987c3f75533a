import { expect, it } from 'vitest';
import { Flag } from '../state/flags.js';
import { spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { resample } from './resample.js';

/** Largest distance of a particle in the middle of a drawn-out bar to its nearest neighbour ahead along x. */
function sparsest(x: Float32Array, within: number): number {
  let worst = 0;
  for (let o = 0; o < x.length; o += 4) {
    if (Math.abs(x[o]) > within) continue;
    let nearest = Number.POSITIVE_INFINITY;
    for (let p = 0; p < x.length; p += 4) {
      const d = [0, 1, 2].map((a) => x[p + a] - x[o + a]);
      const length = Math.hypot(...d);
      if (d[0] > 0.7 * length) nearest = Math.min(nearest, length);
    }
    worst = Math.max(worst, nearest);
  }
  return worst;
}

/** A bar drawn out to three times its length, which has flowed all the way. */
async function drawnOut(options = {}) {
  const { world, body } = await worldWith({
    shape: { type: 'box', size: [1.2, 0.4, 0.4] },
    sampling: { method: 'grid', spacing: 0.1 },
    clustering: { count: 12, radius: 0.3 },
    material: { yield: 0, raw: { rotation: 'covariance', damping: 0.1 } },
    reclustering: { threshold: 100, resample: 1.5 },
    ...options,
  });
  for (let n = 0; n < 60; n++) {
    for (let o = 0; o < body.positions.length; o += 4) {
      body.positions[o] *= 3 ** (1 / 60);
      for (const a of [1, 2]) body.positions[o + a] *= 3 ** (-1 / 120);
      body.velocities.fill(0);
    }
    if (n < 59) {
      Object.assign(body.reclustering, { resample: Number.POSITIVE_INFINITY });
      world.step();
    }
  }
  Object.assign(body.reclustering, { resample: 1.5 });
  return { world, body };
}

it('a bar drawn out three times is sampled as densely as before, and nothing else changes', async () => {
  const { world, body } = await drawnOut();
  for (let o = 0; o < body.positions.length; o += 4) body.velocities[o + 1] = 2 * body.positions[o];
  const [before, spin, scale, count] = [world.measure(), spinOf(world), turmoil(world), body.particleCount];
  const gap = sparsest(body.positions, 1);
  expect(gap).toBeGreaterThan(0.25);
  for (let round = 0; round < 4; round++) {
    resample(world, body);
    expect(world.validate()).toEqual([]);
  }
  report(
    'particles and the widest gap between them, before and after',
    { before: [count, gap], after: [body.particleCount, sparsest(body.positions, 1)] },
    'm',
  );
  // Twice 0.15 m is where it stops to divide them.
  expect(sparsest(body.positions, 1)).toBeLessThan(0.16);
  expect(body.particleCount).toBeLessThan(4 * count);
  const after = world.measure();
  // Halves of f32 masses are exact; their places are rounded.
  expect(after.mass).toBe(before.mass);
  for (let a = 0; a < 3; a++) {
    expect(after.momentum[a]).toBeCloseTo(before.momentum[a], 4);
    expect(after.com[a]).toBeCloseTo(before.com[a], 6);
    expect(Math.abs(spinOf(world)[a] - spin[a])).toBeLessThan(1e-5 * scale);
  }
  // Goals of the halves are where they are: it does not start to move by having been divided.
  body.velocities.fill(0);
  world.step();
  const fastest = Math.max(...body.velocities.map(Math.abs));
  const { world: twin, body: whole } = await drawnOut();
  whole.velocities.fill(0);
  twin.step();
  expect(fastest).toBeLessThan(2 * Math.max(...whole.velocities.map(Math.abs)) + 0.02);
});

it('what is held does not divide, and copies of others are let be by their clamps', async () => {
  const { world, body } = await drawnOut();
  world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0 } });
  const { views } = world.state;
  const held = () =>
    Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => world.state.views.flags[i] & Flag.HELD);
  expect(views.flags.length).toBeGreaterThan(0);
  const before = held().length;
  expect(resample(world, body)).toBeGreaterThan(10);
  expect(held().length).toBe(before);
});

it('does nothing where nothing is drawn out', async () => {
  const { world, body } = await worldWith({
    shape: { type: 'box', size: [1.2, 0.4, 0.4] },
    sampling: { count: 600 },
    material: { yield: 0 },
    reclustering: { threshold: 3, resample: 1.5 },
  });
  for (let n = 0; n < 20; n++) world.step();
  expect(resample(world, body)).toBe(0);
});
