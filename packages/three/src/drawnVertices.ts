import { NO_SOURCE } from 'pliant';
import type { Skin } from './skin.js';
import type { SourceAttribute, SourceMesh } from './sourceMesh.js';

/** The vertices that are drawn for a skin: one or more for each of its own, as attributes of the source differ between faces. */
export interface DrawnVertices {
  /** Number of vertices. */
  readonly count: number;
  /** The skin's vertex at which each lies. */
  readonly skinVertex: Uint32Array;
  /** Three vertices a triangle, ordered by material: those of outer material 0, 1, …, then inner faces. */
  readonly indices: Uint32Array;
  readonly groups: readonly { start: number; count: number; materialIndex: number }[];
  /** For each vertex: a corner of the skin (a place in its `indices`) that it stands for. */
  readonly corner: Uint32Array;
}

/**
 * Finds the vertices to be drawn. `materialCount` is the number of outer materials; inner faces have the one after them. Corners at one vertex of the skin share a drawn
 * vertex if they name the same place of the same source vertices; without a source all do.
 */
export function drawnVertices(skin: Skin, source: SourceMesh | undefined, materialCount: number): DrawnVertices {
  const { indices, groups } = skin;
  const inner = groups.find(({ kind }) => kind === 'inner')?.start ?? indices.length;
  const materialOf = (t: number) => {
    if (3 * t >= inner) return materialCount;
    const from = skin.source?.triangles[t] ?? NO_SOURCE;
    return source && from !== NO_SOURCE ? source.materialOf[from] : 0;
  };
  const order = orderByMaterial(indices.length / 3, materialCount + 1, materialOf);
  const numbers = new Map<string, number>();
  const skinVertex: number[] = [];
  const corner: number[] = [];
  const drawn = new Uint32Array(indices.length);
  const plain = new Int32Array(skin.vertexCount).fill(-1);
  const add = (k: number) => {
    corner.push(k);
    return skinVertex.push(indices[k]) - 1;
  };
  for (let n = 0; n < order.triangles.length; n++)
    for (let c = 0; c < 3; c++) {
      const k = 3 * order.triangles[n] + c;
      const key = source && skin.source && keyOf(skin, source, k);
      let v: number | undefined;
      if (key) {
        v = numbers.get(key);
        if (v === undefined) numbers.set(key, (v = add(k)));
      } else {
        v = plain[indices[k]];
        if (v < 0) plain[indices[k]] = v = add(k);
      }
      drawn[3 * n + c] = v;
    }
  return {
    count: corner.length,
    skinVertex: Uint32Array.from(skinVertex),
    corner: Uint32Array.from(corner),
    indices: drawn,
    groups: order.groups,
  };
}

/** Names a corner by the skin's vertex and by the source vertices that it lies between, whichever triangle names them. */
function keyOf({ source: from, indices }: Skin, { mesh }: SourceMesh, k: number): string | undefined {
  const t = from!.triangles[Math.floor(k / 3)];
  if (t === NO_SOURCE) return undefined;
  const named: [number, number][] = [];
  for (let c = 0; c < 3; c++) {
    const weight = Math.round(from!.weights[3 * k + c] * 4096);
    if (weight !== 0) named.push([mesh.indices[3 * t + c], weight]);
  }
  return `${indices[k]}:${named.sort((a, b) => a[0] - b[0]).join(';')}`;
}

/** Triangles ordered by material, those of one material in their own order, and a group for each that has any. */
function orderByMaterial(count: number, materials: number, materialOf: (t: number) => number) {
  const start = new Uint32Array(materials + 1);
  for (let t = 0; t < count; t++) start[materialOf(t) + 1]++;
  for (let m = 0; m < materials; m++) start[m + 1] += start[m];
  const next = start.slice();
  const triangles = new Uint32Array(count);
  for (let t = 0; t < count; t++) triangles[next[materialOf(t)]++] = t;
  const groups: { start: number; count: number; materialIndex: number }[] = [];
  for (let m = 0; m < materials; m++)
    if (start[m + 1] > start[m])
      groups.push({ start: 3 * start[m], count: 3 * (start[m + 1] - start[m]), materialIndex: m });
  return { triangles, groups };
}

/** Writes the values of a source attribute at the drawn vertices; 0 at those without a source. */
export function attributeInto(
  out: Float32Array,
  { values, width }: SourceAttribute,
  { corner, count }: DrawnVertices,
  { source: from }: Skin,
  { mesh }: SourceMesh,
): void {
  for (let v = 0; v < count; v++) {
    const k = corner[v];
    const t = from!.triangles[Math.floor(k / 3)];
    for (let a = 0; a < width; a++) {
      let sum = 0;
      if (t !== NO_SOURCE)
        for (let c = 0; c < 3; c++) sum += from!.weights[3 * k + c] * values[width * mesh.indices[3 * t + c] + a];
      out[width * v + a] = sum;
    }
  }
}
