import { squared } from '../math/elementary.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import { findNear, type Near, transpose } from './blend.js';
import { type Cells, divideInside } from './cells.js';
import type { Copies } from './knots.js';
import type { SkinnedBody } from './renderSkin.js';
import type { SkinMesh } from './skinMesh.js';

/** Data for tearing that does not change as a body comes apart. */
export interface Surroundings {
  readonly cells: Cells;
  /** Rest positions of the vertices of the cells: those of the mesh, then the nodes. */
  readonly positions: Float64Array;
  /** The particles around each of these, by ancestor. */
  readonly near: Near;
  /** Clusters of each particle when the body was built. */
  readonly original: { start: Uint32Array; cluster: Uint32Array; count: number };
  /** Per cell: the VOTERS particles nearest to its middle, by ancestor, and the weight of each one's vote. */
  readonly voters: Uint32Array;
  readonly say: Float64Array;
  /**
   * Results kept where nothing has changed since the body was built: anchor of each cell, and 1 for each face found
   * held.
   */
  readonly anchor: Int32Array;
  readonly held: Uint8Array;
  /**
   * Per vertex: 1 where the particles around it did not all hang together when the body was built; UNKNOWN at first.
   */
  readonly parted: Int8Array;
  /** Hashes of the clusters that the body was built with, by their members. */
  readonly names: ReadonlySet<number>;
}

/** Value of a result not computed yet. */
export const UNKNOWN = -2;

/** Adds a particle to the hash of a cluster: a sum of scrambled numbers, independent of their order. */
export const addToName = (name: number, i: number) => name + 0x40000000 + (Math.imul(i + 1, 0x9e3779b1) >>> 2);

function namesOf({ start, particle }: SkinnedBody['clustering']): Set<number> {
  const names = new Set<number>();
  for (let c = 0; c + 1 < start.length; c++) {
    let name = 0;
    for (let k = start[c]; k < start[c + 1]; k++) name = addToName(name, particle[k]);
    names.add(name);
  }
  return names;
}

/** Number of particles that vote on the side of a cell. */
export const VOTERS = 8;
/**
 * Depth below the surface, in spacings, at which the middle of a cell below a triangle is taken. A face that a cut made
 * lies between two sides; a point at this depth is on the face's own side.
 */
const BELOW = 0.5;

/** `copies`: the particles that the body has. If the mesh shows more than the body (`partial`), all ancestors vote. */
export function findSurroundings(
  mesh: SkinMesh,
  near: Near,
  body: SkinnedBody,
  copies: Copies,
  partial: boolean,
): Surroundings {
  const { builtPositions: built, clustering } = body;
  const spacing = body.spacing ?? spacingOfPoints(built);
  const cells = divideInside(mesh, near, built, spacing);
  const positions = new Float64Array(mesh.positions.length + cells.nodes.length);
  positions.set(mesh.positions);
  positions.set(cells.nodes, mesh.positions.length);
  const all = appendNear(near, nearOfNodes(cells.nodes, built, copies, partial));
  const original = { ...transpose(clustering, built.length / 3), count: clustering.start.length - 1 };
  return {
    cells,
    positions,
    near: all,
    original,
    ...ask(mesh, cells, positions, all, built, spacing),
    anchor: new Int32Array(cells.count).fill(UNKNOWN),
    held: new Uint8Array(cells.from.length),
    parted: new Int8Array(positions.length / 3).fill(UNKNOWN),
    names: namesOf(clustering),
  };
}

function nearOfNodes(nodes: Float64Array, built: Float64Array, { start }: Copies, partial: boolean): Near {
  const there = Uint32Array.from(start.subarray(1).keys()).filter((i) => partial || start[i] < start[i + 1]);
  if (there.length === 0)
    return { start: new Uint32Array(nodes.length / 3 + 1), particle: there, kernel: new Float32Array(0) };
  const places = new Float64Array(3 * there.length);
  for (let n = 0; n < there.length; n++) for (let a = 0; a < 3; a++) places[3 * n + a] = built[3 * there[n] + a];
  const near = findNear(nodes, places);
  return { ...near, particle: near.particle.map((n) => there[n]) };
}

function appendNear(a: Near, b: Near): Near {
  const start = new Uint32Array(a.start.length + b.start.length - 1);
  start.set(a.start);
  for (let n = 1; n < b.start.length; n++) start[a.start.length + n - 1] = a.particle.length + b.start[n];
  const particle = new Uint32Array(a.particle.length + b.particle.length);
  particle.set(a.particle);
  particle.set(b.particle, a.particle.length);
  const kernel = new Float32Array(particle.length);
  kernel.set(a.kernel);
  kernel.set(b.kernel, a.kernel.length);
  return { start, particle, kernel };
}

function ask(
  { indices }: SkinMesh,
  { count, tetrahedra }: Cells,
  x: Float64Array,
  near: Near,
  built: Float64Array,
  spacing: number,
) {
  const voters = new Uint32Array(VOTERS * count);
  const say = new Float64Array(voters.length);
  const skin = indices.length / 3;
  for (let c = 0; c < count; c++) {
    const [list, first, corners] = c < skin ? [indices, 3 * c, 3] : [tetrahedra, 4 * (c - skin), 4];
    if (c < skin) pointBelow(x, indices, 3 * c, BELOW * spacing);
    else middleOf(x, tetrahedra, first);
    const at = VOTERS * c;
    let found = 0;
    for (let k = first; k < first + corners; k++)
      for (let n = near.start[list[k]]; n < near.start[list[k] + 1]; n++) {
        const i = near.particle[n];
        const d2 = squared(built[3 * i] - p[0]) + squared(built[3 * i + 1] - p[1]) + squared(built[3 * i + 2] - p[2]);
        const w = 1 / squared(d2 + 0.25 * spacing * spacing);
        // Sorted, the nearest first. A particle around several corners comes several times.
        let place = found;
        while (place > 0 && w > say[at + place - 1]) place--;
        if (place === VOTERS || holds(voters, at, at + found, i)) continue;
        found = Math.min(VOTERS, found + 1);
        for (let m = at + found - 1; m > at + place; m--) {
          voters[m] = voters[m - 1];
          say[m] = say[m - 1];
        }
        voters[at + place] = i;
        say[at + place] = w;
      }
    // With fewer voters the first is repeated, with weight 0.
    voters.fill(voters[at], at + found, at + VOTERS);
  }
  return { voters, say };
}

function holds(list: Uint32Array, from: number, to: number, i: number): boolean {
  for (let n = from; n < to; n++) if (list[n] === i) return true;
  return false;
}

/** Writes the point at `depth` below the middle of a triangle into `p`. */
function pointBelow(x: Float64Array, indices: Uint32Array, t: number, depth: number): void {
  const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    normal[k] = (x[b + l] - x[a + l]) * (x[c + m] - x[a + m]) - (x[b + m] - x[a + m]) * (x[c + l] - x[a + l]);
  }
  const length = Math.sqrt(squared(normal[0]) + squared(normal[1]) + squared(normal[2]));
  const down = length > 0 ? depth / length : 0;
  for (let k = 0; k < 3; k++) p[k] = (x[a + k] + x[b + k] + x[c + k]) / 3 - down * normal[k];
}

/** Writes the middle of a tetrahedron into `p`. */
function middleOf(x: Float64Array, tetrahedra: Uint32Array, first: number): void {
  p.fill(0);
  for (let k = first; k < first + 4; k++) for (let a = 0; a < 3; a++) p[a] += x[3 * tetrahedra[k] + a] / 4;
}
const p = new Float64Array(3);
const normal = new Float64Array(3);
