import { checkKeys, PliantError } from '../check.js';
import { hypot } from '../math/elementary.js';
import type { Bvh } from '../mesh/bvh.js';
import { buildSurface, type MeshData } from '../mesh/index.js';
import { type Blend, blendClusters, type Memberships } from '../skin/blend.js';
import { describeFrames, type Frames, newFrames } from '../skin/frames.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import { type Classes, newClasses } from './classify.js';
import { findOverlap, type Overlap } from './fold.js';
import { type Motion, newMotion } from './motion.js';
import { buildTopology, type Topology } from './topology.js';
import { updateContactMesh } from './update.js';

/**
 * A triangle surface that moves with a body, for contact. The position of a vertex X is blended from the clusters of the particles around
 * it,
 *
 *     x_v = Σ_c W_vc (x̄_c + F_c q_vc),   q_vc = X − X̄_c,   Σ_c W_vc = 1,
 *
 * with the linear deformation F_c = A_xr A_rr⁻¹ ([J15] 7), not only its rotation. Where all clusters move alike, the surface follows any
 * affine motion exactly. Vertices are welded, so that seams of the file stay closed and normals can be averaged across them.
 */
export interface ContactMesh extends Frames {
  readonly body: ContactMeshBody;
  readonly vertexCount: number;
  /** Three vertices per triangle, counter-clockwise from outside. */
  readonly indices: Uint32Array;
  /** Vertex of the file → vertex of the contact mesh. */
  readonly vertexMap: Uint32Array;
  /** Vertices of the file at the same triangle corners, parallel to `indices`. */
  readonly corners: Uint32Array;
  /** Diagonal of the box around its vertices at rest (m). */
  readonly size: number;
  readonly topology: Topology;
  readonly blend: Blend;
  /** Per entry of the blend: q x y z (m). */
  readonly offsets: Float64Array;
  /** Per cluster: X̄, three numbers (m). */
  readonly restCentres: Float64Array;
  readonly sharing: Overlap;
  /** Hierarchy of the triangles at the last `refitContactMesh`. */
  readonly bvh: Bvh;
  /** Vertex positions, x y z (m) · updateContactMesh. */
  readonly positions: Float32Array;
  /** minX … maxZ of `positions` · updateContactMesh. */
  readonly bounds: Float64Array;
  /** Whether all particles of the body are held · updateContactMesh. */
  isHeld: boolean;
  /** Whether the body sleeps; then contact does not move it, as if it were held. Set by the caller of contact. */
  isAsleep: boolean;
  /** Number of calls of updateContactMesh, and its value at the last refitContactMesh. */
  updates: number;
  refitted: number;
  /** Scratch of contact, without meaning between calls. `island`: number of the group of touching bodies. */
  island: number;
  readonly motion: Motion;
  readonly classes: Classes;
}

/** The parts of a body that a contact mesh needs: a `Body`, or any object with rows of its own. */
export interface ContactMeshBody {
  readonly rows: Rows;
  readonly restPositions: Float64Array;
}

export interface ContactMeshOptions {
  /** Path that messages start with. */
  path?: string;
  /** Whether surfaces with holes are accepted. They can be shown, but contact needs an inside. */
  open?: boolean;
}

/** Binds a mesh to a body. The mesh's coordinates are those of `body.restPositions`: placed in the world as the body was when it was built. */
export function bindContactMesh(
  state: State,
  body: ContactMeshBody,
  mesh: MeshData,
  options: ContactMeshOptions = {},
): ContactMesh {
  checkKeys('options', options, ['path', 'open']);
  const path = options.path ?? 'mesh';
  const surface = buildSurface(mesh, path);
  if (surface.orientation.open && !options.open)
    throw new PliantError(
      path,
      `${path} is open at ${surface.orientation.boundary.length / 2} edges; expected a closed surface for contact.`,
    );
  const { views } = state;
  const members = membershipsOf(views, body);
  const blend = blendClusters(surface.positions, body.restPositions, members);
  const clusterCount = members.start.length - 1;
  const { bounds } = surface.bvh;
  const vertexCount = surface.positions.length / 3;
  const contactMesh: ContactMesh = {
    body,
    vertexCount,
    indices: surface.indices,
    vertexMap: surface.vertexMap,
    corners: surface.corners,
    size: hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]),
    topology: buildTopology(surface.indices, vertexCount),
    blend,
    offsets: new Float64Array(3 * blend.cluster.length),
    ...newFrames(clusterCount),
    restCentres: new Float64Array(3 * clusterCount),
    sharing: findOverlap(members, body.restPositions.length / 3),
    bvh: surface.bvh,
    positions: new Float32Array(3 * vertexCount),
    bounds: new Float64Array(6),
    isHeld: false,
    isAsleep: false,
    island: -1,
    updates: 0,
    refitted: -1,
    motion: newMotion(clusterCount, body.rows.particleEnd - body.rows.particleStart),
    classes: newClasses(vertexCount, surface.indices.length / 3),
  };
  offsetVertices(contactMesh, surface.positions, views);
  describeFrames(contactMesh, views, body.rows.clusterStart, blend.cluster, () => contactMesh.offsets);
  updateContactMesh(contactMesh, state);
  return contactMesh;
}

/** The body's memberships, read from the state and numbered within the body. */
function membershipsOf(s: Views, { rows }: ContactMeshBody): Memberships {
  const base = s.memberStart[rows.clusterStart];
  const last = s.memberStart[rows.clusterEnd];
  const particle = s.memberParticle.slice(base, last).map((i) => i - rows.particleStart);
  return {
    start: s.memberStart.slice(rows.clusterStart, rows.clusterEnd + 1).map((k) => k - base),
    particle,
    weight: Float64Array.from(particle, (i, k) => s.member[4 * (base + k) + 3] / s.x[4 * (rows.particleStart + i) + 3]),
  };
}

/** q_vc = X_v − X̄_c with X̄_c = Σ m w X / Σ m w. */
function offsetVertices(mesh: ContactMesh, vertices: Float64Array, s: Views): void {
  const { blend, offsets, body, clusterCount, restCentres: centre } = mesh;
  const { rows, restPositions } = body;
  for (let c = 0; c < clusterCount; c++) {
    const row = rows.clusterStart + c;
    for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++) {
      const i = s.memberParticle[k] - rows.particleStart;
      for (let a = 0; a < 3; a++)
        centre[3 * c + a] += (s.member[4 * k + 3] * restPositions[3 * i + a]) / s.clusterMass[row];
    }
  }
  for (let v = 0; v + 1 < blend.start.length; v++)
    for (let k = blend.start[v]; k < blend.start[v + 1]; k++)
      for (let a = 0; a < 3; a++) offsets[3 * k + a] = vertices[3 * v + a] - centre[3 * blend.cluster[k] + a];
}
