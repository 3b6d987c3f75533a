import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { parseRequest } from '../measure/request.js';
import type { Plan } from '../plan.js';
import { plotsOf } from '../plot/plots.js';
import type { SimulationResult } from '../simulate.js';
import type { StoredRun } from '../store.js';
import { csvOf, parquetOf } from './table.js';
import { spreadOf, tablesOf } from './tables.js';

const requests = ['height', 'word', 'centreOfMass.y@all', 'stepTime'].map((text) => parseRequest(text, ['word']));
const value = (young: number, seed: number) => young / 10 + seed;

/** Two values of E and three of a word, with two seeds; the last run was killed. */
const plan: Plan = {
  title: 'Test',
  paths: [
    { path: 'bodies[0].young', scale: 'log' },
    { path: 'mode', scale: 'linear' },
  ],
  requests,
  seeded: true,
  warnings: [],
  runs: [10, 1000].flatMap((young, a) =>
    ['a', 'b "c", d', 'e'].flatMap((mode, b) =>
      [1, 2].map((seed, c) => ({
        number: 6 * a + 2 * b + c,
        combination: 3 * a + b,
        values: [young, mode],
        seed,
        job: { id: `id${6 * a + 2 * b + c}`, task: 'simulate', input: {} },
      })),
    ),
  ),
};
const runs: StoredRun[] = plan.runs.map(({ number, values, seed, job }) => {
  if (number === 11) return { id: job.id, status: 'killed', reason: 'its process was ended,\nsadly' };
  const result: SimulationResult = {
    values: { height: value(values[0] as number, seed!), word: number === 0 ? null : 'soft' },
    series: { 'centreOfMass.y': { times: [0, 0.1 + number], values: [number, null] } },
    steps: 1,
    warnings: number === 0 ? ['It is soft.', 'It is slow.'] : [],
    timing: { stepTime: 1, buildTime: 2, runTime: 3 },
  };
  return { id: job.id, status: 'done', result };
});
const tables = tablesOf(plan, runs);
const named = (name: string) => tables.find((table) => table.name === name)!;

test('tables are runs, series, spread and, as times were asked for, timings', () => {
  expect(tables.map(({ name }) => name)).toEqual(['runs', 'series', 'spread', 'timings']);
  const rest = tablesOf({ ...plan, requests: requests.slice(0, 2), seeded: false }, runs);
  expect(rest.map(({ name }) => name)).toEqual(['runs']);
});

test('a row of the runs has combination, seed, status, reason and values; texts are quoted where they must be', () => {
  const lines = csvOf(named('runs')).split('\n');
  expect(lines[0]).toBe('run,bodies[0].young,mode,seed,status,reason,height,word,warnings,id');
  expect(lines[1]).toBe('0,10,a,1,done,,2,,It is soft. It is slow.,id0');
  expect(lines[3]).toBe('2,10,"b ""c"", d",1,done,,2,soft,,id2');
  expect(lines.slice(12).join('\n')).toBe('11,1000,e,2,killed,"its process was ended,\nsadly",,,,id11\n');
});

test('no time of a machine is in any table but timings', () => {
  expect(csvOf(named('timings')).split('\n')[0]).toBe('run,bodies[0].young,mode,seed,stepTime (ms)');
  const slow = runs.map((run) =>
    run.result ? { ...run, result: { ...run.result, timing: { stepTime: 9, buildTime: 9, runTime: 9 } } } : run,
  );
  for (const [k, table] of tablesOf(plan, slow).entries())
    if (table.name !== 'timings') expect(csvOf(table)).toBe(csvOf(tables[k]));
});

test('the spread counts done runs only', () => {
  const lines = csvOf(named('spread')).split('\n');
  expect(lines[0]).toBe('bodies[0].young,mode,done,height mean,height sd,height min,height max');
  expect(lines[1]).toBe(`10,a,2,2.5,${Math.SQRT1_2},2,3`);
  expect(lines[6]).toBe('1000,e,1,101,,101,101');
  expect(spreadOf([1, 2, 3, 4])).toEqual({ count: 4, mean: 2.5, sd: Math.sqrt(5 / 3), min: 1, max: 4 });
  expect(spreadOf([])).toEqual({ count: 0, mean: null, sd: null, min: null, max: null });
});

test('a Parquet file has the same rows as the CSV', async () => {
  for (const table of tables) {
    const bytes = await parquetOf(table);
    const rows = await parquetReadObjects({ file: bytes.slice().buffer });
    expect(rows).toHaveLength(table.columns[0].values.length);
    for (const { name, values } of table.columns) expect(rows.map((row) => row[name] ?? null)).toEqual(values);
    expect(await parquetOf(table)).toEqual(bytes);
  }
});

test('plots: a measure over every varied number, a curve for each other value, and series over time', () => {
  const plots = plotsOf(plan, runs);
  expect(plots.map(({ name }) => name)).toEqual(['height-over-bodies-0-.young', 'centreOfMass.y-over-time']);
  const [{ svg }] = plots;
  // Means of two seeds: 3 curves of 2 points.
  expect(svg.match(/<circle/g)).toHaveLength(6);
  expect(svg).toContain('height (m)');
  expect(svg).toContain('mode &#34;b \\&#34;c');
  // 10 and 1000 are at the ends of a logarithmic axis with 100 in the middle.
  const at = (label: string) => Number(new RegExp(`<text x="([\\d.]+)"[^>]*"middle">${label}</text>`).exec(svg)![1]);
  expect(at('100')).toBeCloseTo((at('10') + at('1000')) / 2, 0);
});
