import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { codeVersion, sha256 } from '../hash.js';
import { connect, fileKey, KEPT, PREFIX, presenceKey, presences, queueName, ready, showPresence } from './redis.js';
import { oneAtATime, type QueueOptions, tried } from './runJobs.js';
import type { Job, Outcome } from './task.js';

/** A job as it lies in Redis. */
export interface Parcel {
  task: string;
  input: unknown;
  files: string[];
  timeLimit: number | null;
}

/** Jobs, and bytes of their inputs, that lie in Redis at the same time: enough for hundreds of workers. */
const WINDOW = { jobs: 2000, bytes: 32 << 20 };

/** Seconds to wait for Redis at the start, between two looks at all jobs, and between two looks for workers. */
const [PATIENCE, RECONCILE_EVERY, LOOK_EVERY] = [10, 2, 5];

/** Events that Redis keeps, each with an outcome. Outcomes whose event is gone are fetched from their jobs. */
const MOST_EVENTS = 1000;

/** A custom id of BullMQ is no number. */
const jobIdOf = (id: string): string => `job-${id}`;

/** Hands jobs to the workers of a Redis, by BullMQ, and collects their outcomes. */
export async function runOnRedis(jobs: readonly Job[], options: QueueOptions & { redis: string }): Promise<void> {
  if (jobs.length === 0) return;
  const client = await connect(options.redis, oncePerChange(options.onNote));
  await ready(client, options.redis, PATIENCE);
  const runs = [false, true].map((runsCode) => jobs.filter((job) => (job.runsCode === true) === runsCode));
  const deliver = oneAtATime(options.onOutcome);
  const end = showPresence(client, presenceKey('sweep', `${hostname()}-${process.pid}`), {
    host: hostname(),
    pid: process.pid,
    version: codeVersion(),
  });
  try {
    await Promise.all(
      runs.flatMap((own, k) =>
        own.length > 0 ? [new Dispatch(client, own, k === 1, { ...options, onOutcome: deliver }).run()] : [],
      ),
    );
  } finally {
    await end();
    client.disconnect();
  }
}

/** Removes repetitions of the last line. */
function oncePerChange(onNote: QueueOptions['onNote']): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) onNote?.(line);
    last = line;
  };
}

/**
 * Jobs of one queue. This object keeps the truth about which jobs have not ended; Redis only carries them. Jobs that Redis has lost are added again, and outcomes whose event was missed are
 * fetched, so that neither a restart of Redis, with or without its data, nor the death of a worker loses anything.
 */
class Dispatch {
  private readonly queue: Queue<Parcel, Outcome>;
  private readonly events: QueueEvents;
  /** The connection of `events`, which waits for them. */
  private readonly listener: Redis;
  private readonly aborted: Promise<'aborted'>;
  /** Jobs in Redis that have not ended. */
  private readonly pending = new Map<string, { job: Job; bytes: number }>();
  private readonly rest: Iterator<Job>;
  private next: Job | undefined;
  private bytes = 0;
  private readonly open = new Set<Promise<void>>();
  private readonly commands = new Set<Promise<void>>();
  private failure: unknown;
  /** The last lines about workers and about Redis: each is told once. */
  private told = '';
  private problem = '';
  private progress = 0;

  constructor(
    private readonly client: Redis,
    jobs: readonly Job[],
    private readonly runsCode: boolean,
    private readonly options: QueueOptions & { redis: string },
  ) {
    this.rest = jobs.values();
    this.next = this.rest.next().value;
    const name = queueName(runsCode);
    const settings = { prefix: PREFIX, skipVersionCheck: true };
    this.queue = new Queue(name, { ...settings, connection: client, streams: { events: { maxLen: MOST_EVENTS } } });
    this.listener = client.duplicate();
    this.listener.on('error', () => {});
    this.events = new QueueEvents(name, { ...settings, connection: this.listener });
    const { signal } = options;
    this.aborted = new Promise((resolve) => {
      if (signal?.aborted) resolve('aborted');
      signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
    // A Redis that is away is told by the connection.
    this.queue.on('error', () => {});
    this.events.on('error', () => {});
    this.events.on('completed', ({ jobId, returnvalue }) => this.collect(jobId, returnvalue as unknown as Outcome));
    this.events.on('failed', ({ jobId, failedReason }) => this.collect(jobId, killed(failedReason, this.options)));
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    let [reconciled, looked] = [Date.now(), 0];
    let lost = false;
    const onReady = () => {
      lost = true;
    };
    this.client.on('ready', onReady);
    try {
      await this.attempt(() => this.events.waitUntilReady().then(() => {}));
      while ((this.next !== undefined || this.pending.size > 0) && !signal?.aborted) {
        if (this.failure !== undefined) throw this.failure;
        const fed = await this.attempt(() => this.feed());
        const now = Date.now();
        if (fed && (lost || now - reconciled > 1000 * RECONCILE_EVERY)) {
          lost = !(await this.attempt(() => this.reconcile()));
          reconciled = Date.now();
        }
        if (now - looked > 1000 * LOOK_EVERY) {
          await this.attempt(() => this.lookForWorkers());
          looked = Date.now();
        }
        await sleep(20);
      }
      await Promise.all(this.open);
      if (this.failure !== undefined) throw this.failure;
    } finally {
      this.client.off('ready', onReady);
      await this.close();
    }
  }

  /** Does something in Redis; false if it failed, which a later try repeats. An end of the work ends the wait for a Redis that is away. */
  private async attempt(act: () => Promise<void>): Promise<boolean> {
    try {
      const isDone = (await Promise.race([this.inBackground(act()), this.aborted])) !== 'aborted';
      if (this.problem !== '') this.note('Redis takes work again');
      this.problem = '';
      return isDone;
    } catch (error) {
      if (error instanceof FileChanged) throw error;
      const problem = `Redis refuses work (${(error as Error).message}): trying again, nothing is lost`;
      if (problem !== this.problem) this.note(problem);
      this.problem = problem;
      await sleep(500);
      return false;
    }
  }

  /** Remembers a command that nobody may wait for, until it has ended. */
  private inBackground<T>(command: Promise<T>): Promise<T> {
    const ended = command.then(
      () => {},
      () => {},
    );
    this.commands.add(ended);
    void ended.then(() => this.commands.delete(ended));
    return command;
  }

  /** Adds jobs while the window has room. */
  private async feed(): Promise<void> {
    while (this.next !== undefined && this.pending.size < WINDOW.jobs && this.bytes < WINDOW.bytes) {
      const some: Job[] = [];
      for (; this.next !== undefined && some.length < 100; this.next = this.rest.next().value) some.push(this.next);
      // Pending before they are added: if adding fails half-way, looking at all jobs finds the missing ones.
      for (const job of some) {
        const bytes = JSON.stringify(job.input).length;
        this.pending.set(job.id, { job, bytes });
        this.bytes += bytes;
      }
      await this.add(some);
    }
  }

  private async add(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await this.upload(job);
    const { retries = 2, timeLimit } = this.options;
    await this.queue.addBulk(
      jobs.map(({ id, task, input, files }) => ({
        name: task,
        data: { task, input, files: Object.keys(files ?? {}), timeLimit: timeLimit ?? null },
        opts: {
          // The id makes a job that is there already stay as it is, whoever added it.
          jobId: jobIdOf(id),
          attempts: retries + 1,
          backoff: { type: 'fixed', delay: 200 },
          removeOnComplete: { age: KEPT },
          removeOnFail: { age: KEPT },
        },
      })),
    );
  }

  private readonly uploaded = new Map<string, number>();

  /** Puts the files of a job into Redis, unless they were seen there in the last minute. */
  private async upload({ files = {} }: Job): Promise<void> {
    for (const [hash, path] of Object.entries(files)) {
      if (Date.now() - (this.uploaded.get(hash) ?? 0) < 60_000) continue;
      if (!(await this.client.expire(fileKey(hash), KEPT))) {
        const bytes = await readFile(path);
        if (sha256(bytes) !== hash) throw new FileChanged(path);
        await this.client.set(fileKey(hash), bytes, 'EX', KEPT);
      }
      this.uploaded.set(hash, Date.now());
    }
  }

  /** Takes an outcome, once. */
  private collect(jobId: string, outcome: Outcome): void {
    const id = jobId.slice(jobIdOf('').length);
    const found = this.pending.get(id);
    if (!found || this.options.signal?.aborted) return;
    this.pending.delete(id);
    this.bytes -= found.bytes;
    this.progress++;
    const done = Promise.resolve(this.options.onOutcome(found.job, outcome))
      // After the outcome is kept: until then Redis has it too.
      .then(() => void this.inBackground(this.queue.remove(jobId)).catch(() => {}))
      .catch((error) => {
        this.failure ??= error;
      })
      .finally(() => this.open.delete(done));
    this.open.add(done);
  }

  /** Compares the pending jobs with those in Redis: adds the lost ones again, takes outcomes whose event was missed. */
  private async reconcile(): Promise<void> {
    const before = [...this.pending.keys()];
    const known = new Set(await this.queue.getRanges(['waiting', 'active', 'delayed', 'prioritized'], 0, -1));
    const missing: Job[] = [];
    for (const id of before) {
      if (known.has(jobIdOf(id)) || !this.pending.has(id)) continue;
      const job = await this.queue.getJob(jobIdOf(id));
      const pending = this.pending.get(id);
      if (!pending) continue;
      if (!job) missing.push(pending.job);
      else if (job.finishedOn && job.failedReason && !job.returnvalue)
        this.collect(jobIdOf(id), killed(job.failedReason, this.options));
      else if (job.finishedOn && job.returnvalue) this.collect(jobIdOf(id), job.returnvalue);
    }
    if (missing.length === 0) return;
    // Files may be gone too.
    this.uploaded.clear();
    for (let k = 0; k < missing.length; k += 100) await this.add(missing.slice(k, k + 100));
  }

  /** Says so if nobody can take the jobs. */
  private async lookForWorkers(): Promise<void> {
    const progress = this.progress;
    this.progress = 0;
    const all = await presences(this.client, 'worker');
    const fitting = all.filter(
      ({ version, allowsCode }) => version === codeVersion() && (allowsCode || !this.runsCode),
    );
    if (fitting.length > 0 || progress > 0) {
      if (this.told !== '') this.note(`${fitting.length} worker${fitting.length === 1 ? '' : 's'} there`);
      this.told = '';
      return;
    }
    const others = all.filter(({ version }) => version !== codeVersion());
    const unwilling = all.filter(({ version, allowsCode }) => version === codeVersion() && !allowsCode);
    const line =
      others.length > 0
        ? `no worker of version ${codeVersion()}; ${others.map(({ host, pid, version }) => `${host} (process ${pid}) has ${version}`).join(', ')} and takes none of these jobs`
        : unwilling.length > 0
          ? 'no worker takes jobs with a module of measures: start one with --allow-modules'
          : 'no worker is there: start one with pliant worker --redis URL';
    if (line !== this.told) this.note(`${line}; the jobs wait`);
    this.told = line;
  }

  private note(line: string): void {
    this.options.onNote?.(line);
  }

  /** Takes jobs out of the queue that nobody works on, if the work ended early. */
  private async close(): Promise<void> {
    // Jobs that are just being added, and removals of the last ones. A Redis that is away is not waited for.
    await Promise.race([Promise.all(this.commands), sleep(1000)]);
    if (this.pending.size > 0 && this.client.status === 'ready') {
      const waiting = new Set(await this.queue.getRanges(['waiting', 'delayed', 'prioritized'], 0, -1).catch(() => []));
      const own = [...this.pending.keys()].map(jobIdOf).filter((id) => waiting.has(id));
      await Promise.all(own.map((id) => this.queue.remove(id).catch(() => {})));
    }
    // A Redis that is away cannot be told goodbye.
    await Promise.race([Promise.allSettled([this.events.close(), this.queue.close()]), sleep(1000)]);
    this.listener.disconnect();
  }
}

/** A file of a job has another content than when the job was made. */
class FileChanged extends Error {
  constructor(path: string) {
    super(`${path} changed since the jobs were made; start again to use its new content`);
  }
}

/** BullMQ's reason for a job whose worker died more often than allowed. */
function killed(reason: string, { retries = 2 }: QueueOptions): Outcome {
  return {
    status: 'killed',
    reason: tried(/stalled/.test(reason) ? 'its worker died' : reason, retries + 1),
  };
}
