import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { ball, buildGrid, newNeighbourList } from '../spatial/grid.js';
import { testSeed } from '../testing/seed.js';
import { Nearby } from './nearby.js';

it('finds what the grid finds, in its order, while centres drift, leap and ask for more; with fewer distances', () => {
  const next = random(testSeed('nearby'));
  const points = Float64Array.from({ length: 6000 }, () => next());
  const [plain, remembering] = [buildGrid(points, 0.1), buildGrid(points, 0.1)];
  const centre = Float64Array.from({ length: 90 }, () => next());
  const near = new Nearby(remembering, 30, 0.02);
  const [a, b] = [newNeighbourList(4), newNeighbourList(4)];
  for (let round = 0; round < 60; round++) {
    const radius = round < 40 ? 0.15 : 0.16;
    near.refresh(centre, radius);
    for (let c = 0; c < 30; c++) {
      const at = centre.subarray(3 * c, 3 * c + 3);
      const [m, n] = [ball(plain, at[0], at[1], at[2], radius, a, 0), near.ball(c, at[0], at[1], at[2], radius, b, 0)];
      expect(b.index.subarray(0, n)).toEqual(a.index.subarray(0, m));
      expect(b.distance2.subarray(0, n)).toEqual(a.distance2.subarray(0, m));
    }
    for (let k = 0; k < 90; k++) centre[k] += 0.002 * (next() - 0.5);
    // One goes astray by itself, at times many do.
    if (round % 5 === 0) centre[Math.floor(90 * next())] = next();
    if (round % 20 === 19) for (let k = 0; k < 90; k++) centre[k] = next();
  }
  expect(remembering.evaluations).toBeLessThan(0.7 * plain.evaluations);
});
