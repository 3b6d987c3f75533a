/**
 * Elementary functions whose results are the same bits on every machine (SPEC Q1). The host's own `Math.pow`, `**`, `Math.exp` and
 * the like may differ between engines in the last bit; IEEE arithmetic and `Math.sqrt` may not.
 */

/** x² */
export const squared = (x: number): number => x * x;

/** x³ */
export const cubed = (x: number): number => x * x * x;
