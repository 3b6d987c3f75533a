import { blueNoise } from './blueNoise.js';
import { cellFor } from './poissonGrid.js';
import type { Solid } from './solid.js';

/** A cube of blue noise that continues in itself across its faces, in cells of which each holds at most one sample (`PoissonGrid`). */
export interface Tile {
  /** Cells along its side. */
  side: number;
  /** For each cell 1 + its sample, or 0. */
  ofCell: Uint32Array;
  /** Per sample its place in its cell, from 0 to 1 along each axis. */
  places: Float64Array;
  /** Samples for each cubed spacing. */
  density: number;
}

/** Cells along the side of a tile: 11.5 spacings, some 1 080 samples. It is made anew in every process that needs one: with 24 cells that took 7 ms more. */
const SIDE = 20;

/** Samples of a tile are farther apart than the spacing by this share, so that rounding does not bring them nearer where they are copied. */
const MARGIN = 1e-6;

/** Number of particles from which on a body is filled with copies of a tile. Smaller ones take hardly longer without. */
export const TILE_FROM = 10_000;

/** Whether the field of distances, which contact needs, is asked where a tile is copied. Of hollow bodies that is another one (`shell`). */
export const hasField = ({ signOnly, clearance }: Solid, wall?: number): boolean =>
  !signOnly && clearance === undefined && wall === undefined;

let kept: { seed: number; tile: Tile } | undefined;

/** The tile of a seed. The last one is kept: most bodies have the same seed. */
export function tileOf(seed: number): Tile {
  if (kept?.seed !== seed) kept = { seed, tile: makeTile(seed) };
  return kept.tile;
}

function makeTile(seed: number): Tile {
  const cell = cellFor(1);
  const end = (SIDE + 3.5) * cell;
  const everything: Solid = { min: [0, 0, 0], max: [end, end, end], inside: () => true, distance: () => 1e3 };
  const found = blueNoise(everything, 1 + MARGIN, seed, { period: { cells: SIDE, cell } });
  const ofCell = new Uint32Array(SIDE * SIDE * SIDE);
  const places: number[] = [];
  for (let n = 0; n < found.length; n += 3) {
    const [x, y, z] = [found[n] / cell - 2, found[n + 1] / cell - 2, found[n + 2] / cell - 2];
    // Images are left out.
    if (Math.min(x, y, z) < 0 || Math.max(x, y, z) >= SIDE) continue;
    const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
    places.push(x - i, y - j, z - k);
    ofCell[i + SIDE * (j + SIDE * k)] = places.length / 3;
  }
  const length = SIDE * cell;
  return {
    side: SIDE,
    ofCell,
    places: Float64Array.from(places),
    density: places.length / 3 / (length * length * length),
  };
}
