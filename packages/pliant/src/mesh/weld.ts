import { checkNumber, PliantError } from '../check.js';
import { boundsOf, checkMesh, diagonalOf, type MeshData } from './checkMesh.js';

/** A mesh whose triangles share their vertices, so that neighbours can be found by vertex number. */
export interface WeldedMesh {
  positions: Float64Array;
  /** Three welded vertices per triangle. */
  indices: Uint32Array;
  /** File vertex → welded vertex. */
  vertexMap: Uint32Array;
  /** The file's own vertices of the same triangles, parallel to `indices`: the keys of colours, UVs and masks. */
  corners: Uint32Array;
  /** Number in the file of each triangle; triangles without area are left out. */
  triangles: Uint32Array;
}

/**
 * Two vertices nearer than this are one, as a fraction of the bounding-box diagonal. Coordinates written with seven
 * digits (float32, OBJ text) differ by about 1e-7 of the box between the two sides of a seam; real detail is coarser.
 */
export const WELD_TOLERANCE = 1e-6;

/**
 * A triangle is degenerate when twice its area is below this fraction of its longest edge squared, i.e. its height is
 * 1e-12 of its length: rounding of the cross product in doubles is about 1e-16, and slimmer triangles have no normal.
 */
const FLATNESS = 1e-12;

/**
 * Merges vertices within `tolerance` (a length; by default WELD_TOLERANCE of the diagonal) and drops triangles that
 * lost their area. A vertex is merged with the first vertex near it in file order, so the result does not depend on the
 * hash.
 */
export function weld(mesh: MeshData, tolerance?: number, path = 'mesh'): WeldedMesh {
  const fileIndices = checkMesh(path, mesh);
  const limit =
    tolerance === undefined
      ? WELD_TOLERANCE * diagonalOf(boundsOf(mesh.positions))
      : checkNumber('tolerance', tolerance, { min: 0 });
  const { positions, vertexMap } = mergeVertices(mesh.positions, limit);
  const indices = new Uint32Array(fileIndices.length);
  const corners = new Uint32Array(fileIndices.length);
  const triangles = new Uint32Array(fileIndices.length / 3);
  let kept = 0;
  for (let k = 0; k < fileIndices.length; k += 3) {
    const a = vertexMap[fileIndices[k]];
    const b = vertexMap[fileIndices[k + 1]];
    const c = vertexMap[fileIndices[k + 2]];
    if (a === b || b === c || c === a || isFlat(positions, a, b, c)) continue;
    for (let corner = 0; corner < 3; corner++) {
      corners[kept + corner] = fileIndices[k + corner];
      indices[kept + corner] = vertexMap[fileIndices[k + corner]];
    }
    triangles[kept / 3] = k / 3;
    kept += 3;
  }
  if (kept === 0)
    throw new PliantError(
      path,
      `${path} has ${fileIndices.length / 3} triangles and all are degenerate; expected at least one with an area.`,
    );
  return {
    positions,
    vertexMap,
    indices: indices.slice(0, kept),
    corners: corners.slice(0, kept),
    triangles: triangles.slice(0, kept / 3),
  };
}

/**
 * Hash grid with cells as wide as the tolerance, so that a neighbour within it lies in one of the 27 cells around.
 * Chains are linked lists over welded vertices; the table has at least twice as many slots as vertices.
 */
function mergeVertices(file: ArrayLike<number>, tolerance: number) {
  const count = file.length / 3;
  const bounds = boundsOf(file);
  // With tolerance 0 only equal coordinates merge, for which any cell size works.
  const cell = tolerance > 0 ? tolerance : WELD_TOLERANCE * diagonalOf(bounds);
  let slots = 16;
  while (slots < 2 * count) slots *= 2;
  const head = new Int32Array(slots).fill(-1);
  const next = new Int32Array(count);
  const positions = new Float64Array(file.length);
  const vertexMap = new Uint32Array(count);
  // Cell numbers can exceed 2^31 for a tiny tolerance; Math.imul takes them modulo 2^32, which suffices for a hash.
  const slotOf = (i: number, j: number, k: number) =>
    (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & (slots - 1);
  let welded = 0;
  for (let v = 0; v < count; v++) {
    const x = file[3 * v];
    const y = file[3 * v + 1];
    const z = file[3 * v + 2];
    const i = Math.floor((x - bounds[0]) / cell);
    const j = Math.floor((y - bounds[1]) / cell);
    const k = Math.floor((z - bounds[2]) / cell);
    let found = welded;
    for (let n = 0; n < 27; n++) {
      const slot = slotOf(i + (n % 3) - 1, j + (Math.floor(n / 3) % 3) - 1, k + Math.floor(n / 9) - 1);
      for (let u = head[slot]; u >= 0; u = next[u]) {
        const dx = positions[3 * u] - x;
        const dy = positions[3 * u + 1] - y;
        const dz = positions[3 * u + 2] - z;
        if (u < found && dx * dx + dy * dy + dz * dz <= tolerance * tolerance) found = u;
      }
    }
    if (found === welded) {
      positions.set([x, y, z], 3 * welded);
      const slot = slotOf(i, j, k);
      next[welded] = head[slot];
      head[slot] = welded++;
    }
    vertexMap[v] = found;
  }
  return { positions: positions.slice(0, 3 * welded), vertexMap };
}

function isFlat(p: Float64Array, a: number, b: number, c: number): boolean {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const wx = vx - ux;
  const wy = vy - uy;
  const wz = vz - uz;
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
  return Math.sqrt(nx * nx + ny * ny + nz * nz) <= FLATNESS * longest;
}
