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
export interface ReboundVertices {
  readonly near: Near;
  readonly knot: Int32Array;
}

/**
 * Which particles some vertices of a cut surface follow: those around them, of the body that they go to, that the cut does not part them from. Vertices
 * that were there keep theirs but for what is across the cut. New ones take, of the particles nearest on their side, those that share a
 * cluster with the very nearest: across older cuts none do. The state is that after the cut.
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

/** Of the particles that a body was built with: the first of its own that is one of them or a copy, −1 where there is none. */
function firstOf({ ancestor }: Views, { rows: { particleStart, particleEnd }, builtPositions }: Body): Int32Array {
  const first = firstRoom.take(builtPositions.length / 3).fill(-1);
  for (let i = particleEnd - 1; i >= particleStart; i--) first[ancestor[i]] = i - particleStart;
  return first;
}

// Of the body at hand.
const firstRoom = new Scratch(Int32Array);
const wasRoom = new Scratch(Int32Array);
const stanceRoom = new Scratch(Int32Array);

/** What vertices follow, one after the other. */
export class NearList {
  /** Entries so far. */
  private length = 0;
  private readonly start: Uint32Array;
  private readonly particle: Uint32Array;
  private readonly kernel: Float32Array;

  /** `most`: entries of all vertices at most. */
  constructor(vertices: number, most: number) {
    this.start = new Uint32Array(vertices + 1);
    this.particle = new Uint32Array(most);
    this.kernel = new Float32Array(most);
  }

  add(particle: number, kernel: number): void {
    this.particle[this.length] = particle;
    this.kernel[this.length++] = kernel;
  }

  /** A vertex goes on with the particles it had, if it may with all of them. */
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
export class Sight {
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

  /** Whether it may follow a particle, said by its number when the body was built. */
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
