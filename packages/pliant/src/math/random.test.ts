import { describe, expect, it } from 'vitest';
import { random } from './random.js';

describe('random', () => {
  it('repeats for a seed and differs between seeds', () => {
    const a = random(7);
    const b = random(7);
    const c = random(8);
    const first = Array.from({ length: 100 }, a);
    expect(Array.from({ length: 100 }, b)).toEqual(first);
    expect(Array.from({ length: 100 }, c)).not.toEqual(first);
  });

  it('is uniform in [0, 1): mean, variance and ten equal bins', () => {
    const next = random(1);
    const n = 200_000;
    const bins = new Array<number>(10).fill(0);
    let sum = 0;
    let squares = 0;
    for (let k = 0; k < n; k++) {
      const u = next();
      if (!(u >= 0 && u < 1)) throw new Error(`draw ${k} is ${u}`);
      sum += u;
      squares += u * u;
      bins[Math.floor(u * 10)]++;
    }
    expect(sum / n).toBeCloseTo(0.5, 2);
    expect(squares / n - (sum / n) ** 2).toBeCloseTo(1 / 12, 2);
    // 200 000 draws: a bin of 20 000 has a standard deviation of 134; five of those is 670.
    for (const count of bins) expect(Math.abs(count - n / 10)).toBeLessThan(670);
  });
});
