import { hypot } from '../math/elementary.js';
import { buildEdges } from '../mesh/edges.js';

/** A closed mesh around an open one, and for each of its corners the corner of the open one that it was made from. */
export interface ThickMesh {
  positions: Float64Array;
  indices: Uint32Array;
  corners: Uint32Array;
}

/**
 * Gives an open surface of welded vertices a thickness: the surface moved by half of it to either side along the normals, and a rim along its borders. Vertices beside each other stay
 * beside each other, so that the mesh is closed.
 */
export function thicken(positions: Float64Array, indices: Uint32Array, thickness: number): ThickMesh {
  const count = positions.length / 3;
  const normals = vertexNormals(positions, indices);
  const out = new Float64Array(2 * positions.length);
  for (let k = 0; k < positions.length; k++) {
    out[k] = positions[k] + (thickness / 2) * normals[k];
    out[positions.length + k] = positions[k] - (thickness / 2) * normals[k];
  }
  const [triangles, corners]: [number[], number[]] = [[], []];
  const add = (list: readonly (readonly [corner: number, below: boolean])[]) => {
    for (const [corner, below] of list) {
      triangles.push(indices[corner] + (below ? count : 0));
      corners.push(corner);
    }
  };
  for (let t = 0; t < indices.length; t += 3) {
    add([[t, false], [t + 1, false], [t + 2, false]]); // biome-ignore format: a triangle a line
    add([[t, true], [t + 2, true], [t + 1, true]]); // biome-ignore format: a triangle a line
  }
  const { edgeCount, first, valence } = buildEdges(indices);
  for (let e = 0; e < edgeCount; e++) {
    if (valence[e] !== 1) continue;
    const a = first[e];
    const b = a % 3 === 2 ? a - 2 : a + 1;
    add([[a, false], [a, true], [b, true]]); // biome-ignore format: a triangle a line
    add([[a, false], [b, true], [b, false]]); // biome-ignore format: a triangle a line
  }
  return { positions: out, indices: Uint32Array.from(triangles), corners: Uint32Array.from(corners) };
}

/** Normals of vertices, of length 1: the mean of those of the triangles, by area. */
function vertexNormals(p: Float64Array, indices: Uint32Array): Float64Array {
  const sum = new Float64Array(p.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const o of [a, b, c]) {
      sum[o] += nx;
      sum[o + 1] += ny;
      sum[o + 2] += nz;
    }
  }
  for (let o = 0; o < sum.length; o += 3) {
    const length = hypot(sum[o], sum[o + 1], sum[o + 2]) || 1;
    for (let a = 0; a < 3; a++) sum[o + a] /= length;
  }
  return sum;
}
