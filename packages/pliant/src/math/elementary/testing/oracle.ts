/**
 * Elementary functions to hundreds of bits in integers: the reference for the functions in doubles. A `Fixed` f with
 * `bits` stands for f / 2^bits. Every function uses so many bits that its result has 250 after the first.
 */

/** mantissa · 2^exponent */
export interface Exact {
  mantissa: bigint;
  exponent: number;
}

const SPARE = 250;

export function exactly(x: number): Exact {
  if (x === 0) return { mantissa: 0n, exponent: 0 };
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const all = view.getBigUint64(0);
  const biased = Number((all >> 52n) & 0x7ffn);
  const fraction = all & ((1n << 52n) - 1n);
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: (biased === 0 ? 1 : biased) - 1075 };
}

/** How far a double is from the exact value, in units of the last place of a double of that size. */
export function ulpsOff(got: number, { mantissa, exponent }: Exact): number {
  const size = exponent + bitLength(mantissa) - 1;
  if (!Number.isFinite(got))
    return size >= 1024 || (size === 1023 && topBits(mantissa, 54) >= 2n ** 54n - 1n) ? 0 : Infinity;
  const ulp = Math.max(size - 52, -1074);
  const mine = exactly(got);
  // Both as multiples of the finer unit, and the difference to 2^-40 ulp.
  const unit = Math.min(exponent, mine.exponent, ulp - 40);
  const off = (mantissa << BigInt(exponent - unit)) - (mine.mantissa << BigInt(mine.exponent - unit));
  return Number(abs(off) >> BigInt(ulp - 40 - unit)) / 2 ** 40;
}

export function exactExp(x: number): Exact {
  const bits = SPARE + 60;
  return expOf(fixed(x, bits), bits);
}

/** For |x| ≤ 700. */
export function exactExpm1(x: number): Exact {
  const bits = SPARE + 60 + Math.max(0, -sizeOf(x));
  // By the series where x is small, else e^x − 1 with enough extra bits.
  if (Math.abs(x) < 0.5) return { mantissa: expSeries(fixed(x, bits), bits) - (1n << BigInt(bits)), exponent: -bits };
  const { mantissa, exponent } = expOf(fixed(x, bits + 1100), bits + 1100);
  return { mantissa: mantissa - (1n << BigInt(-exponent)), exponent };
}

export function exactLog(x: number): Exact {
  const bits = SPARE + 120;
  return { mantissa: logOf(x, bits), exponent: -bits };
}

/** For x > 0. */
export function exactPow(x: number, y: number): Exact {
  const bits = SPARE + 400;
  const { mantissa, exponent } = exactly(y);
  return expOf(shift(mantissa * logOf(x, bits), exponent), bits);
}

export function exactSin(x: number): Exact {
  return sinOf(x, 0n);
}

export function exactCos(x: number): Exact {
  return sinOf(x, 1n);
}

/** For y ≠ 0 or x > 0. */
export function exactAtan2(y: number, x: number): Exact {
  const bits = SPARE + 100 + Math.min(2200, Math.max(0, sizeOf(x) - sizeOf(y)));
  const [above, beside] = [fixed(Math.abs(y), 1074), fixed(Math.abs(x), 1074)];
  const small = above <= beside;
  const ratio = small ? (above << BigInt(bits)) / beside : (beside << BigInt(bits)) / above;
  let angle = atanOf(ratio, bits);
  if (!small) angle = piOf(bits) / 2n - angle;
  if (x < 0) angle = piOf(bits) - angle;
  return { mantissa: y < 0 ? -angle : angle, exponent: -bits };
}

/** asin x and acos x as angles of (√(1 − x²), x) and (x, √(1 − x²)). */
export function exactAsin(x: number): Exact {
  const bits = SPARE + 120 + Math.max(0, -sizeOf(x));
  const own = fixed(Math.abs(x), bits);
  const other = rootOf((1n << BigInt(2 * bits)) - own * own);
  const angle =
    own <= other
      ? atanOf((own << BigInt(bits)) / other, bits)
      : piOf(bits) / 2n - atanOf((other << BigInt(bits)) / own, bits);
  return { mantissa: x < 0 ? -angle : angle, exponent: -bits };
}

export function exactAcos(x: number): Exact {
  const { mantissa, exponent } = exactAsin(x);
  return { mantissa: piOf(-exponent) / 2n - mantissa, exponent };
}

export function exactCbrt(x: number): Exact {
  const { mantissa, exponent } = exactly(x);
  const bits = 3 * SPARE + (((exponent % 3) + 3) % 3);
  const cube = abs(mantissa) << BigInt(bits);
  let r = 1n << BigInt(Math.ceil(bitLength(cube) / 3));
  for (;;) {
    const next = (2n * r + cube / (r * r)) / 3n;
    if (next >= r) break;
    r = next;
  }
  return { mantissa: x < 0 ? -r : r, exponent: (exponent - bits) / 3 };
}

export function exactHypot(...values: number[]): Exact {
  const bits = 1074 + SPARE;
  const sum = values.reduce((sum, value) => sum + fixed(value, bits) ** 2n, 0n);
  return { mantissa: rootOf(sum), exponent: -bits };
}

// ── integers ────────────────────────────────────────────────────────────────────────────────────────────────────────

const abs = (n: bigint) => (n < 0n ? -n : n);
const bitLength = (n: bigint) => abs(n).toString(2).length;
const topBits = (n: bigint, count: number) => abs(n) >> BigInt(Math.max(0, bitLength(n) - count));
const shift = (n: bigint, by: number) => (by >= 0 ? n << BigInt(by) : n >> BigInt(-by));
/** The k with 2^k ≤ |x| < 2^(k+1). */
const sizeOf = (x: number) => (x === 0 ? 0 : exactly(x).exponent + bitLength(exactly(x).mantissa) - 1);

/** x·2^bits, rounded down. */
function fixed(x: number, bits: number): bigint {
  const { mantissa, exponent } = exactly(x);
  return shift(mantissa, exponent + bits);
}

function rootOf(n: bigint): bigint {
  if (n === 0n) return 0n;
  let r = 1n << BigInt(Math.ceil(bitLength(n) / 2));
  for (;;) {
    const next = (r + n / r) >> 1n;
    if (next >= r) return r;
    r = next;
  }
}

/** e^(x/2^bits) */
function expOf(x: bigint, bits: number): Exact {
  const ln2 = ln2Of(bits);
  const k = x / ln2;
  return { mantissa: expSeries(x - k * ln2, bits), exponent: Number(k) - bits };
}

/** For |x| < 1: eight halvings, the series, eight squarings, with extra bits for their rounding errors. */
function expSeries(x: bigint, bits: number): bigint {
  const wide = BigInt(bits + 40);
  const r = (x << 40n) >> 8n;
  let term = 1n << wide;
  let sum = term;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = ((term * r) >> wide) / n;
    sum += term;
  }
  for (let n = 0; n < 8; n++) sum = (sum * sum) >> wide;
  return sum >> 40n;
}

/** ln x · 2^bits: k ln 2 + 2 artanh((m − 1)/(m + 1)) */
function logOf(x: number, bits: number): bigint {
  const k = sizeOf(x) + (x / 2 ** sizeOf(x) > 1.4 ? 1 : 0);
  const { mantissa, exponent } = exactly(x);
  const m = shift(mantissa, exponent - k + bits);
  const one = 1n << BigInt(bits);
  return BigInt(k) * ln2Of(bits) + 2n * artanhOf(((m - one) << BigInt(bits)) / (m + one), bits);
}

function artanhOf(t: bigint, bits: number): bigint {
  return oddSeries(t, (t * t) >> BigInt(bits), bits);
}

/** t + t z/3 + t z²/5 + … */
function oddSeries(t: bigint, z: bigint, bits: number): bigint {
  let [power, sum] = [t, t];
  for (let n = 3n; power !== 0n && power !== -1n; n += 2n) {
    power = (power * z) >> BigInt(bits);
    sum += power / n;
  }
  return sum;
}

/** Six half-angle steps t ← t/(1 + √(1 + t²)), then the series. */
function atanOf(t: bigint, bits: number): bigint {
  const wide = bits + 40;
  const one = 1n << BigInt(wide);
  let r = t << 40n;
  for (let n = 0; n < 6; n++) r = (r << BigInt(wide)) / (one + rootOf(one * one + r * r));
  return oddSeries(r, -((r * r) >> BigInt(wide)), wide) >> 34n;
}

/** sin(x + ahead·π/2) */
function sinOf(x: number, ahead: bigint): Exact {
  const bits = SPARE + 100 + Math.max(0, -sizeOf(x));
  const far = bits + 1100;
  const quarter = piOf(far) / 2n;
  const whole = fixed(x, far);
  let n = whole / quarter;
  if (whole < n * quarter) n--;
  const r = (whole - n * quarter) >> 1100n;
  const turn = (n + ahead) & 3n;
  // Series in r², from 1 or from r.
  const z = (r * r) >> BigInt(bits);
  let term = turn & 1n ? 1n << BigInt(bits) : r;
  let sum = term;
  for (let k = turn & 1n ? 1n : 2n; term !== 0n && term !== -1n; k += 2n) {
    term = -(((term * z) >> BigInt(bits)) / (k * (k + 1n)));
    sum += term;
  }
  return { mantissa: turn & 2n ? -sum : sum, exponent: -bits };
}

const constants = new Map<string, bigint>();
function once(name: string, bits: number, make: () => bigint): bigint {
  const key = `${name} ${bits}`;
  if (!constants.has(key)) constants.set(key, make());
  return constants.get(key)!;
}

const ln2Of = (bits: number) =>
  once('ln 2', bits, () => (2n * artanhOf((1n << BigInt(bits + 20)) / 3n, bits + 20)) >> 20n);

/** π = 24 atan(1/8) + 8 atan(1/57) + 4 atan(1/239) (Størmer 1896): another formula than the one under test. */
const piOf = (bits: number) =>
  once('π', bits, () => {
    const one = 1n << BigInt(bits + 20);
    const atanInverse = (n: bigint) => oddSeries(one / n, -(one / (n * n)), bits + 20);
    return (24n * atanInverse(8n) + 8n * atanInverse(57n) + 4n * atanInverse(239n)) >> 20n;
  });
