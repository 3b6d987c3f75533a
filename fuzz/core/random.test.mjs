import { describe, expect, it } from 'vitest';
import { Random } from './random.mjs';

describe('random numbers of a fuzzer', () => {
  it('repeat with their seed and differ with any part of it', () => {
    const draw = (...parts) => {
      const random = new Random(...parts);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw('worlds', 7, 1)).toEqual(draw('worlds', '7', '1'));
    const others = [draw('worlds', 7, 2), draw('worlds', 8, 1), draw('files', 7, 1), draw('worlds', 71, '')];
    for (const other of others) expect(other).not.toEqual(draw('worlds', 7, 1));
  });

  it('are spread evenly', () => {
    const random = new Random('spread');
    const boxes = new Array(10).fill(0);
    for (let k = 0; k < 10_000; k++) boxes[Math.floor(10 * random.next())]++;
    // 1000 are expected in each; five standard deviations are 150.
    for (const count of boxes) expect(Math.abs(count - 1000)).toBeLessThan(150);
    const picks = new Set(Array.from({ length: 200 }, () => random.integer(-1, 2)));
    expect([...picks].sort()).toEqual([-1, 0, 1, 2]);
  });
});
