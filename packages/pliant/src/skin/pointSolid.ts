import { cubed, squared } from '../math/elementary.js';
import type { Solid } from '../sample/solid.js';
import { ball, buildGrid, newNeighbourList } from '../spatial/grid.js';

/** Distance of the surface from the particles, in spacings: half of a layer. */
const OFF = 0.5;
/** Reach of the kernel, in spacings. With less the particles show in the surface, with more its hollows close. */
const REACH = 2;
/**
 * Greatest distance of the solid from its nearest particle, in spacings. Above the middle of a square of four
 * particles, half a spacing off, it is 0.87. Without this bound, the middle between two layers that are less than twice
 * the reach apart would count as inside.
 */
const FARTHEST = 0.95;

/**
 * The solid that particles stand for: |x − x̄(x)| < s/2, where x̄ is the mean of the particles around x by the kernel
 * (1 − d²/R²)³ (Zhu and Bridson 2005, 4). Flat layers stay flat: a sheet of one layer is one spacing thick.
 */
export function pointSolid(points: Float64Array, spacing: number): Solid {
  const grid = buildGrid(points, REACH * spacing);
  const near = newNeighbourList(64);
  const reach2 = squared(REACH * spacing);
  const signed = (x: number, y: number, z: number) => {
    const count = ball(grid, x, y, z, REACH * spacing, near, 0);
    let [sum, mx, my, mz, least] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
    for (let n = 0; n < count; n++) {
      const d2 = near.distance2[n];
      const w = cubed(1 - d2 / reach2);
      const i = near.index[n];
      sum += w;
      mx += w * (grid.x[i] - x);
      my += w * (grid.y[i] - y);
      mz += w * (grid.z[i] - z);
      least = Math.min(least, d2);
    }
    if (!(sum > 0)) return REACH * spacing;
    const off = Math.sqrt(mx * mx + my * my + mz * mz) / sum;
    return Math.max(off - OFF * spacing, Math.sqrt(least) - FARTHEST * spacing);
  };
  const bounds = (pick: (...values: number[]) => number, by: number) => {
    const out = [points[0], points[1], points[2]];
    for (let k = 0; k < points.length; k++) out[k % 3] = pick(out[k % 3], points[k]);
    return out.map((value) => value + by) as [number, number, number];
  };
  return {
    min: bounds(Math.min, -FARTHEST * spacing),
    max: bounds(Math.max, FARTHEST * spacing),
    inside: (x, y, z) => signed(x, y, z) < 0,
    distance: (x, y, z) => Math.abs(signed(x, y, z)),
    signOnly: true,
  };
}
