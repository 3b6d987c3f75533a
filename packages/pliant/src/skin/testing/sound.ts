import { expect } from 'vitest';
import { buildEdges } from '../../mesh/edges.js';
import { orient } from '../../mesh/orient.js';
import { signedVolume } from '../../mesh/volume.js';

export interface Triangles {
  positions: Float64Array;
  indices: Uint32Array;
}

/** Expects a surface that contact would take as it is: closed, manifold, wound outwards. Returns its volume. */
export function expectSound({ positions, indices }: Triangles, what = ''): number {
  const { open, nonManifoldEdges, twistedEdges, flipped } = orient(positions, indices);
  expect({ open, nonManifoldEdges, twistedEdges, flipped }, what).toEqual({
    open: false,
    nonManifoldEdges: 0,
    twistedEdges: 0,
    flipped: 0,
  });
  return signedVolume(positions, indices);
}

/** Lengths of the edges, longest first. */
export function edgeLengths({ positions: p, indices }: Triangles): number[] {
  const { first } = buildEdges(indices);
  return Array.from(first, (h) => {
    const [a, b] = [3 * indices[h], 3 * indices[h % 3 === 2 ? h - 2 : h + 1]];
    return Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
  }).sort((a, b) => b - a);
}

/** Turn by 1.1 rad about (1, 2, 3) and shift. */
export function turnAndShift(shift: readonly number[]) {
  const [x, y, z] = [1, 2, 3].map((k) => k / Math.sqrt(14));
  const [c, s] = [Math.cos(1.1), Math.sin(1.1)];
  return (p: ArrayLike<number>) => {
    const dot = (1 - c) * (x * p[0] + y * p[1] + z * p[2]);
    return [
      c * p[0] + s * (y * p[2] - z * p[1]) + dot * x + shift[0],
      c * p[1] + s * (z * p[0] - x * p[2]) + dot * y + shift[1],
      c * p[2] + s * (x * p[1] - y * p[0]) + dot * z + shift[2],
    ];
  };
}
