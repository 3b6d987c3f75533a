import { squared } from '../math/elementary.js';
import { buildGrid, spacingOf } from '../spatial/grid.js';
import { nearest } from '../spatial/nearest.js';
import { attempt, kmeansCentres, type Study } from './attempt.js';
import type { Division } from './finish.js';

/** The radius is found to 1 %: finer than its effect can be seen, and coarse enough for about ten attempts. */
const PRECISION = 1.01;
/** Steps by which the search leaves its first guess until one radius works and one does not. */
const STEP = 1.15;
/** Particles that a cluster shares with others: four points (not in a plane) tie two rigid bodies in all six freedoms. */
const SHARED = 4;
/** A radius this much below the cover radius of k-means has never worked; the search need not go on for ever. */
const LEAST = 0.05;

/** Share of the diagonal below which a distance is rounding. */
const NOTHING = 1e-9;

export interface AutoRadius {
  radius: number;
  division: Division;
}

/**
 * The smallest radius at which `count` clusters converge, cover the body and connect it ([J15] 4 chooses "the minimal
 * neighbor radius that allows convergence" by hand and asks for this as future work). Beyond C4, every cluster shares at
 * least four particles with others: one shared particle is only a hinge.
 *
 * The search starts at the cover radius of the k-means centres, where nobody is outside, widens by 15 % until it has a
 * radius that works above one that does not, and halves that interval down to 1 %. What works at one radius need not
 * work at every larger one (the optimisation falls into other minima), so "smallest" holds along the search: the radius
 * returned works and one about 1 % smaller did not.
 *
 * Returns null when nothing up to `maxRadius` works.
 */
export function smallestRadius(study: Study, count: number): AutoRadius | null {
  const { maxRadius, epsilon } = study.settings;
  const attemptAt = (radius: number): AutoRadius | null => {
    const division = attempt(study, count, radius);
    const good = division.fault === '' && division.start.length - 1 <= count && overlapsEnough(study, division);
    return good ? { radius, division } : null;
  };
  // All particles in one place: any radius holds them. √ε is the length below which invsq tells nothing apart.
  if (study.body.diagonal === 0) return attemptAt(Math.min(maxRadius, Math.sqrt(epsilon)));

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
  // Ends: the ratio of the two, at most 1e9 as distances below NOTHING are none, is replaced by its root until it is PRECISION: 12 times.
  while (works.radius > PRECISION * fails) {
    const middle = Math.sqrt(works.radius * fails);
    const tried = attemptAt(middle);
    if (tried) works = tried;
    else fails = middle;
  }
  return works;
}

/** The largest distance from a particle to its nearest k-means centre; where that is 0, the spacing of the body. */
function firstGuess(study: Study, count: number): number {
  const { grid, count: particles } = study.body;
  const { x, y, z } = grid;
  const centre = kmeansCentres(study, count, 0);
  const centres = buildGrid(centre, spacingOf(centre));
  let far2 = 0;
  let c = -1;
  for (let i = 0; i < particles; i++) {
    c = nearest(centres, x[i], y[i], z[i], c);
    far2 = Math.max(far2, squared(x[i] - centres.x[c]) + squared(y[i] - centres.y[c]) + squared(z[i] - centres.z[c]));
  }
  study.tally.evaluations += centres.evaluations;
  // A part in 10^9 more, so that rounding does not leave the farthest particle outside.
  // Every particle at a centre of its own, but for digits that no longer count: then the spacing is a guess of some size.
  const far = Math.sqrt(far2);
  return far > NOTHING * study.body.diagonal ? far * (1 + 1e-9) : spacingOf(study.body.positions);
}

/**
 * Every cluster shares at least SHARED of its particles (all of them, when it has fewer), unless it holds the whole of a part of
 * the body by itself: there is nothing that it should be tied to.
 */
function overlapsEnough({ body, sampling }: Study, { start, particle }: Division): boolean {
  const clusters = start.length - 1;
  const owners = new Uint32Array(body.count);
  for (const i of particle) owners[i]++;
  const sizes = new Uint32Array(sampling.count);
  for (const part of sampling.ofParticle) sizes[part]++;
  for (let c = 0; c < clusters; c++) {
    const members = particle.subarray(start[c], start[c + 1]);
    const shared = members.reduce((sum, i) => sum + (owners[i] > 1 ? 1 : 0), 0);
    if (shared >= Math.min(SHARED, members.length)) continue;
    const part = sampling.ofParticle[members[0]];
    const alone =
      shared === 0 && members.length === sizes[part] && members.every((i) => sampling.ofParticle[i] === part);
    if (!alone) return false;
  }
  return true;
}
