import { type Random, random, randomStream } from '../math/random.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';
import { classifyByField, type DistanceField, fieldSlack, insideByField } from './field.js';
import { layOutCells, PoissonGrid, VOID_DEPTH } from './poissonGrid.js';
import { classifyBox, INSIDE, MIXED, OUTSIDE, type Solid } from './solid.js';
import type { Tile } from './tile.js';

/** Candidates tried around a sample before it becomes inactive: Bridson's k, with his value. */
const CANDIDATES = 30;

/** Side, in cells, of the blocks that the search for voids starts from. */
const BLOCK = 8;

/**
 * Darts that decide whether a box contains part of the body, for a solid whose boxes cannot be classified from their
 * middle: one of which only the sign is known, or an open mesh, near whose holes hardly any box can be classified.
 */
const SIGN_DARTS = 2;
const isVague = ({ signOnly, clearance }: Solid) => signOnly === true || clearance !== undefined;

/** Side, in cells, of the smallest blocks that are classified before a tile is copied: in smaller ones it is cheaper to ask for each sample. */
const LEAST_ASKED = 4;

/** Spacings from the origin beyond which no tile is copied: places are rounded too much. */
const FAR = 1e8;

/** The state of one sampling. */
interface Sampler {
  solid: Solid;
  inside: (x: number, y: number, z: number) => boolean;
  /** Of a cube with this centre and half side. */
  classify: (x: number, y: number, z: number, h: number) => typeof OUTSIDE | typeof INSIDE | typeof MIXED;
  spacing: number;
  seed: number;
  next: Random;
  grid: PoissonGrid;
  /**
   * Per axis: the body is thinner than the smallest box that is searched. A dart into such a box would hardly ever hit
   * the body.
   */
  thin: readonly boolean[];
  /** Number of samples at which the sampling stops. */
  enough: number;
  expected: number;
  work: Work;
  /** The tile that was copied, and for each cell 1 if its sample of the tile is not there. */
  tile: Tile | undefined;
  missing: Uint8Array;
}

/** Side of the smallest boxes that are searched for voids, in cells. */
const SMALLEST = 1 / (1 << VOID_DEPTH);

export interface BlueNoiseOptions {
  /** Number of samples at which the sampling stops. */
  enough?: number;
  /** Expected number of samples, for the report of progress. */
  expected?: number;
  work?: Work;
  /** Samples that are copied as far as they are inside, before the search for voids. */
  tile?: Tile | undefined;
  /** Distances of the solid, which answer most questions about boxes and places where a tile is copied. */
  field?: DistanceField | undefined;
  /** Makes a tile: `cells` along its side, each of side `cell`. The solid has two cells more on every side, and is filled with images. */
  period?: { cells: number; cell: number } | undefined;
}

/** Share of the reported progress of a sampling that one trial counts as. */
const FIRST_TRIAL = 0.9;

/** Samples between two checkpoints. */
const PER_CHECKPOINT = 1024;

/**
 * Poisson-disk samples of a solid: random, at least `spacing` apart, and with no room left for another.
 *
 * Bridson, "Fast Poisson disk sampling in arbitrary dimensions" (2007): around each sample of an active list, k
 * candidates are tried at distances of one to two spacings. His method grows from one sample until the list is empty.
 * It leaves small voids everywhere, and misses every part of a body that is not connected to the first. So the grid is
 * then searched for boxes that no sample covers (as Ebeida et al. 2012 do), and every dart that hits a void starts the
 * growth again.
 *
 * The search ends: samples are a spacing apart, there is at most one for each cell of the grid, and each cell is
 * searched once. A caller that only wants to know whether there are more than `enough` need not wait for all of them.
 */
export function blueNoise(solid: Solid, spacing: number, seed: number, options: BlueNoiseOptions = {}): Float64Array {
  const { enough = Number.POSITIVE_INFINITY, expected = Number.POSITIVE_INFINITY, work = new Work(), period } = options;
  const layout = layOutCells(solid, spacing, period?.cell);
  const thin = [0, 1, 2].map((a) => solid.max[a] - solid.min[a] < layout.cell * SMALLEST);
  const isFar = [...solid.min, ...solid.max].some((place) => Math.abs(place) > FAR * spacing);
  const tile = isFar || thin.includes(true) ? undefined : options.tile;
  const field = tile && options.field;
  const wanted = { solid, spacing, seed, layout, thin, enough, expected, work, tile, field, period };
  return withKernels((space) => sampleFast(space, wanted)) ?? samplePlain(wanted);
}

/** A sampling that is wanted. `thin`: along which axes the body is thinner than the smallest box that is searched. */
interface Wanted extends Required<Omit<BlueNoiseOptions, 'tile' | 'field' | 'period'>> {
  tile: Tile | undefined;
  /** Of a tile only. */
  field: DistanceField | undefined;
  period: BlueNoiseOptions['period'];
  solid: Solid;
  spacing: number;
  seed: number;
  layout: ReturnType<typeof layOutCells>;
  thin: readonly boolean[];
}

function samplePlain(wanted: Wanted): Float64Array {
  const { solid, spacing, seed, layout, enough, work, tile, field, period } = wanted;
  const grid = new PoissonGrid(solid, spacing, layout.cell, period?.cells);
  const missing = new Uint8Array(tile ? layout.total : 0).fill(1);
  const sampler: Sampler = { ...wanted, ...questionsTo(solid, field), next: random(seed), grid, missing };
  if (tile)
    forBlocks(grid.size, work, (i, j, k) => {
      if (grid.count <= enough) fillBlock(sampler, tile, i, j, k, BLOCK, false);
    });
  forBlocks(grid.size, work, (i, j, k) => {
    if (grid.count <= enough) searchBlock(sampler, i, j, k, BLOCK, false);
  });
  return sampler.grid.points.slice(0, 3 * sampler.grid.count);
}

/** The same in WASM. */
function sampleFast(space: Workspace, wanted: Wanted): Float64Array {
  const { kernels } = space;
  const { solid, spacing, seed, layout, thin, enough, expected, work, tile, field, period } = wanted;
  const { cell, size, strideY, strideZ, total } = layout;
  const box = space.putReals([...solid.min, ...solid.max, spacing, cell, enough]);
  const shape = space.putWords([...size, ...thin.map(Number), Number(isVague(solid))]);
  const steps = space.putWords(rowsAround(strideY, strideZ));
  const lists = space.take(LISTS);
  const [table, masks] = [space.takeWords(total), space.take(total)];
  const [bits, held] = [space.take(total / 8 + 1), space.take(total / 8 + 2)];
  const copied = tile && [space.putWords(tile.ofCell), space.putReals(tile.places), space.take(total / 8 + 2)];
  const known = field && putField(space, field);
  const rows = space.takeRest();
  kernels.beginNoise(box, shape, steps, lists, table, bits, held, masks, rows, seed);
  if (period) kernels.beginTile(period.cells);
  const { inside: isInside, classify } = questionsTo(solid);
  const asked = {
    isInside,
    classify,
    tick: (samples: number) => work.tick(FIRST_TRIAL * Math.min(1, samples / expected)),
  };
  space.answering(asked, () => {
    if (known) kernels.useField(...known);
    if (copied) {
      kernels.useTile(tile.side, copied[0], copied[1], copied[2]);
      forBlocks(size, work, (i, j, k) => {
        if (kernels.sampleCount() <= enough) kernels.fillBlock(i, j, k, BLOCK, 0);
      });
    }
    forBlocks(size, work, (i, j, k) => {
      if (kernels.sampleCount() <= enough) kernels.searchBlock(i, j, k, BLOCK, 0);
    });
  });
  const count = kernels.sampleCount();
  const found = space.reals(rows, 4 * count);
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    positions[3 * i] = found[4 * i];
    positions[3 * i + 1] = found[4 * i + 1];
    positions[3 * i + 2] = found[4 * i + 2];
  }
  return positions;
}

/** Writes a field: its shape and slack, its size, its values. */
function putField(space: Workspace, field: DistanceField): [number, number, number] {
  const shape = space.putReals([...field.origin, ...field.cell, fieldSlack(field)]);
  return [shape, space.putWords(field.size), space.putFloats(field.values)];
}

/** The questions about a solid, answered by its field as far as that can. */
function questionsTo(solid: Solid, field?: DistanceField): Pick<Sampler, 'inside' | 'classify'> {
  if (!field)
    return {
      inside: (x, y, z) => solid.inside(x, y, z),
      classify: (x, y, z, h) => classifyBox(solid, x, y, z, h, h, h),
    };
  const slack = fieldSlack(field);
  return {
    classify: (x, y, z, h) => classifyByField(field, slack, x, y, z, h),
    inside: (x, y, z) => insideByField(field, slack, x, y, z) ?? solid.inside(x, y, z),
  };
}

/** Steps from a cell to the first of each of the 25 rows of five cells around it, nearest first. */
function rowsAround(strideY: number, strideZ: number): number[] {
  const rows = Array.from({ length: 25 }, (_, n) => [(n % 5) - 2, Math.floor(n / 5) - 2]);
  rows.sort(([a, b], [c, d]) => a * a + b * b - c * c - d * d);
  return rows.map(([j, k]) => j * strideY + k * strideZ - 2);
}

/** Bytes of the lists of samples near the open boxes (assembly/building/noise.ts): x, y, z of up to 128 at each depth, and the lengths of the lists. */
const LISTS = (VOID_DEPTH + 1) * (3 * 8 * 128 + 4);

/** Calls `search` for the first cell of every block. */
function forBlocks(
  [nx, ny, nz]: readonly [number, number, number],
  work: Work,
  search: (i: number, j: number, k: number) => void,
): void {
  for (let k = 0; k < nz; k += BLOCK)
    for (let j = 0; j < ny; j += BLOCK) {
      work.tick(0);
      for (let i = 0; i < nx; i += BLOCK) search(i, j, k);
    }
}

/** Copies the samples of a tile into a block of cells, where they are inside. */
function fillBlock(sampler: Sampler, tile: Tile, i: number, j: number, k: number, size: number, full: boolean): void {
  const { solid, grid } = sampler;
  if (i >= grid.size[0] || j >= grid.size[1] || k >= grid.size[2]) return;
  if (size === 1) {
    fillCell(sampler, tile, i, j, k, full);
    return;
  }
  let isFull = full;
  if (!full && size >= LEAST_ASKED) {
    const h = (size * grid.cell) / 2;
    const { min } = solid;
    const [x, y, z] = [min[0] + i * grid.cell + h, min[1] + j * grid.cell + h, min[2] + k * grid.cell + h];
    const kind = sampler.classify(x, y, z, h);
    if (kind === OUTSIDE) return;
    isFull = kind === INSIDE;
  }
  const half = size / 2;
  for (let child = 0; child < 8; child++)
    fillBlock(
      sampler,
      tile,
      child & 1 ? i + half : i,
      child & 2 ? j + half : j,
      child & 4 ? k + half : k,
      half,
      isFull,
    );
}

function fillCell(sampler: Sampler, tile: Tile, i: number, j: number, k: number, full: boolean): void {
  const { solid, grid, expected, work, missing } = sampler;
  const { side, ofCell, places } = tile;
  const n = ofCell[(i % side) + side * ((j % side) + side * (k % side))];
  if (n !== 0) {
    const x = solid.min[0] + (i + places[3 * n - 3]) * grid.cell;
    const y = solid.min[1] + (j + places[3 * n - 2]) * grid.cell;
    const z = solid.min[2] + (k + places[3 * n - 1]) * grid.cell;
    if (!within(solid, x, y, z) || (!full && !sampler.inside(x, y, z))) return;
    grid.add(x, y, z);
    if (grid.count % PER_CHECKPOINT === 0) work.tick(FIRST_TRIAL * Math.min(1, grid.count / expected));
  }
  missing[grid.numberOf(i, j, k)] = 0;
}

/** Whether a sample of the tile is missing around a cell. Elsewhere there are no voids. */
function isIncomplete({ grid, missing }: Sampler, i: number, j: number, k: number): boolean {
  for (let dk = -2; dk <= 2; dk++)
    for (let dj = -2; dj <= 2; dj++)
      for (let di = -2; di <= 2; di++) if (missing[grid.numberOf(i + di, j + dj, k + dk)] !== 0) return true;
  return false;
}

/** Bridson's loop from one new sample, until no active sample is left. */
function grow(sampler: Sampler, first: number): void {
  const { grid, next, enough, expected, work } = sampler;
  const active = [first];
  while (active.length > 0 && grid.count <= enough) {
    const pick = Math.floor(next() * active.length);
    if (placeAround(sampler, active[pick])) {
      active.push(grid.newest);
      if (grid.count % PER_CHECKPOINT === 0) work.tick(FIRST_TRIAL * Math.min(1, grid.count / expected));
    } else {
      active[pick] = active[active.length - 1];
      active.pop();
    }
  }
}

/**
 * Tries candidates around a sample. They are uniform in the shell between one and two spacings, by rejection: a point
 * of the cube is in the shell 46 % of the time, so that long runs of rejections do not happen. Along a thin axis they
 * are uniform in the body.
 */
function placeAround({ solid, inside, spacing, next, grid, thin }: Sampler, sample: number): boolean {
  const { min, max } = solid;
  const [minX, minY, minZ] = min;
  const [maxX, maxY, maxZ] = max;
  const [thinX, thinY, thinZ] = thin;
  const side = 4 * spacing;
  const inner = spacing * spacing;
  const px = grid.points[3 * sample];
  const py = grid.points[3 * sample + 1];
  const pz = grid.points[3 * sample + 2];
  for (let n = 0; n < CANDIDATES; ) {
    const dx = thinX ? between(minX, maxX, next()) - px : (next() - 0.5) * side;
    const dy = thinY ? between(minY, maxY, next()) - py : (next() - 0.5) * side;
    const dz = thinZ ? between(minZ, maxZ, next()) - pz : (next() - 0.5) * side;
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 < inner || d2 > 4 * inner) continue;
    n++;
    const x = grid.period > 0 ? grid.wrap(px + dx) : px + dx;
    const y = grid.period > 0 ? grid.wrap(py + dy) : py + dy;
    const z = grid.period > 0 ? grid.wrap(pz + dz) : pz + dz;
    if (x < minX || x > maxX || y < minY || y > maxY || z < minZ || z > maxZ) continue;
    if (!grid.hasRoom(x, y, z) || !inside(x, y, z)) continue;
    grid.add(x, y, z);
    return true;
  }
  return false;
}

/** Descends from a block of cells to single cells, and skips blocks that are wholly outside the body. */
function searchBlock(sampler: Sampler, i: number, j: number, k: number, size: number, full: boolean): void {
  const { solid, grid } = sampler;
  if (i >= grid.size[0] || j >= grid.size[1] || k >= grid.size[2]) return;
  const h = (size * grid.cell) / 2;
  const x = solid.min[0] + i * grid.cell + h;
  const y = solid.min[1] + j * grid.cell + h;
  const z = solid.min[2] + k * grid.cell + h;
  if (size === 1) {
    const { period } = grid;
    if (period > 0 && (Math.min(i, j, k) < 2 || Math.max(i, j, k) >= period + 2)) return;
    if (sampler.tile) {
      if (!isIncomplete(sampler, i, j, k)) return;
      // Cells have random numbers of their own, so that those without room can be passed over.
      sampler.next = randomStream(sampler.seed, 1 + grid.numberOf(i, j, k));
    }
    if (grid.openCell(x, y, z)) searchBox(sampler, x, y, z, h, 0, full);
    return;
  }
  const kind = full ? INSIDE : sampler.classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  const half = size / 2;
  for (let child = 0; child < 8; child++)
    searchBlock(
      sampler,
      child & 1 ? i + half : i,
      child & 2 ? j + half : j,
      child & 4 ? k + half : k,
      half,
      kind === INSIDE,
    );
}

/**
 * Throws a dart into a cube that no single sample covers (it is open in the grid at `depth`), then searches its
 * eighths.
 */
function searchBox(sampler: Sampler, x: number, y: number, z: number, h: number, depth: number, full: boolean): void {
  const { solid, grid, next, thin } = sampler;
  const { min, max } = solid;
  // In the smallest boxes the dart costs less than the classification.
  const kind = full ? INSIDE : depth === VOID_DEPTH ? MIXED : sampler.classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  let misses = 0;
  const vague = kind !== INSIDE && isVague(solid);
  for (let dart = 0; dart < (vague ? SIGN_DARTS : 1); dart++) {
    const dx = thin[0] ? between(min[0], max[0], next()) : x + (2 * next() - 1) * h;
    const dy = thin[1] ? between(min[1], max[1], next()) : y + (2 * next() - 1) * h;
    const dz = thin[2] ? between(min[2], max[2], next()) : z + (2 * next() - 1) * h;
    const room = !grid.isNearListed(dx, dy, dz, depth);
    if (!room && !vague) continue;
    if (!within(solid, dx, dy, dz) || (kind !== INSIDE && !sampler.inside(dx, dy, dz))) misses++;
    else if (room && grid.hasRoom(dx, dy, dz)) {
      grid.add(dx, dy, dz);
      // A tile leaves single voids, from which there is nowhere to grow.
      if (!sampler.tile) grow(sampler, grid.newest);
    }
  }
  if (depth === VOID_DEPTH || (vague && misses === SIGN_DARTS)) return;
  const q = h / 2;
  for (let child = 0; child < 8; child++) {
    const cx = child & 1 ? x + q : x - q;
    const cy = child & 2 ? y + q : y - q;
    const cz = child & 4 ? z + q : z - q;
    if (grid.openBox(cx, cy, cz, q, depth + 1)) searchBox(sampler, cx, cy, cz, q, depth + 1, kind === INSIDE);
  }
}

const between = (low: number, high: number, share: number) => low + share * (high - low);

const within = ({ min, max }: Solid, x: number, y: number, z: number) =>
  x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2];
