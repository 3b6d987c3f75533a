import { growUntil } from '../limits.js';
import { hypot, squared } from '../math/elementary.js';
import { svdInto } from '../math/svd.js';
import { classifyBox, INSIDE, MIXED, type Solid } from '../sample/solid.js';
import { dualTable, EDGE_AXIS, EDGE_CORNER } from './dualCells.js';
import type { SkinMesh } from './skinMesh.js';

export interface IsosurfaceOptions {
  /** Edge of the grid's cells (m); edges of the mesh are about as long. */
  cell: number;
  /** If true, vertices move to edges and corners of the solid; otherwise they stay near the middle of their cell. */
  sharp: boolean;
}

interface Grid {
  solid: Solid;
  cell: number;
  origin: [number, number, number];
  /** Number of nodes along each axis, and the index step in `inside` between neighbours along it. */
  size: [number, number, number];
  stride: [number, number, number];
  inside: Uint8Array;
}

/** Empty cells around the solid's box; the fraction keeps faces at round coordinates off the nodes. */
const MARGIN = 2.37;
/** Greatest number of nodes (1 byte and up to 16 more each); beyond it, cells are larger. */
const MOST_NODES = 1 << 23;

/**
 * The surface of a solid as the dual of marching cubes (Nielson 2004): one vertex for each sheet of surface in a cell
 * of a grid, one quad for each grid edge that the surface crosses. Vertices minimise the distance to the planes of the
 * surface around them (Ju et al. 2002), and are then projected onto the surface along the gradient of the distance.
 *
 * The mesh is always closed, oriented and manifold. Only cell faces on which inside and outside alternate could prevent
 * that; they are removed before by marking further nodes as inside. So gaps narrower than a cell may close, and parts
 * thinner than a cell may be missed.
 */
export function isosurface(solid: Solid, { cell, sharp }: IsosurfaceOptions): SkinMesh {
  const grid = layGrid(solid, cell);
  markNodes(grid, 0, 0, 0, powerAbove(Math.max(...grid.size)));
  emptyBorder(grid);
  const taken = grid.inside.slice();
  removeAlternatingFaces(grid);
  const { crossingAt, points, normals } = findCrossings(grid, taken, sharp);
  const { first, config } = numberSheets(grid);
  const positions = placeSheets(grid, first, config, crossingAt, points, normals);
  for (let v = 0; v < positions.length; v += 3) project(grid, positions, v);
  return { positions, indices: joinSheets(grid, first, config, positions) };
}

function layGrid(solid: Solid, wanted: number): Grid {
  const nodes = (cell: number) =>
    [0, 1, 2].map((a) => Math.ceil((solid.max[a] - solid.min[a]) / cell + 2 * MARGIN) + 1) as [number, number, number];
  const cell = growUntil(wanted, 1.1, (c) => nodes(c).reduce((product, n) => product * n, 1) <= MOST_NODES);
  const size = nodes(cell);
  return {
    solid,
    cell,
    size,
    origin: [0, 1, 2].map((a) => solid.min[a] - MARGIN * cell) as [number, number, number],
    stride: [1, size[0], size[0] * size[1]],
    inside: new Uint8Array(size[0] * size[1] * size[2]),
  };
}

function powerAbove(n: number): number {
  let power = 1;
  while (power < n) power *= 2;
  return power;
}

/** Marks the nodes inside the solid, whole blocks at once where the distance to the surface allows it. */
function markNodes(grid: Grid, i: number, j: number, k: number, width: number): void {
  const { size, origin, cell, solid, inside, stride } = grid;
  if (i >= size[0] || j >= size[1] || k >= size[2]) return;
  if (width > 1) {
    const half = (cell * (width - 1)) / 2;
    const centre = [i, j, k].map((n, a) => origin[a] + n * cell + half);
    const kind = classifyBox(solid, centre[0], centre[1], centre[2], half, half, half);
    if (kind === MIXED) {
      const w = width / 2;
      for (let n = 0; n < 8; n++) markNodes(grid, i + (n & 1) * w, j + ((n >> 1) & 1) * w, k + (n >> 2) * w, w);
      return;
    }
    if (kind !== INSIDE) return;
    for (let c = k; c < Math.min(k + width, size[2]); c++)
      for (let b = j; b < Math.min(j + width, size[1]); b++)
        inside.fill(1, i + stride[1] * b + stride[2] * c, Math.min(i + width, size[0]) + stride[1] * b + stride[2] * c);
    return;
  }
  if (solid.inside(origin[0] + i * cell, origin[1] + j * cell, origin[2] + k * cell))
    inside[i + stride[1] * j + stride[2] * k] = 1;
}

/**
 * Marks the nodes at the border of the grid as outside. A solid that keeps to its box has none there, but the distances
 * of a user's function may be wrong and place walls outside the box. Grid edges are visited from the second node on, so
 * the first two nodes of each row must be outside.
 */
function emptyBorder({ inside, size, stride }: Grid): void {
  for (let k = 0; k < size[2]; k++)
    for (let j = 0; j < size[1]; j++) {
      const row = stride[1] * j + stride[2] * k;
      if (k < 2 || j < 2 || k === size[2] - 1 || j === size[1] - 1) inside.fill(0, row, row + size[0]);
      else inside[row] = inside[row + 1] = inside[row + size[0] - 1] = 0;
    }
}

/**
 * Marks nodes as inside until no cell face has inside and outside on alternate corners. It ends because nodes are only
 * added.
 */
function removeAlternatingFaces({ inside, size, stride }: Grid): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < size[2] - 1; k++)
      for (let j = 0; j < size[1] - 1; j++)
        for (let i = 0; i < size[0] - 1; i++) {
          const a = i + stride[1] * j + stride[2] * k;
          for (let axis = 0; axis < 3; axis++) {
            const b = a + stride[axis];
            const d = a + stride[axis === 2 ? 0 : axis + 1];
            const c = b + d - a;
            if (inside[a] !== inside[c] || inside[b] !== inside[d] || inside[a] === inside[b]) continue;
            inside[inside[a] ? b : a] = 1;
            changed = true;
          }
        }
  }
}

const signedAt = (solid: Solid, x: number, y: number, z: number) =>
  solid.inside(x, y, z) ? -solid.distance(x, y, z) : solid.distance(x, y, z);

/** Bisections of an edge: its crossing is then known to a thousandth of a cell. */
const HALVINGS = 10;
/** A crossing farther from the surface than this share of a cell has no normal: the function is discontinuous there. */
const ON_SURFACE = 0.05;
/** Step of the finite differences of the gradient, in cells. */
const STEP = 1e-3;

/**
 * Crossings of grid edges with the surface, and its normals there. Three edges belong to each node, along +x, +y and
 * +z.
 */
function findCrossings(grid: Grid, taken: Uint8Array, sharp: boolean) {
  const { inside, size, stride, origin, cell, solid } = grid;
  const crossingAt = new Int32Array(3 * inside.length).fill(-1);
  const points: number[] = [];
  const normals: number[] = [];
  const p = [0, 0, 0];
  for (let k = 0; k < size[2] - 1; k++)
    for (let j = 0; j < size[1] - 1; j++)
      for (let i = 0; i < size[0] - 1; i++) {
        const node = i + stride[1] * j + stride[2] * k;
        for (let axis = 0; axis < 3; axis++) {
          const other = node + stride[axis];
          if (inside[node] === inside[other]) continue;
          p[0] = origin[0] + i * cell;
          p[1] = origin[1] + j * cell;
          p[2] = origin[2] + k * cell;
          // Nodes that removeAlternatingFaces added have no surface beside them: the middle of the edge is taken.
          let [low, high] = [0, 1];
          const start = p[axis];
          const real = taken[node] !== taken[other];
          for (let n = 0; real && n < HALVINGS; n++) {
            p[axis] = start + (cell * (low + high)) / 2;
            if (solid.inside(p[0], p[1], p[2]) === (taken[node] === 1)) low = (low + high) / 2;
            else high = (low + high) / 2;
          }
          p[axis] = start + (cell * (low + high)) / 2;
          crossingAt[3 * node + axis] = points.length / 3;
          points.push(p[0], p[1], p[2]);
          if (sharp && real) gradientInto(gradient, solid, p[0], p[1], p[2], cell);
          else gradient.fill(0);
          normals.push(gradient[0], gradient[1], gradient[2]);
        }
      }
  return { crossingAt, points, normals };
}

const gradient = new Float64Array(3);

/** Unit gradient of the signed distance; 0 off the surface or where the slope is 0. Returns the distance. */
function gradientInto(out: Float64Array, solid: Solid, x: number, y: number, z: number, cell: number): number {
  const h = STEP * cell;
  const d = signedAt(solid, x, y, z);
  out.fill(0);
  if (Math.abs(d) > ON_SURFACE * cell) return d;
  slopeInto(out, solid, x, y, z, h);
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let a = 0; a < 3; a++) out[a] = length > 0 ? out[a] / length : 0;
  return d;
}

function slopeInto(out: Float64Array, solid: Solid, x: number, y: number, z: number, h: number): void {
  out[0] = (signedAt(solid, x + h, y, z) - signedAt(solid, x - h, y, z)) / (2 * h);
  out[1] = (signedAt(solid, x, y + h, z) - signedAt(solid, x, y - h, z)) / (2 * h);
  out[2] = (signedAt(solid, x, y, z + h) - signedAt(solid, x, y, z - h)) / (2 * h);
}

/** For each cell, by its lowest node: the number of its first vertex, and which of its corners are inside. */
function numberSheets({ inside, size, stride }: Grid): { first: Uint32Array; config: Uint8Array } {
  const first = new Uint32Array(inside.length + 1);
  const config = new Uint8Array(inside.length);
  for (let k = 0; k < size[2] - 1; k++)
    for (let j = 0; j < size[1] - 1; j++)
      for (let i = 0; i < size[0] - 1; i++) {
        const node = i + stride[1] * j + stride[2] * k;
        let bits = 0;
        for (let n = 0; n < 8; n++)
          bits |= inside[node + (n & 1) + ((n >> 1) & 1) * stride[1] + (n >> 2) * stride[2]] << n;
        config[node] = bits;
      }
  const { sheets } = dualTable();
  for (let node = 0; node < inside.length; node++) first[node + 1] = first[node] + sheets[config[node]];
  return { first, config };
}

/** Singular values below this share of the largest count as 0: the surface does not bend that way in the cell. */
const FLAT = 0.1;

// Scratch of one sheet.
const A = new Float64Array(9);
const U = new Float64Array(9);
const V = new Float64Array(9);
const sigma = new Float64Array(3);
const middle = new Float64Array(3);
const b = new Float64Array(3);

/**
 * The point of each sheet, within its cell, that is nearest to all planes through its crossings; of equally good points
 * the one nearest to their middle.
 */
function placeSheets(
  grid: Grid,
  first: Uint32Array,
  config: Uint8Array,
  crossingAt: Int32Array,
  points: readonly number[],
  normals: readonly number[],
): Float64Array {
  const { inside, stride, origin, cell, size } = grid;
  const { sheetOf } = dualTable();
  const positions = new Float64Array(3 * first[inside.length]);
  const low = [0, 0, 0];
  for (let node = 0; node < inside.length; node++)
    for (let patch = 0; patch < first[node + 1] - first[node]; patch++) {
      const crossings: number[] = [];
      for (let e = 0; e < 12; e++) {
        if (sheetOf[12 * config[node] + e] !== patch) continue;
        const n = EDGE_CORNER[e];
        const from = node + (n & 1) + ((n >> 1) & 1) * stride[1] + (n >> 2) * stride[2];
        crossings.push(crossingAt[3 * from + EDGE_AXIS[e]]);
      }
      low[0] = origin[0] + (node % size[0]) * cell;
      low[1] = origin[1] + (Math.floor(node / stride[1]) % size[1]) * cell;
      low[2] = origin[2] + Math.floor(node / stride[2]) * cell;
      solveSheet(crossings, points, normals);
      const at = 3 * (first[node] + patch);
      for (let a = 0; a < 3; a++) positions[at + a] = Math.max(low[a], Math.min(low[a] + cell, middle[a]));
    }
  return positions;
}

/** Writes the minimum of Σ (n·(x − p))², in the directions in which the normals differ enough, into `middle`. */
function solveSheet(crossings: readonly number[], points: readonly number[], normals: readonly number[]): void {
  middle.fill(0);
  for (const c of crossings) for (let a = 0; a < 3; a++) middle[a] += points[3 * c + a] / crossings.length;
  A.fill(0);
  b.fill(0);
  for (const c of crossings) {
    let off = 0;
    for (let a = 0; a < 3; a++) off += normals[3 * c + a] * (points[3 * c + a] - middle[a]);
    for (let i = 0; i < 3; i++) {
      b[i] += off * normals[3 * c + i];
      for (let j = 0; j < 3; j++) A[3 * j + i] += normals[3 * c + i] * normals[3 * c + j];
    }
  }
  svdInto(U, sigma, V, A);
  for (let k = 0; k < 3; k++) {
    if (!(sigma[k] > FLAT * sigma[0]) || sigma[0] === 0) continue;
    const along = (U[3 * k] * b[0] + U[3 * k + 1] * b[1] + U[3 * k + 2] * b[2]) / sigma[k];
    for (let a = 0; a < 3; a++) middle[a] += along * V[3 * k + a];
  }
}

/** Greatest distance of a vertex from the surface, in cells, at which it is projected. */
const NEAR = 0.5;

/** Two Newton steps along the gradient, each taken only if it comes nearer to the surface. */
function project({ solid, cell }: Grid, positions: Float64Array, v: number): void {
  for (let round = 0; round < 2; round++) {
    const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
    const d = signedAt(solid, x, y, z);
    if (!(Math.abs(d) < NEAR * cell) || d === 0) return;
    slopeInto(gradient, solid, x, y, z, STEP * cell);
    const square = squared(gradient[0]) + squared(gradient[1]) + squared(gradient[2]);
    if (!(square > 1e-6)) return;
    const by = d / square;
    const [px, py, pz] = [x - by * gradient[0], y - by * gradient[1], z - by * gradient[2]];
    if (!(hypot(px - x, py - y, pz - z) < NEAR * cell)) return;
    if (!(Math.abs(signedAt(solid, px, py, pz)) < Math.abs(d))) return;
    positions[v] = px;
    positions[v + 1] = py;
    positions[v + 2] = pz;
  }
}

/** The four cells around an edge, counter-clockwise seen from its end, as steps back along the next two axes. */
const AROUND = [
  [1, 1],
  [0, 1],
  [0, 0],
  [1, 0],
];

/** Adds two triangles for every crossed grid edge, divided along the shorter diagonal. */
function joinSheets(
  { inside, size, stride }: Grid,
  first: Uint32Array,
  config: Uint8Array,
  p: Float64Array,
): Uint32Array {
  const indices: number[] = [];
  const { sheetOf } = dualTable();
  const square = (i: number, j: number) =>
    squared(p[3 * i] - p[3 * j]) + squared(p[3 * i + 1] - p[3 * j + 1]) + squared(p[3 * i + 2] - p[3 * j + 2]);
  const quad = [0, 0, 0, 0];
  for (let k = 1; k < size[2] - 1; k++)
    for (let j = 1; j < size[1] - 1; j++)
      for (let i = 1; i < size[0] - 1; i++) {
        const node = i + stride[1] * j + stride[2] * k;
        for (let axis = 0; axis < 3; axis++) {
          if (inside[node] === inside[node + stride[axis]]) continue;
          const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
          for (let n = 0; n < 4; n++) {
            const [back, down] = AROUND[n];
            const cell = node - back * stride[u] - down * stride[w];
            const corner = (back << u) | (down << w);
            quad[n] = first[cell] + sheetOf[12 * config[cell] + EDGE_AT[8 * axis + corner]];
          }
          if (!inside[node]) quad.reverse();
          const [a, b, c, d] = quad;
          if (square(a, c) <= square(b, d)) indices.push(a, b, c, a, c, d);
          else indices.push(a, b, d, b, c, d);
        }
      }
  return Uint32Array.from(indices);
}

/** Number of the edge along an axis that begins at a corner of a cell. */
const EDGE_AT = new Uint8Array(24);
for (let e = 0; e < 12; e++) EDGE_AT[8 * EDGE_AXIS[e] + EDGE_CORNER[e]] = e;
