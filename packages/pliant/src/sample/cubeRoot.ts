/**
 * Cube root by Newton's iteration. Math.cbrt may differ in the last bit between engines, and a
 * spacing that differs in one bit gives another sampling; this uses exactly rounded operations alone.
 * Of 0, the infinities and NaN it is themselves, as by Math.cbrt: the loops below would not end.
 */
export function cubeRoot(x: number): number {
  if (x < 0) return -cubeRoot(-x);
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x;
  let scale = 1;
  let m = x;
  for (; m < 1; m *= 8) scale /= 2;
  for (; m >= 8; m /= 8) scale *= 2;
  // From 1.5 the error on [1, 8) falls below 1e-16 in six steps: 0.5, 0.11, 7e-3, 2e-5, 4e-10, 0.
  let r = 1.5;
  for (let k = 0; k < 6; k++) r = (2 * r + m / (r * r)) / 3;
  return scale * r;
}
