/** Bodies slower than this many times the sleeping speed tremble; for how long they may, in times of sleepAfter, while this share of their heap is slow. */
export const TREMBLING = 3;
const PATIENCE = 2;
const MOST = 0.75;

/**
 * Awake bodies that touch, directly or by others: what keeps one of them awake keeps all of them. Each begins with one of its own; those that are
 * joined point to each other, and the one at the end of the chain counts for all.
 */
export class Heap {
  private next: Heap = this;
  protected size = 0;
  protected slow = 0;
  protected restless = false;

  clear(): void {
    this.next = this;
    this.size = this.slow = 0;
    this.restless = false;
  }

  join(other: Heap): void {
    this.last.next = other.last;
  }

  /** A body that has been slow and has at most trembled for as long as it says (s). */
  add(slowTime: number, tremblingTime: number, sleepAfter: number): void {
    const heap = this.last;
    heap.size++;
    if (slowTime >= sleepAfter) heap.slow++;
    else if (tremblingTime < PATIENCE * sleepAfter) heap.restless = true;
  }

  /** Once all were added: whether it falls asleep. */
  get fallsAsleep(): boolean {
    const heap = this.last;
    return !heap.restless && heap.slow >= MOST * heap.size;
  }

  private get last(): Heap {
    let heap: Heap = this;
    while (heap.next !== heap) heap = heap.next = heap.next.next;
    return heap;
  }
}
