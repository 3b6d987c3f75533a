import { acos, cos } from './elementary.js';
/** Eigenvalues of symmetric 3×3 matrices given as xx yy zz xy xz yz: roots of the characteristic polynomial, by angles (Smith 1961). */

export function largestEigenvalue(m: ArrayLike<number>, o: number): number {
  return prepare(m, o) ? mean + 2 * p * cos(angle) : mean;
}

/** A number that largestEigenvalue does not exceed, rounding included: it takes a tenth of the time. */
export function largestEigenvalueBound(m: ArrayLike<number>, o: number): number {
  spread(m, o);
  return mean + 2 * p;
}

export function smallestEigenvalue(m: ArrayLike<number>, o: number): number {
  return prepare(m, o) ? mean + 2 * p * cos(angle + (2 * Math.PI) / 3) : mean;
}

let mean = 0;
let p = 0;
let angle = 0;

/** Computes the mean of the eigenvalues and p. They lie within 2 p of the mean. */
function spread(m: ArrayLike<number>, o: number): void {
  const xy = m[o + 3];
  const xz = m[o + 4];
  const yz = m[o + 5];
  mean = (m[o] + m[o + 1] + m[o + 2]) / 3;
  const xx = m[o] - mean;
  const yy = m[o + 1] - mean;
  const zz = m[o + 2] - mean;
  p = Math.sqrt((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
}

/** False for a multiple of the identity. */
function prepare(m: ArrayLike<number>, o: number): boolean {
  spread(m, o);
  if (!(p > 0)) return false;
  const xy = m[o + 3];
  const xz = m[o + 4];
  const yz = m[o + 5];
  const xx = m[o] - mean;
  const yy = m[o + 1] - mean;
  const zz = m[o + 2] - mean;
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  angle = acos(Math.max(-1, Math.min(1, det / (2 * p * p * p)))) / 3;
  return true;
}
