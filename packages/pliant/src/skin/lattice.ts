import { squared } from '../math/elementary.js';
/**
 * A body-centred lattice and the tetrahedra between its nodes, which are all congruent. Nodes are the points of an
 * integer grid whose three coordinates are all even or all odd; a node's number is its index in the grid. Each has 14
 * neighbours: 8 at (±1, ±1, ±1), and 6 at two steps along an axis, by the *long edges*. Nodes that are neighbours of
 * each other span the edges, triangles and tetrahedra. So a triangle has exactly one long edge, and a tetrahedron two,
 * opposite to each other.
 *
 * Around a long edge from node n along axis d there are four nodes, the apexes q = 0 to 3, counter-clockwise about d.
 * *Triangle* (n, d, q) is n, n + 2 e_d, apex q; *sector* (n, d, q) is the tetrahedron between apexes q and q + 1. Both
 * have the number 12 n + 4 d + q. A tetrahedron is a sector of both of its long edges, one between even nodes and one
 * between odd ones; its own number is that of the odd one.
 */
export class Lattice {
  readonly size: readonly [number, number, number];
  /** Number of grid points. */
  readonly count: number;
  private readonly origin = new Float64Array(3);
  /** Step of a node's number along each axis. */
  private readonly stride: readonly [number, number, number];
  /** Apexes relative to the base of a long edge, by 4 d + q. */
  private readonly apex = new Int32Array(12);
  /** The other long edge of a sector, by 4 d + q: its base relative to that of the first, and 4 axis + sector there. */
  private readonly otherBase = new Int32Array(12);
  private readonly otherSector = new Int32Array(12);

  /** Covers a box with a margin around it. */
  constructor(
    low: ArrayLike<number>,
    high: ArrayLike<number>,
    readonly unit: number,
  ) {
    const size = placesOf(low, high, unit);
    for (let a = 0; a < 3; a++) this.origin[a] = low[a] - MARGIN * unit;
    this.size = size;
    this.count = size[0] * size[1] * size[2];
    this.stride = [1, size[0], size[0] * size[1]];
    const places: number[][] = [];
    for (let d = 0; d < 3; d++)
      for (let q = 0; q < 4; q++) {
        places.push(apexOf(d, q));
        this.apex[4 * d + q] = this.offset(apexOf(d, q));
      }
    for (let d = 0; d < 3; d++)
      for (let q = 0; q < 4; q++) {
        const [a, b] = [places[4 * d + q], places[4 * d + ((q + 1) % 4)]];
        const f = [0, 1, 2].find((k) => a[k] !== b[k])!;
        const base = a[f] < b[f] ? a : b;
        const end = [0, 0, 0];
        end[d] = 2;
        const [r, s] = [[0, 0, 0], end].map(
          (node) => [0, 1, 2, 3].find((n) => apexOf(f, n).every((x, k) => x === node[k] - base[k]))!,
        );
        this.otherBase[4 * d + q] = this.offset(base);
        this.otherSector[4 * d + q] = 4 * f + ((r + 1) % 4 === s ? r : s);
      }
  }

  private offset([x, y, z]: readonly number[]): number {
    return x + this.stride[1] * y + this.stride[2] * z;
  }

  /** The node nearest to a point of the box: the nearer of the nearest even and the nearest odd node. */
  nodeAt(x: number, y: number, z: number): number {
    const { origin, unit, stride } = this;
    const u = (x - origin[0]) / unit;
    const v = (y - origin[1]) / unit;
    const w = (z - origin[2]) / unit;
    const [i, j, k] = [2 * Math.round(u / 2), 2 * Math.round(v / 2), 2 * Math.round(w / 2)];
    const [l, m, n] = [
      2 * Math.round((u - 1) / 2) + 1,
      2 * Math.round((v - 1) / 2) + 1,
      2 * Math.round((w - 1) / 2) + 1,
    ];
    const even = squared(u - i) + squared(v - j) + squared(w - k);
    const odd = squared(u - l) + squared(v - m) + squared(w - n);
    return even <= odd ? i + stride[1] * j + stride[2] * k : l + stride[1] * m + stride[2] * n;
  }

  /** Whether a point is in the box or next to it. */
  holds(x: number, y: number, z: number): boolean {
    const { origin, unit, size } = this;
    const [u, v, w] = [(x - origin[0]) / unit, (y - origin[1]) / unit, (z - origin[2]) / unit];
    return u >= 2 && v >= 2 && w >= 2 && u < size[0] - 3 && v < size[1] - 3 && w < size[2] - 3;
  }

  /** Position of a node. */
  placeInto(out: Float64Array, node: number): void {
    const { origin, unit, stride, size } = this;
    out[0] = origin[0] + unit * (node % size[0]);
    out[1] = origin[1] + unit * (Math.floor(node / stride[1]) % size[1]);
    out[2] = origin[2] + unit * Math.floor(node / stride[2]);
  }

  /**
   * Whether two nodes are equal or neighbours. The difference of their numbers tells, because nodes in use keep off the
   * border of the grid.
   */
  areNear(a: number, b: number): boolean {
    const d = Math.abs(a - b);
    if (d === 0) return true;
    const [, y, z] = this.stride;
    return this.longAxis(d) >= 0 || d === z + y + 1 || d === z + y - 1 || d === z - y + 1 || d === z - y - 1;
  }

  private longAxis(d: number): number {
    const [x, y, z] = this.stride;
    return d === 2 * x ? 0 : d === 2 * y ? 1 : d === 2 * z ? 2 : -1;
  }

  /** The triangle between three nodes that are neighbours of each other; ~triangle if their order is the reverse. */
  triangleOf(a: number, b: number, c: number): number {
    for (let turn = 0; turn < 3; turn++) {
      const d = this.longAxis(Math.abs(a - b));
      if (d >= 0) {
        const base = Math.min(a, b);
        const q = this.apex.indexOf(c - base, 4 * d) - 4 * d;
        const name = 12 * base + 4 * d + q;
        return a < b ? name : ~name;
      }
      [a, b, c] = [b, c, a];
    }
    throw new Error(`nodes ${a}, ${b}, ${c} are no neighbours of each other`);
  }

  /** The nodes of a triangle, in order. */
  cornersInto(out: Int32Array, triangle: number): void {
    const base = Math.floor(triangle / 12);
    const way = triangle - 12 * base;
    out[0] = base;
    out[1] = base + 2 * this.stride[way >> 2];
    out[2] = base + this.apex[way];
  }

  /** The same tetrahedron as a sector of its other long edge. */
  otherName(sector: number): number {
    const base = Math.floor(sector / 12);
    const way = sector - 12 * base;
    return 12 * (base + this.otherBase[way]) + this.otherSector[way];
  }

  /**
   * How often a closed surface of triangles encloses each tetrahedron, by its number. surface[t] is how often triangle
   * t is part of that surface, with its normal outward. Tetrahedra on both sides of a triangle differ by that number;
   * far outside it is 0.
   */
  fill(surface: Int16Array): Int8Array {
    const around = new Int8Array(12 * this.count);
    const isKnown = new Uint8Array(12 * this.count);
    const stack: number[] = [12 * this.offset([1, 1, 1])];
    isKnown[stack[0]] = 1;
    const visit = (tetrahedron: number, times: number) => {
      if (isKnown[tetrahedron] || !this.isInside(tetrahedron)) return;
      isKnown[tetrahedron] = 1;
      around[tetrahedron] = times;
      stack.push(tetrahedron);
    };
    while (stack.length > 0) {
      const t = stack.pop()!;
      const times = around[t];
      visit(before(t), times + surface[t]);
      visit(after(t), times - surface[after(t)]);
      const o = this.otherName(t);
      visit(this.otherName(before(o)), times + surface[o]);
      visit(this.otherName(after(o)), times - surface[after(o)]);
    }
    return around;
  }

  /** Whether a tetrahedron lies wholly within the grid. */
  private isInside(tetrahedron: number): boolean {
    const { size, stride } = this;
    const base = Math.floor(tetrahedron / 12);
    const [x, y, z] = [base % size[0], Math.floor(base / stride[1]) % size[1], Math.floor(base / stride[2])];
    return x >= 1 && y >= 1 && z >= 1 && x < size[0] - 3 && y < size[1] - 3 && z < size[2] - 3;
  }
}

/** Grid points around the box: room for nodes of the box, their neighbours, and the neighbours of these. */
const MARGIN = 5;

/** Number of grid points along each axis of a box. */
export const placesOf = (low: ArrayLike<number>, high: ArrayLike<number>, unit: number) =>
  [0, 1, 2].map((a) => Math.ceil((high[a] - low[a]) / unit) + 2 * MARGIN + 1) as [number, number, number];

/** The previous and the next sector around the same long edge. */
export const before = (sector: number) => ((sector & 3) === 0 ? sector + 3 : sector - 1);
export const after = (sector: number) => ((sector & 3) === 3 ? sector - 3 : sector + 1);

/** Apex q of a long edge along axis d, relative to its base. */
function apexOf(d: number, q: number): number[] {
  const at = [0, 0, 0];
  at[d] = 1;
  at[(d + 1) % 3] = q === 0 || q === 3 ? 1 : -1;
  at[(d + 2) % 3] = q < 2 ? 1 : -1;
  return at;
}
