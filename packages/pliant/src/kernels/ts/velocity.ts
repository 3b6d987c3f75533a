import { FIELDS, Row, Vector } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';

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
  const { x, xOld } = s;
  // One sum for each axis, as the fast form has it.
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let o = Row.x * start; o < Row.x * end; o += Row.x) {
    const dx = x[o] - xOld[o];
    const dy = x[o + 1] - xOld[o + 1];
    const dz = x[o + 2] - xOld[o + 2];
    sx += dx * dx;
    sy += dy * dy;
    sz += dz * dz;
  }
  return sx + sy + sz;
}

export function brakeParticles(s: Views, start: number, end: number, keep: number): void {
  for (let o = Row.v * start; o < Row.v * end; o++) s.v[o] *= keep;
}
