/**
 * A body below TREMBLING times the sleeping speed trembles. Trembling bodies do not keep their heap awake if they have trembled for
 * PATIENCE times sleepAfter and at least the share MOST of the heap is slow.
 */
export const TREMBLING = 3;
const PATIENCE = 2;
const MOST = 0.75;

/**
 * Awake bodies that touch, directly or through others: a body that keeps itself awake keeps all of them awake. Union-find: each body starts
 * with a heap of its own; joined heaps form a chain, and the last of the chain holds the sums.
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

  /** Adds a body by the time it has been slow and the time it has at most trembled (s). */
  add(slowTime: number, tremblingTime: number, sleepAfter: number): void {
    const heap = this.last;
    heap.size++;
    if (slowTime >= sleepAfter) heap.slow++;
    else if (tremblingTime < PATIENCE * sleepAfter) heap.restless = true;
  }

  /** Whether the heap falls asleep. To be asked after all bodies were added. */
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
