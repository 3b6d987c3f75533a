import { squared } from '../math/elementary.js';
import { Scratch } from '../scratch.js';
import { type Clipped, clipSegment, heightOf, isOnBlade, type Knife } from './knife.js';
import { type CutMesh, MeshBuilder } from './mesh.js';

/**
 * The section of a mesh by a plane. Every vertex counts as above the plane or below it, decided once; none is on it. So
 * there are no special cases: an edge is crossed or it is not, and the crossing is one point for both of its triangles.
 * The crossings of a closed mesh form closed loops, however their positions are rounded.
 *
 * A *node* is a point of the cut's face. Nodes on the surface come from crossed edges, and from points where the
 * blade's border crosses a triangle. On the blade a node is two vertices, one above and one below. At the blade's
 * border and beyond, where the surface is not divided, it is one vertex.
 */
export class Section {
  readonly builder: MeshBuilder;
  /** Per node: its position in the axes of the plane, x y. */
  readonly at: number[] = [];
  /** Per node: its vertices above and below, equal where it is one vertex; −1 until they are made. */
  readonly above: number[] = [];
  readonly below: number[] = [];
  /** Per node: the next one along the face's border, with the face to the left as seen from above; −1: none. */
  readonly next: number[] = [];
  /** Nodes at which the section enters the blade and leaves it, and the edge of the blade's border there. */
  readonly entries: { node: number; edge: number }[] = [];
  readonly exits: { node: number; edge: number }[] = [];
  /** Pairs of nodes: the segment across each crossed triangle, whether the blade reaches it or not. */
  readonly segments: number[] = [];
  /** Mean length of the crossed edges (m). */
  edgeLength = 0;
  /** Per vertex of the mesh: 1 above, −1 below. */
  private readonly side: Int8Array;
  private readonly height: Float64Array;
  /** Per crossed half-edge: its node, its other half and, where made, its row of attributes; else −1. */
  private readonly nodeOf: Int32Array;
  private readonly twin: Int32Array;
  private readonly rowOf: Int32Array;
  /** Per node of an edge: vertex below, vertex above, and the node's fraction along the way from below to above. */
  private readonly ends: number[] = [];
  /** Of the triangle at hand: the half-edges at which its border crosses the plane downwards and upwards. */
  private down = -1;
  private up = -1;
  /** The part of the segment under test that is on the blade. */
  private readonly clipped: Clipped = { from: 0, to: 1, inBy: -1, outBy: -1 };
  /** Nodes from the half-edge `down` to `up`, a row of attributes for each, and those nodes that are not on an edge. */
  private readonly chain: number[] = [];
  private readonly rows: number[] = [];
  private readonly pending: { node: number; share: number; on: boolean }[] = [];

  constructor(
    private readonly mesh: CutMesh,
    private readonly knife: Knife,
  ) {
    const count = mesh.now.length / 3;
    this.side = rooms.side.take(count);
    this.height = rooms.height.take(count);
    for (let v = 0; v < count; v++) {
      this.height[v] = heightOf(knife, mesh.now[3 * v], mesh.now[3 * v + 1], mesh.now[3 * v + 2]);
      this.side[v] = this.height[v] >= 0 ? 1 : -1;
    }
    this.nodeOf = rooms.nodeOf.take(mesh.indices.length).fill(-1);
    this.twin = rooms.twin.take(mesh.indices.length).fill(-1);
    this.rowOf = rooms.rowOf.take(mesh.indices.length).fill(-1);
    this.builder = new MeshBuilder(mesh, knife.border ? new Int8Array(count) : this.side);
    this.findNodes();
    this.divideTriangles();
  }

  /**
   * Makes one node for both halves of each crossed edge. Where more than two triangles meet at an edge, half-edges are
   * paired off.
   */
  private findNodes(): void {
    const { side, nodeOf, twin } = this;
    const { indices, now } = this.mesh;
    const count = side.length;
    // The last half-edge from a to b that waits for its other half, and for each half-edge the one that waited before
    // it.
    const waiting = new Map<number, number>();
    const earlier = new Map<number, number>();
    let length = 0;
    for (let h = 0; h < indices.length; h++) {
      const a = indices[h];
      const b = indices[after(h)];
      if (side[a] === side[b]) continue;
      const other = waiting.get(b * count + a) ?? -1;
      if (other < 0) {
        earlier.set(h, waiting.get(a * count + b) ?? -1);
        waiting.set(a * count + b, h);
        nodeOf[h] = this.crossEdge(a, b);
        const [x, y, z] = [now[3 * b] - now[3 * a], now[3 * b + 1] - now[3 * a + 1], now[3 * b + 2] - now[3 * a + 2]];
        length += Math.sqrt(squared(x) + squared(y) + squared(z));
      } else {
        waiting.set(b * count + a, earlier.get(other)!);
        nodeOf[h] = nodeOf[other];
        twin[h] = other;
        twin[other] = h;
      }
    }
    this.edgeLength = this.above.length > 0 ? length / this.above.length : 0;
  }

  private crossEdge(a: number, b: number): number {
    const [low, high] = this.side[a] < 0 ? [a, b] : [b, a];
    const t = this.height[low] / (this.height[low] - this.height[high]);
    // Never at a vertex itself, so that the parts of the triangle have an area.
    const share = inside(t);
    const node = this.project(low, high, share);
    this.ends[3 * node] = low;
    this.ends[3 * node + 1] = high;
    this.ends[3 * node + 2] = share;
    return node;
  }

  /** Adds a node at the fraction t from vertex a to b, projected onto the plane. */
  private project(a: number, b: number, t: number): number {
    const { now } = this.mesh;
    const { point, u, v } = this.knife;
    let [x, y] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const p = now[3 * a + k] + t * (now[3 * b + k] - now[3 * a + k]) - point[k];
      x += p * u[k];
      y += p * v[k];
    }
    return this.addNode(x, y);
  }

  addNode(x: number, y: number): number {
    this.at.push(x, y);
    this.above.push(-1);
    this.below.push(-1);
    return this.next.push(-1) - 1;
  }

  /** Whether a node lies on the blade. */
  isOn(node: number): boolean {
    return isOnBlade(this.knife, this.at[2 * node], this.at[2 * node + 1]);
  }

  /** Makes the vertices of a node on an edge. */
  private make(node: number): void {
    if (this.above[node] >= 0) return;
    const { ends } = this;
    const on = this.isOn(node);
    this.above[node] = this.builder.between(ends[3 * node], ends[3 * node + 1], ends[3 * node + 2], on ? 1 : 0);
    this.below[node] = on ? this.builder.copy(this.above[node], -1) : this.above[node];
  }

  /**
   * Row of attributes at the crossing of a half-edge. Both halves have the same row if their corners have the same
   * rows.
   */
  private row(h: number): number {
    const { rowOf, ends, twin } = this;
    if (rowOf[h] >= 0) return rowOf[h];
    const { corners, indices } = this.mesh;
    const end = 3 * this.nodeOf[h];
    const [a, b] = indices[h] === ends[end] ? [h, after(h)] : [after(h), h];
    rowOf[h] = this.builder.mix(corners[a], corners[b], ends[end + 2]);
    const other = twin[h];
    if (other >= 0 && corners[h] === corners[after(other)] && corners[after(h)] === corners[other])
      rowOf[other] = rowOf[h];
    return rowOf[h];
  }

  private divideTriangles(): void {
    const { mesh, side, builder } = this;
    const { indices, corners, inner } = mesh;
    const beyond: number[] = [];
    for (let t = 0; t < indices.length / 3; t++) {
      const a = indices[3 * t];
      const b = indices[3 * t + 1];
      const c = indices[3 * t + 2];
      if (side[a] === side[b] && side[b] === side[c])
        builder.triangle(a, b, c, corners[3 * t], corners[3 * t + 1], corners[3 * t + 2], inner[t], t);
      else if (!this.divide(t)) beyond.push(t);
    }
    // Triangles that the blade does not reach get the nodes that their neighbours have on common edges.
    for (const t of beyond) this.divideBesideBlade(t);
  }

  /** Divides a crossed triangle along the plane; false if the blade does not reach it. */
  private divide(t: number): boolean {
    const { chain, pending } = this;
    const { border } = this.knife;
    this.cross(t);
    const { down, up } = this;
    const first = this.nodeOf[down];
    const last = this.nodeOf[up];
    this.segments.push(first, last);
    chain.length = pending.length = 0;
    chain.push(first);
    if (border) {
      if (!this.clip(border, first, last)) return false;
    } else {
      chain.push(last);
      this.next[first] = last;
    }
    this.make(first);
    this.make(last);
    this.fillRows();
    this.emit(t);
    return true;
  }

  /**
   * Continues the chain to `last`, with nodes where it enters the blade and leaves it; false if the blade does not
   * reach it.
   */
  private clip(border: Float64Array, first: number, last: number): boolean {
    const { at, chain, next, clipped } = this;
    const [begins, ends] = [this.isOn(first), this.isOn(last)];
    const meets = clipSegment(clipped, border, at[2 * first], at[2 * first + 1], at[2 * last], at[2 * last + 1]);
    if (!begins && !ends && !(meets && clipped.to - clipped.from > 2 * NEAREST)) return false;
    const { inBy, outBy } = clipped;
    const [from, to] = [inside(clipped.from), inside(clipped.to)];
    if (!begins) this.entries.push({ node: this.addAlong(first, last, from, false), edge: inBy });
    // A chain without a node on the blade would not open.
    if (!begins && !ends) this.addAlong(first, last, (from + to) / 2, true);
    if (!ends) this.exits.push({ node: this.addAlong(first, last, to, false), edge: outBy });
    chain.push(last);
    const past = ends ? chain.length : chain.length - 1;
    for (let k = begins ? 0 : 1; k + 1 < past; k++) next[chain[k]] = chain[k + 1];
    return true;
  }

  /** Adds a node between two others, either on the blade (`on`) or on its border. */
  private addAlong(first: number, last: number, share: number, on: boolean): number {
    const { at } = this;
    const node = this.addNode(
      at[2 * first] + share * (at[2 * last] - at[2 * first]),
      at[2 * first + 1] + share * (at[2 * last + 1] - at[2 * first + 1]),
    );
    this.chain.push(node);
    this.pending.push({ node, share, on });
    return node;
  }

  /** Makes the rows of attributes of the chain's nodes, and the vertices of those between its ends. */
  private fillRows(): void {
    const { builder, above, below, rows, pending, chain } = this;
    const first = above[chain[0]];
    const last = above[chain[chain.length - 1]];
    rows.length = 0;
    const [from, to] = [this.row(this.down), this.row(this.up)];
    rows.push(from);
    for (const { node, share, on } of pending) {
      above[node] = builder.between(first, last, share, on ? 1 : 0);
      below[node] = on ? builder.copy(above[node], -1) : above[node];
      rows.push(builder.mix(from, to, share));
    }
    rows.push(to);
  }

  /** Finds the half-edges of a triangle at which its border crosses the plane downwards and upwards. */
  private cross(t: number): void {
    const { side } = this;
    const { indices } = this.mesh;
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const a = side[indices[h]];
      const b = side[indices[after(h)]];
      if (a > b) this.down = h;
      else if (a < b) this.up = h;
    }
  }

  /**
   * Adds the triangles on both sides of the chain from the edge `down` to the edge `up`. Seen from outside, with the
   * plane's normal upward, the chain runs to the right. One side is a fan about a single vertex, the other a
   * quadrilateral, divided by its shorter diagonal.
   */
  private emit(t: number): void {
    const { down, up } = this;
    // Corners left and right of the chain: first those above it, then those below it.
    this.emitSide(t, this.above, down, after(up), true);
    this.emitSide(t, this.below, after(down), up, false);
  }

  private emitSide(t: number, vertexOf: number[], left: number, right: number, isAbove: boolean): void {
    const { chain, rows } = this;
    const { indices, corners } = this.mesh;
    const last = chain.length - 1;
    const isLeft =
      left === right || this.isNearer(indices[left], vertexOf[chain[last]], indices[right], vertexOf[chain[0]]);
    const fan = isLeft ? left : right;
    for (let k = 0; k < last; k++) {
      const [a, b] = [vertexOf[chain[k]], vertexOf[chain[k + 1]]];
      this.addTriangle(t, isAbove, a, b, indices[fan], rows[k], rows[k + 1], corners[fan]);
    }
    if (left === right) return;
    const k = fan === left ? last : 0;
    const middle = vertexOf[chain[k]];
    this.addTriangle(t, isAbove, indices[left], middle, indices[right], corners[left], rows[k], corners[right]);
  }

  /** Adds a part of triangle t; below the chain its orientation is reversed. */
  private addTriangle(
    t: number,
    isAbove: boolean,
    a: number,
    b: number,
    c: number,
    ra: number,
    rb: number,
    rc: number,
  ): void {
    const inner = this.mesh.inner[t];
    if (isAbove) this.builder.triangle(a, b, c, ra, rb, rc, inner, t);
    else this.builder.triangle(b, a, c, rb, ra, rc, inner, t);
  }

  /** Whether a is nearer to b than c is to d. */
  private isNearer(a: number, b: number, c: number, d: number): boolean {
    const { now } = this.builder;
    let ab = 0;
    let cd = 0;
    for (let k = 0; k < 3; k++) {
      ab += squared(now[3 * a + k] - now[3 * b + k]);
      cd += squared(now[3 * c + k] - now[3 * d + k]);
    }
    return ab <= cd;
  }

  /**
   * Divides a crossed triangle that the blade does not reach by the nodes that its neighbours made; nothing opens
   * there.
   */
  private divideBesideBlade(t: number): void {
    const { above, nodeOf, chain, rows } = this;
    const { indices, corners } = this.mesh;
    this.cross(t);
    const { down, up } = this;
    const [first, last] = [nodeOf[down], nodeOf[up]];
    const [hasFirst, hasLast] = [above[first] >= 0, above[last] >= 0];
    if (hasFirst && hasLast) {
      chain.length = rows.length = 0;
      chain.push(first, last);
      rows.push(this.row(down), this.row(up));
      this.emit(t);
      return;
    }
    const h = hasFirst ? down : hasLast ? up : 3 * t;
    const [a, b, c] = [h, after(h), after(after(h))];
    if (!hasFirst && !hasLast) {
      this.addTriangle(t, true, indices[a], indices[b], indices[c], corners[a], corners[b], corners[c]);
      return;
    }
    const [node, row] = [above[nodeOf[h]], this.row(h)];
    this.addTriangle(t, true, indices[a], node, indices[c], corners[a], row, corners[c]);
    this.addTriangle(t, true, node, indices[b], indices[c], row, corners[b], corners[c]);
  }
}

// Scratch of the one section at a time.
const rooms = {
  side: new Scratch(Int8Array),
  height: new Scratch(Float64Array),
  nodeOf: new Scratch(Int32Array),
  twin: new Scratch(Int32Array),
  rowOf: new Scratch(Int32Array),
};

/**
 * Least distance of a crossing from the ends of its edge, as a share of its length. Nearer than that, f32 positions of
 * a metre cannot distinguish the two.
 */
const NEAREST = 1e-4;

/** Clamps a fraction so that it keeps this distance from both ends. */
const inside = (share: number) => Math.min(1 - NEAREST, Math.max(NEAREST, share));

const after = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
