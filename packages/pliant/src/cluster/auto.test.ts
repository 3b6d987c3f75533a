import { describe, expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { cluster } from './cluster.js';
import type { ClusterOptions } from './options.js';
import { darts, gridBox, gridCube, joined, shifted, unitMasses } from './testing/bodies.js';
import { centreError, expectC4, farthestMember } from './testing/checks.js';

const BODIES: [string, Float64Array, number][] = [
  ['a cube of 1 331', gridCube(11), 25],
  ['blue noise', darts([1, 0.6, 0.5], 0.075, 5), 12],
  ['a thin sheet', gridBox(30, 30, 1, 0.1), 16],
  ['a beam of two layers', gridBox(40, 4, 2, 0.1), 8],
];

/** Whether exactly this count and radius work. */
function works(points: Float64Array, options: ClusterOptions & { count: number; radius: number }): boolean {
  try {
    cluster(points, unitMasses(points), { ...options, maxCount: options.count, maxRadius: options.radius });
    return true;
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    return false;
  }
}

describe('radius: auto', () => {
  it.each(BODIES)('%s: works, and a tenth less does not', (_, points, count) => {
    const found = cluster(points, unitMasses(points), { count });
    expectC4(found, points, unitMasses(points));
    expect(found.count).toBe(count);
    expect(found.report.radiusGrown || found.report.countGrown).toBe(false);
    expect(works(points, { count, radius: found.radius })).toBe(true);
    expect(works(points, { count, radius: 0.9 * found.radius })).toBe(false);
  });

  it.each(BODIES)('%s: every cluster shares four particles with others', (_, points, count) => {
    const { start, particle } = cluster(points, unitMasses(points), { count });
    const owners = new Uint32Array(points.length / 3);
    for (const i of particle) owners[i]++;
    for (let c = 0; c < start.length - 1; c++) {
      const shared = particle.subarray(start[c], start[c + 1]).filter((i) => owners[i] > 1).length;
      expect(shared).toBeGreaterThanOrEqual(4);
    }
  });

  it('is at or below the radii that the authors found for their cubes by hand', () => {
    // nClusters/cubeClusterTest_001, _025, _100: "the minimal neighbor radius that allows convergence".
    for (const [count, radius] of [
      [1, 0.907608],
      [25, 0.342068],
      [100, 0.192846],
    ])
      expect(cluster(gridCube(11), unitMasses(gridCube(11)), { count }).radius).toBeLessThanOrEqual(radius);
  });

  it('one cluster: the distance of the farthest particle from the centre of mass', () => {
    const points = gridCube(5);
    expect(cluster(points, unitMasses(points), { count: 1 }).radius).toBeCloseTo(Math.sqrt(0.75), 6);
  });

  it('ends where every particle is a cluster and only rounding is between them and the centres', () => {
    // 0.7 · x / 0.7 is not quite x: the cover radius was 1e-159, and the grid for it had no end.
    const points = Float64Array.of(0, 1, -1, 0, -3.397450626228866e-143, 0, 2, 0, 1, -1, 2, 0);
    const masses = Float64Array.of(0.7, 1.3, 2.1, 0.9);
    expectC4(cluster(points, masses, { count: 4 }), points, masses);
  });

  it('two lumps need not be joined', () => {
    const lumps = joined(gridCube(5), shifted(gridCube(5), [10, 0, 0]));
    const found = cluster(lumps, unitMasses(lumps), { count: 8 });
    expectC4(found, lumps, unitMasses(lumps));
    expect(found.radius).toBeLessThan(1);
  });

  it('scales with the body', () => {
    const points = gridCube(7);
    // invsq has a length of its own (ε); box has none.
    const radius = (scale: number) =>
      cluster(
        points.map((v) => v * scale),
        unitMasses(points),
        { count: 10, kernel: 'box' },
      ).radius;
    expect(radius(64) / radius(1)).toBeCloseTo(64, 6);
  });

  it('stops at maxRadius with an error that says so', () => {
    const points = gridCube(6);
    const options = { count: 3, maxCount: 3, maxRadius: 0.3 };
    expect(() => cluster(points, unitMasses(points), options)).toThrow(
      /clustering\.radius is "auto"; expected a radius that covers the body: with at most 3 clusters \(maxCount\) of radius 0\.3/,
    );
  });
});

it('a large body with the radius even is divided with less effort, and its members still lie around their centres of mass', () => {
  const points = gridBox(22, 22, 21, 0.05);
  const masses = unitMasses(points);
  const even = { count: 215, radius: 'even', epsilon: 'even' } as const;
  const clustering = cluster(points, masses, even);
  const given = cluster(points, masses, { count: 215, radius: clustering.radius, epsilon: clustering.epsilon });
  expect(clustering.report.iterations).toBeLessThan(given.report.iterations / 2);
  expectC4(clustering, points, masses);
  expect(centreError(clustering, points, masses)).toBeLessThan(1e-9);
  // Of a smaller body members are 0.1 % of the radius farther at most.
  expect(farthestMember(clustering, points)).toBeLessThan(1.021);
  expect(Math.abs(clustering.particle.length - given.particle.length)).toBeLessThan(0.01 * given.particle.length);
});
