import { expect, it } from 'vitest';
import { instantiate } from '../kernels/wasm/index.js';
import { cubeRoot } from './cubeRoot.js';

it('cubeRoot is the cube root to rounding, at any size', () => {
  for (let n = -300; n <= 300; n++) {
    const x = 10 ** (n / 7) * 1.2345;
    expect(Math.abs(cubeRoot(x) / Math.cbrt(x) - 1)).toBeLessThan(4e-16);
  }
  expect(cubeRoot(27)).toBeCloseTo(3, 15);
  expect(cubeRoot(1)).toBe(1);
});

// These did not end.
const ENDS = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 5e-324, -5e-324];

it('cubeRoot ends for every number, with the bits of Math.cbrt where they are exact', () => {
  for (const x of ENDS.slice(0, 5)) expect(cubeRoot(x)).toBe(Math.cbrt(x));
  expect(cubeRoot(5e-324) / Math.cbrt(5e-324)).toBeCloseTo(1, 15);
  expect(cubeRoot(-8)).toBe(-cubeRoot(8));
});

it('the kernels have the same bits', async () => {
  const wasm = await instantiate(new WebAssembly.Memory({ initial: 2 }));
  for (const x of [...ENDS, -8, 1e-30, 0.3, 2, 1e200]) expect(wasm.cubeRoot(x)).toBe(cubeRoot(x));
});
