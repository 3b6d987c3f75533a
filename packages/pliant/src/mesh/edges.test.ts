import { describe, expect, it } from 'vitest';
import { buildEdges, endOf, startOf } from './edges.js';
import { icosphere } from './testing/meshes.js';

describe('buildEdges', () => {
  it('finds the edges of a closed mesh, two triangles each', () => {
    const indices = Uint32Array.from(icosphere(2).indices);
    const edges = buildEdges(indices);
    expect(edges.edgeCount).toBe(indices.length / 2);
    expect([...edges.valence].every((v) => v === 2)).toBe(true);
  });

  it('chains all half-edges of an edge, whatever their direction', () => {
    // Three triangles like the pages of a book on the edge 0–1, one wound the other way.
    const indices = Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4);
    const edges = buildEdges(indices);
    expect(edges.edgeCount).toBe(7);
    expect([...edges.valence].sort()).toEqual([1, 1, 1, 1, 1, 1, 3]);
    const spine = edges.edge[0];
    const chain: number[] = [];
    for (let h = edges.first[spine]; h >= 0; h = edges.next[h]) chain.push(h);
    expect(chain.sort()).toEqual([0, 3, 6]);
    for (const h of chain) expect([startOf(indices, h), endOf(indices, h)].sort()).toEqual([0, 1]);
  });
});
