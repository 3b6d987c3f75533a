/**
 * Rounding errors as numbers (Dekker 1971, Knuth TAOCP 4.2.2). A pair (high, low) with |low| ≤ ulp(high)/2 carries
 * about 106 bits. Names that end in `Low` are the second number of such a pair.
 */

/** a + b − sum, exactly, for sum = a + b rounded. */
export function sumError(a: number, b: number, sum: number): number {
  const bSeen = sum - a;
  return a - (sum - bSeen) + (b - bSeen);
}

/** a·b − product, exactly, for product = a·b rounded. |a|, |b| < 2^995, and |a·b| > 2^-968 or 0. */
export function productError(a: number, b: number, product: number): number {
  const aTop = top(a);
  const bTop = top(b);
  const aRest = a - aTop;
  const bRest = b - bTop;
  return aTop * bTop - product + aTop * bRest + aRest * bTop + aRest * bRest;
}

/** The upper 26 bits of a number; the lower ones fit in 26 too (Veltkamp 1968). */
function top(x: number): number {
  const spread = 134217729 * x;
  return spread - (spread - x);
}

const bits = new DataView(new ArrayBuffer(8));

/** 2^k for −1022 ≤ k ≤ 1023. */
export function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** The k with 2^k ≤ |x| < 2^(k+1), for finite x ≠ 0. */
export function exponentOf(x: number): number {
  bits.setFloat64(0, x);
  const k = (bits.getUint32(0) >>> 20) & 0x7ff;
  // Subnormal numbers have no exponent of their own: 2^54 x is normal.
  return k > 0 ? k - 1023 : exponentOf(18014398509481984 * x) - 54;
}

/** x·2^k for |k| ≤ 2000, rounded once, if x is within 2^±60 of 1 or of 2^−k. */
export function scaled(x: number, k: number): number {
  const half = k >> 1;
  return x * powerOfTwo(half) * powerOfTwo(k - half);
}
