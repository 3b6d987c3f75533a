import { invertInto } from '../math/mat3.js';
import type { Knife } from './knife.js';
import { closeLoops } from './loops.js';
import type { CutMesh, MeshBuilder } from './mesh.js';
import { Refinement } from './refine.js';
import { Section } from './section.js';
import { triangulate } from './triangulate.js';

/** Where points of the world are in the rest shape. */
export interface RestMap {
  /** out[at …] := where the point x y z is at rest. */
  restInto(out: Float64Array, at: number, x: number, y: number, z: number): void;
}

export interface CutMeshOptions {
  /** Edge length (m) that new faces have within, as far as their border allows; default: that of the edges cut. */
  length?: number;
  /** Where points within the body are at rest; default: by the affine motion nearest to that of the mesh. */
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
  /** Per triangle which it was, or was part of; −1: of a face that the cut made. */
  readonly from: Int32Array;
  /** Per vertex: 1 above the cut, −1 below; by a blade only those of its faces, others are 0. Vertices that were there keep their numbers. */
  readonly side: Int8Array;
}

/** Triangles of one face at most. */
const MOST = 20_000;

/**
 * Cuts a surface by a plane or a blade where it is now (SPEC I3). Triangles are divided along it, what is opened is closed by faces of their own
 * with nodes within, so that these can bend, and both sides have the same face, so that volumes add up. Where a blade ends inside, its two
 * faces meet at its border. Undefined if the surface is not met.
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
    // Until it is known where they lie at rest, nodes of the blade's border have no vertices.
    if (knife.border) refinement.partMarked((n) => n < borderNodes && section.above[n] === section.below[n]);
    for (const n of refinement.triangles) triangles.push(n);
  }
  const free = { first: surfaceNodes, border: borderNodes, last: section.above.length };
  makeNodes(section, knife, triangles, free, options.restMap ?? new AffineMotion(mesh));
  addFaces(section, triangles);
  return finish(section.builder);
}

/**
 * Vertices of the nodes that are on no surface. Where they are at rest is asked, but the answer need not agree with the surface that they border on: what
 * it is off by there is carried inward, each node having the mean of those around it.
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

/** Sweeps that carry differences inward: a face is some tens of edges wide, and what they do not reach is right by itself. */
const SWEEPS = 20;

function diffuse(off: Float64Array, triangles: readonly number[], first: number, last: number): void {
  const { start, list } = nextTo(triangles, first, last);
  // A node that is in no triangle keeps what it has.
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

/** The nodes around each of those from `first` on: list[start[n − first]] … */
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

/** Both sides' faces: that of the part below looks up, that of the part above down. */
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

/** The affine map from where vertices are now to where they are at rest, by least squares. */
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
