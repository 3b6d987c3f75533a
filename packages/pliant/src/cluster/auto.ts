import { squared } from '../math/elementary.js';
import { buildGrid, type PointGrid, spacingOf } from '../spatial/grid.js';
import { nearest } from '../spatial/nearest.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { attempt, hopeless, kmeansCentres, type Study } from './attempt.js';
import type { Division } from './finish.js';
import { CLUSTER_DEFAULTS } from './options.js';

/** Precision of the radius: 1 % is finer than any visible effect, and coarse enough for about ten attempts. */
const PRECISION = 1.01;
/** Factor between the radii of the search, until one radius works and one does not. */
const STEP = 1.15;
/**
 * Particles that a cluster must share with others: four points (not in a plane) tie two rigid bodies in all six degrees
 * of freedom.
 */
const SHARED = 4;
/** Share of the first guess at which the search downwards stops: a radius that small has never worked. */
const LEAST = 0.05;

/** Share of the diagonal below which a distance counts as rounding. */
const NOTHING = 1e-9;

export interface AutoRadius {
  radius: number;
  division: Division;
}

/**
 * The smallest radius at which `count` clusters converge, cover the body and connect it ([J15] 4 chooses "the minimal
 * neighbor radius that allows convergence" by hand and asks for this as future work). Beyond C4, every cluster shares
 * at least four particles with others: one shared particle is only a hinge.
 *
 * The search starts at the cover radius of the k-means centres, where no particle is outside. It widens by 15 % until
 * it has a radius that works above one that does not, and bisects that interval down to 1 %. A radius above one that
 * works need not work (the optimisation reaches other minima), so "smallest" holds along the search: the radius
 * returned works and one about 1 % smaller did not.
 *
 * Returns null if nothing up to `maxRadius` works.
 */
export function smallestRadius(study: Study, count: number): AutoRadius | null {
  const { maxRadius, epsilon } = study.settings;
  const attemptAt = (radius: number) => connectAt(study, count, radius);
  // If all particles are in one place, any radius holds them. √ε is the length below which invsq does not distinguish
  // distances.
  if (study.body.diagonal === 0)
    return attemptAt(Math.min(maxRadius, Math.sqrt(epsilon === 'even' ? CLUSTER_DEFAULTS.epsilon : epsilon)));

  const guess = Math.min(maxRadius, firstGuess(study, count));
  let works = attemptAt(guess);
  let fails = guess;
  if (works) {
    for (let r = guess / STEP; r > LEAST * guess; r /= STEP) {
      const smaller = attemptAt(r);
      fails = r;
      if (!smaller) break;
      works = smaller;
    }
  } else {
    for (let r = guess; !works && r < maxRadius; ) {
      fails = r;
      r = Math.min(maxRadius, r * STEP);
      works = attemptAt(r);
    }
    if (!works) return null;
  }
  // The loop ends: the ratio of the two radii is at most 1e9, as distances below NOTHING count as 0. Its root replaces
  // it until it is PRECISION: 12 times.
  while (works.radius > PRECISION * fails) {
    const middle = Math.sqrt(works.radius * fails);
    const tried = attemptAt(middle);
    if (tried) works = tried;
    else fails = middle;
  }
  return works;
}

/** The division at one radius, or null if it does not cover and connect the body with that many clusters. */
function connectAt(study: Study, count: number, radius: number): AutoRadius | null {
  const division = attempt(study, count, radius);
  return connects(study, count, division) ? { radius, division } : null;
}

/** Whether a division covers and connects the body with that many clusters. */
const connects = (study: Study, count: number, division: Division): boolean =>
  division.fault === '' && division.start.length - 1 <= count && overlapsEnough(study, division);

/**
 * The radius 'even' as a multiple of the root mean square distance of particles from the nearest centre of k-means. A particle inside a body is then in 4.1 clusters, one in a sheet in
 * 2.4. With 2 it is in 3.3, and bars twist and bend the same; but the stretching modes of cubes of 7 and 8 particles a side scatter by a tenth.
 */
const EVEN = 2.1;

/**
 * Factors on the radius 'even' that are tried for a body so large that it gets one random start at each size. In one of ten bodies of 20 000 particles of blue noise the optimisation leaves a single particle
 * outside, by chance: at a radius that is 2 % wider it does not. The search for the smallest radius took ten times as long, and 1.3 times that radius made wider clusters.
 */
const WIDER = [1, 1.02, 1.04];

/** The radius 'even' and its division, or null if it does not connect the body. */
export function evenRadius(study: Study, count: number): AutoRadius | null {
  const { mean2, far2 } = distancesFromCentres(study, count);
  // No particle may be left outside: the farthest is within its cluster.
  const radius = Math.max((study.body.even ?? EVEN) * Math.sqrt(mean2), Math.sqrt(far2) * (1 + 1e-9));
  for (const wider of WIDER) {
    if (!(radius > 0) || wider * radius > study.settings.maxRadius) return null;
    const before = study.tally.attempts;
    const division = attempt(study, count, wider * radius);
    if (connects(study, count, division)) return { radius: wider * radius, division };
    const hadOtherStarts = study.tally.attempts - before > 1;
    if (hadOtherStarts || division.orphans === 0 || hopeless(division.orphans, count)) return null;
  }
  return null;
}

/** Squared distances of particles from their nearest k-means centres (m²): mean and largest. */
function distancesFromCentres(study: Study, count: number): { mean2: number; far2: number } {
  const { grid, count: particles } = study.body;
  const centre = kmeansCentres(study, count, 0);
  const centres = buildGrid(centre, spacingOf(centre));
  const { sum, far2 } = withKernels((space) => sumFast(space, grid, centres)) ?? sumPlain(grid, centres);
  study.tally.evaluations += centres.evaluations;
  return { mean2: sum / particles, far2 };
}

/** Sum and largest of the squared distances. */
function sumPlain({ x, y, z, count }: PointGrid, centres: PointGrid): { sum: number; far2: number } {
  let [sum, far2] = [0, 0];
  let c = -1;
  for (let i = 0; i < count; i++) {
    c = nearest(centres, x[i], y[i], z[i], c);
    const d2 = squared(x[i] - centres.x[c]) + squared(y[i] - centres.y[c]) + squared(z[i] - centres.z[c]);
    sum += d2;
    far2 = Math.max(far2, d2);
  }
  return { sum, far2 };
}

/** The same in WASM. */
function sumFast(space: Workspace, grid: PointGrid, centres: PointGrid): { sum: number; far2: number } {
  const { kernels } = space;
  const [points, among, most] = [space.putGrid(grid), space.putGrid(centres), space.takeReals(1)];
  const first = nearest(centres, grid.x[0], grid.y[0], grid.z[0], -1);
  kernels.takeEvaluations();
  const sum = kernels.sumNearest(points, among, first, most);
  centres.evaluations += kernels.takeEvaluations();
  return { sum, far2: space.reals(most, 1)[0] };
}

/** The largest distance from a particle to its nearest k-means centre; if that is 0, the spacing of the body. */
function firstGuess(study: Study, count: number): number {
  const { far2 } = distancesFromCentres(study, count);
  // One part in 10^9 more, so that rounding does not leave the farthest particle outside. If every particle is at a
  // centre of its own up to rounding, the spacing is a guess of the right order.
  const far = Math.sqrt(far2);
  return far > NOTHING * study.body.diagonal ? far * (1 + 1e-9) : spacingOf(study.body.positions);
}

/**
 * Whether every cluster shares at least SHARED of its particles (all of them, if it has fewer). A cluster that alone
 * holds a whole separate part of the body is exempt: there is nothing to tie it to.
 */
function overlapsEnough({ body, sampling }: Study, { start, particle }: Division): boolean {
  const clusters = start.length - 1;
  const owners = new Uint32Array(body.count);
  for (let k = 0; k < particle.length; k++) owners[particle[k]]++;
  for (let c = 0; c < clusters; c++) {
    const [first, last] = [start[c], start[c + 1]];
    const least = Math.min(SHARED, last - first);
    let shared = 0;
    for (let k = first; k < last && shared < least; k++) if (owners[particle[k]] > 1) shared++;
    if (shared >= least) continue;
    const members = particle.subarray(first, last);
    const part = sampling.ofParticle[members[0]];
    const size = sampling.ofParticle.reduce((sum, other) => sum + (other === part ? 1 : 0), 0);
    const alone = shared === 0 && members.length === size && members.every((i) => sampling.ofParticle[i] === part);
    if (!alone) return false;
  }
  return true;
}
