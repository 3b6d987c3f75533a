import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { interpolateVertices } from './interpolate.js';
import { buildSurface } from './surface.js';
import { boxMesh, icosphere, randomPoint, reversed } from './testing/meshes.js';

const linear = (x: number, y: number, z: number) => 2 * x - 3 * y + 0.5 * z + 7;
const perVertex = (positions: ArrayLike<number>, f: (x: number, y: number, z: number) => number) =>
  Array.from({ length: positions.length / 3 }, (_, v) =>
    f(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]),
  );

describe('interpolateVertices', () => {
  it.each([
    ['shared vertices', boxMesh([1, 2, 3])],
    ['split vertices', boxMesh([1, 2, 3], [0, 0, 0], true)],
    ['split vertices, inside out', reversed(boxMesh([1, 2, 3], [0, 0, 0], true))],
    ['mixed windings', reversed(boxMesh([1, 2, 3], [0, 0, 0], true), (t) => t % 3 === 0)],
  ])('reproduces a linear function on the faces of a box with %s', (_, mesh) => {
    const surface = buildSurface(mesh);
    const next = random(testSeed('interpolateVertices'));
    const points: number[] = [];
    for (let n = 0; n < 200; n++) {
      const p = randomPoint(next, 0.5).map((x, k) => x * [1, 2, 3][k]);
      p[n % 3] = (n % 2 ? 0.5 : -0.5) * [1, 2, 3][n % 3];
      points.push(...p);
    }
    const expected = perVertex(points, linear);
    const byFile = interpolateVertices({ surface }, perVertex(mesh.positions, linear), points);
    const byWelded = interpolateVertices({ surface }, perVertex(surface.positions, linear), points);
    expected.forEach((value, n) => {
      expect(byFile[n]).toBeCloseTo(value, 10);
      expect(byWelded[n]).toBeCloseTo(value, 10);
    });
  });

  it('takes the value of the nearest surface point, inside and outside', () => {
    const mesh = boxMesh([1, 1, 1]);
    const values = perVertex(mesh.positions, (x) => x);
    const result = interpolateVertices(
      { surface: buildSurface(mesh) },
      values,
      [0.4, 0.1, 0, -0.45, 0, 0.2, 3, 0.3, 0.1],
    );
    expect([...result]).toEqual([0.5, -0.5, 0.5].map((v) => expect.closeTo(v, 12)));
  });

  it('keeps the two sides of a painted seam apart', () => {
    const mesh = boxMesh([1, 1, 1], [0, 0, 0], true);
    const red = mesh.positions.map((_, v) => (v >= 4 && v < 8 ? 1 : 0)).slice(0, 24);
    const result = interpolateVertices({ surface: buildSurface(mesh) }, red, [0.49, 0.45, 0, 0.45, 0.49, 0]);
    expect([...result]).toEqual([1, 0]);
  });

  it('carries colours, component by component', () => {
    const mesh = icosphere(2);
    const colours = perVertex(mesh.positions, (x) => x).flatMap((x, v) => [x, mesh.positions[3 * v + 1], 1]);
    const result = interpolateVertices({ surface: buildSurface(mesh) }, colours, [0.5, 0.2, -0.6], 'colours', 3);
    const length = Math.hypot(0.5, 0.2, 0.6);
    expect(result[0]).toBeCloseTo(0.5 / length, 1);
    expect(result[1]).toBeCloseTo(0.2 / length, 1);
    expect(result[2]).toBeCloseTo(1, 12);
  });

  it('refuses values that do not fit the mesh', () => {
    const surface = buildSurface(boxMesh([1, 1, 1], [0, 0, 0], true));
    const call =
      (values: number[], size = 1) =>
      () =>
        interpolateVertices({ surface }, values, [0, 0, 0], 'mask', size);
    expect(call([1, 2])).toThrow(
      'mask has 2 numbers; expected 1 for each of the 24 vertices (or of the 8 welded ones).',
    );
    expect(call(Array(24).fill(0), 3)).not.toThrow();
    expect(call(Array(24).fill(Number.NaN))).toThrow('mask[0] is NaN; expected a finite number.');
    const shared = buildSurface(boxMesh([1, 1, 1]));
    expect(() => interpolateVertices({ surface: shared }, [1], [0, 0, 0])).toThrow(
      'values has 1 numbers; expected 1 for each of the 8 vertices.',
    );
  });
});
