import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridCube } from '../cluster/testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { ball, buildGrid, newNeighbourList, spacingOf } from './grid.js';
import { nearest, nearestInto } from './nearest.js';

const SEED = testSeed('grid');

const coordinate = fc.oneof(
  fc.double({ min: -3, max: 3, noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constant(0.5),
);
const point = fc.tuple(coordinate, coordinate, coordinate);
const cloud = fc.array(point, { minLength: 1, maxLength: 60 }).map((list) => Float64Array.from(list.flat()));
const size = fc.double({ min: 1e-3, max: 5, noNaN: true });

const distance2 = (points: Float64Array, i: number, [x, y, z]: readonly number[]) => {
  const px = points[3 * i] - x;
  const py = points[3 * i + 1] - y;
  const pz = points[3 * i + 2] - z;
  return px * px + py * py + pz * pz;
};

describe('buildGrid', () => {
  it('holds every point once', () => {
    fc.assert(
      fc.property(cloud, size, (points, edge) => {
        const grid = buildGrid(points, edge);
        expect(Array.from(grid.order).sort((a, b) => a - b)).toEqual(Array.from({ length: grid.count }, (_, i) => i));
        expect(grid.cellStart[grid.cellStart.length - 1]).toBe(grid.count);
        expect(grid.cellStart.length - 1).toBeLessThanOrEqual(Math.max(64, 4 * grid.count));
      }),
      { seed: SEED },
    );
  });

  it('takes points that coincide', () => expect(buildGrid(new Float64Array(12), 0).count).toBe(4));
});

describe('ball', () => {
  it('finds what a search through all points finds', () => {
    fc.assert(
      fc.property(cloud, size, point, fc.double({ min: 0, max: 6, noNaN: true }), (points, edge, at, radius) => {
        const grid = buildGrid(points, edge);
        const list = newNeighbourList(1);
        const end = ball(grid, ...at, radius, list, 0);
        const got = Array.from(list.index.subarray(0, end), (i) => grid.order[i]).sort((a, b) => a - b);
        const all = Array.from({ length: grid.count }, (_, i) => i);
        expect(got).toEqual(all.filter((i) => distance2(points, i, at) <= radius * radius));
        const order = Array.from(list.index.subarray(0, end));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { seed: SEED },
    );
  });

  it('looks at no more than a few times the points it finds', () => {
    const points = gridCube(30);
    const grid = buildGrid(points, 0.2 / 3);
    const list = newNeighbourList(1);
    const end = ball(grid, 0.5, 0.5, 0.5, 0.2, list, 0);
    expect(end).toBeGreaterThan(700);
    expect(grid.evaluations).toBeLessThan(2.5 * end);
  });
});

describe('nearest', () => {
  it('finds what a search through all points finds, with any guess', () => {
    fc.assert(
      fc.property(
        cloud,
        size,
        point,
        fc.nat(),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (points, edge, at, pick, margin) => {
          const grid = buildGrid(points, edge);
          const sorted = Array.from({ length: grid.count }, (_, i) => distance2(points, i, at)).sort((a, b) => a - b);
          for (const guess of [-1, pick % grid.count]) {
            const i = nearest(grid, ...at, guess);
            expect(distance2(points, grid.order[i], at)).toBe(sorted[0]);
            const out = { index: 0, distance: 0, othersBeyond: 0 };
            nearestInto(out, grid, ...at, guess, margin);
            expect(out.distance).toBeCloseTo(Math.sqrt(sorted[0]), 12);
            // No other point is nearer than it says, up to rounding.
            const second = sorted[1] ?? Infinity;
            expect(out.othersBeyond).toBeLessThanOrEqual(Math.sqrt(second) * (1 + 1e-12) + 1e-12);
          }
        },
      ),
      { seed: SEED },
    );
  });
});

describe('spacingOf', () => {
  it('knows solids, sheets and lines', () => {
    expect(spacingOf(gridCube(11))).toBeCloseTo(1 / 11, 12);
    expect(spacingOf(Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]))).toBeCloseTo(0.5, 12);
    expect(spacingOf(Float64Array.from([0, 0, 0, 4, 0, 0]))).toBeCloseTo(2, 12);
    expect(spacingOf(new Float64Array(6))).toBe(0);
  });
});
