import type { Body } from '../body/body.js';
import { ball, buildGrid, found, type PointGrid } from '../cluster/grid.js';
import type { Near } from '../skin/blend.js';
import type { Bound } from '../skin/renderSkin.js';
import { pickRows } from '../skin/skinMesh.js';
import type { Views } from '../state/layout.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';
import type { Parts } from './parts.js';

/** Particles that a vertex follows and how far their kernel reaches, as in skin/blend.ts. */
const NEIGHBOURS = 12;
const KERNEL_REACH = 1.2;
/** How much farther than the last vertex needed to look around, and where that was too near. */
const FARTHER = 1.1;
const WIDER = 1.3;

/** All that there is to know of a cut. */
export interface Cut {
  readonly knife: Knife;
  readonly sides: Sides;
  readonly parts: Parts;
  readonly mesh: CutMeshResult;
  /** What the vertices that were there followed, and how they were bound. */
  readonly before: Near;
  readonly bound: Bound;
  /** Per particle: 1 where its clusters hold it otherwise than before. */
  readonly reweighed: Uint8Array;
}

/** A body that came of a cut. */
export interface Piece {
  readonly body: Body;
  /** Which each of its particles was before, as in `Sides` and `Parts`. */
  readonly numbers: Uint32Array;
  /** What each cluster before is now; < 0: nothing, or several. */
  readonly heir: Int32Array;
}

/** What vertices follow from now on; and where that is what they followed, and it is held as it was, the knot that they were, else −1. */
export interface CarriedVertices {
  readonly near: Near;
  readonly knot: Int32Array;
}

/**
 * Which particles some vertices of a cut surface follow: those around them, of the body that they go to, that the cut does not part them from. Vertices
 * that were there keep theirs but for what is across the cut. New ones take, of the particles nearest on their side, those that share a
 * cluster with the very nearest: across older cuts none do. The state is that after the cut.
 */
export function carryVertices(s: Views, piece: Piece, cut: Cut, vertices: Uint32Array): CarriedVertices {
  const { before, parts, mesh, bound } = cut;
  const knot = new Int32Array(vertices.length).fill(-1);
  const old = before.start.length - 1;
  const list = new NearList(vertices.length, mostOf(before, vertices));
  const first = firstOf(s, piece.body);
  const finder = new Finder(s, piece.body, first);
  const sight = new Sight(cut, piece.numbers, first);
  for (let n = 0; n < vertices.length; n++) {
    const v = vertices[n];
    if (parts.ofVertex[v] >= 0) {
      sight.lookFrom(v);
      if (v >= old || !list.keep(before, v, sight)) finder.find(mesh.rest, v, list, sight);
      else if (!sight.isOtherwise) knot[n] = bound.knots ? bound.knots[v] : v;
    }
    list.end(n);
  }
  return { near: list.near, knot };
}

/** Of the particles that a body was built with: the first of its own that is one of them or a copy, −1 where there is none. */
function firstOf({ ancestor }: Views, { rows: { particleStart, particleEnd }, builtPositions }: Body): Int32Array {
  const first = new Int32Array(builtPositions.length / 3).fill(-1);
  for (let i = particleEnd - 1; i >= particleStart; i--) first[ancestor[i]] = i - particleStart;
  return first;
}

/** What vertices follow, one after the other. */
class NearList {
  /** Entries so far. */
  private length = 0;
  private readonly start: Uint32Array;
  private readonly particle: Uint32Array;
  private readonly kernel: Float64Array;

  /** `most`: entries of all vertices at most. */
  constructor(vertices: number, most: number) {
    this.start = new Uint32Array(vertices + 1);
    this.particle = new Uint32Array(most);
    this.kernel = new Float64Array(most);
  }

  add(particle: number, kernel: number): void {
    this.particle[this.length] = particle;
    this.kernel[this.length++] = kernel;
  }

  /** A vertex goes on with the particles it had, if it may with all of them. */
  keep({ start, particle, kernel }: Near, v: number, sight: Sight): boolean {
    const first = start[v];
    const last = start[v + 1];
    const into = this.length - first;
    if (!sight.seesAll(particle, first, last)) return false;
    for (let n = first; n < last; n++) {
      this.particle[into + n] = particle[n];
      this.kernel[into + n] = kernel[n];
    }
    this.length = into + last;
    return true;
  }

  /** That was all of vertex v. */
  end(v: number): void {
    this.start[v + 1] = this.length;
  }

  get near(): Near {
    const { start, length, particle, kernel } = this;
    return { start, particle: particle.subarray(0, length), kernel: kernel.subarray(0, length) };
  }
}

/** Entries that some vertices may have together: those that they had, or those that are looked for. */
function mostOf({ start }: Near, vertices: Uint32Array): number {
  let most = 0;
  for (let n = 0; n < vertices.length; n++) {
    const v = vertices[n];
    most += v + 1 < start.length ? Math.max(NEIGHBOURS, start[v + 1] - start[v]) : NEIGHBOURS;
  }
  return most;
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
  /** Whether one of those that it may all follow is held otherwise than before. */
  isOtherwise = false;
  private h = 0;
  private a = 0;
  private b = 0;

  private readonly knife: Knife;
  private readonly sides: Sides;
  private readonly parts: Parts;
  private readonly mesh: CutMeshResult;
  /** Vertices that were there before the cut. */
  private readonly old: number;
  /** By the number that particles had when the body was built: the one they had before the cut, −1 for those that it has not got; */
  private readonly was: Int32Array;
  /** and all that most vertices ask for, at one place: 4 times their part, counted from 1, 2 if they are above, 1 if they are held otherwise. */
  private readonly stance: Int32Array;

  constructor({ knife, sides, parts, mesh, before, reweighed }: Cut, numbers: Uint32Array, first: Int32Array) {
    this.knife = knife;
    this.sides = sides;
    this.parts = parts;
    this.mesh = mesh;
    this.old = before.start.length - 1;
    this.was = new Int32Array(first.length).fill(-1);
    this.stance = new Int32Array(first.length).fill(-1);
    for (let n = 0; n < first.length; n++) {
      if (first[n] < 0) continue;
      const i = numbers[first[n]];
      this.was[n] = i;
      this.stance[n] = 4 * (parts.ofParticle[i] + 1) + (sides.height[i] >= 0 ? 2 : 0) + reweighed[i];
    }
  }

  lookFrom(v: number): void {
    const { knife, parts } = this;
    const { now, side } = this.mesh;
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

  /** Whether it may follow all of some particles, said by their numbers when the body was built. */
  seesAll(particle: Uint32Array, from: number, to: number): boolean {
    const { stance } = this;
    let held = 0;
    for (let n = from; n < to; n++) {
      if (!this.sees(particle[n])) return false;
      held |= stance[particle[n]];
    }
    this.isOtherwise = (held & 1) === 1;
    return true;
  }

  /** Whether it may follow one of them. */
  sees(particle: number): boolean {
    const stance = this.stance[particle];
    const part = stance >> 2;
    if (this.isPart) return part === this.part + 1;
    if (stance < 0 || (this.isSolid && part > 0 && part !== this.part + 1)) return false;
    return ((stance & 2) === 2) === this.isAbove || this.isBorder || this.seesAround(this.was[particle]);
  }

  /** Whether a particle on the other side is seen past the blade. */
  private seesAround(i: number): boolean {
    const { knife, h, a, b } = this;
    const { height, at } = this.sides;
    if (!knife.border) return false;
    const t = h / (h - height[i]);
    return !isOnBlade(knife, a + t * (at[2 * i] - a), b + t * (at[2 * i + 1] - b));
  }
}

/** Finds particles of a body around places of its rest shape. */
class Finder {
  private crowd: Crowd | undefined;
  private readonly near = found(64);
  /** Where it looked around last and how far, and how many it found. */
  private readonly seen = new Float64Array(4).fill(Number.NaN);
  private all = 0;
  /** How far to look around. */
  private reach = 0;
  /** Whether the particle that those followed must share a cluster with is in none, and per cluster `marking` if it is in that one. */
  private isDebris = false;
  private readonly marks: Uint32Array;
  private marking = 0;

  constructor(
    private readonly s: Views,
    private readonly body: Body,
    private readonly first: Int32Array,
  ) {
    this.marks = new Uint32Array(body.rows.clusterEnd);
  }

  /** Made for the first that looks around. */
  private gather(): Crowd {
    const crowd = new Crowd(this.s, this.body, this.first);
    this.reach = 2 * crowd.grid.size;
    return crowd;
  }

  /**
   * Adds the nearest particles that may be followed, of those the nearest shares a cluster with, by their number when the body was built. It looks around as far as is needed, at first about as far as for the one before: farther costs more and finds the same.
   */
  find(rest: Float64Array, v: number, list: NearList, sight: Sight): void {
    this.crowd ??= this.gather();
    const { crowd, seen } = this;
    const x = rest[3 * v];
    const y = rest[3 * v + 1];
    const z = rest[3 * v + 2];
    // With a blade the vertices of a face are there twice, one a side, one after the other.
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
    // A splinter of the surface without a particle of its own.
    if (count === 0) count = this.pick(crowd);
    else if (count === NEIGHBOURS && distances[count - 1] > 0) this.reach = FARTHER * Math.sqrt(distances[count - 1]);
    const r2 = KERNEL_REACH * KERNEL_REACH * distances[count - 1];
    const { ancestor } = crowd;
    this.markHolders(crowd, picked[0]);
    for (let n = 0; n < count; n++)
      if (n === 0 || this.isDebris || this.isHeld(crowd, picked[n]))
        list.add(ancestor[picked[n]], r2 > 0 ? (1 - distances[n] / r2) ** 2 : 1);
  }

  /** All particles around the place, as far as `radius`, into `near`. */
  private look(radius: number): void {
    const { seen } = this;
    seen[3] = radius;
    this.all = ball(this.crowd!.grid, seen[0], seen[1], seen[2], radius, this.near, 0);
  }

  /** The nearest that may be followed, in order, into `picked` and `distances`. */
  private pick({ ancestor }: Crowd, sight?: Sight): number {
    const { all } = this;
    const { index, distance2 } = this.near;
    let count = 0;
    for (let n = 0; n < all; n++) {
      const d2 = distance2[n];
      if (count === NEIGHBOURS && d2 >= distances[NEIGHBOURS - 1]) continue;
      const who = index[n];
      if (!(sight === undefined || sight.sees(ancestor[who]))) continue;
      let at = count < NEIGHBOURS ? count++ : NEIGHBOURS - 1;
      for (; at > 0 && distances[at - 1] > d2; at--) {
        distances[at] = distances[at - 1];
        picked[at] = picked[at - 1];
      }
      distances[at] = d2;
      picked[at] = who;
    }
    return count;
  }

  /** Marks the clusters of the particle that others are to share one with. */
  private markHolders({ linkStart, linkEnd }: Crowd, n: number): void {
    const { marks } = this;
    const { linkCluster } = this.s;
    this.isDebris = linkStart[n] === linkEnd[n];
    this.marking++;
    for (let l = linkStart[n]; l < linkEnd[n]; l++) marks[linkCluster[l]] = this.marking;
  }

  /** Whether a particle shares a cluster with that one. */
  private isHeld({ linkStart, linkEnd }: Crowd, n: number): boolean {
    const { marks, marking } = this;
    const { linkCluster } = this.s;
    const last = linkEnd[n];
    for (let l = linkStart[n]; l < last; l++) if (marks[linkCluster[l]] === marking) return true;
    return false;
  }
}
const picked = new Uint32Array(NEIGHBOURS);
const distances = new Float64Array(NEIGHBOURS);

/** The particles that a body still has of those it was built with, where they were then, sorted into cells: what is said of each is in their order. */
class Crowd {
  readonly grid: PointGrid;
  /** Which of those that it was built with, and its links in the state. */
  readonly ancestor: Uint32Array;
  readonly linkStart: Uint32Array;
  readonly linkEnd: Uint32Array;

  constructor({ rank, linkStart }: Views, { builtPositions, spacing, rows }: Body, first: Int32Array) {
    const there = new Uint32Array(first.length);
    let count = 0;
    for (let a = 0; a < first.length; a++) if (first[a] >= 0) there[count++] = a;
    const points = pickRows(builtPositions, new Float64Array(3 * count), 3, there.subarray(0, count));
    this.grid = buildGrid(points, CELL * (spacing ?? 0));
    this.ancestor = new Uint32Array(count);
    this.linkStart = new Uint32Array(count);
    this.linkEnd = new Uint32Array(count);
    for (let n = 0; n < count; n++) {
      const a = there[this.grid.order[n]];
      const r = rank[rows.particleStart + first[a]];
      this.ancestor[n] = a;
      this.linkStart[n] = linkStart[r];
      this.linkEnd[n] = linkStart[r + 1];
    }
  }
}
/** Edge of a cell in spacings. */
const CELL = 1.4;
