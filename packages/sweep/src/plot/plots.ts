import { columnsOf, unitOf } from '../measure/request.js';
import type { Plan } from '../plan.js';
import type { StoredRun } from '../store.js';
import { byCombination, seriesRequests, spreadOf, valueRequests } from '../tables/tables.js';
import { type Point, plot, showNumber } from './plot.js';

/** Curves of one plot at most: more cannot be told apart. */
const MOST_CURVES = 8;

/** Ratio of the largest to the smallest value from which on an axis is logarithmic, where all are above 0. */
const WIDE = 50;

/** The plots of a sweep: each measure over each varied number, and each series over time. Names are those of files, without folder. */
export function plotsOf(plan: Plan, runs: readonly StoredRun[]): { name: string; svg: string }[] {
  return unique([...valuePlots(plan, runs), ...seriesPlots(plan, runs)]);
}

/** Varied paths with numbers that change by themselves: not those that another path changes with. */
function numericPaths({ paths, runs }: Plan): number[] {
  const columns = paths.map((_, k) => runs.map((run) => run.values[k]));
  return [...paths.keys()].filter((k) => {
    if (!columns[k].every((value) => typeof value === 'number')) return false;
    if (new Set(columns[k]).size < 2) return false;
    return !columns.slice(0, k).some((other) => other.every((v, n) => columns[k][n] === columns[k][other.indexOf(v)]));
  });
}

function* valuePlots(plan: Plan, runs: readonly StoredRun[]): Generator<{ name: string; svg: string }> {
  const firsts = plan.runs.filter((run, k) => k === 0 || run.combination !== plan.runs[k - 1].combination);
  for (const request of valueRequests(plan.requests))
    for (const column of columnsOf(request)) {
      const groups = byCombination(plan, runs, column).map(spreadOf);
      if (groups.every(({ count }) => count === 0)) continue;
      for (const axis of numericPaths(plan)) {
        const curves = new Map<string, Point[]>();
        for (const { combination, values } of firsts) {
          const { mean, sd } = groups[combination];
          if (mean === null) continue;
          const others = values.flatMap((value, k) =>
            k === axis ? [] : [`${lastName(plan.paths[k].path)} ${short(value)}`],
          );
          const name = others.join(', ');
          curves.set(name, [
            ...(curves.get(name) ?? []),
            { x: values[axis] as number, y: mean, spread: sd ?? undefined },
          ]);
        }
        const chosen = evenly([...curves], MOST_CURVES).map(([name, points]) => ({
          name,
          points: points.sort((a, b) => a.x - b.x),
        }));
        const [xs, ys] = [
          chosen.flatMap((c) => c.points.map((p) => p.x)),
          chosen.flatMap((c) => c.points.map((p) => p.y)),
        ];
        const { path, scale } = plan.paths[axis];
        const unit = unitOf(request);
        yield {
          name: `${column} over ${path}`,
          svg: plot({
            title: `${column} over ${path}${plan.seeded ? ', mean and standard deviation of the seeds' : ''}`,
            x: path,
            y: unit && unit !== '1' ? `${column} (${unit})` : column,
            curves: chosen,
            logX: (scale === 'log' || isWide(xs)) && xs.every((v) => v > 0),
            logY: isWide(ys),
          }),
        };
      }
    }
}

function* seriesPlots(plan: Plan, runs: readonly StoredRun[]): Generator<{ name: string; svg: string }> {
  for (const request of seriesRequests(plan.requests))
    for (const column of columnsOf(request)) {
      const curves = runs.flatMap(({ result }, k) => {
        const series = result?.series[column];
        if (!series?.values.some((value) => typeof value === 'number')) return [];
        const { values, seed, number } = plan.runs[k];
        const words = values.map((value, n) => `${lastName(plan.paths[n].path)} ${short(value)}`);
        const name = [...words, ...(seed === undefined ? [] : [`seed ${seed}`])].join(', ') || `run ${number}`;
        const points = series.times.map((x, n) => ({
          x,
          y: typeof series.values[n] === 'number' ? series.values[n] : Number.NaN,
        }));
        return [{ name, points }];
      });
      if (curves.length === 0) continue;
      const unit = unitOf(request);
      yield {
        name: `${column} over time`,
        svg: plot({
          title: `${column} over time`,
          x: 'time (s)',
          y: unit && unit !== '1' ? `${column} (${unit})` : column,
          curves: evenly(curves, MOST_CURVES),
          marks: false,
        }),
      };
    }
}

/** At most `most` entries, the first and the last among them. */
function evenly<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, k) => list[Math.round((k * (list.length - 1)) / (most - 1))]);
}

function isWide(values: readonly number[]): boolean {
  return values.length > 1 && values.every((v) => v > 0) && Math.max(...values) / Math.min(...values) > WIDE;
}

/** "young" of "bodies[0].material.young". */
const lastName = (path: string): string => /([\w$-]+)(?:\[[^\]]*\])?$/.exec(path)?.[1] ?? path;

const short = (value: unknown): string =>
  typeof value === 'number' ? showNumber(Number(value.toPrecision(3))) : String(JSON.stringify(value)).slice(0, 20);

/** Names that are safe in every file system, and different. */
function unique(plots: readonly { name: string; svg: string }[]): { name: string; svg: string }[] {
  const used = new Set<string>();
  return plots.map(({ name, svg }) => {
    const plain = name
      .replace(/[^A-Za-z0-9.@]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 120);
    let own = plain;
    for (let k = 2; used.has(own.toLowerCase()); k++) own = `${plain}-${k}`;
    used.add(own.toLowerCase());
    return { name: own, svg };
  });
}
