import { expect, test } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { zOrder } from './zOrder.js';

test('a Z-order curve holds every point once, and takes short steps', () => {
  const next = random(testSeed('order'));
  const points = Float64Array.from({ length: 3000 }, () => next());
  const order = zOrder(points);
  expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  const way = (at: (n: number) => number) => {
    let sum = 0;
    for (let n = 1; n < 1000; n++)
      sum += Math.hypot(...[0, 1, 2].map((a) => points[3 * at(n) + a] - points[3 * at(n - 1) + a]));
    return sum;
  };
  // Two random points of a cube are 0.66 apart, neighbours of a thousand 0.1.
  expect(way((n) => n)).toBeGreaterThan(600);
  expect(way((n) => order[n])).toBeLessThan(250);
});

test('points in one place keep their order', () => {
  expect(Array.from(zOrder([1, 2, 3, 1, 2, 3, 1, 2, 3]))).toEqual([0, 1, 2]);
});
