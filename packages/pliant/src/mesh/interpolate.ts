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
  return interpolate(prepareInterpolation(surface, points), values, path, size);
}

/** The triangle closest to each of some points: its corners as vertices of the mesh as given and of the welded one, and their barycentric weights. */
export interface Interpolation {
  readonly fileVertices: number;
  readonly weldedVertices: number;
  readonly corners: Uint32Array;
  readonly welded: Uint32Array;
  readonly weight: Float64Array;
}

export function prepareInterpolation(surface: Surface, points: ArrayLike<number>): Interpolation {
  checkPoints('points', points);
  const [corners, welded] = [new Uint32Array(points.length), new Uint32Array(points.length)];
  const weight = new Float64Array(points.length);
  const hit = newClosestPoint();
  for (let o = 0; o < points.length; o += 3) {
    closestPoint(surface.bvh, points[o], points[o + 1], points[o + 2], hit);
    for (let k = 0; k < 3; k++) {
      corners[o + k] = surface.corners[3 * hit.triangle + k];
      welded[o + k] = surface.indices[3 * hit.triangle + k];
    }
    weight[o] = hit.u;
    weight[o + 1] = hit.v;
    weight[o + 2] = hit.w;
  }
  const [fileVertices, weldedVertices] = [surface.vertexMap.length, surface.positions.length / 3];
  return { fileVertices, weldedVertices, corners, welded, weight };
}

/** `interpolateVertices` with triangles that are known. */
export function interpolate(
  interpolation: Interpolation,
  values: ArrayLike<number>,
  path: string,
  size = 1,
): Float64Array {
  if (typeof values !== 'object' || values === null || !(values.length >= 0)) refuse(path, values, 'a list of numbers');
  const corners = cornersFor(interpolation, values, size, path);
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k])) refuse(`${path}[${k}]`, values[k], 'a finite number');
  const { weight } = interpolation;
  const count = weight.length / 3;
  const result = new Float64Array(count * size);
  for (let i = 0; i < count; i++) {
    const a = size * corners[3 * i];
    const b = size * corners[3 * i + 1];
    const c = size * corners[3 * i + 2];
    for (let k = 0; k < size; k++)
      result[size * i + k] =
        weight[3 * i] * values[a + k] + weight[3 * i + 1] * values[b + k] + weight[3 * i + 2] * values[c + k];
  }
  return result;
}

function cornersFor(
  { fileVertices, weldedVertices, corners, welded }: Interpolation,
  values: ArrayLike<number>,
  size: number,
  path: string,
): Uint32Array {
  if (values.length === size * fileVertices) return corners;
  if (values.length === size * weldedVertices) return welded;
  throw new PliantError(
    path,
    `${path} has ${values.length} numbers; expected ${size} for each of the ${fileVertices} vertices` +
      (weldedVertices === fileVertices ? '.' : ` (or of the ${weldedVertices} welded ones).`),
  );
}
