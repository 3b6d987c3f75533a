import { squared } from '../math/elementary.js';
import { buildEdges } from '../mesh/edges.js';
import type { SkinMesh } from './skinMesh.js';

/** Greatest number of rounds, each of which halves the long edges. */
const ROUNDS = 12;

/**
 * Divides triangles until no edge is longer than `longest`, or there would be more than `most` triangles. A body made
 * from a box of twelve triangles bends, and its render mesh must be able to bend with it. Edges are halved for both of
 * their triangles, so that a closed mesh stays closed; attributes are interpolated.
 */
export function refine(mesh: SkinMesh, longest: number, most: number): SkinMesh {
  for (let round = 0; round < ROUNDS; round++) {
    const divided = halveEdges(mesh, longest, most);
    if (divided === mesh) break;
    mesh = divided;
  }
  return mesh;
}

function halveEdges(mesh: SkinMesh, longest: number, most: number): SkinMesh {
  const { positions, indices } = mesh;
  const { edge, first, edgeCount } = buildEdges(indices);
  const middle = new Int32Array(edgeCount).fill(-1);
  const added: number[] = [];
  const vertices = positions.length / 3;
  let halved = 0;
  for (let e = 0; e < edgeCount; e++) {
    const h = first[e];
    const [a, b] = [3 * indices[h], 3 * indices[h % 3 === 2 ? h - 2 : h + 1]];
    const square =
      squared(positions[a] - positions[b]) +
      squared(positions[a + 1] - positions[b + 1]) +
      squared(positions[a + 2] - positions[b + 2]);
    if (square <= longest * longest) continue;
    middle[e] = vertices + halved++;
    for (let k = 0; k < 3; k++) added.push((positions[a + k] + positions[b + k]) / 2);
  }
  // Every halved edge of a closed mesh adds two triangles.
  if (halved === 0 || indices.length / 3 + 2 * halved > most) return mesh;

  // Corners of the new mesh: k ≥ 0 is corner k of the old one, and −1 − h the middle of half-edge h.
  const corners: number[] = [];
  const place = new Float64Array(positions.length + added.length);
  place.set(positions);
  place.set(added, positions.length);
  const from: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const cut = [0, 1, 2].filter((k) => middle[edge[t + k]] >= 0);
    from.push(...divideTriangle(place, indices, middle, edge, t, cut, corners));
  }
  return {
    ...mesh,
    positions: place,
    indices: Uint32Array.from(corners, (k) => (k >= 0 ? indices[k] : middle[edge[-1 - k]])),
    uvs: cornersOf(mesh.uvs, 2, corners),
    colours: cornersOf(mesh.colours, 3, corners),
    ...(mesh.source && { source: cornersOf(mesh.source, 3, corners) }),
    inner: mesh.inner && Uint8Array.from(from, (t) => mesh.inner![t / 3]),
  };
}

/** Adds the triangles that one is divided into, as `corners`. Returns the old triangle of each. */
function divideTriangle(
  p: Float64Array,
  indices: Uint32Array,
  middle: Int32Array,
  edge: Int32Array,
  t: number,
  cut: readonly number[],
  corners: number[],
): number[] {
  const corner = (k: number) => t + (k % 3);
  const half = (k: number) => -1 - corner(k);
  if (cut.length === 0) corners.push(t, t + 1, t + 2);
  if (cut.length === 1) {
    const k = cut[0];
    corners.push(corner(k), half(k), corner(k + 2), half(k), corner(k + 1), corner(k + 2));
  }
  if (cut.length === 2) {
    // Edges k and k + 1 are halved: a triangle at the corner between them, and a quad along the whole edge, divided
    // along its shorter diagonal.
    const k = cut.includes(0) && cut.includes(2) ? 2 : cut[0];
    corners.push(half(k), corner(k + 1), half(k + 1));
    const at = (c: number) => 3 * (c >= 0 ? indices[c] : middle[edge[-1 - c]]);
    const square = (i: number, j: number) =>
      squared(p[i] - p[j]) + squared(p[i + 1] - p[j + 1]) + squared(p[i + 2] - p[j + 2]);
    const [a, b, c, d] = [corner(k), half(k), half(k + 1), corner(k + 2)];
    if (square(at(a), at(c)) <= square(at(b), at(d))) corners.push(a, b, c, a, c, d);
    else corners.push(a, b, d, b, c, d);
  }
  if (cut.length === 3) for (let k = 0; k < 3; k++) corners.push(corner(k), half(k), half(k + 2));
  if (cut.length === 3) corners.push(half(0), half(1), half(2));
  return new Array(cut.length + 1).fill(t);
}

function cornersOf(
  values: Float32Array | undefined,
  width: number,
  corners: readonly number[],
): Float32Array | undefined {
  if (!values) return undefined;
  const all = new Float32Array(width * corners.length);
  corners.forEach((k, n) => {
    const h = -1 - k;
    const end = h % 3 === 2 ? h - 2 : h + 1;
    for (let a = 0; a < width; a++)
      all[width * n + a] = k >= 0 ? values[width * k + a] : (values[width * h + a] + values[width * end + a]) / 2;
  });
  return all;
}
