import { type Axis, NotWritten, sweep as runSweep, type StoredRun, type SweepSummary } from '@pliant/sweep';
import { type Backend, PliantError } from 'pliant';
import { exitCodeOf, Interrupt } from './interrupt.js';
import type { Io } from './io.js';
import { caption, warningLines } from './printable.js';
import { WriteError } from './resultFile.js';
import { type RunProgress, startRunProgress } from './sweepProgress.js';

export interface SweepCommandOptions {
  out: string;
  measure?: string[];
  module?: string;
  variant?: string;
  seeds?: number[];
  seconds?: number;
  frames?: number;
  backend?: Backend;
  processes?: number;
  redis?: string;
  timeLimit: number;
  retries: number;
  thumbnails: boolean;
  allowOutside?: boolean;
  quiet?: boolean;
}

/** Exit code of a sweep that has runs without a result; the table says why. */
const SOME_FAILED = 4;

/** Size of thumbnails (pixels). */
const PICTURE = { width: 240, height: 180 };

/** Failed runs that are listed; the rest is counted. */
const MOST_LISTED = 10;

/** `pliant sweep`: runs all combinations and writes tables, plots, pictures and a page. Returns the exit code. */
export async function sweep(scene: string, axes: Axis[], options: SweepCommandOptions, io: Io): Promise<number> {
  const { out, measure, thumbnails, quiet = false, frames, seconds, redis, processes } = options;
  if (frames !== undefined && seconds !== undefined)
    throw new PliantError('--seconds', '--seconds and --frames are both given; expected one of the two.');
  if (redis !== undefined && processes !== undefined)
    throw new PliantError(
      '--processes',
      '--processes and --redis are both given; expected one: with Redis the workers compute.',
    );
  const say = quiet ? () => {} : io.err;
  const interrupt = new Interrupt();
  let progress: RunProgress | undefined;
  try {
    const { measure: _, thumbnails: __, ...rest } = options;
    const summary = await runSweep(
      { ...rest, scene, axes, measures: measure, picture: thumbnails ? PICTURE : undefined },
      {
        ...rest,
        out,
        signal: interrupt.abort,
        onNote: (line) => (progress ? progress.note(line) : io.err(`${line}\n`)),
        onPlan(plan, done) {
          io.err(warningLines(plan.warnings));
          const before = done > 0 ? `, ${done} of them done before` : '';
          say(`${caption(plan.title)}: ${plan.runs.length} run${plan.runs.length === 1 ? '' : 's'}${before}\n`);
          progress = startRunProgress(plan.runs.length, done, io, quiet);
        },
        onRun: (run, ended) => progress!.update(ended, isFailed(run)),
      },
    );
    progress?.stop();
    return report(summary, interrupt, out, quiet ? () => {} : io.out, io);
  } catch (error) {
    progress?.stop();
    if (!(error instanceof NotWritten)) throw error;
    throw new WriteError(error.path, `${error.message} Runs that were written before are kept.`);
  } finally {
    interrupt.close();
  }
}

const isFailed = ({ status }: StoredRun): boolean => status !== 'done';

function report(summary: SweepSummary, { signal }: Interrupt, out: string, say: Io['out'], io: Io): number {
  const { total, before, ran, left, failed, warned, files } = summary;
  for (const { number, status, reason } of failed.slice(0, MOST_LISTED))
    io.err(`run ${number}: ${status}: ${caption(reason)}\n`);
  if (failed.length > MOST_LISTED) io.err(`and ${failed.length - MOST_LISTED} more, see ${out}/runs.csv\n`);
  if (warned.runs > 0)
    io.err(
      `warning: ${warned.runs} runs have warnings, see ${out}/runs.csv; the first: ${caption(warned.first ?? '')}\n`,
    );
  say(
    `${total} run${total === 1 ? '' : 's'}: ${before} done before, ${ran} run now, ${failed.length} without a result\n`,
  );
  say(`wrote ${files.join(', ')} in ${out}\n`);
  if (signal) {
    io.err(
      `stopped by ${signal}; ${total - left} of ${total} runs are kept in ${out}: the same command continues there\n`,
    );
    return exitCodeOf(signal);
  }
  return failed.length > 0 ? SOME_FAILED : 0;
}
