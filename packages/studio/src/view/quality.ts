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

/** Frames slower than SLOW (ms, smoothed) lower the level, at once by two beyond VERY_SLOW; faster than FAST may raise it. */
const SLOW = 34;
const VERY_SLOW = 70;
const FAST = 21;
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
  private smoothed = 0.5 * (SLOW + FAST);
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
  ) {}

  get now(): Level {
    return LEVELS[this.level];
  }

  /** A frame took so many milliseconds. Returns whether the level changed. */
  note(took: number): boolean {
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
    this.smoothed += 0.3 * (took - this.smoothed);
    this.fastFor = this.smoothed < FAST ? this.fastFor + took : 0;
    if (this.smoothed > SLOW && this.level < LEVELS.length - 1) {
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
    this.smoothed = 0.5 * (SLOW + FAST);
    this.fastFor = 0;
    this.uncounted = SETTLING;
    return true;
  }
}
