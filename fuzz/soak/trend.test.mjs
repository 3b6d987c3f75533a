import { describe, expect, it } from 'vitest';
import { Random } from '../core/random.mjs';
import { grows, median } from './trend.mjs';

describe('a trend', () => {
  it('is seen through scatter, and not in scatter alone', () => {
    let [rising, flat] = [0, 0];
    for (let n = 0; n < 200; n++) {
      const random = new Random('trend', n);
      const noise = Array.from({ length: 30 }, () => random.number(-5, 5));
      if (grows(noise.map((x, k) => 100 + 0.5 * k + x))) rising++;
      if (grows(noise)) flat++;
    }
    expect(rising).toBeGreaterThan(190);
    expect(flat).toBeLessThan(10);
  });

  it('has a middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});
