import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import type { Near } from '../skin/blend.js';
import { pickRows } from '../skin/skinMesh.js';
import { ball, buildGrid, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import type { Views } from '../state/layout.js';
import type { NearList, Sight } from './rebindVertices.js';

/** Number of particles that a vertex follows, and reach of their kernel, as in skin/blend.ts. */
export const NEIGHBOURS = 12;
const KERNEL_REACH = 1.2;
/**
 * First search radius over the distance that the last vertex needed, and growth of the radius where it was too small.
 */
const FARTHER = 1.1;
const WIDER = 1.3;
/** Edge of a cell in spacings. */
const CELL = 1.4;

/**
 * Finds the particles of a body that a point of its rest shape follows: the nearest that the point may follow, as far
 * as they share a cluster with the very nearest. Particles are named by their ancestors.
 */
export class Finder {
  private crowd: Crowd | undefined;
  private readonly near = newNeighbourList(64);
  /** Point and radius of the last search, and how many particles it found. */
  private readonly seen = new Float64Array(4).fill(Number.NaN);
  private all = 0;
  /** Radius of the next search. */
  private reach = 0;
  /** Per cluster: `marking` if it holds the nearest particle, with which the others must share a cluster. */
  private readonly marks: Uint32Array;
  private marking = 0;

  /** `first`: by ancestor, the body's first particle of it; −1 where it has none. */
  constructor(
    private readonly s: Views,
    private readonly body: Body,
    private readonly first: Int32Array,
  ) {
    this.marks = new Uint32Array(body.rows.clusterEnd - body.rows.clusterStart);
  }

  /**
   * Adds the particles that vertex v follows. The search radius is at first about that of the last vertex and grows as
   * needed: a larger one costs more and finds the same.
   */
  find(rest: Float64Array, v: number, list: NearList, sight: Sight): void {
    this.crowd ??= this.gather();
    const { crowd, seen } = this;
    const x = rest[3 * v];
    const y = rest[3 * v + 1];
    const z = rest[3 * v + 2];
    // With a blade, the vertices of a face come in pairs at one position, one for each side.
    if (seen[0] !== x || seen[1] !== y || seen[2] !== z) {
      seen[0] = x;
      seen[1] = y;
      seen[2] = z;
      this.look(this.reach);
    }
    let count = this.pick(crowd, sight);
    while (count < NEIGHBOURS && this.all < crowd.grid.count) {
      this.look(WIDER * seen[3]);
      count = this.pick(crowd, sight);
    }
    // A splinter of the mesh without a particle of its own follows the nearest particles of any part.
    if (count === 0) count = this.pick(crowd);
    else if (count === NEIGHBOURS && distances[count - 1] > 0) this.reach = FARTHER * Math.sqrt(distances[count - 1]);
    this.add(count, list);
  }

  /**
   * Adds the nearest of the particles that a vertex followed before; false where too few of them are left. They were
   * all that are within reach of the vertex, so no nearer one is missed. Their distances follow from the kernel (1 −
   * d²/r²)².
   */
  narrow({ start, particle, kernel }: Near, v: number, list: NearList, sight: Sight): boolean {
    const last = start[v + 1];
    if (last - start[v] < NEIGHBOURS) return false;
    let count = 0;
    for (let n = start[v]; n < last; n++)
      if (sight.sees(particle[n])) count = insert(count, 1 - Math.sqrt(kernel[n]), particle[n]);
    if (count < NEIGHBOURS) return false;
    this.add(count, list);
    return true;
  }

  /** Sorts the particles into cells, at the first search. */
  private gather(): Crowd {
    const crowd = new Crowd(this.body, this.first);
    this.reach = 2 * crowd.grid.size;
    return crowd;
  }

  /** Puts all particles within `radius` into `near`. */
  private look(radius: number): void {
    const { seen } = this;
    seen[3] = radius;
    this.all = ball(this.crowd!.grid, seen[0], seen[1], seen[2], radius, this.near, 0);
  }

  /** Picks the nearest of these that `sight` allows, all without `sight`. Returns how many. */
  private pick({ ancestor }: Crowd, sight?: Sight): number {
    const { all } = this;
    const { index, distance2 } = this.near;
    let count = 0;
    for (let n = 0; n < all; n++) {
      const d2 = distance2[n];
      if (count === NEIGHBOURS && d2 >= distances[NEIGHBOURS - 1]) continue;
      const who = ancestor[index[n]];
      if (sight === undefined || sight.sees(who)) count = insert(count, d2, who);
    }
    return count;
  }

  /** Adds the picked particles that share a cluster with the first. If that is debris, in no cluster, all are added. */
  private add(count: number, list: NearList): void {
    const r2 = KERNEL_REACH * KERNEL_REACH * distances[count - 1];
    const isDebris = this.markHolders(picked[0]);
    for (let n = 0; n < count; n++)
      if (n === 0 || isDebris || this.isHeld(picked[n]))
        list.add(picked[n], r2 > 0 ? squared(1 - distances[n] / r2) : 1);
  }

  /** Marks the clusters of a particle; true if there are none. */
  private markHolders(n: number): boolean {
    const { marks } = this;
    const { linkCluster, linkStart } = this.s;
    const { clusterStart } = this.body.rows;
    const r = this.rankOf(n);
    const last = linkStart[r + 1];
    this.marking++;
    for (let l = linkStart[r]; l < last; l++) marks[linkCluster[l] - clusterStart] = this.marking;
    return linkStart[r] === last;
  }

  /** Whether a particle is in a marked cluster. */
  private isHeld(n: number): boolean {
    const { marks, marking } = this;
    const { linkCluster, linkStart } = this.s;
    const { clusterStart } = this.body.rows;
    const r = this.rankOf(n);
    const last = linkStart[r + 1];
    for (let l = linkStart[r]; l < last; l++) if (marks[linkCluster[l] - clusterStart] === marking) return true;
    return false;
  }

  private rankOf(n: number): number {
    return this.s.gatherRank[this.body.rows.particleStart + this.first[n]];
  }
}

/** The nearest particles so far, by distance. */
const picked = new Uint32Array(NEIGHBOURS);
const distances = new Float64Array(NEIGHBOURS);

/** Inserts a particle by distance, if it is among the nearest; returns how many there are. */
function insert(count: number, d2: number, who: number): number {
  if (count === NEIGHBOURS && d2 >= distances[NEIGHBOURS - 1]) return count;
  let at = count < NEIGHBOURS ? count : NEIGHBOURS - 1;
  for (; at > 0 && distances[at - 1] > d2; at--) {
    distances[at] = distances[at - 1];
    picked[at] = picked[at - 1];
  }
  distances[at] = d2;
  picked[at] = who;
  return count < NEIGHBOURS ? count + 1 : count;
}

/** The ancestors of a body's particles, at the positions they were built with, sorted into cells. */
class Crowd {
  readonly grid: PointGrid;
  /** Ancestor of each point, in the order of the cells. */
  readonly ancestor: Uint32Array;

  constructor({ builtPositions, spacing }: Body, first: Int32Array) {
    const there = new Uint32Array(first.length);
    let count = 0;
    for (let a = 0; a < first.length; a++) if (first[a] >= 0) there[count++] = a;
    const points = pickRows(builtPositions, new Float64Array(3 * count), 3, there.subarray(0, count));
    this.grid = buildGrid(points, CELL * (spacing ?? 0));
    this.ancestor = new Uint32Array(count);
    for (let n = 0; n < count; n++) this.ancestor[n] = there[this.grid.order[n]];
  }
}
