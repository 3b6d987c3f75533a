import { cubed } from '../math/elementary.js';
import { type Random, random } from '../math/random.js';
import { classifyBox, INSIDE, OUTSIDE, type Solid } from './solid.js';

/** Wanted relative standard error: five of them are still within the 0.5 % that is promised. */
const STANDARD_ERROR = 1e-3;

/** Boxes per axis of the first estimate, and of the finest that is tried (2 · 256³ points for a solid with signs only). */
const COARSEST = 32;
const FINEST = 256;

/** A solid's own volume, or an estimate of it: within 0.5 % (five standard errors), always the same for the same solid. */
export function volumeOf(solid: Solid): number {
  return solid.volume ?? estimateVolume(solid);
}

/**
 * Stratified Monte Carlo. The bounding box is cut into n³ boxes; those that the distance to the surface shows to be full
 * or empty are counted whole, the others by two random points each. The variance of the sum is then known without a model:
 * a box whose two points disagree contributes (box/2)². n doubles until the standard error is small enough.
 */
export function estimateVolume(solid: Solid): number {
  const next = random(1);
  for (let n = COARSEST; ; n *= 2) {
    const estimate = { boxes: 0, disagreements: 0 };
    // Powers of two down to single boxes, so that large empty and full regions are settled in one question.
    countBoxes(solid, next, n, 0, 0, 0, n, estimate);
    const error = Math.sqrt(estimate.disagreements) / 2;
    if (error <= STANDARD_ERROR * estimate.boxes || n === FINEST) {
      const { min, max } = solid;
      return (estimate.boxes * ((max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]))) / cubed(n);
    }
  }
}

function countBoxes(
  solid: Solid,
  next: Random,
  n: number,
  i: number,
  j: number,
  k: number,
  size: number,
  estimate: { boxes: number; disagreements: number },
): void {
  const { min, max } = solid;
  const sx = (max[0] - min[0]) / n;
  const sy = (max[1] - min[1]) / n;
  const sz = (max[2] - min[2]) / n;
  const half = size / 2;
  const kind = classifyBox(
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
      );
  } else {
    const a = solid.inside(min[0] + (i + next()) * sx, min[1] + (j + next()) * sy, min[2] + (k + next()) * sz);
    const b = solid.inside(min[0] + (i + next()) * sx, min[1] + (j + next()) * sy, min[2] + (k + next()) * sz);
    estimate.boxes += (a ? 0.5 : 0) + (b ? 0.5 : 0);
    if (a !== b) estimate.disagreements++;
  }
}
