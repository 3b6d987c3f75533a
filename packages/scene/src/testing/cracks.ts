import type { Body } from 'pliant';
import { expect } from 'vitest';
import { crackFigures } from '../../../pliant/src/skin/testing/cracks.js';
import { report } from '../../../pliant/src/testing/report.js';

/**
 * Expects smooth cracks in the skin of a broken body: closed, with nothing lost, every piece shown, and at most the share `stretched` of the triangles
 * longer than at rest by more than a spacing.
 */
export function expectSmoothCracks(body: Body, stretched = 0.005): void {
  const skin = body.getSkin();
  skin.update();
  const figures = crackFigures(body as unknown as Parameters<typeof crackFigures>[0]);
  const long = stretchedShare(body);
  report('cracks', { ...figures, stretched: long }, '');
  expect(long).toBeLessThan(stretched);
  const { points, smooth, filled, ...faults } = figures;
  expect(faults).toEqual({ pieces: body.pieces.count, unseen: 0, spanning: 0, open: 0 });
  expect(Math.abs(filled - 1)).toBeLessThan(1e-9);
  expect(points).toBeGreaterThan(50);
  expect(smooth).toBeGreaterThan(0.95);
  expect(skin.groups[1].kind).toBe('inner');
  expect(skin.positions.every(Number.isFinite)).toBe(true);
  expect(skin.rest.length).toBe(skin.positions.length);
}

/** Share of the triangles of a skin of which an edge is longer than at rest by more than the spacing of the particles. */
function stretchedShare(body: Body): number {
  const skin = body.getSkin();
  const { positions: rest } = skin.atRest();
  const { positions, indices } = skin;
  const length = (of: Float32Array, a: number, b: number) =>
    Math.hypot(of[3 * a] - of[3 * b], of[3 * a + 1] - of[3 * b + 1], of[3 * a + 2] - of[3 * b + 2]);
  let count = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = indices.subarray(t, t + 3);
    const gains = [
      [a, b],
      [b, c],
      [c, a],
    ].map(([i, j]) => length(positions, i, j) - length(rest, i, j));
    if (Math.max(...gains) > body.spacing!) count++;
  }
  return (3 * count) / indices.length;
}
