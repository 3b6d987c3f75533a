import { expect, test } from 'vitest';
import { cutAtRandom } from './testing/cuts.js';

test('random planes through the gallery, first quarter of 1000', async () => {
  const seed = Number(process.env['PLIANT_SEED']);
  console.log(`cuts 1: PLIANT_SEED=${seed}`);
  expect(Number.isFinite(seed)).toBe(true);
  await cutAtRandom(0, 4, 250, seed);
}, 120_000);
