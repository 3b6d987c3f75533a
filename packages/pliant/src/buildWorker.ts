import { type BodyAsset, describeBuilt } from './asset/record.js';
import { buildBody } from './body/build.js';
import type { BodyOptions } from './body/options.js';
import { PliantError } from './check.js';
import { type BuildProgress, Work } from './work.js';

// The thread that `world.addBodyAsync` builds bodies in, one after the other: it gets the options, and answers with progress and then with the built body or why there is none.

/** A message of this thread. */
export type BuildAnswer =
  | { type: 'progress'; progress: BuildProgress }
  | { type: 'built'; asset: BodyAsset }
  | { type: 'refused'; path: string; message: string; code: PliantError['code'] }
  | { type: 'failed'; error: unknown };

interface Port {
  postMessage(message: BuildAnswer, transfer?: readonly ArrayBuffer[]): void;
}

/** Progress is told when it has grown by this much: some hundred messages a build. */
const STEP = 0.005;

function build(port: Port, options: BodyOptions): void {
  let told = -1;
  const work = new Work({
    onProgress: (progress) => {
      if (progress.done < told + STEP) return;
      told = progress.done;
      port.postMessage({ type: 'progress', progress });
    },
  });
  try {
    const asset = describeBuilt(buildBody(options, 'body', work));
    const buffers = new Set<ArrayBuffer>();
    collectBuffers(asset, buffers);
    port.postMessage({ type: 'built', asset }, [...buffers]);
  } catch (error) {
    if (error instanceof PliantError)
      port.postMessage({ type: 'refused', path: error.path, message: error.message, code: error.code });
    else port.postMessage({ type: 'failed', error });
  }
}

/** The buffers of all typed arrays in plain data, which are moved and not copied. */
function collectBuffers(value: unknown, into: Set<ArrayBuffer>): void {
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) into.add(value.buffer as ArrayBuffer);
  else for (const part of Object.values(value)) collectBuffers(part, into);
}

interface NodeThreads {
  isMainThread: boolean;
  parentPort: (Port & { on(name: 'message', listener: (options: BodyOptions) => void): void }) | null;
}

const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined;
if (threads) {
  const { parentPort } = threads;
  parentPort?.on('message', (options) => build(parentPort, options));
} else {
  const scope = globalThis as unknown as Port & { onmessage: ((event: { data: BodyOptions }) => void) | null };
  scope.onmessage = ({ data }) => build(scope, data);
}
