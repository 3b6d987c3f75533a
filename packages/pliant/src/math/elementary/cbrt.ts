import { productError } from './rounding.js';

/**
 * Cube root, with the same bits as the kernels' assembly/power.ts. 0, the infinities and NaN are returned unchanged:
 * the loops below would not end.
 */
export function cbrt(x: number): number {
  if (x < 0) return -cbrt(-x);
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x;
  let scale = 1;
  let m = x;
  for (; m < 1; m *= 8) scale /= 2;
  for (; m >= 8; m /= 8) scale *= 2;
  // From 1.5 the error on [1, 8) falls to rounding in six steps of Newton's iteration: 0.5, 0.11, 7e-3, 2e-5, 4e-10, 1e-16.
  let r = 1.5;
  for (let k = 0; k < 6; k++) r = (2 * r + m / (r * r)) / 3;
  // One more step with r³ − m computed without rounding error: r² = square + squareLow, r³ = cube + cubeLow.
  const square = r * r;
  const squareLow = productError(r, r, square);
  const cube = square * r;
  const cubeLow = productError(square, r, cube) + squareLow * r;
  return scale * (r - (cube - m + cubeLow) / (3 * square));
}
