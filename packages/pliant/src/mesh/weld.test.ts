import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { boxMesh, icosphere, torusMesh } from './testing/meshes.js';
import { weld } from './weld.js';

/** The same triangles, each with its own three vertices. */
const soup = ({ positions, indices }: { positions: number[]; indices: number[] }) =>
  indices.flatMap((v) => positions.slice(3 * v, 3 * v + 3));

describe('weld', () => {
  it('makes the 24 vertices of a cube 8, with a map back', () => {
    const cube = boxMesh([1, 1, 1], [0, 0, 0], true);
    const welded = weld(cube);
    expect(welded.positions.length).toBe(3 * 8);
    expect(welded.indices.length).toBe(36);
    expect(welded.vertexMap.length).toBe(24);
    for (let v = 0; v < 24; v++)
      for (let k = 0; k < 3; k++) expect(welded.positions[3 * welded.vertexMap[v] + k]).toBe(cube.positions[3 * v + k]);
    expect([...welded.corners]).toEqual(cube.indices);
    expect([...welded.indices]).toEqual(cube.indices.map((v) => welded.vertexMap[v]));
  });

  it.each([
    ['icosphere', icosphere(3)],
    ['torus', torusMesh(1, 0.3, 40, 20)],
  ])('restores the vertices of an %s from a soup, through noise below the tolerance', (_, mesh) => {
    const next = random(testSeed('weld'));
    const noisy = soup(mesh).map((x) => x + (next() - 0.5) * 1e-7);
    const welded = weld({ positions: noisy });
    expect(welded.positions.length).toBe(mesh.positions.length);
    expect(welded.indices.length).toBe(mesh.indices.length);
  });

  it('does not depend on where the cells of the hash grid lie', () => {
    // Pairs 0.9 tolerances apart, straddling cell borders in every direction.
    for (let n = 0; n < 50; n++) {
      const d = [0.9e-3, -0.9e-3][n % 2];
      const x = n * 0.37e-3;
      const pair = weld({ positions: [0, 0, 0, 1, 0, 0, x, 1, 0, 1, 1, 1, x + d, 1, 0, 0, 1, 1] }, 1e-3);
      expect(pair.positions.length / 3).toBe(5);
      const apart = weld({ positions: [0, 0, 0, 1, 0, 0, x, 1, 0, 1, 1, 1, x + 1.2 * d, 1, 0, 0, 1, 1] }, 1e-3);
      expect(apart.positions.length / 3).toBe(6);
    }
  });

  it('with tolerance 0 merges equal vertices only', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1e-15, 1, 1];
    expect(weld({ positions }, 0).positions.length / 3).toBe(4);
  });

  it('drops triangles with a repeated vertex or without area, and keeps slivers', () => {
    const { indices, corners } = weld({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0, 0, 0.5, 1e-5, 0],
      indices: [0, 1, 1, 0, 3, 1, 0, 1, 2, 0, 1, 4],
    });
    expect([...corners]).toEqual([0, 1, 2, 0, 1, 4]);
    expect([...indices]).toEqual([0, 1, 2, 0, 1, 4]);
  });

  it('refuses a tolerance that is no length', () => {
    expect(() => weld(boxMesh([1, 1, 1]), -1)).toThrow('tolerance is -1; expected a finite number of at least 0.');
  });
});
