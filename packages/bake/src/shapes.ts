import type { Body, RenderSkin } from 'pliant';
import { decodeRed, type Look } from './looks.js';

/** A run of triangles with one material. */
export interface Run {
  /** Number of the material in `Look.surfaces`. */
  readonly surface: number;
  /** First index, and number of indices. */
  readonly start: number;
  readonly count: number;
}

/** The part of an object's mesh that stays from frame to frame until the body comes apart. */
export interface Topology {
  /** Number of drawn vertices: those of the skin, split at creases and texture seams. */
  readonly vertexCount: number;
  /** Number of places: vertices that are split have the same place. */
  readonly placeCount: number;
  /** Place of each vertex, and one vertex of each place. */
  readonly place: Uint32Array;
  readonly vertexAt: Uint32Array;
  /** Vertex of the skin that each vertex is. */
  readonly skinVertex: Uint32Array;
  /** Three vertices a triangle, in the order of `runs`. */
  readonly indices: Uint32Array;
  readonly runs: readonly Run[];
  /** u, v of each vertex, v upwards. */
  readonly uvs: Float32Array | undefined;
  /** Linear r, g, b of each vertex. */
  readonly colours: Float32Array | undefined;
  /** Number of the piece that each triangle belongs to. */
  readonly pieces: Uint32Array;
}

/** An object at one time. */
export interface Shape {
  readonly topology: Topology;
  /** x, y, z of each vertex (m). */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

/** Number of the piece of each triangle of a skin. */
export function pieceOfTriangles(body: Body, skin: RenderSkin): Uint32Array {
  const { ofParticle } = body.pieces;
  const out = new Uint32Array(skin.indices.length / 3);
  for (let t = 0; t < out.length; t++) out[t] = ofParticle[skin.particle[skin.indices[3 * t]]];
  return out;
}

/** The topology of those triangles of a skin that `only` says, or of all: sorted by material. */
export function topologyOf(skin: RenderSkin, look: Look, pieces: Uint32Array, only?: number): Topology {
  const surface = surfaceOfTriangles(skin, look);
  const bySurface: number[][] = look.surfaces.map(() => []);
  for (let t = 0; t < surface.length; t++) if (only === undefined || pieces[t] === only) bySurface[surface[t]].push(t);
  const runs: Run[] = [];
  const triangles: number[] = [];
  for (const [s, list] of bySurface.entries()) {
    if (list.length === 0) continue;
    runs.push({ surface: s, start: 3 * triangles.length, count: 3 * list.length });
    for (const t of list) triangles.push(t);
  }
  const vertexOf = new Int32Array(skin.vertexCount).fill(-1);
  const placeOf = new Map<number, number>();
  const [skinVertex, place, vertexAt]: number[][] = [[], [], []];
  const indices = new Uint32Array(3 * triangles.length);
  const addVertex = (v: number) => {
    let at = placeOf.get(skin.welded[v]);
    if (at === undefined) {
      at = vertexAt.length;
      placeOf.set(skin.welded[v], at);
      vertexAt.push(skinVertex.length);
    }
    place.push(at);
    return skinVertex.push(v) - 1;
  };
  // Vertices keep the order that they have in the skin: it is that of the file, where that can be.
  const wanted = new Uint8Array(skin.vertexCount);
  for (const t of triangles) for (let k = 0; k < 3; k++) wanted[skin.indices[3 * t + k]] = 1;
  for (let v = 0; v < wanted.length; v++) if (wanted[v]) vertexOf[v] = addVertex(v);
  for (const [n, t] of triangles.entries())
    for (let k = 0; k < 3; k++) indices[3 * n + k] = vertexOf[skin.indices[3 * t + k]];
  const vertices = Uint32Array.from(skinVertex);
  return {
    vertexCount: vertices.length,
    placeCount: vertexAt.length,
    place: Uint32Array.from(place),
    vertexAt: Uint32Array.from(vertexAt),
    skinVertex: vertices,
    indices,
    runs,
    uvs: skin.uvs && gather(skin.uvs, 2, vertices),
    colours: look.coloured && skin.colours ? coloursOf(skin, look, vertices) : undefined,
    pieces: Uint32Array.from(triangles, (t) => pieces[t]),
  };
}

/** Number of the material in `Look.surfaces` of each triangle of a skin. */
export function surfaceOfTriangles(
  { indices, groups, colours }: Pick<RenderSkin, 'indices' | 'groups' | 'colours'>,
  { tags, surfaces }: Look,
): Uint32Array {
  const out = new Uint32Array(indices.length / 3);
  for (const { start, count, kind } of groups)
    for (let k = start; k < start + count; k += 3)
      out[k / 3] =
        kind === 'inner'
          ? surfaces.length - 1
          : tags > 1 && colours
            ? decodeRed(colours[3 * indices[k]], tags).material
            : 0;
  return out;
}

function coloursOf({ colours, indices, groups }: RenderSkin, { tags }: Look, vertices: Uint32Array): Float32Array {
  const out = gather(colours!, 3, vertices);
  if (tags > 1) for (let o = 0; o < out.length; o += 3) out[o] = decodeRed(out[o], tags).red;
  // Inner faces have a material of their own, and no colours: outer and inner faces share no vertex.
  const inner = new Set<number>();
  for (const { start, count, kind } of groups)
    if (kind === 'inner') for (let k = start; k < start + count; k++) inner.add(indices[k]);
  vertices.forEach((v, n) => {
    if (inner.has(v)) out.fill(1, 3 * n, 3 * n + 3);
  });
  return out;
}

export function gather(from: Float32Array, width: number, rows: Uint32Array, out?: Float32Array): Float32Array {
  const into = out ?? new Float32Array(width * rows.length);
  for (let n = 0; n < rows.length; n++) for (let a = 0; a < width; a++) into[width * n + a] = from[width * rows[n] + a];
  return into;
}

/** a + f (b − a) of positions and normals, the normals of length 1. Both have the same topology. */
export function blend(a: Shape, b: Shape, f: number, into: Shape): void {
  for (let k = 0; k < a.positions.length; k++)
    into.positions[k] = a.positions[k] + f * (b.positions[k] - a.positions[k]);
  for (let o = 0; o < a.normals.length; o += 3) {
    const x = a.normals[o] + f * (b.normals[o] - a.normals[o]);
    const y = a.normals[o + 1] + f * (b.normals[o + 1] - a.normals[o + 1]);
    const z = a.normals[o + 2] + f * (b.normals[o + 2] - a.normals[o + 2]);
    const length = Math.hypot(x, y, z);
    const turned = !(length > 0);
    into.normals[o] = turned ? a.normals[o] : x / length;
    into.normals[o + 1] = turned ? a.normals[o + 1] : y / length;
    into.normals[o + 2] = turned ? a.normals[o + 2] : z / length;
  }
}

export const emptyShape = (topology: Topology): Shape => ({
  topology,
  positions: new Float32Array(3 * topology.vertexCount),
  normals: new Float32Array(3 * topology.vertexCount),
});

/** Positions of the places, x, y, z each. */
export function placesOf({ topology, positions }: Shape): Float32Array {
  return gather(positions, 3, topology.vertexAt);
}
