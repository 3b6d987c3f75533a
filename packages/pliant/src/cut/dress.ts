import type { Body } from '../body/body.js';
import type { Near } from '../skin/blend.js';
import { type SkinMesh, someTriangles } from '../skin/skinMesh.js';
import type { Views } from '../state/layout.js';
import { Finder, NearList } from './carry.js';
import type { Parts } from './parts.js';

/**
 * Gives each of the bodies that one was cut into its part of the surface, whose vertices are at `now`: the components whose vertices follow it. What
 * `mesh` says that these follow need not last.
 */
export function dress(s: Views, bodies: readonly Body[], mesh: SkinMesh, now: Float64Array, parts: Parts): void {
  if (bodies.length === 1) {
    bodies[0].wear({ ...mesh, near: lasting(mesh.near!) }, now);
    return;
  }
  const owner = ownersOf(s, bodies, mesh, parts);
  // All are taken before any is worn, for what the whole follows lasts no longer.
  const owns = bodies.map((_, n) => ownMesh(mesh, trianglesOf(mesh, parts, owner, n), now));
  for (const [n, { own, places }] of owns.entries())
    bodies[n].wear({ ...own, near: ownNear(s, bodies[n], own) }, places);
}

/** Some of the triangles, and where their vertices are. */
function ownMesh(mesh: SkinMesh, triangles: readonly number[], now: Float64Array) {
  const used: number[] = [];
  const own = someTriangles(mesh, triangles, used);
  const places = new Float64Array(3 * used.length);
  for (let k = 0; k < used.length; k++) for (let a = 0; a < 3; a++) places[3 * k + a] = now[3 * used[k] + a];
  return { own, places };
}

const lasting = ({ start, particle, kernel }: Near): Near => ({
  start,
  particle: particle.slice(),
  kernel: kernel.slice(),
});

/** The triangles of a surface that belong to body n. */
function trianglesOf({ indices }: SkinMesh, { ofVertex }: Parts, owner: Uint32Array, n: number): number[] {
  const triangles: number[] = [];
  for (let k = 0; k < indices.length; k += 3) if (owner[ofVertex[indices[k]]] === n) triangles.push(k / 3);
  return triangles;
}

/** The body that most vertices of a component follow. */
function ownersOf({ ancestor }: Views, bodies: readonly Body[], { near }: SkinMesh, { ofVertex, count }: Parts) {
  const { start, particle } = near!;
  const bodyOf = new Uint32Array(bodies[0].builtPositions.length / 3);
  bodies.forEach(({ rows }, n) => {
    for (let i = rows.particleStart; i < rows.particleEnd; i++) bodyOf[ancestor[i]] = n;
  });
  const votes = new Uint32Array(count * bodies.length);
  for (let v = 0; v < ofVertex.length; v++)
    if (start[v] < start[v + 1]) votes[bodies.length * ofVertex[v] + bodyOf[particle[start[v]]]]++;
  return Uint32Array.from({ length: count }, (_, k) => {
    const mine = votes.subarray(bodies.length * k, bodies.length * (k + 1));
    return mine.indexOf(mine.reduce((most, n) => Math.max(most, n), 0));
  });
}

/**
 * What vertices follow, without what went to another body: a splinter of the surface that has no particle of its own goes with its neighbour, and
 * follows what of that is nearest.
 */
function ownNear(s: Views, body: Body, { near, positions }: SkinMesh): Near {
  const { start, particle, kernel } = near!;
  const finder = new Finder(s, body);
  if (areThere(particle, finder.first)) return near!;
  const own = new NearList(start.length - 1);
  for (let v = 0; v + 1 < start.length; v++) {
    const before = own.length;
    for (let k = start[v]; k < start[v + 1]; k++) if (finder.first[particle[k]] >= 0) own.add(particle[k], kernel[k]);
    if (own.length === before) finder.find(positions, v, own);
    own.end(v);
  }
  return lasting(own.taken);
}

function areThere(particle: Uint32Array, first: Int32Array): boolean {
  for (let k = 0; k < particle.length; k++) if (first[particle[k]] < 0) return false;
  return true;
}
