import { CONTROL, Control, JOBS, Job, Phase } from './memoryMap.js';

/** The first message to a worker. */
export interface WorkerStart {
  module: WebAssembly.Module;
  memory: unknown;
  /** Imported by the module: bytes between the scratch of the calling thread and that of this worker. */
  scratchShift: number;
  /** Exports of the module that jobs name by their place in this list. */
  functions: readonly string[];
  /** Number of this thread, and how many there are. */
  thread: number;
  threads: number;
}

/**
 * Looks at BATCH without success after which a worker sleeps, within a step: about 1 ms. A step has stretches of that length in which only the calling thread
 * works. To wake a worker takes the calling thread 16 µs, and the worker begins 43 µs late.
 */
const PATIENCE = 500_000;

/**
 * The program of a worker, as text: packages of any bundler, pages and Node start it without a file of its own. It stays in its loop until the world
 * ends, so it hears no message but the first.
 *
 * A word of SHARES names the jobs that are free now, whichever batch the worker believes to be in: one that wakes late may take a job of a later batch. The list of
 * jobs is written before the words, and is read after a job was taken.
 */
export const WORKER_SOURCE = `'use strict';
const node = typeof process === 'object' && process.getBuiltinModule && process.getBuiltinModule('node:worker_threads');
const port = node && node.parentPort ? node.parentPort : self;
const listen = ({ module, memory, scratchShift, functions, thread, threads }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, scratchShift } });
  const call = functions.map((name) => exports[name]);
  const control = new Int32Array(memory.buffer, ${CONTROL}, ${Control.LENGTH});
  const jobs = new Float64Array(memory.buffer, ${JOBS});
  const perform = (at) => {
    try {
      jobs[at + ${Job.RESULT}] = call[jobs[at]](
        jobs[at + 1], jobs[at + 2], jobs[at + 3], jobs[at + 4], jobs[at + 5], jobs[at + 6], jobs[at + 7], jobs[at + 8],
        jobs[at + 9], jobs[at + 10], jobs[at + 11], jobs[at + 12], jobs[at + 13], jobs[at + 14],
      );
    } catch {
      Atomics.add(control, ${Control.FAILED}, 1);
    }
    Atomics.add(control, ${Control.DONE}, 1);
    if (Atomics.load(control, ${Control.AWAITED})) Atomics.notify(control, ${Control.DONE});
  };
  const take = (of, own) => {
    const at = ${Control.SHARES} + ${Control.SHARE} * of;
    for (let share = Atomics.load(control, at); share >> 8 < (share & 255); share = Atomics.load(control, at))
      if (Atomics.compareExchange(control, at, share, own ? share + 256 : share - 1) === share)
        perform(${Job.LENGTH} * (own ? share >> 8 : (share & 255) - 1));
  };
  Atomics.add(control, ${Control.READY}, 1);
  port.postMessage('ready');
  for (let looks = 0, seen = 0; ; ) {
    const batch = Atomics.load(control, ${Control.BATCH});
    if (batch !== seen) {
      seen = batch;
      looks = 0;
      for (let n = 0; n < threads; n++) take((thread + n) % threads, n === 0);
      continue;
    }
    const phase = Atomics.load(control, ${Control.PHASE});
    if (phase === ${Phase.END}) break;
    if (phase === ${Phase.STEP} && ++looks < ${PATIENCE}) continue;
    Atomics.add(control, ${Control.ASLEEP}, 1);
    Atomics.wait(control, ${Control.BATCH}, batch);
    Atomics.sub(control, ${Control.ASLEEP}, 1);
    looks = 0;
  }
  port.close();
};
if (node) port.once('message', listen);
else port.onmessage = ({ data }) => listen(data);
`;
