import { checkInteger, checkKeys, checkNumber, checkOneOf, PliantError, refuse } from '../check.js';
import { cbrt } from '../math/elementary.js';
import { blueNoise } from './blueNoise.js';
import { BLUE_NOISE_DENSITY, blueNoiseByCount } from './blueNoiseByCount.js';
import { gridPoints, gridPointsByCount } from './grid.js';
import { shell } from './shell.js';
import { extentOf, type Solid } from './solid.js';
import { volumeOf } from './volumeOf.js';

export interface SampleOptions {
  /** `blue-noise`: random, at least a spacing apart. `grid`: cell centres of a cubic grid. */
  method?: 'grid' | 'blue-noise';
  /** Distance of neighbouring particles: exact for a grid, the least for blue noise. Give this or `count`. */
  spacing?: number;
  /** Wanted number of particles, met within 2 % or one particle. Give this or `spacing`. */
  count?: number;
  /** The same seed gives the same particles, on every machine. */
  seed?: number;
  /** Thickness of the walls, for a hollow body. Without it the body is full. */
  shell?: number;
}

export const SAMPLE_DEFAULTS = { method: 'blue-noise', seed: 1 } as const satisfies SampleOptions;

export interface Sampling {
  /** x, y, z per particle. */
  positions: Float64Array;
  /** The spacing that was given or found. */
  spacing: number;
  /** Of the body that was sampled (its walls alone, for a shell). Exact or within 0.5 %. */
  volume: number;
}

const KEYS = ['method', 'spacing', 'count', 'seed', 'shell'];

/** Particles at most: what memory and patience allow, and far beyond what runs in real time. */
export const MAX_PARTICLES = 5_000_000;

/** Cells of the bounding box at most: blue noise keeps a counter for each, 2^28 of them are 1 GiB. */
const MAX_CELLS = 1 << 28;

/** Background cells per cubed spacing: 1 for a grid, √3³ for blue noise. */
const CELLS = { grid: 1, 'blue-noise': 5.2 };

/** Fills a solid with particles. */
export function sample(solid: Solid, options: SampleOptions, field = 'sampling'): Sampling {
  checkKeys(field, options, KEYS);
  const method = checkOneOf(`${field}.method`, options.method ?? SAMPLE_DEFAULTS.method, ['grid', 'blue-noise']);
  const seed = checkNumber(`${field}.seed`, options.seed ?? SAMPLE_DEFAULTS.seed);
  const { spacing, count } = options;
  if (spacing !== undefined && count !== undefined)
    throw new PliantError(field, `${field} gives both spacing and count; expected one of the two.`);
  if (spacing === undefined && count === undefined)
    throw new PliantError(field, `${field} gives neither spacing nor count; expected one of the two.`);
  if (spacing !== undefined) checkNumber(`${field}.spacing`, spacing, { above: 0 });
  if (count !== undefined) checkInteger(`${field}.count`, count, { min: 1, max: MAX_PARTICLES });

  solid.checkInside?.();
  const body = options.shell === undefined ? solid : shell(solid, options.shell, `${field}.shell`);
  const volume = volumeOf(body);
  if (!(volume > 0)) throw new PliantError(field, `${field} found no volume to fill; expected a body with an inside.`);
  const given = { method, seed, volume, field };
  return count === undefined ? bySpacing(body, spacing!, given) : byCount(body, count, given);
}

interface Given {
  method: 'grid' | 'blue-noise';
  seed: number;
  volume: number;
  field: string;
}

function bySpacing(body: Solid, spacing: number, { method, seed, volume, field }: Given): Sampling {
  const extent = extentOf(body);
  if (spacing > extent)
    refuse(`${field}.spacing`, spacing, `at most the body's extent of ${extent}, for a particle to fit`);
  const density = method === 'grid' ? 1 : BLUE_NOISE_DENSITY;
  const least = Math.max(cbrt((density * volume) / MAX_PARTICLES), cbrt((CELLS[method] * boxVolume(body)) / MAX_CELLS));
  if (spacing < least)
    refuse(
      `${field}.spacing`,
      spacing,
      `at least ${least.toPrecision(3)} in this body of volume ${volume.toPrecision(3)}: ${MAX_PARTICLES} particles at most`,
    );
  const positions = method === 'grid' ? gridPoints(body, spacing) : blueNoise(body, spacing, seed);
  if (positions.length === 0)
    refuse(`${field}.spacing`, spacing, `less, as no particle fits into the body of extent ${extent}`);
  return { positions, spacing, volume };
}

function byCount(body: Solid, count: number, { method, seed, volume, field }: Given): Sampling {
  // A thin body in a large box has far more cells than particles.
  const cells = (CELLS[method] * boxVolume(body) * count) / volume;
  if (cells > MAX_CELLS)
    refuse(
      `${field}.count`,
      count,
      `at most ${Math.floor((count * MAX_CELLS) / cells)} in a body that fills so little of its box`,
    );
  const find = method === 'grid' ? gridPointsByCount : blueNoiseByCount;
  return { ...find(body, volume, count, seed), volume };
}

const boxVolume = ({ min, max }: Solid) => (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
