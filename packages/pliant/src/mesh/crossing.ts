import { BVH_STACK_SIZE, type Bvh, isLeaf, leftChild, rightChild } from './bvh.js';

/** The first triangle that a segment from a to b crosses. */
export interface Crossing {
  /** Position on the segment, from 0 at a to 1 at b. */
  t: number;
  /** The triangle's unit normal. */
  nx: number;
  ny: number;
  nz: number;
}

export const newCrossing = (): Crossing => ({ t: 0, nx: 0, ny: 1, nz: 0 });

/**
 * Distance outside a triangle, as a share of its size, that still counts as a hit. Without it a segment could pass
 * between two neighbours, as rounding puts it outside both.
 */
const EDGE_TOLERANCE = 1e-9;

const stack = new Uint32Array(BVH_STACK_SIZE);

/** Whether the segment from a to b crosses a triangle, and the first crossing. The normal tells from which side. */
export function firstCrossing(
  bvh: Bvh,
  out: Crossing,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): boolean {
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  let first = 1;
  let slot = -1;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    if (!meetsBox(bvh, node, ax, ay, az, dx, dy, dz, first)) continue;
    if (!isLeaf(bvh, node)) {
      stack[top++] = rightChild(bvh, node);
      stack[top++] = leftChild(node);
      continue;
    }
    const end = bvh.first[node] + bvh.count[node];
    for (let s = bvh.first[node]; s < end; s++) {
      const t = crossTriangle(bvh.corners, 9 * s, ax, ay, az, dx, dy, dz);
      // Of neighbours crossed in their common edge the lowest triangle wins, whatever the order of the tree.
      if (t > first || (t === first && slot >= 0 && bvh.triangles[s] > bvh.triangles[slot])) continue;
      first = t;
      slot = s;
    }
  }
  if (slot < 0) return false;
  out.t = first;
  normalInto(out, bvh.corners, 9 * slot);
  return true;
}

/** Slab test; a segment that lies in the border of a slab counts as inside. */
function meetsBox(
  bvh: Bvh,
  node: number,
  ax: number,
  ay: number,
  az: number,
  dx: number,
  dy: number,
  dz: number,
  upTo: number,
): boolean {
  const b = bvh.bounds;
  const o = 6 * node;
  let low = 0;
  let high = upTo;
  for (let axis = 0; axis < 3; axis++) {
    const a = axis === 0 ? ax : axis === 1 ? ay : az;
    const d = axis === 0 ? dx : axis === 1 ? dy : dz;
    if (d === 0) {
      if (a < b[o + axis] || a > b[o + axis + 3]) return false;
      continue;
    }
    const s = (b[o + axis] - a) / d;
    const t = (b[o + axis + 3] - a) / d;
    low = Math.max(low, Math.min(s, t));
    high = Math.min(high, Math.max(s, t));
  }
  // The tolerance keeps rounding of the divisions from hiding a triangle in the border of the box.
  return low <= high + 1e-12;
}

/** Möller and Trumbore 1997: the position on the segment at which it crosses the triangle, infinite if it does not. */
function crossTriangle(
  c: Float64Array,
  o: number,
  ax: number,
  ay: number,
  az: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const ux = c[o + 3] - c[o];
  const uy = c[o + 4] - c[o + 1];
  const uz = c[o + 5] - c[o + 2];
  const vx = c[o + 6] - c[o];
  const vy = c[o + 7] - c[o + 1];
  const vz = c[o + 8] - c[o + 2];
  const px = dy * vz - dz * vy;
  const py = dz * vx - dx * vz;
  const pz = dx * vy - dy * vx;
  const det = ux * px + uy * py + uz * pz;
  if (det === 0) return Number.POSITIVE_INFINITY;
  const sx = ax - c[o];
  const sy = ay - c[o + 1];
  const sz = az - c[o + 2];
  const u = (sx * px + sy * py + sz * pz) / det;
  if (!(u >= -EDGE_TOLERANCE && u <= 1 + EDGE_TOLERANCE)) return Number.POSITIVE_INFINITY;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const v = (dx * qx + dy * qy + dz * qz) / det;
  if (!(v >= -EDGE_TOLERANCE && u + v <= 1 + EDGE_TOLERANCE)) return Number.POSITIVE_INFINITY;
  const t = (vx * qx + vy * qy + vz * qz) / det;
  return t >= 0 && t <= 1 ? t : Number.POSITIVE_INFINITY;
}

function normalInto(out: Crossing, c: Float64Array, o: number): void {
  const ux = c[o + 3] - c[o];
  const uy = c[o + 4] - c[o + 1];
  const uz = c[o + 5] - c[o + 2];
  const vx = c[o + 6] - c[o];
  const vy = c[o + 7] - c[o + 1];
  const vz = c[o + 8] - c[o + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  out.nx = x / length;
  out.ny = y / length;
  out.nz = z / length;
}
