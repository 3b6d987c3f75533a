import { buildEdges, endOf, startOf } from '../mesh/edges.js';

/** Edges and vertex neighbours of a surface. */
export interface Topology {
  readonly edgeCount: number;
  /** Two vertices per edge. */
  readonly edges: Uint32Array;
  /** First neighbour of each vertex; vertices + 1 offsets. */
  readonly neighbourStart: Uint32Array;
  readonly neighbour: Uint32Array;
}

/** Builds edges and neighbours of a triangle surface whose triangles share their vertices. */
export function buildTopology(indices: Uint32Array, vertexCount: number): Topology {
  const { edgeCount, first } = buildEdges(indices);
  const edges = new Uint32Array(2 * edgeCount);
  const neighbourStart = new Uint32Array(vertexCount + 1);
  for (let e = 0; e < edgeCount; e++) {
    edges[2 * e] = startOf(indices, first[e]);
    edges[2 * e + 1] = endOf(indices, first[e]);
    neighbourStart[edges[2 * e] + 1]++;
    neighbourStart[edges[2 * e + 1] + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) neighbourStart[v + 1] += neighbourStart[v];
  const next = neighbourStart.slice();
  const neighbour = new Uint32Array(2 * edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    const [a, b] = [edges[2 * e], edges[2 * e + 1]];
    neighbour[next[a]++] = b;
    neighbour[next[b]++] = a;
  }
  return { edgeCount, edges, neighbourStart, neighbour };
}
