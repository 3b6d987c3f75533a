import { expect, test } from 'vitest';
import { testSeed } from '../testing/seed.js';
import { bestTrace } from './bestTrace.js';
import { random } from './random.js';
import { svdInto } from './svd.js';

/** σ₁ + σ₂ ± σ₃ as the decomposition has it. */
function trace(m: number[]): number {
  const s = new Float64Array(3);
  svdInto(new Float64Array(9), s, new Float64Array(9), m);
  return s[0] + s[1] + s[2];
}

test('the largest trace over all rotations is the sum of the singular values, the smallest signed', () => {
  const next = random(testSeed('best trace'));
  for (let n = 0; n < 2000; n++) {
    const m = Array.from(
      { length: 9 },
      (_, k) => 10 ** (2 * next() - 1) * (next() - 0.5) + (n % 2 && k % 4 === 0 ? 1 : 0),
    );
    // Where two singular values nearly vanish the root is nearly double, and good to the root of rounding only.
    expect(Math.abs(bestTrace(m) - trace(m)) / trace(m)).toBeLessThan(1e-7);
  }
});

test('near the identity it is good to rounding, which a small difference to it needs', () => {
  const next = random(testSeed('best trace near I'));
  for (let n = 0; n < 500; n++) {
    const m = Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + 0.1 * (next() - 0.5));
    expect(Math.abs(bestTrace(m) - trace(m))).toBeLessThan(2e-15);
  }
});

test.each([
  [[1, 0, 0, 0, 1, 0, 0, 0, 1], 3],
  [[-1, 0, 0, 0, 1, 0, 0, 0, 1], 1],
  [[-1, 0, 0, 0, -1, 0, 0, 0, -1], 1],
  [[2, 0, 0, 0, 0, 0, 0, 0, 0], 2],
  [[3, 0, 0, 0, 4, 0, 0, 0, 0], 7],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0], 0],
])('%j: %d', (m, t) => {
  // Of an exact mirror image three roots are the same, and rounding leaves its cube root.
  expect(bestTrace(m)).toBeCloseTo(t, 4);
});
