/**
 * Contacts grouped by the two sides that they are between. Pairs come in the order of their sides' numbers, those with a soft body first, and the contacts of a pair in the order in which
 * they were added. The arrays grow with the largest number.
 */
export class Pairs {
  /** Of each contact: its pair. */
  of = new Uint32Array(0);
  /** The contacts, pair after pair; set by `order`. */
  list = new Uint32Array(0);
  /** Of each pair: number of its contacts, and whether neither side gives way. */
  size = new Uint32Array(0);
  firm = new Uint8Array(0);
  /** Of each pair: the side of the larger number, the next pair with the same other side, and where its contacts go in `list`. */
  private larger = new Uint32Array(0);
  private next = new Int32Array(0);
  private place = new Uint32Array(0);
  /** Of each side: its first pair, or −1. */
  private first = new Int32Array(0);
  private count = 0;

  /** Makes room for so many contacts of bodies. */
  grow(contacts: number, bodies: number): void {
    if (this.first.length < bodies) this.first = new Int32Array(2 * bodies);
    if (this.of.length >= contacts) return;
    this.of = new Uint32Array(2 * contacts);
    this.list = new Uint32Array(2 * contacts);
    this.size = new Uint32Array(2 * contacts);
    this.firm = new Uint8Array(2 * contacts);
    this.larger = new Uint32Array(2 * contacts);
    this.next = new Int32Array(2 * contacts);
    this.place = new Uint32Array(2 * contacts);
  }

  clear(bodies: number): void {
    this.first.fill(-1, 0, bodies);
    this.count = 0;
  }

  /** Adds contact n between two sides and returns its pair. The smaller number must be that of a body. */
  add(n: number, p: number, q: number): number {
    const { first, next, larger } = this;
    const a = Math.min(p, q);
    const b = Math.max(p, q);
    let before = -1;
    let at = first[a];
    while (at >= 0 && larger[at] < b) {
      before = at;
      at = next[at];
    }
    if (at < 0 || larger[at] !== b) {
      const made = this.count++;
      larger[made] = b;
      next[made] = at;
      this.size[made] = 0;
      if (before < 0) first[a] = made;
      else next[before] = made;
      at = made;
    }
    this.size[at]++;
    this.of[n] = at;
    return at;
  }

  /** Writes `list`. */
  order(contacts: number, bodies: number): void {
    const { first, next, firm, place, size, of, list } = this;
    let start = 0;
    for (let kind = 0; kind < 2; kind++)
      for (let a = 0; a < bodies; a++)
        for (let p = first[a]; p >= 0; p = next[p]) {
          if (firm[p] !== kind) continue;
          place[p] = start;
          start += size[p];
        }
    for (let n = 0; n < contacts; n++) list[place[of[n]]++] = n;
  }
}
