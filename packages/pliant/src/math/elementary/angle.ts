import { exponentOf, productError, scaled, sumError } from './rounding.js';
import { polynomial } from './series.js';

const PI = Math.PI;
const PI_LOW = 1.2246467991473532e-16;

/** atan(j/8) for j from 0 to 8 as pairs. */
const ATAN = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];
const ATAN_LOW = [
  0, -3.1253241424539383e-18, 1.0698755618734451e-17, -2.4623815582638635e-17, 2.2698777452961687e-17,
  -5.4556305485916264e-18, 1.5834785051444286e-17, -2.1478388444456983e-17, 3.061616997868383e-17,
];

/** Coefficients of u³/3 − u⁵/5 + … − u¹⁷/17. */
const THIRDS = [1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15, 1 / 17];

/** The angle of the point (x, y), from −π to π. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const angle = angleAbove(Math.abs(y), x);
  return y < 0 || Object.is(y, -0) ? -angle : angle;
}

/** The angle whose sine is x, from −π/2 to π/2. */
export function asin(x: number): number {
  const size = Math.abs(x);
  if (!(size <= 1)) return Number.NaN;
  // x³/6 is below rounding. Zeros keep their sign.
  if (size < 1e-9) return x;
  const { root, rootLow } = cosineOf(x);
  const angle = angleOfPairs(size, 0, root, rootLow);
  return x < 0 ? -angle : angle;
}

/** The angle whose cosine is x, from 0 to π. */
export function acos(x: number): number {
  if (!(Math.abs(x) <= 1)) return Number.NaN;
  const { root, rootLow } = cosineOf(x);
  return angleOfPairs(root, rootLow, x, 0);
}

/** √(1 − x²) as a pair, for |x| ≤ 1: one step of Newton's iteration from the rounded root. */
function cosineOf(x: number): { root: number; rootLow: number } {
  const square = x * x;
  const rest = 1 - square;
  const restLow = sumError(1, -square, rest) - productError(x, x, square);
  const near = Math.sqrt(rest);
  if (near === 0) return { root: 0, rootLow: 0 };
  const back = near * near;
  const missing = (rest - back - productError(near, near, back) + restLow) / (2 * near);
  const root = near + missing;
  return { root, rootLow: sumError(near, missing, root) };
}

/** The angle of (x, y) with y ≥ 0, from 0 to π. */
function angleAbove(y: number, x: number): number {
  const size = Math.abs(x);
  if (y === 0) return x < 0 || Object.is(x, -0) ? PI : 0;
  if (y === Number.POSITIVE_INFINITY) {
    const diagonal = x > 0 ? PI / 4 : 2.356194490192345;
    return size === Number.POSITIVE_INFINITY ? diagonal : PI / 2;
  }
  if (size === Number.POSITIVE_INFINITY) return x > 0 ? 0 : PI;
  if (size === 0) return PI / 2;
  const apart = exponentOf(y) - exponentOf(x);
  if (apart > 60) return PI / 2;
  // tan t = t for such an angle. The quotient may be subnormal: it is rounded once.
  if (apart < -60) return x > 0 ? y / x : PI;
  const k = -exponentOf(Math.max(size, y));
  return angleOfPairs(scaled(y, k), 0, scaled(x, k), 0);
}

/** The same for pairs y ≥ 0 and x, the larger of which is near 1. */
function angleOfPairs(y: number, yLow: number, x: number, xLow: number): number {
  const sign = x < 0 ? -1 : 1;
  const size = sign * x;
  const sizeLow = sign * xLow;
  const { angle, low } = y <= size ? eighthTurn(y, yLow, size, sizeLow) : eighthTurn(size, sizeLow, y, yLow);
  if (y <= size) return sign > 0 ? angle + low : away(PI, PI_LOW, -angle, -low);
  return away(PI / 2, PI_LOW / 2, -sign * angle, -sign * low);
}

/** base + angle, for pairs. */
function away(base: number, baseLow: number, angle: number, low: number): number {
  const sum = base + angle;
  return sum + (sumError(base, angle, sum) + (baseLow + low));
}

/**
 * atan(y/x) for 0 ≤ y ≤ x of pairs, as a pair. With t = y/x and j/8 the nearest eighth, atan t = atan(j/8) + atan u, where
 * u = (t − j/8) / (1 + t j/8) = (8y − jx) / (8x + jy) is at most 1/16.
 */
function eighthTurn(y: number, yLow: number, x: number, xLow: number): { angle: number; low: number } {
  const j = Math.round((8 * y) / x);
  const jx = j * x;
  const jy = j * y;
  const above = 8 * y - jx;
  const aboveLow = sumError(8 * y, -jx, above) - productError(j, x, jx) + (8 * yLow - j * xLow);
  const below = 8 * x + jy;
  const belowLow = sumError(8 * x, jy, below) + productError(j, y, jy) + (8 * xLow + j * yLow);
  const u = above / below;
  const product = u * below;
  const uLow = (above - product - productError(u, below, product) + aboveLow - u * belowLow) / below;
  // atan u = u − u³/3 + u⁵/5 − …; the first term left out, u¹⁹/19, is below 2^-76 u.
  const z = u * u;
  const bend = uLow - u * z * polynomial(THIRDS, -z);
  if (j === 0) return { angle: u, low: bend };
  const angle = ATAN[j] + u;
  return { angle, low: sumError(ATAN[j], u, angle) + (bend + ATAN_LOW[j]) };
}
