import { FIELDS, Row, Vector } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { RUN } from '../constants.js';

/**
 * v = (x − xOld)/h, written as v += (x − (xOld + h v))/h. Both are equal for real numbers. In this form a particle that
 * the limit did not move keeps its velocity to the last bit, while x − xOld would cancel digits.
 */
export function updateVelocities(s: Views, start: number, end: number, h: number): void {
  const { x, v, xOld } = s;
  for (let i = start; i < end; i++)
    for (let o = Row.x * i; o < Row.x * i + Vector.WIDTH; o++) v[o] += (x[o] - Math.fround(xOld[o] + h * v[o])) / h;
}

export function countNonFinite(s: Views, start: number, end: number): number {
  const { x, v } = s;
  let count = 0;
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    // 0·∞ and 0·NaN are NaN, everything else gives 0.
    const zero = 0 * (x[o] + x[o + 1] + x[o + 2] + x[o + FIELDS.x.MASS]) + 0 * (v[o] + v[o + 1] + v[o + 2]);
    if (zero !== 0) count++;
  }
  return count;
}

export function sumSquaredWays(s: Views, start: number, end: number): number {
  let sum = 0;
  for (let i = start, stop = start; i < end; i = stop) {
    stop = endOfRun(i, end);
    sum += squaredWaysOf(s, i, stop);
  }
  return sum;
}

/** The end of the run of particles that begins at i, of a body that ends before `end`. */
export const endOfRun = (i: number, end: number) => (end - i < 2 * RUN.PARTICLES ? end : i + RUN.PARTICLES);

function squaredWaysOf(s: Views, start: number, end: number): number {
  const { x, v, xOld } = s;
  // One sum for each axis, as the fast form has it.
  let sx = 0;
  let sy = 0;
  let sz = 0;
  // 0, unless a velocity or a mass is not finite.
  let odd = 0;
  // Sums of a block of particles are in f32.
  const f32 = Math.fround;
  let [bx, by, bz] = [0, 0, 0];
  for (let i = start; i < end; i++) {
    const o = Row.x * i;
    const dx = f32(x[o] - xOld[o]);
    const dy = f32(x[o + 1] - xOld[o + 1]);
    const dz = f32(x[o + 2] - xOld[o + 2]);
    bx = f32(bx + f32(dx * dx));
    by = f32(by + f32(dy * dy));
    bz = f32(bz + f32(dz * dz));
    if (i === end - 1 || (i - start) % RUN.BLOCK === RUN.BLOCK - 1) {
      sx += bx;
      sy += by;
      sz += bz;
      bx = by = bz = 0;
    }
    odd += 0 * (x[o + FIELDS.x.MASS] - xOld[o + FIELDS.x.MASS]) + 0 * v[o] + 0 * v[o + 1] + 0 * v[o + 2];
  }
  return sx + sy + sz + odd;
}

export function keepStart({ x, xStep }: Views, start: number, end: number): void {
  for (let o = Row.x * start; o < Row.x * end; o++) xStep[o] = x[o];
}

export function returnStart({ xOld, xStep }: Views, start: number, end: number): void {
  for (let o = Row.x * start; o < Row.x * end; o++) xOld[o] = xStep[o];
}

export function brakeParticles(s: Views, start: number, end: number, keep: number): void {
  for (let o = Row.v * start; o < Row.v * end; o++) s.v[o] *= keep;
}
