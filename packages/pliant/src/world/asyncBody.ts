import { builtFrom } from '../asset/record.js';
import type { Body } from '../body/body.js';
import { type BuiltBody, buildSteps, isBuilt } from '../body/build.js';
import type { BodyOptions } from '../body/options.js';
import type { BuildAnswer } from '../buildWorker.js';
import { PliantError } from '../check.js';
import { type BuildWatch, Work } from '../work.js';
import type { World } from '../world.js';
import { addBuilt, checkRoom } from './bodies.js';

export async function addBodyAsync(
  world: World,
  options: BodyOptions | BuiltBody,
  watch: BuildWatch = {},
): Promise<Body> {
  world.core.check();
  const work = new Work(watch);
  if (isBuilt(options)) return addBuilt(world, options, {}, work);
  checkRoom(world, options);
  const built = await buildApart(options, work, watch);
  // The world may have been disposed meanwhile, or filled.
  world.core.checkIdle('addBodyAsync');
  return addBuilt(world, built, {}, work);
}

/**
 * `buildBody` in a thread of its own, as `world.addBodyAsync` does it; on the calling thread, in parts, where no thread starts. The result can be added any number of times.
 *
 * @example
 * const brick = await pliant.buildBodyAsync({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 100 } });
 * for (let k = 0; k < 50; k++) world.addBody(brick, { position: [0, 0.05 + 0.1 * k, 0] });
 */
export async function buildBodyAsync(options: BodyOptions, watch: BuildWatch = {}): Promise<BuiltBody> {
  return await buildApart(options, new Work(watch), watch);
}

const buildApart = async (options: BodyOptions, work: Work, watch: BuildWatch): Promise<BuiltBody> =>
  (await buildInThread(options, work, watch)) ?? (await buildInParts(options, work));

/** On the calling thread, with a pause between the parts of the build in which other things go on. */
async function buildInParts(options: BodyOptions, work: Work): Promise<BuiltBody> {
  const steps = buildSteps(options, 'body', work);
  for (;;) {
    await new Promise<void>((resume) => setTimeout(resume, 0));
    work.ask();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** How often a signal without events is looked at (ms). */
const LOOK_EVERY = 20;

/**
 * In a thread of its own. Undefined if there are no threads, if the thread does not start (a bundler that does not copy it, or a page that forbids it), or if the options cannot be sent to it:
 * functions cannot.
 */
async function buildInThread(options: BodyOptions, work: Work, { signal }: BuildWatch): Promise<BuiltBody | undefined> {
  const thread = takeThread();
  if (!thread) return undefined;
  let looking: ReturnType<typeof setInterval> | undefined;
  let isDone = false;
  try {
    return await new Promise<BuiltBody | undefined>((resolve, reject) => {
      const look = () => {
        try {
          work.ask();
        } catch (error) {
          reject(error);
        }
      };
      thread.listen(
        (answer) => {
          hasAnswered = true;
          isDone = answer.type !== 'progress' && answer.type !== 'failed';
          try {
            if (answer.type === 'progress') work.hear(answer.progress);
            else if (answer.type === 'built') resolve(builtFrom(answer.asset));
            else if (answer.type === 'refused') reject(new PliantError(answer.path, answer.message, answer.code));
            else reject(answer.error);
          } catch (error) {
            // An exception of `onProgress` ends the build.
            reject(error);
          }
        },
        () => {
          hasFailed ||= !hasAnswered;
          resolve(undefined);
        },
      );
      try {
        thread.send(options);
      } catch {
        isDone = true;
        resolve(undefined);
      }
      if (signal) looking = setInterval(look, LOOK_EVERY);
    });
  } finally {
    if (looking !== undefined) clearInterval(looking);
    if (isDone) keepThread(thread);
    else thread.end();
  }
}

interface Thread {
  send(options: BodyOptions): void;
  listen(onAnswer: (answer: BuildAnswer) => void, onFailure: () => void): void;
  /** Whether the thread keeps a Node process from ending. */
  hold(isHeld: boolean): void;
  end(): void;
}

/** A thread that waits for the next build: to start one takes longer than to build a small body. It ends after this time (ms). */
let waiting: { thread: Thread; timer: ReturnType<typeof setTimeout> } | undefined;
const WAIT = 2000;
/** Whether any thread has answered, and whether one has failed before that: then none starts here. */
let hasAnswered = false;
let hasFailed = false;

/** Undefined where there are no threads. */
function takeThread(): Thread | undefined {
  if (hasFailed) return undefined;
  if (!waiting) return startThread();
  const { thread, timer } = waiting;
  waiting = undefined;
  clearTimeout(timer);
  thread.hold(true);
  return thread;
}

function keepThread(thread: Thread): void {
  if (waiting) {
    thread.end();
    return;
  }
  thread.hold(false);
  thread.listen(
    () => {},
    () => endWaiting(thread),
  );
  const timer = setTimeout(() => endWaiting(thread), WAIT);
  // A number in browsers.
  (timer as { unref?(): void }).unref?.();
  waiting = { thread, timer };
}

function endWaiting(thread: Thread): void {
  if (waiting?.thread !== thread) return;
  clearTimeout(waiting.timer);
  waiting = undefined;
  thread.end();
}

function startThread(): Thread | undefined {
  try {
    if (typeof Worker === 'function') {
      // Bundlers look for this very expression.
      const worker = new Worker(new URL('../buildWorker.js', import.meta.url), { type: 'module' });
      return {
        send: (options) => worker.postMessage(options),
        listen: (onAnswer, onFailure) => {
          worker.onmessage = ({ data }) => onAnswer(data as BuildAnswer);
          worker.onerror = (event) => {
            event.preventDefault?.();
            onFailure();
          };
          worker.onmessageerror = onFailure;
        },
        hold: () => {},
        end: () => worker.terminate(),
      };
    }
    return startNodeThread();
  } catch {
    return undefined;
  }
}

interface NodeWorker {
  postMessage(message: unknown): void;
  on(name: 'message', listener: (message: BuildAnswer) => void): void;
  on(name: 'error' | 'messageerror', listener: () => void): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

function startNodeThread(): Thread | undefined {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads') as
    | { Worker: new (url: URL) => NodeWorker }
    | undefined;
  if (!threads) return undefined;
  // Not in one expression with `new Worker`: bundlers for browsers would take it for theirs.
  const url = new URL('../buildWorker.js', import.meta.url);
  const worker = new threads.Worker(url);
  let [hear, fail]: [(answer: BuildAnswer) => void, () => void] = [() => {}, () => {}];
  worker.on('message', (answer) => hear(answer));
  worker.on('error', () => fail());
  worker.on('messageerror', () => fail());
  return {
    send: (options) => worker.postMessage(options),
    listen: (onAnswer, onFailure) => {
      [hear, fail] = [onAnswer, onFailure];
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}
