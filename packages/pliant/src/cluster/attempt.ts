import { type Random, random } from '../math/random.js';
import { buildGrid, type PointGrid } from '../spatial/grid.js';
import type { Work } from '../work.js';
import { type Body, inOrder } from './body.js';
import type { Parts } from './connect.js';
import { type Division, finish } from './finish.js';
import { type Optimum, optimiseCentres } from './fuzzy.js';
import { improveCentres, type KMeans, kmeans } from './kmeans.js';
import { membersWithin } from './members.js';
import { type ClusterSettings, epsilonAt } from './options.js';
import { reseat } from './reseat.js';
import { scatter } from './scatter.js';

/** Cost of the attempts so far, summed over all sizes that are tried for one body. */
export interface Tally {
  attempts: number;
  iterations: number;
  reseated: number;
  evaluations: number;
}

export interface Study {
  body: Body;
  sampling: Parts;
  settings: ClusterSettings;
  tally: Tally;
  /** k-means centres by count and start: they do not depend on the radius. */
  starts: Map<string, Float64Array>;
  work: Work;
}

/** Largest number of random starts at one size. */
const STARTS = 8;
/**
 * Effort at one size before it is given up, in distances: about 0.1 s. A small body gets all its starts. A large one,
 * of which a single optimisation costs more, gets one. The effort is counted and not timed, so that the result does not
 * depend on the machine.
 */
const EFFORT = 1e7;
/** Cost of an iteration beside its distances, in distances. It dominates for a body of a hundred particles. */
const PER_ITERATION = 1000;
/**
 * With more orphans than 8 and than a fifth of the clusters, the clusters are too few or too small: neither moving one
 * nor another start helps. (On a grid orphans come in symmetric groups: 8 are the corners of a cube.)
 */
export const hopeless = (orphans: number, clusters: number): boolean =>
  orphans > Math.max(8, clusters / 5) || (orphans > 0 && clusters === 1);
/**
 * If a cluster was reseated at a particle this often and the particle is an orphan again, it is out of reach at this
 * size.
 */
const VISITS = 2;
/**
 * Distances computed before no further cluster is moved: about 0.5 s, so that a large body too gets a second chance.
 */
const RESEAT_EFFORT = 5e7;
/** Largest number of different particles at which clusters are reseated at one size. */
const PLACES = 12;
/**
 * Cells of a query grid per radius: with fewer too many particles are tested, with more too many rows are visited
 * (measured: 2 to 4 are equal).
 */
const CELLS_PER_RADIUS = 3;
/** k-means is only the start of `fuzzy`: more iterations cost more than they save (bunny: 4.2 s with 100, 3.1 s with 30 or 15). */
const KMEANS_AS_START = 30;

/**
 * Number of particles from which on a body with the radius 'even' is divided with less effort: by few iterations of k-means over every third particle and fewer still over all, and by an optimisation that ends early (EASY in fuzzy.ts).
 * Smaller bodies take hardly longer without. Nor is it done for bodies that break or flow cluster by cluster: when they do was measured with all effort (docs/materials.md).
 */
const LARGE = 10_000;
const isEasy = ({ body, settings }: Study): boolean =>
  settings.radius === 'even' && body.count >= LARGE && !body.careful;
/** Number of particles from which on k-means takes few iterations in every body, and half of the last ones: it is only the start of `fuzzy`. */
const HUGE = 50_000;
/** Iterations over some of the particles and over all of them. Of some there are at least SOME for each centre, and at most every SPARSEST-th. */
const ROUGH = { SOME: 20, SPARSEST: 3, ITERATIONS: 8, FINE: 6 } as const;

/** Tries to divide the body into `count` clusters of `radius`. Returns the best division reached, with its fault. */
export function attempt(study: Study, count: number, radius: number): Division {
  const { body, tally } = study;
  const grid = buildGrid(body.positions, radius / CELLS_PER_RADIUS);
  const mass = inOrder(grid, body.masses);
  const work = () => tally.evaluations + grid.evaluations + PER_ITERATION * tally.iterations;
  const before = work();
  let best: Division | undefined;
  for (let start = 0; start < STARTS; start++) {
    study.work.tick();
    const division = divide(study, grid, mass, count, radius, start);
    if (division.fault === '') {
      best = division;
      break;
    }
    if (!best || division.orphans < best.orphans) best = division;
    if (hopeless(division.orphans, count) || work() - before > EFFORT) break;
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
  const { settings, tally, body, sampling } = study;
  const stream = streamOf(settings.seed, 2 * start);
  tally.attempts++;
  const kernel = { ...settings, epsilon: epsilonAt(settings.epsilon, radius) };
  if (settings.algorithm === 'random')
    return finish(body, sampling, grid, membersWithin(grid, scatter(body, grid, radius, stream), radius, kernel));
  const centre = kmeansCentres(study, count, start);
  if (settings.algorithm === 'kmeans') return finish(body, sampling, grid, membersWithin(grid, centre, radius, kernel));

  return finish(body, sampling, grid, optimiseAndReseat(study, grid, mass, centre, radius, stream));
}

/**
 * Optimises the centres. Repeats it with a moved cluster as long as it leaves out a few particles that such a cluster
 * could reach.
 */
function optimiseAndReseat(
  study: Study,
  grid: PointGrid,
  mass: Float64Array,
  centre: Float64Array,
  radius: number,
  stream: Random,
): Optimum {
  const { settings, tally, work } = study;
  const fuzzySettings = { ...settings, radius, epsilon: epsilonAt(settings.epsilon, radius), isEasy: isEasy(study) };
  const visits = new Map<number, number>();
  // The loop ends: PLACES particles are visited at most VISITS times each.
  for (let from = centre; ; ) {
    const optimum = optimiseCentres(grid, mass, from, fuzzySettings, work);
    tally.iterations += optimum.iterations;
    if (optimum.outcome !== 'uncovered' || hopeless(optimum.orphans.length, centre.length / 3)) return optimum;
    if (optimum.orphans.some((i) => (visits.get(i) ?? 0) >= VISITS)) return optimum;
    if (visits.size >= PLACES || grid.evaluations > RESEAT_EFFORT) return optimum;
    const { centre: moved, target } = reseat(optimum, grid, stream);
    visits.set(target, (visits.get(target) ?? 0) + 1);
    tally.reseated++;
    from = moved;
  }
}

/** Centres of k-means for one count and one start, computed once for all radii. */
export function kmeansCentres(study: Study, count: number, start: number): Float64Array {
  const { body, settings, tally, starts, work } = study;
  const key = `${count}/${start}`;
  let centre = starts.get(key);
  if (!centre) {
    const most = settings.algorithm === 'fuzzy' ? KMEANS_AS_START : settings.maxIterations;
    const stream = streamOf(settings.seed, 2 * start + 1);
    const result =
      settings.algorithm === 'fuzzy' && (isEasy(study) || body.count >= HUGE)
        ? roughCentres(study, count, stream)
        : kmeans(body.grid, body.mass, body.places, count, stream, most, work);
    tally.evaluations += result.evaluations;
    if (settings.algorithm === 'kmeans') tally.iterations += result.iterations;
    centre = result.centre;
    starts.set(key, centre);
  }
  return centre;
}

/** k-means over some of the places first. Near places follow each other, so that some of them lie everywhere. */
function roughCentres(study: Study, count: number, stream: Random): KMeans {
  const { grid, mass, places } = study.body;
  const { work } = study;
  const every = Math.max(1, Math.min(ROUGH.SPARSEST, Math.floor(places.length / (ROUGH.SOME * count))));
  const sparse = every > 1 ? everyOther(grid, mass, places, every) : { grid, mass, places };
  const rough = kmeans(sparse.grid, sparse.mass, sparse.places, count, stream, ROUGH.ITERATIONS, work);
  const fine = improveCentres(grid, mass, rough.centre, isEasy(study) ? ROUGH.FINE : ROUGH.FINE / 2, work);
  return { ...fine, evaluations: rough.evaluations + fine.evaluations };
}

/** One of `every` places, as particles. */
function everyOther({ x, y, z, ...grid }: PointGrid, mass: Float64Array, places: Uint32Array, every: number) {
  const count = Math.ceil(places.length / every);
  const some = { x: new Float64Array(count), y: new Float64Array(count), z: new Float64Array(count) };
  const [masses, all] = [new Float64Array(count), new Uint32Array(count)];
  for (let k = 0; k < count; k++) {
    const i = places[every * k];
    some.x[k] = x[i];
    some.y[k] = y[i];
    some.z[k] = z[i];
    masses[k] = mass[i];
    all[k] = k;
  }
  return { grid: { ...grid, ...some, count }, mass: masses, places: all };
}

/** Independent random streams of one seed: the k-th is seeded by the k-th number of the seed's own stream. */
function streamOf(seed: number, k: number): Random {
  const seeds = random(seed);
  for (let skip = 0; skip < k; skip++) seeds();
  return random(Math.floor(seeds() * 4294967296));
}
