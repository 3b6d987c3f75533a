import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { spacingOfPoints } from './spacing.js';
import { withoutKernels } from './wasm/workspace.js';

/** nx × ny × nz points, 0.1 m apart, turned by a quaternion and far from the origin. */
function lattice(nx: number, ny: number, nz: number, [x, y, z, w]: number[]): Float64Array {
  const points: number[] = [];
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++)
      for (let k = 0; k < nz; k++) {
        const [px, py, pz] = [0.1 * i, 0.1 * j, 0.1 * k];
        // v + 2 q × (q × v + w v), |q| = 1
        const [cx, cy, cz] = [y * pz - z * py + w * px, z * px - x * pz + w * py, x * py - y * px + w * pz];
        points.push(20 + px + 2 * (y * cz - z * cy), py + 2 * (z * cx - x * cz) - 7, pz + 2 * (x * cy - y * cx));
      }
  return Float64Array.from(points);
}

it('is that of a grid, sheet or row, however it is turned, rough or given twice', () => {
  const next = random(testSeed('spacing of points'));
  for (let trial = 0; trial < 20; trial++) {
    const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5].map((v) => v * (trial < 2 ? 1e-3 : 1));
    q[3] += trial < 2 ? 1 : 0;
    const turn = q.map((v) => v / Math.hypot(...q));
    for (const [nx, ny, nz] of [
      [12, 9, 1],
      [20, 1, 1],
      [30, 8, 2],
      [15, 15, 15],
    ]) {
      const points = lattice(nx, ny, nz, turn);
      expect(spacingOfPoints(points)).toBeCloseTo(0.1, 9);
      expect(spacingOfPoints(Float64Array.from([...points, ...points]))).toBeCloseTo(0.1, 9);
      const rough = points.map((v) => v + 2e-3 * (next() - 0.5));
      // Two neighbours come nearer by 2 mm at most.
      expect(spacingOfPoints(rough)).toBeGreaterThan(0.098);
      expect(spacingOfPoints(rough)).toBeLessThan(0.102);
    }
  }
});

it('is 0 where all points are one', () => {
  expect(spacingOfPoints(new Float64Array(30).fill(3))).toBe(0);
  expect(spacingOfPoints(Float64Array.of(1, 2, 3))).toBe(0);
  expect(spacingOfPoints(Float64Array.of(1, 2, 3, 1, 2, 5))).toBe(2);
});

it('is the same in kernels and in the plain form: of a cloud, of pairs, of two far lumps, and at one place', () => {
  const next = random(testSeed('spacing by kernels'));
  const cloud = Float64Array.from({ length: 3 * 1500 }, next);
  const far = cloud.map((value, k) => (k % 2 === 0 ? value : value + 1e4));
  for (const points of [cloud, Float64Array.from([...cloud, ...cloud]), far, new Float64Array(30).fill(0.3)])
    expect(spacingOfPoints(points)).toBe(withoutKernels(() => spacingOfPoints(points)));
});
