import { invertInto } from '../math/mat3.js';
import type { Knife } from './knife.js';
import { closeLoops } from './loops.js';
import type { CutMesh, MeshBuilder } from './mesh.js';
import { Refinement } from './refine.js';
import { Section } from './section.js';
import { triangulate } from './triangulate.js';

/** Map from positions in the world to the rest shape. */
export interface RestMap {
  /** Writes the rest position of the point x y z to out[at] … out[at + 2]. */
  restInto(out: Float64Array, at: number, x: number, y: number, z: number): void;
}

export interface CutMeshOptions {
  /** Edge length inside new faces (m), as far as their border allows; default: mean length of the edges cut. */
  length?: number;
  /** Rest positions of points inside the body; default: by the affine map that fits the motion of the mesh best. */
  restMap?: RestMap;
}

/** A mesh after a cut: closed where it was closed, in parts where the cut went through. */
export interface CutMeshResult extends CutMesh {
  readonly rest: Float64Array;
  readonly now: Float64Array;
  readonly indices: Uint32Array;
  readonly corners: Uint32Array;
  readonly attributes: Float32Array;
  readonly inner: Uint8Array;
  /** Per triangle: the triangle of the given mesh that it is or is part of; −1 on a face that the cut made. */
  readonly from: Int32Array;
  /**
   * Per vertex: 1 above the cut, −1 below. With a blade, only vertices of its faces have a side; the others have 0.
   * Vertices of the given mesh keep their numbers.
   */
  readonly side: Int8Array;
}

/** Greatest number of triangles of one face. */
const MOST = 20_000;

/**
 * Cuts a mesh by a plane or a blade at its present positions (SPEC I3); undefined if the knife does not meet it.
 * Triangles are divided along the plane, and the openings are closed by new faces. These have inner nodes, so that they
 * can bend. Both sides get the same face, so that volumes add up. Where a blade ends inside, its two faces meet at its
 * border.
 */
export function cutMesh(mesh: CutMesh, knife: Knife, options: CutMeshOptions = {}): CutMeshResult | undefined {
  const section = new Section(mesh, knife);
  if (section.segments.length === 0) return undefined;
  const length = options.length ?? section.edgeLength;
  const surfaceNodes = section.above.length;
  const loops = closeLoops(section, knife, length);
  if (loops.length === 0) return undefined;
  const borderNodes = section.above.length;
  const triangles: number[] = [];
  for (const face of triangulate(section.at, loops)) {
    const refinement = new Refinement(section, face.triangles);
    if (face.isSound) refinement.run(length, MOST);
    // Nodes of the blade's border get their vertices in makeNodes, once their rest positions are known.
    if (knife.border) refinement.partMarked((n) => n < borderNodes && section.above[n] === section.below[n]);
    for (const n of refinement.triangles) triangles.push(n);
  }
  const free = { first: surfaceNodes, border: borderNodes, last: section.above.length };
  makeNodes(section, knife, triangles, free, options.restMap ?? new AffineMotion(mesh));
  addFaces(section, triangles);
  return finish(section.builder);
}

/**
 * Makes the vertices of the nodes that are not on the surface. The rest position that the map gives need not agree with
 * the surface at the border of the face. The difference there is carried inward: each inner node takes the mean
 * difference of its neighbours.
 */
function makeNodes(
  section: Section,
  { point, u, v }: Knife,
  triangles: readonly number[],
  { first, border, last }: { first: number; border: number; last: number },
  restMap: RestMap,
): void {
  const { at, above, below, builder } = section;
  const rest = new Float64Array(3 * last);
  const now = new Float64Array(3 * last);
  const off = new Float64Array(3 * last);
  const isKnown = new Uint8Array(last);
  for (const n of triangles) {
    if (isKnown[n]) continue;
    isKnown[n] = 1;
    const o = 3 * n;
    for (let a = 0; a < 3; a++) now[o + a] = point[a] + at[2 * n] * u[a] + at[2 * n + 1] * v[a];
    restMap.restInto(rest, o, now[o], now[o + 1], now[o + 2]);
    if (n < first) for (let a = 0; a < 3; a++) off[o + a] = builder.rest[3 * above[n] + a] - rest[o + a];
  }
  diffuse(off, triangles, first, last);
  for (let k = 3 * first; k < 3 * last; k++) rest[k] += off[k];
  for (let n = first; n < last; n++) {
    above[n] = builder.place(rest, now, 3 * n, n < border ? 0 : 1);
    below[n] = n < border ? above[n] : builder.place(rest, now, 3 * n, -1);
  }
}

/**
 * Sweeps that carry the differences inward. A face is some tens of edges wide, and nodes that the sweeps do not reach
 * need no correction.
 */
const SWEEPS = 20;

function diffuse(off: Float64Array, triangles: readonly number[], first: number, last: number): void {
  const { start, list } = nextTo(triangles, first, last);
  // A node in no triangle keeps its value.
  const means = off.slice(3 * first, 3 * last);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let n = 0; n < last - first; n++) {
      const from = start[n];
      const to = start[n + 1];
      if (from === to) continue;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = from; k < to; k++) {
        const o = 3 * list[k];
        x += off[o];
        y += off[o + 1];
        z += off[o + 2];
      }
      means[3 * n] = x / (to - from);
      means[3 * n + 1] = y / (to - from);
      means[3 * n + 2] = z / (to - from);
    }
    off.set(means, 3 * first);
  }
}

/** Neighbours of each node from `first` on: list[start[n − first]] … list[start[n − first + 1] − 1]. */
function nextTo(triangles: readonly number[], first: number, last: number) {
  const start = new Uint32Array(last - first + 2);
  for (const n of triangles) if (n >= first) start[n - first + 2]++;
  for (let n = 2; n < start.length; n++) start[n] += start[n - 1];
  const list = new Uint32Array(start[last - first + 1]);
  for (let h = 0; h < triangles.length; h++) {
    const n = triangles[h];
    if (n >= first) list[start[n - first + 1]++] = triangles[h % 3 === 2 ? h - 2 : h + 1];
  }
  return { start, list };
}

/** Adds the face of both sides: that of the part below faces up, that of the part above faces down. */
function addFaces({ above, below, builder }: Section, triangles: readonly number[]): void {
  const row = builder.blank();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    builder.triangle(below[a], below[b], below[c], row, row, row, 1, -1);
    builder.triangle(above[a], above[c], above[b], row, row, row, 1, -1);
  }
}

function finish(builder: MeshBuilder): CutMeshResult {
  const { vertexCount, triangleCount, rowCount, width } = builder;
  return {
    rest: builder.rest.slice(0, 3 * vertexCount),
    now: builder.now.slice(0, 3 * vertexCount),
    indices: builder.indices.slice(0, 3 * triangleCount),
    corners: builder.corners.slice(0, 3 * triangleCount),
    attributes: new Float32Array(builder.attributes.subarray(0, width * rowCount)),
    width,
    inner: builder.inner.slice(0, triangleCount),
    from: builder.from.slice(0, triangleCount),
    side: builder.side.slice(0, vertexCount),
  };
}

/** Least-squares affine map from the present positions of vertices to those at rest. */
class AffineMotion implements RestMap {
  private readonly x = new Float64Array(3);
  private readonly X = new Float64Array(3);
  private readonly Xx = new Float64Array(9);
  private readonly inverse = new Float64Array(9);

  constructor({ rest, now }: CutMesh) {
    const { x, X, Xx } = this;
    const count = now.length / 3;
    for (let k = 0; k < now.length; k++) {
      x[k % 3] += now[k] / count;
      X[k % 3] += rest[k] / count;
    }
    const xx = new Float64Array(9);
    for (let v = 0; v < now.length; v += 3)
      for (let b = 0; b < 3; b++)
        for (let a = 0; a < 3; a++) {
          xx[3 * b + a] += (now[v + a] - x[a]) * (now[v + b] - x[b]);
          Xx[3 * b + a] += (rest[v + a] - X[a]) * (now[v + b] - x[b]);
        }
    invertInto(this.inverse, xx);
  }

  restInto(out: Float64Array, at: number, px: number, py: number, pz: number): void {
    const { x, X, Xx, inverse } = this;
    const [dx, dy, dz] = [px - x[0], py - x[1], pz - x[2]];
    for (let a = 0; a < 3; a++) out[at + a] = X[a];
    for (let b = 0; b < 3; b++) {
      const q = inverse[b] * dx + inverse[3 + b] * dy + inverse[6 + b] * dz;
      for (let a = 0; a < 3; a++) out[at + a] += Xx[3 * b + a] * q;
    }
  }
}
