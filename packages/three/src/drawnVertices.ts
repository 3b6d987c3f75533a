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
  const named = source && skin.source ? new Names(skin, source) : undefined;
  const skinVertex = new Uint32Array(indices.length);
  const corner = new Uint32Array(indices.length);
  const drawn = new Uint32Array(indices.length);
  // The drawn vertices at each vertex of the skin, in a linked list.
  const head = new Int32Array(skin.vertexCount).fill(-1);
  const next = new Int32Array(indices.length);
  let count = 0;
  for (let n = 0; n < order.triangles.length; n++)
    for (let c = 0; c < 3; c++) {
      const k = 3 * order.triangles[n] + c;
      const at = indices[k];
      named?.read(k);
      let v = head[at];
      while (v >= 0 && named && !named.isLike(v)) v = next[v];
      if (v < 0) {
        v = count++;
        corner[v] = k;
        skinVertex[v] = at;
        next[v] = head[at];
        head[at] = v;
        named?.keep(v);
      }
      drawn[3 * n + c] = v;
    }
  return {
    count,
    skinVertex: skinVertex.slice(0, count),
    corner: corner.slice(0, count),
    indices: drawn,
    groups: order.groups,
  };
}

/** Weights that differ by less than this are the same. */
const ALIKE = 1e-4;

/** Names corners by the source vertices that they lie between, whichever triangle tells them: up to three numbers in ascending order, and their weights. */
class Names {
  private readonly kept: Float32Array;
  private readonly now = new Float32Array(6);

  constructor(
    private readonly skin: Skin,
    private readonly source: SourceMesh,
  ) {
    this.kept = new Float32Array(6 * skin.indices.length);
  }

  /** Reads the name of a corner. Faces without a source have one without vertices. */
  read(k: number): void {
    const { now } = this;
    const { triangles, weights } = this.skin.source!;
    const t = triangles[Math.floor(k / 3)];
    now.fill(-1);
    if (t === NO_SOURCE) return;
    let length = 0;
    for (let c = 0; c < 3; c++) {
      const weight = weights[3 * k + c];
      if (weight < ALIKE) continue;
      const vertex = this.source.mesh.indices[3 * t + c];
      let at = length++;
      for (; at > 0 && now[2 * at - 2] > vertex; at--) {
        now[2 * at] = now[2 * at - 2];
        now[2 * at + 1] = now[2 * at - 1];
      }
      now[2 * at] = vertex;
      now[2 * at + 1] = weight;
    }
  }

  /** Keeps the name that was read last, as that of a drawn vertex. */
  keep(v: number): void {
    this.kept.set(this.now, 6 * v);
  }

  /** Whether the name that was read last is that of a drawn vertex. */
  isLike(v: number): boolean {
    for (let a = 0; a < 6; a++) if (Math.abs(this.kept[6 * v + a] - this.now[a]) > ALIKE) return false;
    return true;
  }
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
