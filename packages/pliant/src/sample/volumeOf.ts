import { refuse } from '../check.js';
import { cubed } from '../math/elementary.js';
import { type Random, random } from '../math/random.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';
import { Work } from '../work.js';
import { formOf, putForm } from './form.js';
import { classifyBox, INSIDE, MIXED, OUTSIDE, type Solid } from './solid.js';

/** Wanted relative standard error: five times this is still within the promised 0.5 %. */
const STANDARD_ERROR = 1e-3;

/** Boxes per axis of the first and of the finest estimate. */
const COARSEST = 32;
const FINEST = 256;
/**
 * The finest for a solid of which only signs are known: the user's function is called at two points of every box
 * (2 · 128³: about a second).
 */
const FINEST_SIGNS = 128;
/**
 * The same for an open mesh: near its holes no box can be classified from its middle, and points cost a hundred times
 * as much.
 */
const STANDARD_ERROR_OPEN = 4e-3;
const FINEST_OPEN = 64;

/** Seed of the points: the same solid always gives the same volume. */
const SEED = 1;

/** Side, in boxes, of the blocks between two checkpoints. */
const CHECKED = 8;

/**
 * The volume of a solid (m³): its own where a formula gives it, else an estimate within 0.5 % (2 % for open meshes, and for implicit functions that
 * fill less than a hundredth of their box). The same solid always gives the same number.
 */
export function volumeOf(solid: Solid): number {
  checkSolid(solid);
  return solid.volume ?? estimateVolume(solid);
}

function checkSolid(solid: Solid): void {
  if (typeof (solid as Solid | null)?.inside !== 'function' || typeof solid.distance !== 'function')
    refuse('solid', solid, 'a solid');
}

/** An estimate of a volume, and its standard error. */
export interface Volume {
  volume: number;
  error: number;
}

/**
 * An estimate of the volume of a solid (m³), even if a formula is known. Stratified Monte Carlo: the bounding box is
 * divided into n³ boxes. Boxes that the distance to the surface shows to be full or empty are counted whole, the others
 * by two random points each. The variance of the sum is then known without a model: a box whose two points disagree
 * contributes (box/2)². n doubles until the standard error is small enough.
 */
export function estimateVolume(solid: Solid): number {
  checkSolid(solid);
  return measureVolume(solid).volume;
}

export function measureVolume(solid: Solid, work = new Work()): Volume {
  if (solid.volume !== undefined) return { volume: solid.volume, error: 0 };
  const fast = formOf(solid) && withKernels((space) => refine(solid, countFast(space, solid, work)));
  return fast ?? refine(solid, countPlain(solid, work));
}

interface Estimate {
  boxes: number;
  disagreements: number;
}

function countPlain(solid: Solid, work: Work): (n: number) => Estimate {
  const next = random(SEED);
  return (n) => {
    const estimate = { boxes: 0, disagreements: 0 };
    countBoxes(solid, next, n, 0, 0, 0, n, estimate, work);
    return estimate;
  };
}

/** The same in WASM. */
function countFast(space: Workspace, solid: Solid, work: Work): (n: number) => Estimate {
  const { kernels } = space;
  const form = putForm(space, formOf(solid));
  const box = space.putReals([...solid.min, ...solid.max]);
  kernels.beginVolume(SEED);
  return (n) =>
    space.answering({ tick: () => work.tick() }, () => ({
      boxes: kernels.countBoxes(form, box, n),
      disagreements: kernels.disagreementCount(),
    }));
}

/** Estimates with boxes of half the side each time. */
function refine(solid: Solid, count: (n: number) => Estimate): Volume {
  // Ends at `finest`.
  for (let n = COARSEST; ; n *= 2) {
    const estimate = count(n);
    const error = Math.sqrt(estimate.disagreements) / 2;
    // If no point hit the walls, they may be too thin for these boxes: the search continues. Not for solids whose boxes
    // are all tested by points.
    const unseen = estimate.boxes === 0 && !solid.signOnly;
    const [wanted, finest] = solid.clearance
      ? [STANDARD_ERROR_OPEN, FINEST_OPEN]
      : [STANDARD_ERROR, solid.signOnly ? FINEST_SIGNS : FINEST];
    if ((error <= wanted * estimate.boxes && !unseen) || n === finest) {
      const { min, max } = solid;
      const box = (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
      return { volume: (estimate.boxes * box) / cubed(n), error: (error * box) / cubed(n) };
    }
  }
}

/** Recursion by halves down to single boxes, so that large empty and full regions take one test. */
function countBoxes(
  solid: Solid,
  next: Random,
  n: number,
  i: number,
  j: number,
  k: number,
  size: number,
  estimate: { boxes: number; disagreements: number },
  work: Work,
): void {
  if (size === CHECKED) work.tick();
  const { min, max } = solid;
  const sx = (max[0] - min[0]) / n;
  const sy = (max[1] - min[1]) / n;
  const sz = (max[2] - min[2]) / n;
  const half = size / 2;
  // In the smallest boxes of an open mesh two points cost less than the distance to its holes.
  const kind =
    size === 1 && solid.clearance
      ? MIXED
      : classifyBox(
          solid,
          min[0] + (i + half) * sx,
          min[1] + (j + half) * sy,
          min[2] + (k + half) * sz,
          half * sx,
          half * sy,
          half * sz,
        );
  if (kind === OUTSIDE) return;
  if (kind === INSIDE) {
    estimate.boxes += cubed(size);
  } else if (size > 1) {
    for (let child = 0; child < 8; child++)
      countBoxes(
        solid,
        next,
        n,
        i + (child & 1) * half,
        j + ((child >> 1) & 1) * half,
        k + (child >> 2) * half,
        half,
        estimate,
        work,
      );
  } else {
    const a = solid.inside(min[0] + (i + next()) * sx, min[1] + (j + next()) * sy, min[2] + (k + next()) * sz);
    const b = solid.inside(min[0] + (i + next()) * sx, min[1] + (j + next()) * sy, min[2] + (k + next()) * sz);
    estimate.boxes += (a ? 0.5 : 0) + (b ? 0.5 : 0);
    if (a !== b) estimate.disagreements++;
  }
}
