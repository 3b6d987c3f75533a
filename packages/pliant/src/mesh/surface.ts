import { type Bvh, buildBvh } from './bvh.js';
import type { MeshData } from './checkMesh.js';
import { type Orientation, orient } from './orient.js';
import { type WeldedMesh, weld } from './weld.js';
import { buildDipoles, type Dipoles } from './winding.js';

/** A mesh prepared for queries: welded, consistently wound, with a hierarchy over its triangles. */
export interface Surface extends WeldedMesh {
  readonly bvh: Bvh;
  readonly dipoles: Dipoles;
  /** The defects found and the corrections made; its `indices` are the surface's own. */
  readonly orientation: Orientation;
}

/** Welds and orients a mesh and builds the structures for inside tests and closest points. */
export function buildSurface(mesh: MeshData, path = 'mesh', tolerance?: number): Surface {
  const welded = weld(mesh, tolerance, path);
  const orientation = orient(welded.positions, welded.indices);
  const corners = welded.corners.slice();
  for (let t = 0; t < orientation.reversed.length; t++) {
    if (!orientation.reversed[t]) continue;
    corners[3 * t + 1] = welded.corners[3 * t + 2];
    corners[3 * t + 2] = welded.corners[3 * t + 1];
  }
  const bvh = buildBvh(welded.positions, orientation.indices);
  return { ...welded, corners, indices: orientation.indices, bvh, dipoles: buildDipoles(bvh), orientation };
}
