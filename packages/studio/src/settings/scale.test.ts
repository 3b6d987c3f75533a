import { expect, it } from 'vitest';
import { scaleFor } from './scale.js';

it('a scale is the next number that reads well, and stays while it fits', () => {
  expect([0.031, 1, 1.01, 72, 99, 1e-4].map((most) => scaleFor(most, undefined))).toEqual([
    0.04, 1, 1.5, 80, 100, 1e-4,
  ]);
  expect(scaleFor(0, 3)).toBeUndefined();
  expect(scaleFor(Number.NaN, undefined)).toBeUndefined();
  expect([1.3, 2.9, 3, 3.01, 1.1].map((most) => scaleFor(most, 3))).toEqual([3, 3, 3, 4, 1.5]);
});
