// Everything that the engine uses beyond the language itself. Its tsconfig includes neither the types of the DOM nor
// those of Node, so that any other use of a platform is a compile error.

declare function atob(text: string): string;

declare const performance: { now(): number };

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Module {
    readonly exports?: never;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: { env: { memory: Memory } }): Promise<Instance>;
}
