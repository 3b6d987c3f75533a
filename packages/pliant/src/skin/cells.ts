import { growUntil, MIN_LENGTH } from '../limits.js';
import { squared } from '../math/elementary.js';
import { buildEdges, endOf, startOf } from '../mesh/edges.js';
import type { Near } from './blend.js';
import { after, Lattice, placesOf } from './lattice.js';
import type { SkinMesh } from './skinMesh.js';

/**
 * The inside of a closed render mesh, divided into cells. First come the cells below the triangles, one each and
 * numbered as these, which reach down to the lattice. Then come the tetrahedra of the lattice inside. Every face lies
 * between two cells. Vertices are those of the mesh, then the nodes.
 */
export interface Cells {
  /** Whether the mesh is closed. If it is not, there are faces below its edges only, and inner faces are not shown. */
  readonly isClosed: boolean;
  readonly count: number;
  /** Rest positions of the nodes, x y z (m). */
  readonly nodes: Float64Array;
  /** Per tetrahedron: its four vertices. */
  readonly tetrahedra: Uint32Array;
  /** Per face: the cell behind it, from which the normals of its triangles point away, and the cell in front. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** First triangle of each face; faces + 1 offsets. */
  readonly start: Uint32Array;
  /** Three vertices a triangle. */
  readonly triangles: Uint32Array;
}

/** Grid step of the lattice in spacings: a node stands for four particles. */
const UNIT = 1;
/** Greatest number of grid points; larger bodies get a coarser lattice. */
const MOST = 300_000;
/** Longest part of an edge that is not halved, in grid steps: 1.4 / √2. */
const LONGEST = 0.99;

/**
 * Divides the inside of a render mesh into cells, by combinatorics alone, so that nothing depends on rounding. Every
 * vertex of the mesh is assigned to the nearest node of a lattice. An edge whose ends are assigned to nodes that are
 * not neighbours is halved, again and again, until the ends of every part are. So edges become paths of the lattice,
 * triangles become surfaces of the lattice, and the mesh becomes a closed surface G of the lattice.
 *
 * The space between a triangle and its surface is a cell; the tetrahedra that G encloses are the other cells. The
 * border of every cell is closed, and each face belongs to two cells. So the border of any set of cells is closed, and
 * the volumes of the cells add up to that of the mesh, wherever the nodes are. Nodes are put at the mean of the
 * particles around them.
 */
export function divideInside(mesh: SkinMesh, near: Near, particles: Float64Array, spacing: number): Cells {
  return new Division(mesh, near, spacing).run(particles);
}

class Division {
  private readonly lattice: Lattice;
  /** Node of the lattice to which each vertex is assigned. */
  private readonly node: Uint32Array;
  private readonly vertices: number;
  /** Number of each node in use, and the list of these. */
  private readonly number: Int32Array;
  private readonly used: number[] = [];
  private isClosed = true;
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly start: number[] = [0];
  private readonly triangles: number[] = [];
  /** Sides of lattice triangles that belong to cells, in a linked list for each triangle: `head`, then `next`. */
  private readonly head: Int32Array;
  private readonly next: number[] = [];
  private readonly sideCell: number[] = [];
  /** 1 where the cell lies behind the triangle, −1 where it lies in front, 0 where both sides cancelled. */
  private readonly sideSign: number[] = [];

  constructor(
    private readonly mesh: SkinMesh,
    private readonly near: Near,
    spacing: number,
  ) {
    const { positions: x } = mesh;
    // A piece may have no surface: then there is nothing to divide.
    const [low, high] = [[0, 1, 2].map((a) => x[a] ?? 0), [0, 1, 2].map((a) => x[a] ?? 0)];
    for (let k = 0; k < x.length; k++) {
      low[k % 3] = Math.min(low[k % 3], x[k]);
      high[k % 3] = Math.max(high[k % 3], x[k]);
    }
    // The spacing of coincident particles is 0: the size of the mesh is used instead.
    const widest = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], MIN_LENGTH);
    const unit = growUntil(
      spacing > 0 ? UNIT * spacing : widest / 4,
      1.25,
      (u) => placesOf(low, high, u).reduce((product, n) => product * n, 1) <= MOST,
    );
    this.lattice = new Lattice(low, high, unit);
    this.vertices = x.length / 3;
    this.node = new Uint32Array(this.vertices);
    for (let v = 0; v < this.vertices; v++) this.node[v] = this.lattice.nodeAt(x[3 * v], x[3 * v + 1], x[3 * v + 2]);
    this.number = new Int32Array(this.lattice.count).fill(-1);
    this.head = new Int32Array(12 * this.lattice.count).fill(-1);
  }

  run(particles: Float64Array): Cells {
    this.hangCurtains();
    const count = this.mesh.indices.length / 3;
    const tetrahedra: number[] = [];
    if (this.isClosed) {
      for (let t = 0; t < count; t++) this.sink(t);
      this.fillMidst(count, tetrahedra);
      this.pairSides(count);
    }
    return {
      isClosed: this.isClosed,
      count: count + tetrahedra.length / 4,
      nodes: this.placeNodes(particles),
      tetrahedra: Uint32Array.from(tetrahedra),
      from: Uint32Array.from(this.from),
      to: Uint32Array.from(this.to),
      start: Uint32Array.from(this.start),
      triangles: Uint32Array.from(this.triangles),
    };
  }

  /** The vertex that stands for a node of the lattice. */
  private vertexOf(node: number): number {
    if (this.number[node] < 0) this.number[node] = this.used.push(node) - 1;
    return this.vertices + this.number[node];
  }

  /**
   * Adds the faces below the edges of the mesh, from each edge down to its path. Where more than two triangles meet,
   * they are paired, one of each direction.
   */
  private hangCurtains(): void {
    const { indices } = this.mesh;
    const { edgeCount, first, next } = buildEdges(indices);
    const [up, down]: number[][] = [[], []];
    const path: number[] = [];
    for (let e = 0; e < edgeCount; e++) {
      up.length = down.length = path.length = 0;
      for (let h = first[e]; h >= 0; h = next[h])
        (startOf(indices, h) < endOf(indices, h) ? up : down).push(Math.floor(h / 3));
      if (up.length !== down.length) this.isClosed = false;
      const [s, t] = [startOf(indices, first[e]), endOf(indices, first[e])];
      const [u, v] = [Math.min(s, t), Math.max(s, t)];
      this.findPath(u, v, path);
      for (let n = 0; n < Math.min(up.length, down.length); n++)
        if (up[n] !== down[n]) this.hang(up[n], down[n], u, v, path);
    }
  }

  /**
   * Adds the face below an edge. The cell `from` has the triangle that runs from u to v. The face goes v, u, and back
   * along the path, whose halves are joined to u and to v.
   */
  private hang(from: number, to: number, u: number, v: number, path: readonly number[]): void {
    const middle = (path.length - 1) >> 1;
    this.triangles.push(v, u, this.vertexOf(path[middle]));
    for (let n = 0; n + 1 < path.length; n++)
      this.triangles.push(n < middle ? u : v, this.vertexOf(path[n]), this.vertexOf(path[n + 1]));
    this.endFace(from, to);
  }

  private endFace(from: number, to: number): void {
    this.from.push(from);
    this.to.push(to);
    this.start.push(this.triangles.length / 3);
  }

  /** Finds the nodes below the edge from u to v, each a neighbour of the one before. */
  private findPath(u: number, v: number, path: number[]): void {
    const { positions: x } = this.mesh;
    path.push(this.node[u]);
    this.walk(
      x[3 * u],
      x[3 * u + 1],
      x[3 * u + 2],
      this.node[u],
      x[3 * v],
      x[3 * v + 1],
      x[3 * v + 2],
      this.node[v],
      path,
    );
  }

  private walk(
    x: number,
    y: number,
    z: number,
    node: number,
    X: number,
    Y: number,
    Z: number,
    end: number,
    path: number[],
  ): void {
    if (node === end) return;
    if (!this.isLong(node, end, squared(x - X) + squared(y - Y) + squared(z - Z))) {
      path.push(end);
      return;
    }
    // The midpoint is the same number from either end: a triangle halves its edges as this walk does.
    const [mx, my, mz] = [(x + X) / 2, (y + Y) / 2, (z + Z) / 2];
    const middle = this.lattice.nodeAt(mx, my, mz);
    this.walk(x, y, z, node, mx, my, mz, middle, path);
    this.walk(mx, my, mz, middle, X, Y, Z, end, path);
  }

  /** Gives the cell below a triangle of the mesh its sides on the lattice; it lies in front of that surface. */
  private sink(t: number): void {
    const { positions: x, indices } = this.mesh;
    for (let k = 0; k < 3; k++) {
      const v = indices[3 * t + k];
      for (let a = 0; a < 3; a++) corner[4 * k + a] = x[3 * v + a];
      corner[4 * k + 3] = this.node[v];
    }
    this.divide(t, corner);
  }

  /**
   * Whether an edge must be halved: its ends are assigned to nodes that are not neighbours, or it is so long that
   * points between may be. Regions of nodes that are not neighbours are 1/√2 of a grid step apart, so halving ends.
   *
   * Without the second condition, the tip of a triangle can alternate between the ends of an edge that is not halved,
   * at a third and two thirds of it. A box of twelve triangles did so for ever when edges were halved in their order.
   * To halve the longest edge first was enough for that box, but is no proof.
   */
  private isLong(node: number, end: number, square: number): boolean {
    if (node === end) return false;
    return square > squared(LONGEST * this.lattice.unit) || !this.lattice.areNear(node, end);
  }

  /** Divides a part of a triangle, given by three corners of x y z and node each, until its corners are neighbours. */
  private divide(t: number, p: Float64Array): void {
    const { lattice } = this;
    let k = -1;
    let longest = 0;
    for (let n = 0; n < 3; n++) {
      const [i, j] = [4 * n, 4 * ((n + 1) % 3)];
      const square = squared(p[i] - p[j]) + squared(p[i + 1] - p[j + 1]) + squared(p[i + 2] - p[j + 2]);
      if (square <= longest || !this.isLong(p[i + 3], p[j + 3], square)) continue;
      k = n;
      longest = square;
    }
    if (k < 0) {
      const [a, b, c] = [p[3], p[7], p[11]];
      if (a === b || b === c || c === a) return;
      const triangle = lattice.triangleOf(a, b, c);
      this.addSide(t, triangle < 0 ? ~triangle : triangle, triangle < 0 ? 1 : -1);
      return;
    }
    // One edge at a time. The others follow, by the same rule in all parts that have them.
    const l = (k + 1) % 3;
    const [q, r] = [p.slice(), p.slice()];
    for (let n = 0; n < 3; n++) q[4 * l + n] = r[4 * k + n] = (p[4 * k + n] + p[4 * l + n]) / 2;
    q[4 * l + 3] = r[4 * k + 3] = lattice.nodeAt(q[4 * l], q[4 * l + 1], q[4 * l + 2]);
    this.divide(t, q);
    this.divide(t, r);
  }

  /** Adds a side of a lattice triangle to a cell. If the cell already has the opposite side, both cancel. */
  private addSide(cell: number, triangle: number, sign: number): void {
    const { head, next, sideCell, sideSign } = this;
    for (let n = head[triangle]; n >= 0 && sideCell[n] === cell; n = next[n])
      if (sideSign[n] === -sign) {
        sideSign[n] = 0;
        return;
      }
    next.push(head[triangle]);
    head[triangle] = sideCell.push(cell) - 1;
    sideSign.push(sign);
  }

  /** Adds the tetrahedra inside the lattice surface. */
  private fillMidst(first: number, tetrahedra: number[]): void {
    const { lattice, head, next, sideSign } = this;
    const surface = new Int16Array(head.length);
    for (let n = 0; n < head.length; n++) for (let s = head[n]; s >= 0; s = next[s]) surface[n] -= sideSign[s];
    const around = lattice.fill(surface);
    for (let n = 0; n < around.length; n++) {
      const times = Math.abs(around[n]);
      if (times === 0) continue;
      const sign = Math.sign(around[n]);
      const other = lattice.otherName(n);
      // A surface that passes through itself encloses some tetrahedra twice: that gives two cells.
      for (let k = 0; k < times; k++) {
        const cell = first + tetrahedra.length / 4;
        for (const sector of [n, other]) {
          lattice.cornersInto(nodes, sector);
          tetrahedra.push(this.vertexOf(nodes[0]), this.vertexOf(nodes[1]));
          this.addSide(cell, sector, -sign);
          this.addSide(cell, after(sector), sign);
        }
      }
    }
  }

  /**
   * Makes faces of the lattice triangles between two cells. Where more than two cells meet, as beside a cut where two
   * layers of mesh lie, cells below the mesh are paired with tetrahedra.
   */
  private pairSides(skin: number): void {
    const { head, next, sideCell, sideSign, lattice } = this;
    const [behind, ahead]: number[][] = [[], []];
    for (let n = 0; n < head.length; n++) {
      if (head[n] < 0) continue;
      behind.length = ahead.length = 0;
      for (let s = head[n]; s >= 0; s = next[s])
        if (sideSign[s] !== 0) (sideSign[s] > 0 ? behind : ahead).push(sideCell[s]);
      if (behind.length > 1) {
        behind.sort((a, b) => a - b);
        ahead.sort((a, b) => b - a);
        // Sorted so that a cell below the mesh is paired with a tetrahedron as long as there are both.
        const fits = (a: number, b: number) => a < skin !== b < skin;
        for (let k = 0; k < behind.length; k++) {
          const other = ahead.findIndex((b, m) => m >= k && fits(behind[k], b));
          if (other > k) [ahead[k], ahead[other]] = [ahead[other], ahead[k]];
        }
      }
      lattice.cornersInto(nodes, n);
      for (let k = 0; k < Math.min(behind.length, ahead.length); k++) {
        if (behind[k] === ahead[k]) continue;
        for (const node of nodes) this.triangles.push(this.vertexOf(node));
        this.endFace(behind[k], ahead[k]);
      }
    }
  }

  /**
   * Puts each node at the mean of the particles around it. A node without particles is put halfway between the mesh
   * vertices assigned to it and the particles around those.
   */
  private placeNodes(particles: Float64Array): Float64Array {
    const { lattice, used, number, mesh, node } = this;
    const at = new Float64Array(3 * used.length);
    const count = new Uint32Array(used.length);
    const add = (n: number, x: ArrayLike<number>, o: number) => {
      count[n]++;
      for (let a = 0; a < 3; a++) at[3 * n + a] += x[o + a];
    };
    for (let o = 0; o < particles.length; o += 3) {
      if (!lattice.holds(particles[o], particles[o + 1], particles[o + 2])) continue;
      const n = number[lattice.nodeAt(particles[o], particles[o + 1], particles[o + 2])];
      if (n >= 0) add(n, particles, o);
    }
    const isEmpty = count.map((k) => (k === 0 ? 1 : 0));
    const { start, particle } = this.near;
    for (let v = 0; v < this.vertices; v++) {
      const n = number[node[v]];
      if (n < 0 || !isEmpty[n]) continue;
      add(n, mesh.positions, 3 * v);
      const around = start[v + 1] - start[v];
      if (around === 0) continue;
      place.fill(0);
      for (let k = start[v]; k < start[v + 1]; k++)
        for (let a = 0; a < 3; a++) place[a] += particles[3 * particle[k] + a] / around;
      add(n, place, 0);
    }
    for (let n = 0; n < used.length; n++) {
      if (count[n] === 0) {
        lattice.placeInto(place, used[n]);
        add(n, place, 0);
      }
      for (let a = 0; a < 3; a++) at[3 * n + a] /= count[n];
    }
    return at;
  }
}
const corner = new Float64Array(12);
const nodes = new Int32Array(3);
const place = new Float64Array(3);
