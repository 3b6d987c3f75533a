import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { refusal } from '../testing/refusal.js';
import { type ShapeOptions, sample, shapeSolid } from './index.js';
import { meshSheet } from './sheetSolid.js';

const SHEET: ShapeOptions = { type: 'sheet', size: [1, 0.6], thickness: 0.01 };
const CORD: ShapeOptions = { type: 'cord', path: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], radius: 0.02 }; // biome-ignore format: a line
const points = ({ positions: p }: { positions: Float64Array }): Vec3[] =>
  Array.from({ length: p.length / 3 }, (_, i) => [p[3 * i], p[3 * i + 1], p[3 * i + 2]]);

/** Half a pipe of radius 0.5 and length 1, as an open mesh. */
function halfPipe(): { positions: number[]; indices: number[] } {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (let i = 0; i <= 24; i++)
    for (let j = 0; j <= 12; j++)
      positions.push(0.5 * Math.cos((Math.PI * i) / 24), 0.5 * Math.sin((Math.PI * i) / 24), j / 12);
  for (let i = 0; i < 24; i++)
    for (let j = 0; j < 12; j++) {
      const k = 13 * i + j;
      indices.push(k, k + 13, k + 1, k + 1, k + 13, k + 14);
    }
  return { positions, indices };
}

function leastDistance(list: Vec3[]): number {
  let least = Number.POSITIVE_INFINITY;
  list.forEach((a, i) => {
    for (const b of list.slice(0, i)) least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  });
  return least;
}

/** Largest distance from places of a sheet to the nearest particle. */
const largestGap = (list: Vec3[], places: Vec3[]) =>
  Math.max(...places.map((q) => Math.min(...list.map((p) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])))));

describe('a sheet', () => {
  it('has one layer of particles, a spacing apart, that leaves no room, with its corners', () => {
    const found = sample(shapeSolid(SHEET), { spacing: 0.05 });
    const list = points(found);
    expect(found.volume).toBeCloseTo(0.006, 12);
    expect(list.every(([, y]) => y === 0)).toBe(true);
    expect(leastDistance(list)).toBeGreaterThan(0.0499);
    const places = list.flatMap((_, k) =>
      k < 400 ? [[(k % 20) / 19 - 0.5, 0, Math.floor(k / 20) / 33 - 0.3] as Vec3] : [],
    );
    expect(largestGap(list, places)).toBeLessThan(0.055);
    for (const [x, z] of [[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]) // biome-ignore format: a line
      expect(list.some((p) => Math.hypot(p[0] - x, p[2] - z) < 1e-9)).toBe(true);
  });

  it('has the count that was asked for, and shares of volume that sum up to the whole', () => {
    for (const count of [5, 50, 500]) {
      const { positions, shares } = sample(shapeSolid(SHEET), { count });
      expect(Math.abs(positions.length / 3 - count)).toBeLessThanOrEqual(Math.max(1, 0.02 * count));
      if (count > 5) expect(shares!.reduce((a, b) => a + b) / count).toBeCloseTo(1, 1);
    }
  });

  it('as a grid has rows from hem to hem', () => {
    const list = points(sample(shapeSolid(SHEET), { spacing: 0.1, method: 'grid' }));
    expect(list).toHaveLength(11 * 7);
    expect(new Set(list.map(([x]) => x.toFixed(6))).size).toBe(11);
  });

  it('is filled like any body where particles are nearer than it is thick', () => {
    const found = sample(shapeSolid({ type: 'sheet', size: [0.4, 0.3], thickness: 0.1 }), { spacing: 0.04 });
    expect(found.shares).toBeUndefined();
    expect(new Set(points(found).map(([, y]) => y)).size).toBeGreaterThan(10);
  });

  it('is turned and moved with its shape', () => {
    const shape: ShapeOptions = { ...SHEET, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], position: [3, 0, 0] };
    for (const [x, y, z] of points(sample(shapeSolid(shape), { spacing: 0.1 }))) {
      expect(x).toBeCloseTo(3, 9);
      expect(Math.abs(y)).toBeLessThanOrEqual(0.5 + 1e-9);
      expect(Math.abs(z)).toBeLessThanOrEqual(0.3 + 1e-9);
    }
  });

  it('of an open mesh lies on the mesh and has its area times its thickness', () => {
    const found = sample(meshSheet(halfPipe(), 0.01, 'mesh', 'thickness'), { spacing: 0.06 });
    expect(found.volume).toBeCloseTo(0.01 * Math.PI * 0.5, 4);
    const list = points(found);
    for (const [x, y] of list) expect(Math.hypot(x, y)).toBeGreaterThan(0.495);
    expect(leastDistance(list)).toBeGreaterThan(0.0599);
    expect(list.length).toBeGreaterThan(300);
  });
});

it('a spacing beyond the length of a cord or the diagonal of a sheet is that length', () => {
  for (const method of ['grid', 'blue-noise'] as const) {
    expect(sample(shapeSolid(CORD), { spacing: 1e9, method }).spacing).toBeCloseTo(2, 9);
    expect(sample(shapeSolid(SHEET), { spacing: 1e9, method }).spacing).toBeCloseTo(Math.hypot(1, 0.6), 9);
    expect(sample(shapeSolid(SHEET), { count: 1, method }).spacing).toBeLessThanOrEqual(
      Math.hypot(1, 0.6) * (1 + 1e-9),
    );
  }
});

describe('a cord', () => {
  it('has sections of three particles along its line, whose mean square distance from it is that of a disc', () => {
    const list = points(sample(shapeSolid(CORD), { spacing: 0.05 }));
    expect(list).toHaveLength(3 * 41);
    for (let n = 0; n < 41; n++) {
      const section = list.slice(3 * n, 3 * n + 3);
      const middle = [0, 1, 2].map((a) => section.reduce((sum, p) => sum + p[a] / 3, 0));
      const expected = n <= 20 ? [n / 20, 0, 0] : [1, n / 20 - 1, 0];
      middle.forEach((c, a) => {
        expect(c).toBeCloseTo(expected[a], 6);
      });
      for (const p of section)
        expect(Math.hypot(...p.map((c, a) => c - middle[a]))).toBeCloseTo(0.02 * Math.SQRT1_2, 9);
    }
  });

  it('has a count, and is filled where particles are nearer than its radius', () => {
    expect(points(sample(shapeSolid(CORD), { count: 100 })).length).toBe(99);
    const thick = shapeSolid({ type: 'cord', path: [[0, 0, 0], [0, 1, 0]], radius: 0.2 }); // biome-ignore format: a line
    expect(sample(thick, { spacing: 0.1 }).shares).toBeUndefined();
  });

  it('is filled where fewer particles are wanted than two sections have', () => {
    for (const count of [1, 2, 3, 4]) {
      const found = sample(shapeSolid(CORD), { count });
      expect(found.shares).toBeUndefined();
      expect(Math.abs(found.positions.length / 3 - count)).toBeLessThanOrEqual(1);
      expect(found.spacing).toBeLessThan(4);
    }
  });
});

it('bad sheets and cords are refused with path, value and what was expected', () => {
  const solid = (shape: unknown) => refusal(() => shapeSolid(shape as ShapeOptions));
  expect(solid({ ...SHEET, size: [1] })).toBe('shape.size is [1]; expected two numbers above 0.');
  expect(solid({ ...SHEET, size: [1, -1] })).toBe('shape.size is [1, -1]; expected two numbers above 0.');
  expect(solid({ ...SHEET, size: [1, '3'] })).toMatch(/^shape\.size is .*; expected two numbers above 0\.$/);
  expect(solid({ ...SHEET, size: [1, 3n] })).toMatch(/^shape\.size is .*; expected two numbers above 0\.$/);
  expect(solid({ ...SHEET, thickness: 0 })).toMatch(/^shape\.thickness is 0; expected a finite number above 0/);
  expect(solid({ ...CORD, path: [[0, 0, 0]] })).toMatch(/^shape\.path is .*; expected a list of two or more points/);
  expect(solid({ ...CORD, path: [[0, 0, 0], [0, 0, 0]] })).toMatch(/^shape\.path\[1\] is .*another point/); // biome-ignore format: a line
  expect(solid({ ...CORD, path: [[0, 0, 0], [0, 'x', 0]] })).toMatch(/^shape\.path\[1\]/); // biome-ignore format: a line
  expect(solid({ ...CORD, radius: Number.NaN })).toMatch(/^shape\.radius is NaN/);
  expect(
    refusal(() => sample(meshSheet(halfPipe(), 0.01, 'mesh', 'thickness'), { spacing: 0.1, method: 'grid' })),
  ).toBe('sampling.method is "grid"; expected \'blue-noise\' for a sheet made of a mesh.');
  expect(refusal(() => sample(shapeSolid({ ...SHEET, thickness: 1e-6 } as ShapeOptions), { spacing: 1e-5 }))).toMatch(
    /^sampling\.spacing gives .* particles; expected at most/,
  );
});
