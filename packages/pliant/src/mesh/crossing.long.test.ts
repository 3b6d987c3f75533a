import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { firstCrossing, newCrossing } from './crossing.js';
import { buildSurface } from './surface.js';
import { boxMesh, icosphere, randomPoint, torusMesh } from './testing/meshes.js';

describe('the first crossing of a way with a mesh', () => {
  const box = buildSurface(boxMesh([2, 2, 2]));
  const cross = (a: number[], b: number[], surface = box) => {
    const out = newCrossing();
    return firstCrossing(surface.bvh, out, a[0], a[1], a[2], b[0], b[1], b[2]) ? out : undefined;
  };

  it('is the face that is met first, with its outward normal', () => {
    expect(cross([3, 0.2, 0.3], [-3, 0.2, 0.3])).toEqual({ t: expect.closeTo(1 / 3, 12), nx: 1, ny: 0, nz: 0 });
    expect(cross([0, 0.1, 0], [0, -3, 0])).toMatchObject({ nx: 0, ny: -1, nz: 0 });
    expect(cross([3, 0.2, 0.3], [1.01, 0.2, 0.3])).toBeUndefined();
    expect(cross([3, 1.01, 0], [-3, 1.01, 0])).toBeUndefined();
    // From the surface itself, and no way at all.
    expect(cross([1, 0, 0.1], [0, 0, 0.1])?.t).toBe(0);
    expect(cross([1, 0, 0.1], [1, 0, 0.1])).toBeUndefined();
  });

  it('does not slip through an edge or a corner between triangles', () => {
    for (const [y, z] of [
      [0, 0],
      [0.5, 0.5],
      [-0.5, 0.5],
      [1, 1],
      [1, 0],
      [0.3, -0.3],
    ])
      expect(cross([5, y, z], [-5, y, z])?.t).toBeCloseTo(0.4, 9);
  });

  it('is that of testing every triangle, and an even number of crossings means outside', () => {
    const next = random(testSeed('crossing'));
    for (const mesh of [icosphere(3), torusMesh(1, 0.4, 24, 16)]) {
      const surface = buildSurface(mesh);
      const single = Array.from({ length: surface.indices.length / 3 }, (_, t) =>
        buildSurface({ positions: surface.positions, indices: surface.indices.slice(3 * t, 3 * t + 3) }),
      );
      for (let n = 0; n < 100; n++) {
        const [a, b] = [randomPoint(next, 1.6), randomPoint(next, 1.6)];
        const hits = single.map((s) => cross(a, b, s)?.t).filter((t) => t !== undefined);
        const found = cross(a, b, surface);
        if (hits.length === 0) expect(found).toBeUndefined();
        else expect(found?.t).toBeCloseTo(Math.min(...hits), 12);
      }
    }
  });
});
