import type { Cuts } from '@pliant/scene';
import type { Snapshot, World } from 'pliant';

/** Seconds of simulated time between kept snapshots, and how much memory they may take before every other one is let go. */
const EVERY = 0.25;
const ROOM = 300e6;

/** The world's past: snapshots at intervals, which double when there is no more room. Between them it steps again. */
export class History {
  private kepts: { frame: number; snapshot: Snapshot; disturbed: boolean }[] = [];
  private marks: Snapshot[] = [];
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

  /** After every step. */
  keep(): void {
    // Going on from an earlier moment: what was later is no longer what will be.
    while (this.kepts.length > 1 && this.kepts.at(-1)!.frame > this.world.frame) this.drop(this.kepts.length - 1);
    if (this.world.frame - this.kepts.at(-1)!.frame >= this.every) this.take();
  }

  /** A hand or a setting changed the run: it cannot be stepped again from the last snapshot. */
  disturb(): void {
    this.kepts.at(-1)!.disturbed = true;
  }

  /** A moment that must not be lost: after a cut. */
  keepNow(): void {
    this.disturb();
    this.take();
  }

  /** To a step: from the last snapshot before it on, or at that snapshot where hands were at work since. */
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

  /** Before something that may be taken back. */
  mark(): void {
    this.marks.push(this.world.snapshot());
    if (this.marks.length > 20) this.marks.shift();
  }

  unmark(): void {
    this.marks.pop();
  }

  undo(): boolean {
    const snapshot = this.marks.pop();
    if (!snapshot) return false;
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
