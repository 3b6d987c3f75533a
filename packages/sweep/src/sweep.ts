import { readdir, rm } from 'node:fs/promises';
import { codeVersion } from './hash.js';
import { explorePage } from './page/page.js';
import { type Plan, planSweep, type SweepRequest } from './plan.js';
import { plotsOf } from './plot/plots.js';
import { type RunJobsOptions, runJobs } from './queue/runJobs.js';
import { Store, type StoredRun, storedRun, withoutPicture } from './store.js';
import { csvOf, parquetOf } from './tables/table.js';
import { tablesOf } from './tables/tables.js';

/** Options of `sweep` beside the request. */
export interface SweepOptions extends Pick<RunJobsOptions, 'processes' | 'redis' | 'retries' | 'timeLimit' | 'signal'> {
  /** The folder of the results. */
  out: string;
  /** Told once: that something is waited for, a Redis or room on the disk, and that it is there again. */
  onNote?: (line: string) => void;
  /** Told when all runs are planned: how many there are, and how many of them are done from before. */
  onPlan?(plan: Plan, done: number): void;
  /** Told while combinations are checked. */
  onCheck?(done: number, of: number): void;
  /** Told after every run. */
  onRun?(run: StoredRun, ended: number, of: number): void;
}

/** The result of a sweep. */
export interface SweepSummary {
  /** Number of runs of the plan. */
  total: number;
  /** Runs that were done before this call. */
  before: number;
  /** Runs that this call ran. */
  ran: number;
  /** Runs that were not run: the sweep was stopped. */
  left: number;
  /** Runs that are not done, with their reasons, in the order of the table. */
  failed: { number: number; status: string; reason: string }[];
  /** Number of runs with warnings of the scene or of its bodies, and the first of them. */
  warned: { runs: number; first?: string };
  /** Files that were written, relative to the folder; plots and thumbnails are counted as their folders. */
  files: string[];
}

/**
 * Runs every combination of a sweep that has not been run, then writes tables, plots, pictures and the page of all of them. Each run is a file named by the hash of its inputs, so that a second
 * call continues where the first ended, wherever and by whomever runs were made.
 */
export async function sweep(request: SweepRequest, options: SweepOptions): Promise<SweepSummary> {
  const plan = await planSweep(request, options.onCheck);
  const store = new Store(options.out, options);
  await store.open();
  try {
    // Combinations may be the same run: a path that changes nothing, say. It is run once.
    const jobs = new Map(plan.runs.map(({ job }) => [job.id, job]));
    const known = await store.final([...jobs.keys()]);
    const todo = [...jobs.values()].filter(({ id }) => !known.has(id));
    const before = plan.runs.filter(({ job }) => known.has(job.id)).length;
    options.onPlan?.(plan, before);
    let ended = jobs.size - todo.length;
    let ran = 0;
    await runJobs(todo, {
      ...options,
      async onOutcome(job, outcome) {
        const run = storedRun(job.id, outcome);
        await store.keep(run);
        known.set(job.id, withoutPicture(run));
        ran++;
        options.onRun?.(run, ++ended, jobs.size);
      },
    });
    const runs = plan.runs.map(
      ({ job }): StoredRun =>
        known.get(job.id) ?? { id: job.id, status: 'not run', reason: 'the sweep was stopped before it' },
    );
    const files = await writeResults(store, plan, runs, request);
    return {
      total: runs.length,
      before,
      ran,
      left: runs.filter(({ status }) => status === 'not run').length,
      failed: runs.flatMap(({ status, reason = '' }, number) =>
        status === 'done' || status === 'not run' ? [] : [{ number, status, reason }],
      ),
      warned: {
        runs: runs.filter(({ result }) => (result?.warnings.length ?? 0) > 0).length,
        first: runs.find(({ result }) => (result?.warnings.length ?? 0) > 0)?.result?.warnings[0],
      },
      files,
    };
  } finally {
    await store.close();
  }
}

/** Writes everything that is made from the runs. */
async function writeResults(
  store: Store,
  plan: Plan,
  runs: readonly StoredRun[],
  request: SweepRequest,
): Promise<string[]> {
  const files: string[] = [];
  const write = async (name: string, content: string | Uint8Array) => {
    await store.write(name, content);
    files.push(name);
  };
  const { picture: _, ...asked } = request;
  await write('sweep.json', `${JSON.stringify({ code: codeVersion(), ...asked, runs: runs.length }, null, 1)}\n`);
  for (const table of tablesOf(plan, runs)) {
    await write(`${table.name}.csv`, csvOf(table));
    await write(`${table.name}.parquet`, await parquetOf(table));
  }
  const plots = plotsOf(plan, runs);
  await writeFolder(
    store,
    'plots',
    plots.map(({ name, svg }) => [`${name}.svg`, svg] as const),
  );
  if (plots.length > 0) files.push('plots/');
  const pictures = await writePictures(store, plan, runs);
  if (pictures.size > 0) files.push('thumbnails/');
  await write('index.html', explorePage(plan, runs, pictures));
  return files;
}

/** Bytes of all pictures in the page at most: beyond that the folder has them. */
const MOST_PICTURES = 40 << 20;

/** Writes the pictures of all runs, one at a time: together they may be larger than the memory. Returns those for the page, by the id of their run. */
async function writePictures(store: Store, plan: Plan, runs: readonly StoredRun[]): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  const names = new Set<string>();
  let bytes = 0;
  for (const [k, { id, status }] of runs.entries()) {
    if (status !== 'done' && status !== 'not finite') continue;
    const picture = (await store.read(id))?.result?.thumbnail;
    if (!picture) continue;
    const name = `${String(plan.runs[k].number).padStart(5, '0')}.png`;
    names.add(name);
    await store.write(`thumbnails/${name}`, Buffer.from(picture, 'base64'));
    bytes += picture.length;
    if (bytes < MOST_PICTURES) pictures.set(id, picture);
  }
  await removeOthers(store, 'thumbnails', names);
  return pictures;
}

/** Writes files into a folder and removes those that are there from another sweep. */
async function writeFolder(
  store: Store,
  folder: string,
  files: readonly (readonly [string, string | Uint8Array])[],
): Promise<void> {
  for (const [name, content] of files) await store.write(`${folder}/${name}`, content);
  await removeOthers(store, folder, new Set(files.map(([name]) => name)));
}

async function removeOthers(store: Store, folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(store.path(folder)).catch(() => []))
    if (!names.has(name) && /\.(svg|png)$/.test(name)) await rm(store.path(`${folder}/${name}`), { force: true });
}
