/** Finds which of a few things hang together by clusters. */
export class Groups {
  private parent = new Uint16Array(64);
  private count = 0;
  /** Number of groups. */
  left = 0;
  private round = 0;
  /** Per cluster: the last round in which a thing met it, and which thing. */
  private readonly met: Uint32Array;
  private readonly by: Uint16Array;

  constructor(clusters: number) {
    this.met = new Uint32Array(clusters);
    this.by = new Uint16Array(clusters);
  }

  begin(count: number): void {
    if (this.parent.length < count) this.parent = new Uint16Array(2 * count);
    for (let n = 0; n < count; n++) this.parent[n] = n;
    this.count = this.left = count;
    this.round++;
  }

  meet(n: number, cluster: number): void {
    if (this.met[cluster] === this.round) this.join(n, this.by[cluster]);
    this.met[cluster] = this.round;
    this.by[cluster] = n;
  }

  join(m: number, n: number): void {
    const a = this.root(m);
    const b = this.root(n);
    if (a === b) return;
    this.left--;
    if (a < b) this.parent[b] = a;
    else this.parent[a] = b;
  }

  root(n: number): number {
    const { parent } = this;
    while (parent[n] !== n) n = parent[n] = parent[parent[n]];
    return n;
  }

  /**
   * Writes the group of each thing, from index `at` on; the first thing is in group 0. Returns the number of groups.
   */
  number(out: Uint16Array, at: number): number {
    let groups = 0;
    for (let n = 0; n < this.count; n++) out[at + n] = this.root(n) === n ? groups++ : out[at + this.root(n)];
    return groups;
  }
}
