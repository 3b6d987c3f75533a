import { Class } from './classify.js';
import type { ContactMesh } from './contactMesh.js';
import { edgeCells, slotOf, type TriangleHash } from './hash.js';

/**
 * A crossing has the weight 1/distance² (Heidelberger et al. 2004, eq. 1), with its distance from the vertex. A crossing at the vertex
 * would have infinite weight, so the distance is at least this share of the edge.
 */
const NEAREST = 1e-3;

/**
 * Tests the edges of `mesh` against the triangles of `other` in the hash ([H07] 5). An end of a crossed edge is colliding if it lies in the
 * negative half-space of the nearest triangle along the edge, else non-colliding. Both kinds of votes go into `mesh.classes`; colliding
 * ends also add to the sums of border points. For a body against itself the triangles around either end are left out. Returns the number of
 * crossed edges.
 */
export function findCrossings(mesh: ContactMesh, other: ContactMesh, hash: TriangleHash): number {
  const { edges, edgeCount } = mesh.topology;
  let crossed = 0;
  for (let e = 0; e < edgeCount; e++) {
    const v = edges[2 * e];
    const w = edges[2 * e + 1];
    if (!edgeCells(range, hash, mesh.positions, v, w) || !crossEdge(mesh, other, hash, v, w)) continue;
    crossed++;
    record(mesh, v, firstSide, 0);
    record(mesh, w, -lastSide, 1);
  }
  return crossed;
}

// Results of crossEdge for the crossings nearest to each end: position as a share of the edge, side of the triangle on which the first end
// lies (−1 inner, +1 outer), and unit normal. `along` is the edge vector. The shares are in an array because a number in a module variable
// is allocated on the heap.
let firstSide = 0;
let lastSide = 0;
/** Range of hash cubes that the tested edge meets. */
const range = new Int32Array(6);
const shares = new Float64Array(2);
const normals = new Float64Array(6);
const along = new Float64Array(3);

function crossEdge(mesh: ContactMesh, other: ContactMesh, hash: TriangleHash, v: number, w: number): boolean {
  const { seen } = other.classes;
  if (other.classes.lastSeen === 0xffffffff) seen.fill((other.classes.lastSeen = 0));
  const stamp = ++other.classes.lastSeen;
  const self = mesh === other;
  for (let a = 0; a < 3; a++) along[a] = mesh.positions[3 * w + a] - mesh.positions[3 * v + a];
  shares[0] = Number.POSITIVE_INFINITY;
  shares[1] = Number.NEGATIVE_INFINITY;
  for (let i = range[0]; i <= range[3]; i++)
    for (let j = range[1]; j <= range[4]; j++)
      for (let k = range[2]; k <= range[5]; k++) {
        const slot = slotOf(i, j, k, hash.slots);
        for (let n = hash.start[slot]; n < hash.start[slot + 1]; n++) {
          const t = hash.entries[n];
          if (seen[t] === stamp) continue;
          seen[t] = stamp;
          if (self && (hasCorner(other.indices, t, v) || hasCorner(other.indices, t, w))) continue;
          crossTriangle(mesh.positions, v, other, t);
        }
      }
  return shares[1] >= shares[0];
}

export const hasCorner = (indices: Uint32Array, t: number, v: number) =>
  indices[3 * t] === v || indices[3 * t + 1] === v || indices[3 * t + 2] === v;

/** Largest distance between the crossing computed on the edge and the one computed on the triangle, as a share of the edge. */
const AGREE = 0.01;

/**
 * Tests the edge from p along d against one triangle.
 *
 * Plane: an end is inside if it is strictly behind the plane. So an edge in the plane does not cross it, and an edge that ends in the plane
 * crosses it only from behind.
 *
 * Triangle: the volumes that the edge spans with the triangle's sides must have one sign. A side shared by two triangles gives exactly
 * opposite volumes, so no edge passes between them.
 *
 * Rounding: if the edge lies almost in the plane of a flat face, its volumes with that face's triangles are only rounding. Then the
 * crossing computed on the edge differs from the one computed on the triangle (AGREE), and the crossing is rejected. Without this test a
 * cube with self-contact found such a crossing in every sixth step, and its whole face was taken to be inside.
 */
function crossTriangle(x: Float32Array, v: number, { indices, positions: y }: ContactMesh, t: number): void {
  const px = x[3 * v];
  const py = x[3 * v + 1];
  const pz = x[3 * v + 2];
  const dx = along[0];
  const dy = along[1];
  const dz = along[2];
  const i = 3 * indices[3 * t];
  const j = 3 * indices[3 * t + 1];
  const k = 3 * indices[3 * t + 2];
  // Corners relative to p.
  const ax = y[i] - px;
  const ay = y[i + 1] - py;
  const az = y[i + 2] - pz;
  const bx = y[j] - px;
  const by = y[j + 1] - py;
  const bz = y[j + 2] - pz;
  const cx = y[k] - px;
  const cy = y[k + 1] - py;
  const cz = y[k + 2] - pz;
  const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
  const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
  const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const here = -(nx * ax + ny * ay + nz * az);
  const there = here + nx * dx + ny * dy + nz * dz;
  if (here < 0 === there < 0) return;
  const ab = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
  const bc = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const ca = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
  if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const at = here / (here - there);
  if (!(length > 0) || !(at >= 0 && at <= 1)) return;
  const sum = ab + bc + ca;
  const qx = (bc * ax + ca * bx + ab * cx) / sum - at * dx;
  const qy = (bc * ay + ca * by + ab * cy) / sum - at * dy;
  const qz = (bc * az + ca * bz + ab * cz) / sum - at * dz;
  if (!(qx * qx + qy * qy + qz * qz <= AGREE * AGREE * (dx * dx + dy * dy + dz * dz))) return;
  const side = here < 0 ? -1 : 1;
  if (at < shares[0]) {
    shares[0] = at;
    firstSide = side;
    setNormal(0, nx / length, ny / length, nz / length);
  }
  if (at > shares[1]) {
    shares[1] = at;
    lastSide = side;
    setNormal(3, nx / length, ny / length, nz / length);
  }
}

function setNormal(at: number, x: number, y: number, z: number): void {
  normals[at] = x;
  normals[at + 1] = y;
  normals[at + 2] = z;
}

/** Records the vote of one end of the edge (end: 0 or 1). A colliding end also adds the crossing to its sums as a border point. */
function record({ classes: k }: ContactMesh, v: number, side: number, end: number): void {
  if (k.of[v] === Class.UNKNOWN) {
    k.of[v] = Class.OUTSIDE;
    k.touched[k.touchedCount++] = v;
  }
  k.votes[v] -= side;
  if (side > 0) return;
  // Distance to the nearest crossing as a share of the edge.
  const t = end ? 1 - shares[1] : shares[0];
  const dx = along[0];
  const dy = along[1];
  const dz = along[2];
  const length2 = dx * dx + dy * dy + dz * dz;
  const distance2 = Math.max(t * t, NEAREST * NEAREST) * length2;
  const weight = distance2 > 0 ? 1 / distance2 : 0;
  const nx = normals[3 * end];
  const ny = normals[3 * end + 1];
  const nz = normals[3 * end + 2];
  const o = 5 * v;
  k.sums[o] += weight;
  k.sums[o + 1] += weight * nx;
  k.sums[o + 2] += weight * ny;
  k.sums[o + 3] += weight * nz;
  k.sums[o + 4] += weight * t * Math.abs(dx * nx + dy * ny + dz * nz);
}
