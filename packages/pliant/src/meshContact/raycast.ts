import { BVH_STACK_SIZE, type Bvh, isLeaf, leftChild, rightChild } from '../mesh/bvh.js';
import { hasCorner } from './crossings.js';

/** First hit of a ray with a surface. */
export interface Hit {
  /** Triangle of the mesh, −1 for none. */
  triangle: number;
  /** Distance along the ray, in lengths of its direction. */
  distance: number;
  /** Barycentric coordinates; they sum to 1. */
  u: number;
  v: number;
  w: number;
  /** True if the ray leaves through the triangle's outer side. */
  leaving: boolean;
}

export const newHit = (): Hit => ({ triangle: -1, distance: 0, u: 0, v: 0, w: 0, leaving: false });

const stack = new Uint32Array(BVH_STACK_SIZE);
// The current ray, kept here so that it need not be passed as numbers.
const origin = new Float64Array(3);
const direction = new Float64Array(3);

/**
 * Finds the first triangle that the ray from x along d hits ([H07] 5), at a distance of 0 or more. Triangles around the vertex `without` of
 * `indices` are ignored, for a body against itself, whose rays start on its own surface.
 */
export function castRay(
  out: Hit,
  bvh: Bvh,
  x: ArrayLike<number>,
  at: number,
  d: ArrayLike<number>,
  along: number,
  indices: Uint32Array,
  without = -1,
): Hit {
  for (let a = 0; a < 3; a++) {
    origin[a] = x[at + a];
    direction[a] = d[along + a];
  }
  out.triangle = -1;
  out.distance = Number.POSITIVE_INFINITY;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    if (!meetsBox(bvh.bounds, 6 * node, out.distance)) continue;
    if (isLeaf(bvh, node)) {
      for (let slot = bvh.first[node]; slot < bvh.first[node] + bvh.count[node]; slot++)
        if (without < 0 || !hasCorner(indices, bvh.triangles[slot], without)) meetTriangle(out, bvh, slot);
      continue;
    }
    stack[top++] = rightChild(bvh, node);
    stack[top++] = leftChild(node);
  }
  return out;
}

function meetsBox(b: Float64Array, o: number, limit: number): boolean {
  let enter = 0;
  let leave = limit;
  for (let a = 0; a < 3; a++) {
    if (direction[a] === 0) {
      if (origin[a] < b[o + a] || origin[a] > b[o + a + 3]) return false;
      continue;
    }
    const near = (b[o + a] - origin[a]) / direction[a];
    const far = (b[o + a + 3] - origin[a]) / direction[a];
    enter = Math.max(enter, Math.min(near, far));
    leave = Math.min(leave, Math.max(near, far));
  }
  // The tolerance keeps flat boxes (a triangle across an axis) from being lost by rounding.
  return enter <= leave * (1 + 1e-12) + 1e-300;
}

/** The ray hits if its volumes with the triangle's sides have one sign, as for an edge in crossings.ts. */
function meetTriangle(out: Hit, { corners: c, triangles }: Bvh, slot: number): void {
  const o = 9 * slot;
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  const ax = c[o] - origin[0];
  const ay = c[o + 1] - origin[1];
  const az = c[o + 2] - origin[2];
  const bx = c[o + 3] - origin[0];
  const by = c[o + 4] - origin[1];
  const bz = c[o + 5] - origin[2];
  const cx = c[o + 6] - origin[0];
  const cy = c[o + 7] - origin[1];
  const cz = c[o + 8] - origin[2];
  const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
  const u = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const v = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
  if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))) return;
  // u + v + w = d·n, n the normal: 0 for a ray in the plane and for a triangle without area.
  const sum = u + v + w;
  const distance =
    (ax * ((by - ay) * (cz - az) - (bz - az) * (cy - ay)) +
      ay * ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) +
      az * ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))) /
    sum;
  if (!(distance >= 0 && distance < out.distance)) return;
  out.triangle = triangles[slot];
  out.distance = distance;
  out.u = u / sum;
  out.v = v / sum;
  out.w = w / sum;
  out.leaving = sum > 0;
}
