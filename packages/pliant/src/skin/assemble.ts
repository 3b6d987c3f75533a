import { counting, Scratch } from '../scratch.js';
import { type Keys, middleCorner, middleSharesInto, placeOn } from './clipCell.js';
import type { Crack } from './crack.js';
import type { KeptWeights } from './keptWeights.js';
import type { Knots } from './knots.js';
import { NO_ANCHOR, type Sides, type Torn } from './sides.js';
import type { SkinMesh } from './skinMesh.js';
import type { SmoothFaces } from './smoothFaces.js';
import type { Surroundings } from './surroundings.js';

/** Faces within the cells of a torn body, as Tearing keeps them. */
export interface Within {
  readonly cells: number;
  /** Keys of the corners of the faces within cell c: faceKey[faceStart[c]] …, three a triangle. */
  readonly faceStart: Uint32Array;
  readonly faceLength: Uint32Array;
  readonly faceKey: Int32Array;
  /** Knots within cells: the number of their point, and the vertex whose particles they follow. */
  readonly ownPoint: Uint32Array;
  readonly ownBase: Uint32Array;
  readonly ownEnd: number;
  /** Points within cells, x y z each. */
  readonly ownPlace: Float64Array;
}

/**
 * Makes one mesh of the triangles of a render mesh, divided where the crack crosses them, and of the faces within cells.
 * Knots and points of the crack are numbered in the order in which triangles have them.
 */
export class Assembly {
  /** Number of each knot by key, and of each point: edges, then triangles, then points within cells. −1: none yet. */
  private readonly knotOf: Int32Array;
  private readonly pointOf: Int32Array;
  private knots = 0;
  private points = 0;
  /** Per knot: its vertex in the shown mesh, and the vertex of the cells whose particles it follows. */
  private readonly knotVertex: Uint32Array;
  private readonly knotBase: Uint32Array;
  /** Positions of the points, and 1 where they lie on the mesh. */
  private readonly place: Float64Array;
  private readonly isOnMesh: Uint8Array;
  private readonly corner: Uint32Array;
  private corners = 0;
  /** For attributes, per triangle of the mesh: the one that it is part of; per corner: shares of its first two corners. */
  private readonly partOf: Uint32Array;
  private readonly share: Float64Array;
  private readonly outer: number;
  private readonly hasAttributes: boolean;

  constructor(
    private readonly mesh: SkinMesh,
    private readonly surroundings: Surroundings,
    private readonly sides: Sides,
    private readonly crack: Crack,
    private readonly keys: Keys,
    private readonly within: Within,
  ) {
    const { complex } = surroundings;
    this.outer = mesh.positions.length / 3;
    this.hasAttributes = (mesh.uvs ?? mesh.colours ?? mesh.source) !== undefined;
    this.knotOf = knotRoom.take(keys.cells + within.ownEnd).fill(-1);
    this.pointOf = pointRoom.take(complex.low.length + complex.triangles.length / 3 + within.ownEnd).fill(-1);
    let most = 0;
    for (let t = 0; t < complex.skinTriangles; t++) most += this.isCrossed(t) ? MOST_CORNERS : 3;
    this.partOf = partRoom.take(most / 3);
    this.share = shareRoom.take(this.hasAttributes ? 2 * most : 0);
    for (let c = 0; c < within.cells; c++) most += within.faceLength[c];
    this.corner = cornerRoom.take(most);
    // No knot and no point is without a corner.
    this.knotVertex = vertexRoom.take(this.outer + most);
    this.knotBase = baseRoom.take(this.outer + most);
    this.place = placeRoom.take(3 * most);
    this.isOnMesh = onMeshRoom.take(most);
  }

  /** Returns the mesh, what its knots follow, and its inner faces, which are not smooth yet. */
  run(isUsed: Uint8Array): { mesh: SkinMesh; knots: Unlisted; faces: SmoothFaces } {
    const { mesh } = this;
    // A body that has not come apart at its surface keeps the numbers of its vertices.
    for (let v = 0; v < this.outer; v++)
      if (isUsed[v] && this.sides.anchor[v] !== NO_ANCHOR) this.knotOf[v] = this.addKnot(v, v);
    this.showMesh();
    const skin = this.corners;
    this.showWithin();
    const positions = new Float64Array(3 * (this.outer + this.points));
    positions.set(mesh.positions);
    positions.set(this.place.subarray(0, 3 * this.points), 3 * this.outer);
    const corner = this.corner.slice(0, this.corners);
    const indices = new Uint32Array(corner.length);
    const { knotVertex } = this;
    for (let k = 0; k < corner.length; k++) indices[k] = knotVertex[corner[k]];
    const torn = {
      positions,
      indices,
      uvs: mesh.uvs && this.mixed(mesh.uvs, 2, skin),
      colours: mesh.colours && this.mixed(mesh.colours, 3, skin),
      ...(mesh.source && { source: this.mixedSource(mesh.source, skin) }),
      inner: this.innerKinds(skin),
      near: undefined,
      crease: mesh.crease,
    };
    const knots = {
      corner,
      vertex: knotVertex.slice(0, this.knots),
      base: this.knotBase.slice(0, this.knots),
    };
    const isFixed = this.isOnMesh.slice(0, this.points);
    return { mesh: torn, knots, faces: { positions, first: this.outer, isFixed, vertex: indices, start: skin } };
  }

  /** Adds the faces within cells. */
  private showWithin(): void {
    const { corner, knotOf } = this;
    const { cells, faceStart, faceLength, faceKey } = this.within;
    let at = this.corners;
    for (let c = 0; c < cells; c++) {
      const end = faceStart[c] + faceLength[c];
      for (let n = faceStart[c]; n < end; n++) {
        const known = knotOf[faceKey[n]];
        corner[at++] = known >= 0 ? known : this.makeKnot(faceKey[n]);
      }
    }
    this.corners = at;
  }

  /** Per triangle: 1 where it is an inner face; undefined if there is none. */
  private innerKinds(skin: number): Uint8Array | undefined {
    const { inner } = this.mesh;
    if (!inner && skin === this.corners) return undefined;
    const kinds = new Uint8Array(this.corners / 3).fill(1, skin / 3);
    if (inner) for (let t = 0; 3 * t < skin; t++) kinds[t] = inner[this.partOf[t]];
    return kinds.includes(1) ? kinds : undefined;
  }

  private isCrossed(t: number): boolean {
    const { crack } = this;
    const { edge } = this.surroundings.complex;
    return crack[edge[3 * t]] > 0 || crack[edge[3 * t + 1]] > 0 || crack[edge[3 * t + 2]] > 0;
  }

  private addKnot(vertex: number, base: number): number {
    this.knotVertex[this.knots] = vertex;
    this.knotBase[this.knots] = base;
    return this.knots++;
  }

  private numberOf(key: number): number {
    const known = this.knotOf[key];
    return known >= 0 ? known : this.makeKnot(key);
  }

  private makeKnot(key: number): number {
    const { keys, within } = this;
    const { low, high, triangles } = this.surroundings.complex;
    let vertex: number;
    let base: number;
    if (key < keys.triangles) {
      const e = (key - keys.edges) >> 1;
      vertex = this.edgePoint(e);
      base = (key - keys.edges) & 1 ? high[e] : low[e];
    } else if (key < keys.cells) {
      vertex = this.middlePoint(Math.floor((key - keys.triangles) / 3));
      base = triangles[key - keys.triangles];
    } else {
      vertex = this.ownPoint(within.ownPoint[key - keys.cells]);
      base = within.ownBase[key - keys.cells];
    }
    const knot = this.addKnot(vertex, base);
    this.knotOf[key] = knot;
    return knot;
  }

  /** Vertices of the shown mesh at the crossing of an edge, in the middle of a triangle, and within a cell. */
  private edgePoint(e: number): number {
    if (this.pointOf[e] < 0) {
      const { positions: x, complex } = this.surroundings;
      const [u, v, t] = [3 * complex.low[e], 3 * complex.high[e], this.crack[e]];
      for (let a = 0; a < 3; a++) this.place[3 * this.points + a] = x[u + a] + t * (x[v + a] - x[u + a]);
      this.addPoint(e, e < complex.skinEdges);
    }
    return this.pointOf[e];
  }

  private middlePoint(t: number): number {
    const { positions: x, complex } = this.surroundings;
    const key = complex.low.length + t;
    if (this.pointOf[key] < 0) {
      middleSharesInto(shares, complex, this.crack, t);
      for (let a = 0; a < 3; a++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += shares[k] * x[3 * complex.triangles[3 * t + k] + a];
        this.place[3 * this.points + a] = sum;
      }
      this.addPoint(key, t < complex.skinTriangles);
    }
    return this.pointOf[key];
  }

  private ownPoint(p: number): number {
    const { complex } = this.surroundings;
    const key = complex.low.length + complex.triangles.length / 3 + p;
    if (this.pointOf[key] < 0) {
      for (let a = 0; a < 3; a++) this.place[3 * this.points + a] = this.within.ownPlace[3 * p + a];
      this.addPoint(key, false);
    }
    return this.pointOf[key];
  }

  private addPoint(key: number, isOnMesh: boolean): void {
    this.isOnMesh[this.points] = isOnMesh ? 1 : 0;
    this.pointOf[key] = this.outer + this.points++;
  }

  private isShown(v: number): boolean {
    return this.sides.anchor[v] !== NO_ANCHOR;
  }

  /** Shows the triangles of the mesh, divided where the crack crosses them. */
  private showMesh(): void {
    const { indices } = this.mesh;
    for (let t = 0; 3 * t < indices.length; t++) {
      if (this.isCrossed(t)) this.divideTriangle(t);
      else if (this.isShown(indices[3 * t])) {
        this.startTriangle(t);
        for (let k = 0; k < 3; k++) this.addVertex(t, k);
      }
    }
  }

  private startTriangle(t: number): void {
    this.partOf[this.corners / 3] = t;
  }

  /** Adds a corner of a part of triangle t, by its key and its shares of the first two corners of t. */
  private addCorner(key: number, a: number, b: number): void {
    if (this.hasAttributes) {
      this.share[2 * this.corners] = a;
      this.share[2 * this.corners + 1] = b;
    }
    this.corner[this.corners++] = this.numberOf(key);
  }

  /** Adds corner k of triangle t. */
  private addVertex(t: number, k: number): void {
    this.addCorner(this.surroundings.complex.triangles[3 * t + k], k === 0 ? 1 : 0, k === 1 ? 1 : 0);
  }

  /** Adds the point on half-edge k of triangle t, in the region of one of its ends. */
  private addOnEdge(t: number, k: number, end: number): void {
    const { complex } = this.surroundings;
    const e = complex.edge[3 * t + k];
    const s = placeOn(complex, this.crack, t, k);
    const key = this.keys.edges + 2 * e + (complex.triangles[3 * t + end] === complex.low[e] ? 0 : 1);
    // Half-edge 0 runs from the first corner to the second, 1 from there to the third, 2 from the third to the first.
    this.addCorner(key, k === 0 ? 1 - s : k === 2 ? s : 0, k === 0 ? s : k === 1 ? 1 - s : 0);
  }

  private addMiddle(t: number, k: number): void {
    const { complex } = this.surroundings;
    middleSharesInto(shares, complex, this.crack, t);
    const [a, b] = [shares[0], shares[1]];
    this.addCorner(this.keys.triangles + 3 * t + middleCorner(complex, this.crack, t, k), a, b);
  }

  private divideTriangle(t: number): void {
    const { crack } = this;
    const { edge, triangles } = this.surroundings.complex;
    const h = 3 * t;
    const crossed = (crack[edge[h]] > 0 ? 1 : 0) + (crack[edge[h + 1]] > 0 ? 1 : 0) + (crack[edge[h + 2]] > 0 ? 1 : 0);
    if (crossed === 2) {
      // Corner o is cut off; p and q follow it.
      const p = crack[edge[h]] === 0 ? 0 : crack[edge[h + 1]] === 0 ? 1 : 2;
      this.cutOff(t, (p + 2) % 3, p, (p + 1) % 3);
      return;
    }
    for (let k = 0; k < 3; k++) {
      const n = (k + 1) % 3;
      const isWhole = crack[edge[h + k]] === 0;
      if (this.isShown(triangles[h + k])) {
        this.startTriangle(t);
        this.addVertex(t, k);
        if (isWhole) this.addVertex(t, n);
        else this.addOnEdge(t, k, k);
        this.addMiddle(t, k);
      }
      if (isWhole || !this.isShown(triangles[h + n])) continue;
      this.startTriangle(t);
      this.addOnEdge(t, k, n);
      this.addVertex(t, n);
      this.addMiddle(t, n);
    }
  }

  /** Divides a triangle of which corner o is cut off; p and q follow it. */
  private cutOff(t: number, o: number, p: number, q: number): void {
    const { triangles } = this.surroundings.complex;
    const h = 3 * t;
    if (this.isShown(triangles[h + o])) {
      this.startTriangle(t);
      this.addVertex(t, o);
      this.addOnEdge(t, o, o);
      this.addOnEdge(t, q, o);
    }
    if (!this.isShown(triangles[h + p])) return;
    this.startTriangle(t);
    this.addOnEdge(t, o, p);
    this.addVertex(t, p);
    if (this.apart2(t, o, q) <= this.apart2(t, q, p)) {
      this.addVertex(t, q);
      this.startTriangle(t);
      this.addOnEdge(t, o, p);
      this.addVertex(t, q);
    } else {
      this.addOnEdge(t, q, q);
      this.startTriangle(t);
      this.addVertex(t, p);
      this.addVertex(t, q);
    }
    this.addOnEdge(t, q, q);
  }

  /** Square of the distance of the point on half-edge k of triangle t from corner n, at rest. */
  private apart2(t: number, k: number, n: number): number {
    const { positions: x, complex } = this.surroundings;
    const e = complex.edge[3 * t + k];
    const [u, v, c] = [3 * complex.low[e], 3 * complex.high[e], 3 * complex.triangles[3 * t + n]];
    let square = 0;
    for (let a = 0; a < 3; a++) {
      const d = x[u + a] + this.crack[e] * (x[v + a] - x[u + a]) - x[c + a];
      square += d * d;
    }
    return square;
  }

  /** An attribute of the corners: of the mesh, mixed by their shares; 0 at inner faces. */
  private mixed(values: Float32Array, width: number, skin: number): Float32Array {
    const all = new Float32Array(width * this.corners);
    for (let k = 0; k < skin; k++) {
      const t = 3 * this.partOf[Math.floor(k / 3)] * width;
      const [a, b] = [this.share[2 * k], this.share[2 * k + 1]];
      for (let n = 0; n < width; n++)
        all[width * k + n] = a * values[t + n] + b * values[t + width + n] + (1 - a - b) * values[t + 2 * width + n];
    }
    return all;
  }

  /** Rows of SkinMesh.source. All corners of a triangle lie in one triangle of the file, whose number comes first. */
  private mixedSource(source: Float32Array, skin: number): Float32Array {
    const all = this.mixed(source, 3, skin);
    for (let k = 0; k < skin; k++) all[3 * k] = source[9 * this.partOf[Math.floor(k / 3)]];
    return all;
  }
}

/** Knots whose particles are not listed yet: see Knots. */
type Unlisted = Required<Pick<Knots, 'corner' | 'vertex' | 'base'>>;

/** Lists the particles that knots follow. Knots of one base follow the same ones, which are listed once. */
export function listKnots({ corner, vertex, base }: Unlisted, { rows }: Torn, sides: Sides, kept: KeptWeights): Knots {
  const like = new Int32Array(base.length);
  const firstOf = firstRoom.take(sides.vertices).fill(-1);
  for (let n = 0; n < base.length; n++) {
    like[n] = firstOf[base[n]];
    if (like[n] < 0) firstOf[base[n]] = n;
  }
  const own = counting(rows.particleEnd - rows.particleStart);
  const knots = { corner, vertex, own, like, base };
  const full = () => ({ ...knots, ...listParticles(sides, base, like) });
  return { ...knots, ...listParticles(sides, base, like, kept), kept, full };
}

/** The particles of knots; of those whose shares are kept, if `kept` is given, the nearest alone. */
function listParticles(sides: Sides, base: Uint32Array, like: Int32Array, kept?: KeptWeights) {
  const start = new Uint32Array(base.length);
  const end = new Uint32Array(base.length);
  const isShort = (v: number) => kept !== undefined && kept.countOf(v) > 0;
  let most = 0;
  for (let n = 0; n < base.length; n++) if (like[n] < 0) most += isShort(base[n]) ? 1 : sides.mostOf(base[n]);
  const particle = followedRoom.take(most);
  const kernel = kernelRoom.take(most);
  let last = 0;
  for (let n = 0; n < base.length; n++) {
    if (like[n] >= 0) {
      start[n] = start[like[n]];
      end[n] = end[like[n]];
      continue;
    }
    start[n] = last;
    if (isShort(base[n])) {
      particle[last] = sides.anchor[base[n]];
      kernel[last++] = 1;
    } else last = sides.followInto(particle, kernel, last, base[n]);
    end[n] = last;
  }
  return { start, end, particle: particle.slice(0, last), kernel: kernel.slice(0, last) };
}

/** Most corners of the parts of one triangle: six parts. */
const MOST_CORNERS = 18;
const shares = new Float64Array(3);

// Room that is kept between calls: a body that breaks is torn many times a second.
const knotRoom = new Scratch(Int32Array);
const pointRoom = new Scratch(Int32Array);
const partRoom = new Scratch();
const shareRoom = new Scratch(Float64Array);
const cornerRoom = new Scratch();
const vertexRoom = new Scratch();
const baseRoom = new Scratch();
const placeRoom = new Scratch(Float64Array);
const onMeshRoom = new Scratch(Uint8Array);
const firstRoom = new Scratch(Int32Array);
const followedRoom = new Scratch();
const kernelRoom = new Scratch(Float32Array);
