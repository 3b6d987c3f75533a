import { cbrt } from '../math/elementary.js';
import { blueNoise } from './blueNoise.js';
import { searchSpacing } from './searchSpacing.js';
import type { Solid } from './solid.js';

/**
 * count · spacing³ / volume of `blueNoise` deep inside a body. Random sequential packing of balls saturates at a filling
 * of 0.384, or 0.733 in this measure; ours stops a little before. Measured on spheres and boxes of 10² to 10⁵ particles.
 */
export const BLUE_NOISE_DENSITY = 0.704;

/**
 * What a surface adds to that, times spacing · area / volume: samples may lie on the surface, so the balls of a spacing's
 * diameter fill more than the body. Measured: 0.26 for spheres and for boxes.
 */
const SURFACE_DENSITY = 0.26;

/** Area³ / volume² of a sphere: the least a body can have, for a first guess. */
const SPHERE_AREA3_PER_VOLUME2 = 36 * Math.PI;

/** Above this count one sampling is worth a pilot: a coarse one of PILOT particles that measures the surface's share. */
const PILOT_FROM = 6000;
const PILOT = 1500;

const TRIALS = 12;

/** Solves count = (ρ + b s) V / s³ for the spacing s by fixed-point iteration; it converges as b s < ρ. */
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
): { positions: Float64Array; spacing: number } {
  let b = (SURFACE_DENSITY * cbrt(SPHERE_AREA3_PER_VOLUME2 * volume * volume)) / volume;
  if (count >= PILOT_FROM) {
    const s = spacingFor(PILOT, volume, b);
    const found = blueNoise(solid, s, seed).length / 3;
    b = Math.max(0, ((found * s * s * s) / volume - BLUE_NOISE_DENSITY) / s);
  }
  let positions: Float64Array = new Float64Array(0);
  const countAt = (s: number) => {
    positions = blueNoise(solid, s, seed);
    return positions.length / 3;
  };
  let { spacing, met } = searchSpacing(count, spacingFor(count, volume, b), TRIALS, countAt);
  if (met) return { positions, spacing };
  // Few particles scatter by more than one. Then take too many and leave out the last: they filled the smallest voids.
  while (countAt(spacing) < count) spacing *= 0.97;
  return { positions: positions.slice(0, 3 * count), spacing };
}
