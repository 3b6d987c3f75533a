import { describe, expect, test } from 'vitest';
import { testSeed } from '../../pliant/src/testing/seed.js';
import { bodiesToCut, CUTS, cutAtRandom } from './testing/cuts.js';

const bodies = await bodiesToCut();

test('the gallery has bodies enough for a thousand cuts', () => {
  expect(bodies.length * CUTS).toBeGreaterThanOrEqual(1000);
});

describe(`${CUTS} random planes through a body`, () => {
  const seed = testSeed('cuts');
  test.each(bodies)('of $scene', async ({ options }) => {
    await cutAtRandom(options, seed + bodies.findIndex((body) => body.options === options));
  });
});
