import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { testSeed } from '../testing/seed.js';
import { prepareBody } from './body.js';
import { cluster } from './cluster.js';
import type { ClusterAlgorithm, ClusterOptions } from './options.js';
import { darts, gridBox, gridCube, joined, shifted, unitMasses } from './testing/bodies.js';
import { centreError, expectC4, farthestMember } from './testing/checks.js';
import { KERNELS } from './weightKernel.js';

const SEED = testSeed('cluster');

const ALGORITHMS: ClusterAlgorithm[] = ['random', 'kmeans', 'fuzzy'];
const COMBINATIONS = ALGORITHMS.flatMap((algorithm) => KERNELS.map((kernel) => [algorithm, kernel] as const));
const cube = gridCube(9);
const noise = darts([1, 0.7, 0.5], 0.085, 11);
const unequal = (points: Float64Array) => Float64Array.from({ length: points.length / 3 }, (_, i) => 0.5 + (i % 7));

const refusal = (points: ArrayLike<number>, options: ClusterOptions, masses?: ArrayLike<number>): string => {
  try {
    cluster(points, masses ?? unitMasses(points), options);
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    return (error as PliantError).message;
  }
  return 'accepted';
};

describe.each(COMBINATIONS)('%s with %s', (algorithm, kernel) => {
  it.each([
    ['a cube', cube, 0.36],
    ['blue noise', noise, 0.3],
    ['a cube, automatic radius', cube, 'auto'],
    ['blue noise, automatic radius', noise, 'auto'],
  ] as const)('%s', (_, points, radius) => {
    const masses = unequal(points);
    const options: ClusterOptions = { algorithm, kernel, count: 20, radius, beta: 3, m: 1.8 };
    const clustering = cluster(points, masses, options);
    expectC4(clustering, points, masses);
    expect(clustering.report.algorithm).toBe(algorithm);
    expect(clustering.report.kernel).toBe(kernel);
    expect(farthestMember(clustering, points)).toBeLessThan((1 + clustering.report.slack) * 1.0011);
    if (algorithm === 'fuzzy') expect(centreError(clustering, points, masses)).toBeLessThan(1e-9);
    if (algorithm !== 'random') expect(clustering.count).toBe(20);
  });
});

describe('weights', () => {
  it.each(KERNELS)('%s: random and k-means honour the kernel', (kernel) => {
    for (const algorithm of ['random', 'kmeans'] as const) {
      const { start, particle, weight, centre } = cluster(cube, unitMasses(cube), { algorithm, kernel, count: 20 });
      // Of two clusters that hold a particle, the nearer one has at least the weight of the other.
      const best = new Map<number, { d: number; w: number }>();
      for (let c = 0; c < start.length - 1; c++)
        for (let k = start[c]; k < start[c + 1]; k++) {
          const i = particle[k];
          const d = Math.hypot(...[0, 1, 2].map((a) => cube[3 * i + a] - centre[3 * c + a]));
          const other = best.get(i);
          if (other && Math.abs(other.d - d) > 1e-9) {
            if (kernel === 'box') expect(weight[k]).toBeCloseTo(other.w, 12);
            else expect(Math.sign(weight[k] - other.w)).toBe(Math.sign(other.d - d));
          }
          best.set(i, { d, w: weight[k] });
        }
    }
  });
});

describe('reproducible', () => {
  it('the same seed gives the same bits, another seed another clustering', () => {
    for (const algorithm of ALGORITHMS) {
      const make = (seed: number) => cluster(noise, unitMasses(noise), { algorithm, count: 15, seed });
      expect(make(7)).toEqual(make(7));
      expect(make(7).centre).not.toEqual(make(8).centre);
    }
  });
});

describe('random bodies', () => {
  it('hold C4 for any cloud, count, kernel and algorithm', () => {
    const coordinate = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -2, max: 2 }));
    const cloud = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(
        cloud,
        fc.record({
          algorithm: fc.constantFrom(...ALGORITHMS),
          kernel: fc.constantFrom(...KERNELS),
          radius: fc.oneof(fc.constant('auto' as const), fc.double({ min: 0.2, max: 3, noNaN: true })),
          orphanWeight: fc.constantFrom(0, 1, 20),
          seed: fc.integer(),
        }),
        fc.integer({ min: 1, max: 12 }),
        (list, options, count) => {
          const points = Float64Array.from(list.flat());
          fc.pre(prepareBody(points, unitMasses(points)).places.length >= count);
          expectC4(cluster(points, unequal(points), { ...options, count }), points, unequal(points));
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
  });
});

describe('tiny and degenerate bodies', () => {
  it.each([1, 2, 3, 4])('%i particles, one cluster by default', (n) => {
    const points = Float64Array.from({ length: 3 * n }, (_, k) => (k * 7) % 5);
    const clustering = cluster(points, unitMasses(points));
    expectC4(clustering, points, unitMasses(points));
    expect(clustering.count).toBe(1);
  });

  it('four particles in as many clusters', () => {
    const points = gridBox(2, 2, 1, 1);
    expectC4(cluster(points, unitMasses(points), { count: 4 }), points, unitMasses(points));
  });

  it('particles that coincide are one place', () => {
    const points = new Float64Array(15).fill(2);
    const clustering = cluster(points, unitMasses(points));
    expectC4(clustering, points, unitMasses(points));
    expect(clustering.radius).toBeCloseTo(0.01, 12);
    expect(refusal(points, { count: 2 })).toBe(
      'clustering.count is 2; expected at most 1: the body has particles at 1 different positions.',
    );
  });

  it('a thin sheet and a line', () => {
    for (const points of [gridBox(25, 25, 1, 0.1), gridBox(200, 1, 1, 0.1)])
      expectC4(cluster(points, unitMasses(points), { count: 9 }), points, unitMasses(points));
  });

  it('two lumps: as many parts as the sampling has, or a note', () => {
    const lumps = joined(gridCube(6), shifted(gridCube(6), [4, 0, 0]));
    const apart = cluster(lumps, unitMasses(lumps), { count: 10, radius: 0.8 });
    expectC4(apart, lumps, unitMasses(lumps));
    expect(apart.report.notes.filter((note) => note.includes('separate parts'))).toEqual([]);
    const glued = cluster(lumps, unitMasses(lumps), { count: 1 });
    expect(glued.report.notes).toContain('2 separate parts of the body are held together as 1');
  });
});

describe('growth (C3)', () => {
  it('grows count and radius by 1.25 and says so', () => {
    const { count, radius, report } = cluster(cube, unitMasses(cube), { count: 4, radius: 0.2 });
    const steps = Math.round(Math.log(radius / 0.2) / Math.log(1.25));
    expect(steps).toBeGreaterThan(0);
    expect(radius).toBeCloseTo(0.2 * 1.25 ** steps, 12);
    let grown = 4;
    for (let k = 0; k < steps; k++) grown = Math.ceil(1.25 * grown);
    expect(count).toBe(grown);
    expect(report.countGrown && report.radiusGrown).toBe(true);
    expect(report.notes[0]).toMatch(/^4 clusters of radius 0\.2: \d+ of 729 particles lie outside every cluster$/);
    expect(report.notes.at(-1)).toMatch(/^grew from 4 clusters of 0\.2 to/);
  });

  it('stays within the maxima', () => {
    const kept = cluster(cube, unitMasses(cube), { count: 4, radius: 0.2, maxCount: 4 });
    expect(kept.count).toBe(4);
    expect(kept.report.countGrown).toBe(false);
    const narrow = cluster(cube, unitMasses(cube), { count: 4, radius: 0.2, maxRadius: 0.2 });
    expect(narrow.radius).toBe(0.2);
    expect(narrow.count).toBeGreaterThan(4);
  });

  it('refuses what cannot cover the body, with field, value and limits', () => {
    expect(refusal(cube, { count: 2, radius: 0.1, maxCount: 3, maxRadius: 0.15 })).toMatch(
      /^clustering\.radius is 0\.1; expected a radius that covers the body: with at most 3 clusters \(maxCount\) of radius 0\.15 \(maxRadius\) \d+ of 729 particles lie outside every cluster/,
    );
  });

  it('refuses what cannot connect the body', () => {
    // Every particle can have a cluster of its own, but no two of them share one.
    const line = gridBox(10, 1, 1, 1);
    expect(refusal(line, { count: 10, radius: 0.3, maxRadius: 0.4 })).toMatch(
      /^clustering\.radius is 0\.3; expected a radius that connects the body: .*not connected by overlap/,
    );
    expectC4(cluster(line, unitMasses(line), { count: 10, radius: 0.3 }), line, unitMasses(line));
  });
});

describe('refusals', () => {
  it.each<[ClusterOptions, string]>([
    [{ algorithm: 'magic' as never }, 'clustering.algorithm is "magic"; expected one of "random", "kmeans", "fuzzy"'],
    [{ kernel: 'gauss' as never }, 'clustering.kernel is "gauss"'],
    [{ count: 0 }, 'clustering.count is 0; expected an integer of at least 1'],
    [{ count: 2.5 }, 'clustering.count is 2.5'],
    [{ count: 1000 }, 'clustering.count is 1000; expected at most 729'],
    [{ radius: -1 }, 'clustering.radius is -1; expected a finite number above 0'],
    [{ radius: Number.NaN }, 'clustering.radius is NaN'],
    [{ radius: 1, maxRadius: 0.5 }, 'clustering.maxRadius is 0.5; expected a finite number of at least 1'],
    [{ count: 9, maxCount: 3 }, 'clustering.maxCount is 3; expected an integer of at least 9'],
    [{ m: 1 }, 'clustering.m is 1; expected a finite number above 1'],
    [{ epsilon: 0 }, 'clustering.epsilon is 0; expected a finite number above 0'],
    [{ beta: -1 }, 'clustering.beta is -1'],
    [{ orphanWeight: -1 }, 'clustering.orphanWeight is -1'],
    [{ maxIterations: 0 }, 'clustering.maxIterations is 0'],
    [{ cuont: 3 } as ClusterOptions, 'clustering.cuont is not an option'],
  ])('%o', (options, message) => expect(refusal(cube, options)).toContain(message));

  it('positions and masses', () => {
    expect(refusal([], {})).toContain('expected at least one point');
    expect(refusal([0, 0, Number.NaN], {})).toContain('positions[2] is NaN');
    expect(refusal([0, 0, 0], {}, [])).toContain('masses has 0 numbers; expected 1');
    expect(refusal([0, 0, 0], {}, [0])).toContain('masses[0] is 0; expected a finite number above 0');
  });

  it('names the field that the caller has', () =>
    expect(() => cluster(cube, unitMasses(cube), { count: -1 }, 'bodies[2].clustering')).toThrow(
      'bodies[2].clustering.count is -1',
    ));
});
