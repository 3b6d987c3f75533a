import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { blueNoise } from './blueNoise.js';
import { blueNoiseByCount } from './blueNoiseByCount.js';
import { meetsCount } from './searchSpacing.js';
import type { ShapeOptions } from './shape.js';
import { leastDistance, Neighbours } from './testing/pairs.js';
import { shape, solids } from './testing/solids.js';
import { volumeOf } from './volumeOf.js';

describe.each(solids)('blueNoise of a %s', (_, solid, spacing) => {
  const seed = testSeed('blueNoise');
  const positions = blueNoise(solid, spacing, seed);
  const count = positions.length / 3;

  it('has no two samples nearer than the spacing', () => {
    expect(leastDistance(positions, spacing)).toBeGreaterThanOrEqual(spacing);
  });

  it('has all samples inside', () => {
    for (let k = 0; k < positions.length; k += 3)
      expect(solid.inside(positions[k], positions[k + 1], positions[k + 2])).toBe(true);
  });

  it('leaves no void: every point inside has a sample within 1.25 spacings', () => {
    const neighbours = new Neighbours(positions, 1.3 * spacing);
    const next = random(seed + 1);
    let within = 0;
    let worst = 0;
    while (within < 4000) {
      const p = [0, 1, 2].map((k) => solid.min[k] + next() * (solid.max[k] - solid.min[k])) as [number, number, number];
      if (!solid.inside(...p)) continue;
      within++;
      worst = Math.max(worst, neighbours.nearest(...p) / spacing);
    }
    expect(worst).toBeLessThan(1.25);
  });

  it('is as dense as a maximal sampling', () => {
    // 0.70 deep inside (random sequential packing saturates at 0.733), and samples on the surface on top of that.
    const density = (count * spacing ** 3) / volumeOf(solid);
    expect(density).toBeGreaterThan(0.69);
    expect(density).toBeLessThan(1.05);
  });

  it('is the same for the same seed and another for another', () => {
    expect(blueNoise(solid, spacing, seed)).toEqual(positions);
    expect(blueNoise(solid, spacing, seed + 1)).not.toEqual(positions);
  });
});

describe('blueNoise', () => {
  it('fills every part of a body that is not connected, down to crumbs', () => {
    const ball = (x: number, radius: number): ShapeOptions => ({ type: 'sphere', radius, position: [x, 0, 0] });
    const solid = shape({ type: 'union', of: [ball(0, 0.5), ball(3, 0.5), ball(6, 0.2), ball(8, 0.04)] });
    const positions = blueNoise(solid, 0.1, 1);
    const at = [0, 0, 0, 0];
    for (let k = 0; k < positions.length; k += 3) at[[0, 3, 6, 8].findIndex((x) => Math.abs(positions[k] - x) < 1)]++;
    expect(at[0]).toBeGreaterThan(350);
    expect(Math.abs(at[1] / at[0] - 1)).toBeLessThan(0.1);
    expect(at[2]).toBeGreaterThan(20);
    expect(at[3]).toBeGreaterThanOrEqual(1);
  });

  it('has no preferred direction', () => {
    const positions = blueNoise(shape({ type: 'sphere', radius: 1 }), 0.06, 3);
    const moments = [0, 0, 0];
    const means = [0, 0, 0];
    const count = positions.length / 3;
    positions.forEach((x, k) => {
      moments[k % 3] += (x * x) / count;
      means[k % 3] += x / count;
    });
    // A unit ball has ⟨x²⟩ = 1/5; samples on the surface raise it by about 4 % here.
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(means[axis])).toBeLessThan(0.01);
      expect(moments[axis] / ((moments[0] + moments[1] + moments[2]) / 3)).toBeCloseTo(1, 1);
    }
  });
});

describe('blueNoiseByCount', () => {
  it.each([1, 2, 3, 5, 10, 50, 300])('finds %i samples', (count) => {
    for (const [, solid] of solids) {
      const { positions, spacing } = blueNoiseByCount(solid, volumeOf(solid), count, 1);
      expect(meetsCount(positions.length / 3, count)).toBe(true);
      if (count > 1) expect(leastDistance(positions, spacing)).toBeGreaterThanOrEqual(spacing);
    }
  });
});
