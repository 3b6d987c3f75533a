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

const tableRoom = new Scratch(Int32Array);
const firstRoom = new Scratch(Int32Array);
const valenceRoom = new Scratch(Int32Array);
const lowRoom = new Scratch();
const highRoom = new Scratch();

/** Pairs half-edges by their two vertices, through an open-addressing table with at least two slots per half-edge. */
export function buildEdges(indices: Uint32Array): Edges {
  const total = indices.length;
  let slots = 16;
  while (slots < 2 * total) slots *= 2;
  const table = tableRoom.take(slots).fill(-1);
  const first = firstRoom.take(total);
  const valence = valenceRoom.takeZeros(total);
  const next = new Int32Array(total).fill(-1);
  const edge = new Int32Array(total);
  // Ends of the edges so far.
  const low = lowRoom.take(total);
  const high = highRoom.take(total);
  let edgeCount = 0;
  for (let h = 0; h < total; h++) {
    const start = indices[h];
    const end = endOf(indices, h);
    const a = Math.min(start, end);
    const b = Math.max(start, end);
    let slot = (Math.imul(a, 73856093) ^ Math.imul(b, 19349663)) & (slots - 1);
    let e = table[slot];
    while (e >= 0 && (low[e] !== a || high[e] !== b)) {
      slot = (slot + 1) & (slots - 1);
      e = table[slot];
    }
    if (e < 0) {
      e = edgeCount++;
      table[slot] = e;
      low[e] = a;
      high[e] = b;
    } else next[h] = first[e];
    first[e] = h;
    edge[h] = e;
    valence[e]++;
  }
  return { edgeCount, first: first.slice(0, edgeCount), valence: valence.slice(0, edgeCount), next, edge };
}
