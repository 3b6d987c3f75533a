import { describe, expect, it } from 'vitest';
import { report } from '../testing/report.js';
import { blueNoise } from './blueNoise.js';
import { blueNoiseByCount } from './blueNoiseByCount.js';
import { meetsCount } from './searchSpacing.js';
import { leastDistance } from './testing/pairs.js';
import { shape, solids } from './testing/solids.js';
import { volumeOf } from './volumeOf.js';

describe('blueNoise', () => {
  it('comes to the same density as the body grows', () => {
    const box = shape({ type: 'box', size: [1, 1, 1] });
    const spacing = 0.025;
    const positions = blueNoise(box, spacing, 1);
    let deep = 0;
    for (let k = 0; k < positions.length; k += 3)
      if (Math.max(...[0, 1, 2].map((axis) => Math.abs(positions[k + axis]))) < 0.4) deep++;
    const density = (deep * spacing ** 3) / 0.8 ** 3;
    report('density deep inside', density, '');
    expect(density).toBeGreaterThan(0.69);
    expect(density).toBeLessThan(0.733);
  });
});

it.each([2000, 20_000])('blueNoiseByCount finds %i samples', (count) => {
  for (const [, solid] of solids.slice(0, count > 2000 ? 5 : 7)) {
    const { positions, spacing } = blueNoiseByCount(solid, volumeOf(solid), count, 1);
    expect(meetsCount(positions.length / 3, count)).toBe(true);
    expect(leastDistance(positions, spacing)).toBeGreaterThanOrEqual(spacing);
  }
});
