/** How well things are drawn: slow machines leave parts out. */
export interface Level {
  /** Share of the screen's pixel density. */
  readonly density: number;
  /** 0: none, 1: hard, 2: soft. */
  readonly shadows: 0 | 1 | 2;
  /** Ambient occlusion between bodies. */
  readonly occlusion: boolean;
  /** Patterns of materials. */
  readonly detail: boolean;
}

/** From the best to the coarsest. Nothing here needs a shader to be compiled anew, apart from occlusion. */
export const LEVELS: readonly Level[] = [
  { density: 1, shadows: 2, occlusion: true, detail: true },
  { density: 1, shadows: 2, occlusion: false, detail: true },
  { density: 0.75, shadows: 2, occlusion: false, detail: true },
  { density: 0.6, shadows: 1, occlusion: false, detail: true },
  { density: 0.45, shadows: 1, occlusion: false, detail: false },
  { density: 0.45, shadows: 0, occlusion: false, detail: false },
  { density: 0.33, shadows: 0, occlusion: false, detail: false },
];

/** Frames slower than SLOW (ms, smoothed) lower the level: on a display of 60 Hz that is one in four that comes too late. Frames faster than FAST may raise it. */
const SLOW = 21;
const FAST = 19;
/** SLOW without a graphics card, which reaches 60 frames a second only where little is left to see. */
export const SLOW_IN_SOFTWARE = 34;
/** Frames slower than this (ms, smoothed) lower the level by two at once. */
const VERY_SLOW = 45;
/** Share of the last frame in the smoothed time: a single frame that comes too late does not lower the level. */
const SMOOTHING = 0.1;
/** Displays that show fewer than 60 frames a second, as some do to save power, are not the fault of what is drawn: the shares of their interval that SLOW and FAST are at least, and the longest interval (ms) that counts as theirs. */
const SLOW_BY_INTERVAL = 1.25;
const FAST_BY_INTERVAL = 1.1;
const LONGEST_INTERVAL = 34;
/** Frames without a change, one after the other, the fastest of which tells the interval. */
const STILL_FRAMES = 8;
/** Time (ms) of fast frames after which the level rises: at first, and at most. */
const PATIENCE = 1200;
const MOST_PATIENCE = 40_000;
/** A fall within this time (ms) of a rise doubles the patience. */
const REGRET = 4000;
/** Frames that are not counted after a change: they pay for it. */
const SETTLING = 3;
/** A pause (ms) that says nothing about drawing, unless another follows: a hidden page, a scene being built. */
const PAUSE = 1500;

/** Chooses how well to draw by how long frames take: down within a few frames, and up again when there is time. */
export class Quality {
  private smoothed: number;
  /** Interval of the display (ms), as far as it is known. */
  private interval = 0;
  /** The fastest (ms) of the frames without a change so far, and how many there were. */
  private stillest = Number.POSITIVE_INFINITY;
  private stills = 0;
  private uncounted = SETTLING;
  private fastFor = 0;
  /** Pauses after each other. */
  private pauses = 0;
  private sinceRise = Number.POSITIVE_INFINITY;
  private patience = PATIENCE;

  constructor(
    /** Place in LEVELS. */
    public level = 1,
    /** The best place that is tried while things move. */
    private readonly best = 0,
    private readonly slow = SLOW,
  ) {
    this.smoothed = 0.5 * (slow + FAST);
  }

  get now(): Level {
    return LEVELS[this.level];
  }

  /** A frame in which nothing was drawn took so many milliseconds: as long as the display waits. */
  rest(took: number): void {
    this.stillest = Math.min(this.stillest, took);
    if (++this.stills < STILL_FRAMES) return;
    this.interval = Math.min(this.stillest, LONGEST_INTERVAL);
    this.stills = 0;
    this.stillest = Number.POSITIVE_INFINITY;
  }

  /** A frame that was drawn took so many milliseconds. Returns whether the level changed. */
  note(took: number): boolean {
    this.interval = Math.min(this.interval, took);
    this.stills = 0;
    this.stillest = Number.POSITIVE_INFINITY;
    if (took > PAUSE) {
      this.uncounted = SETTLING;
      return ++this.pauses > 1 && this.level < LEVELS.length - 1 && this.go(this.level + 2);
    }
    this.pauses = 0;
    this.sinceRise += took;
    if (this.uncounted > 0) {
      this.uncounted--;
      return false;
    }
    this.smoothed += SMOOTHING * (took - this.smoothed);
    const isFast = this.smoothed < Math.max(FAST, FAST_BY_INTERVAL * this.interval);
    this.fastFor = isFast ? this.fastFor + took : 0;
    if (this.smoothed > Math.max(this.slow, SLOW_BY_INTERVAL * this.interval) && this.level < LEVELS.length - 1) {
      if (this.sinceRise < REGRET) this.patience = Math.min(MOST_PATIENCE, 2 * this.patience);
      return this.go(this.level + (this.smoothed > VERY_SLOW ? 2 : 1));
    }
    if (this.fastFor > this.patience && this.level > this.best) {
      this.sinceRise = 0;
      return this.go(this.level - 1);
    }
    return false;
  }

  private go(level: number): boolean {
    this.level = Math.max(this.best, Math.min(LEVELS.length - 1, level));
    this.smoothed = Math.max(0.5 * (this.slow + FAST), this.interval);
    this.fastFor = 0;
    this.uncounted = SETTLING;
    return true;
  }
}
