import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { randomPoint } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { ellipsoidDistance } from './ellipsoidDistance.js';
import { ellipsoid } from './primitives.js';

it('is the distance to a sphere when the half axes are equal', () => {
  const next = random(testSeed('ellipsoidDistance'));
  for (let n = 0; n < 200; n++) {
    const p = randomPoint(next, 4);
    expect(ellipsoidDistance(2, 2, 2, ...p)).toBeCloseTo(Math.abs(Math.hypot(...p) - 2), 9);
  }
});

it('is the offset of points moved along the normal, outward and a little inward, in every order of the axes', () => {
  const next = random(testSeed('ellipsoidDistance'));
  const axes = [0.5, 1, 2];
  for (const [i, j, k] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const e = [axes[i], axes[j], axes[k]];
    for (let n = 0; n < 200; n++) {
      const u = randomPoint(next, 1);
      const length = Math.hypot(...u);
      const s = u.map((x, axis) => (e[axis] * x) / length);
      const normal = s.map((x, axis) => x / e[axis] ** 2);
      // Inward up to the smallest radius of curvature, e_min² / e_max, the surface point stays the nearest.
      const offset = n % 2 ? next() * 3 : -next() * (0.25 / 2);
      const p = s.map((x, axis) => x + (offset * normal[axis]) / Math.hypot(...normal));
      expect(ellipsoidDistance(e[0], e[1], e[2], p[0], p[1], p[2])).toBeCloseTo(Math.abs(offset), 9);
    }
  }
});

it('knows the centre and the planes of symmetry', () => {
  expect(ellipsoidDistance(3, 2, 1, 0, 0, 0)).toBeCloseTo(1, 9);
  expect(ellipsoidDistance(1, 2, 3, 0, 0, 3.5)).toBeCloseTo(0.5, 9);
  // On the long axis of an ellipse 2 : 1, at x = 1, the nearest points are (4/3, ±√5/3).
  expect(ellipsoidDistance(2, 1, 10, 1, 0, 0)).toBeCloseTo(Math.hypot(1 / 3, Math.sqrt(5) / 3), 9);
});

it('ends on the surface, at the nearest point of it, for needles and discs too', () => {
  const next = random(testSeed('needles and discs'));
  for (let n = 0; n < 2000; n++) {
    const e = [0, 1, 2].map(() => 10 ** (4 * next() - 2));
    const p = e.map((axis) => axis * (4 * next() - 2)) as [number, number, number];
    const d = ellipsoidDistance(e[0], e[1], e[2], ...p);
    // No point of the surface is nearer: many at random, and those around the best of them.
    let [best, least] = [[0, 0, 0], Number.POSITIVE_INFINITY];
    for (let k = 0; k < 300; k++) {
      const spread = 0.5 ** Math.floor(k / 15);
      const u = k < 30 ? randomPoint(next, 1) : best.map((b) => b + spread * (2 * next() - 1));
      const length = Math.hypot(...u);
      const off = Math.hypot(...u.map((x, a) => (e[a] * x) / length - p[a]));
      if (off < least) [best, least] = [u.map((x) => x / length), off];
    }
    expect(least).toBeGreaterThan(d * (1 - 1e-9) - 1e-12);
  }
});

it('is the distance as far as it is asked for, and beyond never more than it', () => {
  const next = random(testSeed('far ellipsoid'));
  for (let n = 0; n < 500; n++) {
    const radii = [0, 1, 2].map(() => 0.2 + next()) as unknown as [number, number, number];
    const solid = ellipsoid(radii);
    const p = randomPoint(next, 3);
    const [exact, limited] = [solid.signed(...p), solid.signed(...p, 0.1)];
    expect(Math.sign(limited)).toBe(Math.sign(exact));
    if (Math.abs(exact) <= 0.1) expect(limited).toBe(exact);
    else {
      expect(Math.abs(limited)).toBeGreaterThanOrEqual(0.1);
      expect(Math.abs(limited)).toBeLessThanOrEqual(Math.abs(exact) * (1 + 1e-12));
    }
  }
});
