import type { Views } from '../state/layout.js';

/**
 * Per body: the box around the paths of its particles in this step, from xOld to x, six numbers. Kept during the stage; computed again for
 * a body that was moved since. Grows with the largest number of bodies.
 */
let boxes = new Float64Array(6 * 64);
let fresh = new Uint8Array(64);

/** Start of the stage: marks all boxes as out of date. */
export function forgetReaches(bodies: number): void {
  if (fresh.length < bodies) {
    fresh = new Uint8Array(2 * bodies);
    boxes = new Float64Array(6 * fresh.length);
  }
  fresh.fill(0, 0, bodies);
}

/** Marks the box of a body as out of date, after one of its particles was moved. */
export function forgetReach(body: number): void {
  fresh[body] = 0;
}

/** Whether the body, with rows from start to end, comes within `pad` of a box minX, minY, minZ, maxX, maxY, maxZ in this step. */
export function comesNear(s: Views, body: number, start: number, end: number, box: Float64Array, pad: number): boolean {
  const o = 6 * body;
  if (!fresh[body]) {
    fitReach(s, start, end, o);
    fresh[body] = 1;
  }
  for (let a = 0; a < 3; a++) if (boxes[o + a] - pad > box[a + 3] || boxes[o + a + 3] + pad < box[a]) return false;
  return true;
}

function fitReach({ x, xOld }: Views, start: number, end: number, o: number): void {
  for (let a = 0; a < 3; a++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = 4 * start + a; k < 4 * end; k += 4) {
      if (x[k] < low) low = x[k];
      if (x[k] > high) high = x[k];
      if (xOld[k] < low) low = xOld[k];
      if (xOld[k] > high) high = xOld[k];
    }
    boxes[o + a] = low;
    boxes[o + a + 3] = high;
  }
}
