import { ARENA_START, POINTER_TABLE } from '../state/layout.js';

/** Threads of a world at most, the calling one among them. Each has its scratch in the memory of the world. */
export const MOST_THREADS = 8;

/**
 * Numbers of a job, in f64: that of its function, the first and the end of its rows, up to twelve further arguments, and the number that the function
 * returned.
 */
export const Job = { FUNCTION: 0, START: 1, END: 2, ARGUMENTS: 3, RESULT: 15, LENGTH: 16 } as const;
/** Byte address of the list of jobs. The table of array addresses, which is before it, is shorter than 4 kB. */
export const JOBS = POINTER_TABLE + 4096;
/** Jobs of one batch at most: the list ends where the scratch of threads begins. */
export const MOST_JOBS = 224;

/** Bytes between the scratch of two threads. */
const SCRATCH_STRIDE = 8192;
const THREAD_SCRATCH = JOBS + 8 * Job.LENGTH * MOST_JOBS;

/** Byte address of the scratch of a thread other than the calling one, which is thread 0. */
export const scratchOf = (thread: number) => THREAD_SCRATCH + SCRATCH_STRIDE * (thread - 1);

/** Byte address of the control words: i32, each in a cache line of its own, so that writers of different words do not wait for each other. */
export const CONTROL = scratchOf(MOST_THREADS);
const LINE = 16;

/** The control words, as indices of i32 from CONTROL on. */
export const Control = {
  /** Number of the batch. Workers look out for a new one. */
  BATCH: 0,
  /** Jobs of the batch that workers have done. */
  DONE: LINE,
  /** Workers that wait for BATCH to change. */
  ASLEEP: 2 * LINE,
  /** One of Phase. */
  PHASE: 3 * LINE,
  /** Workers that have started. */
  READY: 4 * LINE,
  /** 1 while the calling thread waits for DONE. */
  AWAITED: 5 * LINE,
  /** Jobs of workers that threw. */
  FAILED: 6 * LINE,
  /**
   * Of each thread its share of the jobs, those that nobody has taken yet: the first in bits 8 to 15, the end in the lower 8. A thread takes a job by a
   * compare-and-exchange: the first of its own share, or the last of that of another.
   */
  SHARES: 7 * LINE,
  SHARE: LINE,
  LENGTH: (7 + MOST_THREADS) * LINE,
} as const;

/** Phases of a step for workers that have no job: they sleep between steps, look out for a job within one, or end. */
export const Phase = { REST: 0, STEP: 1, END: 2 } as const;

if (CONTROL + 4 * Control.LENGTH > ARENA_START) throw new Error('threads/memoryMap.ts reaches into the arrays');
