// Everything that the engine uses beyond the language itself. Its tsconfig includes neither the types of the DOM nor
// those of Node, so that any other use of a platform is a compile error.

declare function atob(text: string): string;

declare const performance: { now(): number };

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

// Needed by threads (threads/platform.ts): each of these may be missing, and is looked for.

declare var process: { getBuiltinModule?(name: string): unknown } | undefined;
declare var navigator: { hardwareConcurrency?: number } | undefined;
declare var crossOriginIsolated: boolean | undefined;

declare class Worker {
  constructor(address: string, options: { name: string });
  onmessage: (() => void) | null;
  onerror: ((event: { preventDefault(): void }) => void) | null;
  postMessage(message: object): void;
  terminate(): void;
}

declare class Blob {
  constructor(parts: string[], options: { type: string });
}

declare namespace URL {
  function createObjectURL(blob: Blob): string;
  function revokeObjectURL(address: string): void;
}
