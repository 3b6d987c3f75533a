import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import { KERNELS, type Kernel, poly6Peak, WEIGHT_FLOOR, weigh } from './weightKernel.js';

const SEED = testSeed('kernel');

/** Raw weights of one particle at the given distances from its clusters. */
function raw(kernel: Kernel, distances: number[], h: number, parameters = {}): number[] {
  const weight = Float64Array.from(distances, (d) => d * d);
  const sums = new Float64Array(1);
  const settings = { kernel, beta: 2, epsilon: 1e-4, m: 2, ...parameters };
  weigh(weight, new Uint32Array(distances.length), distances.length, h, settings, sums, new Float64Array(1));
  expect(sums[0]).toBeCloseTo(
    weight.reduce((a, b) => a + b, 0),
    9,
  );
  return Array.from(weight);
}

const normalised = (weights: number[]): number[] => {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
};

describe('kernels ([J15] eqs. 8–12)', () => {
  it('box is 1', () => expect(raw('box', [0, 0.3, 1], 1)).toEqual([1, 1, 1]));

  it('poly6 by hand', () => {
    // h = 2, d = 1: 315 / (64 π 512) · (4 − 1)³
    expect(raw('poly6', [1], 2)[0]).toBeCloseTo((315 / (64 * Math.PI * 512)) * 27, 14);
    expect(raw('poly6', [0], 2)[0]).toBeCloseTo(poly6Peak(2), 14);
    expect(poly6Peak(2)).toBeCloseTo(0.195835, 6);
  });

  it('poly6 integrates to 1 over its ball', () => {
    const h = 0.7;
    let integral = 0;
    const steps = 2000;
    for (let k = 0; k < steps; k++) {
      const d = ((k + 0.5) / steps) * h;
      integral += raw('poly6', [d], h)[0] * 4 * Math.PI * d * d * (h / steps);
    }
    expect(integral).toBeCloseTo(1, 5);
  });

  it('blend is poly6 + β', () =>
    expect(raw('blend', [0.4], 1, { beta: 3 })[0]).toBeCloseTo(raw('poly6', [0.4], 1)[0] + 3, 12));

  it('invsq by hand', () => {
    expect(raw('invsq', [0.1], 1)[0]).toBeCloseTo(1 / 0.0101, 9);
    expect(raw('invsq', [0], 1)[0]).toBeCloseTo(1e4, 6);
  });

  it('fcm by hand: m = 2 gives the exponent 2', () => {
    // eq. 12: 1/(1 + (1/2)²) = 0.8 and 1/((2/1)² + 1) = 0.2
    const [near, far] = normalised(raw('fcm', [1, 2], 3));
    expect(near).toBeCloseTo(0.8, 12);
    expect(far).toBeCloseTo(0.2, 12);
  });

  it('fcm with m = 3 has the exponent 1, not 2/m − 1', () => {
    const [near, far] = normalised(raw('fcm', [1, 3], 4, { m: 3 }));
    expect(near).toBeCloseTo(0.75, 12);
    expect(far).toBeCloseTo(0.25, 12);
  });

  it('fcm at a centre belongs to it alone', () => {
    const weights = normalised(raw('fcm', [0, 0.5, 0.7], 1));
    expect(weights[0]).toBeCloseTo(1, 11);
    expect(normalised(raw('fcm', [0, 0], 1))).toEqual([0.5, 0.5]);
  });

  it('fcm does not overflow for m near 1', () => {
    const weights = normalised(raw('fcm', [1e-8, 0.5, 1], 1, { m: 1.001 }));
    expect(weights[0]).toBeCloseTo(1, 11);
    expect(weights.every((w) => w > 0)).toBe(true);
  });

  it('a member on the border keeps a weight above 0', () => {
    expect(raw('poly6', [1], 1)[0]).toBe(WEIGHT_FLOOR * poly6Peak(1));
    for (const kernel of KERNELS) expect(raw(kernel, [1], 1)[0]).toBeGreaterThan(0);
  });

  it('falls with the distance, is positive and finite', () => {
    const distances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...KERNELS), distances, (kernel, list) => {
        list.sort((a, b) => a - b);
        const weights = raw(kernel, list, 1);
        for (let k = 0; k < weights.length; k++) {
          expect(weights[k]).toBeGreaterThan(0);
          expect(weights[k]).toBeLessThan(Infinity);
          if (k > 0) expect(weights[k]).toBeLessThanOrEqual(weights[k - 1]);
        }
      }),
      { seed: SEED },
    );
  });
});
