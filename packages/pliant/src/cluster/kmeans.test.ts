import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { prepareBody } from './body.js';
import { kmeans } from './kmeans.js';
import { gridCube, unitMasses } from './testing/bodies.js';

const SEED = testSeed('kmeans');

const run = (points: Float64Array, masses: Float64Array, k: number, seed = 1) => {
  const body = prepareBody(points, masses);
  return kmeans(body.grid, body.mass, body.places, k, random(seed), 1000);
};

const nearestCentre = (centre: Float64Array, points: Float64Array, i: number): number => {
  let best = 0;
  const d2 = (c: number) => [0, 1, 2].reduce((sum, a) => sum + (centre[3 * c + a] - points[3 * i + a]) ** 2, 0);
  for (let c = 1; c < centre.length / 3; c++) if (d2(c) < d2(best)) best = c;
  return best;
};

describe('kmeans', () => {
  it('ends where every centre is the centre of mass of the particles nearest to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 100 }), fc.integer({ min: 1, max: 10 }), fc.integer(), (n, k, seed) => {
        // Coordinates in general position: with a tie, "the nearest centre" is not one.
        const next = random(seed);
        const points = Float64Array.from({ length: 3 * n }, () => next());
        const masses = Float64Array.from({ length: points.length / 3 }, (_, i) => 1 + (i % 3));
        const { centre, converged } = run(points, masses, k, seed);
        expect(converged).toBe(true);
        const sum = new Float64Array(4 * k);
        for (let i = 0; i < masses.length; i++) {
          const c = nearestCentre(centre, points, i);
          for (let a = 0; a < 3; a++) sum[4 * c + a] += masses[i] * points[3 * i + a];
          sum[4 * c + 3] += masses[i];
        }
        for (let c = 0; c < k; c++) {
          expect(sum[4 * c + 3], 'no empty cluster').toBeGreaterThan(0);
          for (let a = 0; a < 3; a++) expect(sum[4 * c + a] / sum[4 * c + 3]).toBeCloseTo(centre[3 * c + a], 9);
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('one cluster per place', () => {
    const points = gridCube(3);
    const { centre } = run(points, unitMasses(points), 27);
    const got = Array.from({ length: 27 }, (_, c) => centre.slice(3 * c, 3 * c + 3).join()).sort();
    expect(got).toEqual(Array.from({ length: 27 }, (_, i) => points.slice(3 * i, 3 * i + 3).join()).sort());
  });

  it('needs a few distances per particle and iteration, whatever k is', () => {
    const points = gridCube(24);
    const perParticle = [30, 300, 1500].map((k) => {
      const { evaluations, iterations } = run(points, unitMasses(points), k);
      return evaluations / (iterations * (points.length / 3));
    });
    report('distances per particle and iteration at k = 30, 300, 1500', perParticle, '');
    for (const value of perParticle) expect(value).toBeLessThan(30);
  });
});
