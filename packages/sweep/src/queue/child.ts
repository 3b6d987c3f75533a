// The process that runs jobs, one after the other: started by ProcessPool, to which it sends every outcome.
import { readFile } from 'node:fs/promises';
import { PliantError } from 'pliant';
import { sha256 } from '../hash.js';
import type { Outcome, TaskModule } from './task.js';

/** A job as the pool sends it: with the address of its task's module. */
export interface Order {
  module: string;
  input: unknown;
  files: Readonly<Record<string, string>>;
}

async function fileOf(files: Order['files'], hash: string): Promise<Uint8Array> {
  const path = files[hash];
  if (path === undefined) throw new Error(`the job has no file ${hash}`);
  const bytes = await readFile(path);
  if (sha256(bytes) !== hash)
    throw new Error(`${path} changed since the jobs were made; start again to use its new content`);
  return bytes;
}

async function execute({ module, input, files }: Order): Promise<Outcome> {
  try {
    const task: TaskModule = await import(module);
    // From now on the time of the job counts, not that of starting the process.
    process.send!('begun');
    return { status: 'done', value: await task.run(input, { file: (hash) => fileOf(files, hash) }) };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
    return { status: error instanceof PliantError ? 'refused' : 'failed', reason };
  }
}

// Ctrl C in a terminal reaches all processes of the group: the parent decides.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
// Without its parent nobody wants the results.
process.on('disconnect', () => process.exit(0));
process.on('message', async (order: Order) => process.send!(await execute(order)));
