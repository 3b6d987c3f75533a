import { checkInteger, checkPoints, PliantError, refuse } from '../check.js';
import { closestPoint, newClosestPoint } from './closestPoint.js';
import type { Surface } from './surface.js';

/** Anything that has a surface prepared by `meshSolid`, such as a MeshSolid. */
export interface MeshSurface {
  /** The prepared surface. Its content is not part of the API. */
  surface: Surface;
}

/**
 * Interpolates values given per vertex of a mesh at arbitrary points (x, y, z each, m): each point takes the barycentric mean of the triangle that is
 * closest to it. `values` has `size` numbers per vertex: 1 for a mask, 3 for a colour. `path` is the name that messages begin with.
 *
 * With values per vertex of the mesh as it was given, the two sides of a seam keep their different values. Values per welded vertex are accepted too.
 */
export function interpolateVertices(
  { surface }: MeshSurface,
  values: ArrayLike<number>,
  points: ArrayLike<number>,
  path = 'values',
  size = 1,
): Float64Array {
  checkInteger('size', size, { min: 1 });
  checkPoints('points', points);
  if (typeof values !== 'object' || values === null || !(values.length >= 0)) refuse(path, values, 'a list of numbers');
  const corners = cornersFor(surface, values, size, path);
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k])) refuse(`${path}[${k}]`, values[k], 'a finite number');
  const count = points.length / 3;
  const result = new Float64Array(count * size);
  const hit = newClosestPoint();
  for (let i = 0; i < count; i++) {
    closestPoint(surface.bvh, points[3 * i], points[3 * i + 1], points[3 * i + 2], hit);
    const a = size * corners[3 * hit.triangle];
    const b = size * corners[3 * hit.triangle + 1];
    const c = size * corners[3 * hit.triangle + 2];
    for (let k = 0; k < size; k++)
      result[size * i + k] = hit.u * values[a + k] + hit.v * values[b + k] + hit.w * values[c + k];
  }
  return result;
}

function cornersFor(surface: Surface, values: ArrayLike<number>, size: number, path: string): Uint32Array {
  const fileVertices = surface.vertexMap.length;
  const weldedVertices = surface.positions.length / 3;
  if (values.length === size * fileVertices) return surface.corners;
  if (values.length === size * weldedVertices) return surface.indices;
  throw new PliantError(
    path,
    `${path} has ${values.length} numbers; expected ${size} for each of the ${fileVertices} vertices` +
      (weldedVertices === fileVertices ? '.' : ` (or of the ${weldedVertices} welded ones).`),
  );
}
