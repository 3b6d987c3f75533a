import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { builtFolder } from '../hash.js';
import { ProcessPool } from './processPool.js';
import type { Job, Outcome, Tasks } from './task.js';

/** Options of `runJobs` that hold wherever jobs run. */
export interface QueueOptions {
  /** Called with every job that ended, one call at a time. No other job is handed out while the promise that it returns is open. */
  onOutcome(job: Job, outcome: Outcome): Promise<void> | void;
  /** Told once: that something is waited for, and that it is there again. */
  onNote?(line: string): void;
  /** Ends the work: jobs that have not ended stay undone. */
  signal?: AbortSignal;
  /** How often a job whose process died is tried again. Default 2. */
  retries?: number;
  /** Seconds that one try may take. Default: no limit. */
  timeLimit?: number;
  /** Modules of tasks beside 'simulate'. */
  tasks?: Tasks;
}

/** Options of `runJobs`: on this machine, or handed to workers by Redis. */
export interface RunJobsOptions extends QueueOptions {
  /** Number of processes on this machine. Default: one for each core. */
  processes?: number;
  /** Address of a Redis (redis://…): jobs are handed to all `pliant worker` of the same version there, and none runs here. */
  redis?: string;
}

/** The tasks of this package. */
export function ownTasks(): Tasks {
  return { simulate: new URL('simulate.js', pathToFileURL(`${builtFolder('@pliant/sweep')}/`)).href };
}

/**
 * Runs jobs on all cores of this machine, or on many machines. Returns when every job has ended, or when `signal` says so. It is the
 * queue of `pliant sweep`; any command with many independent jobs can use it: a job is a task's name and plain data.
 */
export async function runJobs(jobs: readonly Job[], options: RunJobsOptions): Promise<void> {
  if (options.redis !== undefined) {
    const { runOnRedis } = await import('./runOnRedis.js');
    await runOnRedis(jobs, { ...options, redis: options.redis });
  } else await runHere(jobs, options);
}

async function runHere(jobs: readonly Job[], options: RunJobsOptions): Promise<void> {
  const { processes = availableParallelism(), signal, retries = 2 } = options;
  const pool = new ProcessPool(Math.min(processes, jobs.length), { ...ownTasks(), ...options.tasks });
  const stop = () => pool.close();
  signal?.addEventListener('abort', stop);
  const deliver = oneAtATime(options.onOutcome);
  const rest = jobs.values();
  const lane = async () => {
    for (const job of rest) {
      let outcome: Outcome;
      let tries = 0;
      do outcome = await pool.run(job, options.timeLimit);
      while (outcome.status === 'killed' && tries++ < retries && !signal?.aborted);
      if (signal?.aborted) return;
      await deliver(
        job,
        outcome.status === 'killed' ? { ...outcome, reason: tried(outcome.reason, retries + 1) } : outcome,
      );
    }
  };
  try {
    if (!signal?.aborted) await Promise.all(Array.from({ length: pool.size }, lane));
  } finally {
    signal?.removeEventListener('abort', stop);
    pool.close();
  }
}

/** The reason of a job that was tried several times. */
export const tried = (reason: string, times: number): string =>
  times > 1 ? `${reason} (tried ${times} times)` : reason;

/** Calls one after the other. */
export function oneAtATime<A extends unknown[]>(
  act: (...args: A) => Promise<void> | void,
): (...args: A) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => act(...args));
    last = next.catch(() => {});
    return next;
  };
}
