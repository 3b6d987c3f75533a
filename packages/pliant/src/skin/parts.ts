/**
 * Work that is done in parts. It yields, before each part, the cost of that part: about its microseconds on the machine
 * of the bench, by a count of what it goes over. No clock is read, so that the same parts are done on every machine.
 * Nothing that other bodies use may be in use while it waits, such as the buffers of a Scratch.
 */
export type Parts<T> = Generator<number, T, void>;

/** Does all parts at once. */
export function finish<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** Cost of the vertices that are visited in one part, about. */
const PART = 700;

/** Does something with each vertex of a list, in parts. `costOf` tells the cost of one. */
export function* visitInParts(
  list: readonly number[],
  costOf: (v: number) => number,
  visit: (v: number) => void,
): Parts<void> {
  for (let from = 0; from < list.length; ) {
    let to = from;
    let cost = 0;
    while (to < list.length && cost < PART) cost += costOf(list[to++]);
    yield cost;
    for (; from < to; from++) visit(list[from]);
  }
}

/** Work of which a share is done at a time. */
export class Spread<T> {
  /** Cost of the next part. */
  private next = 0;
  /** Cost and number of the parts done in the last call. */
  readonly spent = { cost: 0, parts: 0 };

  constructor(private readonly parts: Parts<T>) {}

  finish(): T {
    return finish(this.parts);
  }

  /** Does at least one part, and further ones while their costs sum to at most `budget`. Returns whether all is done. */
  advance(budget: number): { done: boolean; value?: T } {
    const { spent } = this;
    spent.cost = spent.parts = 0;
    do {
      spent.cost += this.next;
      spent.parts++;
      const { done, value } = this.parts.next();
      if (done) return { done, value };
      this.next = value;
    } while (spent.cost + this.next <= budget);
    return { done: false };
  }
}
