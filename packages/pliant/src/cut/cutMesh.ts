import { invertInto } from '../math/mat3.js';
import type { Knife } from './knife.js';
import { closeLoops } from './loops.js';
import type { CutMesh, MeshBuilder } from './mesh.js';
import { Refinement } from './refine.js';
import { Section } from './section.js';
import { triangulate } from './triangulate.js';

/** Where a point of the world, given as x y z, is in the rest shape; into the first argument. */
export type RestAt = (out: Float64Array, x: number, y: number, z: number) => void;

export interface CutMeshOptions {
  /** Edge length (m) that new faces have within, as far as their border allows; default: that of the edges cut. */
  length?: number;
  /** Where points within the body are at rest; default: by the affine motion nearest to that of the mesh. */
  restAt?: RestAt;
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
  // Until it is known where they lie at rest, nodes of the blade's border have no vertices.
  const isBorder = (node: number) => section.above[node] === section.below[node];
  const borderNodes = section.above.length;
  const triangles: number[] = [];
  for (const face of triangulate(section.at, loops)) {
    const addNode = (x: number, y: number) => section.addNode(x, y);
    const refinement = new Refinement(section.at, face.triangles, addNode);
    if (face.isSound) refinement.run(length, MOST);
    if (knife.border) refinement.partMarked((n) => n < borderNodes && isBorder(n));
    for (const n of refinement.triangles) triangles.push(n);
  }
  const free = { first: surfaceNodes, border: borderNodes, last: section.above.length };
  makeNodes(section, knife, triangles, free, options.restAt ?? affineMotion(mesh));
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
  restAt: RestAt,
): void {
  const { at, builder } = section;
  const rest = new Float64Array(3 * last);
  const now = new Float64Array(3 * last);
  const off = new Float64Array(3 * last);
  const known = new Float64Array(3);
  for (const n of new Set(triangles)) {
    for (let a = 0; a < 3; a++) now[3 * n + a] = point[a] + at[2 * n] * u[a] + at[2 * n + 1] * v[a];
    restAt(known, now[3 * n], now[3 * n + 1], now[3 * n + 2]);
    rest.set(known, 3 * n);
    if (n < first) for (let a = 0; a < 3; a++) off[3 * n + a] = builder.rest[3 * section.above[n] + a] - known[a];
  }
  spread(off, triangles, first, last);
  for (let n = first; n < last; n++) {
    for (let a = 0; a < 3; a++) known[a] = rest[3 * n + a] + off[3 * n + a];
    const here = now.subarray(3 * n, 3 * n + 3);
    section.above[n] = builder.place(known, here, n < border ? 0 : 1);
    section.below[n] = n < border ? section.above[n] : builder.place(known, here, -1);
  }
}

/** Sweeps that carry differences inward: a face is some tens of edges wide, and what they do not reach is right by itself. */
const SWEEPS = 20;

function spread(off: Float64Array, triangles: readonly number[], first: number, last: number): void {
  const sum = new Float64Array(3 * (last - first));
  const count = new Uint32Array(last - first);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    sum.fill(0);
    count.fill(0);
    for (let h = 0; h < triangles.length; h++) {
      const n = triangles[h];
      const m = triangles[h % 3 === 2 ? h - 2 : h + 1];
      if (n < first) continue;
      count[n - first]++;
      for (let a = 0; a < 3; a++) sum[3 * (n - first) + a] += off[3 * m + a];
    }
    for (let n = first; n < last; n++)
      if (count[n - first] > 0)
        for (let a = 0; a < 3; a++) off[3 * n + a] = sum[3 * (n - first) + a] / count[n - first];
  }
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
  return {
    rest: Float64Array.from(builder.rest),
    now: Float64Array.from(builder.now),
    indices: Uint32Array.from(builder.indices),
    corners: Uint32Array.from(builder.corners),
    attributes: Float32Array.from(builder.attributes),
    width: builder.width,
    inner: Uint8Array.from(builder.inner),
    from: Int32Array.from(builder.from),
    side: Int8Array.from(builder.side),
  };
}

/** The affine map from where vertices are now to where they are at rest, by least squares. */
function affineMotion({ rest, now }: CutMesh): RestAt {
  const count = now.length / 3;
  const [x, X] = [new Float64Array(3), new Float64Array(3)];
  for (let k = 0; k < now.length; k++) {
    x[k % 3] += now[k] / count;
    X[k % 3] += rest[k] / count;
  }
  const [xx, Xx] = [new Float64Array(9), new Float64Array(9)];
  for (let v = 0; v < now.length; v += 3)
    for (let b = 0; b < 3; b++)
      for (let a = 0; a < 3; a++) {
        xx[3 * b + a] += (now[v + a] - x[a]) * (now[v + b] - x[b]);
        Xx[3 * b + a] += (rest[v + a] - X[a]) * (now[v + b] - x[b]);
      }
  const inverse = new Float64Array(9);
  invertInto(inverse, xx);
  return (out, ...p) => {
    for (let a = 0; a < 3; a++) {
      out[a] = X[a];
      for (let b = 0; b < 3; b++) {
        let q = 0;
        for (let c = 0; c < 3; c++) q += inverse[3 * c + b] * (p[c] - x[c]);
        out[a] += Xx[3 * b + a] * q;
      }
    }
  };
}
