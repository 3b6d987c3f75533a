import type { Vec3 } from '../check.js';
import { MOST_GROWTHS } from '../limits.js';
import { cubed, hypot } from '../math/elementary.js';
import { findComponents } from '../mesh/components.js';
import { buildEdges } from '../mesh/edges.js';
import type { MeshData } from '../mesh/index.js';
import { orient } from '../mesh/orient.js';
import { signedVolume } from '../mesh/volume.js';
import { weld } from '../mesh/weld.js';
import { type ShapeOptions, shapeSolid } from '../sample/shape.js';
import type { Solid } from '../sample/solid.js';
import { volumeOf } from '../sample/volumeOf.js';
import type { Quaternion } from '../spatial/pose.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import { isosurface } from './isosurface.js';
import { pointSolid } from './pointSolid.js';
import { boxSkin, capsuleSkin, cylinderSkin, ellipsoidSkin, torusSkin } from './primitives.js';
import { refine } from './refine.js';
import { joined, type SkinMesh, SMOOTH, someTriangles, turnedInward } from './skinMesh.js';
import { thicken } from './thicken.js';
import { cordSkin, sheetSkin } from './thin.js';

/** Greatest number of triangles, except for bodies too thin to be shown with so few. */
const MOST = 60_000;
/** Length of edges, in spacings of the particles: no body bends on a smaller scale. */
const EDGE = 1.25;
/** Edges of a given mesh longer than this, in spacings, are halved. */
const LONGEST = 1.75;

/** The same for a sheet made of an open mesh, which folds. */
const LONGEST_OF_SHEET = 1;

/** The render mesh of a given triangle mesh: welded, oriented outward, and refined where it is too coarse to bend. An open mesh gets a `thickness`. */
export function skinOfMesh(mesh: MeshData, spacing: number, thickness?: number): SkinMesh {
  const { positions, indices: unturned, corners, triangles } = weld(mesh);
  const { indices, reversed } = orient(positions, unturned);
  const vertices = mesh.positions.length / 3;
  /** Spreads values given by vertex or by corner to corners. */
  const byCorner = (width: number, values?: ArrayLike<number>) => {
    if (!values) return undefined;
    const out = new Float32Array(width * indices.length);
    for (let k = 0; k < indices.length; k++) {
      const t = Math.floor(k / 3);
      // In a triangle that was reversed, the second and third corners are swapped.
      const n = reversed[t] && k % 3 !== 0 ? 3 - (k % 3) : k % 3;
      const from = values.length === width * vertices ? corners[3 * t + n] : 3 * triangles[t] + n;
      for (let a = 0; a < width; a++) out[width * k + a] = values[width * from + a];
    }
    return out;
  };
  const skin = {
    ...{ positions, indices, uvs: byCorner(2, mesh.uvs), colours: byCorner(3, mesh.colours) },
    ...(mesh.source && { source: byCorner(3, sourceCorners(mesh)) }),
  };
  if (thickness === undefined) return refine(skin, LONGEST * spacing, MOST);
  const thick = thicken(positions, indices, thickness);
  const pick = (width: number, values?: Float32Array) =>
    values &&
    Float32Array.from(
      { length: width * thick.corners.length },
      (_, k) => values[width * thick.corners[Math.floor(k / width)] + (k % width)],
    );
  const closed: SkinMesh = {
    ...{ positions: thick.positions, indices: thick.indices, uvs: pick(2, skin.uvs), colours: pick(3, skin.colours) },
    ...(mesh.source && { source: pick(3, skin.source) }),
  };
  return refine(closed, LONGEST_OF_SHEET * spacing, MOST);
}

/** Rows of SkinMesh.source for the corners of a mesh itself. */
function sourceCorners({ positions, indices }: MeshData): Float32Array {
  const source = new Float32Array(3 * (indices ? indices.length : positions.length / 3));
  for (let k = 0; 3 * k < source.length; k++) {
    source[3 * k] = 1 + Math.floor(k / 3);
    if (k % 3 > 0) source[3 * k + (k % 3)] = 1;
  }
  return source;
}

/** The render mesh of a shape: exact where there is a formula, else traced. */
export function skinOfShape(shape: ShapeOptions, spacing: number, volume?: number): SkinMesh {
  const make = (edge: number) => exactSkin(shape, edge);
  // The coarsest mesh gives the area, and thus the edge length for MOST triangles: equilateral triangles number 4/√3
  // per area of an edge squared.
  const coarsest = make(Number.POSITIVE_INFINITY);
  if (!coarsest) return skinOfSolid(shapeSolid(shape), spacing, volume);
  return atMost(make, Math.max(EDGE * spacing, Math.sqrt((2.31 * areaOf(coarsest)) / MOST)))!;
}

function exactSkin(shape: ShapeOptions, edge: number): SkinMesh | undefined {
  const mesh = atOrigin(shape, edge);
  return mesh && { ...mesh, positions: placed(mesh.positions, shape.rotation, shape.position) };
}

function atOrigin(shape: ShapeOptions, edge: number): SkinMesh | undefined {
  switch (shape.type) {
    case 'box':
      return boxSkin(shape.size, edge);
    case 'sphere':
      return ellipsoidSkin([shape.radius, shape.radius, shape.radius], edge);
    case 'ellipsoid':
      return ellipsoidSkin(shape.radii, edge);
    case 'cylinder':
      return cylinderSkin(shape.radius, shape.height, edge);
    case 'capsule':
      return capsuleSkin(shape.radius, shape.height, edge);
    case 'torus':
      return torusSkin(shape.radius, shape.tube, edge);
    case 'sheet':
      return sheetSkin(shape.size, shape.thickness, edge);
    case 'cord':
      return cordSkin(shape.path, shape.radius, edge);
    default:
      return undefined;
  }
}

function placed(
  positions: Float64Array,
  rotation: Quaternion = [0, 0, 0, 1],
  [px, py, pz]: Vec3 = [0, 0, 0],
): Float64Array {
  const length = hypot(...rotation);
  const [x, y, z, w] = rotation.map((c) => c / length);
  const out = new Float64Array(positions.length);
  for (let k = 0; k < positions.length; k += 3) {
    const [a, b, c] = [positions[k], positions[k + 1], positions[k + 2]];
    // p + 2 w (u × p) + 2 u × (u × p)
    const [ux, uy, uz] = [y * c - z * b, z * a - x * c, x * b - y * a];
    out[k] = a + 2 * (w * ux + y * uz - z * uy) + px;
    out[k + 1] = b + 2 * (w * uy + z * ux - x * uz) + py;
    out[k + 2] = c + 2 * (w * uz + x * uy - y * ux) + pz;
  }
  return out;
}

function areaOf({ positions: p, indices }: SkinMesh): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    sum += hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return sum;
}

/** Makes a mesh, with edges growing until it has at most MOST triangles. */
function atMost(make: (edge: number) => SkinMesh | undefined, edge: number): SkinMesh | undefined {
  let mesh = make(edge);
  for (let round = 0; round < MOST_GROWTHS && mesh && mesh.indices.length > 3 * MOST; round++)
    mesh = make((edge *= Math.sqrt((1.1 * mesh.indices.length) / (3 * MOST))));
  return mesh;
}

/**
 * Relative error in volume above which a solid is traced again with smaller cells, factor of their size, and their
 * least size in spacings.
 */
const OFF = 0.02;
const FINER = 0.7;
const FINEST = 0.2;

/**
 * The traced surface of a solid. Parts that are thin beside the spacing need smaller cells; the error in volume tells.
 */
function skinOfSolid(solid: Solid, spacing: number, volume = volumeOf(solid)): SkinMesh {
  const trace = (cell: number) => withoutSpecks(isosurface(solid, { cell, sharp: true }), cell);
  // Ends at the latest when cells are FINEST, after five rounds.
  for (let cell = spacing; ; cell *= FINER) {
    const mesh = trace(cell);
    const count = mesh.indices.length / 3;
    if (count > MOST && cell === spacing) return atMost(trace, 1.1 * cell)!;
    const off = Math.abs(signedVolume(mesh.positions, mesh.indices) / volume - 1);
    if ((count > 0 && off < OFF) || cell * FINER < FINEST * spacing || count * 2 > MOST) return mesh;
  }
}

/**
 * Removes components of less volume than a cell: in wedges between the parts of a union a single node may be marked as
 * inside.
 */
function withoutSpecks(mesh: SkinMesh, cell: number): SkinMesh {
  const { positions, indices } = mesh;
  const { count, of } = findComponents(positions, indices, buildEdges(indices));
  if (count < 2) return mesh;
  const triangles = Array.from({ length: count }, (): number[] => []);
  of.forEach((c, t) => {
    triangles[c].push(t);
  });
  const kept = triangles.filter((some) => {
    const part = Uint32Array.from(some.flatMap((t) => [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]]));
    return Math.abs(signedVolume(positions, part)) > cubed(cell);
  });
  return kept.length === 0 || kept.length === count ? mesh : someTriangles(mesh, kept.flat());
}

/** The render mesh around particles. */
export function skinOfPoints(points: Float64Array): SkinMesh {
  const spacing = spacingOfPoints(points) || LONELY;
  const solid = pointSolid(points, spacing);
  const trace = (cell: number): SkinMesh => ({ ...isosurface(solid, { cell, sharp: false }), crease: SMOOTH });
  // Layers must be at least two cells thick. Only a mesh with too many triangles, that of a solid body, gets larger
  // cells.
  const mesh = trace(0.45 * spacing);
  return mesh.indices.length <= 3 * MOST ? mesh : trace(0.7 * spacing);
}
/** Spacing, and so diameter, of a body whose particles all coincide (m). */
const LONELY = 0.05;

/** Adds the wall of the cavity of a hollow body to its render mesh. */
export function withCavity(
  outside: SkinMesh,
  solid: Solid,
  shape: ShapeOptions | undefined,
  wall: number,
  spacing: number,
): SkinMesh {
  const inner = (shape && skinOfInnerShape(shape, wall, spacing)) ?? skinOfCavity(solid, wall, spacing);
  return inner.indices.length > 0 ? joined(outside, turnedInward(inner)) : outside;
}

/**
 * The set of points farther from the surface than the wall's thickness; for some shapes it is a smaller one of their
 * kind.
 */
function skinOfInnerShape(shape: ShapeOptions, wall: number, spacing: number): SkinMesh | undefined {
  const less = (length: number, by = 2 * wall) => length - by;
  const smaller = ((): ShapeOptions | undefined => {
    switch (shape.type) {
      case 'box':
        return { ...shape, size: shape.size.map((s) => less(s)) as unknown as Vec3 };
      case 'sphere':
        return { ...shape, radius: less(shape.radius, wall) };
      case 'cylinder':
        return { ...shape, radius: less(shape.radius, wall), height: less(shape.height) };
      case 'capsule':
        return { ...shape, radius: less(shape.radius, wall) };
      case 'torus':
        return { ...shape, tube: less(shape.tube, wall) };
      default:
        return undefined;
    }
  })();
  if (!smaller) return undefined;
  const { size, radius, height, tube } = smaller as { size?: Vec3; radius?: number; height?: number; tube?: number };
  const least = Math.min(
    ...(size ?? []),
    ...(tube === undefined ? [radius ?? 1] : [tube]),
    smaller.type === 'cylinder' ? height! : 1,
  );
  if (!(least > 0)) return { positions: new Float64Array(0), indices: new Uint32Array(0) };
  return skinOfShape(smaller, spacing);
}

function skinOfCavity(solid: Solid, wall: number, spacing: number): SkinMesh {
  const empty: SkinMesh = { positions: new Float64Array(0), indices: new Uint32Array(0) };
  const { min, max } = solid;
  const cavity: Solid = {
    min: [min[0] + wall, min[1] + wall, min[2] + wall],
    max: [max[0] - wall, max[1] - wall, max[2] - wall],
    signOnly: solid.signOnly,
    clearance: solid.clearance,
    inside: (x, y, z) => solid.inside(x, y, z) && solid.distance(x, y, z) > wall,
    distance: (x, y, z) => {
      const d = solid.distance(x, y, z);
      return solid.inside(x, y, z) ? Math.abs(d - wall) : d + wall;
    },
  };
  if ([0, 1, 2].some((a) => !(cavity.min[a] < cavity.max[a]))) return empty;
  // The volume is not checked, unlike in skinOfSolid: to estimate that of a cavity, to a few per mille, takes longer
  // than all the rest.
  return isosurface(cavity, { cell: 0.75 * spacing, sharp: true });
}
