import { PliantError } from '../check.js';
import { MIN_LENGTH } from '../limits.js';
import { boundsOf, type MeshData } from '../mesh/checkMesh.js';
import { closestPoint, newClosestPoint } from '../mesh/closestPoint.js';
import { holeClearance } from '../mesh/holes.js';
import { buildSurface, type Surface } from '../mesh/surface.js';
import { isWoundAround } from '../mesh/winding.js';
import { isSheet } from './sheet.js';
import type { Solid } from './solid.js';

/** The solid that a triangle mesh encloses. */
export interface MeshSolid extends Solid {
  /** The repaired surface, for `interpolateVertices`. Its content is not part of the API. */
  surface: Surface;
  /** Remarks about the mesh, a sentence each; empty for a sound closed mesh. */
  warnings: string[];
}

/**
 * The solid that a triangle mesh encloses: every point whose winding number is above a half. Overlapping parts make their union. A part inside
 * another that is wound the other way makes a cavity. Vertices are welded and triangles oriented alike. `path` is the name that messages begin with.
 */
export function meshSolid(mesh: MeshData, path = 'mesh'): MeshSolid {
  const surface = buildSurface(mesh, path);
  const { bvh, dipoles, orientation } = surface;
  const bounds = boundsOf(surface.positions);
  for (let axis = 0; axis < 3; axis++)
    if (bounds[axis + 3] - bounds[axis] < MIN_LENGTH)
      throw new PliantError(
        path,
        `${path} is flat: its extent along ${'xyz'[axis]} is ${bounds[axis + 3] - bounds[axis]}; expected a body with a volume.`,
      );
  const hit = newClosestPoint();
  const solid: MeshSolid = {
    min: [bounds[0], bounds[1], bounds[2]],
    max: [bounds[3], bounds[4], bounds[5]],
    inside: (x, y, z) =>
      x >= bounds[0] &&
      x <= bounds[3] &&
      y >= bounds[1] &&
      y <= bounds[4] &&
      z >= bounds[2] &&
      z <= bounds[5] &&
      isWoundAround(bvh, dipoles, x, y, z),
    distance: (x, y, z, limit) => closestPoint(bvh, x, y, z, hit, limit).distance,
    volume: orientation.volume,
    clearance: orientation.open ? holeClearance(surface) : undefined,
    surface,
    warnings: warningsFor(surface, path),
    checkInside() {
      if (isSheet(solid))
        throw new PliantError(
          path,
          `${path} is an open sheet (${edgesOf(surface)}) that encloses nothing; expected a closed surface: give the sheet a thickness.`,
        );
    },
  };
  return solid;
}

const plural = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** The edges that keep a surface from being closed, as text. */
function edgesOf({ orientation: { boundaryEdges, nonManifoldEdges, twistedEdges } }: Surface): string {
  return [
    ...(boundaryEdges > 0 ? [plural(boundaryEdges, 'boundary edge')] : []),
    ...(nonManifoldEdges > 0 ? [plural(nonManifoldEdges, 'non-manifold edge')] : []),
    ...(twistedEdges > 0 ? [`${plural(twistedEdges, 'edge')} without a consistent winding`] : []),
  ].join(', ');
}

const warningsFor = (surface: Surface, path: string) =>
  surface.orientation.open
    ? [`${path} is open (${edgesOf(surface)}): inside is decided by the generalised winding number`]
    : [];
