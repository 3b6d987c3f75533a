import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job as QueuedJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { codeVersion, sha256 } from '../hash.js';
import { ProcessPool } from './processPool.js';
import { connect, fileKey, PREFIX, presenceKey, presences, queueName, ready, showPresence } from './redis.js';
import { ownTasks } from './runJobs.js';
import type { Parcel } from './runOnRedis.js';
import type { Outcome, Tasks } from './task.js';

/** Options of `runWorker`. */
export interface WorkerOptions {
  /** Address of the Redis. */
  redis: string;
  /** Jobs at the same time, each in a process of its own. Default: the number of cores. */
  processes?: number;
  /** Whether jobs may bring code that runs here: modules of measures. Everyone who can write to the Redis can then run anything on this machine. Default false. */
  allowModules?: boolean;
  /** Seconds without a sign of life after which this worker counts as dead, and others take its jobs. Default 15. */
  deadAfter?: number;
  /** Told what happens, a line each. */
  onNote?(line: string): void;
  /** Told after every job. */
  onJob?(done: number): void;
  /** Ends the worker after the jobs that it has begun. */
  signal?: AbortSignal;
  /** Modules of tasks beside 'simulate'. */
  tasks?: Tasks;
}

/** How often a job may lose its worker before it counts as the one that kills them. */
const MOST_DEATHS = 3;

/** Seconds between two looks for sweeps of another version. */
const LOOK_EVERY = 5;

/** Takes jobs from a Redis until `signal` says stop. All results go back through Redis: a worker needs no folder in common with anyone. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const {
    processes = availableParallelism(),
    allowModules = false,
    deadAfter = 15,
    signal,
    onNote = () => {},
  } = options;
  const client = await connect(options.redis, onNote);
  await ready(client, options.redis, 10);
  const pool = new ProcessPool(processes, { ...ownTasks(), ...options.tasks });
  const files = new FileCache(client);
  let done = 0;
  const work = async ({ data, id }: QueuedJob<Parcel, Outcome>): Promise<Outcome> => {
    const local: Record<string, string> = {};
    for (const hash of data.files) local[hash] = await files.path(hash);
    const job = { id: id!, task: data.task, input: data.input, files: local };
    const outcome = await pool.run(job, data.timeLimit ?? undefined);
    done++;
    options.onJob?.(done);
    // Thrown, so that the queue tries it again, perhaps on a machine with more memory.
    if (outcome.status === 'killed') throw new Error(outcome.reason);
    return outcome;
  };
  const end = showPresence(client, presenceKey('worker', `${hostname()}-${process.pid}`), {
    host: hostname(),
    pid: process.pid,
    version: codeVersion(),
    processes,
    allowsCode: allowModules,
  });
  const connections = [client];
  const workers = [false, ...(allowModules ? [true] : [])].map((runsCode) => {
    const connection = client.duplicate();
    connection.on('error', () => {});
    connections.push(connection);
    const worker = new Worker<Parcel, Outcome>(queueName(runsCode), work, {
      connection,
      prefix: PREFIX,
      concurrency: processes,
      lockDuration: 1000 * deadAfter,
      stalledInterval: 500 * deadAfter,
      maxStalledCount: MOST_DEATHS,
      // After Redis was away, work goes on within a second.
      runRetryDelay: 500,
      drainDelay: 1,
      skipVersionCheck: true,
    });
    // Redis that is away is told by the connection; a job that was lost with it is added again by its sweep.
    worker.on('error', () => {});
    return worker;
  });
  onNote(`version ${codeVersion()}, ${processes} process${processes === 1 ? '' : 'es'}; waiting for jobs`);
  let told = '';
  for (let looked = 0; !signal?.aborted; await sleep(50)) {
    if (Date.now() - looked < 1000 * LOOK_EVERY || client.status !== 'ready') continue;
    looked = Date.now();
    const others = await presences(client, 'sweep').catch(() => []);
    const foreign = others.filter(({ version }) => version !== codeVersion());
    const line = foreign.map(({ host, version }) => `a sweep of ${host} needs version ${version}`).join('; ');
    if (line !== '' && line !== told) onNote(`${line}; this worker has ${codeVersion()} and takes none of its jobs`);
    told = line;
  }
  // Waits for the jobs in work; a Redis that is away is not waited for.
  const waiting = new AbortController();
  await Promise.race([Promise.allSettled(workers.map((worker) => worker.close())), untilGone(client, waiting.signal)]);
  waiting.abort();
  pool.close();
  await end();
  await files.remove();
  for (const connection of connections) connection.disconnect();
}

/** Returns when Redis has been away for five seconds, or when nobody waits any more. */
async function untilGone(client: Redis, signal: AbortSignal): Promise<void> {
  for (let away = 0; away < 50 && !signal.aborted; away = client.status === 'ready' ? 0 : away + 1) await sleep(100);
}

/** Files of jobs on this machine, fetched once each. */
class FileCache {
  private readonly known = new Map<string, Promise<string>>();
  private folder: Promise<string> | undefined;

  constructor(private readonly client: Redis) {}

  path(hash: string): Promise<string> {
    const found = this.known.get(hash) ?? this.fetch(hash);
    this.known.set(hash, found);
    found.catch(() => this.known.delete(hash));
    return found;
  }

  async remove(): Promise<void> {
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
  }

  private async fetch(hash: string): Promise<string> {
    const bytes = await this.client.getBuffer(fileKey(hash));
    if (!bytes || sha256(bytes) !== hash) throw new Error(`Redis does not have the file ${hash} of the job`);
    this.folder ??= mkdtemp(join(tmpdir(), 'pliant-worker-'));
    const path = join(await this.folder, hash);
    await writeFile(path, bytes);
    return path;
  }
}
