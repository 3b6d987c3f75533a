import type { Body } from '../body/body.js';
import { Scratch } from '../scratch.js';
import type { Near } from '../skin/blend.js';
import type { Bound } from '../skin/renderSkin.js';
import type { Views } from '../state/layout.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { Finder, NEIGHBOURS } from './finder.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';
import type { Parts } from './parts.js';

/** Everything that binding needs to know of a cut. */
export interface Cut {
  readonly knife: Knife;
  readonly sides: Sides;
  readonly parts: Parts;
  readonly mesh: CutMeshResult;
  /** The particles that the vertices followed before the cut, and their binding. */
  readonly before: Near;
  readonly bound: Bound;
  /** Per particle: 1 where its memberships changed. */
  readonly reweighed: Uint8Array;
}

/** A body that came of a cut. */
export interface Piece {
  readonly body: Body;
  /** Number of each of its particles before the cut, as in `Sides` and `Parts`. */
  readonly numbers: Uint32Array;
  /** Number in this body of each cluster before the cut; negative: none, or several. */
  readonly heir: Int32Array;
}

/**
 * The particles that each vertex follows. For each vertex: the knot it already had, if neither its particles nor their
 * memberships changed; −1 otherwise.
 */
export interface ReboundVertices {
  readonly near: Near;
  readonly knot: Int32Array;
}

/**
 * Finds the particles that vertices of a cut mesh follow, in the body that they go to. Vertices from before the cut
 * keep their particles, except those across the cut. New vertices follow the nearest particles on their side that share
 * a cluster with the very nearest one; across older cuts no clusters are shared. Runs after the draft of the cut is
 * written.
 */
export function rebindVertices(s: Views, piece: Piece, cut: Cut, vertices: Uint32Array): ReboundVertices {
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
      if (v < old && list.keep(before, v, sight)) {
        if (!sight.isOtherwise) knot[n] = bound.knots ? bound.knots[v] : v;
      } else if (v >= old || !finder.narrow(before, v, list, sight)) finder.find(mesh.rest, v, list, sight);
    }
    list.end(n);
  }
  return { near: list.near, knot };
}

/** By ancestor: the body's first particle of it, −1 where it has none. */
function firstOf({ ancestor }: Views, { rows: { particleStart, particleEnd }, builtPositions }: Body): Int32Array {
  const first = firstRoom.take(builtPositions.length / 3).fill(-1);
  for (let i = particleEnd - 1; i >= particleStart; i--) first[ancestor[i]] = i - particleStart;
  return first;
}

// Scratch of the body at hand.
const firstRoom = new Scratch(Int32Array);
const wasRoom = new Scratch(Int32Array);
const stanceRoom = new Scratch(Int32Array);

/** The lists of particles that vertices follow, vertex after vertex. */
export class NearList {
  /** Number of entries so far. */
  private length = 0;
  private readonly start: Uint32Array;
  private readonly particle: Uint32Array;
  private readonly kernel: Float32Array;

  /** `most`: upper bound of the entries of all vertices. */
  constructor(vertices: number, most: number) {
    this.start = new Uint32Array(vertices + 1);
    this.particle = new Uint32Array(most);
    this.kernel = new Float32Array(most);
  }

  add(particle: number, kernel: number): void {
    this.particle[this.length] = particle;
    this.kernel[this.length++] = kernel;
  }

  /**
   * Adds all particles that a vertex followed before, if `sight` allows each of them. Otherwise adds none and returns
   * false.
   */
  keep({ start, particle, kernel }: Near, v: number, sight: Sight): boolean {
    const { particle: ours, kernel: kernels } = this;
    const { stance } = sight;
    const last = start[v + 1];
    let end = this.length;
    let stances = 0;
    for (let n = start[v]; n < last; n++) {
      const who = particle[n];
      if (!sight.sees(who)) return false;
      stances |= stance[who];
      ours[end] = who;
      kernels[end++] = kernel[n];
    }
    this.length = end;
    sight.isOtherwise = (stances & 1) === 1;
    return true;
  }

  /** Closes the list of vertex v. */
  end(v: number): void {
    this.start[v + 1] = this.length;
  }

  get near(): Near {
    const { start, length, particle, kernel } = this;
    return { start, particle: particle.subarray(0, length), kernel: kernel.subarray(0, length) };
  }
}

/** Upper bound of the entries of some vertices: those they had before, or those of a new search. */
function mostOf({ start }: Near, vertices: Uint32Array): number {
  let most = 0;
  for (let n = 0; n < vertices.length; n++) {
    const v = vertices[n];
    most += v + 1 < start.length ? Math.max(NEIGHBOURS, start[v + 1] - start[v]) : NEIGHBOURS;
  }
  return most;
}

/**
 * Whether a vertex may follow a particle: it must be of the vertex's own part and, where a blade ends inside the body,
 * not be hidden by the blade.
 */
export class Sight {
  private part = -1;
  private isSolid = false;
  /** Whether the part alone decides. */
  private isPart = false;
  private isAbove = false;
  /**
   * With a blade: whether the vertex is on its border, from where no particle is hidden; height over the blade (h) and
   * position in its axes (a, b).
   */
  private isBorder = false;
  /** Whether memberships of a particle that the vertex keeps have changed. */
  isOtherwise = false;
  private h = 0;
  private a = 0;
  private b = 0;

  private readonly knife: Knife;
  private readonly sides: Sides;
  private readonly parts: Parts;
  private readonly mesh: CutMeshResult;
  /** Number of vertices before the cut. */
  private readonly old: number;
  /** By ancestor: the particle's number before the cut, −1 where the body has none. */
  private readonly was: Int32Array;
  /**
   * By ancestor, the values that most vertices need, in one number: 4 · (part + 1), plus 2 if above the knife, plus 1
   * if its memberships changed.
   */
  readonly stance: Int32Array;

  constructor({ knife, sides, parts, mesh, before, reweighed }: Cut, numbers: Uint32Array, first: Int32Array) {
    this.knife = knife;
    this.sides = sides;
    this.parts = parts;
    this.mesh = mesh;
    this.old = before.start.length - 1;
    this.was = wasRoom.take(first.length).fill(-1);
    this.stance = stanceRoom.take(first.length).fill(-1);
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

  /** Whether the vertex may follow a particle, named by its ancestor. */
  sees(particle: number): boolean {
    const stance = this.stance[particle];
    const part = stance >> 2;
    if (this.isPart) return part === this.part + 1;
    if (stance < 0 || (this.isSolid && part > 0 && part !== this.part + 1)) return false;
    return ((stance & 2) === 2) === this.isAbove || this.isBorder || this.seesAround(this.was[particle]);
  }

  /** Whether the segment to a particle on the other side misses the blade. */
  private seesAround(i: number): boolean {
    const { knife, h, a, b } = this;
    const { height, at } = this.sides;
    if (!knife.border) return false;
    const t = h / (h - height[i]);
    return !isOnBlade(knife, a + t * (at[2 * i] - a), b + t * (at[2 * i + 1] - b));
  }
}
