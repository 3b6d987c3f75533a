import { Scratch } from '../scratch.js';

/**
 * The triangles at each edge. Half-edge h = 3·triangle + k runs from corner k to corner (k + 1) mod 3. The half-edges
 * of one edge, of either direction, form a chain: `first[edge]`, then `next[h]` until −1.
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
 * Pairs half-edges by their two vertices. An edge is searched among those with the same lower vertex, three on average.
 * These lie near each other in memory; a hash table takes twice as long.
 */
export function buildEdges(indices: Uint32Array): Edges {
  const total = indices.length;
  // The last edge of each lower vertex, and per edge the one before it and its higher vertex.
  const head = headRoom.take(largest(indices) + 1).fill(-1);
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

/**
 * twin := for each half-edge the other one of its edge; negative if the edge does not have exactly two. It takes half
 * the time of buildEdges, and most users need no more.
 */
export function pairHalfEdges(twin: Int32Array, indices: Uint32Array): void {
  const total = indices.length;
  // Edges are named by their first half-edge. Those of one lower vertex form a chain.
  const head = headRoom.take(largest(indices) + 1).fill(-1);
  const sibling = siblingRoom.take(total);
  const high = highRoom.take(total);
  twin.fill(ALONE);
  for (let h = 0, k = 0; h < total; h++) {
    const start = indices[h];
    const end = indices[k === 2 ? h - 2 : h + 1];
    k = k === 2 ? 0 : k + 1;
    const a = Math.min(start, end);
    const b = Math.max(start, end);
    let g = head[a];
    while (g >= 0 && high[g] !== b) g = sibling[g];
    if (g < 0) {
      sibling[h] = head[a];
      head[a] = h;
      high[h] = b;
    } else if (twin[g] === ALONE) {
      twin[g] = h;
      twin[h] = g;
    } else {
      if (twin[g] >= 0) twin[twin[g]] = CROWDED;
      twin[g] = twin[h] = CROWDED;
    }
  }
}
const ALONE = -1;
const CROWDED = -2;

function largest(indices: Uint32Array): number {
  let most = 0;
  for (let h = 0; h < indices.length; h++) if (indices[h] > most) most = indices[h];
  return most;
}
