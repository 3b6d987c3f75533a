import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { chooseClaims, htmlReport, markdownReport, PAPERS, type Result, runClaims, summary } from '@pliant/papers';
import { PliantError } from 'pliant';
import { exitCodeOf, Interrupt } from './interrupt.js';
import type { Io } from './io.js';
import { startProgress } from './progress.js';

/** Options of `pliant reproduce`. */
export interface ReproduceOptions {
  paper?: string[];
  claim?: string[];
  out: string;
  quick?: boolean;
  processes?: number;
  redis?: string;
  /** Only claims that rest on a time, or only the others. Default: all. */
  timed?: boolean;
  seeds?: number[];
  /** Run nothing: the report of what `out` holds. */
  report?: boolean;
  quiet?: boolean;
}

/**
 * `pliant reproduce`: runs the claims of the papers and writes report.html and report.md into a folder. Results are kept in its folder `results`, so that a run that was
 * stopped goes on where it was. Returns the exit code: 1 if a claim could not be run.
 */
export async function reproduce(options: ReproduceOptions, version: string, io: Io): Promise<number> {
  for (const paper of options.paper ?? [])
    if (!(paper in PAPERS))
      throw new PliantError('--paper', `--paper is ${paper}; expected one of ${Object.keys(PAPERS).join(', ')}.`);
  const claims = chooseClaims({ papers: options.paper, ids: options.claim, quick: options.quick });
  if (claims.length === 0)
    throw new PliantError(
      '--claim',
      'no claim is left; expected at least one (the quick run leaves out those that are long or timed).',
    );
  const interrupt = new Interrupt();
  const progress = startProgress(claims.length, io, options.quiet ?? false, 'claim');
  let results: Result[];
  try {
    results = await runClaims(claims, {
      quick: options.quick,
      folder: join(options.out, 'results'),
      processes: options.processes,
      redis: options.redis,
      seeds: options.seeds,
      only: ({ timed = false }) => !options.report && (options.timed === undefined || timed === options.timed),
      signal: interrupt.abort,
      onProgress: (done) => progress.update(done),
    });
  } finally {
    progress.stop();
    interrupt.close();
  }
  const head = {
    date: new Date().toISOString().slice(0, 10),
    version,
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
    quick: options.quick ?? false,
  };
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'report.html'), htmlReport(results, head));
  await writeFile(join(options.out, 'report.md'), markdownReport(results, head));
  for (const { id, verdict, error } of results)
    if (verdict !== 'reproduced') io.out(`${id}: ${verdict}${error ? `: ${error}` : ''}\n`);
  io.out(`${results.length} of ${claims.length} claims: ${summary(results)}. ${join(options.out, 'report.html')}\n`);
  if (interrupt.signal) return exitCodeOf(interrupt.signal);
  return results.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}
