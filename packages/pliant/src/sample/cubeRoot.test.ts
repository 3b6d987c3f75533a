import { expect, it } from 'vitest';
import { cubeRoot } from './cubeRoot.js';

it('cubeRoot is the cube root to rounding, at any size', () => {
  for (let n = -300; n <= 300; n++) {
    const x = 10 ** (n / 7) * 1.2345;
    expect(Math.abs(cubeRoot(x) / Math.cbrt(x) - 1)).toBeLessThan(4e-16);
  }
  expect(cubeRoot(27)).toBeCloseTo(3, 15);
  expect(cubeRoot(1)).toBe(1);
});
