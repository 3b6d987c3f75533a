import { clipped, clipSegment, heightOf, isOnBlade, type Knife } from './knife.js';
import { type CutMesh, MeshBuilder } from './mesh.js';

/**
 * Where a surface meets a plane. Every vertex is above the plane or below it, decided once, so that there is no vertex on it and no case to be
 * told apart: an edge is crossed or it is not, the crossing is one point for both of its triangles, and the points of a closed surface follow one
 * another in closed loops whatever rounding did to their places.
 *
 * A *node* is a point of the cut's face. Those of the surface come from crossed edges, and from where the blade's border crosses a triangle. On
 * the blade a node is two vertices, one above and one below; at its border and beyond, where the surface goes on, it is one.
 */
export class Section {
  readonly builder: MeshBuilder;
  /** Per node: its place in the axes of the plane, x y. */
  readonly at: number[] = [];
  /** Per node: its vertices above and below; the same where it is one. −1 until they are made. */
  readonly above: number[] = [];
  readonly below: number[] = [];
  /** Per node: the next one along the face's border, the face to its left seen from above; −1: none. */
  readonly next: number[] = [];
  /** Nodes at which the surface's way comes onto the blade and leaves it, and by which edge of its border. */
  readonly entries: { node: number; edge: number }[] = [];
  readonly exits: { node: number; edge: number }[] = [];
  /** Pairs of nodes: the way across each crossed triangle, whether the blade reaches it or not. */
  readonly segments: number[] = [];
  /** Mean length of the edges that were crossed (m). */
  edgeLength = 0;
  /** Per vertex of the mesh: 1 above, −1 below. */
  private readonly side: Int8Array;
  private readonly height: Float64Array;
  /** Per half-edge that is crossed: its node and, where made, its row of attributes. */
  private readonly nodeOf = new Map<number, number>();
  private readonly rowOf = new Map<number, number>();
  private readonly twin = new Map<number, number>();
  /** Per node of an edge: vertex below, vertex above, and the share of the way between them. */
  private readonly ends: number[] = [];

  constructor(
    private readonly mesh: CutMesh,
    private readonly knife: Knife,
  ) {
    const count = mesh.now.length / 3;
    this.side = new Int8Array(count);
    this.height = new Float64Array(count);
    for (let v = 0; v < count; v++) {
      this.height[v] = heightOf(knife, mesh.now[3 * v], mesh.now[3 * v + 1], mesh.now[3 * v + 2]);
      this.side[v] = this.height[v] >= 0 ? 1 : -1;
    }
    this.builder = new MeshBuilder(mesh, knife.border ? new Int8Array(count) : this.side);
    this.findNodes();
    this.divideTriangles();
  }

  /** The point where a crossed half-edge meets the plane is that of its other half: edges with more than two triangles are paired off. */
  private findNodes(): void {
    const { indices } = this.mesh;
    const count = this.side.length;
    const waiting = new Map<number, number[]>();
    let length = 0;
    for (let h = 0; h < indices.length; h++) {
      const a = indices[h];
      const b = indices[after(h)];
      if (this.side[a] === this.side[b]) continue;
      const others = waiting.get(b * count + a);
      const other = others?.pop();
      if (other === undefined) {
        const mine = waiting.get(a * count + b);
        if (mine) mine.push(h);
        else waiting.set(a * count + b, [h]);
        this.nodeOf.set(h, this.crossEdge(a, b));
        for (let k = 0; k < 3; k++) lengths[k] = this.mesh.now[3 * b + k] - this.mesh.now[3 * a + k];
        length += Math.sqrt(lengths[0] ** 2 + lengths[1] ** 2 + lengths[2] ** 2);
      } else {
        this.nodeOf.set(h, this.nodeOf.get(other)!);
        this.twin.set(h, other);
        this.twin.set(other, h);
      }
    }
    this.edgeLength = this.above.length > 0 ? length / this.above.length : 0;
  }

  private crossEdge(a: number, b: number): number {
    const [low, high] = this.side[a] < 0 ? [a, b] : [b, a];
    const t = this.height[low] / (this.height[low] - this.height[high]);
    // Never in a vertex itself: what is left of the triangle keeps an area.
    const share = Math.min(1 - NEAREST, Math.max(NEAREST, t));
    const node = this.addNode(...this.project(low, high, share));
    this.ends[3 * node] = low;
    this.ends[3 * node + 1] = high;
    this.ends[3 * node + 2] = share;
    return node;
  }

  private project(a: number, b: number, t: number): [number, number] {
    const { now } = this.mesh;
    const { point, u, v } = this.knife;
    let [x, y] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const p = now[3 * a + k] + t * (now[3 * b + k] - now[3 * a + k]) - point[k];
      x += p * u[k];
      y += p * v[k];
    }
    return [x, y];
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

  /** Gives the node of an edge its vertices. */
  private make(node: number): void {
    if (this.above[node] >= 0) return;
    const [low, high, t] = this.ends.slice(3 * node, 3 * node + 3);
    const on = this.isOn(node);
    this.above[node] = this.builder.between(low, high, t, on ? 1 : 0);
    this.below[node] = on ? this.builder.copy(this.above[node], -1) : this.above[node];
  }

  /** Attributes where a half-edge is crossed; both halves have one row where their corners do. */
  private row(h: number): number {
    let row = this.rowOf.get(h);
    if (row !== undefined) return row;
    const { corners, indices } = this.mesh;
    const [low, , t] = this.ends.slice(3 * this.nodeOf.get(h)!, 3 * this.nodeOf.get(h)! + 3);
    const [a, b] = indices[h] === low ? [h, after(h)] : [after(h), h];
    row = this.builder.mix(corners[a], corners[b], t);
    this.rowOf.set(h, row);
    const other = this.twin.get(h);
    if (other !== undefined && corners[h] === corners[after(other)] && corners[after(h)] === corners[other])
      this.rowOf.set(other, row);
    return row;
  }

  private divideTriangles(): void {
    const { mesh, side, builder } = this;
    const { indices, corners, inner } = mesh;
    const beyond: number[] = [];
    for (let t = 0; t < indices.length / 3; t++) {
      const [a, b, c] = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
      if (side[a] === side[b] && side[b] === side[c])
        builder.triangle(a, b, c, corners[3 * t], corners[3 * t + 1], corners[3 * t + 2], inner[t], t);
      else if (!this.divide(t)) beyond.push(t);
    }
    // Those that the blade does not reach are divided where their neighbours were.
    for (const t of beyond) this.follow(t);
  }

  /** Divides a crossed triangle along the plane; false if the blade does not reach it. */
  private divide(t: number): boolean {
    const [down, up] = this.crossed(t);
    const [first, last] = [this.nodeOf.get(down)!, this.nodeOf.get(up)!];
    this.segments.push(first, last);
    const chain = [first];
    const add = (share: number, on: boolean) => {
      const node = this.addNode(
        this.at[2 * first] + share * (this.at[2 * last] - this.at[2 * first]),
        this.at[2 * first + 1] + share * (this.at[2 * last + 1] - this.at[2 * first + 1]),
      );
      chain.push(node);
      pending.push({ node, share, on });
      return node;
    };
    pending.length = 0;
    const { border } = this.knife;
    if (border) {
      const [begins, ends] = [this.isOn(first), this.isOn(last)];
      const [ax, ay, bx, by] = [this.at[2 * first], this.at[2 * first + 1], this.at[2 * last], this.at[2 * last + 1]];
      const meets = clipSegment(border, ax, ay, bx, by);
      if (!begins && !ends && !(meets && clipped.to - clipped.from > 2 * NEAREST)) return false;
      const { inBy, outBy } = clipped;
      const [from, to] = [clipped.from, clipped.to].map((s) => Math.min(1 - NEAREST, Math.max(NEAREST, s)));
      if (!begins) this.entries.push({ node: add(from, false), edge: inBy });
      // A way across that has no node on the blade would not open.
      if (!begins && !ends) add((from + to) / 2, true);
      if (!ends) this.exits.push({ node: add(to, false), edge: outBy });
      chain.push(last);
      const onBlade = chain.slice(begins ? 0 : 1, ends ? undefined : -1);
      for (let k = 0; k + 1 < onBlade.length; k++) this.next[onBlade[k]] = onBlade[k + 1];
    } else {
      chain.push(last);
      this.next[first] = last;
    }
    this.make(first);
    this.make(last);
    const rows = [this.row(down), ...pending.map(({ share }) => share), this.row(up)];
    pending.forEach(({ node, share, on }, k) => {
      this.above[node] = this.builder.between(this.above[first], this.above[last], share, on ? 1 : 0);
      this.below[node] = on ? this.builder.copy(this.above[node], -1) : this.above[node];
      rows[k + 1] = this.builder.mix(rows[0], rows[rows.length - 1], share);
    });
    this.emit(t, down, up, chain, rows);
    return true;
  }

  /** The half-edges of a triangle by which its border goes down through the plane and up. */
  private crossed(t: number): [number, number] {
    const { indices } = this.mesh;
    let [down, up] = [-1, -1];
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const [a, b] = [this.side[indices[h]], this.side[indices[after(h)]]];
      if (a > b) down = h;
      else if (a < b) up = h;
    }
    return [down, up];
  }

  /**
   * The triangles on both sides of a chain from the edge `down` to the edge `up`. Seen from outside with the plane's normal upward the chain goes
   * to the right. One side is a triangle about its lone vertex, the other a quadrangle, divided by its shorter diagonal.
   */
  private emit(t: number, down: number, up: number, chain: number[], rows: number[]): void {
    const { indices, corners, inner } = this.mesh;
    const { builder } = this;
    const last = chain.length - 1;
    // From above: top left and top right of the chain, bottom left and right.
    const [topLeft, bottomLeft, bottomRight, topRight] = [down, after(down), up, after(up)];
    const half = (nodes: number[], left: number, right: number, isAbove: boolean) => {
      const fan = left === right || this.isNearer(indices[left], nodes[last], indices[right], nodes[0]) ? left : right;
      const tri = (a: number, b: number, c: number, ra: number, rb: number, rc: number) =>
        isAbove
          ? builder.triangle(a, b, c, ra, rb, rc, inner[t], t)
          : builder.triangle(b, a, c, rb, ra, rc, inner[t], t);
      for (let k = 0; k < last; k++) tri(nodes[k], nodes[k + 1], indices[fan], rows[k], rows[k + 1], corners[fan]);
      if (left === right) return;
      const k = fan === left ? last : 0;
      tri(indices[left], nodes[k], indices[right], corners[left], rows[k], corners[right]);
    };
    half(
      chain.map((n) => this.above[n]),
      topLeft,
      topRight,
      true,
    );
    half(
      chain.map((n) => this.below[n]),
      bottomLeft,
      bottomRight,
      false,
    );
  }

  /** Whether a is nearer to b than c to d. */
  private isNearer(a: number, b: number, c: number, d: number): boolean {
    const { now } = this.builder;
    let [ab, cd] = [0, 0];
    for (let k = 0; k < 3; k++) {
      ab += (now[3 * a + k] - now[3 * b + k]) ** 2;
      cd += (now[3 * c + k] - now[3 * d + k]) ** 2;
    }
    return ab <= cd;
  }

  /** A crossed triangle that the blade does not reach: nodes that its neighbours made divide it too, nothing opens. */
  private follow(t: number): void {
    const { builder } = this;
    const { indices, corners, inner } = this.mesh;
    const [down, up] = this.crossed(t);
    const [first, last] = [this.nodeOf.get(down)!, this.nodeOf.get(up)!];
    const made = [down, up].filter((h) => this.above[this.nodeOf.get(h)!] >= 0);
    if (made.length === 2) {
      this.emit(t, down, up, [first, last], [this.row(down), this.row(up)]);
      return;
    }
    const tri = (vertices: number[], rows: number[]) =>
      builder.triangle(vertices[0], vertices[1], vertices[2], rows[0], rows[1], rows[2], inner[t], t);
    if (made.length === 0) {
      const h = [3 * t, 3 * t + 1, 3 * t + 2];
      tri(
        h.map((k) => indices[k]),
        h.map((k) => corners[k]),
      );
      return;
    }
    const [h] = made;
    const [a, b, c] = [h, after(h), after(after(h))];
    const [node, row] = [this.above[this.nodeOf.get(h)!], this.row(h)];
    tri([indices[a], node, indices[c]], [corners[a], row, corners[c]]);
    tri([node, indices[b], indices[c]], [row, corners[b], corners[c]]);
  }
}

const lengths = [0, 0, 0];
const pending: { node: number; share: number; on: boolean }[] = [];

/** Share of an edge that is left at its ends where the plane passes nearer: below it f32 positions of a metre cannot tell the two. */
const NEAREST = 1e-4;

const after = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
