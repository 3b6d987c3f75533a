import { Scratch } from '../scratch.js';

/** A mesh that can be cut: triangles over welded vertices, and over rows of attributes of their corners. */
export interface CutMesh {
  /** Rest positions of the vertices, x y z (m). */
  readonly rest: ArrayLike<number>;
  /** Present positions of the vertices (m), at which the mesh is cut. */
  readonly now: ArrayLike<number>;
  /** Three vertices a triangle, counter-clockwise from outside. */
  readonly indices: ArrayLike<number>;
  /** Row of `attributes` of each corner. */
  readonly corners: ArrayLike<number>;
  /** Texture coordinates, colours: `width` numbers a row, interpolated where a triangle is cut. */
  readonly attributes: ArrayLike<number>;
  readonly width: number;
  /** Per triangle: 1 on a face that a cut made, 0 on the skin. */
  readonly inner: ArrayLike<number>;
}

/**
 * A mesh under construction. Vertices and rows of the given mesh keep their numbers; new ones come behind. Arrays have
 * room to spare; `vertexCount`, `triangleCount` and `rowCount` tell how much is used. The scratch allows one builder at
 * a time.
 */
export class MeshBuilder {
  rest: Float64Array;
  now: Float64Array;
  /** Per vertex: 1 above the cut, −1 below it, 0 beyond the blade, where the surface is not divided. */
  side: Int8Array;
  vertexCount: number;
  indices: Uint32Array;
  corners: Uint32Array;
  inner: Uint8Array;
  /** Per triangle: the triangle of the given mesh that it is or is part of; −1 on a new face. */
  from: Int32Array;
  triangleCount = 0;
  attributes: Float64Array;
  rowCount: number;
  readonly width: number;

  constructor(mesh: CutMesh, side: Int8Array) {
    this.vertexCount = side.length;
    // Room for the faces of a cut, which add a third to a mesh of some thousand triangles.
    const vertices = Math.ceil(1.5 * side.length) + 64;
    this.rest = rooms.rest.take(3 * vertices);
    this.now = rooms.now.take(3 * vertices);
    this.side = rooms.side.take(vertices);
    this.rest.set(mesh.rest);
    this.now.set(mesh.now);
    this.side.set(side);
    const triangles = Math.ceil(mesh.indices.length / 2) + 64;
    this.indices = rooms.indices.take(3 * triangles);
    this.corners = rooms.corners.take(3 * triangles);
    this.inner = rooms.inner.take(triangles);
    this.from = rooms.from.take(triangles);
    this.width = mesh.width;
    this.rowCount = this.width > 0 ? mesh.attributes.length / this.width : 0;
    this.attributes = new Float64Array(Math.ceil(1.5 * mesh.attributes.length) + 64);
    this.attributes.set(mesh.attributes);
  }

  /** Adds a vertex at the fraction t from a to b. */
  between(a: number, b: number, t: number, side: number): number {
    const v = this.newVertex(side);
    const { rest, now } = this;
    for (let k = 0; k < 3; k++) {
      rest[3 * v + k] = rest[3 * a + k] + t * (rest[3 * b + k] - rest[3 * a + k]);
      now[3 * v + k] = now[3 * a + k] + t * (now[3 * b + k] - now[3 * a + k]);
    }
    return v;
  }

  /** Adds a vertex at the positions that begin at index `at` of the two lists. */
  place(rest: Float64Array, now: Float64Array, at: number, side: number): number {
    const v = this.newVertex(side);
    for (let k = 0; k < 3; k++) {
      this.rest[3 * v + k] = rest[at + k];
      this.now[3 * v + k] = now[at + k];
    }
    return v;
  }

  /** Adds a copy of a vertex on another side. */
  copy(v: number, side: number): number {
    return this.between(v, v, 0, side);
  }

  /** Adds a row of attributes at the fraction t from row a to row b. */
  mix(a: number, b: number, t: number): number {
    const row = this.blank();
    const { attributes, width } = this;
    for (let k = 0; k < width; k++)
      attributes[width * row + k] =
        attributes[width * a + k] + t * (attributes[width * b + k] - attributes[width * a + k]);
    return row;
  }

  /** Adds a row of zeros: faces that cuts make have no texture of their own. */
  blank(): number {
    if (this.width === 0) return 0;
    const row = this.rowCount++;
    if (this.width * this.rowCount > this.attributes.length) this.attributes = widened(this.attributes);
    return row;
  }

  triangle(a: number, b: number, c: number, ra: number, rb: number, rc: number, inner: number, from: number): void {
    const t = this.triangleCount++;
    if (t === this.from.length) {
      this.indices = widened(this.indices);
      this.corners = widened(this.corners);
      this.inner = widened(this.inner);
      this.from = widened(this.from);
    }
    const { indices, corners } = this;
    indices[3 * t] = a;
    indices[3 * t + 1] = b;
    indices[3 * t + 2] = c;
    corners[3 * t] = ra;
    corners[3 * t + 1] = rb;
    corners[3 * t + 2] = rc;
    this.inner[t] = inner;
    this.from[t] = from;
  }

  private newVertex(side: number): number {
    const v = this.vertexCount++;
    if (v === this.side.length) {
      this.rest = widened(this.rest);
      this.now = widened(this.now);
      this.side = widened(this.side);
    }
    this.side[v] = side;
    return v;
  }
}

// Scratch of the one builder at a time.
const rooms = {
  rest: new Scratch(Float64Array),
  now: new Scratch(Float64Array),
  side: new Scratch(Int8Array),
  indices: new Scratch(),
  corners: new Scratch(),
  inner: new Scratch(Uint8Array),
  from: new Scratch(Int32Array),
};

/** A copy of a list with twice its length. */
export function widened<T extends Int8Array | Uint8Array | Int32Array | Uint32Array | Float64Array>(list: T): T {
  const wider = new (list.constructor as new (length: number) => T)(2 * list.length);
  wider.set(list);
  return wider;
}
