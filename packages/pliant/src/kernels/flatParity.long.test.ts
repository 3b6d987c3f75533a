import { expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { polarInto } from '../math/polar.js';
import { type Random, random } from '../math/random.js';
import { TRANSFORM_ROW } from '../state/fields.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { BACKENDS, Match } from './kernels.js';
import { both, twins } from './testing/twins.js';

type Vector = [number, number, number];

/** Points on a line, or on a plane, that lies anywhere: 20 cm apart, evenly or not. */
function flatPoints(next: Random, isPlane: boolean): number[] {
  const along = [next() - 0.5, next() - 0.5, next() - 0.5];
  const other = [next() - 0.5, next() - 0.5, next() - 0.5];
  const across = [0, 1, 2].map(
    (k) => along[(k + 1) % 3] * other[(k + 2) % 3] - along[(k + 2) % 3] * other[(k + 1) % 3],
  );
  const [l, m] = [along, across].map((v) => 0.2 / Math.hypot(...v));
  const uneven = next() < 0.5 ? 0 : 0.3;
  const points: number[] = [];
  for (let i = 0; i < (isPlane ? 5 : 4 + Math.floor(6 * next())); i++)
    for (let j = 0; j < (isPlane ? 5 : 1); j++) {
      const [p, q] = [l * (i + uneven * next()), m * (isPlane ? j + uneven * next() : 0)];
      for (let a = 0; a < 3; a++) points.push(p * along[a] + q * across[a]);
    }
  return points;
}

function flatBody(next: Random, isPlane: boolean): BodyOptions {
  const one = <T>(...of: readonly T[]): T => of[Math.floor(next() * of.length)];
  return {
    points: flatPoints(next, isPlane),
    angularVelocity: [0, 1, 2].map(() => one(0, 3, -9) * next()) as Vector,
    clustering: one<BodyOptions['clustering']>(
      { count: 1 },
      { radius: 0.5 },
      { algorithm: 'random', kernel: 'box', radius: 0.35, seed: 5 },
    ),
    material: {
      yield: one(Number.POSITIVE_INFINITY, 0.05),
      raw: {
        stiffness: one(0.2, 0.8),
        rotation: one('covariance', 'deformation'),
        limit: one(undefined, { iterations: 0 }),
        dampingMode: one('rigid', 'linear'),
      },
    },
    levels: one(undefined, {}),
  };
}

it.each(['line', 'plane'])('both backends move the particles of a %s alike', async (kind) => {
  const next = random(testSeed(`a ${kind} by both backends`));
  for (let n = 0; n < 60; n++) {
    const options = flatBody(next, kind === 'plane');
    const dt = [1 / 240, 1 / 60, 1 / 10][n % 3];
    // A rod that whirls at a tenth of a second a step goes its own way after some twenty, by rounding alone.
    const steps = [1, 5, dt > 0.05 ? 10 : 50][Math.floor(3 * next())];
    const ends: Float32Array[] = [];
    for (const backend of BACKENDS) {
      const world = await World.create({ backend, dt, gravity: [0, 0, 0] });
      const body = world.addBody(options);
      for (let k = 0; k < steps; k++) world.step();
      ends.push(body.positions.slice());
      world.dispose();
    }
    let most = 0;
    for (let k = 0; k < ends[0].length; k++) most = Math.max(most, Math.abs(ends[0][k] - ends[1][k]));
    // Bodies of 1 m in f32: 1e-7 m a step. The spin about a line that rounding made was worth 1 to 100 mm.
    expect(most).toBeLessThan(5e-5);
  }
});

it('a rod of clusters of three that whirls does so alike', async () => {
  const points = Array.from({ length: 7 }, (_, k) => [0, 0.27 * k, 0]).flat();
  const clustering = { algorithm: 'random', kernel: 'box', radius: 0.3, seed: 5 } as const;
  const ends: Float32Array[] = [];
  for (const backend of BACKENDS) {
    const world = await World.create({ backend, gravity: [0, 0, 0] });
    const body = world.addBody({ points, clustering, angularVelocity: [9, -6, -9] });
    for (let k = 0; k < 5; k++) world.step();
    ends.push(body.positions.slice());
  }
  for (let k = 0; k < ends[0].length; k++) expect(Math.abs(ends[0][k] - ends[1][k])).toBeLessThan(1e-6);
});

/** Points in a box of three widths that lies anywhere. */
function boxPoints(next: Random, count: number, widths: readonly number[]): number[] {
  const axis = new Float64Array(9);
  const skewed = Float64Array.from({ length: 9 }, () => next() - 0.5);
  polarInto(axis, skewed);
  return Array.from({ length: count }, () => {
    const p = widths.map((width) => width * (next() - 0.5));
    return [0, 1, 2].map((a) => axis[a] * p[0] + axis[3 + a] * p[1] + axis[6 + a] * p[2]);
  }).flat();
}

it.each([
  ['plate', Match.COVARIANCE],
  ['plate', 0],
  ['rod', Match.COVARIANCE],
  ['rod', 0],
])('both backends find the same rotation of a thin %s (mode %i), however thin', async (kind, mode) => {
  const next = random(testSeed(`a thin ${kind} ${mode}`));
  for (let n = 0; n < 30; n++) {
    const thin = 10 ** (-4 * next());
    const points = boxPoints(next, 4 + Math.floor(20 * next()), [1, kind === 'plate' ? 0.7 : thin, thin]);
    const pair = await twins({ points, clustering: { count: 1 } });
    both(pair, (w) => w.kernels.matchClusters(0, 1, mode));
    const [ts, wasm] = [pair.ts, pair.wasm].map((w) => w.state.views.transform.subarray(0, TRANSFORM_ROW));
    let most = 0;
    for (let k = 0; k < TRANSFORM_ROW; k++) most = Math.max(most, Math.abs(ts[k] - wasm[k]));
    // With sums in f32 four points 560 times as wide as thick were 1.5e-3 rad apart.
    expect(most).toBeLessThan(2e-5);
    for (const world of [pair.ts, pair.wasm]) world.dispose();
  }
});
