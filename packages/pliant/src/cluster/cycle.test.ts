import { describe, expect, it } from 'vitest';
import { watchCycles } from './cycle.js';

/** Feeds states until a cycle is seen; returns its length and the step. */
function watch(state: (step: number) => number, steps: number, changed: (step: number) => boolean = () => true) {
  const cycles = watchCycles(1, 1e-9);
  for (let step = 1; step <= steps; step++) {
    const length = cycles.look(Float64Array.of(state(step)), changed(step));
    if (length > 0) return { length, step };
  }
  return { length: 0, step: steps };
}

describe('watchCycles', () => {
  it.each([2, 3, 7, 40])('finds a cycle of %i, soon after it begins', (period) => {
    const { length, step } = watch((k) => (k < 50 ? k * 10 : k % period), 1000);
    expect(length).toBe(period);
    expect(step).toBeLessThan(1.5 * Math.max(50, 2 * period) + 2 * period + 1);
  });

  it('finds a cycle that is only approached', () => {
    expect(watch((k) => (k % 3) + 0.8 ** k, 1000).length).toBe(3);
  });

  it('sees none in a sequence that converges', () => {
    expect(
      watch(
        (k) => 0.9 ** k,
        1000,
        (k) => k < 30,
      ).length,
    ).toBe(0);
    expect(
      watch(
        () => 5,
        1000,
        () => false,
      ).length,
    ).toBe(0);
  });

  it('does not take one step of rest for a cycle', () => {
    expect(
      watch(
        (k) => Math.min(k, 7),
        1000,
        (k) => k <= 8,
      ).length,
    ).toBe(0);
  });

  it('forgets at a restart', () => {
    const cycles = watchCycles(1, 1e-9);
    const look = (v: number) => cycles.look(Float64Array.of(v), true);
    expect([look(1), look(2)]).toEqual([0, 0]);
    cycles.restart();
    expect(look(1)).toBe(0);
  });
});
