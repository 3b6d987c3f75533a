import { buildEdges } from '../mesh/edges.js';
import type { Cells } from './cells.js';

/**
 * The cells inside a render mesh as vertices, edges, triangles and cells. Triangles of the mesh come first, numbered as
 * these, and their edges too; then come those of the faces between cells.
 */
export interface Complex {
  /** Three vertices a triangle. */
  readonly triangles: Uint32Array;
  /** Number of triangles and of edges that belong to the mesh. */
  readonly skinTriangles: number;
  readonly skinEdges: number;
  /** Edge of each half-edge: half-edge 3 t + k runs from corner k of triangle t to the next. */
  readonly edge: Int32Array;
  /** Ends of each edge, the lower number first. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Per edge: 1 where all its triangles are of one face, in whose midst it lies. */
  readonly isWithin: Uint8Array;
  /** Triangles around cell c: triangle[start[c]] … triangle[start[c + 1] − 1]; ~t where it is seen from behind. */
  readonly start: Uint32Array;
  readonly triangle: Int32Array;
  /** Neighbours of vertex v: neighbour[neighbourStart[v]] … */
  readonly neighbourStart: Uint32Array;
  readonly neighbour: Uint32Array;
  /** Edge to each of these. */
  readonly neighbourEdge: Uint32Array;
  /** Cell behind each triangle, from which its normal points away, and cell ahead of it; ~t outside of the mesh. */
  readonly behind: Int32Array;
  readonly ahead: Int32Array;
}

/** `vertices`: number of vertices of the mesh and of nodes. */
export function complexOf(indices: Uint32Array, cells: Cells, vertices: number): Complex {
  const triangles = new Uint32Array(indices.length + cells.triangles.length);
  triangles.set(indices);
  triangles.set(cells.triangles, indices.length);
  const { edge, edgeCount, first } = buildEdges(triangles);
  const [low, high] = [new Uint32Array(edgeCount), new Uint32Array(edgeCount)];
  for (let e = 0; e < edgeCount; e++) {
    const [a, b] = [triangles[first[e]], triangles[first[e] % 3 === 2 ? first[e] - 2 : first[e] + 1]];
    low[e] = Math.min(a, b);
    high[e] = Math.max(a, b);
  }
  // Edges are numbered in the order of their first half-edge, so those of the mesh come first.
  let skinEdges = 0;
  for (let h = 0; h < indices.length; h++) if (edge[h] >= skinEdges) skinEdges = edge[h] + 1;
  return {
    triangles,
    skinTriangles: indices.length / 3,
    skinEdges,
    edge,
    low,
    high,
    isWithin: edgesWithin(indices.length / 3, cells, edge, edgeCount),
    ...bordersOf(indices.length / 3, cells),
    ...neighboursOf(low, high, vertices),
  };
}

/** Finds the edges in the midst of a face. */
function edgesWithin(skin: number, { from, start }: Cells, edge: Int32Array, edgeCount: number): Uint8Array {
  const isWithin = new Uint8Array(edgeCount).fill(1);
  const face = new Int32Array(edgeCount).fill(-1);
  for (let h = 0; h < 3 * skin; h++) isWithin[edge[h]] = 0;
  for (let f = 0; f < from.length; f++)
    for (let h = 3 * (skin + start[f]); h < 3 * (skin + start[f + 1]); h++) {
      const e = edge[h];
      if (face[e] >= 0 && face[e] !== f) isWithin[e] = 0;
      face[e] = f;
    }
  return isWithin;
}

/** The triangles around each cell. */
function bordersOf(skin: number, { isClosed, count, from, to, start: faceStart }: Cells) {
  const start = new Uint32Array(count + 1);
  // Without an inside there is nothing to be shown of it.
  if (!isClosed) return { start, triangle: new Int32Array(0), behind: new Int32Array(0), ahead: new Int32Array(0) };
  for (let c = 0; c < skin; c++) start[c + 1] = 1;
  for (let f = 0; f < from.length; f++) {
    start[from[f] + 1] += faceStart[f + 1] - faceStart[f];
    start[to[f] + 1] += faceStart[f + 1] - faceStart[f];
  }
  for (let c = 0; c < count; c++) start[c + 1] += start[c];
  const next = start.slice();
  const triangle = new Int32Array(start[count]);
  const [behind, ahead] = [
    new Int32Array(skin + faceStart[from.length]),
    new Int32Array(skin + faceStart[from.length]),
  ];
  for (let c = 0; c < skin; c++) {
    triangle[next[c]++] = c;
    behind[c] = c;
    ahead[c] = ~c;
  }
  for (let f = 0; f < from.length; f++)
    for (let t = faceStart[f]; t < faceStart[f + 1]; t++) {
      triangle[next[from[f]]++] = skin + t;
      triangle[next[to[f]]++] = ~(skin + t);
      behind[skin + t] = from[f];
      ahead[skin + t] = to[f];
    }
  return { start, triangle, behind, ahead };
}

function neighboursOf(low: Uint32Array, high: Uint32Array, vertices: number) {
  const neighbourStart = new Uint32Array(vertices + 1);
  for (let e = 0; e < low.length; e++) {
    neighbourStart[low[e] + 1]++;
    neighbourStart[high[e] + 1]++;
  }
  for (let v = 0; v < vertices; v++) neighbourStart[v + 1] += neighbourStart[v];
  const next = neighbourStart.slice();
  const neighbour = new Uint32Array(2 * low.length);
  const neighbourEdge = new Uint32Array(2 * low.length);
  for (let e = 0; e < low.length; e++) {
    neighbourEdge[next[low[e]]] = neighbourEdge[next[high[e]]] = e;
    neighbour[next[low[e]]++] = high[e];
    neighbour[next[high[e]]++] = low[e];
  }
  return { neighbourStart, neighbour, neighbourEdge };
}
