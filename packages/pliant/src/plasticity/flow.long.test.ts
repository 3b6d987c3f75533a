import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { determinant } from '../math/mat3.js';
import { random } from '../math/random.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { deform, plasticOf } from './testing/deform.js';

/** 4 × 4 × 4 particles in three clusters: small enough for ten thousand steps. */
const SMALL: BodyOptions = {
  shape: { type: 'box', size: [0.4, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 3, radius: 0.3 },
};

describe.each(BACKENDS)('flow (%s)', (backend) => {
  it.each([0, 1e-4, -0.01])(
    'keeps det F^p = 1 within 1e-4 over ten thousand violent steps, with hardening %d',
    async (hardening) => {
      const next = random(testSeed('violent flow'));
      const material = { yield: 0.05, raw: { flowRate: 2, hardening, damping: 0.1 } };
      const { world, body } = await worldWith({ ...SMALL, material }, { backend });
      const { velocities: v, positions: x } = body;
      const F = new Float64Array(9);
      // The plain kernels take ten times as long.
      const steps = backend === 'wasm' ? 10_000 : 1000;
      // Steps in which any F^p changed, by tenths of the run.
      const flowed = new Array<number>(10).fill(0);
      let [worst, strain] = [0, 0];
      const before = new Float64Array(9 * world.clusterCount);
      for (let n = 0; n < steps; n++) {
        // Drawn out to some three times its length in another direction every four steps, so that it flows anew however hard it has become.
        if (n % 4 === 0) {
          for (let k = 0; k < 9; k++) F[k] = 3 * (next() - 0.5);
          if (determinant(F) < 0) for (let k = 0; k < 9; k++) F[k] *= -1;
          deform(body, F);
        }
        // The size of the body within a step or two.
        for (let o = 0; o < x.length; o += 4) for (let a = 0; a < 3; a++) v[o + a] += 20 * (next() - 0.5);
        const { plastic } = world.state.views;
        before.set(plastic.subarray(0, before.length));
        world.step();
        if (before.some((value, k) => value !== plastic[k])) flowed[Math.floor((10 * n) / steps)]++;
        for (let c = 0; c < world.clusterCount; c++)
          worst = Math.max(worst, Math.abs(determinant(plasticOf(world, c)) - 1));
        strain = Math.max(strain, ...body.plasticStrain);
      }
      const all = flowed.reduce((sum, count) => sum + count);
      report(
        'determinant off by, strain, steps that flowed in all and by tenths',
        { determinant: worst, strain, flowed: all, steps, tenths: flowed },
        '',
      );
      expect(worst).toBeLessThan(1e-4);
      expect(strain).toBeGreaterThan(2);
      // To the end: what hardens needs thirty times its yield by then, and flows in a quarter of the steps.
      expect(all).toBeGreaterThan(0.5 * steps);
      for (const count of flowed) expect(count).toBeGreaterThan(0.015 * steps);
      const hard = material.yield + hardening * Math.min(...world.state.views.hardened.subarray(0, world.clusterCount));
      if (hardening > 0 && backend === 'wasm') expect(hard).toBeGreaterThan(1);
      expect(body.enabled).toBe(true);
      expect(world.positions.every(Number.isFinite)).toBe(true);
    },
  );
});
