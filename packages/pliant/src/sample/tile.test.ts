import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { buildGrid } from '../spatial/grid.js';
import { nearest } from '../spatial/nearest.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { Work } from '../work.js';
import { blueNoise } from './blueNoise.js';
import { fieldOf } from './field.js';
import { sample } from './sample.js';
import type { Solid } from './solid.js';
import { shape } from './testing/solids.js';
import { hasField, TILE_FROM, tileOf } from './tile.js';

const SEED = testSeed('tile');
const tile = tileOf(SEED);

/** Places of a tile and of the images around it, in cells. */
function withImages(around: number): number[] {
  const points: number[] = [];
  const { side, ofCell, places } = tile;
  for (let cell = 0; cell < ofCell.length; cell++) {
    const n = ofCell[cell];
    if (n === 0) continue;
    const at = [cell % side, Math.floor(cell / side) % side, Math.floor(cell / side / side)].map(
      (c, a) => c + places[3 * n - 3 + a],
    );
    for (let image = 0; image < 27; image++) {
      const p = at.map((c, a) => c + side * ((Math.floor(image / 3 ** a) % 3) - 1));
      if (p.every((c) => c > -around && c < side + around)) points.push(...p);
    }
  }
  return points;
}

/** Distance of a place from the nearest of the points other than itself. */
function gaps(points: ArrayLike<number>, size: number) {
  const grid = buildGrid(points, size);
  return (x: number, y: number, z: number) => {
    const i = nearest(grid, x, y, z, -1);
    return Math.hypot(grid.x[i] - x, grid.y[i] - y, grid.z[i] - z);
  };
}

/** The least distance of two points. */
function closest(points: ArrayLike<number>, spacing: number): number {
  const grid = buildGrid(points, spacing);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < grid.count; i++)
    for (let j = i + 1; j < grid.count; j++) {
      const d = Math.hypot(grid.x[i] - grid.x[j], grid.y[i] - grid.y[j], grid.z[i] - grid.z[j]);
      if (d < least) least = d;
    }
  return least;
}

describe('a tile', () => {
  const spacing = Math.sqrt(3);

  it('continues in itself: no two samples are nearer than a spacing, across its faces too', () => {
    expect(closest(withImages(2), spacing)).toBeGreaterThan(spacing);
  });

  it('has no void, across its faces too', () => {
    const gap = gaps(withImages(3), spacing);
    const next = random(SEED);
    let widest = 0;
    for (let k = 0; k < 20_000; k++)
      widest = Math.max(widest, gap(tile.side * next(), tile.side * next(), tile.side * next()));
    expect(widest).toBeGreaterThan(0.9 * spacing);
    expect(widest).toBeLessThan(1.125 * spacing);
  });

  it('is the same of the plain form, and another for another seed', () => {
    const other = tileOf(SEED + 1);
    expect(other.places).not.toEqual(tile.places);
    expect(withoutKernels(() => tileOf(SEED))).toEqual(tile);
  });
});

const creature = shape({
  type: 'union',
  smooth: 0.1,
  of: [
    { type: 'ellipsoid', radii: [0.5, 0.3, 0.4] },
    { type: 'ellipsoid', radii: [0.1, 0.4, 0.06], position: [0.3, 0.4, 0] },
  ],
});
const difference = shape({
  type: 'difference',
  of: [
    { type: 'box', size: [1, 1, 1] },
    { type: 'sphere', radius: 0.55 },
  ],
});
const SOLIDS: [string, Solid, number][] = [
  ['box', shape({ type: 'box', size: [1, 0.7, 0.5] }), 0.05],
  ['union with fillets', creature, 0.04],
  ['difference', difference, 0.05],
  ['implicit sphere', shape({ type: 'implicit', distance: (x, y, z) => x * x + y * y + z * z - 1, min: [-1, -1, -1], max: [1, 1, 1] }), 0.1],
]; // biome-ignore format: one solid per line

describe.each(SOLIDS)('copies of a tile in a body: %s', (_, solid, spacing) => {
  const field = hasField(solid) ? fieldOf(solid, spacing, new Work()) : undefined;
  const points = blueNoise(solid, spacing, SEED, { tile, field });

  it('the plain form gives the same samples, up to any number', () => {
    for (const enough of [Number.POSITIVE_INFINITY, 100]) {
      const run = () => blueNoise(solid, spacing, SEED, { tile, field, enough });
      expect(run()).toEqual(withoutKernels(run));
    }
    expect(points.length).toBeGreaterThan(300);
  });

  it('all samples are inside and at least a spacing apart', () => {
    let outside = 0;
    for (let i = 0; i < points.length; i += 3) if (!solid.inside(points[i], points[i + 1], points[i + 2])) outside++;
    expect(outside).toBe(0);
    expect(closest(points, spacing)).toBeGreaterThanOrEqual(spacing);
  });

  it('there is no room left: a place inside is at most 1.25 spacings from a sample', () => {
    const gap = gaps(points, spacing);
    const next = random(SEED);
    const { min, max } = solid;
    let widest = 0;
    for (let k = 0; k < 20_000; k++) {
      const [x, y, z] = [0, 1, 2].map((a) => min[a] + next() * (max[a] - min[a]));
      if (solid.inside(x, y, z)) widest = Math.max(widest, gap(x, y, z));
    }
    expect(widest).toBeGreaterThan(0.9 * spacing);
    expect(widest).toBeLessThan(1.25 * spacing);
  });

  it('has as many samples as without, within 6 %', () => {
    const without = blueNoise(solid, spacing, SEED).length;
    expect(Math.abs(points.length - without)).toBeLessThan(0.06 * without);
  });
});

it('large bodies are filled with copies, smaller ones as before', () => {
  const solid = shape({ type: 'sphere', radius: 1 });
  const small = sample(solid, { spacing: 0.09, seed: SEED });
  expect(small.positions).toEqual(blueNoise(solid, 0.09, SEED));
  const large = sample(solid, { spacing: 0.06, seed: SEED });
  expect(large.positions.length / 3).toBeGreaterThan(TILE_FROM);
  expect(large.positions).not.toEqual(blueNoise(solid, 0.06, SEED));
});
