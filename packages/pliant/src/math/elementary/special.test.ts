import { expect, test } from 'vitest';
import { acos, asin, atan2, cbrt, cos, exp, expm1, hypot, log, pow, sin } from '../elementary.js';

// Zeros, infinities and NaN, and numbers beside them. On these the language itself says what Math gives, to the bit.
const EXTREMES = [0, -0, Infinity, -Infinity, Number.NaN];

test.each([exp, expm1, log, sin, cos, asin, acos, cbrt])(
  '$name of zeros, infinities and NaN is that of Math',
  (own) => {
    const host = Math[own.name as 'exp'];
    for (const x of EXTREMES) expect(own(x), `${own.name}(${x})`).toBe(host(x));
  },
);

test('outside its domain a function is NaN', () => {
  expect(log(-1)).toBeNaN();
  expect(log(-Number.MIN_VALUE)).toBeNaN();
  for (const x of [1.0000000000000002, -1.0000000000000002, 2, -1e300]) {
    expect(asin(x)).toBeNaN();
    expect(acos(x)).toBeNaN();
  }
  expect(pow(-2, 0.5)).toBeNaN();
});

test('pow of zeros, infinities, NaN and ±1 is that of Math, for whole, odd and broken exponents of both signs', () => {
  const exponents = [...EXTREMES, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e300, -1e300];
  for (const x of [...EXTREMES, 1, -1]) for (const y of exponents) expect(pow(x, y), `pow(${x}, ${y})`).toBe(x ** y);
  for (const x of [2, -2, 0.5, -0.5, 1e300, -1e300])
    for (const y of EXTREMES) expect(pow(x, y), `pow(${x}, ${y})`).toBe(x ** y);
  expect([pow(-2, 3), pow(-2, 4), pow(-2, -1)]).toEqual([-8, 16, -0.5]);
  expect([pow(10, 400), pow(10, -400), pow(-10, 401)]).toEqual([Infinity, 0, -Infinity]);
});

test('atan2 tells the quadrants apart, and zeros by their sign, as Math does', () => {
  const values = [...EXTREMES, 1, -1];
  for (const y of values) for (const x of values) expect(atan2(y, x), `atan2(${y}, ${x})`).toBe(Math.atan2(y, x));
});

test('hypot is infinite where an argument is, NaN where one is NaN, never negative', () => {
  for (const args of [
    [0, 0],
    [-0, -0],
    [Infinity, Number.NaN],
    [Number.NaN, -Infinity],
    [Number.NaN, 1],
    [-3, 0],
  ])
    expect(hypot(args[0], args[1])).toBe(Math.hypot(...args));
  expect(hypot(1e308, 1e308)).toBe(Math.SQRT2 * 1e308);
  expect(hypot(1.7e308, 1.7e308)).toBe(Infinity);
  expect(hypot(5e-324, 0, 0)).toBe(5e-324);
});

test('what has an exact result gets it', () => {
  expect([exp(0), exp(-0), log(1), cos(0), acos(1), asin(1)]).toEqual([1, 1, 0, 1, 0, Math.PI / 2]);
  expect(acos(-1)).toBe(Math.PI);
  for (let n = -400; n <= 400; n++) {
    expect(cbrt(n * n * n), `${n}³`).toBe(n);
    expect(hypot(3 * n, 4 * n)).toBe(5 * Math.abs(n));
    expect(hypot(2 * n, 3 * n, 6 * n)).toBe(7 * Math.abs(n));
    expect(hypot(n, n, n, n)).toBe(2 * Math.abs(n));
  }
  for (let n = -1074; n <= 1023; n++) expect(pow(2, n), `2^${n}`).toBe(2 ** n);
  for (let base = 2; base <= 30; base++) {
    let power = 1;
    for (let n = 0; power <= Number.MAX_SAFE_INTEGER; n++, power *= base) expect(pow(base, n)).toBe(power);
  }
  for (let n = 1; n < 200; n++) expect(pow(n * n, 0.5)).toBe(n);
});

test('sin and cos of huge angles do not fail', () => {
  expect(sin(1e22)).toBeCloseTo(-0.8522008497671888, 15);
  expect(cos(Number.MAX_VALUE) ** 2 + sin(Number.MAX_VALUE) ** 2).toBeCloseTo(1, 15);
});
