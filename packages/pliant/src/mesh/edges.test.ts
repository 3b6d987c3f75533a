import { describe, expect, it } from 'vitest';
import { buildEdges, endOf, pairHalfEdges, startOf } from './edges.js';
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

describe('pairHalfEdges', () => {
  it('finds the other half of every edge of a closed mesh', () => {
    const indices = Uint32Array.from(icosphere(2).indices);
    const twin = new Int32Array(indices.length);
    pairHalfEdges(twin, indices);
    for (let h = 0; h < twin.length; h++) {
      expect(twin[twin[h]]).toBe(h);
      expect([startOf(indices, twin[h]), endOf(indices, twin[h])]).toEqual([endOf(indices, h), startOf(indices, h)]);
    }
  });

  it('leaves those alone that are at a border, or more than two', () => {
    // Four pages of a book on the edge 0–1; the last two share another edge as well.
    const indices = Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4, 1, 0, 4);
    const twin = new Int32Array(indices.length);
    pairHalfEdges(twin, indices);
    // 1–4 is half-edges 7 and 11, 4–0 is 8 and 10.
    expect([...twin].map((h) => Math.max(-1, h))).toEqual([-1, -1, -1, -1, -1, -1, -1, 11, 10, -1, 8, 7]);
  });
});
