// Roots by exactly rounded operations alone, with the same bits as src/math/power.ts and src/math/elementary/cbrt.ts,
// which explain the method.

const SQRT_HALF: f64 = 0.7071067811865476;
const LN2: f64 = 0.6931471805599453;

/** x^γ for x > 0 and γ from 0 to 1. */
export function power(x: f64, gamma: f64): f64 {
  let k: f64 = 0;
  let m = x;
  for (; m < SQRT_HALF; m *= 2) k -= 1;
  for (; m >= 2 * SQRT_HALF; m /= 2) k += 1;
  const t = (m - 1) / (m + 1);
  const tt = t * t;
  let log = 1.0 / 15.0;
  log = log * tt + 1.0 / 13.0;
  log = log * tt + 1.0 / 11.0;
  log = log * tt + 1.0 / 9.0;
  log = log * tt + 1.0 / 7.0;
  log = log * tt + 1.0 / 5.0;
  log = log * tt + 1.0 / 3.0;
  log = 2 * t * (log * tt + 1);
  const exponent = gamma * (k * LN2 + log);
  const whole = floor(exponent / LN2 + 0.5);
  const r = exponent - whole * LN2;
  let result = 1.0 / 3628800.0;
  result = result * r + 1.0 / 362880.0;
  result = result * r + 1.0 / 40320.0;
  result = result * r + 1.0 / 5040.0;
  result = result * r + 1.0 / 720.0;
  result = result * r + 1.0 / 120.0;
  result = result * r + 1.0 / 24.0;
  result = result * r + 1.0 / 6.0;
  result = result * r + 0.5;
  result = (result * r + 1) * r + 1;
  for (let n = whole; n < 0; n++) result /= 2;
  for (let n = whole; n > 0; n--) result *= 2;
  return result;
}

/** ∛x. */
export function cbrt(x: f64): f64 {
  if (x < 0) return -cbrt(-x);
  if (!(x > 0 && x < Infinity)) return x;
  let scale: f64 = 1;
  let m = x;
  for (; m < 1; m *= 8) scale /= 2;
  for (; m >= 8; m /= 8) scale *= 2;
  let r: f64 = 1.5;
  for (let k = 0; k < 6; k++) r = (2 * r + m / (r * r)) / 3;
  const square = r * r;
  const squareLow = productError(r, r, square);
  const cube = square * r;
  const cubeLow = productError(square, r, cube) + squareLow * r;
  return scale * (r - (cube - m + cubeLow) / (3 * square));
}

/** a·b − product, exactly. */
function productError(a: f64, b: f64, product: f64): f64 {
  const aTop = top(a);
  const bTop = top(b);
  const aRest = a - aTop;
  const bRest = b - bTop;
  return aTop * bTop - product + aTop * bRest + aRest * bTop + aRest * bRest;
}

function top(x: f64): f64 {
  const spread = 134217729 * x;
  return spread - (spread - x);
}
