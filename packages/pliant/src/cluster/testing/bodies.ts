import { random } from '../../math/random.js';

/** n³ particles on a grid of spacing 1/(n−1): the unit cube of the papers (n = 11: 1 331). */
export function gridCube(n: number, size = 1): Float64Array {
  return gridBox(n, n, n, size / Math.max(1, n - 1));
}

export function gridBox(nx: number, ny: number, nz: number, spacing: number): Float64Array {
  const points: number[] = [];
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++) for (let k = 0; k < nz; k++) points.push(i * spacing, j * spacing, k * spacing);
  return Float64Array.from(points);
}

/** Darts thrown into a box until 200 in a row have missed; least distance r. A slow blue noise. */
export function darts(size: readonly [number, number, number], r: number, seed: number): Float64Array {
  const next = random(seed);
  const points: number[] = [];
  for (let misses = 0; misses < 200; ) {
    const p = size.map((s) => s * next());
    let free = true;
    for (let k = 0; k < points.length && free; k += 3)
      free = (points[k] - p[0]) ** 2 + (points[k + 1] - p[1]) ** 2 + (points[k + 2] - p[2]) ** 2 >= r * r;
    if (free) points.push(...p);
    misses = free ? 0 : misses + 1;
  }
  return Float64Array.from(points);
}

export const shifted = (points: Float64Array, by: readonly [number, number, number]): Float64Array =>
  points.map((v, k) => v + by[k % 3]);

export const joined = (...bodies: Float64Array[]): Float64Array => Float64Array.from(bodies.flatMap((b) => [...b]));

export const unitMasses = (points: ArrayLike<number>): Float64Array => new Float64Array(points.length / 3).fill(1);
