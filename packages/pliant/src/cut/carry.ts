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

interface Entries {
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
class Finder {
  /** Of the particles that the body was built with: the first that is one of them or a copy, −1 where there is none. */
  readonly first: Int32Array;
  private readonly grid: PointGrid;
  private near = found(64);

  constructor(
    private readonly s: Views,
    private readonly body: Body,
  ) {
    const { rows, builtPositions, spacing } = body;
    this.first = new Int32Array(builtPositions.length / 3).fill(-1);
    for (let i = rows.particleEnd - 1; i >= rows.particleStart; i--) this.first[s.ancestor[i]] = i - rows.particleStart;
    this.grid = buildGrid(builtPositions, 2 * (spacing ?? 0));
  }

  find(rest: Float64Array, v: number, isOpen: (i: number) => boolean, list: Entries): void {
    const [x, y, z] = [rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]];
    let count = 0;
    let all = 0;
    for (let radius = this.grid.size; count < NEIGHBOURS && all < this.grid.count; radius *= 1.4) {
      all = ball(this.grid, x, y, z, radius, this.near, 0);
      count = this.sift(all, isOpen);
    }
    // A splinter of the surface without a particle of its own.
    if (count === 0) count = this.sift(all, () => true);
    count = this.heldTogether(count);
    const { index, distance2 } = this.near;
    const order = Array.from({ length: count }, (_, n) => n).sort((a, b) => distance2[a] - distance2[b]);
    order.length = Math.min(count, NEIGHBOURS);
    const r2 = KERNEL_REACH * KERNEL_REACH * distance2[order[order.length - 1]];
    for (const n of order) {
      list.particle.push(index[n]);
      list.kernel.push(r2 > 0 ? Math.max(1e-6, 1 - distance2[n] / r2) ** 2 : 1);
    }
  }

  /** Keeps those found that are there and may be followed, now by their number when the body was built. */
  private sift(all: number, isOpen: (i: number) => boolean): number {
    const { index, distance2 } = this.near;
    let kept = 0;
    for (let n = 0; n < all; n++) {
      const ancestor = this.grid.order[index[n]];
      const i = this.first[ancestor];
      if (i < 0 || !isOpen(i)) continue;
      sifted[kept] = ancestor;
      distances[kept++] = distance2[n];
    }
    for (let n = 0; n < kept; n++) {
      index[n] = sifted[n];
      distance2[n] = distances[n];
    }
    return kept;
  }

  /** Keeps those that share a cluster with the nearest. */
  private heldTogether(count: number): number {
    const { index, distance2 } = this.near;
    const { s, body } = this;
    let nearest = 0;
    for (let n = 1; n < count; n++) if (distance2[n] < distance2[nearest]) nearest = n;
    const links = (ancestor: number) => {
      const row = s.rank[body.rows.particleStart + this.first[ancestor]];
      return [s.linkStart[row], s.linkStart[row + 1]];
    };
    const [from, to] = links(index[nearest]);
    // Debris is in none.
    if (from === to) return count;
    let kept = 0;
    for (let n = 0; n < count; n++) {
      const [first, last] = links(index[n]);
      let shares = false;
      for (let k = first; k < last && !shares; k++)
        for (let l = from; l < to; l++) shares ||= s.linkCluster[k] === s.linkCluster[l];
      if (!shares) continue;
      index[kept] = index[n];
      distance2[kept++] = distance2[n];
    }
    return kept;
  }
}
const sifted: number[] = [];
const distances: number[] = [];
