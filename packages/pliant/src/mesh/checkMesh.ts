import { checkBoolean, checkPoints, PliantError, refuse, show } from '../check.js';
import { checkPlaces } from '../limits.js';

/** A triangle mesh as it comes from a file or a caller. */
export interface MeshData {
  /** x, y, z of each vertex (m). */
  positions: ArrayLike<number>;
  /** Three vertex numbers per triangle, counter-clockwise seen from outside. Default: each three vertices are one triangle. */
  indices?: ArrayLike<number>;
  /** u, v of each vertex, or of each corner in the order of `indices`; v runs upwards. Only for rendering. */
  uvs?: ArrayLike<number>;
  /** r, g, b of each vertex, or of each corner in the order of `indices`, in [0, 1]. Only for rendering. */
  colours?: ArrayLike<number>;
  /**
   * Whether the skin of the body keeps where its triangles lie in this mesh (`RenderSkin.source`): for renderers that draw attributes which the engine does
   * not know, such as tangents. Costs 12 bytes a corner. At most 2²⁴ triangles. Default false.
   */
  source?: boolean;
}

/** Number of triangles up to which 32-bit floats can number them; see SkinMesh.source. */
const MOST_SOURCE = 1 << 24;

/** Bounding box of flat coordinate triples as [minX, minY, minZ, maxX, maxY, maxZ]. */
export function boundsOf(positions: ArrayLike<number>): Float64Array {
  const bounds = new Float64Array(6).fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3, 6);
  for (let k = 0; k < positions.length; k++) {
    const axis = k % 3;
    if (positions[k] < bounds[axis]) bounds[axis] = positions[k];
    if (positions[k] > bounds[axis + 3]) bounds[axis + 3] = positions[k];
  }
  return bounds;
}

/** Length of the diagonal of a bounding box. */
export function diagonalOf(bounds: ArrayLike<number>): number {
  const x = bounds[3] - bounds[0];
  const y = bounds[4] - bounds[1];
  const z = bounds[5] - bounds[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Refuses a mesh that is empty, has a coordinate that is not finite, an index that names no vertex, or no extent.
 * `path` is the name that messages begin with. Returns the indices, counted up from 0 for a triangle soup.
 */
export function checkMesh(path: string, mesh: MeshData): ArrayLike<number> {
  if (typeof mesh !== 'object' || mesh === null) refuse(path, mesh, 'an object with positions and indices');
  const positions = checkPoints(`${path}.positions`, mesh.positions);
  checkPlaces(`${path}.positions`, positions);
  const indices = mesh.indices === undefined ? soupIndices(path, positions) : checkIndices(path, mesh);
  if (diagonalOf(boundsOf(positions)) === 0)
    throw new PliantError(
      path,
      `${path} has zero extent: all ${positions.length / 3} vertices are at ` +
        `(${positions[0]}, ${positions[1]}, ${positions[2]}); expected a surface.`,
    );
  checkAttribute(`${path}.uvs`, mesh.uvs, 2, positions.length / 3, indices.length);
  checkAttribute(`${path}.colours`, mesh.colours, 3, positions.length / 3, indices.length);
  if (mesh.source !== undefined && checkBoolean(`${path}.source`, mesh.source) && indices.length > 3 * MOST_SOURCE)
    refuse(`${path}.source`, mesh.source, `false for more than ${MOST_SOURCE} triangles`);
  return indices;
}

function checkAttribute(
  path: string,
  values: ArrayLike<number> | undefined,
  width: number,
  vertices: number,
  corners: number,
): void {
  if (values === undefined) return;
  if (typeof values !== 'object' || values === null || typeof values.length !== 'number')
    refuse(path, values, 'an array of numbers');
  if (values.length !== width * vertices && values.length !== width * corners)
    throw new PliantError(
      path,
      `${path} has ${values.length} numbers; expected ${width} for each of ${vertices} vertices or ${corners} corners.`,
    );
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k])) refuse(`${path}[${k}]`, values[k], 'a finite number');
}

function soupIndices(path: string, positions: ArrayLike<number>): Uint32Array {
  if (positions.length % 9 !== 0)
    throw new PliantError(
      `${path}.positions`,
      `${path}.positions has ${positions.length / 3} vertices and there are no indices; ` +
        'expected three vertices per triangle.',
    );
  return Uint32Array.from({ length: positions.length / 3 }, (_, k) => k);
}

function checkIndices(meshPath: string, mesh: MeshData): ArrayLike<number> {
  const indices = mesh.indices as ArrayLike<number>;
  const path = `${meshPath}.indices`;
  if (typeof indices !== 'object' || indices === null || typeof indices.length !== 'number')
    refuse(path, indices, 'an array of vertex numbers');
  if (!(indices.length > 0)) refuse(path, indices, 'at least one triangle');
  if (indices.length % 3 !== 0)
    throw new PliantError(path, `${path} has ${indices.length} numbers; expected a multiple of 3.`);
  const vertices = mesh.positions.length / 3;
  for (let k = 0; k < indices.length; k++) {
    const v = indices[k];
    if (!Number.isInteger(v) || v < 0 || v >= vertices)
      throw new PliantError(
        `${path}[${k}]`,
        `${path}[${k}] is ${show(v)} (triangle ${Math.floor(k / 3)}); expected a vertex number from 0 to ${vertices - 1}.`,
      );
  }
  return indices;
}
