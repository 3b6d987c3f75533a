/**
 * Priority queue of numbers: the highest key comes first, and of equal keys the lowest number. A binary heap that grows
 * and never shrinks.
 */
export class Queue {
  length = 0;
  private items = new Uint32Array(16);
  private keys = new Float64Array(16);

  /** The number that take() would return. */
  get first(): number {
    return this.items[0];
  }

  clear(): void {
    this.length = 0;
  }

  add(item: number, key: number): void {
    if (this.length === this.items.length) this.grow();
    let n = this.length++;
    while (n > 0) {
      const parent = (n - 1) >> 1;
      if (!before(key, item, this.keys[parent], this.items[parent])) break;
      this.put(n, this.items[parent], this.keys[parent]);
      n = parent;
    }
    this.put(n, item, key);
  }

  /** Removes the first number and returns it. */
  take(): number {
    const first = this.items[0];
    this.length--;
    const [item, key] = [this.items[this.length], this.keys[this.length]];
    let n = 0;
    for (;;) {
      let child = 2 * n + 1;
      if (child >= this.length) break;
      const right = child + 1;
      if (right < this.length && before(this.keys[right], this.items[right], this.keys[child], this.items[child]))
        child = right;
      if (!before(this.keys[child], this.items[child], key, item)) break;
      this.put(n, this.items[child], this.keys[child]);
      n = child;
    }
    this.put(n, item, key);
    return first;
  }

  private put(n: number, item: number, key: number): void {
    this.items[n] = item;
    this.keys[n] = key;
  }

  private grow(): void {
    const [items, keys] = [new Uint32Array(2 * this.length), new Float64Array(2 * this.length)];
    items.set(this.items);
    keys.set(this.keys);
    this.items = items;
    this.keys = keys;
  }
}

const before = (key: number, item: number, otherKey: number, otherItem: number) =>
  key > otherKey || (key === otherKey && item < otherItem);
