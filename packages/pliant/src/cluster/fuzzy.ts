import { squared } from '../math/elementary.js';
import { buildGrid, type PointGrid, spacingOf } from '../spatial/grid.js';
import { nearest } from '../spatial/nearest.js';
import { withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';
import { watchCycles } from './cycle.js';
import { FastGathering } from './fastGathering.js';
import { type Gathering, PlainGathering } from './gathering.js';
import type { KernelParameters } from './weightKernel.js';

export interface FuzzySettings extends KernelParameters {
  radius: number;
  orphanWeight: number;
  maxIterations: number;
  /** Ends the optimisation early: see EASY. */
  isEasy?: boolean;
}

/** Result of the optimisation. Particles are in the order of the grid that was given. */
export interface Optimum {
  /** `uncovered`: the centres rest, but particles are outside every radius or a cluster is empty. */
  outcome: 'converged' | 'uncovered' | 'unsettled';
  centre: Float64Array;
  start: Uint32Array;
  particle: Uint32Array;
  /** Normalised weights. */
  weight: Float64Array;
  /** Particles outside every radius, in the grid's order. */
  orphans: number[];
  iterations: number;
  /** Length of the first limit cycle that was met; 0 if there was none. */
  cycle: number;
  /** Members lie within radius · (1 + slack); 0 unless a cycle was broken. */
  slack: number;
}

/**
 * If a fifth of the body is outside every radius after a dozen iterations, the optimisation stops: the balls are too
 * few or too small, by a factor that no optimum makes up for. The search for the nearest centre of each orphan would
 * dominate the cost of further iterations.
 */
const SETTLING = 12;
const MOSTLY_OUT = 0.2;
/**
 * Number of orphans below which this test is skipped: small bodies converge quickly, and some have many orphans at
 * first.
 */
const MANY = 200;
/** [J15] 3.3: converged when no centre moved more than 0.1 % of the radius. */
const STILL = 1e-3;
/**
 * The same of large bodies with an elastic law, whose sets need not be the same as before either (SPEC C2 asks for that where a radius was given). Centres have covered nearly all of their way then, and a few go on for a hundred iterations.
 * Cubes, spheres and bars of 10 000 to 64 000 particles take 16 to 35 iterations instead of 97 to 139, and hang, sag, swing, bend and twist the same (docs/design/sampling-and-clustering.md).
 */
const EASY = 0.02;
/** As in the authors' program at least five iterations, so that a lucky start does not count as convergence. */
const LEAST_ITERATIONS = 5;
/** Share of the radius within which a centre counts as returned: far below STILL, far above rounding. */
const BACK = 1e-6;
/**
 * How far a centre may still move, in lengths of its last step. The iteration converges geometrically: on the authors'
 * bodies the ratio of successive steps stays below 0.95 near the end, and 1/(1 − 0.95) = 20. An orphan farther outside
 * than that is given up.
 */
const STILL_TO_COME = 20;
/** Number of iterations without a new minimum of orphans after which the remaining ones are given up. */
const STALE = 300;
/**
 * Hysteresis that ends a limit cycle, tried in this order: a particle joins within the radius and leaves beyond
 * radius · (1 + slack). The cycles come from an orphan that pulls more than a member does (orphanWeight above 1): it is
 * pulled in, weighs less and moves out again. With orphanWeight up to 1 no cycle was met in 60 000 random bodies. More
 * than 5 % would no longer be the radius that was asked for.
 */
const SLACKS = [0, 1e-4, 4e-4, 1.6e-3, 6.4e-3, 2.56e-2, 5e-2];

/**
 * Over-relaxation: a centre moves OVERSHOOT times the vector to its centre of mass. The fixed points are the same, and
 * the convergence test uses the plain step. The slow modes (ratio 0.95) shrink by 1 − 1.7 · 0.05 = 0.915 instead: on
 * the authors' bodies 2364 iterations became 1300 (bunny), 680 became 380 (plate). At 2 a mode of ratio 0 would never
 * decay; 1.7 leaves it 0.7. After a cycle the plain step of the paper is tried first.
 */
const OVERSHOOT = 1.7;

/**
 * "Ours" of [J15] 3.3: fuzzy c-means with compact support. From given centres, repeat: members are all particles within
 * the radius, with kernel weights normalised over each particle's clusters (13); centres are the weighted centres of
 * mass (7). A particle outside every radius pulls the nearest centre and prevents convergence.
 *
 * Converged (SPEC C2): the sets are the same in two successive iterations, no centre moved more than 0.1 % of the
 * radius, and no particle is outside. The authors' program compares only the sets' sizes. If the centres rest but a
 * particle is outside by more than they can still move, the outcome is `uncovered` at once. The authors' program then
 * continues to its last iteration, which causes most of its retries.
 */
export function optimiseCentres(
  grid: PointGrid,
  mass: Float64Array,
  initial: Float64Array,
  settings: FuzzySettings,
  work = new Work(),
): Optimum {
  return (
    (settings.kernel === 'invsq'
      ? withKernels((space) =>
          iterate(
            new FastGathering(space, grid, mass, settings, initial.length / 3),
            grid,
            mass,
            initial,
            settings,
            work,
          ),
        )
      : undefined) ??
    iterate(new PlainGathering(grid, mass, settings, initial.length / 3), grid, mass, initial, settings, work)
  );
}

function iterate(
  first: Gathering,
  grid: PointGrid,
  mass: Float64Array,
  initial: Float64Array,
  settings: FuzzySettings,
  work: Work,
): Optimum {
  const { radius, isEasy = false } = settings;
  const still = (isEasy ? EASY : STILL) * radius;
  const clusters = initial.length / 3;
  const centre = initial.slice();
  const sum = new Float64Array(4 * clusters);
  const watch = watchCycles(centre.length, BACK * radius);
  let members = first;
  const withSlack = (before: Gathering, slack: number) => {
    const plain =
      before instanceof PlainGathering
        ? before
        : new PlainGathering(grid, mass, settings, clusters).continueFrom(before.take());
    plain.slack = slack;
    return plain;
  };
  let orphans: number[] = [];
  let outcome: Optimum['outcome'] = 'unsettled';
  let iterations = 0;
  let cycle = 0;
  let level = 0;
  let fewest = Infinity;
  let fewestAt = 0;
  let overshoot = OVERSHOOT;
  while (iterations < settings.maxIterations) {
    iterations++;
    work.tick();
    orphans = members.gather(centre);
    const gap = pullOrphans(grid, mass, centre, orphans, settings.orphanWeight, sum) - radius;
    const moved = members.move(centre, sum, overshoot);
    const same = !isEasy && members.isSame();
    if (iterations >= LEAST_ITERATIONS && moved <= still) {
      if (orphans.length > 0) {
        if (gap > STILL_TO_COME * moved || moved <= BACK * radius) outcome = 'uncovered';
      } else if (same || isEasy) outcome = members.hasEmpty() ? 'uncovered' : 'converged';
      if (outcome !== 'unsettled') break;
    }
    if (iterations >= SETTLING && orphans.length > Math.max(MANY, MOSTLY_OUT * grid.count)) break;
    if (orphans.length < fewest) {
      fewest = orphans.length;
      fewestAt = iterations;
    } else if (orphans.length > 0 && iterations - fewestAt > STALE) break;
    const length = watch.look(centre, !same);
    if (length === 0) continue;
    watch.restart();
    if (overshoot > 1) {
      overshoot = 1;
      continue;
    }
    cycle ||= length;
    if (++level === SLACKS.length) break;
    members = withSlack(members, SLACKS[level]);
  }
  if (outcome === 'unsettled' && orphans.length > 0) outcome = 'uncovered';
  // The result's centres are the centres of mass themselves, without overshoot.
  if (outcome === 'converged') members.move(centre, sum.fill(0), 1);
  const slack = SLACKS[Math.min(level, SLACKS.length - 1)];
  return { outcome, centre, ...members.take(), orphans, iterations, cycle, slack };
}

/** Starts `sum` (m w x, m w per cluster) with the pull of the orphans; returns the farthest orphan's distance or 0. */
function pullOrphans(
  grid: PointGrid,
  mass: Float64Array,
  centre: Float64Array,
  orphans: readonly number[],
  orphanWeight: number,
  sum: Float64Array,
): number {
  sum.fill(0);
  if (orphans.length === 0) return 0;
  const { x, y, z } = grid;
  const centres = buildGrid(centre, spacingOf(centre));
  let farthest2 = 0;
  let guess = -1;
  for (const i of orphans) {
    guess = nearest(centres, x[i], y[i], z[i], guess);
    const c = centres.order[guess];
    const w = mass[i] * orphanWeight;
    sum[4 * c] += w * x[i];
    sum[4 * c + 1] += w * y[i];
    sum[4 * c + 2] += w * z[i];
    sum[4 * c + 3] += w;
    const d2 = squared(x[i] - centres.x[guess]) + squared(y[i] - centres.y[guess]) + squared(z[i] - centres.z[guess]);
    farthest2 = Math.max(farthest2, d2);
  }
  grid.evaluations += centres.evaluations;
  return Math.sqrt(farthest2);
}
