import { cbrt } from '../math/elementary.js';

/** A wanted count is met within this share of it, or within one particle. */
export const COUNT_TOLERANCE = 0.02;

export const meetsCount = (found: number, wanted: number) =>
  Math.abs(found - wanted) <= Math.max(1, COUNT_TOLERANCE * wanted);

/**
 * Largest factor by which a step changes the spacing: counts vary with its third power, so this is a factor of 8 in
 * count.
 */
const LONGEST_STEP = 2;

/** A count that is this many times the wanted one need not be known exactly: the step is the largest in any case. */
export const TOO_MANY = LONGEST_STEP * LONGEST_STEP * LONGEST_STEP;

/**
 * Searches a spacing at which `countAt` meets the wanted count, and returns the last spacing tried. Each step scales by
 * the cube root of the count's ratio. If that leaves the known interval, the interval is halved. The count need not
 * fall smoothly: that of a grid jumps and that of blue noise scatters.
 */
export function searchSpacing(
  wanted: number,
  first: number,
  trials: number,
  countAt: (spacing: number) => number,
): { spacing: number; met: boolean } {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let spacing = first;
  for (let trial = 0; trial < trials; trial++) {
    const found = countAt(spacing);
    if (meetsCount(found, wanted)) return { spacing, met: true };
    if (found > wanted) low = spacing;
    else high = spacing;
    const step = found > 0 ? cbrt(found / wanted) : 0;
    spacing *= Math.min(Math.max(step, 1 / LONGEST_STEP), LONGEST_STEP);
    if (spacing <= low || spacing >= high) spacing = Math.sqrt(low * high);
  }
  return { spacing, met: false };
}
