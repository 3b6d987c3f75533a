import { PliantError } from '../check.js';
import { CONTROL, Control, JOBS, Job, MOST_JOBS, Phase, scratchOf } from './memoryMap.js';
import { canWait, startWorker, type WorkerHandle } from './platform.js';
import { WORKER_SOURCE, type WorkerStart } from './workerSource.js';

/** An export of the kernels that jobs call. */
export type JobFunction = (...numbers: number[]) => unknown;

/** Looks at DONE without success after which the calling thread lets others run, where it may wait: about 0.1 ms. */
const PATIENCE = 10_000;
/** Longest time (ms) of one such wait. A worker wakes the calling thread earlier, if it sees that it waits. */
const NAP = 1;
/** Looks in about one millisecond, where the calling thread may not wait. */
const LOOKS_PER_MS = 100_000;
/** Time (ms) without a finished job after which workers count as lost: a job takes milliseconds. */
const LONGEST_WAIT = 60_000;

/** The part of a pool that workers and the finalizer hold: it does not reach the world. */
interface Workers {
  control: Int32Array;
  handles: WorkerHandle[];
  /** Workers that could not start, or have ended; and those of them that had been ready. */
  lost: number;
  lostReady: number;
  /** Called when a worker has become ready or was lost. */
  waiting: (() => void)[];
}

/** Ends the workers of worlds that were garbage-collected without `dispose`. */
const forgotten = new FinalizationRegistry<Workers>(endWorkers);

/**
 * Workers that share the memory of a world and run jobs with the calling thread. A job is a call of an exported function over a range of rows. The
 * jobs of a batch run in any order and at the same time, so each may write only rows of its own range.
 *
 * Each thread begins with a share of the list of its own, the same share in every batch: rows that it has worked on are in its cache. A thread that has done its share takes from the ends of the others.
 *
 * Use: `add` jobs, then `run` them; between `begin` and `end` workers look out for the next batch, otherwise they sleep. Workers start at the first
 * `begin`. A worker that has not started yet, or that the system keeps from running, is not waited for unless it holds a job.
 */
export class Pool {
  private readonly jobs: Float64Array;
  private readonly workers: Workers;
  private readonly mayWait = canWait();
  private isStarted = false;
  private count = 0;

  constructor(
    private readonly start: Omit<WorkerStart, 'scratchShift' | 'thread' | 'threads'> & {
      memory: { readonly buffer: ArrayBufferLike };
    },
    private readonly functions: readonly JobFunction[],
    /** Byte address of the scratch of the calling thread. */
    private readonly ownScratch: number,
    /** Threads that the pool is to have, the calling one among them. */
    readonly wanted: number,
    private readonly longestWait = LONGEST_WAIT,
  ) {
    const { buffer } = start.memory;
    this.jobs = new Float64Array(buffer, JOBS, Job.LENGTH * MOST_JOBS);
    const control = new Int32Array(buffer, CONTROL, Control.LENGTH);
    this.workers = { control, handles: [], lost: 0, lostReady: 0, waiting: [] };
    forgotten.register(this, this.workers, this.workers);
  }

  /** Threads that run jobs now, the calling one among them: 1 until workers have started, and where they cannot start. */
  get threads(): number {
    return 1 + Atomics.load(this.workers.control, Control.READY) - this.workers.lostReady;
  }

  /** Number of jobs that the list has room for. */
  get room(): number {
    return MOST_JOBS - this.count;
  }

  /** Number of jobs that were added since the last `run`. */
  get added(): number {
    return this.count;
  }

  /** Wakes the workers; the first time it starts them. */
  begin(): void {
    if (!this.isStarted) this.startWorkers();
    const { control } = this.workers;
    Atomics.store(control, Control.PHASE, Phase.STEP);
    if (Atomics.load(control, Control.ASLEEP) > 0) Atomics.notify(control, Control.BATCH);
  }

  /** Lets the workers sleep. */
  end(): void {
    Atomics.store(this.workers.control, Control.PHASE, Phase.REST);
  }

  /** Adds a job: the number of a function, a range of rows, further arguments. A full list is run first: callers that want results see to it that it is not (`room`). */
  add(
    what: number,
    start: number,
    end: number,
    a = 0,
    b = 0,
    c = 0,
    d = 0,
    e = 0,
    f = 0,
    g = 0,
    h = 0,
    i = 0,
    j = 0,
  ): void {
    if (this.count === MOST_JOBS) this.run();
    const { jobs } = this;
    let at = Job.LENGTH * this.count++;
    jobs[at++] = what;
    jobs[at++] = start;
    jobs[at++] = end;
    jobs[at++] = a;
    jobs[at++] = b;
    jobs[at++] = c;
    jobs[at++] = d;
    jobs[at++] = e;
    jobs[at++] = f;
    jobs[at++] = g;
    jobs[at++] = h;
    jobs[at++] = i;
    jobs[at] = j;
  }

  /** Runs all jobs that were added, with the workers. */
  run(): void {
    const { count } = this;
    this.count = 0;
    if (count === 0) return;
    if (count === 1) {
      this.perform(0);
      return;
    }
    const { wanted, workers } = this;
    const { control } = workers;
    Atomics.store(control, Control.DONE, 0);
    for (let thread = 0, next = 0; thread < wanted; thread++) {
      const end = Math.ceil(((thread + 1) * count) / wanted);
      Atomics.store(control, Control.SHARES + Control.SHARE * thread, (next << 8) | end);
      next = end;
    }
    Atomics.add(control, Control.BATCH, 1);
    if (Atomics.load(control, Control.ASLEEP) > 0) Atomics.notify(control, Control.BATCH);
    let own = 0;
    for (let thread = 0; thread < wanted; thread++) own += this.take(thread);
    if (own < count) this.await(count - own);
  }

  /** Runs jobs of the share of a thread until none is left, and returns how many. */
  private take(thread: number): number {
    const { control } = this.workers;
    const at = Control.SHARES + Control.SHARE * thread;
    for (let taken = 0; ; ) {
      const share = Atomics.load(control, at);
      const [next, end] = [share >> 8, share & 255];
      if (next >= end) return taken;
      const isOwn = thread === 0;
      if (Atomics.compareExchange(control, at, share, isOwn ? share + 256 : share - 1) !== share) continue;
      taken++;
      this.perform(isOwn ? next : end - 1);
    }
  }

  /** Sum of what the functions of the jobs [from, to) of the last `run` returned. */
  sumResults(from: number, to: number): number {
    let sum = 0;
    for (let n = from; n < to; n++) sum += this.jobs[Job.LENGTH * n + Job.RESULT];
    return sum;
  }

  private perform(n: number): void {
    const { jobs } = this;
    const at = Job.LENGTH * n;
    jobs[at + Job.RESULT] = this.functions[jobs[at]](
      jobs[at + 1],
      jobs[at + 2],
      jobs[at + 3],
      jobs[at + 4],
      jobs[at + 5],
      jobs[at + 6],
      jobs[at + 7],
      jobs[at + 8],
      jobs[at + 9],
      jobs[at + 10],
      jobs[at + 11],
      jobs[at + 12],
      jobs[at + 13],
      jobs[at + 14],
    ) as number;
  }

  /** Waits until workers have done so many jobs. Refuses to wait for ever: a worker that was ended from outside never finishes its job. */
  private await(jobs: number): void {
    const { control } = this.workers;
    const most = this.mayWait ? PATIENCE + this.longestWait / NAP : LOOKS_PER_MS * this.longestWait;
    for (let looks = 0, before = 0; ; looks++) {
      const done = Atomics.load(control, Control.DONE);
      if (done === jobs) break;
      if (done !== before) looks = 0;
      before = done;
      if (looks > most) this.fail(`${jobs - done} jobs were not finished within ${this.longestWait / 1000} s`);
      if (looks < PATIENCE || !this.mayWait) continue;
      Atomics.store(control, Control.AWAITED, 1);
      Atomics.wait(control, Control.DONE, done, NAP);
      Atomics.store(control, Control.AWAITED, 0);
    }
    if (Atomics.load(control, Control.FAILED) > 0) this.fail('a job failed');
  }

  private fail(why: string): never {
    this.dispose();
    Atomics.store(this.workers.control, Control.FAILED, 0);
    throw new PliantError(
      'world.threads',
      `the workers of the world were lost in the middle of a step (${why}): restore a snapshot; the world goes on with one thread`,
      'failed',
    );
  }

  private startWorkers(): void {
    this.isStarted = true;
    for (let thread = 1; thread < this.wanted; thread++)
      addWorker(this.workers, {
        ...this.start,
        scratchShift: scratchOf(thread) - this.ownScratch,
        thread,
        threads: this.wanted,
      });
  }

  /** Starts the workers if need be, and resolves when each of them runs or is known not to. */
  async ready(): Promise<void> {
    if (!this.isStarted) this.startWorkers();
    const { workers, wanted } = this;
    for (const handle of workers.handles) handle.hold(true);
    while (Atomics.load(workers.control, Control.READY) + workers.lost - workers.lostReady < wanted - 1)
      await new Promise<void>((resolve) => {
        workers.waiting.push(resolve);
      });
    for (const handle of workers.handles) handle.hold(false);
  }

  /** Ends the workers. The pool goes on with the calling thread alone. */
  dispose(): void {
    forgotten.unregister(this.workers);
    endWorkers(this.workers);
    this.isStarted = true;
  }
}

/** Starts one worker. Neither the worker nor its listeners may hold the pool, or the pool would never be garbage. */
function addWorker(workers: Workers, start: WorkerStart): void {
  let state: 'starting' | 'ready' | 'lost' = 'starting';
  const tell = () => {
    for (const resolve of workers.waiting.splice(0)) resolve();
  };
  const onReady = () => {
    state = 'ready';
    tell();
  };
  const onLost = () => {
    if (state === 'lost') return;
    workers.lost++;
    if (state === 'ready') workers.lostReady++;
    state = 'lost';
    tell();
  };
  try {
    const handle = startWorker(WORKER_SOURCE, onReady, onLost);
    workers.handles.push(handle);
    handle.post(start);
  } catch {
    // The policy of the page or the system refuses it: the other threads do the work.
    onLost();
  }
}

function endWorkers({ control, handles }: Workers): void {
  Atomics.store(control, Control.PHASE, Phase.END);
  // A worker that is about to sleep finds another batch, and does not sleep.
  Atomics.add(control, Control.BATCH, 1);
  Atomics.notify(control, Control.BATCH);
  for (const handle of handles.splice(0)) handle.terminate();
}
