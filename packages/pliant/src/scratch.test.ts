import { expect, it } from 'vitest';
import { Scratch } from './scratch.js';

it('a scratch buffer grows at once, and is released after many uses that need little of it', () => {
  const scratch = new Scratch(Float64Array);
  expect(scratch.take(1_000_000)).toHaveLength(1_000_000);
  const bytes = () => scratch.take(1000).buffer.byteLength;
  expect(bytes()).toBeGreaterThan(8_000_000);
  for (let n = 0; n < 1200; n++) scratch.take(1000);
  expect(bytes()).toBeLessThan(40_000);
  expect(scratch.takeZeros(1000).every((value) => value === 0)).toBe(true);
  // One large use in a while keeps it.
  for (let n = 0; n < 3000; n++) scratch.take(n % 400 === 0 ? 500_000 : 1000);
  expect(bytes()).toBeGreaterThan(4_000_000);
});
