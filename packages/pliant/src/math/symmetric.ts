import { acos, cos } from './elementary.js';
/** Eigenvalues of symmetric 3×3 matrices given as xx yy zz xy xz yz: roots of the characteristic polynomial, by angles (Smith 1961). */

export function largestEigenvalue(m: ArrayLike<number>, o: number): number {
  return prepare(m, o) ? mean + 2 * p * cos(angle) : mean;
}

export function smallestEigenvalue(m: ArrayLike<number>, o: number): number {
  return prepare(m, o) ? mean + 2 * p * cos(angle + (2 * Math.PI) / 3) : mean;
}

let mean = 0;
let p = 0;
let angle = 0;

/** False for a multiple of the identity. */
function prepare(m: ArrayLike<number>, o: number): boolean {
  const [xy, xz, yz] = [m[o + 3], m[o + 4], m[o + 5]];
  mean = (m[o] + m[o + 1] + m[o + 2]) / 3;
  const [xx, yy, zz] = [m[o] - mean, m[o + 1] - mean, m[o + 2] - mean];
  p = Math.sqrt((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (!(p > 0)) return false;
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  angle = acos(Math.max(-1, Math.min(1, det / (2 * p * p * p)))) / 3;
  return true;
}
