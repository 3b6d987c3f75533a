import type { Body } from '../body/body.js';
import { MOST_GROWTHS } from '../limits.js';
import { joinRoots, ownRoots, rootOf } from '../math/forest.js';
import { Scratch } from '../scratch.js';
import { ball, buildGrid, newNeighbourList, type PointGrid } from '../spatial/grid.js';
import { NO_PIECE } from '../topology/pieces.js';
import type { CutMeshResult } from './cutMesh.js';
import type { Sides } from './divide.js';
import { heightOf, type Knife } from './knife.js';

/** Connected component of each vertex of a mesh, numbered by their first vertices; −1 for a vertex in no triangle. */
export function componentsOf(indices: Uint32Array, vertices: number): { of: Int32Array; count: number } {
  const parent = ownRoots(vertices);
  const isUsed = new Uint8Array(vertices);
  for (let k = 0; k < indices.length; k += 3) {
    joinRoots(parent, indices[k], indices[k + 1]);
    joinRoots(parent, indices[k], indices[k + 2]);
    isUsed[indices[k]] = isUsed[indices[k + 1]] = isUsed[indices[k + 2]] = 1;
  }
  const of = new Int32Array(vertices).fill(-1);
  let count = 0;
  for (let v = 0; v < vertices; v++) if (isUsed[v]) of[v] = parent[v] === v ? count++ : of[rootOf(parent, v)];
  return { of, count };
}

/** The components of a mesh after a cut, and the particles in them. */
export interface Parts {
  /** Component of each vertex. */
  readonly ofVertex: Int32Array;
  readonly count: number;
  /** Per component: 1 if it has a face of the cut and is not the wall of a hollow. */
  readonly isSolid: Uint8Array;
  /** Component that each particle is in, one of the solid ones; −1 if none is on its side of the knife. */
  readonly ofParticle: Int32Array;
  /** Particles with equal labels may stay in one cluster. */
  readonly label: Int32Array;
}

/**
 * Finds the part of the body that each particle is in after a cut. Parts are the components of the render mesh: a plane
 * may separate the teeth of a comb from each other, and a blade that ends inside separates nothing. A particle is in
 * the part whose surface is nearest on its own side of the knife. Pieces of the body before the cut stay separate.
 */
export function partsOf(body: Body, positions: Float64Array, knife: Knife, sides: Sides, cut: CutMeshResult): Parts {
  const { height } = sides;
  const { of, count } = componentsOf(cut.indices, cut.side.length);
  const isSolid = solidsOf(cut, of, count);
  const part = new Int32Array(height.length).fill(-1);
  for (const above of [true, false]) {
    const seen = verticesOn(above, knife, cut, of, isSolid);
    if (seen.length === 0) continue;
    const only = of[seen[0]];
    const search = areOf(only, seen, of) ? undefined : new Search(cut.now, seen, body.spacing ?? 0);
    for (let i = 0; i < part.length; i++)
      if (height[i] >= 0 === above)
        part[i] = search ? of[search.nearest(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])] : only;
  }
  // A label combines the piece before the cut and the part after it.
  const { ofParticle } = body.pieces;
  const label = new Int32Array(part.length);
  for (let i = 0; i < part.length; i++)
    label[i] = part[i] + 1 + (count + 1) * (ofParticle[i] === NO_PIECE ? 0 : ofParticle[i] + 1);
  return { ofVertex: of, count, isSolid, ofParticle: part, label };
}

/** The vertices of solid components above the knife, or those below it. */
function verticesOn(
  above: boolean,
  knife: Knife,
  { side, now }: CutMeshResult,
  of: Int32Array,
  isSolid: Uint8Array,
): Uint32Array {
  const seen = seenRoom.take(side.length);
  let count = 0;
  for (let v = 0; v < side.length; v++) {
    if (of[v] < 0 || isSolid[of[v]] === 0) continue;
    const isAbove = side[v] !== 0 ? side[v] > 0 : heightOf(knife, now[3 * v], now[3 * v + 1], now[3 * v + 2]) >= 0;
    if (isAbove === above) seen[count++] = v;
  }
  return seen.subarray(0, count);
}
const seenRoom = new Scratch();

/** Whether some vertices are all of one component. */
function areOf(component: number, vertices: Uint32Array, of: Int32Array): boolean {
  for (let n = 0; n < vertices.length; n++) if (of[vertices[n]] !== component) return false;
  return true;
}

/** Marks components that have a face of the cut and are not walls of hollows: their volume is positive. */
function solidsOf({ indices, from, now: p }: CutMeshResult, of: Int32Array, count: number): Uint8Array {
  const isTouched = new Uint8Array(count);
  const volume = new Float64Array(count);
  // Volumes are summed about the first vertex, so that the distance from the origin adds no rounding.
  const ox = p[0];
  const oy = p[1];
  const oz = p[2];
  for (let t = 0; t < from.length; t++) {
    const k = of[indices[3 * t]];
    if (from[t] < 0) isTouched[k] = 1;
    const a = 3 * indices[3 * t];
    const b = 3 * indices[3 * t + 1];
    const c = 3 * indices[3 * t + 2];
    const bx = p[b] - ox;
    const by = p[b + 1] - oy;
    const bz = p[b + 2] - oz;
    const cx = p[c] - ox;
    const cy = p[c + 1] - oy;
    const cz = p[c + 2] - oz;
    volume[k] +=
      (p[a] - ox) * (by * cz - bz * cy) + (p[a + 1] - oy) * (bz * cx - bx * cz) + (p[a + 2] - oz) * (bx * cy - by * cx);
  }
  return isTouched.map((touched, k) => (touched && volume[k] > 0 ? 1 : 0));
}

/** Finds the vertex, of some, that is nearest to a position. */
class Search {
  private readonly grid: PointGrid;
  private readonly near = newNeighbourList(64);

  constructor(
    now: Float64Array,
    private readonly vertices: Uint32Array,
    spacing: number,
  ) {
    const points = new Float64Array(3 * vertices.length);
    for (let n = 0; n < vertices.length; n++) for (let a = 0; a < 3; a++) points[3 * n + a] = now[3 * vertices[n] + a];
    this.grid = buildGrid(points, 2 * spacing);
  }

  nearest(x: number, y: number, z: number): number {
    const { grid, near, vertices } = this;
    let radius = grid.size;
    let count = 0;
    for (let round = 0; round < MOST_GROWTHS && count === 0; round++, radius *= 1.5)
      count = ball(grid, x, y, z, radius, near, 0);
    let best = 0;
    for (let n = 1; n < count; n++) if (near.distance2[n] < near.distance2[best]) best = n;
    return vertices[grid.order[near.index[best]]];
  }
}
