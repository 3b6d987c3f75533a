import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { angleOf, solidAngle } from './solidAngle.js';
import { randomPoint } from './testing/meshes.js';

describe('angleOf', () => {
  it('is atan2 to 1e-12', () => {
    for (let n = 0; n <= 3600; n++) {
      const a = -Math.PI + (2 * Math.PI * n) / 3600;
      const r = 10 ** ((n % 13) - 6);
      const [x, y] = [r * Math.cos(a), r * Math.sin(a)];
      expect(Math.abs(angleOf(y, x) - Math.atan2(y, x))).toBeLessThan(1e-12);
    }
  });

  it('knows the axes', () => {
    expect(angleOf(0, 1)).toBe(0);
    expect(angleOf(1, 0)).toBe(Math.PI / 2);
    expect(angleOf(-1, 0)).toBe(-Math.PI / 2);
    expect(angleOf(0, -1)).toBe(Math.PI);
    expect(angleOf(0, 0)).toBe(0);
  });
});

describe('solidAngle', () => {
  it('of an octant is an eighth of the sphere, positive from behind', () => {
    expect(solidAngle(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), 0, 0, 0, 0)).toBeCloseTo(Math.PI / 2, 11);
    expect(solidAngle(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 1, 0), 0, 0, 0, 0)).toBeCloseTo(-Math.PI / 2, 11);
  });

  it('of four random triangles that close a tetrahedron is 4π inside and 0 outside', () => {
    const next = random(testSeed('solidAngle'));
    for (let n = 0; n < 200; n++) {
      const p = [0, 1, 2, 3].map(() => randomPoint(next, 1));
      const total = (x: number, y: number, z: number) =>
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
          .map((face) => solidAngle(Float64Array.from(face.flatMap((v) => p[v])), 0, x, y, z))
          .reduce((a, b) => a + b); // biome-ignore format: faces on one line
      const inner = [0, 1, 2].map((k) => p.reduce((sum, q) => sum + q[k], 0) / 4);
      expect(Math.abs(total(inner[0], inner[1], inner[2]))).toBeCloseTo(4 * Math.PI, 9);
      expect(total(3, 3, 3)).toBeCloseTo(0, 9);
    }
  });
});
