/**
 * Elementary functions whose results are the same bits on every machine (SPEC Q1). The host's own `Math.exp`,
 * `Math.pow`, `**`, `Math.sin`, `Math.hypot` and the like may differ between engines in the last bit. The functions
 * here use only operations that IEEE 754 rounds alike everywhere: + − × ÷, `Math.sqrt`, `Math.abs`, `Math.floor` and
 * `Math.round`. Each is within 1 ulp of the true value for every finite argument (elementary/accuracy.long.test.ts).
 * Each treats zeros, infinities and NaN as its namesake in `Math` does.
 *
 * tests/hostMath.test.ts refuses the host's functions elsewhere in the engine and the scene package.
 *
 * @module
 */

export { acos, asin, atan2 } from './elementary/angle.js';
export { cbrt } from './elementary/cbrt.js';
export { exp, expm1 } from './elementary/exp.js';
export { hypot } from './elementary/hypot.js';
export { log } from './elementary/log.js';
export { pow } from './elementary/pow.js';
export { cos, sin } from './elementary/sine.js';

/** x² */
export const squared = (x: number): number => x * x;

/** x³ */
export const cubed = (x: number): number => x * x * x;
