import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { smoothFaces } from './smoothFaces.js';

it('counts both sides of a face, whether or not they are listed one after the other', () => {
  const next = random(testSeed('smooth faces'));
  // A sheet of 6 by 6 points whose border is fixed. Three faces have one side only.
  const size = 6;
  const grid = (i: number, j: number) => i * size + j;
  const [front, back]: [number[][], number[][]] = [[], []];
  for (let i = 0; i + 1 < size; i++)
    for (let j = 0; j + 1 < size; j++)
      for (const [a, b, c] of [
        [grid(i, j), grid(i + 1, j), grid(i, j + 1)],
        [grid(i + 1, j), grid(i + 1, j + 1), grid(i, j + 1)],
      ]) {
        front.push([a, b, c]);
        // Both orders in which the other side of a face may come.
        back.push(front.length % 2 ? [c, b, a] : [b, a, c]);
      }
  back.splice(-3);
  const isFixed = new Uint8Array(size * size);
  for (let i = 0; i < size; i++) for (const j of [0, size - 1]) isFixed[grid(i, j)] = isFixed[grid(j, i)] = 1;
  const places = Float64Array.from({ length: 3 * size * size }, () => next());
  const smoothed = (triangles: number[][]) => {
    const positions = places.slice();
    const vertex = Uint32Array.from(triangles.flat());
    smoothFaces({ positions, first: 0, isFixed, vertex, start: 0 }, 1, { roughness: 0, grain: 'none' });
    return positions;
  };
  const paired = smoothed([...front.slice(0, -3).flatMap((face, n) => [face, back[n]]), ...front.slice(-3)]);
  const apart = smoothed([...front, ...back]);
  for (let o = 0; o < places.length; o++) expect(paired[o]).toBeCloseTo(apart[o], 12);
  expect(Math.max(...paired.map((x, o) => Math.abs(x - places[o])))).toBeGreaterThan(0.05);
});
