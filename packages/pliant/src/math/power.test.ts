import { expect, test } from 'vitest';
import { instantiate } from '../kernels/wasm/index.js';
import { testSeed } from '../testing/seed.js';
import { power } from './power.js';
import { random } from './random.js';

test('x^γ is that of Math.pow to 1e-12 over twenty decades, and to rounding near 1', () => {
  const next = random(testSeed('power'));
  for (let n = 0; n < 5000; n++) {
    const [x, gamma] = [10 ** (20 * next() - 10), next()];
    expect(Math.abs(power(x, gamma) / x ** gamma - 1)).toBeLessThan(1e-12);
    const near = 1 + 0.02 * (next() - 0.5);
    expect(Math.abs(power(near, gamma) - near ** gamma)).toBeLessThan(4e-16);
  }
  expect(power(1, 0.3)).toBe(1);
  expect(power(7, 0)).toBe(1);
  expect(power(4, 0.5)).toBeCloseTo(2, 11);
});

test('the kernels have the same bits', async () => {
  const wasm = await instantiate(new WebAssembly.Memory({ initial: 2 }));
  const next = random(testSeed('power in WASM'));
  for (let n = 0; n < 2000; n++) {
    const [x, gamma] = [10 ** (20 * next() - 10), next()];
    expect(wasm.power(x, gamma)).toBe(power(x, gamma));
  }
});
