import { BVH_STACK_SIZE, type Bvh, boxDistanceSquared, buildBvh, isLeaf, leftChild, rightChild } from './bvh.js';
import { closestPoint, newClosestPoint, triangleDistanceSquared } from './closestPoint.js';
import type { Surface } from './surface.js';
import { QUICK_ACCURACY, QUICK_ERROR, WINDING_ERROR, windingNumber } from './winding.js';

/**
 * Distance from a point within which the winding number of an open mesh provably stays on its side of ½, as long as no
 * triangle is crossed.
 *
 * Between triangles the winding number is smooth, and its gradient depends on the boundary alone: like the potential of
 * a current loop, ∇w = 1/4π ∮ dl × r/|r|³ (Biot–Savart). For edges of length l at distances D_e, the nearest at D, a
 * step ρ < D changes w by at most ρ/4π Σ l/(D_e − ρ)² ≤ ρ L/4π (D − ρ)². Here L = Σ l (D/D_e)², as
 * D_e − ρ ≥ (D − ρ) D_e/D. Setting that equal to m = |w − ½| gives, with a = 4π m/L, the quadratic ρ = a (D − ρ)²; its
 * smaller root is ρ = 2aD² / (2aD + 1 + √(4aD + 1)).
 *
 * An approach that lost: the whole length of the boundary as L, as if all of it were as near as its nearest point. With
 * it no box of a soup of 12 triangles could be decided as a whole, and filling it with 60 particles took 68 s.
 */
export function holeClearance(surface: Surface): (x: number, y: number, z: number) => number {
  const { positions, bvh, dipoles } = surface;
  const edges = buildEdgeTree(positions, surface.orientation.boundary);
  const hit = newClosestPoint();
  return (x, y, z) => {
    let margin = Math.abs(windingNumber(bvh, dipoles, x, y, z, QUICK_ACCURACY) - 0.5) - QUICK_ERROR;
    // If the quick evaluation is not conclusive, an exact one costs less than the boxes that would have to be divided.
    if (margin <= QUICK_ERROR) margin = Math.abs(windingNumber(bvh, dipoles, x, y, z) - 0.5) - WINDING_ERROR;
    if (margin <= 0) return 0;
    const D = closestPoint(edges.bvh, x, y, z, hit).distance;
    if (D === 0) return 0;
    const a = (4 * Math.PI * margin) / (D * D * sumOverSquares(edges, x, y, z));
    return (2 * a * D * D) / (2 * a * D + 1 + Math.sqrt(4 * a * D + 1));
  };
}

/** The boundary's edges, and for each slot of the tree the summed length of the edges before it. */
interface EdgeTree {
  bvh: Bvh;
  before: Float64Array;
}

function buildEdgeTree(positions: Float64Array, boundary: ArrayLike<number>): EdgeTree {
  // Edges as triangles with a doubled corner: the closest point of those is on the edge.
  const corners: number[] = [];
  for (let k = 0; k < boundary.length; k += 2) corners.push(boundary[k], boundary[k + 1], boundary[k + 1]);
  const bvh = buildBvh(positions, corners);
  const before = new Float64Array(bvh.triangles.length + 1);
  const c = bvh.corners;
  for (let slot = 0; slot < bvh.triangles.length; slot++) {
    const [dx, dy, dz] = [0, 1, 2].map((a) => c[9 * slot + a] - c[9 * slot + 3 + a]);
    before[slot + 1] = before[slot] + Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return { bvh, before };
}

/**
 * A node farther than this many of its diagonals counts as a whole, at the distance of its box: its sum is then at most
 * (1 + 1/2)² times too large.
 */
const FAR = 2;

const stack = new Uint32Array(BVH_STACK_SIZE);

/** Σ l/D_e² over all edges, or a slightly larger number. */
function sumOverSquares({ bvh, before }: EdgeTree, x: number, y: number, z: number): number {
  let sum = 0;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    const [first, end] = [bvh.first[node], bvh.first[node] + bvh.count[node]];
    const d2 = boxDistanceSquared(bvh, node, x, y, z);
    if (d2 > FAR * FAR * diagonalSquared(bvh, node)) sum += (before[end] - before[first]) / d2;
    else if (isLeaf(bvh, node))
      for (let slot = first; slot < end; slot++)
        sum += (before[slot + 1] - before[slot]) / triangleDistanceSquared(bvh.corners, 9 * slot, x, y, z);
    else {
      stack[top++] = rightChild(bvh, node);
      stack[top++] = leftChild(node);
    }
  }
  return sum;
}

function diagonalSquared({ bounds: b }: Bvh, node: number): number {
  const o = 6 * node;
  const [dx, dy, dz] = [b[o + 3] - b[o], b[o + 4] - b[o + 1], b[o + 5] - b[o + 2]];
  return dx * dx + dy * dy + dz * dz;
}
