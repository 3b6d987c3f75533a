import { powerOfTwo, productError, scaled, sumError } from './rounding.js';
import { inverseFactorials, polynomial } from './series.js';

/** ln 2 = LN2 + LN2_LOW. LN2 has 42 bits, so that k·LN2 is exact for |k| < 2^11. */
export const LN2 = 0.6931471805598903;
export const LN2_LOW = 5.497923018708371e-14;

/** Above OVERFLOW e^x overflows. Below UNDERFLOW it is less than half of the smallest number. */
const OVERFLOW = 709.8;
const UNDERFLOW = -745.2;

/** e^x */
export function exp(x: number): number {
  return expOfPair(x, 0);
}

/** e^(x + xLow) for a pair: pow needs its exponent more exactly than one number holds it. */
export function expOfPair(x: number, xLow: number): number {
  if (x > OVERFLOW) return Number.POSITIVE_INFINITY;
  if (x < UNDERFLOW) return 0;
  if (Number.isNaN(x)) return Number.NaN;
  const { k, high, low } = reduce(x, xLow);
  const one = 1 + high;
  return scaled(one + (sumError(1, high, one) + low), k);
}

/** e^x − 1, also where e^x is near 1. */
export function expm1(x: number): number {
  if (x > OVERFLOW) return Number.POSITIVE_INFINITY;
  if (x < -40) return -1;
  // Zeros keep their sign.
  if (x === 0 || Number.isNaN(x)) return x;
  const { k, high, low } = reduce(x, 0);
  if (k === 0) return high + low;
  const one = 1 + high;
  const oneLow = sumError(1, high, one) + low;
  // Beside 2^60 the 1 is below rounding, and powerOfTwo cannot return 2^1024.
  if (k > 60) return scaled(one + oneLow, k);
  const power = powerOfTwo(k);
  const result = power * one - 1;
  return result + (sumError(power * one, -1, result) + power * oneLow);
}

/** e^(x + xLow) = 2^k (1 + high + low), with |high| ≤ 0.42. */
function reduce(x: number, xLow: number): { k: number; high: number; low: number } {
  // x + xLow = k ln 2 + r + rLow with |r| ≤ ln 2 / 2.
  const k = Math.round(x / LN2);
  const near = x - k * LN2;
  const nearLow = xLow - k * LN2_LOW;
  const r = near + nearLow;
  const rLow = sumError(near, nearLow, r);
  // e^r − 1 = r + r²/2 + r³/3! + … to r¹⁵/15!. The first two terms are summed without rounding error; the terms left
  // out are below 2^-64 of the sum.
  const square = r * r;
  const high = r + square / 2;
  const squareLow = sumError(r, square / 2, high) + productError(r, r, square) / 2;
  return { k, high, low: squareLow + (rLow + rLow * r) + square * r * polynomial(FACTORS, r) };
}

const FACTORS = inverseFactorials(3, 1, 15);
