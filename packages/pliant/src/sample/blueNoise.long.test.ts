import { expect, it } from 'vitest';
import { blueNoiseByCount } from './blueNoiseByCount.js';
import { meetsCount } from './searchSpacing.js';
import { leastDistance } from './testing/pairs.js';
import { solids } from './testing/solids.js';
import { volumeOf } from './volumeOf.js';

it.each(solids.slice(0, 5))('blueNoiseByCount finds 20 000 samples in a %s', (_, solid) => {
  const { positions, spacing } = blueNoiseByCount(solid, volumeOf(solid), 20_000, 1);
  expect(meetsCount(positions.length / 3, 20_000)).toBe(true);
  expect(leastDistance(positions, spacing)).toBeGreaterThanOrEqual(spacing);
});
