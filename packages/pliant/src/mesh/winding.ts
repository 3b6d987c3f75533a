import { BVH_STACK_SIZE, type Bvh, isLeaf, leftChild, rightChild } from './bvh.js';
import { solidAngle } from './solidAngle.js';

/**
 * What a BVH node looks like from afar: its triangles as one dipole with a first-order correction (Barill et al. 2018,
 * "Fast winding numbers for soups and clouds", eq. 9–13). 16 numbers per node, read by the offsets named here.
 */
export interface Dipoles {
  readonly data: Float64Array;
}

const STRIDE = 16;
/** Centre p̃: the area-weighted centroid, about which the expansion is made. */
const CENTRE = 0;
/** N = Σ a n, the sum of area vectors. */
const NORMAL = 3;
/** C = Σ a n (c − p̃)ᵀ, row-major, c the triangle's centroid. */
const MOMENT = 6;
/** Radius around p̃ that holds every triangle, squared. */
const RADIUS2 = 15;

/**
 * A node is taken as a dipole at distances above ACCURACY times its radius: Barill's β. The largest error over random
 * points near an icosphere, a torus and a box, measured by winding.test.ts, is 2e-3 at 2 and 7e-4 at 2.5.
 */
const ACCURACY = 2;

/** Precomputes the far field of every node. */
export function buildDipoles(bvh: Bvh): Dipoles {
  const data = new Float64Array(STRIDE * bvh.nodeCount);
  for (let node = 0; node < bvh.nodeCount; node++) fitDipole(bvh, node, data);
  return { data };
}

/** Each node sums over its own slots: n log n in all, and no moments have to be moved between centres. */
function fitDipole(bvh: Bvh, node: number, data: Float64Array): void {
  const c = bvh.corners;
  const o = STRIDE * node;
  const start = 9 * bvh.first[node];
  const end = start + 9 * bvh.count[node];
  let area = 0;
  for (let k = start; k < end; k += 9) {
    areaVector(c, k);
    const a = Math.sqrt(nx * nx + ny * ny + nz * nz);
    area += a;
    for (let axis = 0; axis < 3; axis++)
      data[o + CENTRE + axis] += (a * (c[k + axis] + c[k + 3 + axis] + c[k + 6 + axis])) / 3;
    data[o + NORMAL] += nx;
    data[o + NORMAL + 1] += ny;
    data[o + NORMAL + 2] += nz;
  }
  for (let axis = 0; axis < 3; axis++) data[o + CENTRE + axis] /= area;
  for (let k = start; k < end; k += 9) {
    areaVector(c, k);
    for (let axis = 0; axis < 3; axis++) {
      const offset = (c[k + axis] + c[k + 3 + axis] + c[k + 6 + axis]) / 3 - data[o + CENTRE + axis];
      data[o + MOMENT + axis] += nx * offset;
      data[o + MOMENT + 3 + axis] += ny * offset;
      data[o + MOMENT + 6 + axis] += nz * offset;
    }
    for (let corner = k; corner < k + 9; corner += 3) {
      const dx = c[corner] - data[o + CENTRE];
      const dy = c[corner + 1] - data[o + CENTRE + 1];
      const dz = c[corner + 2] - data[o + CENTRE + 2];
      data[o + RADIUS2] = Math.max(data[o + RADIUS2], dx * dx + dy * dy + dz * dz);
    }
  }
}

// Area vector (½ ab × ac) that `areaVector` computed last.
let nx = 0;
let ny = 0;
let nz = 0;
function areaVector(c: Float64Array, k: number): void {
  const ux = c[k + 3] - c[k];
  const uy = c[k + 4] - c[k + 1];
  const uz = c[k + 5] - c[k + 2];
  const vx = c[k + 6] - c[k];
  const vy = c[k + 7] - c[k + 1];
  const vz = c[k + 8] - c[k + 2];
  nx = (uy * vz - uz * vy) / 2;
  ny = (uz * vx - ux * vz) / 2;
  nz = (ux * vy - uy * vx) / 2;
}

const stack = new Uint32Array(BVH_STACK_SIZE);

/**
 * Generalised winding number (Jacobson et al. 2013): how many times the surface winds around the point. 1 inside a closed
 * outward-facing mesh and 0 outside; in between for an open one, where ½ is the natural place of the missing surface.
 * Leaves near the point are summed exactly, far nodes by their dipoles.
 */
export function windingNumber(
  bvh: Bvh,
  dipoles: Dipoles,
  x: number,
  y: number,
  z: number,
  accuracy = ACCURACY,
): number {
  const d = dipoles.data;
  const beta2 = accuracy * accuracy;
  let total = 0;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    const o = STRIDE * node;
    const rx = d[o + CENTRE] - x;
    const ry = d[o + CENTRE + 1] - y;
    const rz = d[o + CENTRE + 2] - z;
    const r2 = rx * rx + ry * ry + rz * rz;
    if (r2 > beta2 * d[o + RADIUS2]) {
      // ∫ n·∇G with G's gradient r/|r|³ expanded at the centre: r·N/|r|³ + tr C/|r|³ − 3 rᵀCr/|r|⁵.
      const m = o + MOMENT;
      const trace = d[m] + d[m + 4] + d[m + 8];
      const rCr =
        rx * (d[m] * rx + d[m + 1] * ry + d[m + 2] * rz) +
        ry * (d[m + 3] * rx + d[m + 4] * ry + d[m + 5] * rz) +
        rz * (d[m + 6] * rx + d[m + 7] * ry + d[m + 8] * rz);
      const rN = rx * d[o + NORMAL] + ry * d[o + NORMAL + 1] + rz * d[o + NORMAL + 2];
      total += (rN + trace - (3 * rCr) / r2) / (r2 * Math.sqrt(r2));
    } else if (isLeaf(bvh, node)) {
      const end = bvh.first[node] + bvh.count[node];
      for (let slot = bvh.first[node]; slot < end; slot++) total += solidAngle(bvh.corners, 9 * slot, x, y, z);
    } else {
      stack[top++] = rightChild(bvh, node);
      stack[top++] = leftChild(node);
    }
  }
  return total / (4 * Math.PI);
}
