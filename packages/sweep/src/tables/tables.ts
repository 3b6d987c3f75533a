import type { Value } from '../measure/named.js';
import { columnsOf, type Request } from '../measure/request.js';
import type { Plan } from '../plan.js';
import type { StoredRun } from '../store.js';
import { type Column, columnOf, type Table } from './table.js';

/** Requests by the table that they belong to. */
export const valueRequests = (requests: readonly Request[]): Request[] =>
  requests.filter(({ kind, when }) => kind !== 'timing' && when.type !== 'series');
export const seriesRequests = (requests: readonly Request[]): Request[] =>
  requests.filter(({ when }) => when.type === 'series');

/**
 * The tables of a sweep. Rows are in the order of the plan, whoever ran what and when: the same runs give the same bytes. Only 'timings' differs from machine to machine; it
 * is there if times were asked for.
 */
export function tablesOf(plan: Plan, runs: readonly StoredRun[]): Table[] {
  const tables = [runsTable(plan, runs)];
  if (seriesRequests(plan.requests).length > 0) tables.push(seriesTable(plan, runs));
  if (plan.seeded) tables.push(spreadTable(plan, runs));
  const timings = plan.requests.filter(({ kind }) => kind === 'timing');
  if (timings.length > 0) tables.push(timingsTable(plan, runs, timings));
  return tables;
}

/** The number of a run, the values of its combination, its seed. */
function leading({ runs, paths, seeded }: Plan): Column[] {
  return [
    { name: 'run', type: 'count', values: runs.map((run) => run.number) },
    ...paths.map(({ path }, k) =>
      columnOf(
        path,
        runs.map((run) => run.values[k]),
      ),
    ),
    ...(seeded
      ? [
          columnOf(
            'seed',
            runs.map((run) => run.seed),
          ),
        ]
      : []),
  ];
}

function runsTable(plan: Plan, runs: readonly StoredRun[]): Table {
  const { requests } = plan;
  return {
    name: 'runs',
    columns: [
      ...leading(plan),
      { name: 'status', type: 'text', values: runs.map(({ status }) => status) },
      { name: 'reason', type: 'text', values: runs.map(({ reason }) => reason ?? null) },
      ...valueRequests(requests)
        .flatMap(columnsOf)
        .map((name) =>
          columnOf(
            name,
            runs.map(({ result }) => result?.values[name]),
          ),
        ),
      { name: 'warnings', type: 'text', values: runs.map(({ result }) => result?.warnings.join(' ') || null) },
      { name: 'id', type: 'text', values: runs.map(({ id }) => id) },
    ],
  };
}

/** One row for each run and time: series of different steps have different times, and leave the others empty. */
function seriesTable({ requests, runs: planned }: Plan, runs: readonly StoredRun[]): Table {
  const names = seriesRequests(requests).flatMap(columnsOf);
  const rows: { run: number; time: number; values: Map<string, Value> }[] = [];
  runs.forEach(({ result }, k) => {
    const byTime = new Map<number, Map<string, Value>>();
    for (const name of names)
      result?.series[name]?.times.forEach((time, n) => {
        const row = byTime.get(time) ?? new Map<string, Value>();
        byTime.set(time, row.set(name, result.series[name].values[n]));
      });
    for (const [time, values] of [...byTime].sort(([a], [b]) => a - b))
      rows.push({ run: planned[k].number, time, values });
  });
  return {
    name: 'series',
    columns: [
      { name: 'run', type: 'count', values: rows.map(({ run }) => run) },
      { name: 'time', type: 'number', values: rows.map(({ time }) => time) },
      ...names.map((name) =>
        columnOf(
          name,
          rows.map(({ values }) => values.get(name)),
        ),
      ),
    ],
  };
}

/** Mean, standard deviation (of a sample), least and most of a list of numbers. */
export interface Spread {
  count: number;
  mean: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
}

export function spreadOf(values: readonly number[]): Spread {
  const count = values.length;
  if (count === 0) return { count, mean: null, sd: null, min: null, max: null };
  const mean = values.reduce((sum, v) => sum + v, 0) / count;
  const squares = values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0);
  return {
    count,
    mean,
    sd: count > 1 ? Math.sqrt(squares / (count - 1)) : null,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** The numbers of the column `name`, of the runs of each combination. */
export function byCombination({ runs: planned }: Plan, runs: readonly StoredRun[], name: string): number[][] {
  const groups: number[][] = [];
  planned.forEach(({ combination }, k) => {
    groups[combination] ??= [];
    const value = runs[k].result?.values[name];
    if (runs[k].status === 'done' && typeof value === 'number') groups[combination].push(value);
  });
  return groups;
}

function spreadTable(plan: Plan, runs: readonly StoredRun[]): Table {
  const firsts = plan.runs.filter((run, k) => k === 0 || run.combination !== plan.runs[k - 1].combination);
  const done = firsts.map(
    ({ combination }) =>
      plan.runs.filter((run, k) => run.combination === combination && runs[k].status === 'done').length,
  );
  const measures = valueRequests(plan.requests)
    .flatMap(columnsOf)
    .filter((name) => runs.some(({ result }) => typeof result?.values[name] === 'number'))
    .flatMap((name): Column[] => {
      const spreads = byCombination(plan, runs, name).map(spreadOf);
      return (['mean', 'sd', 'min', 'max'] as const).map((of) => ({
        name: `${name} ${of}`,
        type: 'number',
        values: spreads.map((spread) => spread[of]),
      }));
    });
  return {
    name: 'spread',
    columns: [
      ...plan.paths.map(({ path }, k) =>
        columnOf(
          path,
          firsts.map((run) => run.values[k]),
        ),
      ),
      { name: 'done', type: 'count', values: done },
      ...measures,
    ],
  };
}

function timingsTable(plan: Plan, runs: readonly StoredRun[], timings: readonly Request[]): Table {
  return {
    name: 'timings',
    columns: [
      ...leading(plan),
      ...timings.map(({ name }) =>
        columnOf(
          `${name} (ms)`,
          runs.map(({ result }) => result?.timing[name as 'stepTime']),
        ),
      ),
    ],
  };
}
