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
 * A triangle surface that follows a body, for contact. Each vertex X is carried by the clusters of the particles around it,
 *
 *     x_v = Σ_c W_vc (x̄_c + F_c q_vc),   q_vc = X − X̄_c,   Σ_c W_vc = 1,
 *
 * with the linear deformation F_c = A_xr A_rr⁻¹ ([J15] 7), not only its rotation: where all clusters move alike the surface
 * follows any affine motion exactly. Vertices are welded: seams of the file stay closed, and normals can be taken across.
 */
export interface ContactMesh extends Frames {
  readonly body: ContactMeshBody;
  readonly vertexCount: number;
  /** Three vertices per triangle, counter-clockwise from outside. */
  readonly indices: Uint32Array;
  /** Vertex of the file → vertex of the skin. */
  readonly vertexMap: Uint32Array;
  /** The file's own vertices of the same triangles, parallel to `indices`. */
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
  /** Triangles as they were when `refitContactMesh` ran last. */
  readonly bvh: Bvh;
  /** Vertex positions, x y z (m) · updateContactMesh. */
  readonly positions: Float32Array;
  /** minX … maxZ of `positions` · updateContactMesh. */
  readonly bounds: Float64Array;
  /** All particles of the body are held · updateContactMesh. */
  isHeld: boolean;
  /** Nothing moves it, as if it were held: its body sleeps. Set by whoever lets it meet others. */
  isAsleep: boolean;
  /** Rises with every updateContactMesh; `refitted` is what it was when the hierarchy followed. */
  updates: number;
  refitted: number;
  /** Scratch of contact: dead between calls. `island`: which group of touching bodies it is in. */
  island: number;
  readonly motion: Motion;
  readonly classes: Classes;
}

/** What a contact mesh needs of its body: a `Body`, or anything with rows of its own. */
export interface ContactMeshBody {
  readonly rows: Rows;
  readonly restPositions: Float64Array;
}

export interface ContactMeshOptions {
  /** Path that messages start with. */
  path?: string;
  /** Also take surfaces with holes. They can be shown, but contact needs an inside. */
  open?: boolean;
}

/**
 * Binds a mesh to a body. Mesh and body share one rest shape: the mesh's coordinates are those of `body.restPositions`,
 * i.e. placed in the world as the body was when it was built.
 */
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

/** The body's memberships as they lie in the state. */
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
