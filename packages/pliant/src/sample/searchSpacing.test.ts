import { describe, expect, it } from 'vitest';
import { meetsCount, searchSpacing } from './searchSpacing.js';

describe('searchSpacing', () => {
  it('meets a count that goes with the third power in two trials, from far off', () => {
    let trials = 0;
    const countAt = (s: number) => {
      trials++;
      return Math.round(100 / s ** 3);
    };
    const { spacing, met } = searchSpacing(5000, 0.4, 12, countAt);
    expect(met).toBe(true);
    expect(meetsCount(countAt(spacing), 5000)).toBe(true);
    expect(trials - 1).toBe(2);
  });

  it('meets a count with jumps, by bisection', () => {
    const countAt = (s: number) => 70 * Math.floor(3 / s) ** 2;
    expect(searchSpacing(70 * 49, 1, 30, countAt).met).toBe(true);
  });

  it('gives up after the trials on a count that does not exist', () => {
    let trials = 0;
    const { met } = searchSpacing(100, 0.1, 9, (s) => {
      trials++;
      return Math.floor(1 / s) ** 3;
    });
    expect(met).toBe(false);
    expect(trials).toBe(9);
  });

  it('counts a particle more or less as met, and 2 %', () => {
    expect(meetsCount(2, 1)).toBe(true);
    expect(meetsCount(52, 50)).toBe(false);
    expect(meetsCount(1020, 1000)).toBe(true);
    expect(meetsCount(1021, 1000)).toBe(false);
  });
});
