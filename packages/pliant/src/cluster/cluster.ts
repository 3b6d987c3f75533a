import { refuse, show } from '../check.js';
import { Work } from '../work.js';
import { attempt, type Study } from './attempt.js';
import { evenRadius, smallestRadius } from './auto.js';
import { type Body as PreparedBody, prepareBody } from './body.js';
import { samplingParts } from './connect.js';
import type { Division } from './finish.js';
import {
  type ClusterAlgorithm,
  type ClusterOptions,
  type ClusterSettings,
  checkClusterOptions,
  epsilonAt,
} from './options.js';
import type { Kernel } from './weightKernel.js';

/** The clusters of a body. The memberships are sorted by cluster: cluster c has those from `start[c]` to `start[c + 1] − 1`. */
export interface Clustering {
  /** First membership of each cluster, and at the end the number of all memberships. */
  start: Uint32Array;
  /** Particle of each membership, ascending within a cluster. */
  particle: Uint32Array;
  /** Weight of each membership, above 0. The weights of a particle sum to 1. */
  weight: Float64Array;
  /** x, y, z of each cluster (m): the centre about which its members lie. With 'fuzzy' this is the weighted centre of mass to 0.1 % of the radius, for the radius 'even' from 10 000 particles on to 2 %. */
  centre: Float64Array;
  /** Largest distance of a member from the centre of its cluster (m). */
  radius: number;
  /** ε of the kernel 'invsq' (m²). */
  epsilon: number;
  /** Number of clusters. */
  count: number;
  /** How the clusters were found. */
  report: ClusterReport;
}

/** How a clustering came about. */
export interface ClusterReport {
  /** The algorithm that found them; 'explicit' if they were given. */
  algorithm: ClusterAlgorithm | 'explicit';
  /** The kernel of the weights; 'explicit' if they were given. */
  kernel: Kernel | 'explicit';
  /** Random starts, over all counts and radii that were tried. */
  attempts: number;
  /** Iterations of the optimisation, over all attempts. */
  iterations: number;
  /** Clusters that were moved to a particle outside every radius. */
  reseated: number;
  /** Whether the optimisation converged. */
  converged: boolean;
  /** Length of the limit cycle that was met and resolved in the result; 0 if there was none. */
  cycle: number;
  /** Members lie within radius · (1 + slack); above 0 only if a cycle was resolved. */
  slack: number;
  /** Particles outside every radius: always 0, as anything else is an error. */
  orphans: number;
  /** Whether the radius had to grow beyond the wanted one. */
  radiusGrown: boolean;
  /** Whether the number of clusters had to grow beyond the wanted one. */
  countGrown: boolean;
  /** Distances that were computed: a measure of the work that is the same on every machine. */
  evaluations: number;
  /** Remarks about the result, a sentence each. */
  notes: string[];
}

/** The factor by which count and radius grow if there is no convergence (C3, as in the authors' program). */
const GROWTH = 1.25;

/**
 * Number of random starts after which no further size is tried. Bodies that can be divided took 7 to 83. With one
 * iteration allowed, in which nothing converges, 400 particles would take thousands of starts and 20 s.
 */
const MOST_ATTEMPTS = 400;

/**
 * Divides particles into overlapping clusters. `positions` has x, y, z of each particle (m), `masses` its mass (kg). Every particle is in at least
 * one cluster, and clusters overlap wherever the sampling is connected. If the wanted count and radius do not work, both grow by a factor of 1.25, up
 * to their maxima; then it throws a PliantError. `path` is the name that messages begin with ([J15] 3.3; SPEC C1–C4).
 */
export function cluster(
  positions: ArrayLike<number>,
  masses: ArrayLike<number>,
  options: ClusterOptions = {},
  path = 'clustering',
  work = new Work(),
): Clustering {
  return clusterPrepared(prepareBody(positions, masses), options, path, work);
}

/** The same for particles that were prepared before: grids and parts are found once, however many clusterings are tried. */
export function clusterPrepared(
  body: PreparedBody,
  options: ClusterOptions,
  path = 'clustering',
  work = new Work(),
): Clustering {
  const settings = checkClusterOptions(options, body.places.length, body.diagonal, path);
  const tally = { attempts: 0, iterations: 0, reseated: 0, evaluations: 0 };
  body.sampling ??= samplingParts(body.positions, body.apart);
  const study: Study = { body, sampling: body.sampling, settings, tally, starts: new Map(), work };
  const notes: string[] = [];
  let { count } = settings;
  let radius = typeof settings.radius === 'number' ? settings.radius : 0;
  // The loop ends: count and radius grow by a quarter up to their maxima, at most 190 times for 18 decades of length
  // and 2 million particles.
  for (;;) {
    const { division, radius: used } = divideAt(study, count, radius, notes);
    if (division.fault === '') return assemble(study, division, used, notes);
    notes.push(`${count} clusters of radius ${short(used)}: ${division.fault}`);
    const grownCount = settings.algorithm === 'random' ? count : Math.min(settings.maxCount, Math.ceil(GROWTH * count));
    const grownRadius = Math.min(settings.maxRadius, GROWTH * used);
    if ((grownCount === count && grownRadius === used) || tally.attempts > MOST_ATTEMPTS)
      giveUp(settings, division, used, count, path);
    count = grownCount;
    if (typeof settings.radius === 'number') radius = grownRadius;
  }
}

/** Divides the body at one size. Radius 0 means 'auto' or 'even', whose failure is described by the largest radius allowed. */
function divideAt(
  study: Study,
  count: number,
  radius: number,
  notes: string[],
): { division: Division; radius: number } {
  if (radius > 0) return { division: attempt(study, count, radius), radius };
  const { maxRadius } = study.settings;
  const even = study.settings.radius === 'even' && evenRadius(study, count);
  if (even) return even;
  const smallest = smallestRadius(study, count);
  if (!smallest) return { division: attempt(study, count, maxRadius), radius: maxRadius };
  const wider = Math.min(maxRadius, study.settings.overlap * smallest.radius);
  if (wider === smallest.radius) return smallest;
  // A radius above one that works need not work; then the smallest is used.
  const division = attempt(study, count, wider);
  if (division.fault === '') return { division, radius: wider };
  notes.push(
    `overlap ${study.settings.overlap} was not reached, 1 is used: at radius ${short(wider)} ${division.fault}`,
  );
  return smallest;
}

function giveUp(settings: ClusterSettings, division: Division, radius: number, count: number, path: string): never {
  const limits = `with at most ${settings.maxCount} clusters (maxCount) of radius ${short(settings.maxRadius)} (maxRadius)`;
  const purpose = division.orphans > 0 ? 'covers' : 'connects';
  refuse(
    `${path}.radius`,
    settings.radius,
    `a radius that ${purpose} the body: ${limits} ${division.fault} (tried last: ${count} of ${short(radius)})`,
  );
}

function assemble({ sampling, settings, tally }: Study, division: Division, radius: number, notes: string[]) {
  const { start, particle, weight, centre, slack, cycle, held } = division;
  const count = start.length - 1;
  const radiusGrown = typeof settings.radius === 'number' && radius > settings.radius;
  const countGrown = settings.algorithm !== 'random' && count > settings.count;
  if (radiusGrown || countGrown)
    notes.push(`grew from ${settings.count} clusters of ${show(settings.radius)} to ${count} of ${short(radius)} (C3)`);
  if (cycle > 0)
    notes.push(
      `a limit cycle of ${cycle} iterations was resolved: members leave beyond ${short(radius * (1 + slack))}`,
    );
  if (tally.reseated > 0 && typeof settings.radius === 'number')
    notes.push(`${tally.reseated} clusters were moved to particles outside every radius`);
  if (held < sampling.count) notes.push(`${sampling.count} separate parts of the body are held together as ${held}`);
  const clustering: Clustering = {
    ...{ start, particle, weight, centre, radius, count, epsilon: epsilonAt(settings.epsilon, radius) },
    report: {
      algorithm: settings.algorithm,
      kernel: settings.kernel,
      ...{ attempts: tally.attempts, iterations: tally.iterations, reseated: tally.reseated },
      ...{ converged: true, cycle, slack, orphans: 0, radiusGrown, countGrown },
      evaluations: tally.evaluations,
      notes,
    },
  };
  return clustering;
}

/** Six digits are enough for a message. */
const short = (value: number): string => String(Number(value.toPrecision(6)));
