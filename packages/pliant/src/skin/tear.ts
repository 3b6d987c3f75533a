import { counting } from '../scratch.js';
import type { Knots } from './knots.js';
import { findFlaps, partPinches } from './pinches.js';
import { NO_KNOT } from './shade.js';
import { NO_ANCHOR, Sides, type Torn } from './sides.js';
import type { SkinMesh } from './skinMesh.js';

/** The shown mesh of a body that has come apart, and its knots: the render mesh, then the inner faces laid open. */
export interface Tear {
  mesh: SkinMesh;
  knots: Knots;
}

/**
 * Tears a render mesh where its body has come apart (SPEC V3). Every cell belongs to the side with most of the matter
 * in it. A face between two cells that no longer hang together is open, and each of the cells shows its side of it.
 * Cells around a vertex that are connected by faces that are not open share a knot there. Cells that hold only debris
 * are not shown, but the faces of their neighbours towards them are. So the surface of each piece stays closed.
 */
export function tear(mesh: SkinMesh, torn: Torn): Tear {
  const tearing = new Tearing(mesh, torn);
  tearing.openFaces();
  tearing.joinCorners();
  return tearing.show();
}

/** Rounds of smoothing for the faces of cracks. */
const ROUNDS = 3;

class Tearing {
  private readonly sides: Sides;
  private readonly anchor: Int32Array;
  private readonly isOpen: Uint8Array;
  /** Per vertex: 1 if a face around it is open. */
  private readonly isTorn: Uint8Array;
  private readonly vertices: number;
  /**
   * Corners of cells at torn vertices, in a linked list for each vertex: `head`, then `next`. `parent` is a union-find
   * forest of those that share a knot.
   */
  private readonly head: Int32Array;
  private readonly next: number[] = [];
  private readonly parent: number[] = [];
  private readonly cornerCell: number[] = [];
  private readonly cornerVertex: number[] = [];

  constructor(
    private readonly mesh: SkinMesh,
    private readonly torn: Torn,
  ) {
    const { cells, positions } = torn.surroundings;
    this.sides = new Sides(torn);
    this.vertices = positions.length / 3;
    this.anchor = new Int32Array(cells.count);
    for (let c = 0; c < cells.count; c++) this.anchor[c] = this.sides.anchorOf(c);
    this.isOpen = new Uint8Array(cells.from.length);
    this.isTorn = new Uint8Array(this.vertices);
    this.head = new Int32Array(this.vertices).fill(-1);
  }

  openFaces(): void {
    const { from, to, start, triangles } = this.torn.surroundings.cells;
    const { anchor, sides, isOpen, isTorn } = this;
    for (let f = 0; f < from.length; f++) {
      const [a, b] = [anchor[from[f]], anchor[to[f]]];
      if (a === b) continue;
      if (a !== NO_ANCHOR && b !== NO_ANCHOR && sides.areHeld(f, a, b)) continue;
      isOpen[f] = 1;
      for (let k = 3 * start[f]; k < 3 * start[f + 1]; k++) isTorn[triangles[k]] = 1;
    }
  }

  joinCorners(): void {
    const { from, to, start, triangles } = this.torn.surroundings.cells;
    const { anchor, isOpen, isTorn, parent } = this;
    for (let f = 0; f < from.length; f++) {
      if (isOpen[f] || anchor[from[f]] === NO_ANCHOR) continue;
      for (let k = 3 * start[f]; k < 3 * start[f + 1]; k++) {
        const v = triangles[k];
        if (!isTorn[v]) continue;
        const a = this.root(this.cornerOf(from[f], v));
        const b = this.root(this.cornerOf(to[f], v));
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }

  private cornerOf(cell: number, v: number): number {
    const { head, next, cornerCell } = this;
    for (let n = head[v]; n >= 0; n = next[n]) if (cornerCell[n] === cell) return n;
    const corner = this.parent.length;
    next.push(head[v]);
    head[v] = corner;
    this.parent.push(corner);
    cornerCell.push(cell);
    this.cornerVertex.push(v);
    return corner;
  }

  private root(n: number): number {
    const { parent } = this;
    while (parent[n] !== n) n = parent[n] = parent[parent[n]];
    return n;
  }

  /**
   * Collects the shown triangles. Each corner gets a name at first: the number of its vertex, or for a torn vertex the
   * number of vertices plus the root of its corner.
   */
  show(): Tear {
    const { mesh, torn, anchor, isTorn, isOpen, vertices } = this;
    const { isClosed, from, to, start, triangles } = torn.surroundings.cells;
    const skin = mesh.indices.length;
    let length = skin;
    for (let f = 0; f < from.length && isClosed; f++)
      if (isOpen[f])
        for (const cell of [from[f], to[f]]) if (anchor[cell] !== NO_ANCHOR) length += 3 * (start[f + 1] - start[f]);
    const corner = new Uint32Array(length);
    const vertex = new Uint32Array(length);
    vertex.set(mesh.indices);
    const owner = new Uint32Array(length / 3);
    // Per vertex that is not torn: the first cell that shows it, whose anchor it gets.
    const holder = new Int32Array(vertices).fill(-1);
    const name = (cell: number, v: number) => {
      if (isTorn[v]) return vertices + this.root(this.cornerOf(cell, v));
      if (holder[v] < 0) holder[v] = cell;
      return v;
    };
    for (let k = 0; k < skin; k++) {
      const cell = (k - (k % 3)) / 3;
      owner[cell] = cell;
      corner[k] = anchor[cell] === NO_ANCHOR ? NO_KNOT : name(cell, mesh.indices[k]);
    }
    let end = skin;
    const add = (cell: number, v: number) => {
      vertex[end] = v;
      corner[end++] = name(cell, v);
    };
    for (let f = 0; f < from.length && isClosed; f++) {
      if (!isOpen[f]) continue;
      for (const turn of [0, 1]) {
        const cell = turn ? to[f] : from[f];
        if (anchor[cell] === NO_ANCHOR) continue;
        for (let k = 3 * start[f]; k < 3 * start[f + 1]; k += 3) {
          owner[end / 3] = cell;
          add(cell, triangles[k]);
          add(cell, triangles[k + 1 + turn]);
          add(cell, triangles[k + 2 - turn]);
        }
      }
    }
    return { mesh: this.withInner(vertex), knots: this.numberKnots(corner, holder, owner) };
  }

  /**
   * Rest positions, in which open faces are smoother than the lattice: in each round a vertex moves halfway to the mean
   * of its neighbours. Both sides have the same positions, so that volumes still add up.
   */
  private smoothPlaces(): Float64Array {
    const { isOpen, mesh, torn } = this;
    const { from, start, triangles } = torn.surroundings.cells;
    const places = torn.surroundings.positions.slice();
    const sum = new Float64Array(places.length);
    const count = new Uint16Array(this.vertices);
    const fixed = mesh.positions.length / 3;
    for (let round = 0; round < ROUNDS; round++) {
      sum.fill(0);
      count.fill(0);
      for (let f = 0; f < from.length; f++)
        for (let k = 3 * start[f]; isOpen[f] && k < 3 * start[f + 1]; k++) {
          const v = triangles[k];
          if (v < fixed) continue;
          const [a, b] = k % 3 === 0 ? [k + 1, k + 2] : k % 3 === 1 ? [k + 1, k - 1] : [k - 2, k - 1];
          count[v] += 2;
          for (let c = 0; c < 3; c++) sum[3 * v + c] += places[3 * triangles[a] + c] + places[3 * triangles[b] + c];
        }
      for (let v = fixed; v < this.vertices; v++)
        for (let c = 3 * v; c < 3 * v + 3 && count[v] > 0; c++) places[c] += (sum[c] / count[v] - places[c]) / 2;
    }
    return places;
  }

  /** The render mesh with the inner faces behind it. */
  private withInner(vertex: Uint32Array): SkinMesh {
    const { mesh } = this;
    const lengthen = (width: number, values?: Float32Array) => {
      if (!values) return undefined;
      const longer = new Float32Array(width * vertex.length);
      longer.set(values);
      return longer;
    };
    const inner = new Uint8Array(vertex.length / 3).fill(1);
    if (mesh.inner) inner.set(mesh.inner);
    else inner.fill(0, 0, mesh.indices.length / 3);
    return {
      positions: this.smoothPlaces(),
      indices: vertex,
      uvs: lengthen(2, mesh.uvs),
      colours: lengthen(3, mesh.colours),
      ...(mesh.source && { source: lengthen(3, mesh.source) }),
      inner: mesh.inner || vertex.length > mesh.indices.length ? inner : undefined,
      near: mesh.near && this.torn.surroundings.near,
      crease: mesh.crease,
    };
  }

  /**
   * Turns the names of corners into knots, in the order of the vertices: a body that has not come apart at its surface
   * keeps its numbers.
   */
  private numberKnots(corner: Uint32Array, holder: Int32Array, owner: Uint32Array): Knots {
    const { vertices, anchor, cornerCell, sides } = this;
    const number = new Uint32Array(vertices + this.parent.length).fill(NO_KNOT);
    for (let k = 0; k < corner.length; k++) if (corner[k] !== NO_KNOT) number[corner[k]] = 0;
    const { head, next } = this.tornNames(number);
    const list = new KnotList();
    for (let v = 0; v < vertices; v++) {
      const first = number[v] === NO_KNOT ? head[v] : v;
      if (first < 0) continue;
      sides.at(v);
      for (let name = first; name >= 0; name = name < vertices ? -1 : next[name - vertices]) {
        const cell = name < vertices ? holder[name] : cornerCell[name - vertices];
        number[name] = list.add(v, sides, anchor[cell], name >= vertices);
      }
    }
    const torn = this.tornTriangles(corner);
    for (let k = 0; k < corner.length; k++) if (corner[k] !== NO_KNOT) corner[k] = number[corner[k]];
    const isFlap = findFlaps(cornersOf(corner, torn));
    const left = torn.filter((_, n) => !isFlap[n]);
    torn.forEach((t, n) => {
      if (isFlap[n]) corner.fill(NO_KNOT, 3 * t, 3 * t + 3);
    });
    const some = cornersOf(corner, left);
    const cells = Uint32Array.from(left, (t) => owner[t]);
    for (const knot of partPinches(some, cells, list.count, (n) => list.isTorn[n])) list.copy(knot);
    left.forEach((t, n) => {
      for (let k = 0; k < 3; k++) corner[3 * t + k] = some[3 * n + k];
    });
    const { particleStart, particleEnd } = this.torn.rows;
    return { corner, ...list.finish(), own: counting(particleEnd - particleStart) };
  }

  /**
   * Triangles with a torn vertex. The surface can be pinched only there, and all triangles around such a vertex are
   * needed.
   */
  private tornTriangles(corner: Uint32Array): number[] {
    const { vertices } = this;
    const triangles: number[] = [];
    for (let k = 0; k < corner.length; k += 3)
      if (corner[k] !== NO_KNOT && (corner[k] >= vertices || corner[k + 1] >= vertices || corner[k + 2] >= vertices))
        triangles.push(k / 3);
    return triangles;
  }

  /** The names in use of each torn vertex, in order, as linked lists. */
  private tornNames(number: Uint32Array) {
    const { vertices, parent, cornerVertex } = this;
    const head = new Int32Array(vertices).fill(-1);
    const next = new Int32Array(parent.length).fill(-1);
    for (let n = parent.length - 1; n >= 0; n--) {
      if (number[vertices + n] === NO_KNOT) continue;
      next[n] = head[cornerVertex[n]];
      head[cornerVertex[n]] = vertices + n;
    }
    return { head, next };
  }
}

/** The corners of some triangles. */
function cornersOf(corner: Uint32Array, triangles: readonly number[]): Uint32Array {
  const some = new Uint32Array(3 * triangles.length);
  for (let n = 0; n < some.length; n++) some[n] = corner[3 * triangles[(n - (n % 3)) / 3] + (n % 3)];
  return some;
}

/** Knots under construction. */
class KnotList {
  private readonly vertex: number[] = [];
  private readonly start: number[] = [0];
  /** Per knot: whether it is at a torn vertex. */
  readonly isTorn: boolean[] = [];
  private end = 0;

  /** Adds a knot at vertex v, of the last call of sides.at, that follows the side of the particle `anchor`. */
  add(v: number, sides: Sides, anchor: number, isTorn: boolean): number {
    this.isTorn.push(isTorn);
    const { particle, kernel, sideOf, count } = sides;
    const side = sides.sideWith(anchor);
    if (this.end + count + 1 > entryParticle.length) makeRoom(this.end + count + 1);
    let { end } = this;
    if (side >= 0)
      for (let e = 0; e < count; e++)
        if (sideOf[e] === side && kernel[e] > 0) {
          entryParticle[end] = particle[e];
          entryKernel[end] = kernel[e];
          if (kernel[e] > entryKernel[this.end]) putFirst(this.end, end);
          end++;
        }
    // No particle of its piece is around: it follows the anchor alone.
    if (end === this.end) {
      entryParticle[end] = anchor;
      entryKernel[end++] = 1;
    }
    this.start.push((this.end = end));
    return this.vertex.push(v) - 1;
  }

  get count(): number {
    return this.vertex.length;
  }

  /** Adds a knot at the same vertex that follows the same particles. */
  copy(knot: number): void {
    const [first, last] = [this.start[knot], this.start[knot + 1]];
    if (this.end + last - first > entryParticle.length) makeRoom(this.end + last - first);
    entryParticle.copyWithin(this.end, first, last);
    entryKernel.copyWithin(this.end, first, last);
    this.start.push((this.end += last - first));
    this.vertex.push(this.vertex[knot]);
  }

  finish(): Omit<Knots, 'corner' | 'own'> {
    return {
      vertex: Uint32Array.from(this.vertex),
      start: Uint32Array.from(this.start),
      particle: entryParticle.slice(0, this.end),
      kernel: entryKernel.slice(0, this.end),
    };
  }
}

// Room for the particles of knots, kept between calls: a body that breaks is torn many times a second, and growing
// lists cost more than their entries.
let entryParticle = new Uint32Array(0);
let entryKernel = new Float32Array(0);

/** Swaps an entry with the first. */
function putFirst(first: number, e: number): void {
  [entryParticle[first], entryParticle[e]] = [entryParticle[e], entryParticle[first]];
  [entryKernel[first], entryKernel[e]] = [entryKernel[e], entryKernel[first]];
}

function makeRoom(count: number): void {
  const [particle, kernel] = [new Uint32Array(2 * count), new Float32Array(2 * count)];
  particle.set(entryParticle);
  kernel.set(entryKernel);
  [entryParticle, entryKernel] = [particle, kernel];
}
