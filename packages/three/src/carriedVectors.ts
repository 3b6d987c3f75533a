import { Matrix3, Vector3 } from 'three';
import type { DrawnVertices } from './drawnVertices.js';
import type { Skin } from './skin.js';

/**
 * Authored normals and tangents, which follow the surface. At each vertex the frame is that of two edges of a triangle and the skin's normal, e₁, e₂ and n. A tangent
 * keeps its components along these. A normal is a covector and keeps its products with these, so that it stays normal to what it was normal to in the undeformed
 * surface. A file whose normals are those of its faces is shown by the skin's normals, to rounding.
 */
export class CarriedVectors {
  /** For each vertex: two of the skin's vertices, the other ends of e₁ and e₂. */
  private readonly ends: Uint32Array;
  /** Vertices whose authored normal differs from the skin's, and its products with e₁, e₂ and n at rest. */
  private readonly own: Uint32Array;
  private readonly products: Float32Array;
  /** Components of the tangents. */
  private readonly components: Float32Array | undefined;

  /** `places` are the source's positions at the drawn vertices; normals and tangents are the source's, at those without a source 0. */
  constructor(
    private readonly drawn: DrawnVertices,
    private readonly skin: Skin,
    places: Float32Array,
    normals: Float32Array | undefined,
    private readonly tangents: Float32Array | undefined,
  ) {
    const rest = skin.atRest();
    this.ends = widestTriangles(drawn, rest.positions);
    const placed = placementOf(drawn, places, normals ?? tangents!, normals ? 3 : 4, rest.positions);
    const upright = placed.clone().invert().transpose();
    const { count } = drawn;
    const own: number[] = [];
    const products: number[] = [];
    const components = tangents && new Float32Array(3 * count);
    for (let v = 0; v < count; v++) {
      this.frame(v, rest.positions, rest.normals);
      if (normals) {
        vector.fromArray(normals, 3 * v);
        if (vector.lengthSq() > 0 && vector.applyMatrix3(upright).normalize().dot(n) < NEAR) {
          own.push(v);
          products.push(vector.dot(e1), vector.dot(e2), vector.dot(n));
        }
      }
      if (tangents && components) {
        vector.fromArray(tangents, 4 * v).applyMatrix3(placed);
        basis.set(e1.x, e2.x, n.x, e1.y, e2.y, n.y, e1.z, e2.z, n.z).invert();
        vector.applyMatrix3(basis).toArray(components, 3 * v);
      }
    }
    this.own = Uint32Array.from(own);
    this.products = Float32Array.from(products);
    this.components = components;
  }

  /** Replaces the normals of vertices that have one of their own; `out` holds those of the skin. */
  normalsInto(out: Float32Array): void {
    const { own, products, skin } = this;
    for (let k = 0; k < own.length; k++) {
      this.frame(own[k], skin.positions, skin.normals);
      vector.crossVectors(e1, e2);
      if (!(vector.dot(n) > 0)) continue;
      vector.multiplyScalar(products[3 * k + 2]);
      vector.addScaledVector(side.crossVectors(e2, n), products[3 * k]);
      vector.addScaledVector(side.crossVectors(n, e1), products[3 * k + 1]);
      vector.normalize().toArray(out, 3 * own[k]);
    }
  }

  /** Writes the tangents, four numbers each. The fourth, the handedness, stays. */
  tangentsInto(out: Float32Array): void {
    const { components, tangents, skin, drawn } = this;
    if (!components || !tangents) return;
    for (let v = 0; v < drawn.count; v++) {
      this.frame(v, skin.positions, skin.normals);
      vector
        .set(0, 0, 0)
        .addScaledVector(e1, components[3 * v])
        .addScaledVector(e2, components[3 * v + 1]);
      vector
        .addScaledVector(n, components[3 * v + 2])
        .normalize()
        .toArray(out, 4 * v);
      out[4 * v + 3] = tangents[4 * v + 3];
    }
  }

  /** Sets e₁, e₂ and n to those at a vertex. */
  private frame(v: number, positions: Float32Array, normals: Float32Array): void {
    const at = this.drawn.skinVertex[v];
    side.fromArray(positions, 3 * at);
    e1.fromArray(positions, 3 * this.ends[2 * v]).sub(side);
    e2.fromArray(positions, 3 * this.ends[2 * v + 1]).sub(side);
    n.fromArray(normals, 3 * at);
  }
}

/** Cosine of the angle between an authored normal and the skin's below which the authored one is kept: 0.5°. */
const NEAR = Math.cos((0.5 * Math.PI) / 180);

// Scratch of one vertex.
const e1 = new Vector3();
const e2 = new Vector3();
const n = new Vector3();
const vector = new Vector3();
const side = new Vector3();
const basis = new Matrix3();

/** For each vertex the largest of its triangles: the two other vertices, in order. The largest has the best frame. */
function widestTriangles({ indices, skinVertex, count }: DrawnVertices, positions: Float32Array): Uint32Array {
  const ends = new Uint32Array(2 * count);
  const widest = new Float64Array(count).fill(-1);
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((o) => skinVertex[indices[k + o]]);
    side.fromArray(positions, 3 * a);
    const area = e1
      .fromArray(positions, 3 * b)
      .sub(side)
      .cross(e2.fromArray(positions, 3 * c).sub(side))
      .lengthSq();
    for (let o = 0; o < 3; o++) {
      const v = indices[k + o];
      if (area <= widest[v]) continue;
      widest[v] = area;
      ends[2 * v] = skinVertex[indices[k + ((o + 1) % 3)]];
      ends[2 * v + 1] = skinVertex[indices[k + ((o + 2) % 3)]];
    }
  }
  return ends;
}

/**
 * The linear part of the map from the source's coordinates to the body's rest shape, which the body's options may have scaled and turned: that of least squares over the
 * drawn vertices. `marks` are 0 at vertices without a source.
 */
function placementOf(
  { count, skinVertex }: DrawnVertices,
  places: Float32Array,
  marks: Float32Array,
  width: number,
  rest: Float32Array,
): Matrix3 {
  const known: number[] = [];
  for (let v = 0; v < count; v++) if (marks[width * v] || marks[width * v + 1] || marks[width * v + 2]) known.push(v);
  const from = [0, 0, 0];
  const to = [0, 0, 0];
  for (const v of known)
    for (let a = 0; a < 3; a++) {
      from[a] += places[3 * v + a] / known.length;
      to[a] += rest[3 * skinVertex[v] + a] / known.length;
    }
  const [cross, moment] = [new Array(9).fill(0), new Array(9).fill(0)];
  for (const v of known)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const s = places[3 * v + b] - from[b];
        cross[3 * a + b] += (rest[3 * skinVertex[v] + a] - to[a]) * s;
        moment[3 * a + b] += (places[3 * v + a] - from[a]) * s;
      }
  const inverse = new Matrix3().set(...(moment as Nine));
  if (Math.abs(inverse.determinant()) < 1e-30) return new Matrix3();
  return new Matrix3().set(...(cross as Nine)).multiply(inverse.invert());
}

type Nine = [number, number, number, number, number, number, number, number, number];
