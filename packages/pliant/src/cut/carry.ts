import type { Body } from '../body/body.js';
import { ball, buildGrid, found, type PointGrid } from '../cluster/grid.js';
import type { Near } from '../skin/blend.js';
import type { Views } from '../state/layout.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';
import { widened } from './mesh.js';
import type { Parts } from './parts.js';

/** Particles that a vertex follows and how far their kernel reaches, as in skin/blend.ts. */
const NEIGHBOURS = 12;
const KERNEL_REACH = 1.2;
/** How much farther than the last vertex needed to look around, and where that was too near. */
const FARTHER = 1.1;
const WIDER = 1.3;

/**
 * Which particles each vertex of a cut surface follows: those around it that the cut does not part it from. Vertices that were there keep theirs but
 * for what is across the cut. New ones take, of the particles nearest on their side, those that share a cluster with the very nearest:
 * across older cuts none do. The state is that after the cut. What is returned lasts until the next such list is made.
 */
export function carryVertices(
  s: Views,
  body: Body,
  sides: Sides,
  parts: Parts,
  knife: Knife,
  cut: CutMeshResult,
  before: Near,
): Near {
  const old = before.start.length - 1;
  const count = cut.side.length;
  const list = new NearList(count);
  const finder = new Finder(s, body);
  const sight = new Sight(knife, sides, parts, cut, old);
  for (let v = 0; v < count; v++) {
    if (parts.ofVertex[v] >= 0) {
      sight.lookFrom(v);
      if (v >= old || !keep(before, v, finder.first, sight, list)) finder.find(cut.rest, v, list, sight);
    }
    list.end(v);
  }
  return list.taken;
}

// Entries on their way, of one list at a time: fresh memory for them costs more than what is written into it.
let particles = new Uint32Array(1024);
let kernels = new Float64Array(1024);

function widen(): void {
  particles = widened(particles);
  kernels = widened(kernels);
}

/** What vertices follow, one after the other. */
export class NearList {
  /** Entries so far. */
  length = 0;
  private readonly start: Uint32Array;

  constructor(vertices: number) {
    this.start = new Uint32Array(vertices + 1);
  }

  add(particle: number, kernel: number): void {
    if (this.length === particles.length) widen();
    particles[this.length] = particle;
    kernels[this.length++] = kernel;
  }

  /** Entries of another list. */
  addAll(particle: Uint32Array, kernel: Float64Array, from: number, to: number): void {
    while (this.length + to - from > particles.length) widen();
    const into = this.length - from;
    for (let n = from; n < to; n++) {
      particles[into + n] = particle[n];
      kernels[into + n] = kernel[n];
    }
    this.length = into + to;
  }

  /** That was all of vertex v. */
  end(v: number): void {
    this.start[v + 1] = this.length;
  }

  /** All of it, until another list is begun. */
  get taken(): Near {
    const { start, length } = this;
    return { start, particle: particles.subarray(0, length), kernel: kernels.subarray(0, length) };
  }
}

/** A vertex goes on with the particles it had, if it may with all of them. */
function keep(before: Near, v: number, first: Int32Array, sight: Sight, list: NearList): boolean {
  const { particle, kernel } = before;
  const from = before.start[v];
  const to = before.start[v + 1];
  if (!sight.seesAll(particle, from, to, first)) return false;
  list.addAll(particle, kernel, from, to);
  return true;
}

/** Whether a vertex may follow a particle: of its own part and, where a blade ends inside the body, not through the blade. */
class Sight {
  private part = -1;
  private isSolid = false;
  /** Whether that is all there is to say. */
  private isPart = false;
  private isAbove = false;
  /** Of a blade: whether the vertex is on its border, and so beside everything; the height over it and the place in its axes. */
  private isBorder = false;
  private h = 0;
  private a = 0;
  private b = 0;

  /** `old`: vertices that were there before the cut. */
  constructor(
    private readonly knife: Knife,
    private readonly sides: Sides,
    private readonly parts: Parts,
    private readonly cut: CutMeshResult,
    private readonly old: number,
  ) {}

  lookFrom(v: number): void {
    const { knife, parts } = this;
    const { now, side } = this.cut;
    this.part = parts.ofVertex[v];
    this.isSolid = parts.isSolid[this.part] === 1;
    this.isPart = this.isSolid && !knife.border;
    this.isAbove = side[v] > 0;
    if (!knife.border) return;
    const { point, u, v: w } = knife;
    const x = now[3 * v] - point[0];
    const y = now[3 * v + 1] - point[1];
    const z = now[3 * v + 2] - point[2];
    this.isBorder = v >= this.old && side[v] === 0;
    this.h = side[v] !== 0 ? 0 : heightOf(knife, now[3 * v], now[3 * v + 1], now[3 * v + 2]);
    if (side[v] === 0) this.isAbove = this.h >= 0;
    this.a = x * u[0] + y * u[1] + z * u[2];
    this.b = x * w[0] + y * w[1] + z * w[2];
  }

  /** Whether it may follow all of some particles, said by their number when the body was built: `first` has the number of each now. */
  seesAll(particle: Uint32Array, from: number, to: number, first: Int32Array): boolean {
    for (let n = from; n < to; n++) {
      const i = first[particle[n]];
      if (i < 0 || !this.sees(i)) return false;
    }
    return true;
  }

  sees(i: number): boolean {
    const { ofParticle } = this.parts;
    if (this.isPart) return ofParticle[i] === this.part;
    const { knife, part, isSolid, isAbove, h, a, b } = this;
    const { height, at } = this.sides;
    if (!knife.border) return height[i] >= 0 === isAbove;
    if (isSolid && ofParticle[i] >= 0 && ofParticle[i] !== part) return false;
    if (this.isBorder || height[i] >= 0 === isAbove) return true;
    const t = h / (h - height[i]);
    return !isOnBlade(knife, a + t * (at[2 * i] - a), b + t * (at[2 * i + 1] - b));
  }
}

/** Finds particles of a body around places of its rest shape. */
export class Finder {
  /** Of the particles that the body was built with: the first that is one of them or a copy, −1 where there is none. */
  readonly first: Int32Array;
  private known: PointGrid | undefined;
  private readonly near = found(64);
  /** Where it looked around last and how far, and how many it found. */
  private readonly seen = new Float64Array(4).fill(Number.NaN);
  private all = 0;
  /** How far to look around. */
  private reach = 0;
  private readonly start: number;
  private readonly firstCluster: number;
  /** The particle that those followed must share a cluster with, whether it is in none, and per cluster `marking` if it is in that one. */
  private nearest = 0;
  private isDebris = false;
  private readonly marks: Uint32Array;
  private marking = 0;

  constructor(
    private readonly s: Views,
    private readonly body: Body,
  ) {
    const { rows, builtPositions } = body;
    this.start = rows.particleStart;
    this.firstCluster = rows.clusterStart;
    this.marks = new Uint32Array(rows.clusterEnd - rows.clusterStart);
    this.first = new Int32Array(builtPositions.length / 3).fill(-1);
    for (let i = rows.particleEnd - 1; i >= rows.particleStart; i--) this.first[s.ancestor[i]] = i - rows.particleStart;
  }

  /** Made for the first that looks around. */
  private get grid(): PointGrid {
    if (!this.known) {
      this.known = buildGrid(this.body.builtPositions, 1.4 * (this.body.spacing ?? 0));
      this.reach = 2 * this.known.size;
    }
    return this.known;
  }

  /**
   * Adds the nearest particles that may be followed, of those the nearest shares a cluster with, by their number when the body was built. Without
   * `sight` all may be. It looks around as far as is needed, at first about as far as for the one before: farther costs more and finds the same.
   */
  find(rest: Float64Array, v: number, list: NearList, sight?: Sight): void {
    const { grid, seen } = this;
    const x = rest[3 * v];
    const y = rest[3 * v + 1];
    const z = rest[3 * v + 2];
    // The vertices of a face are there twice, one a side, one after the other.
    if (seen[0] !== x || seen[1] !== y || seen[2] !== z) this.look(x, y, z, this.reach);
    let count = this.pick(sight);
    while (count < NEIGHBOURS && this.all < grid.count) {
      this.look(x, y, z, WIDER * seen[3]);
      count = this.pick(sight);
    }
    // A splinter of the surface without a particle of its own.
    if (count === 0) count = this.pick();
    else if (count === NEIGHBOURS && distances[count - 1] > 0) this.reach = FARTHER * Math.sqrt(distances[count - 1]);
    const r2 = KERNEL_REACH * KERNEL_REACH * distances[count - 1];
    this.holdersOf(picked[0]);
    for (let n = 0; n < count; n++)
      if (this.isHeld(picked[n])) list.add(picked[n], r2 > 0 ? (1 - distances[n] / r2) ** 2 : 1);
  }

  /** All particles around a place, as far as `radius`, into `near`. */
  private look(x: number, y: number, z: number, radius: number): void {
    const { seen } = this;
    this.all = ball(this.grid, x, y, z, radius, this.near, 0);
    seen[0] = x;
    seen[1] = y;
    seen[2] = z;
    seen[3] = radius;
  }

  /** The nearest that are there and may be followed, in order, into `picked` and `distances`. */
  private pick(sight?: Sight): number {
    const { first, all } = this;
    const { index, distance2 } = this.near;
    const { order } = this.grid;
    let count = 0;
    for (let n = 0; n < all; n++) {
      const d2 = distance2[n];
      if (count === NEIGHBOURS && d2 >= distances[count - 1]) continue;
      const ancestor = order[index[n]];
      const i = first[ancestor];
      if (i < 0 || !(sight === undefined || sight.sees(i))) continue;
      let at = count < NEIGHBOURS ? count++ : count - 1;
      for (; at > 0 && distances[at - 1] > d2; at--) {
        distances[at] = distances[at - 1];
        picked[at] = picked[at - 1];
      }
      distances[at] = d2;
      picked[at] = ancestor;
    }
    return count;
  }

  /** Marks the clusters of the particle that others are to share one with. */
  private holdersOf(nearest: number): void {
    const { first, start, marks } = this;
    const { rank, linkStart, linkCluster } = this.s;
    const n = rank[start + first[nearest]];
    this.nearest = nearest;
    this.isDebris = linkStart[n] === linkStart[n + 1];
    this.marking++;
    for (let l = linkStart[n]; l < linkStart[n + 1]; l++) marks[linkCluster[l] - this.firstCluster] = this.marking;
  }

  /** Whether a particle shares a cluster with that one; debris, in none, is with everyone. */
  private isHeld(i: number): boolean {
    if (i === this.nearest || this.isDebris) return true;
    const { marks, marking, firstCluster } = this;
    const { rank, linkStart, linkCluster } = this.s;
    const n = rank[this.start + this.first[i]];
    for (let l = linkStart[n]; l < linkStart[n + 1]; l++)
      if (marks[linkCluster[l] - firstCluster] === marking) return true;
    return false;
  }
}
const picked = new Uint32Array(NEIGHBOURS);
const distances = new Float64Array(NEIGHBOURS);
