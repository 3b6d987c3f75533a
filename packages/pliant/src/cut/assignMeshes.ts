import { setSkinMesh } from '../body/skin.js';
import { squared } from '../math/elementary.js';
import { counting, Scratch } from '../scratch.js';
import { pickRows, type SkinMesh, takeTriangles } from '../skin/skinMesh.js';
import type { Views } from '../state/layout.js';
import { type Cut, type Piece, rebindVertices } from './rebindVertices.js';

/** Gives each body that came of a cut its part of the render mesh: the components that its particles are in. */
export function assignMeshes(s: Views, pieces: readonly Piece[], mesh: SkinMesh, cut: Cut): void {
  const { now } = cut.mesh;
  if (pieces.length === 1) {
    showMesh(s, pieces[0], cut, mesh, counting(now.length / 3), now);
    return;
  }
  const owner = ownersOf(s, pieces, cut);
  for (const [n, piece] of pieces.entries()) {
    const { some, used } = takeTriangles(mesh, trianglesOf(mesh, cut, owner, n));
    showMesh(s, piece, cut, some, used, pickRows(now, nowRoom.take(3 * used.length), 3, used));
  }
}
const nowRoom = new Scratch(Float64Array);

function showMesh(s: Views, piece: Piece, cut: Cut, mesh: SkinMesh, vertices: Uint32Array, now: Float64Array): void {
  const { near, knot } = rebindVertices(s, piece, cut, vertices);
  const { binding } = cut.bound;
  setSkinMesh(piece.body, { ...mesh, near }, now, { binding, knot, heir: piece.heir });
}

/** The triangles of a surface that belong to body n. */
function trianglesOf({ indices }: SkinMesh, { parts: { ofVertex } }: Cut, owner: Int32Array, n: number): Uint32Array {
  const triangles = triangleRoom.take(indices.length / 3);
  let count = 0;
  for (let k = 0; k < indices.length; k += 3) if (owner[ofVertex[indices[k]]] === n) triangles[count++] = k / 3;
  return triangles.subarray(0, count);
}
const triangleRoom = new Scratch();

/** The body that most particles of each component are in. */
function ownersOf(s: Views, pieces: readonly Piece[], cut: Cut): Int32Array {
  const { count, ofParticle } = cut.parts;
  const votes = new Uint32Array(count * pieces.length);
  for (let n = 0; n < pieces.length; n++)
    for (let k = 0; k < pieces[n].numbers.length; k++) {
      const part = ofParticle[pieces[n].numbers[k]];
      if (part >= 0) votes[pieces.length * part + n]++;
    }
  const owner = mostVoted(votes, count);
  // Walls of hollows and splinters may have no particles of their own: they go to the body of the nearest particle.
  for (let v = 0; v < cut.parts.ofVertex.length; v++) {
    const k = cut.parts.ofVertex[v];
    if (k >= 0 && owner[k] < 0) owner[k] = nearestTo(s, pieces, cut, v);
  }
  return owner;
}

/** Index of the largest count of votes for each of `count` things; −1 where there are no votes. */
function mostVoted(votes: Uint32Array, count: number): Int32Array {
  const width = votes.length / count;
  const most = new Int32Array(count).fill(-1);
  for (let k = 0; k < count; k++)
    for (let n = 0; n < width; n++)
      if (votes[width * k + n] > (most[k] < 0 ? 0 : votes[width * k + most[k]])) most[k] = n;
  return most;
}

/** The body of the particle that is nearest to a vertex at rest, among those on the vertex's side of the cut. */
function nearestTo({ ancestor }: Views, pieces: readonly Piece[], { sides: { height }, mesh }: Cut, v: number): number {
  const { rest, side } = mesh;
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (const [n, { body, numbers }] of pieces.entries())
    for (let i = 0; i < numbers.length; i++) {
      if (side[v] !== 0 && height[numbers[i]] >= 0 !== side[v] > 0) continue;
      const X = 3 * ancestor[body.rows.particleStart + i];
      let d2 = 0;
      for (let a = 0; a < 3; a++) d2 += squared(body.builtPositions[X + a] - rest[3 * v + a]);
      if (d2 < least) [nearest, least] = [n, d2];
    }
  return nearest;
}
