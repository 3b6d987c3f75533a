import { expOfPair } from './exp.js';
import { logPair } from './log.js';
import { productError } from './rounding.js';

/** Twice the exponent at which e^x overflows: beyond it the result certainly overflows or underflows. */
const BEYOND = 1500;

/** x^y = e^(y ln x), exact if the result is a number of 53 bits. Zeros, infinities and NaN as `Math.pow`. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (!(Math.abs(x) > 0 && Math.abs(x) < Number.POSITIVE_INFINITY && Math.abs(y) < Number.POSITIVE_INFINITY))
    return powOfExtremes(x, y);
  if (x < 0) {
    if (Math.floor(y) !== y) return Number.NaN;
    return isOdd(y) ? -pow(-x, y) : pow(-x, y);
  }
  if (x === 1) return 1;
  const { high, low } = logPair(x);
  const exponent = y * high;
  if (exponent > BEYOND) return Number.POSITIVE_INFINITY;
  if (exponent < -BEYOND) return 0;
  // For smaller exponents e^exponent is 1, and the error of the product would be subnormal.
  if (Math.abs(exponent) < 1e-40) return 1;
  return expOfPair(exponent, productError(y, high, exponent) + y * low);
}

/** If one of the two is 0, infinite or NaN; y is not 0. */
function powOfExtremes(x: number, y: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (size === 1) return Number.NaN;
    return size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  const result = (size === 0) === y > 0 ? 0 : Number.POSITIVE_INFINITY;
  const negative = x < 0 || Object.is(x, -0);
  return negative && isOdd(y) ? -result : result;
}

const isOdd = (y: number) => Math.abs(y % 2) === 1;
