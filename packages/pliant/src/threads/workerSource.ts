import { CONTROL, Control, JOBS, Job, Phase } from './memoryMap.js';

/** The first message to a worker. */
export interface WorkerStart {
  module: WebAssembly.Module;
  memory: unknown;
  /** Imported by the module: bytes between the scratch of the calling thread and that of this worker. */
  scratchShift: number;
  /** Exports of the module that jobs name by their place in this list. */
  functions: readonly string[];
}

/**
 * Looks at BATCH without success after which a worker sleeps, within a step: about 0.2 ms. A step has stretches of that length and more in which only
 * the calling thread works; to wake a worker takes about 12 µs.
 */
const PATIENCE = 20_000;

/**
 * The program of a worker, as text: packages of any bundler, pages and Node start it without a file of its own. It stays in its loop until the world
 * ends, so it hears no message but the first.
 *
 * A job is taken by compare-and-exchange of the whole word BATCH, with the number of the batch in it. A worker that wakes late therefore never takes a
 * job of a batch whose list it has not seen.
 */
export const WORKER_SOURCE = `'use strict';
const node = typeof process === 'object' && process.getBuiltinModule && process.getBuiltinModule('node:worker_threads');
const port = node && node.parentPort ? node.parentPort : self;
const listen = ({ module, memory, scratchShift, functions }) => {
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
  Atomics.add(control, ${Control.READY}, 1);
  port.postMessage('ready');
  let looks = 0;
  for (;;) {
    const batch = Atomics.load(control, ${Control.BATCH});
    const left = batch & 255;
    if (left > 0) {
      if (Atomics.compareExchange(control, ${Control.BATCH}, batch, batch - 1) === batch)
        perform(${Job.LENGTH} * (left - 1));
      looks = 0;
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
