import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { prepareBody } from './body.js';
import { cluster } from './cluster.js';
import { samplingParts } from './connect.js';
import { kmeans } from './kmeans.js';
import type { ClusterOptions } from './options.js';
import { darts, gridBox, gridCube, joined, shifted } from './testing/bodies.js';

const SEED = testSeed('fast');
const next = random(SEED);
const BODIES: [string, Float64Array, ClusterOptions][] = [
  ['a cube', gridCube(12), { count: 40, radius: 'even', epsilon: 'even' }],
  ['a large body', gridBox(22, 22, 21, 0.05), { count: 215, radius: 'even', epsilon: 'even' }],
  ['blue noise', darts([1, 0.6, 0.5], 0.075, SEED), { count: 20 }],
  ['a sheet', gridBox(30, 30, 1, 0.1), { count: 30, radius: 'even' }],
  ['two lumps', joined(gridCube(6), shifted(gridCube(7), [4, 0, 0])), { count: 12, seed: SEED }],
  ['one place', new Float64Array(3 * 40).fill(0.3), { count: 1 }],
  ['particles at one place in pairs', joined(gridCube(6), gridCube(6)), { count: 9, radius: 0.6 }],
  ['clusters by k-means', gridCube(10), { count: 25, algorithm: 'kmeans', radius: 0.4 }],
  ['many memberships', gridCube(9), { count: 60, radius: 0.9 }],
];
const massesOf = (points: Float64Array) => Float64Array.from({ length: points.length / 3 }, () => 0.5 + next());

describe('kernels of clustering', () => {
  it.each(BODIES)(
    '%s: clusters, iterations and counted distances are those of the plain forms',
    (_, points, options) => {
      const masses = massesOf(points);
      const fast = cluster(points, masses, options);
      expect(withoutKernels(() => cluster(points, masses, options))).toEqual(fast);
    },
  );

  it.each(BODIES)('%s: the same places and parts', (_, points) => {
    const masses = massesOf(points);
    expect(prepareBody(points, masses)).toEqual(withoutKernels(() => prepareBody(points, masses)));
    expect(samplingParts(points)).toEqual(withoutKernels(() => samplingParts(points)));
  });

  it('k-means: the same where a centre is left without particles, and with a list around each centre that is too long', () => {
    // Particles of two places, and far more centres there than particles: some centres restart.
    const points = joined(gridCube(3, 0.01), shifted(gridCube(3, 0.01), [1, 0, 0]), gridBox(400, 1, 1, 0.0001));
    const { grid, mass, places } = prepareBody(points, massesOf(points));
    for (const k of [3, 40, 300]) {
      const run = () => kmeans(grid, mass, places, k, random(SEED), 60);
      expect(run()).toEqual(withoutKernels(run));
    }
  });
});
