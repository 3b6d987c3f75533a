import { LN2, LN2_LOW } from './exp.js';
import { exponentOf, productError, scaled, sumError } from './rounding.js';
import { polynomial } from './series.js';

/** The differences of 1/3 and 1/5 from their doubles. */
const THIRD_LOW = 1.850371707708594e-17;
const FIFTH_LOW = -1.1102230246251566e-17;

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const { high, low } = logPair(x);
  return high + low;
}

/**
 * ln x as a pair, to about 2^-68 of itself, for finite x > 0. x = 2^k m with m from √½ to √2, and
 * ln m = 2 artanh t = 2 (t + t³/3 + t⁵/5 + …) with t = (m − 1)/(m + 1), |t| < 0.172.
 */
export function logPair(x: number): { high: number; low: number } {
  let k = exponentOf(x);
  let m = scaled(x, -k);
  if (m > Math.SQRT2) {
    m /= 2;
    k++;
  }
  // t + tLow: m − 1 is exact, m + 1 is not.
  const above = m - 1;
  const below = m + 1;
  const t = above / below;
  const product = t * below;
  const tLow = (above - product - productError(t, below, product) - t * sumError(m, 1, below)) / below;
  // s + sLow = t²
  const s = t * t;
  const sLow = productError(t, t, s) + 2 * t * tLow;
  // ln m / 2t = 1 + s/3 + s²/5 + s³/7 + …. The rounding errors of the first two of these terms are kept; those of the
  // others are negligible.
  const fifth = s * 0.2;
  const fifthLow = productError(s, 0.2, fifth) + s * FIFTH_LOW + sLow * 0.2 + s * s * polynomial(SEVENTHS, s);
  const inner = 1 / 3 + fifth;
  const innerLow = sumError(1 / 3, fifth, inner) + fifthLow + THIRD_LOW;
  const third = s * inner;
  const thirdLow = productError(s, inner, third) + s * innerLow + sLow * inner;
  // 2t · third, then 2t + that.
  const bend = 2 * t * third;
  const bendLow = productError(2 * t, third, bend) + 2 * t * thirdLow + 2 * tLow * third;
  const logM = 2 * t + bend;
  const logMLow = sumError(2 * t, bend, logM) + bendLow + 2 * tLow;
  if (k === 0) return pair(logM, logMLow);
  const whole = k * LN2;
  const sum = whole + logM;
  return pair(sum, sumError(whole, logM, sum) + (logMLow + k * LN2_LOW));
}

/** s³/7 + s⁴/9 + … to s¹⁵/31, over s³, for s < 0.03. */
const SEVENTHS = [1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15, 1 / 17, 1 / 19, 1 / 21, 1 / 23, 1 / 25, 1 / 27, 1 / 29, 1 / 31];

function pair(a: number, b: number): { high: number; low: number } {
  const high = a + b;
  return { high, low: sumError(a, b, high) };
}
