// Everything that the engine uses beyond the language itself. Its tsconfig includes neither the types of the DOM nor
// those of Node, so that any other use of a platform is a compile error.

declare const performance: { now(): number };

declare class URL {
  constructor(url: string, base: string);
}

interface ImportMeta {
  readonly url: string;
}

declare function setTimeout(act: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare function setInterval(act: () => void, ms: number): unknown;
declare function clearInterval(timer: unknown): void;

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBufferLike;
    grow(pages: number): number;
  }
  interface Module {
    readonly exports?: never;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: { env: { memory: Memory; scratchShift: number } }): Promise<Instance>;
}

// Needed by threads (threads/platform.ts, world/asyncBody.ts): each of these may be missing, and is looked for.

declare var process: { getBuiltinModule?(name: string): unknown } | undefined;
declare var navigator: { hardwareConcurrency?: number } | undefined;
declare var crossOriginIsolated: boolean | undefined;

/** A thread of a browser. Node has none of that name. */
declare class Worker {
  constructor(address: string | URL, options: { name?: string; type?: 'module' });
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { preventDefault?(): void }) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

declare class Blob {
  constructor(parts: string[], options: { type: string });
}

declare namespace URL {
  function createObjectURL(blob: Blob): string;
  function revokeObjectURL(address: string): void;
}
