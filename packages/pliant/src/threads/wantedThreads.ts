import { MOST_THREADS } from './memoryMap.js';
import { countProcessors } from './platform.js';

/** How many threads a world may have, and whether it is to use them however small it is. Undefined: only the calling one. */
export function wantedThreads(threads: number | 'auto'): { most: number; always: boolean } | undefined {
  const most = threads === 'auto' ? Math.min(MOST_THREADS, countProcessors()) : threads;
  return most > 1 ? { most, always: threads !== 'auto' } : undefined;
}
