import type { Body } from '../body/body.js';
import { ball, buildGrid, found, type PointGrid } from '../cluster/grid.js';
import type { Near } from '../skin/blend.js';
import type { Views } from '../state/layout.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { heightOf, isOnBlade, type Knife } from './knife.js';
import type { Parts } from './parts.js';

/** Particles that a vertex follows and how far their kernel reaches, as in skin/blend.ts. */
const NEIGHBOURS = 12;
const KERNEL_REACH = 1.2;

/**
 * Which particles each vertex of a cut surface follows: those around it that the cut does not part it from. Vertices that were there keep theirs but
 * for what is across the cut. New ones take, of the particles nearest on their side, those that share a cluster with the very nearest:
 * across older cuts none do. The state is that after the cut.
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
  const start = new Uint32Array(count + 1);
  const list: Entries = { particle: [], kernel: [] };
  const finder = new Finder(s, body);
  for (let v = 0; v < count; v++) {
    if (parts.ofVertex[v] >= 0) {
      const isOpen = sight(knife, sides, parts, cut, v, old);
      if (v >= old || !keep(before, v, finder.first, isOpen, list)) finder.find(cut.rest, v, isOpen, list);
    }
    start[v + 1] = list.particle.length;
  }
  return { start, particle: Uint32Array.from(list.particle), kernel: Float64Array.from(list.kernel) };
}

export interface Entries {
  particle: number[];
  kernel: number[];
}

/** A vertex goes on with the particles it had, if it may with all of them. */
function keep(before: Near, v: number, first: Int32Array, isOpen: (i: number) => boolean, list: Entries): boolean {
  const [from, to] = [before.start[v], before.start[v + 1]];
  for (let n = from; n < to; n++) {
    const i = first[before.particle[n]];
    if (i < 0 || !isOpen(i)) return false;
  }
  for (let n = from; n < to; n++) {
    list.particle.push(before.particle[n]);
    list.kernel.push(before.kernel[n]);
  }
  return true;
}

/** Whether a vertex may follow a particle: of its own part and, where a blade ends inside the body, not through the blade. */
function sight(knife: Knife, sides: Sides, parts: Parts, { now, side }: CutMeshResult, v: number, old: number) {
  const part = parts.ofVertex[v];
  const isSolid = parts.isSolid[part] === 1;
  const { height, at } = sides;
  if (!knife.border) {
    const above = side[v] > 0;
    return (i: number) => (isSolid ? parts.ofParticle[i] === part : height[i] >= 0 === above);
  }
  // The border's own vertices are beside everything.
  const isBorder = v >= old && side[v] === 0;
  const { point, u, v: w } = knife;
  const [x, y, z] = [now[3 * v] - point[0], now[3 * v + 1] - point[1], now[3 * v + 2] - point[2]];
  const h = side[v] !== 0 ? 0 : heightOf(knife, now[3 * v], now[3 * v + 1], now[3 * v + 2]);
  const above = side[v] !== 0 ? side[v] > 0 : h >= 0;
  const [a, b] = [x * u[0] + y * u[1] + z * u[2], x * w[0] + y * w[1] + z * w[2]];
  return (i: number) => {
    if (isSolid && parts.ofParticle[i] >= 0 && parts.ofParticle[i] !== part) return false;
    if (isBorder || height[i] >= 0 === above) return true;
    const t = h / (h - height[i]);
    return !isOnBlade(knife, a + t * (at[2 * i] - a), b + t * (at[2 * i + 1] - b));
  };
}

/** Finds particles of a body around places of its rest shape. */
export class Finder {
  /** Of the particles that the body was built with: the first that is one of them or a copy, −1 where there is none. */
  readonly first: Int32Array;
  private known: PointGrid | undefined;
  private readonly near = found(64);
  private readonly start: number;

  constructor(
    private readonly s: Views,
    private readonly body: Body,
  ) {
    const { rows, builtPositions } = body;
    this.start = rows.particleStart;
    this.first = new Int32Array(builtPositions.length / 3).fill(-1);
    for (let i = rows.particleEnd - 1; i >= rows.particleStart; i--) this.first[s.ancestor[i]] = i - rows.particleStart;
  }

  /** Made for the first that looks around. */
  private get grid(): PointGrid {
    this.known ??= buildGrid(this.body.builtPositions, 2 * (this.body.spacing ?? 0));
    return this.known;
  }

  /** Adds the nearest particles that may be followed, of those the nearest shares a cluster with, by their number when the body was built. */
  find(rest: Float64Array, v: number, isOpen: (i: number) => boolean, list: Entries): void {
    const [x, y, z] = [rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]];
    const { grid } = this;
    let count = 0;
    let all = 0;
    for (let radius = grid.size; count < NEIGHBOURS && all < grid.count; radius *= 1.4) {
      all = ball(grid, x, y, z, radius, this.near, 0);
      count = this.pick(all, isOpen);
    }
    // A splinter of the surface without a particle of its own.
    if (count === 0) count = this.pick(all, () => true);
    const r2 = KERNEL_REACH * KERNEL_REACH * distances[count - 1];
    for (let n = 0; n < count; n++) {
      if (!this.areHeld(picked[0], picked[n])) continue;
      list.particle.push(picked[n]);
      list.kernel.push(r2 > 0 ? (1 - distances[n] / r2) ** 2 : 1);
    }
  }

  /** The nearest that are there and may be followed, in order, into `picked` and `distances`. */
  private pick(all: number, isOpen: (i: number) => boolean): number {
    const { index, distance2 } = this.near;
    const { order } = this.grid;
    let count = 0;
    for (let n = 0; n < all; n++) {
      const d2 = distance2[n];
      if (count === NEIGHBOURS && d2 >= distances[count - 1]) continue;
      const ancestor = order[index[n]];
      const i = this.first[ancestor];
      if (i < 0 || !isOpen(i)) continue;
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

  /** Whether two particles share a cluster; debris, in none, is with everyone. */
  private areHeld(a: number, b: number): boolean {
    const { s, first, start } = this;
    const [m, n] = [s.rank[start + first[a]], s.rank[start + first[b]]];
    const [from, to] = [s.linkStart[m], s.linkStart[m + 1]];
    if (a === b || from === to) return true;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++)
      for (let l = from; l < to; l++) if (s.linkCluster[k] === s.linkCluster[l]) return true;
    return false;
  }
}
const picked = new Uint32Array(NEIGHBOURS);
const distances = new Float64Array(NEIGHBOURS);
