import { Scratch } from '../state/scratch.js';

/**
 * Which triangles meet at each edge. Half-edge h = 3·triangle + k runs from corner k to corner (k + 1) mod 3. The
 * half-edges of one edge form a chain: `first[edge]`, then `next[h]` until −1, whatever their directions.
 */
export interface Edges {
  readonly edgeCount: number;
  /** Edge → one of its half-edges. */
  readonly first: Int32Array;
  /** Edge → number of half-edges: 1 at a border, 2 on a manifold, more where sheets meet. */
  readonly valence: Int32Array;
  /** Half-edge → the next of the same edge, −1 at the end. */
  readonly next: Int32Array;
  /** Half-edge → its edge. */
  readonly edge: Int32Array;
}

export const triangleOf = (halfEdge: number) => Math.floor(halfEdge / 3);
export const startOf = (indices: Uint32Array, halfEdge: number) => indices[halfEdge];
export const endOf = (indices: Uint32Array, halfEdge: number) =>
  indices[halfEdge % 3 === 2 ? halfEdge - 2 : halfEdge + 1];

const headRoom = new Scratch(Int32Array);
const siblingRoom = new Scratch(Int32Array);
const highRoom = new Scratch();
const firstRoom = new Scratch(Int32Array);
const valenceRoom = new Scratch(Int32Array);

/**
 * Pairs half-edges by their two vertices. Edges are looked for among those whose lower vertex is the same, three in the mean: these lie near each
 * other in memory, where a table by hash takes twice as long.
 */
export function buildEdges(indices: Uint32Array): Edges {
  const total = indices.length;
  let vertices = 0;
  for (let h = 0; h < total; h++) if (indices[h] >= vertices) vertices = indices[h] + 1;
  // The last edge of each lower vertex, and per edge the one before it and its higher vertex.
  const head = headRoom.take(vertices).fill(-1);
  const sibling = siblingRoom.take(total);
  const high = highRoom.take(total);
  const first = firstRoom.take(total);
  const valence = valenceRoom.takeZeros(total);
  const next = new Int32Array(total).fill(-1);
  const edge = new Int32Array(total);
  let edgeCount = 0;
  for (let h = 0, k = 0; h < total; h++) {
    const start = indices[h];
    const end = indices[k === 2 ? h - 2 : h + 1];
    k = k === 2 ? 0 : k + 1;
    const a = Math.min(start, end);
    const b = Math.max(start, end);
    let e = head[a];
    while (e >= 0 && high[e] !== b) e = sibling[e];
    if (e < 0) {
      e = edgeCount++;
      sibling[e] = head[a];
      head[a] = e;
      high[e] = b;
    } else next[h] = first[e];
    first[e] = h;
    edge[h] = e;
    valence[e]++;
  }
  return { edgeCount, first: first.slice(0, edgeCount), valence: valence.slice(0, edgeCount), next, edge };
}
