import { growUntil } from '../limits.js';
import { hypot } from '../math/elementary.js';
import { formOf, putForm } from '../sample/form.js';
import type { Solid } from '../sample/solid.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';

/**
 * Signed distances to the surface of a body's rest shape on a grid, in the coordinates in which it was sampled: negative inside, linear
 * between the nodes. Contact takes a particle's distance from the surface and the normal from it. The field resolves edges and hollows,
 * which particles half a spacing below the surface describe only roughly.
 */
export interface DistanceField {
  /** The first node (m), and the distances between nodes along x, y, z (m). */
  origin: [number, number, number];
  cell: [number, number, number];
  /** Nodes along x, y, z; x fastest in `values`. */
  size: [number, number, number];
  values: Float32Array;
}

/**
 * Largest distance of nodes in spacings of the particles. A whole number of cells spans the body along each axis: the faces of a box lie on nodes,
 * and over a face the field is exact up to the edges. With nodes anywhere, normals were tilted by 8° over the edges of a brick, and bricks slid
 * off one another.
 */
const CELL = 0.75;
/** Across a body thinner than this many of the widest cells, nodes lie as wide apart as elsewhere: a sheet of 1 nm would need billions of them around it. */
const THINNEST = 0.25;
/** Extent of the field beyond the body (spacings). Particles that touch the body are nearer. */
const AROUND = 2.5;
/** Distances are cut off at this many spacings. */
const FAR = 4;
/** Largest number of nodes (16 MB). A larger field gets a wider grid. */
const MOST_NODES = 1 << 22;

export function buildField(solid: Solid, spacing: number, work = new Work()): DistanceField {
  const extent = [0, 1, 2].map((a) => solid.max[a] - solid.min[a]);
  const cellsAcross = (a: number, widest: number) => Math.max(1, Math.ceil(extent[a] / widest - 1e-9));
  const cellOf = (a: number, widest: number) => {
    const cell = extent[a] / cellsAcross(a, widest);
    return cell > THINNEST * widest ? cell : widest;
  };
  const cellsAround = (a: number, widest: number) => Math.ceil((AROUND * spacing) / cellOf(a, widest) - 1e-9);
  const nodes = (widest: number) => axes.map((a) => cellsAcross(a, widest) + 2 * cellsAround(a, widest) + 1) as Three;
  const most = growUntil(CELL * spacing, 1.25, (c) => nodes(c).reduce((product, n) => product * n, 1) <= MOST_NODES);
  const size = nodes(most);
  const cell = axes.map((a) => cellOf(a, most)) as Three;
  const origin = axes.map((a) => solid.min[a] - cellsAround(a, most) * cell[a]) as Three;
  const values = new Float32Array(size[0] * size[1] * size[2]);
  const field: DistanceField = { origin, cell, size, values };
  const far = FAR * spacing;
  if (formOf(solid) && withKernels((space) => fillFast(space, field, solid, far, work))) return field;
  forRows(field, work, (j, k) => {
    for (let i = 0; i < size[0]; i += BLOCK) fillBlock(field, solid, far, i, j, k);
  });
  return field;
}

/** Calls `fill` for the first nodes along y and z of every row of blocks. */
function forRows({ size }: DistanceField, work: Work, fill: (j: number, k: number) => void): void {
  for (let k = 0; k < size[2]; k += BLOCK)
    for (let j = 0; j < size[1]; j += BLOCK) {
      work.tick((0.5 * (k + (BLOCK * j) / size[1])) / size[2]);
      fill(j, k);
    }
}

/** Fills a field in WASM. */
function fillFast(space: Workspace, field: DistanceField, solid: Solid, far: number, work: Work): true {
  const { origin, cell, size, values } = field;
  const form = putForm(space, formOf(solid));
  const [shape, nodes] = [space.putReals([...origin, ...cell, reachOf(cell)]), space.putWords(size)];
  const filled = space.take(4 * values.length);
  forRows(field, work, (j, k) => space.kernels.fillBlocks(form, shape, nodes, far, j, k, filled));
  values.set(space.floats(filled, values.length));
  return true;
}

/** Half of the diagonal between the outermost nodes of a block. */
const reachOf = ([x, y, z]: Three) => ((BLOCK - 1) / 2) * hypot(x, y, z);

/** The distance (m) at a place, linear between the nodes; beyond the field that of its border. */
export function distanceAt({ origin, cell, size, values }: DistanceField, x: number, y: number, z: number): number {
  const [nx, ny, nz] = size;
  const fx = Math.min(Math.max((x - origin[0]) / cell[0], 0), nx - 1);
  const fy = Math.min(Math.max((y - origin[1]) / cell[1], 0), ny - 1);
  const fz = Math.min(Math.max((z - origin[2]) / cell[2], 0), nz - 1);
  const i = Math.min(Math.floor(fx), nx - 2);
  const j = Math.min(Math.floor(fy), ny - 2);
  const k = Math.min(Math.floor(fz), nz - 2);
  const [u, v, w] = [fx - i, fy - j, fz - k];
  const o = (k * ny + j) * nx + i;
  const up = o + nx * ny;
  const along = (at: number) => values[at] + u * (values[at + 1] - values[at]);
  const low = along(o) + v * (along(o + nx) - along(o));
  const high = along(up) + v * (along(up + nx) - along(up));
  return low + w * (high - low);
}

const axes = [0, 1, 2];
type Three = [number, number, number];

/** Nodes along the side of a block. One query decides whether a whole block is far from the surface, as most of the box around a body is. */
const BLOCK = 8;

/** Fills the nodes from (i0, j0, k0) on, up to BLOCK along each axis. */
function fillBlock({ origin, cell, size, values }: DistanceField, solid: Solid, far: number, ...at: number[]): void {
  const [i0, j0, k0] = at;
  const [i1, j1, k1] = at.map((first, a) => Math.min(first + BLOCK, size[a]));
  const middle = at.map((first, a) => origin[a] + cell[a] * (first + (BLOCK - 1) / 2));
  const reach = reachOf(cell);
  const [mx, my, mz] = middle;
  const whole = !solid.clearance && solid.distance(mx, my, mz, 1.001 * (far + reach)) >= far + reach;
  const all = whole ? (solid.inside(mx, my, mz) ? -far : far) : 0;
  for (let k = k0; k < k1; k++)
    for (let j = j0; j < j1; j++) {
      const row = (k * size[1] + j) * size[0];
      if (whole) values.fill(all, row + i0, row + i1);
      else fillRow(values, row, solid, far, origin, cell, i0, i1, j, k);
    }
}

function fillRow(
  values: Float32Array,
  row: number,
  solid: Solid,
  far: number,
  origin: number[],
  cell: number[],
  i0: number,
  i1: number,
  j: number,
  k: number,
): void {
  const y = origin[1] + j * cell[1];
  const z = origin[2] + k * cell[2];
  let sign = 0;
  let clear = 0;
  for (let i = i0; i < i1; i++) {
    const x = origin[0] + i * cell[0];
    const d = Math.min(far, solid.distance(x, y, z, far));
    // The sign can change only if the surface was within one cell of the last node, or anywhere in an open mesh.
    if (clear <= cell[0] || solid.clearance) sign = solid.inside(x, y, z) ? -1 : 1;
    clear = d;
    values[row + i] = sign * d;
  }
}
