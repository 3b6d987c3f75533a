import { describe, expect, it } from 'vitest';
import { boxMesh, icosphere, reversed, without } from './testing/meshes.js';
import { signedVolume } from './volume.js';

describe('signedVolume', () => {
  it('of a box is exact, anywhere, and negative inside out', () => {
    for (const centre of [
      [0, 0, 0],
      [1e6, -2e6, 3e6],
    ]) {
      const { positions, indices } = boxMesh([1, 2, 3], centre);
      expect(signedVolume(positions, indices)).toBeCloseTo(6, 8);
      expect(signedVolume(positions, reversed({ positions, indices }).indices)).toBeCloseTo(-6, 8);
    }
  });

  it('of an icosphere comes to the sphere with the square of the edge', () => {
    const error = [1, 2, 3, 4].map((level) => {
      const { positions, indices } = icosphere(level);
      return (4 / 3) * Math.PI - signedVolume(positions, indices);
    });
    for (let k = 1; k < 4; k++) expect(error[k - 1] / error[k]).toBeCloseTo(4, 0);
  });

  it('of a box without its lid has the sign of its winding', () => {
    const { positions, indices } = without(boxMesh([1, 1, 1], [9, 9, 9]), (t) => t < 2);
    expect(signedVolume(positions, indices)).toBeGreaterThan(0.5);
  });
});
