import type { Body } from '../body/body.js';
import { ball, buildGrid, found } from '../cluster/grid.js';
import { NO_PIECE } from '../fracture/pieces.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { heightOf, type Knife } from './knife.js';

/** Which component each vertex of a surface is in: those that hang together by triangles, numbered by their first vertex. Without any: −1. */
export function componentsOf(indices: Uint32Array, vertices: number): { of: Int32Array; count: number } {
  const parent = Int32Array.from({ length: vertices }, (_, v) => v);
  const root = (v: number) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const used = new Uint8Array(vertices);
  for (let k = 0; k < indices.length; k += 3) {
    const a = root(indices[k]);
    for (let n = 0; n < 3; n++) {
      used[indices[k + n]] = 1;
      const b = root(indices[k + n]);
      if (b !== root(a)) parent[Math.max(root(a), b)] = Math.min(root(a), b);
    }
  }
  const of = new Int32Array(vertices).fill(-1);
  let count = 0;
  for (let v = 0; v < vertices; v++) if (used[v]) of[v] = root(v) === v ? count++ : of[root(v)];
  return { of, count };
}

/** What a surface has fallen into, and which particles are in it. */
export interface Parts {
  /** Component of each vertex. */
  readonly ofVertex: Int32Array;
  readonly count: number;
  /** Per component: 1 where the cut has left it with a face of its own and it is no hollow. */
  readonly isSolid: Uint8Array;
  /** Component that each particle is in, one of those; −1: none is on its side. */
  readonly ofParticle: Int32Array;
  /** Particles with equal numbers may stay in one cluster. */
  readonly label: Int32Array;
}

/**
 * Which part of the body each particle is in after a cut. Parts are what the surface has fallen into: a plane may part a comb's teeth from each other,
 * and a blade parts nothing if it ends inside. A particle is of the part whose surface is nearest on its own side of the knife. Pieces that
 * the body was in before stay apart.
 */
export function partsOf(body: Body, positions: Float64Array, knife: Knife, sides: Sides, cut: CutMeshResult): Parts {
  const { height } = sides;
  const vertices = cut.side.length;
  const { of, count } = componentsOf(cut.indices, vertices);
  const solids = solidsOf(cut, of, count);
  const isAbove = (v: number) =>
    cut.side[v] !== 0 ? cut.side[v] > 0 : heightOf(knife, cut.now[3 * v], cut.now[3 * v + 1], cut.now[3 * v + 2]) >= 0;
  const part = new Int32Array(height.length).fill(-1);
  for (const above of [true, false]) {
    const seen: number[] = [];
    const found = new Set<number>();
    for (let v = 0; v < vertices; v++)
      if (of[v] >= 0 && solids[of[v]] && isAbove(v) === above) {
        seen.push(v);
        found.add(of[v]);
      }
    const [only] = found;
    const nearest = found.size > 1 ? nearestOf(cut.now, seen, body.spacing ?? 0) : undefined;
    for (let i = 0; i < part.length; i++)
      if (height[i] >= 0 === above && found.size > 0)
        part[i] = nearest ? of[nearest(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])] : only;
  }
  // Two numbers in one: the piece before, the part now.
  const { ofParticle } = body.pieces;
  const label = part.map((p, i) => p + 1 + (count + 1) * (ofParticle[i] === NO_PIECE ? 0 : ofParticle[i] + 1));
  return { ofVertex: of, count, isSolid: solids, ofParticle: part, label };
}

/** Components that the cut has left with a face of their own, and that are no hollows. */
function solidsOf({ indices, from, now }: CutMeshResult, of: Int32Array, count: number): Uint8Array {
  const isTouched = new Uint8Array(count);
  const volume = new Float64Array(count);
  for (let t = 0; t < from.length; t++) {
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    const k = of[indices[3 * t]];
    if (from[t] < 0) isTouched[k] = 1;
    // About the first vertex, lest the distance from the origin counts.
    const p = (o: number, n: number) => now[o + n] - now[n];
    volume[k] +=
      p(a, 0) * (p(b, 1) * p(c, 2) - p(b, 2) * p(c, 1)) +
      p(a, 1) * (p(b, 2) * p(c, 0) - p(b, 0) * p(c, 2)) +
      p(a, 2) * (p(b, 0) * p(c, 1) - p(b, 1) * p(c, 0));
  }
  return isTouched.map((touched, k) => (touched && volume[k] > 0 ? 1 : 0));
}

/** The vertex, of some, that is nearest to a place. */
function nearestOf(now: Float64Array, vertices: number[], spacing: number) {
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach((v, n) => {
    points.set(now.subarray(3 * v, 3 * v + 3), 3 * n);
  });
  const grid = buildGrid(points, 2 * spacing);
  const near = found(64);
  return (x: number, y: number, z: number) => {
    let radius = grid.size;
    let count = 0;
    while ((count = ball(grid, x, y, z, radius, near, 0)) === 0) radius *= 1.5;
    let best = 0;
    for (let n = 1; n < count; n++) if (near.distance2[n] < near.distance2[best]) best = n;
    return vertices[grid.order[near.index[best]]];
  };
}
