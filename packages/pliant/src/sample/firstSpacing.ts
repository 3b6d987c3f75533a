import type { Solid } from './solid.js';

/**
 * Factor from the plain guess above which the guess for thin bodies is used: the search doubles the spacing and would
 * take three steps.
 */
const FAR = 8;

/**
 * The spacing from which the search for a wanted count starts. `plain` is that of a body many spacings thick. In a
 * thinner body particles lie in one layer, of area volume / thickness, or in one line. Their spacing is larger, by any
 * factor, and a start at `plain` would give a million particles too many. `wall` is the thickness of a hollow body's
 * walls.
 */
export function firstSpacing(
  solid: Solid,
  volume: number,
  count: number,
  plain: number,
  wall = Number.POSITIVE_INFINITY,
): number {
  const [narrow, middle] = extentsOf(solid);
  const thickness = Math.min(narrow, wall);
  let guess = plain;
  if (guess > thickness) guess = Math.sqrt(volume / (thickness * count));
  if (guess > middle && thickness === narrow) guess = volume / (narrow * middle * count);
  return guess > FAR * plain ? guess : plain;
}

/**
 * About how many particles a spacing gives, also in layers and lines. `density` is the number of particles per cubed
 * spacing.
 */
export function countFor(
  solid: Solid,
  volume: number,
  spacing: number,
  density: number,
  wall = Number.POSITIVE_INFINITY,
): number {
  const [narrow, middle, wide] = extentsOf(solid);
  const across = Math.min(narrow, wall, spacing);
  return (density * volume) / (across * Math.min(middle, spacing) * Math.min(wide, spacing));
}

/** Sides of a solid's box, the shortest first. */
const extentsOf = ({ min, max }: Solid) => [0, 1, 2].map((a) => max[a] - min[a]).sort((a, b) => a - b);
