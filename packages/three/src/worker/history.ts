import { refuse, type Snapshot, type World } from 'pliant';

/** How far a WorkerWorld can go back. */
export interface HistoryOptions {
  /** Simulated seconds between kept snapshots. Default 0.25. Longer once there is no more room. */
  every?: number;
  /** Memory for snapshots (bytes). When it is full, every other one is dropped. Default 3e8. */
  room?: number;
  /** The first state that is kept: as it is when the first step begins, or as the worker's own `create` made it, before any call. Default 'first step'. */
  start?: 'first step' | 'created';
}

const DEFAULTS: Required<HistoryOptions> = { every: 0.25, room: 3e8, start: 'first step' };
const STARTS = ['first step', 'created'];

/** How a world is stepped, and told that it is in another state. */
export interface Replay {
  step(): void;
  /** After a past state was restored, before steps from it are repeated. */
  rewind(): void;
}

/** Actions that can be undone at most. */
const MARKS = 20;

interface Kept {
  frame: number;
  snapshot: Snapshot;
  /** Whether something from outside changed the world afterwards: steps from here do not lead to the same states. */
  disturbed: boolean;
}

/** Past states of a world: snapshots at intervals, between which the world is stepped again. */
export class History {
  private readonly kepts: Kept[] = [];
  private readonly marks: Snapshot[] = [];
  /** States that were left by undoing, the last one at the end. */
  private undone: Snapshot[] = [];
  private readonly room: number;
  /** Steps between snapshots. */
  private every: number;
  private bytes = 0;
  private readonly isStartFixed: boolean;

  constructor(
    private readonly world: World,
    options: HistoryOptions,
    private readonly replay: Replay,
  ) {
    const { every, room, start } = { ...DEFAULTS, ...options };
    if (!(every > 0)) refuse('history.every', every, 'a number of seconds above 0');
    if (!(room >= 0)) refuse('history.room', room, 'a number of bytes');
    this.every = Math.max(1, Math.round(every / world.dt));
    if (!STARTS.includes(start)) refuse('history.start', start, `one of ${STARTS.join(', ')}`);
    this.room = room;
    this.isStartFixed = start === 'created';
    this.take();
  }

  /** The steps that can be gone to. */
  get kept(): { first: number; last: number } {
    return { first: this.kepts[0].frame, last: Math.max(this.world.frame, this.kepts[this.kepts.length - 1].frame) };
  }

  /** To be called after every step. */
  keep(): void {
    this.dropLater();
    if (this.world.frame - this.last.frame >= this.every) this.take();
  }

  /** To be called when the page changes the world: the run from the last snapshot cannot be repeated. */
  disturb(): void {
    this.last.disturbed = true;
    // Before the first step there is nothing to go back to.
    if (!this.isStartFixed && this.kepts.length === 1 && this.last.frame === this.world.frame) {
      this.drop(0);
      this.take();
    }
  }

  /** Goes to a step, or as near before it as the run can be repeated. Returns the step. */
  goTo(frame: number): number {
    const from = [...this.kepts].reverse().find((kept) => kept.frame <= frame) ?? this.kepts[0];
    this.world.restore(from.snapshot);
    this.replay.rewind();
    const last = from.disturbed ? from.frame : Math.min(frame, from.frame + this.every);
    while (this.world.frame < last) this.replay.step();
    this.world.drainEvents();
    return this.world.frame;
  }

  /** To be called before an action that can be undone. */
  mark(): void {
    this.marks.push(this.world.snapshot());
    if (this.marks.length > MARKS) this.marks.shift();
  }

  /** The action after the last mark changed nothing. */
  unmark(): void {
    this.marks.pop();
  }

  /** To be called after an action that can be undone. Actions that were undone before it cannot be done again. */
  keepAction(): void {
    this.undone = [];
    this.keepNow();
  }

  /** Goes back to before the last action; false if there is none. */
  undo(): boolean {
    return this.exchange(this.marks, this.undone);
  }

  /** Returns to the state in which the last action was undone; false if there is none. */
  redo(): boolean {
    return this.exchange(this.undone, this.marks);
  }

  /** Restores the last state of a list; the present one goes to the other list. */
  private exchange(from: Snapshot[], to: Snapshot[]): boolean {
    const snapshot = from.pop();
    if (!snapshot) return false;
    to.push(this.world.snapshot());
    this.world.restore(snapshot);
    this.replay.rewind();
    this.keepNow();
    return true;
  }

  private keepNow(): void {
    this.dropLater();
    this.last.disturbed = true;
    this.take();
  }

  /** After a return to an earlier time, later snapshots are no longer valid. */
  private dropLater(): void {
    while (this.kepts.length > 1 && this.last.frame > this.world.frame) this.drop(this.kepts.length - 1);
  }

  private get last(): Kept {
    return this.kepts[this.kepts.length - 1];
  }

  private take(): void {
    while (this.kepts.length > 0 && this.last.frame >= this.world.frame && this.kepts.length > 1)
      this.drop(this.kepts.length - 1);
    const snapshot = this.world.snapshot();
    this.kepts.push({ frame: this.world.frame, snapshot, disturbed: false });
    this.bytes += snapshot.addedByteLength;
    if (this.bytes < this.room || this.kepts.length < 3) return;
    this.every *= 2;
    for (let k = this.kepts.length - 2; k > 0; k -= 2) this.drop(k);
  }

  private drop(k: number): void {
    this.bytes -= this.kepts[k].snapshot.addedByteLength;
    this.kepts.splice(k, 1);
  }
}
