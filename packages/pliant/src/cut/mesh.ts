/** A surface that can be cut: triangles over welded vertices, and over rows of whatever belongs to their corners. */
export interface CutMesh {
  /** Where vertices are at rest, x y z (m). */
  readonly rest: ArrayLike<number>;
  /** Where they are now (m): that is where it is cut. */
  readonly now: ArrayLike<number>;
  /** Three vertices a triangle, counter-clockwise from outside. */
  readonly indices: ArrayLike<number>;
  /** Rows of `attributes` of the same corners. */
  readonly corners: ArrayLike<number>;
  /** Texture coordinates, colours: `width` numbers a row, interpolated where a triangle is cut. */
  readonly attributes: ArrayLike<number>;
  readonly width: number;
  /** Per triangle: 1 where a cut has made it, 0 on the skin. */
  readonly inner: ArrayLike<number>;
}

/** A mesh while it is put together: what was there keeps its numbers, what is new comes behind. */
export class MeshBuilder {
  readonly rest: number[];
  readonly now: number[];
  readonly attributes: number[];
  readonly indices: number[] = [];
  readonly corners: number[] = [];
  readonly inner: number[] = [];
  /** Which triangle each one is, or is a part of; −1: of a new face. */
  readonly from: number[] = [];
  /** Per vertex: 1 above the cut, −1 below it, 0 where it goes on around the blade. */
  readonly side: number[];
  readonly width: number;

  constructor(mesh: CutMesh, side: ArrayLike<number>) {
    this.rest = Array.from(mesh.rest);
    this.now = Array.from(mesh.now);
    this.attributes = Array.from(mesh.attributes);
    this.side = Array.from(side);
    this.width = mesh.width;
  }

  /** A vertex between a and b. */
  between(a: number, b: number, t: number, side: number): number {
    for (const list of [this.rest, this.now])
      for (let k = 0; k < 3; k++) list.push(list[3 * a + k] + t * (list[3 * b + k] - list[3 * a + k]));
    return this.side.push(side) - 1;
  }

  /** A vertex at a place. */
  place(rest: ArrayLike<number>, now: ArrayLike<number>, side: number): number {
    this.rest.push(rest[0], rest[1], rest[2]);
    this.now.push(now[0], now[1], now[2]);
    return this.side.push(side) - 1;
  }

  /** A copy of a vertex, on another side. */
  copy(v: number, side: number): number {
    return this.between(v, v, 0, side);
  }

  /** Attributes between those of rows a and b. */
  mix(a: number, b: number, t: number): number {
    const { attributes, width } = this;
    if (width === 0) return 0;
    for (let k = 0; k < width; k++)
      attributes.push(attributes[width * a + k] + t * (attributes[width * b + k] - attributes[width * a + k]));
    return attributes.length / width - 1;
  }

  /** A row of zeros: faces that cuts make have no texture of their own. */
  blank(): number {
    if (this.width === 0) return 0;
    for (let k = 0; k < this.width; k++) this.attributes.push(0);
    return this.attributes.length / this.width - 1;
  }

  triangle(a: number, b: number, c: number, ra: number, rb: number, rc: number, inner: number, from: number): void {
    this.indices.push(a, b, c);
    this.corners.push(ra, rb, rc);
    this.inner.push(inner);
    this.from.push(from);
  }
}
