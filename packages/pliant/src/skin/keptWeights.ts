/**
 * Shares of clusters in the vertices of a torn body's cells, kept from one break to the next. A vertex whose list grows
 * gets a new place with room to grow at the end of all lists.
 */
export class KeptWeights {
  /** Per vertex: 1 where its shares are known. */
  private readonly isKnown: Uint8Array;
  private readonly first: Uint32Array;
  private readonly count: Uint16Array;
  private readonly room: Uint16Array;
  private cluster = new Uint32Array(1024);
  private share = new Float32Array(1024);
  private end = 0;

  constructor(vertices: number) {
    this.isKnown = new Uint8Array(vertices);
    this.first = new Uint32Array(vertices);
    this.count = new Uint16Array(vertices);
    this.room = new Uint16Array(vertices);
  }

  forget(v: number): void {
    this.isKnown[v] = 0;
  }

  /** Number of entries of a vertex; 0 if they are not known. */
  countOf(v: number): number {
    return this.isKnown[v] ? this.count[v] : 0;
  }

  /** Renumbers the clusters. Vertices with a cluster that is gone, or whose clusters no longer ascend, are forgotten. */
  renumber(heir: Int32Array): void {
    for (let v = 0; v < this.isKnown.length; v++) {
      if (!this.isKnown[v]) continue;
      let last = -1;
      for (let k = this.first[v]; k < this.first[v] + this.count[v]; k++) {
        const c = heir[this.cluster[k]];
        if (c <= last) this.isKnown[v] = 0;
        last = this.cluster[k] = Math.max(c, 0);
      }
    }
  }

  /** Keeps entries `from` … `to` − 1 of lists as those of a vertex. */
  keep(v: number, cluster: Uint32Array, share: Float32Array, from: number, to: number): void {
    const count = to - from;
    if (count > this.room[v]) {
      this.room[v] = count + 4;
      this.first[v] = this.end;
      this.end += count + 4;
      if (this.end > this.cluster.length) {
        const before = { cluster: this.cluster, share: this.share };
        this.cluster = new Uint32Array(2 * this.end);
        this.share = new Float32Array(2 * this.end);
        this.cluster.set(before.cluster);
        this.share.set(before.share);
      }
    }
    this.isKnown[v] = 1;
    this.count[v] = count;
    for (let n = 0; n < count; n++) {
      this.cluster[this.first[v] + n] = cluster[from + n];
      this.share[this.first[v] + n] = share[from + n];
    }
  }

  /** Writes the entries of a vertex that are known from index `at` of the lists on. */
  writeInto(cluster: Uint32Array, share: Float32Array, at: number, v: number): void {
    for (let n = 0; n < this.count[v]; n++) {
      cluster[at + n] = this.cluster[this.first[v] + n];
      share[at + n] = this.share[this.first[v] + n];
    }
  }
}
