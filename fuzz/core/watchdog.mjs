import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/**
 * Watches the main thread from a thread of its own. The main thread calls `beat` as it works; if two beats are more than `seconds` of CPU time apart (not of time: machines are busy), or
 * the process takes more than `megabytes`, the watchdog says where the main thread is, on standard error, and ends the process.
 */
export class Watchdog {
  #beat = new Int32Array(new SharedArrayBuffer(8));
  #worker;

  constructor({ seconds, megabytes }) {
    this.#worker = new Worker(new URL(import.meta.url), {
      workerData: { beat: this.#beat, seconds, megabytes },
      stderr: false,
    });
    this.#worker.unref();
  }

  /** Something new begins: the clock starts again. */
  beat() {
    Atomics.add(this.#beat, 0, 1);
    Atomics.store(this.#beat, 1, 1);
  }

  /** Nothing is to be done: there is nothing to watch. */
  rest() {
    Atomics.store(this.#beat, 1, 0);
  }

  /** From now on one beat may last this long. */
  set seconds(value) {
    this.#worker.postMessage(value);
  }
}

/** The mark by which the parent finds the watchdog's line in a child's standard error. */
export const MARK = '@@watchdog ';

if (!isMainThread && workerData?.beat) {
  const { beat, megabytes } = workerData;
  let { seconds } = workerData;
  const { parentPort } = await import('node:worker_threads');
  parentPort.on('message', (value) => {
    seconds = value;
  });
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let [seen, since] = [-1, cpu()];
  setInterval(() => {
    const now = Atomics.load(beat, 0);
    if (now !== seen || Atomics.load(beat, 1) === 0) [seen, since] = [now, cpu()];
    if (process.memoryUsage.rss() > megabytes * 2 ** 20) tell('memory', `more than ${megabytes} MB in use`);
    else if (cpu() - since > seconds) tell('hang', `no return within ${seconds} s of CPU time`);
  }, 100);
}

let told = false;
function tell(kind, message) {
  if (told) return;
  told = true;
  const end = (stack) => {
    writeSync(2, `\n${MARK}${JSON.stringify({ kind, message, stack })}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  // The main thread cannot be asked; it can be stopped as by a debugger.
  const session = new Session();
  const urls = new Map();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) =>
    end(
      callFrames
        .map(
          ({ functionName, location: { scriptId, lineNumber } }) =>
            `    at ${functionName || '<anonymous>'} (${urls.get(scriptId) ?? ''}:${lineNumber + 1})`,
        )
        .join('\n'),
    ),
  );
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  setTimeout(() => end(''), 3000);
}
