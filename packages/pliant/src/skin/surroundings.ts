import { spacingOfPoints } from '../spatial/spacing.js';
import { findNear, type Near, transpose } from './blend.js';
import { type Cells, divideInside } from './cells.js';
import { type Complex, complexOf } from './complex.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import type { SkinnedBody } from './renderSkin.js';
import type { SkinMesh } from './skinMesh.js';

/** Data for tearing that does not change as a body comes apart. */
export interface Surroundings {
  readonly cells: Cells;
  readonly complex: Complex;
  /** Distance of the particles (m). */
  readonly spacing: number;
  /** Rest positions of the vertices of the cells: those of the mesh, then the nodes. */
  readonly positions: Float64Array;
  /** The particles around each of these, by ancestor. */
  readonly near: Near;
  /** Clusters of each particle when the body was built. */
  readonly original: { start: Uint32Array; cluster: Uint32Array; count: number };
  /** Vertices around each ancestor: vertex[start[a]] … */
  readonly around: { start: Uint32Array; vertex: Uint32Array };
  /** Per vertex: 1 where the particles around it did not all hang together when the body was built; and these. */
  readonly parted: Uint8Array;
  readonly partedVertices: Uint32Array;
  /** Hashes of the clusters that the body was built with, by their members. */
  readonly names: ReadonlySet<number>;
}

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

/** `copies`: the particles that the body has. If the mesh shows more than the body (`partial`), all ancestors count. */
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
  const parted = findParted(all, original);
  return {
    cells,
    complex: complexOf(mesh.indices, cells, positions.length / 3),
    positions,
    spacing,
    near: all,
    original,
    around: turnAround(all, built.length / 3),
    parted,
    partedVertices: Uint32Array.from(parted.keys()).filter((v) => parted[v] === 1),
    names: namesOf(clustering),
  };
}

/** The vertices around which the particles did not all hang together when the body was built. */
function findParted({ start, particle }: Near, original: Surroundings['original']): Uint8Array {
  const parted = new Uint8Array(start.length - 1);
  const groups = new Groups(original.count);
  const { start: from, cluster } = original;
  for (let v = 0; v < parted.length; v++) {
    groups.begin();
    for (let n = start[v]; n < start[v + 1]; n++) groups.add(cluster, from[particle[n]], from[particle[n] + 1]);
    if (groups.left > 1) parted[v] = 1;
  }
  return parted;
}

/** The vertices that have each of `count` ancestors around them. */
function turnAround({ start, particle }: Near, count: number): Surroundings['around'] {
  const from = new Uint32Array(count + 1);
  for (let n = 0; n < particle.length; n++) from[particle[n] + 1]++;
  for (let a = 0; a < count; a++) from[a + 1] += from[a];
  const next = from.slice();
  const vertex = new Uint32Array(particle.length);
  for (let v = 0; v + 1 < start.length; v++)
    for (let n = start[v]; n < start[v + 1]; n++) vertex[next[particle[n]]++] = v;
  return { start: from, vertex };
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
