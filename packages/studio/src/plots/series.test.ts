import { STAGES } from 'pliant';
import { describe, expect, it } from 'vitest';
import type { FrameStats } from '../protocol.js';
import { PLOTS, Series, STAGE_GROUPS } from './series.js';

const stats = (kineticEnergy: number) => ({ kineticEnergy, pieces: 2 * kineticEnergy }) as FrameStats;
const make = () => new Series([(s) => s.kineticEnergy, (s) => s.pieces]);

describe('series of a plot', () => {
  it('are in the order of time, also once the ring is full', () => {
    const series = make();
    for (let n = 0; n < 3000; n++) series.add({ time: n / 240, stats: stats(n) });
    const [times, energy, pieces] = series.table([0, 1], false);
    expect(times.length).toBe(1200);
    expect([times.at(-1), energy.at(-1), pieces[0]]).toEqual([2999 / 240, 2999, 2 * energy[0]!]);
    expect(times.every((t, k) => k === 0 || t! > times[k - 1]!)).toBe(true);
    expect(series.latest(1)).toBe(5998);
  });

  it('keep twenty seconds', () => {
    const series = make();
    for (let time = 0; time <= 60; time++) series.add({ time, stats: stats(time) });
    expect(series.table([0], false)[0]).toEqual(Array.from({ length: 21 }, (_, k) => 40 + k));
  });

  it('forget what came later when time goes back', () => {
    const series = make();
    for (let time = 0; time < 10; time++) series.add({ time, stats: stats(time) });
    series.add({ time: 4, stats: stats(40) });
    expect(series.table([0], false)).toEqual([
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 40],
    ]);
    series.add({ time: 0, stats: stats(7) });
    expect(series.table([0], false)).toEqual([[0], [7]]);
  });

  it('have gaps where nothing was measured', () => {
    const series = make();
    series.add({ time: 0, stats: stats(Number.NaN) });
    series.add({ time: 1, stats: stats(3) });
    expect(series.table([0], false)).toEqual([
      [0, 1],
      [null, 3],
    ]);
  });

  it('are stacked on each other', () => {
    const series = make();
    series.add({ time: 0, stats: stats(3) });
    expect(series.table([0, 1], true)).toEqual([[0], [3], [9]]);
  });
});

it('every stage of a step is in one group', () => {
  expect(STAGE_GROUPS.flatMap(({ stages }) => stages).sort()).toEqual([...STAGES].sort());
  expect(PLOTS.map(({ id }) => id)).toEqual([
    'energy',
    'momentum',
    'volume',
    'pieces',
    'clusters',
    'particles',
    'stages',
  ]);
});
