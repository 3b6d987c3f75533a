import { expect, test } from 'vitest';
import { instantiate } from '../../kernels/wasm/index.js';
import { testSeed } from '../../testing/seed.js';
import { random } from '../random.js';
import { cbrt } from './cbrt.js';

test('the kernels have the same bits, and end for every number', async () => {
  const wasm = await instantiate(new WebAssembly.Memory({ initial: 2 }));
  const next = random(testSeed('cube root in WASM'));
  const extremes = [0, -0, Infinity, -Infinity, Number.NaN, 5e-324, -5e-324, Number.MAX_VALUE];
  const sizes = Array.from({ length: 2000 }, () => (1 + next()) * 2 ** Math.floor(2098 * next() - 1074));
  for (const x of [...extremes, ...sizes, -8]) expect(wasm.cbrt(x), String(x)).toBe(cbrt(x));
});
