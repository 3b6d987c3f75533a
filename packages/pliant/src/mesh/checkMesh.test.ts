import { describe, expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { boundsOf, checkMesh, diagonalOf } from './checkMesh.js';
import { boxMesh } from './testing/meshes.js';
import { weld } from './weld.js';

const cube = boxMesh([1, 1, 1]);

describe('checkMesh', () => {
  const refusals: [string, () => unknown, string, string][] = [
    [
      'no mesh',
      () => checkMesh('mesh', null as never),
      'mesh',
      'mesh is null; expected an object with positions and indices.',
    ],
    [
      'no vertices',
      () => checkMesh('mesh', { positions: [] }),
      'mesh.positions',
      'mesh.positions is []; expected at least one point.',
    ],
    [
      'half a vertex',
      () => checkMesh('mesh', { positions: [1, 2, 3, 4] }),
      'mesh.positions',
      'mesh.positions has 4 numbers; expected a multiple of 3.',
    ],
    [
      'NaN',
      () => checkMesh('mesh', { ...cube, positions: cube.positions.with(7, Number.NaN) }),
      'mesh.positions[7]',
      'mesh.positions[7] is NaN; expected a finite coordinate.',
    ],
    [
      'no triangles',
      () => checkMesh('mesh', { ...cube, indices: [] }),
      'mesh.indices',
      'mesh.indices is []; expected at least one triangle.',
    ],
    [
      'half a triangle',
      () => checkMesh('mesh', { ...cube, indices: [0, 1, 2, 3] }),
      'mesh.indices',
      'mesh.indices has 4 numbers; expected a multiple of 3.',
    ],
    [
      'index too large',
      () => checkMesh('body.mesh', { ...cube, indices: [0, 1, 2, 3, 8, 5] }),
      'body.mesh.indices[4]',
      'body.mesh.indices[4] is 8 (triangle 1); expected a vertex number from 0 to 7.',
    ],
    [
      'too few uvs',
      () => checkMesh('mesh', { ...cube, uvs: new Array(15).fill(0) }),
      'mesh.uvs',
      'mesh.uvs has 15 numbers; expected 2 for each of 8 vertices or 36 corners.',
    ],
    [
      'a colour that is none',
      () => checkMesh('mesh', { ...cube, colours: new Array(24).fill(1).with(5, Number.NaN) }),
      'mesh.colours[5]',
      'mesh.colours[5] is NaN; expected a finite number.',
    ],
    [
      'negative index',
      () => checkMesh('mesh', { ...cube, indices: [0, -1, 2] }),
      'mesh.indices[1]',
      'mesh.indices[1] is -1 (triangle 0); expected a vertex number from 0 to 7.',
    ],
    [
      'soup with a triangle left open',
      () => checkMesh('mesh', { positions: cube.positions }),
      'mesh.positions',
      'mesh.positions has 8 vertices and there are no indices; expected three vertices per triangle.',
    ],
    [
      'all in one place',
      () => checkMesh('mesh', { positions: [1, 2, 3, 1, 2, 3, 1, 2, 3] }),
      'mesh',
      'mesh has zero extent: all 3 vertices are at (1, 2, 3); expected a surface.',
    ],
    [
      'all on one line',
      () => weld({ positions: [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 5, 5, 5, 5, 5, 5] }),
      'mesh',
      'mesh has 2 triangles and all are degenerate; expected at least one with an area.',
    ],
  ];
  it.each(refusals)('refuses %s', (_, call, path, message) => {
    expect(call).toThrow(message);
    expect(call).toThrow(PliantError);
    try {
      call();
    } catch (error) {
      expect((error as PliantError).path).toBe(path);
      expect((error as PliantError).message).toBe(message);
    }
  });

  it('counts up the indices of a soup', () => {
    expect([...Array.from(checkMesh('mesh', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }))]).toEqual([0, 1, 2]);
  });

  it('measures the box', () => {
    const bounds = boundsOf(boxMesh([1, 2, 2], [5, 0, 0]).positions);
    expect([...bounds]).toEqual([4.5, -1, -1, 5.5, 1, 1]);
    expect(diagonalOf(bounds)).toBe(3);
  });
});
