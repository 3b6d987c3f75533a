import type { Cuts } from '@pliant/scene';
import type { Snapshot, World } from 'pliant';

/** Simulated seconds between kept snapshots, and the memory (bytes) at which every other one is dropped. */
const EVERY = 0.25;
const ROOM = 300e6;
/** Number of cuts that can be undone. */
export const MOST_MARKS = 20;

/**
 * The history of the world: snapshots at intervals, which double when there is no more room. States between them are
 * stepped again.
 */
export class History {
  private kepts: { frame: number; snapshot: Snapshot; disturbed: boolean }[] = [];
  private marks: Snapshot[] = [];
  /** States that were left by undoing, the last one at the end. */
  private undone: Snapshot[] = [];
  private every: number;
  private bytes = 0;

  constructor(
    private readonly world: World,
    private readonly cuts: Cuts,
  ) {
    this.every = Math.max(1, Math.round(EVERY / world.dt));
    this.take();
  }

  get kept(): { first: number; last: number } {
    return { first: this.kepts[0].frame, last: Math.max(this.world.frame, this.kepts.at(-1)!.frame) };
  }

  /** To be called after every step. */
  keep(): void {
    this.dropLater();
    if (this.world.frame - this.kepts.at(-1)!.frame >= this.every) this.take();
  }

  /** A tool or a setting changed the run: it cannot be repeated from the last snapshot. */
  disturb(): void {
    this.kepts.at(-1)!.disturbed = true;
  }

  /** Keeps the present state, after a cut. Cuts that were undone before it cannot be done again. */
  keepCut(): void {
    this.undone = [];
    this.keepNow();
  }

  private keepNow(): void {
    this.dropLater();
    this.disturb();
    this.take();
  }

  /** After a return to an earlier time, later snapshots are no longer valid. */
  private dropLater(): void {
    while (this.kepts.length > 1 && this.kepts.at(-1)!.frame > this.world.frame) this.drop(this.kepts.length - 1);
  }

  /** Goes to a step: from the last snapshot before it by steps, or to that snapshot if the run was disturbed since. */
  goTo(frame: number): void {
    const from = this.kepts.findLast((kept) => kept.frame <= frame) ?? this.kepts[0];
    this.world.restore(from.snapshot);
    const last = from.disturbed ? from.frame : Math.min(frame, from.frame + this.every);
    this.cuts.rewind();
    while (this.world.frame < last) {
      this.cuts.due();
      this.world.step();
    }
    this.world.drainEvents();
  }

  /** To be called before an action that can be undone. */
  mark(): void {
    this.marks.push(this.world.snapshot());
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }

  unmark(): void {
    this.marks.pop();
  }

  undo(): boolean {
    return this.exchange(this.marks, this.undone);
  }

  /** Returns to the state in which the last cut was undone. */
  redo(): boolean {
    if (!this.exchange(this.undone, this.marks)) return false;
    this.keepNow();
    return true;
  }

  /** Restores the last state of a list; the present one goes to the other list. */
  private exchange(from: Snapshot[], to: Snapshot[]): boolean {
    const snapshot = from.pop();
    if (!snapshot) return false;
    to.push(this.world.snapshot());
    this.world.restore(snapshot);
    this.cuts.rewind();
    return true;
  }

  private take(): void {
    const snapshot = this.world.snapshot();
    this.kepts.push({ frame: this.world.frame, snapshot, disturbed: false });
    this.bytes += snapshot.addedByteLength;
    if (this.bytes < ROOM) return;
    this.every *= 2;
    for (let k = this.kepts.length - 2; k > 0; k -= 2) this.drop(k);
  }

  private drop(k: number): void {
    this.bytes -= this.kepts[k].snapshot.addedByteLength;
    this.kepts.splice(k, 1);
  }
}
