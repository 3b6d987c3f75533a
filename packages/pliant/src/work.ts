import { checkKeys, PliantError, refuse } from './check.js';

/**
 * The parts of building a body, in order, and the approximate share of the whole that each takes (for 250 000 particles
 * sampled by count).
 */
const SHARES: Record<BuildStage, number> = { sample: 0.1, surface: 0.05, cluster: 0.7, levels: 0.1, append: 0.05 };

/** A part of building a body. */
export type BuildStage = 'sample' | 'surface' | 'cluster' | 'levels' | 'append';
/** The parts of building a body, in order. */
export const BUILD_STAGES = Object.keys(SHARES) as readonly BuildStage[];

/** How far the build of a body is. */
export interface BuildProgress {
  /** The part that is under way. */
  stage: BuildStage;
  /** Share of the whole build that is done, estimated: from 0 to 1, never falling, 1 exactly once at the end. */
  done: number;
}

/**
 * Watches and cancels the build of a body. `world.addBody` is synchronous, so `aborted` must become true while it runs: set by `onProgress`, or by another
 * thread through a getter over a SharedArrayBuffer. `world.addBodyAsync` takes the signal of an AbortController.
 */
export interface BuildWatch {
  /** Read several times a second. Once `aborted` is true, the build throws a PliantError with the code 'cancelled' and changes nothing. */
  signal?: { readonly aborted: boolean };
  /** Called several times a second during the build. An exception that it throws ends the build as well. */
  onProgress?: (progress: BuildProgress) => void;
}

/** Share of the rest of a stage that one checkpoint counts as, if the number of checkpoints is unknown. */
const STEP = 1 / 256;

/** Progress of a build: long loops call `tick` a few times a second or more. */
export class Work {
  /** Checkpoints so far. */
  ticks = 0;
  private stage: BuildStage = 'sample';
  private start = 0;
  private part = 0;
  private told = -1;

  constructor(private readonly watch: BuildWatch = {}) {
    checkKeys('build', watch, ['signal', 'onProgress']);
    const { signal, onProgress } = watch;
    if (signal !== undefined && (typeof signal !== 'object' || signal === null || typeof signal.aborted !== 'boolean'))
      refuse('build.signal', signal, 'an object with aborted: true or false');
    if (onProgress !== undefined && typeof onProgress !== 'function')
      refuse('build.onProgress', onProgress, 'a function');
  }

  /** Begins a stage. All stages before it are done. */
  begin(stage: BuildStage): void {
    this.start = 0;
    for (const before of BUILD_STAGES.slice(0, BUILD_STAGES.indexOf(stage))) this.start += SHARES[before];
    this.stage = stage;
    this.part = 0;
    this.tick(0);
  }

  /** A checkpoint at this share of the stage. Without an argument the share increases a little. */
  tick(part = this.part + STEP * (1 - this.part)): void {
    this.ticks++;
    this.ask();
    this.part = Math.min(1, Math.max(this.part, part));
    this.tell(Math.min(this.start + SHARES[this.stage] * this.part, ALMOST));
  }

  /** The end of the build, and the last chance to cancel. */
  finish(): void {
    this.ask();
    this.tell(1);
  }

  /** Progress that another thread has made, and a checkpoint. */
  hear({ stage, done }: BuildProgress): void {
    this.ask();
    this.stage = stage;
    this.tell(Math.min(done, ALMOST));
  }

  /** Throws if the build was cancelled. */
  ask(): void {
    if (this.watch.signal?.aborted)
      throw new PliantError('body', 'body was cancelled while it was built.', 'cancelled');
  }

  private tell(done: number): void {
    if (done <= this.told) return;
    this.told = done;
    this.watch.onProgress?.({ stage: this.stage, done });
  }
}

/** Largest progress before the end. The shares sum to 1 up to rounding, and 1 is reported only at the end. */
const ALMOST = 1 - 1e-6;
