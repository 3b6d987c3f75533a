/** Rounds in which the shares of sides are blurred. */
export const ROUNDS = 3;

/** Side of a vertex that has none of those asked for. */
export const NO_SIDE = 0xffff;

/** Place of a share that is 1 in every round. */
export const WHOLE = 0;

/**
 * The sides at the vertices of a body's cells. An *entry* is a cluster that has a particle around a vertex. A vertex
 * whose list grows gets a new place with room to grow at the end of all lists.
 */
export class SideTable {
  /** Per vertex: 1 where sides are known; and 1 where particles around it, or their clusters, are not as built. */
  readonly isActive: Uint8Array;
  readonly isChanged: Uint8Array;
  /** Entries of a vertex, one side after the other: first one and number. Per entry its cluster. */
  readonly first: Uint32Array;
  readonly count: Uint16Array;
  cluster = new Int32Array(1024);
  /** Per vertex: number of particles around it. */
  readonly particles: Uint16Array;
  /** First share of a vertex, number of sides, and 1 where the last one is of missing matter. */
  readonly firstShare: Uint32Array;
  readonly sideCount: Uint16Array;
  readonly hasGone: Uint8Array;
  /** First entry of each side, by the number of its share; behind the last side, where the entries end. */
  sideFrom = new Uint32Array(256);
  /** Nearest particle of each side, by the number of its share. */
  anchor = new Uint32Array(256);
  /** Share of each side after each round of blur. */
  readonly share = Array.from({ length: ROUNDS + 1 }, () => new Float32Array(256).fill(1, WHOLE, WHOLE + 1));
  /** Per vertex, after each round: share of sides of its neighbours that it does not have. */
  readonly foreign: Float32Array[];
  private readonly room: Uint16Array;
  private readonly shareRoom: Uint16Array;
  private end = 0;
  private shareEnd = WHOLE + 1;

  constructor(vertices: number) {
    this.isActive = new Uint8Array(vertices);
    this.isChanged = new Uint8Array(vertices);
    this.first = new Uint32Array(vertices);
    this.count = new Uint16Array(vertices);
    this.room = new Uint16Array(vertices);
    this.particles = new Uint16Array(vertices);
    this.firstShare = new Uint32Array(vertices);
    this.sideCount = new Uint16Array(vertices);
    this.shareRoom = new Uint16Array(vertices);
    this.hasGone = new Uint8Array(vertices);
    this.foreign = Array.from({ length: ROUNDS + 1 }, () => new Float32Array(vertices));
  }

  /** Forgets the sides of all vertices. */
  clear(): void {
    for (const list of [this.isActive, this.isChanged, this.room, this.shareRoom, this.sideCount, this.count])
      list.fill(0);
    for (const list of this.foreign) list.fill(0);
    this.end = 0;
    this.shareEnd = WHOLE + 1;
  }

  /** Gives the clusters of all entries their present numbers. */
  renumber(heir: Int32Array): void {
    const { isActive, first, count, cluster } = this;
    for (let v = 0; v < isActive.length; v++) {
      if (!isActive[v]) continue;
      const end = first[v] + count[v];
      for (let e = first[v]; e < end; e++) cluster[e] = heir[cluster[e]];
    }
  }

  /** Gives vertex v room for so many entries and sides. */
  place(v: number, entries: number, sides: number): void {
    if (entries > this.room[v]) {
      this.room[v] = entries + (this.isActive[v] ? entries >> 1 : 2);
      this.first[v] = this.end;
      this.end += this.room[v];
      if (this.end > this.cluster.length) this.cluster = widened(this.cluster, new Int32Array(2 * this.end));
    }
    if (sides >= this.shareRoom[v]) {
      this.shareRoom[v] = 2 * sides + 1;
      this.firstShare[v] = this.shareEnd;
      this.shareEnd += 2 * sides + 1;
      if (this.shareEnd > this.share[0].length) {
        for (let r = 0; r <= ROUNDS; r++) this.share[r] = widened(this.share[r], new Float32Array(2 * this.shareEnd));
        this.sideFrom = widened(this.sideFrom, new Uint32Array(2 * this.shareEnd));
        this.anchor = widened(this.anchor, new Uint32Array(2 * this.shareEnd));
      }
    }
    this.count[v] = entries;
    this.sideCount[v] = sides;
  }
}

function widened<T extends Uint32Array | Int32Array | Float32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
