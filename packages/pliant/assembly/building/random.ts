// Random numbers as in src/math/random.ts, bit for bit.

/** A step of the random numbers, which are whole numbers of it. */
export const UNIT: f64 = 1.0 / 4294967296.0;

export let a: i32 = 0, b: i32 = 0, c: i32 = 0, d: i32 = 0;

export function seedRandom(seed: f64): void {
  const pattern = reinterpret<i64>(seed);
  a = <i32>pattern;
  b = <i32>(pattern >> 32);
  c = 0x9e3779b9;
  d = 1;
  for (let k = 0; k < 12; k++) next();
}

export function next(): f64 {
  const t = a + b + d;
  d++;
  a = b ^ (b >>> 9);
  b = c + (c << 3);
  c = rotl(c, 21) + t;
  return <f64>(<u32>t) * UNIT;
}

/** Goes on from a state that a caller kept in registers. */
// @ts-ignore: decorator
@inline export function setRandom(p: i32, q: i32, r: i32, s: i32): void {
  a = p;
  b = q;
  c = r;
  d = s;
}
