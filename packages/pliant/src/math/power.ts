/**
 * x^γ for x > 0 and γ from 0 to 1, as e^(γ ln x). Math.pow may differ in the last bits between engines, and a body that
 * flowed with other bits moves differently from then on. This function uses exactly rounded operations only and gives
 * the same bits as the kernels' assembly/power.ts. The relative error is below 1e-12; for x near 1 it is near rounding.
 */
export function power(x: number, gamma: number): number {
  // x = 2^k m with m in [1/√2, √2).
  let k = 0;
  let m = x;
  for (; m < SQRT_HALF; m *= 2) k--;
  for (; m >= 2 * SQRT_HALF; m /= 2) k++;
  // ln m = 2 artanh t = 2 (t + t³/3 + t⁵/5 + …); |t| < 0.172, and the first term left out is below 3e-14 of the whole.
  const t = (m - 1) / (m + 1);
  const tt = t * t;
  let log = 1 / 15;
  log = log * tt + 1 / 13;
  log = log * tt + 1 / 11;
  log = log * tt + 1 / 9;
  log = log * tt + 1 / 7;
  log = log * tt + 1 / 5;
  log = log * tt + 1 / 3;
  log = 2 * t * (log * tt + 1);
  // γ ln x = whole · ln 2 + r with |r| < 0.35; the first term left out of e^r is below 3e-13.
  const exponent = gamma * (k * LN2 + log);
  const whole = Math.floor(exponent / LN2 + 0.5);
  const r = exponent - whole * LN2;
  let result = 1 / 3628800;
  result = result * r + 1 / 362880;
  result = result * r + 1 / 40320;
  result = result * r + 1 / 5040;
  result = result * r + 1 / 720;
  result = result * r + 1 / 120;
  result = result * r + 1 / 24;
  result = result * r + 1 / 6;
  result = result * r + 0.5;
  result = (result * r + 1) * r + 1;
  for (let n = whole; n < 0; n++) result /= 2;
  for (let n = whole; n > 0; n--) result *= 2;
  return result;
}

const SQRT_HALF = Math.SQRT1_2;
const LN2 = Math.LN2;
