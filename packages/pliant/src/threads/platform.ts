/** A worker of Node or of a browser, as the pool uses it. */
export interface WorkerHandle {
  post(message: object): void;
  /** Lets the process end although the worker runs (false), or not. In a browser without effect. */
  hold(isHeld: boolean): void;
  terminate(): void;
}

interface NodeWorker {
  postMessage(message: object): void;
  on(event: string, listener: () => void): void;
  terminate(): void;
  ref(): void;
  unref(): void;
}

type NodeWorkers = { Worker: new (source: string, options: object) => NodeWorker };

/** A module of Node, where there is one: bundlers see no import. */
const builtin = <T>(name: string) => globalThis.process?.getBuiltinModule?.(name) as T | undefined;

/** Number of processors that the platform names, 1 if it names none. */
export function countProcessors(): number {
  const system = builtin<{ availableParallelism?(): number }>('node:os');
  return system?.availableParallelism?.() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** Whether memory can be shared with workers: in Node, and in pages and workers that are cross-origin isolated. */
export function canShareMemory(): boolean {
  return (
    typeof SharedArrayBuffer === 'function' &&
    typeof Atomics === 'object' &&
    globalThis.crossOriginIsolated !== false &&
    (builtin('node:worker_threads') !== undefined || typeof Worker === 'function')
  );
}

/** Whether this thread may wait for others: not that of a page. */
export function canWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a worker with a program given as text. `onReady` is called at its first message, `onLost` if it cannot start or ends. Throws where the
 * platform refuses at once; a page whose content security policy lacks `worker-src blob:` may refuse at once or later.
 */
export function startWorker(source: string, onReady: () => void, onLost: () => void): WorkerHandle {
  const node = builtin<NodeWorkers>('node:worker_threads');
  if (node) {
    const worker = new node.Worker(source, { eval: true, name: 'pliant' });
    worker.on('message', onReady);
    worker.on('error', onLost);
    worker.on('exit', onLost);
    worker.unref();
    return {
      post: (message) => worker.postMessage(message),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      terminate: () => worker.terminate(),
    };
  }
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address, { name: 'pliant' });
  worker.onmessage = () => {
    URL.revokeObjectURL(address);
    onReady();
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    URL.revokeObjectURL(address);
    onLost();
  };
  return { post: (message) => worker.postMessage(message), hold: () => {}, terminate: () => worker.terminate() };
}
