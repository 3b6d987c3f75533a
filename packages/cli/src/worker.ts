import { CLAIM_TASKS } from '@pliant/papers';
import { runWorker } from '@pliant/sweep';
import { exitCodeOf, Interrupt } from './interrupt.js';
import type { Io } from './io.js';

export interface WorkerCommandOptions {
  redis: string;
  processes?: number;
  allowModules?: boolean;
  deadAfter: number;
  quiet?: boolean;
}

/** `pliant worker`: takes jobs of sweeps from a Redis until it is stopped. Returns the exit code. */
export async function worker(options: WorkerCommandOptions, io: Io): Promise<number> {
  const interrupt = new Interrupt();
  let done = 0;
  try {
    await runWorker({
      tasks: CLAIM_TASKS,
      ...options,
      signal: interrupt.abort,
      onNote: (line) => io.err(`worker: ${line}\n`),
      onJob: (count) => {
        done = count;
        if (!options.quiet && done % 100 === 0) io.err(`worker: ${done} jobs done\n`);
      },
    });
    io.err(`worker: stopped by ${interrupt.signal}; ${done} jobs done\n`);
    return interrupt.signal ? exitCodeOf(interrupt.signal) : 0;
  } finally {
    interrupt.close();
  }
}
