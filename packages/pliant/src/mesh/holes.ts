import { buildBvh } from './bvh.js';
import { closestPoint, newClosestPoint } from './closestPoint.js';
import type { Surface } from './surface.js';
import { QUICK_ACCURACY, QUICK_ERROR, windingNumber } from './winding.js';

/**
 * How far from a point the winding number of an open mesh surely stays on its side of ½, as long as no triangle is crossed.
 *
 * Between triangles the winding number is smooth, and its gradient depends on the boundary alone: like the potential of a
 * current loop, ∇w = 1/4π ∮ dl × r/|r|³ (Biot–Savart). With a boundary of length L at distance D, a step ρ changes w by at
 * most ρ L / (4π (D − ρ)²). Setting that equal to m = |w − ½| gives, with a = 4π m/L, the quadratic ρ = a (D − ρ)²; its
 * smaller root is ρ = 2aD² / (2aD + 1 + √(4aD + 1)).
 */
export function holeClearance(surface: Surface): (x: number, y: number, z: number) => number {
  const { positions, bvh, dipoles } = surface;
  const { boundary } = surface.orientation;
  // Edges as triangles with a doubled corner: the closest point of those is on the edge.
  const corners: number[] = [];
  let total = 0;
  for (let k = 0; k < boundary.length; k += 2) {
    const [a, b] = [boundary[k], boundary[k + 1]];
    corners.push(a, b, b);
    const dx = positions[3 * a] - positions[3 * b];
    const dy = positions[3 * a + 1] - positions[3 * b + 1];
    const dz = positions[3 * a + 2] - positions[3 * b + 2];
    total += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  const edges = buildBvh(positions, corners);
  const hit = newClosestPoint();
  return (x, y, z) => {
    const margin = Math.abs(windingNumber(bvh, dipoles, x, y, z, QUICK_ACCURACY) - 0.5) - QUICK_ERROR;
    if (margin <= 0) return 0;
    const a = (4 * Math.PI * margin) / total;
    const D = closestPoint(edges, x, y, z, hit).distance;
    return (2 * a * D * D) / (2 * a * D + 1 + Math.sqrt(4 * a * D + 1));
  };
}
