import { PliantError, refuse, type Vec3 } from './check.js';

/**
 * Largest coordinate, size, radius or spacing (m) that is accepted.
 *
 * The kernels keep positions and masses in f32, whose numbers end at 1e±38, and sum mass · length². With masses within 1e±12 kg, lengths within 1e±9
 * m and 1e6 members, sums lie between 1e-30 and 1e36. The bounds also make search loops short: lengths that differ by 18 decades at most are reached
 * by a hundred doublings.
 */
export const MAX_LENGTH = 1e9;
/** Smallest size, radius or spacing (m) that is accepted. */
export const MIN_LENGTH = 1e-9;

/** Largest mass of one particle (kg). */
export const MAX_MASS = 1e12;
/** Smallest mass of one particle (kg). */
export const MIN_MASS = 1e-12;

/**
 * Largest number of particles of one world. A particle with its share of clusters and memberships takes about 1 kB of the state (more with levels),
 * and the state is one WASM memory of 4 GiB. Building takes as much again beside it, and 2 million particles were tried.
 */
export const MAX_PARTICLES = 2_000_000;

/**
 * Largest number of points of one body at one place. Every search for neighbours of one of them finds all others: 16 000
 * points at two places took half a minute.
 */
export const MOST_AT_ONE_PLACE = 1000;

/** Bytes of a WASM memory with 32-bit addresses. */
export const MAX_MEMORY = 0x100000000;

/**
 * Rounds of a loop that enlarges a length by at least a tenth until something fits: ln(1e18)/ln(1.1) = 435 lead from the smallest length to the
 * largest.
 */
export const MOST_GROWTHS = 512;

/** Checks a length: above 0 and in the range of the engine. */
export function checkLength(path: string, value: number): number {
  if (!(value >= MIN_LENGTH && value <= MAX_LENGTH)) refuse(path, value, 'a length from 1e-9 to 1e9 m');
  return value;
}

/** Checks that f32 can hold a place. */
export function checkPlace(path: string, value: Vec3): Vec3 {
  if (!value.every((c) => Math.abs(c) <= MAX_LENGTH)) refuse(path, value, 'three coordinates within ±1e9 m');
  return value;
}

/** The same for a list of coordinates. */
export function checkPlaces(path: string, values: ArrayLike<number>): void {
  for (let k = 0; k < values.length; k++)
    if (!(Math.abs(values[k]) <= MAX_LENGTH)) refuse(`${path}[${k}]`, values[k], 'a coordinate within ±1e9 m');
}

/** Refuses more particles than a world may have; `path` is the option that asks for them. */
export function checkParticleCount(path: string, count: number): void {
  if (count > MAX_PARTICLES)
    throw new PliantError(path, `${path} gives ${Math.round(count)} particles; expected at most ${MAX_PARTICLES}.`);
}

/** The first of start, start · factor, start · factor², … that fits; `factor` is at least 1.1. */
export function growUntil(start: number, factor: number, fits: (length: number) => boolean): number {
  let length = start;
  for (let round = 0; round < MOST_GROWTHS; round++, length *= factor) if (fits(length)) return length;
  throw new PliantError('body', `body has lengths from ${start} to ${length} m; expected lengths from 1e-9 to 1e9 m.`);
}
