import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { orient } from '../mesh/orient.js';
import { type ShapeOptions, shapeSolid } from '../sample/shape.js';
import type { Solid } from '../sample/solid.js';
import { volumeOf } from '../sample/volumeOf.js';
import { testSeed } from '../testing/seed.js';
import { isosurface } from './isosurface.js';
import { skinOfPoints, skinOfShape } from './source.js';
import { edgeLengths, expectSound } from './testing/sound.js';

const CHEESE: ShapeOptions = {
  type: 'difference',
  of: [
    { type: 'box', size: [1, 0.7, 0.1] },
    { type: 'sphere', radius: 0.12, position: [-0.28, 0.08, 0] },
    { type: 'sphere', radius: 0.13, position: [0.06, -0.05, 0.01] },
    { type: 'cylinder', radius: 0.11, height: 1, position: [0.34, 0.12, -0.01], rotation: [1, 0, 0, 1] },
  ],
};
const DUMBBELL: ShapeOptions = {
  type: 'union',
  smooth: 0.1,
  of: [
    { type: 'sphere', radius: 0.3, position: [-0.5, 0, 0] },
    { type: 'sphere', radius: 0.3, position: [0.5, 0, 0] },
    { type: 'capsule', radius: 0.05, height: 1, rotation: [0, 0, 1, 1] },
  ],
};

describe('a traced surface', () => {
  it('is closed and manifold even of noise, where cells meet in every way', () => {
    const next = random(testSeed('isosurface of noise'));
    for (let round = 0; round < 8; round++) {
      const n = 9;
      const filled = Uint8Array.from({ length: n ** 3 }, () => (next() < 0.15 + 0.1 * round ? 1 : 0));
      const at = (x: number) => Math.floor(x * n);
      const solid: Solid = {
        min: [0, 0, 0],
        max: [1, 1, 1],
        signOnly: true,
        inside: (x, y, z) =>
          Math.min(x, y, z) >= 0 && Math.max(x, y, z) < 1 && filled[at(x) + n * (at(y) + n * at(z))] === 1,
        distance: () => 1,
      };
      const mesh = isosurface(solid, { cell: 1 / n, sharp: false });
      expect(mesh.indices.length).toBeGreaterThan(300);
      expectSound(mesh);
    }
  });

  it.each([
    ['a box with holes', CHEESE, 0.02],
    ['a smooth union', DUMBBELL, 0.05],
    // Its bar is thinner than two cells of a spacing each.
    ['a smooth union of few particles', DUMBBELL, 0.1],
    [
      'what two boxes have in common',
      {
        type: 'intersection',
        of: [
          { type: 'box', size: [1, 1, 1] },
          { type: 'box', size: [0.5, 2, 0.5], rotation: [0, 0, 0.38, 0.92] },
        ],
      } as ShapeOptions,
      0.08,
    ],
    [
      'an implicit function',
      {
        type: 'implicit',
        min: [-1, -1, -1],
        max: [1, 1, 1],
        distance: (x, y, z) => x ** 4 + y ** 4 + z ** 4 - 0.5,
      } as ShapeOptions,
      0.1,
    ],
    // Whose box cuts it off.
    [
      'half a ball',
      {
        type: 'implicit',
        min: [-1, 0, -1],
        max: [1, 1, 1],
        distance: (x, y, z) => Math.hypot(x, y, z) - 0.8,
      } as ShapeOptions,
      0.1,
    ],
  ])('of %s: closed, with its volume', (_, shape, spacing) => {
    const solid = shapeSolid(shape);
    const mesh = skinOfShape(shape, spacing);
    // The volume is known to 0.5 %, what the surface loses in curves is below 2.
    expect(Math.abs(expectSound(mesh) / volumeOf(solid) - 1)).toBeLessThan(0.025);
    // A cell's diagonal and a bit: vertices keep to their cells.
    expect(edgeLengths(mesh)[0]).toBeLessThan(2.9 * spacing);
  });

  it('is closed and finite of a solid whose distances are wrong and whose inside goes beyond its box', () => {
    const endless: Solid = { min: [0, 0, 0], max: [1, 1, 1], inside: () => true, distance: () => 1 };
    const { positions, indices } = isosurface(endless, { cell: 0.3, sharp: true });
    expect(positions.every(Number.isFinite)).toBe(true);
    expectSound({ positions, indices });
  });

  it('has no specks where the parts of a union nearly meet', () => {
    // A bubble smaller than a cell; but a part that is far from the rest stays.
    const shape: ShapeOptions = {
      type: 'difference',
      of: [
        {
          type: 'union',
          of: [
            { type: 'box', size: [1, 1, 1] },
            { type: 'sphere', radius: 0.3, position: [2, 0, 0] },
          ],
        },
        { type: 'box', size: [0.08, 0.08, 0.08], position: [0.1, 0.1, 0.1] },
      ],
    };
    const { indices, positions } = skinOfShape(shape, 0.1);
    const { components } = orient(positions, indices);
    expect(components).toBe(2);
  });

  it('has its vertices on the surface, and where that has an edge on the edge', () => {
    // A notched box: its edges, also the inner one, run between nodes of the grid.
    const shape: ShapeOptions = {
      type: 'difference',
      of: [
        { type: 'box', size: [1, 1, 1] },
        { type: 'box', size: [1, 1, 2], position: [0.5, 0.5, 0] },
      ],
    };
    const solid = shapeSolid(shape);
    const { positions, indices } = isosurface(solid, { cell: 0.083, sharp: true });
    let [onEdge, worst] = [0, 0];
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = positions.subarray(v, v + 3);
      worst = Math.max(worst, solid.distance(x, y, z));
      if (Math.hypot(x, y) < 1e-3 && Math.abs(z) < 0.49) onEdge++;
    }
    expect(worst).toBeLessThan(1e-4);
    // One in every cell along the inner edge.
    expect(onEdge).toBeGreaterThanOrEqual(11);
    expect(expectSound({ positions, indices })).toBeCloseTo(0.75, 4);
  });
});

describe('the skin around points', () => {
  const lattice = ([nx, ny, nz]: Vec3, s: number, turn = 0) => {
    const points: number[] = [];
    for (let i = 0; i < nx; i++)
      for (let j = 0; j < ny; j++)
        for (let k = 0; k < nz; k++)
          points.push(
            s * (Math.cos(turn) * i - Math.sin(turn) * j),
            s * (Math.sin(turn) * i + Math.cos(turn) * j),
            s * k,
          );
    return Float64Array.from(points);
  };

  it.each([
    ['a block', [8, 7, 6], 0.2],
    ['a sheet of one layer', [15, 15, 1], 0.2],
    ['a thread', [20, 1, 1], 0.45],
    ['two particles', [2, 1, 1], 0.7],
  ] as const)('is closed and holds what %s fills', (_, size, rounded) => {
    const s = 0.05;
    const mesh = skinOfPoints(lattice(size, s, 0.3));
    const [nx, ny, nz] = size;
    const share = expectSound(mesh) / (nx * ny * nz * s ** 3);
    // Edges and corners are round: the fewer particles, the more of a cube each would have is missing.
    expect(share).toBeLessThan(1.05);
    expect(share).toBeGreaterThan(1 - rounded);
  });

  it('is as thick as a layer of them, and flat', () => {
    const s = 0.05;
    const { positions } = skinOfPoints(lattice([15, 15, 1], s));
    let worst = 0;
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y] = positions.subarray(v, v + 2);
      if (Math.min(x, y, 14 * s - x, 14 * s - y) < 2 * s) continue;
      worst = Math.max(worst, Math.abs(Math.abs(positions[v + 2]) - s / 2));
    }
    expect(worst).toBeLessThan(0.02 * s);
  });

  it('is there for a single particle, and for several in one place', () => {
    for (const points of [Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3, 1, 2, 3)])
      expect(expectSound(skinOfPoints(points))).toBeGreaterThan(0);
  });
});
