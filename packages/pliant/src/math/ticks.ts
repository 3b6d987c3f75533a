/**
 * Number of multiples of `period` in [0, time), both in seconds. A stage that has something to do every so often does it in the step from a to b if ticks(a) ≠ ticks(b). That needs no state, and is right where
 * the time step changes. Times are sums of steps: the tolerance is for their rounding.
 */
export const ticks = (time: number, period: number): number => Math.ceil(time / period - TOLERANCE);
const TOLERANCE = 1e-6;
