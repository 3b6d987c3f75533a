/**
 * Numbers for the things of a world that a snapshot refers to (colliders, clamps, force fields, picks), in the order in
 * which they were added: a world that was built in the same way numbers them alike. Things that a snapshot has named
 * are kept, so that it can be restored.
 */
export class Roster<T extends object> {
  private readonly numbers = new WeakMap<T, number>();
  private readonly named = new Map<number, T>();
  private next = 0;

  enrol(thing: T): void {
    this.numbers.set(thing, this.next++);
  }

  /** For a snapshot: the thing's number. */
  name(thing: T): number {
    const id = this.numbers.get(thing)!;
    this.named.set(id, thing);
    return id;
  }

  /** The thing of a number, among the present ones and those that a snapshot has named. */
  find(id: number, now: readonly T[]): T | undefined {
    return now.find((thing) => this.numbers.get(thing) === id) ?? this.named.get(id);
  }

  /** Gives the number of a thing to one that was made anew. */
  replace(id: number, thing: T): void {
    this.numbers.set(thing, id);
    this.next = Math.max(this.next, id + 1);
  }

  forget(): void {
    this.named.clear();
  }
}
