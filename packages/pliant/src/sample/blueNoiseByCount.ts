import { refuse } from '../check.js';
import { cbrt } from '../math/elementary.js';
import { Work } from '../work.js';
import { blueNoise } from './blueNoise.js';
import { firstSpacing } from './firstSpacing.js';
import { cellsFor, MAX_CELLS } from './poissonGrid.js';
import { searchSpacing, TOO_MANY } from './searchSpacing.js';
import type { Solid } from './solid.js';

/**
 * count · spacing³ / volume of `blueNoise` deep inside a body. Random sequential packing of balls saturates at a
 * filling of 0.384, or 0.733 in this measure; `blueNoise` stops a little before. Measured on spheres and boxes of 10²
 * to 10⁵ particles.
 */
export const BLUE_NOISE_DENSITY = 0.704;

/**
 * Contribution of the surface to that density, times spacing · area / volume. Samples may lie on the surface, so that
 * balls of a spacing's diameter fill more than the body. Measured: 0.26 for spheres and for boxes.
 */
const SURFACE_DENSITY = 0.26;

/** Area³ / volume² of a sphere, the least of all bodies, for a first guess. */
const SPHERE_AREA3_PER_VOLUME2 = 36 * Math.PI;

/**
 * Counts from which on a pilot is worthwhile: a coarse sampling of PILOT particles that measures the surface's share.
 */
const PILOT_FROM = 6000;
const PILOT = 1500;

const TRIALS = 12;

/**
 * Number of final trials, and the factors by which each changes the spacing: 0.97¹²⁸ is 0.02, a hundred thousand times
 * as many particles.
 */
const LAST_TRIALS = 128;
const CLOSER = 0.97;
const WIDER = 1.5;

export interface ByCount {
  /** Thickness of the walls, of a hollow body. */
  wall?: number;
  work?: Work;
  path?: string;
}

/** Solves count = (ρ + b s) V / s³ for the spacing s by fixed-point iteration, which converges because b s < ρ. */
function spacingFor(count: number, volume: number, b: number): number {
  let s = cbrt((BLUE_NOISE_DENSITY * volume) / count);
  for (let k = 0; k < 20; k++) s = cbrt(((BLUE_NOISE_DENSITY + b * s) * volume) / count);
  return s;
}

/** Blue noise with about `count` samples. */
export function blueNoiseByCount(
  solid: Solid,
  volume: number,
  count: number,
  seed: number,
  { wall, work = new Work(), path = 'sampling' }: ByCount = {},
): { positions: Float64Array; spacing: number } {
  const fits = (s: number) => cellsFor(solid, s) <= MAX_CELLS;
  let b = (SURFACE_DENSITY * cbrt(SPHERE_AREA3_PER_VOLUME2 * volume * volume)) / volume;
  if (count >= PILOT_FROM) {
    const s = spacingFor(PILOT, volume, b);
    const found = fits(s) ? blueNoise(solid, s, seed, { enough: TOO_MANY * PILOT, work }).length / 3 : 0;
    b = Math.max(0, ((found * s * s * s) / volume - BLUE_NOISE_DENSITY) / s);
  }
  let positions: Float64Array = new Float64Array(0);
  const countAt = (s: number) => {
    if (!fits(s)) return Number.POSITIVE_INFINITY;
    positions = blueNoise(solid, s, seed, { enough: TOO_MANY * count, expected: count, work });
    return positions.length / 3;
  };
  const first = firstSpacing(solid, volume, count, spacingFor(count, volume, b), wall);
  let { spacing, met } = searchSpacing(count, first, TRIALS, countAt);
  if (met) return { positions, spacing };
  // The counts of small samplings scatter by more than one. Then too many samples are taken and the last ones dropped:
  // these filled the smallest voids.
  for (let trial = 0; trial < LAST_TRIALS; trial++) {
    const found = countAt(spacing);
    if (found >= count && found <= TOO_MANY * count) return { positions: positions.slice(0, 3 * count), spacing };
    spacing *= found < count ? CLOSER : WIDER;
  }
  return refuse(`${path}.count`, count, 'another count, or a spacing: no spacing gives that many in this body');
}
