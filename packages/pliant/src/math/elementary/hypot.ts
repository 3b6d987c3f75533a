import { exponentOf, productError, scaled, sumError } from './rounding.js';

/** For a largest argument between these no square overflows, and a square that is subnormal is negligible. */
const LARGE = 1e150;
const SMALL = 1e-120;

/** √(x² + y² + z² + w²), also where the squares would overflow or vanish. */
export function hypot(x: number, y: number, z = 0, w = 0): number {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  if (largest < LARGE && largest > SMALL) return root(x, y, z, w);
  return rootOfExtremes(x, y, z, w, largest);
}

/** The sum of the squares as a pair, then one step of Newton's iteration from the root of its high part. */
function root(x: number, y: number, z: number, w: number): number {
  const xx = x * x;
  const yy = y * y;
  const zz = z * z;
  const ww = w * w;
  const xy = xx + yy;
  const zw = zz + ww;
  const sum = xy + zw;
  const errors = sumError(xx, yy, xy) + sumError(zz, ww, zw) + sumError(xy, zw, sum);
  const low =
    errors + (productError(x, x, xx) + productError(y, y, yy) + (productError(z, z, zz) + productError(w, w, ww)));
  const r = Math.sqrt(sum);
  const back = r * r;
  return r + (sum - back - productError(r, r, back) + low) / (2 * r);
}

function rootOfExtremes(x: number, y: number, z: number, w: number, largest: number): number {
  for (const value of [x, y, z, w]) if (Math.abs(value) === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (Number.isNaN(largest) || largest === 0) return largest;
  const k = exponentOf(largest);
  // Values that are negligible beside the largest may become 0.
  const near = (value: number) => scaled(value, -k);
  return scaled(root(near(x), near(y), near(z), near(w)), k);
}
