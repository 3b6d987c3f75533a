import { bytesOfText } from '../../math/bytesOfText.js';
import { BINARY, MEMORY_IMPORT } from './binary.generated.js';

/** Limits of a shared memory in a binary: at least two pages, at most 65536. */
const SHARED = 3;
const MOST_PAGES = [0x80, 0x80, 0x04];

let plain: Promise<WebAssembly.Module> | undefined;
let shared: Promise<WebAssembly.Module> | undefined;

/** The kernels as a module that imports a memory of its own, or a shared one. Each is compiled once for all worlds. */
export function compileKernels(isShared: boolean): Promise<WebAssembly.Module> {
  if (isShared) return (shared ??= WebAssembly.compile(withSharedMemory(bytesOfText(BINARY))));
  return (plain ??= WebAssembly.compile(bytesOfText(BINARY)));
}

/**
 * The package holds one binary for both: they differ in the limits of the memory that they import. A shared memory must have a maximum, which is three
 * bytes more.
 */
function withSharedMemory(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { section, limits } = MEMORY_IMPORT;
  const added = new Uint8Array(bytes.length + MOST_PAGES.length);
  added.set(bytes.subarray(0, limits + 2));
  added.set(MOST_PAGES, limits + 2);
  added.set(bytes.subarray(limits + 2), limits + 2 + MOST_PAGES.length);
  added[section] += MOST_PAGES.length;
  added[limits] = SHARED;
  return added;
}
