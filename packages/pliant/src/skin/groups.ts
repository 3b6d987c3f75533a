/** Finds which of a few things hang together by clusters. Clusters are joined, not things: most things have but one. */
export class Groups {
  /** Number of groups. */
  left = 0;
  private count = 0;
  /** Clusters that were met in this round: parents, and their number. */
  private parent = new Uint16Array(64);
  private nodes = 0;
  /** One of these for each thing. */
  private of = new Uint16Array(64);
  private label = new Int32Array(64);
  private round = 0;
  /** Per cluster: the last round in which a thing had it, and its number among those met. */
  private readonly met: Uint32Array;
  private readonly node: Uint16Array;

  constructor(clusters: number) {
    this.met = new Uint32Array(clusters);
    this.node = new Uint16Array(clusters);
  }

  begin(): void {
    this.count = this.nodes = this.left = 0;
    this.round++;
  }

  /** Adds a thing with clusters cluster[from] … cluster[to − 1]. Things are numbered in the order in which they are added. */
  add(cluster: Uint32Array, from: number, to: number): void {
    if (this.count === this.of.length) this.of = widened(this.of);
    const node = from < to ? this.nodeOf(cluster[from]) : this.newNode();
    this.of[this.count++] = node;
    for (let l = from + 1; l < to; l++) this.joinNodes(node, this.nodeOf(cluster[l]));
  }

  join(m: number, n: number): void {
    this.joinNodes(this.of[m], this.of[n]);
  }

  /** A number that all things of one group have. */
  root(n: number): number {
    return this.rootOf(this.of[n]);
  }

  /** Writes the group of each thing; the first thing is in group 0. Returns the number of groups. */
  number(out: Uint16Array): number {
    if (this.label.length < this.nodes) this.label = new Int32Array(2 * this.nodes);
    const { of, label, count } = this;
    for (let n = 0; n < this.nodes; n++) label[n] = -1;
    let groups = 0;
    for (let n = 0; n < count; n++) {
      const node = of[n];
      let group = label[node];
      if (group < 0) {
        const root = this.rootOf(node);
        group = label[root];
        if (group < 0) group = label[root] = groups++;
        label[node] = group;
      }
      out[n] = group;
    }
    return groups;
  }

  private nodeOf(cluster: number): number {
    if (this.met[cluster] === this.round) return this.node[cluster];
    this.met[cluster] = this.round;
    const node = this.newNode();
    this.node[cluster] = node;
    return node;
  }

  private newNode(): number {
    if (this.nodes === this.parent.length) this.parent = widened(this.parent);
    this.parent[this.nodes] = this.nodes;
    this.left++;
    return this.nodes++;
  }

  private joinNodes(m: number, n: number): void {
    const a = this.rootOf(m);
    const b = this.rootOf(n);
    if (a === b) return;
    this.left--;
    if (a < b) this.parent[b] = a;
    else this.parent[a] = b;
  }

  private rootOf(n: number): number {
    const { parent } = this;
    while (parent[n] !== n) n = parent[n] = parent[parent[n]];
    return n;
  }
}

function widened(list: Uint16Array): Uint16Array<ArrayBuffer> {
  const out = new Uint16Array(2 * list.length);
  out.set(list);
  return out;
}
