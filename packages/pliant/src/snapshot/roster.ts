/**
 * Numbers for things of a world that a snapshot refers to (colliders, clamps, force fields, picks), in the order in which they came: a world that was built in
 * the same way numbers them alike. What a snapshot has named is kept, so that it can come back.
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

  /** The thing of a number, among those of now and those that a snapshot has named. */
  find(id: number, now: readonly T[]): T | undefined {
    return now.find((thing) => this.numbers.get(thing) === id) ?? this.named.get(id);
  }

  /** One that was put together anew takes a number over. */
  replace(id: number, thing: T): void {
    this.numbers.set(thing, id);
    this.next = Math.max(this.next, id + 1);
  }

  forget(): void {
    this.named.clear();
  }
}
