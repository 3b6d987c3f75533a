import { type Random, random } from '../math/random.js';
import { type Body, inOrder } from './body.js';
import { compareParts, overlapParts, type Parts } from './connect.js';
import { type Settled, settle } from './fuzzy.js';
import { ball, buildGrid, found, type PointGrid } from './grid.js';
import { weigh } from './kernel.js';
import { kmeans } from './kmeans.js';
import type { ClusterSettings } from './options.js';
import { reseat } from './reseat.js';
import { scatter } from './scatter.js';

/** What the attempts have cost and met so far; shared by all sizes that are tried for one body. */
export interface Tally {
  attempts: number;
  iterations: number;
  reseated: number;
  cycle: number;
  evaluations: number;
}

/** A division of the body at one count and radius, whether it is good or not. */
export interface Division {
  centre: Float64Array;
  start: Uint32Array;
  /** The caller's particle indices, ascending within a cluster. */
  particle: Uint32Array;
  weight: Float64Array;
  /** Largest distance of a member from its centre is radius · (1 + slack), and 0.1 % for the last step of the centre. */
  slack: number;
  cycle: number;
  orphans: number;
  /** Why this is no clustering of the body; empty when it is one. */
  fault: string;
}

export interface Study {
  body: Body;
  sampling: Parts;
  settings: ClusterSettings;
  tally: Tally;
  /** k-means centres by count and start: they do not depend on the radius. */
  starts: Map<string, Float64Array>;
}

/** Random starts at one size, at most. */
const STARTS = 8;
/**
 * Distances computed at one size before it is given up: about 0.1 s. A small body gets all its starts, a large one (whose
 * one optimisation costs more than that) only one. Counted, not timed: the result must not depend on the machine.
 */
const EFFORT = 1e7;
/**
 * More orphans than this, and than a fifth of the clusters: the clusters are too few or too small, and neither moving one
 * nor another start will help. (On a grid, orphans come in symmetric groups: 8 are the corners of a cube.)
 */
const hopeless = (orphans: number, clusters: number): boolean => orphans > Math.max(8, clusters / 5);
/** A particle at which a cluster was seated this often, and which is left out again, is out of reach at this size. */
const VISITS = 2;
/** Different particles at which clusters are seated at one size, at most. */
const PLACES = 12;
/** Cells of a query grid per radius: fewer test too many particles, more walk too many rows (measured: 2 to 4 are equal). */
const CELLS_PER_RADIUS = 3;
/** k-means is only the start of `fuzzy`: after 100 iterations its centres hardly move. */
const KMEANS_AS_START = 100;

/** Tries to divide the body into `count` clusters of `radius`; the best that was reached is returned, with its fault. */
export function attempt(study: Study, count: number, radius: number): Division {
  const { body, tally } = study;
  const grid = buildGrid(body.positions, radius / CELLS_PER_RADIUS);
  const mass = inOrder(grid, body.masses);
  let best: Division | undefined;
  for (let start = 0; start < STARTS; start++) {
    const division = divide(study, grid, mass, count, radius, start);
    if (division.fault === '') {
      best = division;
      break;
    }
    if (!best || division.orphans < best.orphans) best = division;
    if (hopeless(division.orphans, count) || grid.evaluations > EFFORT) break;
  }
  tally.evaluations += grid.evaluations;
  return best as Division;
}

function divide(
  study: Study,
  grid: PointGrid,
  mass: Float64Array,
  count: number,
  radius: number,
  start: number,
): Division {
  const { settings, tally, body } = study;
  const stream = streamOf(settings.seed, 2 * start);
  tally.attempts++;
  if (settings.algorithm === 'random')
    return finish(study, grid, members(grid, scatter(body, grid, radius, stream), radius, settings));
  const centre = kmeansCentres(study, count, start);
  if (settings.algorithm === 'kmeans') return finish(study, grid, members(grid, centre, radius, settings));

  return finish(study, grid, settleAndReseat(study, grid, mass, centre, radius, stream));
}

/** The optimisation, and as long as it leaves out a few particles that a moved cluster could reach, again. */
function settleAndReseat(
  { settings, tally }: Study,
  grid: PointGrid,
  mass: Float64Array,
  centre: Float64Array,
  radius: number,
  stream: Random,
): Settled {
  const fuzzySettings = { ...settings, radius };
  const visits = new Map<number, number>();
  for (let from = centre; ; ) {
    const settled = settle(grid, mass, from, fuzzySettings);
    tally.iterations += settled.iterations;
    tally.cycle ||= settled.cycle;
    if (settled.outcome !== 'uncovered' || hopeless(settled.orphans.length, centre.length / 3)) return settled;
    if (settled.orphans.some((i) => (visits.get(i) ?? 0) >= VISITS) || visits.size >= PLACES) return settled;
    const { centre: moved, target } = reseat(settled, grid, stream);
    visits.set(target, (visits.get(target) ?? 0) + 1);
    tally.reseated++;
    from = moved;
  }
}

/** Centres of k-means for one count and one start, computed once for all radii. */
export function kmeansCentres(study: Study, count: number, start: number): Float64Array {
  const { body, settings, tally, starts } = study;
  const key = `${count}/${start}`;
  let centre = starts.get(key);
  if (!centre) {
    const most = settings.algorithm === 'fuzzy' ? KMEANS_AS_START : settings.maxIterations;
    const result = kmeans(body.grid, body.mass, body.places, count, streamOf(settings.seed, 2 * start + 1), most);
    tally.evaluations += result.evaluations;
    if (settings.algorithm === 'kmeans') tally.iterations += result.iterations;
    centre = result.centre;
    starts.set(key, centre);
  }
  return centre;
}

/** Independent random streams of one seed: the k-th is seeded by the k-th number of the seed's own stream. */
function streamOf(seed: number, k: number): Random {
  const seeds = random(seed);
  for (let skip = 0; skip < k; skip++) seeds();
  return random(Math.floor(seeds() * 2 ** 32));
}

/** Everything within the radius of given centres, weighted by the kernel: the end of `kmeans` and `random`. */
function members(grid: PointGrid, centre: Float64Array, radius: number, settings: ClusterSettings): Settled {
  const clusters = centre.length / 3;
  const start = new Uint32Array(clusters + 1);
  const list = found(2 * grid.count);
  for (let c = 0; c < clusters; c++)
    start[c + 1] = ball(grid, centre[3 * c], centre[3 * c + 1], centre[3 * c + 2], radius, list, start[c]);
  const particle = list.index.slice(0, start[clusters]);
  const weight = list.distance2.slice(0, start[clusters]);
  const sums = new Float64Array(grid.count);
  weigh(weight, particle, particle.length, radius, settings, sums, new Float64Array(grid.count));
  const orphans: number[] = [];
  for (let i = 0; i < sums.length; i++) if (sums[i] === 0) orphans.push(i);
  for (let k = 0; k < weight.length; k++) weight[k] /= sums[particle[k]];
  const outcome = orphans.length > 0 ? 'uncovered' : 'converged';
  return { outcome, centre, start, particle, weight, orphans, iterations: 0, cycle: 0, slack: 0 };
}

/** From grid order to the caller's indices, and the checks of C4. */
function finish(study: Study, grid: PointGrid, settled: Settled): Division {
  const { start, centre, slack, cycle } = settled;
  const clusters = start.length - 1;
  const particle = Uint32Array.from(settled.particle, (i) => grid.order[i]);
  const weight = new Float64Array(particle.length);
  const slot = new Uint32Array(grid.count);
  for (let c = 0; c < clusters; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) slot[particle[k]] = k;
    particle.subarray(start[c], start[c + 1]).sort();
    for (let k = start[c]; k < start[c + 1]; k++) weight[k] = settled.weight[slot[particle[k]]];
  }
  const orphans = settled.orphans.length;
  return { centre, start, particle, weight, slack, cycle, orphans, fault: faultOf(study, settled, particle) };
}

function faultOf({ body, sampling }: Study, settled: Settled, particle: Uint32Array): string {
  const { orphans, start, iterations, outcome } = settled;
  if (orphans.length > 0) return `${orphans.length} of ${body.count} particles lie outside every cluster`;
  for (let c = 0; c < start.length - 1; c++) if (start[c] === start[c + 1]) return `cluster ${c} holds no particle`;
  if (outcome !== 'converged') return `the optimisation did not come to rest in ${iterations} iterations`;
  const { split } = compareParts(sampling, overlapParts(body.count, { start, particle }));
  return split ? `the clusters that hold particles ${split[0]} and ${split[1]} are not connected by overlap` : '';
}
