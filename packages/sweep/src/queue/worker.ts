import type { WorkerOptions } from './runWorker.js';

export type { WorkerOptions };

/** Takes jobs from a Redis until `signal` says stop. BullMQ is loaded only here and by `runJobs` with `redis`. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const worker = await import('./runWorker.js');
  await worker.runWorker(options);
}
