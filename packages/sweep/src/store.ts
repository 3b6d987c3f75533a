import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PliantError } from 'pliant';
import type { Outcome } from './queue/task.js';
import type { SimulationResult } from './simulate.js';

/** A run that ended, as its file holds it. */
export interface StoredRun {
  /** Identity of the run: the name of its file. */
  id: string;
  /** How it ended. 'not finite' runs have the values from before; 'not run' is in tables only, of a sweep that was stopped. */
  status: 'done' | 'not finite' | 'not run' | Exclude<Outcome['status'], 'done'>;
  /** Why it is not done. */
  reason?: string;
  /** Values and series, where there are some. */
  result?: SimulationResult;
}

/** The stored form of an outcome. */
export function storedRun(id: string, outcome: Outcome): StoredRun {
  if (outcome.status !== 'done') return { id, status: outcome.status, reason: outcome.reason };
  const result = outcome.value as SimulationResult;
  return result.notFinite === undefined
    ? { id, status: 'done', result }
    : { id, status: 'not finite', reason: result.notFinite, result };
}

/** Whether a run would end the same way again: it is not repeated. */
export const isFinal = ({ status }: StoredRun): boolean => ['done', 'not finite', 'refused'].includes(status);

/** A run without its picture, which is the largest part of it: all runs are in memory at the end. */
export function withoutPicture(run: StoredRun): StoredRun {
  return run.result ? { ...run, result: { ...run.result, thumbnail: undefined } } : run;
}

/** Errors of a disk that pass when somebody makes room. */
const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota on this disk is used up',
};

/** Writes a file as a whole: under another name first, then renamed. Replaceable, for tests. */
export type WriteWhole = (path: string, content: string | Uint8Array) => Promise<void>;

/** Makes a folder and its parents. Node's own recursive mkdir never returns if a folder cannot be made inside one that exists (/proc/x). */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

export const writeWhole: WriteWhole = async (path, content) => {
  const aside = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  try {
    await makeFolder(dirname(path));
    const handle = await open(aside, 'wx');
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  }
};

/** A folder with the results of a sweep: a file for each run, written by one process at a time. */
export class Store {
  private readonly lock: string;
  private locked = false;

  constructor(
    readonly folder: string,
    private readonly options: {
      onNote?(line: string): void;
      signal?: AbortSignal;
      write?: WriteWhole;
      retryEvery?: number;
    } = {},
  ) {
    this.lock = join(folder, '.lock');
  }

  path = (name: string): string => join(this.folder, name);

  /** Makes the folder and takes it. @throws PliantError if another sweep has it, or if it cannot be made. */
  async open(): Promise<void> {
    if (this.folder === '') throw new PliantError('--out', '--out is empty; expected the name of a folder.');
    try {
      await makeFolder(this.path('runs'));
      await this.take();
    } catch (error) {
      if (error instanceof PliantError) throw error;
      throw new PliantError('--out', `--out: cannot write to the folder ${this.folder} (${(error as Error).message}).`);
    }
    // A process that was killed while it wrote leaves its temporary file.
    for (const name of await readdir(this.path('runs')))
      if (name.endsWith('.part')) await rm(this.path(`runs/${name}`), { force: true });
  }

  /** The runs of these ids that ended in a way that repeats itself. */
  async final(ids: readonly string[]): Promise<Map<string, StoredRun>> {
    const names = new Set(await readdir(this.path('runs')));
    const found = new Map<string, StoredRun>();
    for (const id of ids)
      if (names.has(`${id}.json`)) {
        const run = await this.read(id);
        if (run && isFinal(run)) found.set(id, withoutPicture(run));
      }
    return found;
  }

  /** A stored run; undefined if there is none, or if its file is damaged. */
  async read(id: string): Promise<StoredRun | undefined> {
    try {
      const run = JSON.parse(await readFile(this.path(`runs/${id}.json`), 'utf8')) as StoredRun;
      return run.id === id && typeof run.status === 'string' ? run : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(run: StoredRun): Promise<void> {
    await this.write(`runs/${run.id}.json`, `${JSON.stringify(run)}\n`);
  }

  /**
   * Writes a file as a whole. While the disk is full it says so and waits: nothing else is begun meanwhile. @throws PliantError for other errors, and if the sweep
   * is ended while it waits.
   */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    const { onNote, signal, write = writeWhole, retryEvery = 2 } = this.options;
    for (let told = false; ; ) {
      try {
        await write(this.path(name), content);
        if (told) onNote?.(`${this.folder}: there is room again`);
        return;
      } catch (error) {
        const reason = FULL[(error as NodeJS.ErrnoException).code ?? ''];
        if (reason === undefined || signal?.aborted)
          throw new NotWritten(`--out: cannot write ${this.path(name)}: ${reason ?? (error as Error).message}.`);
        if (!told) onNote?.(`cannot write ${this.path(name)}: ${reason}; waiting for room, nothing is lost`);
        told = true;
        await sleep(1000 * retryEvery, undefined, { signal }).catch(() => {});
      }
    }
  }

  async close(): Promise<void> {
    if (this.locked) await unlink(this.lock).catch(() => {});
    this.locked = false;
  }

  private async take(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await writeFile(this.lock, JSON.stringify({ host: hostname(), pid: process.pid }), { flag: 'wx' });
        this.locked = true;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = await this.holder();
      if (holder !== undefined || tries > 5)
        throw new PliantError(
          '--out',
          `--out ${this.folder} is in use by process ${holder?.pid} on ${holder?.host}; expected a folder of its own, or ${this.lock} removed if that process is gone.`,
        );
      await rm(this.lock, { force: true });
    }
  }

  /** The process that has the folder; undefined if it is gone. */
  private async holder(): Promise<{ host: string; pid: number } | undefined> {
    const text = await readFile(this.lock, 'utf8').catch(() => '');
    let holder: { host: string; pid: number };
    try {
      holder = JSON.parse(text);
    } catch {
      // Empty for a moment, while it is being written; for longer if that process was killed.
      const age = Date.now() - ((await stat(this.lock).catch(() => undefined))?.mtimeMs ?? 0);
      return age < 5000 ? { host: hostname(), pid: 0 } : undefined;
    }
    if (holder.host !== hostname()) return holder;
    try {
      process.kill(holder.pid, 0);
      return holder;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? holder : undefined;
    }
  }
}

/** A result that could not be written. */
export class NotWritten extends PliantError {
  constructor(message: string) {
    super('--out', message);
  }
}
