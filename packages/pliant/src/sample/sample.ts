import { checkInteger, checkKeys, checkNumber, checkOneOf, PliantError, refuse } from '../check.js';
import { checkLength, checkParticleCount, MAX_PARTICLES } from '../limits.js';
import { cbrt } from '../math/elementary.js';
import { Work } from '../work.js';
import { blueNoise } from './blueNoise.js';
import { BLUE_NOISE_DENSITY, blueNoiseByCount } from './blueNoiseByCount.js';
import { countFor, firstSpacing } from './firstSpacing.js';
import { centredLattice, gridNodes, gridPoints, gridPointsByCount, type Lattice } from './grid.js';
import { cellsFor, MAX_CELLS } from './poissonGrid.js';
import { sampleMiddle } from './sampleMiddle.js';
import { shell } from './shell.js';
import { extentOf, type Solid } from './solid.js';
import { measureVolume } from './volumeOf.js';

/** How a solid is filled with particles. Give `spacing` or `count`. */
export interface SampleOptions {
  /** 'blue-noise' (default): random places that are at least a spacing apart. 'grid': the cell centres of a cubic grid. */
  method?: 'grid' | 'blue-noise';
  /** Distance between neighbouring particles (m): exact for a grid, the smallest for blue noise. */
  spacing?: number;
  /** Number of particles, met within 2 % or one particle. */
  count?: number;
  /** Seed of the random numbers: the same seed gives the same particles on every machine. Default 1. */
  seed?: number;
  /** Thickness of the walls of a hollow body (m). Default: the body is full. */
  shell?: number;
}

/** Defaults of {@link SampleOptions}. */
export const SAMPLE_DEFAULTS = { method: 'blue-noise', seed: 1 } as const satisfies SampleOptions;

/** The particles that `sample` found. */
export interface Sampling {
  /** x, y, z of each particle (m). */
  positions: Float64Array;
  /** The spacing that was given or found (m). */
  spacing: number;
  /** Volume of the sampled body (m³); for a shell that of its walls. Exact or within 0.5 %. */
  volume: number;
  /** @internal Volumes of the particles as multiples of their mean, where particles lie along the middle of a sheet or a cord. */
  shares?: Float64Array;
  /** @internal The grid whose cell centres the particles are. */
  lattice?: Lattice;
}

const KEYS = ['method', 'spacing', 'count', 'seed', 'shell'];

/**
 * Largest standard error of a volume, relative to it. Beyond it the body is too thin for its volume, and so its mass,
 * to be known.
 */
const VAGUE = 0.02;

/**
 * The body's extent divided by this is the least thickness of walls: the volume of a ball with such walls is known to
 * about 2 %.
 */
const FINEST_WALL = 20_000;

/** Background cells per cubed spacing: 1 for a grid, √3³ for blue noise. */
const CELLS = { grid: 1, 'blue-noise': 5.2 };

/** Fills a solid with particles. `path` is the name that messages begin with. */
export function sample(solid: Solid, options: SampleOptions, path = 'sampling', work = new Work()): Sampling {
  checkKeys(path, options, KEYS);
  const method = checkOneOf(`${path}.method`, options.method ?? SAMPLE_DEFAULTS.method, ['grid', 'blue-noise']);
  const seed = checkNumber(`${path}.seed`, options.seed ?? SAMPLE_DEFAULTS.seed);
  const { spacing, count } = options;
  if (spacing !== undefined && count !== undefined)
    throw new PliantError(path, `${path} gives both spacing and count; expected one of the two.`);
  if (spacing === undefined && count === undefined)
    throw new PliantError(path, `${path} gives neither spacing nor count; expected one of the two.`);
  if (spacing !== undefined) checkLength(`${path}.spacing`, checkNumber(`${path}.spacing`, spacing, { above: 0 }));
  if (count !== undefined) checkInteger(`${path}.count`, count, { min: 1, max: MAX_PARTICLES });

  solid.checkInside?.();
  const body = options.shell === undefined ? solid : shell(solid, options.shell, `${path}.shell`);
  const { volume, error } = measureVolume(body, work);
  if (!(volume > 0) && options.shell !== undefined)
    refuse(
      `${path}.shell`,
      options.shell,
      `at least ${(extentOf(body) / FINEST_WALL).toPrecision(2)}: nothing was found of thinner walls`,
    );
  if (!(volume > 0)) throw new PliantError(path, `${path} found no volume to fill; expected a body with an inside.`);
  if (error > VAGUE * volume) refuseThin(options, volume, error, path);
  if (body.middle && options.shell === undefined) {
    const thin = sampleMiddle(body.middle, { spacing, count, seed, method }, path);
    if (thin) return { ...thin, volume };
  }
  const given = { method, seed, volume, path, wall: options.shell, work };
  return count === undefined ? bySpacing(body, spacing!, given) : byCount(body, count, given);
}

interface Given {
  method: 'grid' | 'blue-noise';
  seed: number;
  volume: number;
  path: string;
  /** Thickness of the walls of a hollow body. */
  wall: number | undefined;
  work: Work;
}

/**
 * The standard error is inverse to the root of the number of points found inside, which is proportional to the
 * thickness.
 */
function refuseThin({ shell }: SampleOptions, volume: number, error: number, path: string): never {
  const thicker = (error / (VAGUE * volume)) * (error / (VAGUE * volume));
  if (shell !== undefined)
    refuse(
      `${path}.shell`,
      shell,
      `at least ${(1.2 * thicker * shell).toPrecision(2)}: walls as thin as that have no volume to be found`,
    );
  throw new PliantError(
    path,
    `${path} found a volume of ${volume.toPrecision(2)} ± ${error.toPrecision(2)} m³; expected a body that is less thin.`,
  );
}

function bySpacing(body: Solid, spacing: number, { method, seed, volume, path, wall, work }: Given): Sampling {
  const extent = extentOf(body);
  if (spacing > extent)
    refuse(`${path}.spacing`, spacing, `at most the body's extent of ${extent}, for a particle to fit`);
  const density = method === 'grid' ? 1 : BLUE_NOISE_DENSITY;
  const least = Math.max(cbrt((density * volume) / MAX_PARTICLES), cbrt((CELLS[method] * boxVolume(body)) / MAX_CELLS));
  if (spacing < least)
    refuse(
      `${path}.spacing`,
      spacing,
      `at least ${least.toPrecision(3)} in this body of volume ${volume.toPrecision(3)}: ${MAX_PARTICLES} particles at most`,
    );
  const cells = method === 'grid' ? gridNodes(body, spacing) : cellsFor(body, spacing);
  const expected = countFor(body, volume, spacing, density, wall);
  if (expected > MAX_PARTICLES || cells > MAX_CELLS)
    refuse(
      `${path}.spacing`,
      spacing,
      `more, in a body as thin as this: ${MAX_PARTICLES} particles and ${MAX_CELLS} cells at most`,
    );
  const positions =
    method === 'grid'
      ? gridPoints(body, spacing, work)
      : blueNoise(body, spacing, seed, { enough: MAX_PARTICLES, expected, work });
  checkParticleCount(`${path}.spacing`, positions.length / 3);
  if (positions.length === 0)
    refuse(`${path}.spacing`, spacing, `less, as no particle fits into the body of extent ${extent}`);
  return {
    positions,
    spacing,
    volume,
    ...(method === 'grid' && { lattice: centredLattice(body, [spacing, spacing, spacing]) }),
  };
}

function byCount(body: Solid, count: number, { method, seed, volume, path, wall, work }: Given): Sampling {
  const density = method === 'grid' ? 1 : BLUE_NOISE_DENSITY;
  const spacing = firstSpacing(body, volume, count, cbrt((density * volume) / count), wall);
  // A body that fills little of a large box has far more cells than particles.
  const cells = method === 'grid' ? gridNodes(body, spacing) : cellsFor(body, spacing);
  if (cells > MAX_CELLS)
    refuse(
      `${path}.count`,
      count,
      `at most ${Math.floor((count * MAX_CELLS) / cells)} in a body that fills so little of its box`,
    );
  const find = method === 'grid' ? gridPointsByCount : blueNoiseByCount;
  return { ...find(body, volume, count, seed, { wall, work, path }), volume };
}

const boxVolume = ({ min, max }: Solid) => (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
