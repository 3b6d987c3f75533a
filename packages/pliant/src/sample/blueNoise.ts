import { type Random, random } from '../math/random.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';
import { formOf, putForm } from './form.js';
import { layOutCells, PoissonGrid, VOID_DEPTH } from './poissonGrid.js';
import { classifyBox, INSIDE, MIXED, OUTSIDE, type Solid } from './solid.js';

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

/** The state of one sampling. */
interface Sampler {
  solid: Solid;
  spacing: number;
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
}

/** Side of the smallest boxes that are searched for voids, in cells. */
const SMALLEST = 1 / (1 << VOID_DEPTH);

export interface BlueNoiseOptions {
  /** Number of samples at which the sampling stops. */
  enough?: number;
  /** Expected number of samples, for the report of progress. */
  expected?: number;
  work?: Work;
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
export function blueNoise(
  solid: Solid,
  spacing: number,
  seed: number,
  { enough = Number.POSITIVE_INFINITY, expected = Number.POSITIVE_INFINITY, work = new Work() }: BlueNoiseOptions = {},
): Float64Array {
  const sides = [0, 1, 2].map((a) => solid.max[a] - solid.min[a]);
  const thinnerThan = (cell: number) => sides.map((side) => side < cell * SMALLEST);
  return (
    withKernels((space) => sampleFast(space, { solid, spacing, seed, thinnerThan, enough, expected, work })) ??
    samplePlain({ solid, spacing, seed, thinnerThan, enough, expected, work })
  );
}

/** A sampling that is wanted. `thinnerThan`: along which axes the body is thinner than the smallest box that is searched. */
interface Wanted extends Required<BlueNoiseOptions> {
  solid: Solid;
  spacing: number;
  seed: number;
  thinnerThan: (cell: number) => boolean[];
}

function samplePlain({ solid, spacing, seed, thinnerThan, enough, expected, work }: Wanted): Float64Array {
  const grid = new PoissonGrid(solid, spacing);
  const thin = thinnerThan(grid.cell);
  const sampler: Sampler = { solid, spacing, next: random(seed), grid, thin, enough, expected, work };
  forBlocks(grid.size, work, (i, j, k) => {
    if (grid.count <= enough) searchBlock(sampler, i, j, k, BLOCK, false);
  });
  return sampler.grid.points.slice(0, 3 * sampler.grid.count);
}

/** The same in WASM. */
function sampleFast(
  space: Workspace,
  { solid, spacing, seed, thinnerThan, enough, expected, work }: Wanted,
): Float64Array {
  const { kernels } = space;
  const { cell, size, strideY, strideZ, total } = layOutCells(solid, spacing);
  const box = space.putReals([...solid.min, ...solid.max, spacing, cell, enough]);
  const shape = space.putWords([...size, ...thinnerThan(cell).map(Number), Number(isVague(solid))]);
  const steps = space.putWords(rowsAround(strideY, strideZ));
  const lists = space.take(LISTS);
  const [table, masks] = [space.takeWords(total), space.take(total)];
  const [bits, held] = [space.take(total / 8 + 1), space.take(total / 8 + 2)];
  const form = putForm(space, formOf(solid));
  const rows = space.takeRest();
  kernels.beginNoise(box, shape, steps, lists, table, bits, held, masks, rows, seed, form);
  const asked = {
    isInside: (x: number, y: number, z: number) => solid.inside(x, y, z),
    classify: (x: number, y: number, z: number, h: number) => classifyBox(solid, x, y, z, h, h, h),
    tick: (samples: number) => work.tick(FIRST_TRIAL * Math.min(1, samples / expected)),
  };
  space.answering(asked, () =>
    forBlocks(size, work, (i, j, k) => {
      if (kernels.sampleCount() <= enough) kernels.searchBlock(i, j, k, BLOCK, 0);
    }),
  );
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

/** Bridson's loop from one new sample, until no active sample is left. */
function grow(sampler: Sampler, first: number): void {
  const { grid, next, enough, expected, work } = sampler;
  const active = [first];
  while (active.length > 0 && grid.count <= enough) {
    const pick = Math.floor(next() * active.length);
    if (placeAround(sampler, active[pick])) {
      active.push(grid.count - 1);
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
function placeAround({ solid, spacing, next, grid, thin }: Sampler, sample: number): boolean {
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
    const x = px + dx;
    const y = py + dy;
    const z = pz + dz;
    if (x < minX || x > maxX || y < minY || y > maxY || z < minZ || z > maxZ) continue;
    if (!grid.hasRoom(x, y, z) || !solid.inside(x, y, z)) continue;
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
    if (grid.openCell(x, y, z)) searchBox(sampler, x, y, z, h, 0, full);
    return;
  }
  const kind = full ? INSIDE : classifyBox(solid, x, y, z, h, h, h);
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
  const kind = full ? INSIDE : depth === VOID_DEPTH ? MIXED : classifyBox(solid, x, y, z, h, h, h);
  if (kind === OUTSIDE) return;
  let misses = 0;
  const vague = kind !== INSIDE && isVague(solid);
  for (let dart = 0; dart < (vague ? SIGN_DARTS : 1); dart++) {
    const dx = thin[0] ? between(min[0], max[0], next()) : x + (2 * next() - 1) * h;
    const dy = thin[1] ? between(min[1], max[1], next()) : y + (2 * next() - 1) * h;
    const dz = thin[2] ? between(min[2], max[2], next()) : z + (2 * next() - 1) * h;
    const room = !grid.isNearListed(dx, dy, dz, depth);
    if (!room && !vague) continue;
    if (!within(solid, dx, dy, dz) || (kind !== INSIDE && !solid.inside(dx, dy, dz))) misses++;
    else if (room && grid.hasRoom(dx, dy, dz)) {
      grid.add(dx, dy, dz);
      grow(sampler, grid.count - 1);
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
