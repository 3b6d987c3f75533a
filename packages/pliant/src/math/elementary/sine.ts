import { productError, scaled, sumError } from './rounding.js';
import { inverseFactorials, polynomial } from './series.js';

/** π/2 in four parts; the first three have 33 bits, so that products with n < 2^20 are exact. The sum is π/2 to 2^-155. */
const QUARTER = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];

/** Up to this angle, 2^20 quarters, the parts above suffice. */
const NEAR = 1647099;

/** Sine of an angle in radians, of any size. */
export function sin(x: number): number {
  if (x === 0) return x;
  return ofReduced(x, 0);
}

/** Cosine of an angle in radians, of any size. */
export function cos(x: number): number {
  return ofReduced(x, 1);
}

/** sin(x + ahead·π/2) */
function ofReduced(x: number, ahead: number): number {
  if (!(Math.abs(x) < Number.POSITIVE_INFINITY)) return Number.NaN;
  const { quarters, r, rLow } = Math.abs(x) < NEAR ? reduceNear(x) : reduceFar(x);
  const turn = (quarters + ahead) & 3;
  const value = turn & 1 ? cosSeries(r, rLow) : sinSeries(r, rLow);
  return turn & 2 ? -value : value;
}

interface Reduced {
  /** Number of quarter turns subtracted, modulo 4. */
  quarters: number;
  /** The remaining angle as a pair: |r| ≤ π/4. */
  r: number;
  rLow: number;
}

/** x − n π/2. Differences of nearly equal numbers are exact; the rounding errors of the others are kept. */
function reduceNear(x: number): Reduced {
  const n = Math.round(x / 1.5707963267948966);
  if (n === 0) return { quarters: 0, r: x, rLow: 0 };
  const first = x - n * QUARTER[0];
  const second = first - n * QUARTER[1];
  const third = second - n * QUARTER[2];
  const low = sumError(first, -n * QUARTER[1], second) + sumError(second, -n * QUARTER[2], third) - n * QUARTER[3];
  const r = third + low;
  return { quarters: n & 3, r, rLow: sumError(third, low, r) };
}

/** Fraction bits of π as an integer: 2^1024 quarters times an error of 2^-1300 leaves 2^-276. */
const PI_BITS = 1300n;
let quarterTurn = 0n;

/** The same for any finite x, in integers: x and π/2 are multiples of 2^-1300, up to an error far below rounding. */
function reduceFar(x: number): Reduced {
  quarterTurn ||= piTimes(1n << PI_BITS) / 2n;
  // From 2^20 on every double is a multiple of 2^-32, from 2^53 on a whole number.
  const whole = Math.abs(x) < 9007199254740992 ? BigInt(4294967296 * x) << (PI_BITS - 32n) : BigInt(x) << PI_BITS;
  const half = quarterTurn / 2n;
  // BigInt division rounds to zero.
  const n = (whole + (x < 0 ? -half : half)) / quarterTurn;
  // 250 bits hold every remainder: none is below 2^-65.
  const rest = (whole - n * quarterTurn) >> (PI_BITS - 250n);
  const r = Number(rest);
  return { quarters: Number(n & 3n), r: scaled(r, -250), rLow: scaled(Number(rest - BigInt(r)), -250) };
}

/** π·unit: π = 16 atan(1/5) − 4 atan(1/239) (Machin 1706). The sums are too small by less than 2^10. */
function piTimes(unit: bigint): bigint {
  return 16n * atanOfInverse(5n, unit) - 4n * atanOfInverse(239n, unit);
}

/** atan(1/n)·unit */
function atanOfInverse(n: bigint, unit: bigint): bigint {
  let power = unit / n;
  let sum = power;
  for (let k = 3n; power !== 0n; k += 2n) {
    power /= -(n * n);
    sum += power / k;
  }
  return sum;
}

/** sin(r + rLow) for |r| ≤ π/4: r plus the series from −r³/3! to −r¹⁹/19!. */
function sinSeries(r: number, rLow: number): number {
  const z = r * r;
  return r + (rLow - (rLow * z) / 2 - r * z * polynomial(SINE, -z));
}

/** cos(r + rLow): 1 − r²/2 without rounding error, plus the series from r⁴/4! to r²⁰/20!. */
function cosSeries(r: number, rLow: number): number {
  const z = r * r;
  const bend = z / 2;
  const high = 1 - bend;
  const rest = z * z * polynomial(COSINE, -z);
  return high + (sumError(1, -bend, high) - productError(r, r, z) / 2 - r * rLow + rest);
}

const SINE = inverseFactorials(3, 2, 19);
const COSINE = inverseFactorials(4, 2, 20);
