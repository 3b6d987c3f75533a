import { type Edges, endOf, startOf, triangleOf } from './edges.js';

/** The parts of a surface that are connected by manifold edges, each with one consistent winding. */
export interface Components {
  count: number;
  /** Triangle → component. */
  of: Int32Array;
  /** Triangle → 1 when it must be reversed to agree with the majority of its component's area. */
  reversed: Uint8Array;
  /** Component → 1 when every edge of it has both its sides within it. */
  closed: Uint8Array;
  /** Manifold edges across which no winding can agree, as on a Möbius strip. */
  twistedEdges: number;
}

/**
 * Breadth-first search over the edges that exactly two triangles share: neighbours agree when they run through the edge
 * in opposite directions. Edges with more triangles do not propagate the winding, as it is unknown which two belong
 * together.
 */
export function findComponents(positions: Float64Array, indices: Uint32Array, edges: Edges): Components {
  const triangles = indices.length / 3;
  const of = new Int32Array(triangles).fill(-1);
  const reversed = new Uint8Array(triangles);
  const queue = new Int32Array(triangles);
  let count = 0;
  let twistedEdges = 0;
  for (let seed = 0; seed < triangles; seed++) {
    if (of[seed] >= 0) continue;
    let tail = 0;
    queue[tail++] = seed;
    of[seed] = count;
    for (let at = 0; at < tail; at++) {
      const t = queue[at];
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        if (edges.valence[edges.edge[h]] !== 2) continue;
        const other = edges.first[edges.edge[h]] === h ? edges.next[h] : edges.first[edges.edge[h]];
        const neighbour = triangleOf(other);
        const same = startOf(indices, h) === startOf(indices, other) ? 1 : 0;
        if (of[neighbour] < 0) {
          of[neighbour] = count;
          reversed[neighbour] = reversed[t] ^ same;
          queue[tail++] = neighbour;
        } else if (reversed[neighbour] !== (reversed[t] ^ same)) twistedEdges++;
      }
    }
    keepMajority(positions, indices, queue.subarray(0, tail), reversed);
    count++;
  }
  const closed = findClosed(indices, edges, of, reversed, count);
  // A twisted edge was met once from each side.
  return { count, of, reversed, closed, twistedEdges: twistedEdges / 2 };
}

/** The seed's winding was arbitrary: if most of the area had to be reversed to match it, reverse the rest instead. */
function keepMajority(positions: Float64Array, indices: Uint32Array, members: Int32Array, reversed: Uint8Array): void {
  let balance = 0;
  for (const t of members) balance += reversed[t] ? -areaOf(positions, indices, t) : areaOf(positions, indices, t);
  if (balance < 0) for (const t of members) reversed[t] ^= 1;
}

/**
 * A component is closed when at each of its edges as many of its triangles run one way as the other. That also holds for
 * two closed shells that touch along an edge, where four triangles meet.
 */
function findClosed(indices: Uint32Array, edges: Edges, of: Int32Array, reversed: Uint8Array, count: number) {
  const closed = new Uint8Array(count).fill(1);
  for (let e = 0; e < edges.edgeCount; e++) {
    const a = startOf(indices, edges.first[e]);
    for (let h = edges.first[e]; h >= 0; h = edges.next[h]) {
      const component = of[triangleOf(h)];
      let balance = 0;
      for (let g = edges.first[e]; g >= 0; g = edges.next[g])
        if (of[triangleOf(g)] === component)
          balance += (startOf(indices, g) === a) === (reversed[triangleOf(g)] === 0) ? 1 : -1;
      if (balance !== 0) closed[component] = 0;
    }
  }
  return closed;
}

function areaOf(p: Float64Array, indices: Uint32Array, t: number): number {
  const a = 3 * indices[3 * t];
  const b = 3 * endOf(indices, 3 * t);
  const c = 3 * endOf(indices, 3 * t + 1);
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}
