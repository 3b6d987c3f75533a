import { type ChildProcess, fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { builtFolder } from '../hash.js';
import type { Order } from './child.js';
import type { Job, Outcome, Tasks } from './task.js';

/** Sent by a process when a job begins (child.ts). */
const BEGUN = 'begun';

/** Characters of a process's last words that are kept for the reason of its end. */
const LAST_WORDS = 4000;

/**
 * Jobs that a process runs before another takes its place. The memory of worlds is freed late by the garbage collector, and the code of
 * modules of measures never.
 */
const LIFETIME = 500;

interface Worker {
  child: ChildProcess;
  said: string;
  jobs: number;
}

/** Processes that run jobs. A run that crashes, fills the memory or hangs takes its own process with it, and nothing else. */
export class ProcessPool {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly waiting: ((worker: Worker) => void)[] = [];
  private closed = false;

  constructor(
    readonly size: number,
    private readonly tasks: Tasks,
  ) {}

  /** Ids of the processes. */
  get pids(): number[] {
    return [...this.all].map(({ child }) => child.pid!);
  }

  /** Runs a job once, in the next process that is free. `timeLimit` is in seconds. */
  async run(job: Job, timeLimit = Number.POSITIVE_INFINITY): Promise<Outcome> {
    const module = this.tasks[job.task];
    if (module === undefined) {
      const known = Object.keys(this.tasks).join(', ');
      return {
        status: 'failed',
        reason: `there is no task ${JSON.stringify(job.task)} here; expected one of ${known}`,
      };
    }
    const worker = await this.take();
    const outcome = await this.order(worker, { module, input: job.input, files: job.files ?? {} }, timeLimit);
    this.giveBack(worker);
    return outcome;
  }

  /** Ends all processes; jobs in them end as killed. */
  close(): void {
    this.closed = true;
    for (const { child } of this.all) child.kill('SIGKILL');
  }

  private async take(): Promise<Worker> {
    const free = this.idle.pop();
    if (free) return free;
    if (this.all.size < this.size) return this.start();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private start(): Worker {
    const file = new URL('queue/child.js', pathToFileURL(`${builtFolder('@pliant/sweep')}/`));
    // Options of this process, such as a debugger's port, are not for its children.
    const child = fork(file, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const worker: Worker = { child, said: '', jobs: 0 };
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      worker.said = (worker.said + text).slice(-LAST_WORDS);
    });
    this.all.add(worker);
    // A process may also die while it has nothing to do.
    child.on('exit', () => {
      this.all.delete(worker);
      if (this.idle.includes(worker)) this.idle.splice(this.idle.indexOf(worker), 1);
    });
    return worker;
  }

  private order(worker: Worker, order: Order, timeLimit: number): Promise<Outcome> {
    const { child } = worker;
    worker.jobs++;
    return new Promise((resolve) => {
      let late = false;
      let timer: NodeJS.Timeout | undefined;
      const begin = () => {
        if (!Number.isFinite(timeLimit)) return;
        const end = () => {
          late = true;
          child.kill('SIGKILL');
        };
        // setTimeout takes at most 2^31 − 1 milliseconds.
        timer = setTimeout(end, Math.min(1000 * timeLimit, 2 ** 31 - 1));
      };
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        child.off('message', heard).off('close', gone).off('error', gone);
        resolve(outcome);
      };
      const heard = (message: unknown) => (message === BEGUN ? begin() : end(message as Outcome));
      const gone = (code: number | null | Error, signal?: NodeJS.Signals | null) => {
        this.all.delete(worker);
        end(
          late
            ? { status: 'over time', reason: `it took longer than ${timeLimit} s` }
            : { status: 'killed', reason: reasonOf(code, signal, worker.said) },
        );
      };
      child.on('message', heard).on('close', gone).on('error', gone);
      if (!child.connected) gone(child.exitCode, child.signalCode);
      else child.send(order, (error) => error && child.kill('SIGKILL'));
    });
  }

  private giveBack(worker: Worker): void {
    let next: Worker | undefined = worker;
    if (!this.all.has(worker)) next = undefined;
    else if (worker.jobs >= LIFETIME) {
      this.all.delete(worker);
      worker.child.disconnect();
      next = undefined;
    }
    if (this.closed) return;
    const asker = this.waiting.shift();
    if (asker) asker(next ?? this.start());
    else if (next) this.idle.push(next);
  }
}

/** Why a process ended. */
function reasonOf(code: number | null | Error, signal: NodeJS.Signals | null | undefined, said: string): string {
  if (code instanceof Error) return `its process could not be started: ${code.message}`;
  if (/out of memory/i.test(said)) return 'its process had no memory left';
  if (signal)
    return `its process was ended by ${signal}${signal === 'SIGKILL' ? ' (by the system, if memory was short)' : ''}`;
  const words =
    said
      .trim()
      .split('\n')
      .find((line) => /error/i.test(line)) ??
    said.trim().split('\n').at(-1) ??
    '';
  return `its process ended with code ${code}${words ? `: ${words.slice(0, 300)}` : ''}`;
}
