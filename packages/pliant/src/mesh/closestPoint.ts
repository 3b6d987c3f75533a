import { BVH_STACK_SIZE, type Bvh, boxDistanceSquared, isLeaf, leftChild, rightChild } from './bvh.js';

/** The point of a surface that is nearest to a query point. */
export interface ClosestPoint {
  /** Triangle of the mesh. */
  triangle: number;
  /** Weights of the triangle's three corners; they sum to 1. */
  u: number;
  v: number;
  w: number;
  x: number;
  y: number;
  z: number;
  distance: number;
}

export const newClosestPoint = (): ClosestPoint => ({
  triangle: -1,
  u: 0,
  v: 0,
  w: 0,
  x: 0,
  y: 0,
  z: 0,
  distance: Number.POSITIVE_INFINITY,
});

const stack = new Uint32Array(BVH_STACK_SIZE);

// The corner weights that `triangleDistanceSquared` found last; module-level so that the inner loop allocates nothing.
let weightV = 0;
let weightW = 0;

/**
 * Branch and bound over the hierarchy: visits the nearer child first and skips boxes no nearer than the best triangle.
 * With a limit only triangles nearer than it count; if there are none, `triangle` is −1 and `distance` the limit.
 */
export function closestPoint(
  bvh: Bvh,
  x: number,
  y: number,
  z: number,
  out = newClosestPoint(),
  limit = Number.POSITIVE_INFINITY,
): ClosestPoint {
  let best = limit * limit;
  let slot = -1;
  let v = 0;
  let w = 0;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    if (boxDistanceSquared(bvh, node, x, y, z) >= best) continue;
    if (isLeaf(bvh, node)) {
      const end = bvh.first[node] + bvh.count[node];
      for (let s = bvh.first[node]; s < end; s++) {
        const d = triangleDistanceSquared(bvh.corners, 9 * s, x, y, z);
        if (d >= best) continue;
        best = d;
        slot = s;
        v = weightV;
        w = weightW;
      }
      continue;
    }
    const left = leftChild(node);
    const right = rightChild(bvh, node);
    const nearLeft = boxDistanceSquared(bvh, left, x, y, z) <= boxDistanceSquared(bvh, right, x, y, z);
    stack[top++] = nearLeft ? right : left;
    stack[top++] = nearLeft ? left : right;
  }
  if (slot < 0) {
    out.triangle = -1;
    out.distance = limit;
    return out;
  }
  const c = bvh.corners;
  const o = 9 * slot;
  const u = 1 - v - w;
  out.triangle = bvh.triangles[slot];
  out.u = u;
  out.v = v;
  out.w = w;
  out.x = u * c[o] + v * c[o + 3] + w * c[o + 6];
  out.y = u * c[o + 1] + v * c[o + 4] + w * c[o + 7];
  out.z = u * c[o + 2] + v * c[o + 5] + w * c[o + 8];
  out.distance = Math.sqrt(best);
  return out;
}

/**
 * Ericson, Real-Time Collision Detection (2005) 5.1.5: the Voronoi region of the point decides between the corners, the
 * edges and the face. d1…d6 are the dot products of the edges ab, ac with the point seen from a, b and c. The corners of the triangle are the nine numbers
 * from c[o] on. `out`, if given, gets the weights of the corners at the closest place.
 */
export function triangleDistanceSquared(
  c: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  out?: Float64Array,
): number {
  const abx = c[o + 3] - c[o];
  const aby = c[o + 4] - c[o + 1];
  const abz = c[o + 5] - c[o + 2];
  const acx = c[o + 6] - c[o];
  const acy = c[o + 7] - c[o + 1];
  const acz = c[o + 8] - c[o + 2];
  const apx = x - c[o];
  const apy = y - c[o + 1];
  const apz = z - c[o + 2];
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  const d3 = d1 - (abx * abx + aby * aby + abz * abz);
  const d4 = d2 - (abx * acx + aby * acy + abz * acz);
  const d5 = d1 - (abx * acx + aby * acy + abz * acz);
  const d6 = d2 - (acx * acx + acy * acy + acz * acz);
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  let v = 0;
  let w = 0;
  if (d1 <= 0 && d2 <= 0) {
    // corner a
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    w = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3);
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w = d2 / (d2 - d6);
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1 - w;
  } else {
    const scale = 1 / (va + vb + vc);
    v = vb * scale;
    w = vc * scale;
  }
  weightV = v;
  weightW = w;
  if (out) {
    out[0] = 1 - v - w;
    out[1] = v;
    out[2] = w;
  }
  const dx = apx - v * abx - w * acx;
  const dy = apy - v * aby - w * acy;
  const dz = apz - v * abz - w * acz;
  return dx * dx + dy * dy + dz * dz;
}
