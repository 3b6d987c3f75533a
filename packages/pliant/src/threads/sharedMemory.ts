import { LEAST_PAGES, type LinearMemory } from '../state/state.js';
import { canShareMemory } from './platform.js';

/**
 * Pages (64 KiB) that a shared memory may grow to, the first that the system grants. A shared memory cannot move, so its whole range of addresses is
 * reserved when it is made: 4 GiB, as much as other worlds have, on 64-bit systems; less on phones.
 */
const MOST_PAGES = [65536, 16384, 4096];

/** A memory that workers can share, or undefined where there is none. */
export function createSharedMemory(): LinearMemory | undefined {
  if (!canShareMemory()) return undefined;
  for (const maximum of MOST_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: LEAST_PAGES, maximum, shared: true });
    } catch {
      // Tries less.
    }
  }
  return undefined;
}
