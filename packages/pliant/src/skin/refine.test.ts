import { describe, expect, it } from 'vitest';
import { boxMesh, icosphere, reversed } from '../mesh/testing/meshes.js';
import { refine } from './refine.js';
import { skinOfMesh } from './source.js';
import { edgeLengths, expectSound } from './testing/sound.js';

const asSkin = ({ positions, indices }: { positions: number[]; indices: number[] }) => ({
  positions: Float64Array.from(positions),
  indices: Uint32Array.from(indices),
});

describe('refine', () => {
  it.each([0.9, 0.4, 0.15])('divides edges down to %s of a metre, closed and the same shape', (longest) => {
    const mesh = refine(asSkin(boxMesh([2, 1, 0.3])), longest, 60_000);
    expect(expectSound(mesh)).toBeCloseTo(0.6, 12);
    expect(edgeLengths(mesh)[0]).toBeLessThanOrEqual(longest);
    // Not in vain: each triangle has an edge that was worth it.
    expect(edgeLengths(mesh)[0]).toBeGreaterThan(longest / 2);
  });

  it('leaves alone what is fine enough, and does not go beyond the most', () => {
    const ball = asSkin(icosphere(3));
    expect(refine(ball, 1, 60_000)).toBe(ball);
    const many = refine(asSkin(boxMesh([1, 1, 1])), 0.001, 5000);
    expect(many.indices.length / 3).toBeLessThanOrEqual(5000);
    expect(many.indices.length / 3).toBeGreaterThan(1000);
  });
});

describe('the skin of a mesh', () => {
  it('has the uvs of its file, by vertex or by corner, also where the file had it inside out', () => {
    for (const mesh of [boxMesh([1, 1, 1], [0, 0, 0], true), reversed(boxMesh([1, 1, 1], [0, 0, 0], true))]) {
      const byVertex = Array.from({ length: mesh.positions.length / 3 }, (_, v) => [
        mesh.positions[3 * v],
        mesh.positions[3 * v + 1] + 2 * mesh.positions[3 * v + 2],
      ]);
      for (const uvs of [byVertex.flat(), mesh.indices.flatMap((v) => byVertex[v])]) {
        // A triangle without area, which welding leaves out, before all others.
        const indices = [0, 0, 1, ...mesh.indices];
        const all = uvs.length === byVertex.flat().length ? uvs : [9, 9, 9, 9, 9, 9, ...uvs];
        const skin = skinOfMesh({ positions: mesh.positions, indices, uvs: all }, 0.3);
        expect(expectSound(skin)).toBeCloseTo(1, 12);
        // These uvs are linear in the place, so halving edges keeps the rule.
        for (let k = 0; k < skin.indices.length; k++) {
          const [x, y, z] = skin.positions.subarray(3 * skin.indices[k], 3 * skin.indices[k] + 3);
          expect(skin.uvs![2 * k]).toBeCloseTo(x, 5);
          expect(skin.uvs![2 * k + 1]).toBeCloseTo(y + 2 * z, 5);
        }
      }
    }
  });
});
