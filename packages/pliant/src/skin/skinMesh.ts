import { Scratch } from '../scratch.js';
import type { Near } from './blend.js';

/**
 * A triangle surface in the coordinates of a body's rest shape. Triangles share vertices wherever the surface is connected; texture coordinates and
 * colours, which may differ between the triangles at a vertex, are given by corner.
 */
export interface SkinMesh {
  /** x, y, z of each vertex (m). */
  readonly positions: Float64Array;
  /** Three vertices a triangle, counter-clockwise seen from outside. A corner is a place in this list. */
  readonly indices: Uint32Array;
  /** u, v of each corner. */
  readonly uvs?: Float32Array;
  /** r, g, b of each corner, in [0, 1]. */
  readonly colours?: Float32Array;
  /**
   * Where each corner lies in the mesh that the body was built from, if that asked for it: the number of a triangle plus 1, then the weights of its second and
   * third vertex. Rows of 0 for corners that are not of that mesh, such as inner faces.
   */
  readonly source?: Float32Array;
  /** For each triangle: 1 if a cut made it. */
  readonly inner?: Uint8Array;
  /**
   * @internal The particles that each vertex follows, by ancestor, where their distance alone does not tell: beside a
   * cut.
   */
  readonly near?: Near;
  /** Largest angle (rad) between two triangles across which normals are smooth. Default CREASE. */
  readonly crease?: number;
}

/** Default of `SkinMesh.crease`: 40°, in rad. The sides of a prism with twelve faces are then smooth, those of one with eight are not. */
export const CREASE = (40 * Math.PI) / 180;
/** Value of `SkinMesh.crease` with which the whole mesh is smooth: 180°, in rad. */
export const SMOOTH = Math.PI;

/** Joins two meshes, such as the outer and the inner wall of a hollow body. */
export function joined(a: SkinMesh, b: SkinMesh): SkinMesh {
  const positions = new Float64Array(a.positions.length + b.positions.length);
  positions.set(a.positions);
  positions.set(b.positions, a.positions.length);
  const first = a.positions.length / 3;
  const indices = new Uint32Array(a.indices.length + b.indices.length);
  indices.set(a.indices);
  for (let k = 0; k < b.indices.length; k++) indices[a.indices.length + k] = first + b.indices[k];
  // Attributes that only one mesh has: corners of the other get texture coordinate 0, or white.
  const corners = (width: number, one?: Float32Array, other?: Float32Array, blank = 0) => {
    if (!one && !other) return undefined;
    const all = new Float32Array(width * indices.length).fill(blank);
    if (one) all.set(one);
    if (other) all.set(other, width * a.indices.length);
    return all;
  };
  return {
    positions,
    indices,
    uvs: corners(2, a.uvs, b.uvs),
    colours: corners(3, a.colours, b.colours, 1),
    ...((a.source || b.source) && { source: corners(3, a.source, b.source) }),
    crease: a.crease,
  };
}

/** The same mesh with reversed orientation: the wall of a cavity. */
export function turnedInward(mesh: SkinMesh): SkinMesh {
  const indices = mesh.indices.slice();
  for (let k = 0; k < indices.length; k += 3) [indices[k + 1], indices[k + 2]] = [indices[k + 2], indices[k + 1]];
  return { ...mesh, indices };
}

const numberRoom = new Scratch(Int32Array);
const cornerRoom = new Scratch();
const usedRoom = new Scratch();

/** Some of the triangles, with the vertices that they use. */
export function someTriangles(mesh: SkinMesh, triangles: ArrayLike<number>): SkinMesh {
  const { some, used } = takeTriangles(mesh, triangles);
  return mesh.near ? { ...some, near: someNear(mesh.near, used) } : some;
}

/** Some of the triangles without `near`, and the old number of each vertex. */
export function takeTriangles(mesh: SkinMesh, triangles: ArrayLike<number>): { some: SkinMesh; used: Uint32Array } {
  const number = numberRoom.take(mesh.positions.length / 3).fill(-1);
  const taken = usedRoom.take(number.length);
  const indices = new Uint32Array(3 * triangles.length);
  const corners = cornerRoom.take(3 * triangles.length);
  const inner = mesh.inner && new Uint8Array(triangles.length);
  let count = 0;
  for (let n = 0; n < triangles.length; n++) {
    const t = triangles[n];
    for (let k = 0; k < 3; k++) {
      const v = mesh.indices[3 * t + k];
      if (number[v] < 0) {
        taken[count] = v;
        number[v] = count++;
      }
      indices[3 * n + k] = number[v];
      corners[3 * n + k] = 3 * t + k;
    }
    if (inner) inner[n] = mesh.inner![t];
  }
  const used = taken.slice(0, count);
  const some = {
    positions: pickRows(mesh.positions, new Float64Array(3 * count), 3, used),
    indices,
    uvs: mesh.uvs && pickRows(mesh.uvs, new Float32Array(2 * corners.length), 2, corners),
    colours: mesh.colours && pickRows(mesh.colours, new Float32Array(3 * corners.length), 3, corners),
    ...(mesh.source && { source: pickRows(mesh.source, new Float32Array(3 * corners.length), 3, corners) }),
    inner,
    crease: mesh.crease,
  };
  return { some, used };
}

/** Copies some rows of a list, `width` numbers each. */
export function pickRows<T extends Float32Array | Float64Array>(
  from: T,
  into: T,
  width: number,
  rows: ArrayLike<number>,
): T {
  for (let n = 0; n < rows.length; n++) for (let a = 0; a < width; a++) into[width * n + a] = from[width * rows[n] + a];
  return into;
}

/** The particles that some of the vertices follow. */
export function someNear(near: Near, from: Uint32Array): Near {
  const count = from.length;
  const start = new Uint32Array(count + 1);
  for (let n = 0; n < count; n++) start[n + 1] = start[n] + near.start[from[n] + 1] - near.start[from[n]];
  const particle = new Uint32Array(start[count]);
  const kernel = new Float32Array(start[count]);
  for (let n = 0; n < count; n++) {
    const shift = near.start[from[n]] - start[n];
    // A dozen numbers: a call of `set` would cost more.
    for (let k = start[n]; k < start[n + 1]; k++) {
      particle[k] = near.particle[k + shift];
      kernel[k] = near.kernel[k + shift];
    }
  }
  return { start, particle, kernel };
}
