import { counting } from '../scratch.js';
import type { Views } from '../state/layout.js';
import { type LinkRewrite, linkOf } from '../state/members.js';
import type { Rows } from '../state/rows.js';

/**
 * A body's memberships taken out of the state to be changed: clusters split, particles split, memberships end. The body
 * itself does not change until the draft is written back (writeDraft.ts), so that many changes cost one rewrite.
 *
 * Membership k belongs to cluster[k] and particle[k]. Two lists hold all memberships, one by cluster and one by
 * particle, those of one owner in one run. To split an owner is to divide its run in two. The m·w of a membership does
 * not change when its particle splits, so masses need no new sums: a particle has the mass of its memberships. Numbers
 * count from the body's first row.
 */
export class TopologyDraft {
  /** Row of the body's first membership when the draft was begun. */
  base = 0;
  memberships = 0;
  cluster: Uint32Array = new Uint32Array(0);
  particle: Uint32Array = new Uint32Array(0);
  /** Four numbers each: rest offset (m), in the frame that the cluster had when the draft was begun, and m·w (kg). */
  member: Float32Array = new Float32Array(0);
  /** Four numbers each, as `outward` of the state. */
  outward: Float32Array = new Float32Array(0);

  clusters = 0;
  /**
   * Which of the body's clusters a cluster came from. Its row is a copy of that one, but for what the draft changes.
   */
  clusterFrom: Uint32Array = new Uint32Array(0);
  /** For each cluster, the kind of change: 0 nothing, 1 the weights of its members, 2 which members it has. */
  changed: Uint8Array = new Uint8Array(0);
  memberFirst: Uint32Array = new Uint32Array(0);
  memberLast: Uint32Array = new Uint32Array(0);
  /** Memberships, those of a cluster together: memberFirst[c] … memberLast[c] − 1. */
  members: Uint32Array = new Uint32Array(0);

  particles = 0;
  particleFrom: Uint32Array = new Uint32Array(0);
  /** kg; of particles that are not loaded nothing, unless `weighAll` was called. */
  particleMass: Float64Array = new Float64Array(0);
  linkFirst: Uint32Array = new Uint32Array(0);
  linkLast: Uint32Array = new Uint32Array(0);
  /** Memberships, those of a particle together. */
  links: Uint32Array = new Uint32Array(0);

  /** Ends of the two lists, behind the last run. */
  private membersEnd = 0;
  private linksEnd = 0;
  /**
   * Of new clusters: the map from their frame to that of the cluster they were made like, a matrix by columns and then
   * the position of their origin.
   */
  readonly frames: Map<number, Float64Array> = new Map();
  /** Particles whose memberships or mass changed; some more than once. */
  readonly touched: number[] = [];
  /**
   * Whether clusters took in particles. If so, they may share particles with clusters with which their origins shared
   * none.
   */
  hasGrown = false;
  /** After dropDebris: `particleFrom` as it was before, and the numbers of the particles that stay. */
  dropped: { from: Uint32Array; stay: Uint32Array } | undefined;
  /** Whether single memberships ended (`endMember`). */
  hasEnded = false;
  private pocket = new Uint32Array(0);
  /** The state and the rows of the body when the draft was begun. */
  private state?: Views;
  private rows?: Rows;
  /** Per particle: 0 not loaded, 1 loaded (`load`), 2 loaded and listed by `linkRewrite`, 3 being loaded. */
  private loaded = new Uint8Array(0);
  /** Per cluster of the body: 1 if `links` has the memberships of all its particles that are not loaded, 2 while those of some are written (`loadMembers`). */
  private listed = new Uint8Array(0);
  /** Per cluster of the body: 1 if `member` and `outward` of its memberships were copied (`hold`). */
  private held = new Uint8Array(0);

  /**
   * Begins a draft of a body. Unless `all` is true, the links and the mass of a particle are loaded (`load`) and the
   * members of a cluster copied (`hold`) only when they are needed; before that linkFirst, linkLast, links, particleMass,
   * member and outward hold nothing for it. Where one cluster of a body of 50 000 memberships splits, a tenth of them is needed.
   */
  begin(s: Views, rows: Rows, all = true): void {
    const { clusterStart, clusterEnd, particleStart, particleEnd } = rows;
    const base = s.memberStart[clusterStart];
    this.base = base;
    this.state = s;
    this.rows = rows;
    this.memberships = s.memberStart[clusterEnd] - base;
    this.clusters = clusterEnd - clusterStart;
    this.particles = particleEnd - particleStart;
    this.reserveMemberships(this.memberships);
    this.reserveClusters(this.clusters);
    this.reserveParticles(this.particles);
    const { memberships, members, particle, particles, particleFrom } = this;
    const { memberParticle } = s;
    members.set(counting(memberships));
    // Most bodies that break are the first of their world: numbers of rows are then those of particles.
    if (particleStart === 0) particle.set(memberParticle.subarray(base, base + memberships));
    else for (let k = 0; k < memberships; k++) particle[k] = memberParticle[base + k] - particleStart;
    particleFrom.set(counting(particles));
    for (let c = 0; c < this.clusters; c++) {
      this.clusterFrom[c] = c;
      this.changed[c] = 0;
      this.memberFirst[c] = s.memberStart[clusterStart + c] - base;
      this.memberLast[c] = s.memberStart[clusterStart + c + 1] - base;
      // A call for a few numbers would cost more than they do.
      const last = this.memberLast[c];
      if (last - this.memberFirst[c] > 64) this.cluster.fill(c, this.memberFirst[c], last);
      else for (let k = this.memberFirst[c]; k < last; k++) this.cluster[k] = c;
    }
    this.loaded.fill(0, 0, this.particles);
    this.listed.fill(0, 0, this.clusters);
    this.membersEnd = this.linksEnd = this.memberships;
    this.frames.clear();
    this.touched.length = 0;
    this.hasGrown = this.hasEnded = false;
    this.dropped = undefined;
    this.held.fill(0, 0, this.clusters);
    if (!all) return;
    this.holdAll();
    this.loadAll();
  }

  /**
   * Copies `member` and `outward` of the memberships that cluster c had when the draft was begun; for a new cluster,
   * those of the cluster it came from.
   */
  hold(c: number): void {
    const from = this.clusterFrom[c];
    if (this.held[from] !== 0) return;
    this.held[from] = 1;
    const row = this.rows!.clusterStart + from;
    this.copy(this.state!.memberStart[row], this.state!.memberStart[row + 1]);
  }

  /** Copies those of all clusters that were not copied yet, runs of clusters at once. */
  holdAll(): void {
    const { clusterStart, clusterEnd } = this.rows!;
    for (let from = 0; from < clusterEnd - clusterStart; from++) {
      if (this.held[from] !== 0) continue;
      const first = from;
      while (from < clusterEnd - clusterStart && this.held[from] === 0) this.held[from++] = 1;
      this.copy(this.state!.memberStart[clusterStart + first], this.state!.memberStart[clusterStart + from]);
    }
  }

  private copy(first: number, last: number): void {
    const { member, outward, memberStart } = this.state!;
    const base = memberStart[this.rows!.clusterStart];
    this.member.set(member.subarray(4 * first, 4 * last), 4 * (first - base));
    this.outward.set(outward.subarray(4 * first, 4 * last), 4 * (first - base));
  }

  /** Loads the memberships of a particle, in the order of its links in the state. New particles need no loading. */
  load(i: number): void {
    if (this.loaded[i] !== 0) return;
    this.loaded[i] = 1;
    const { linkStart, linkCluster, gatherRank, memberStart, x } = this.state!;
    const { clusterStart, particleStart } = this.rows!;
    const base = memberStart[clusterStart];
    const n = gatherRank[particleStart + i];
    this.particleMass[i] = x[4 * (particleStart + i) + 3];
    this.linkFirst[i] = linkStart[n] - base;
    this.linkLast[i] = linkStart[n + 1] - base;
    for (let l = linkStart[n]; l < linkStart[n + 1]; l++) {
      const c = linkCluster[l] - clusterStart;
      if (this.listed[c] !== 0) continue;
      this.list(linkCluster[l], 0, i);
      this.listed[c] = 1;
    }
  }

  /** Loads all members of a cluster. Of the other clusters that hold them only their memberships are listed: those are a fraction. */
  loadMembers(c: number): void {
    const { linkStart, linkCluster, gatherRank, memberStart, x } = this.state!;
    const { clusterStart, particleStart } = this.rows!;
    const { loaded, listed, particle, members } = this;
    const base = memberStart[clusterStart];
    const [first, last] = [this.memberFirst[c], this.memberLast[c]];
    loading.length = partly.length = 0;
    for (let m = first; m < last; m++) {
      const i = particle[members[m]];
      if (loaded[i] !== 0) continue;
      loaded[i] = 3;
      loading.push(i);
      this.particleMass[i] = x[4 * (particleStart + i) + 3];
      const n = gatherRank[particleStart + i];
      this.linkFirst[i] = linkStart[n] - base;
      this.linkLast[i] = linkStart[n + 1] - base;
      for (let l = linkStart[n]; l < linkStart[n + 1]; l++) {
        const d = linkCluster[l] - clusterStart;
        if (listed[d] !== 0) continue;
        listed[d] = 2;
        partly.push(d);
      }
    }
    for (const d of partly) {
      this.list(clusterStart + d, 3);
      listed[d] = 0;
    }
    for (const i of loading) loaded[i] = 1;
  }

  /**
   * Loads all particles. In the state links lie by ascending cluster, as memberships do, so one pass in that order will
   * do.
   */
  private loadAll(): void {
    this.weighAll();
    const { linkStart, gatherRank, memberStart } = this.state!;
    const { clusterStart, particleStart } = this.rows!;
    const { particles, memberships, particle, links, linkFirst, linkLast } = this;
    const base = memberStart[clusterStart];
    for (let i = 0; i < particles; i++) linkFirst[i] = linkLast[i] = linkStart[gatherRank[particleStart + i]] - base;
    for (let k = 0; k < memberships; k++) links[linkLast[particle[k]]++] = k;
    this.loaded.fill(1, 0, particles);
    this.listed.fill(1, 0, this.clusters);
  }

  /** Loads the masses of all particles of the body that are not loaded. Where debris was dropped all are. */
  weighAll(): void {
    const { x } = this.state!;
    const { particleStart, particleEnd } = this.rows!;
    for (let i = 0; i < particleEnd - particleStart; i++)
      if (this.loaded[i] === 0) this.particleMass[i] = x[4 * (particleStart + i) + 3];
  }

  /**
   * Writes the memberships that the cluster in `row` had when the draft was begun into `links`, at the links of its
   * members that are loaded as `which` says, and of particle `also`.
   */
  private list(row: number, which: number, also = -1): void {
    const s = this.state!;
    const { memberStart, memberParticle } = s;
    const { clusterStart, particleStart } = this.rows!;
    const { loaded, links } = this;
    const base = memberStart[clusterStart];
    const last = memberStart[row + 1];
    for (let k = memberStart[row]; k < last; k++) {
      const i = memberParticle[k] - particleStart;
      if (loaded[i] === which || i === also) links[linkOf(s, memberParticle[k], row) - base] = k - base;
    }
  }

  /**
   * Particles whose links must be rewritten, for drafts in which no membership began or ended; `before` is the number
   * of particles when the draft was begun.
   */
  linkRewrite(before: number): LinkRewrite {
    const touched: number[] = [];
    const add = (i: number) => {
      if (this.loaded[i] === 2) return;
      this.load(i);
      this.loaded[i] = 2;
      touched.push(i);
    };
    this.touched.forEach(add);
    for (let c = 0; c < this.clusters; c++) {
      if (this.changed[c] === 0) continue;
      this.loadMembers(c);
      for (let n = this.memberFirst[c]; n < this.memberLast[c]; n++) add(this.particle[this.members[n]]);
    }
    const { links, linkFirst, linkLast, cluster } = this;
    return { particles: before, touched, links, linkFirst, linkLast, cluster };
  }

  memberCount(c: number): number {
    return this.memberLast[c] - this.memberFirst[c];
  }

  linkCount(i: number): number {
    this.load(i);
    return this.linkLast[i] - this.linkFirst[i];
  }

  /**
   * Moves the members of cluster c for which `leaves` is true into a new cluster and returns its number. Order is kept.
   */
  splitCluster(c: number, leaves: (membership: number) => boolean): number {
    this.hold(c);
    this.reserveClusters(this.clusters + 1);
    const next = this.clusters++;
    const middle = this.part(this.members, this.memberFirst[c], this.memberLast[c], leaves);
    this.memberFirst[next] = middle;
    this.memberLast[next] = this.memberLast[c];
    this.memberLast[c] = middle;
    this.clusterFrom[next] = this.clusterFrom[c];
    this.changed[c] = this.changed[next] = 2;
    for (let n = middle; n < this.memberLast[next]; n++) this.cluster[this.members[n]] = next;
    return next;
  }

  /**
   * Makes a copy of particle i, which takes over the memberships for which `leaves` is true, and their mass. Returns
   * its number.
   */
  splitParticle(i: number, leaves: (membership: number) => boolean): number {
    this.reserveParticles(this.particles + 1);
    const next = this.particles++;
    this.load(i);
    this.loaded[next] = 1;
    const middle = this.part(this.links, this.linkFirst[i], this.linkLast[i], leaves);
    this.linkFirst[next] = middle;
    this.linkLast[next] = this.linkLast[i];
    this.linkLast[i] = middle;
    this.particleFrom[next] = this.particleFrom[i];
    let mass = 0;
    for (let n = middle; n < this.linkLast[next]; n++) {
      this.hold(this.cluster[this.links[n]]);
      this.particle[this.links[n]] = next;
      mass += this.member[4 * this.links[n] + 3];
    }
    // The original keeps the difference, so that rounding of the weights neither loses nor makes mass.
    this.particleMass[next] = mass;
    this.particleMass[i] -= mass;
    this.touched.push(i, next);
    return next;
  }

  /**
   * Adds a cluster without members, with a row copied from cluster `like` and a frame of its own. Returns its number.
   */
  addCluster(like: number, frame: Float64Array): number {
    this.reserveClusters(this.clusters + 1);
    const next = this.clusters++;
    this.clusterFrom[next] = this.clusterFrom[like];
    this.changed[next] = 2;
    this.frames.set(next, frame);
    this.memberFirst[next] = this.memberLast[next] = this.membersEnd;
    return next;
  }

  /** Adds a copy of particle i without mass and in no cluster. Returns its number. */
  addParticle(i: number): number {
    this.reserveParticles(this.particles + 1);
    const next = this.particles++;
    this.particleFrom[next] = this.particleFrom[i];
    this.particleMass[next] = 0;
    this.loaded[next] = 1;
    this.linkFirst[next] = this.linkLast[next] = this.linksEnd;
    return next;
  }

  /**
   * Adds particle i to cluster c with weight m·w = `mw`. The caller writes rest offset and outward; `balance` scales
   * the weights. A run that is not at the end of its list is moved there first.
   */
  addMember(c: number, i: number, mw: number): number {
    this.reserveMemberships(this.memberships + 1);
    const k = this.memberships++;
    this.cluster[k] = c;
    this.particle[k] = i;
    this.member[4 * k + 3] = mw;
    this.touched.push(i);
    this.changed[c] = 2;
    this.hasGrown = true;
    const [members, links] = [this.memberCount(c) + 1, this.linkCount(i) + 1];
    if (this.memberLast[c] !== this.membersEnd) {
      this.members = withRoom(this.members, this.membersEnd + members);
      this.members.copyWithin(this.membersEnd, this.memberFirst[c], this.memberLast[c]);
      this.memberFirst[c] = this.membersEnd;
      this.memberLast[c] = this.membersEnd + members - 1;
    } else this.members = withRoom(this.members, this.membersEnd + 1);
    this.members[this.memberLast[c]++] = k;
    this.membersEnd = this.memberLast[c];
    if (this.linkLast[i] !== this.linksEnd) {
      this.links = withRoom(this.links, this.linksEnd + links);
      this.links.copyWithin(this.linksEnd, this.linkFirst[i], this.linkLast[i]);
      this.linkFirst[i] = this.linksEnd;
      this.linkLast[i] = this.linksEnd + links - 1;
    } else this.links = withRoom(this.links, this.linksEnd + 1);
    this.links[this.linkLast[i]++] = k;
    this.linksEnd = this.linkLast[i];
    return k;
  }

  /** Ends one membership. The particle's other memberships, of which there must be one, take over its weight. */
  endMember(k: number): void {
    const c = this.cluster[k];
    let at = this.memberFirst[c];
    while (this.members[at] !== k) at++;
    this.members.copyWithin(at, at + 1, this.memberLast[c]);
    this.memberLast[c]--;
    this.changed[c] = 2;
    this.hasEnded = true;
    this.dropLink(k);
  }

  /**
   * Ends a cluster. The other memberships of its particles take over its weight. A particle that has no other one
   * becomes debris.
   */
  dropCluster(c: number): void {
    for (let n = this.memberFirst[c]; n < this.memberLast[c]; n++) this.dropLink(this.members[n]);
    this.memberLast[c] = this.memberFirst[c];
    this.changed[c] = 1;
  }

  /**
   * Removes the particles that are in no cluster; those behind them move up. Returns the numbers of the removed ones.
   * Nothing may be added to the draft afterwards.
   */
  dropDebris(): Uint32Array {
    if (!this.hasDebris()) return new Uint32Array(0);
    const all = counting(this.particles);
    const gone = all.filter((i) => this.linkCount(i) === 0);
    const stay = all.filter((i) => this.linkCount(i) > 0);
    this.dropped = { from: this.particleFrom.slice(0, this.particles), stay };
    const place = new Int32Array(this.particles).fill(-1);
    for (let n = 0; n < stay.length; n++) {
      const i = stay[n];
      place[i] = n;
      this.particleFrom[n] = this.particleFrom[i];
      this.particleMass[n] = this.particleMass[i];
      this.loaded[n] = this.loaded[i];
      this.linkFirst[n] = this.linkFirst[i];
      this.linkLast[n] = this.linkLast[i];
    }
    this.particles = stay.length;
    for (let c = 0; c < this.clusters; c++)
      for (let m = this.memberFirst[c]; m < this.memberLast[c]; m++)
        this.particle[this.members[m]] = place[this.particle[this.members[m]]];
    const touched = this.touched.filter((i) => place[i] >= 0);
    this.touched.length = 0;
    for (const i of touched) this.touched.push(place[i]);
    return gone;
  }

  /**
   * Whether a particle is in no cluster. Loads none, unless clusters took in particles: most drafts leave no debris. Then debris had no cluster before, or a membership of it ended.
   */
  private hasDebris(): boolean {
    const { linkStart } = this.state!;
    const { particleStart, particleEnd } = this.rows!;
    const isDebris = (i: number) => this.linkCount(i) === 0;
    if (this.hasGrown) return counting(this.particles).some(isDebris);
    for (let n = particleStart; n < particleEnd; n++) if (linkStart[n + 1] === linkStart[n]) return true;
    return this.touched.some(isDebris);
  }

  private dropLink(k: number): void {
    const i = this.particle[k];
    this.load(i);
    let at = this.linkFirst[i];
    while (this.links[at] !== k) at++;
    this.links.copyWithin(at, at + 1, this.linkLast[i]);
    this.linkLast[i]--;
    this.touched.push(i);
    const left = this.sumLinks(i);
    for (let n = this.linkFirst[i]; n < this.linkLast[i]; n++) {
      this.member[4 * this.links[n] + 3] *= this.particleMass[i] / left;
      this.changed[this.cluster[this.links[n]]] ||= 1;
    }
  }

  /** Sum of m·w over the memberships of a particle (kg). */
  private sumLinks(i: number): number {
    let sum = 0;
    for (let n = this.linkFirst[i]; n < this.linkLast[i]; n++) {
      this.hold(this.cluster[this.links[n]]);
      sum += this.member[4 * this.links[n] + 3];
    }
    return sum;
  }

  /**
   * Scales m·w of the touched particles to a sum of the particle's mass. Without that, rounding adds up when a particle
   * is halved again and again.
   */
  balance(): void {
    for (const i of this.touched) {
      const sum = this.sumLinks(i);
      if (Math.abs(sum - this.particleMass[i]) <= ROUNDING * this.particleMass[i]) continue;
      for (let n = this.linkFirst[i]; n < this.linkLast[i]; n++) {
        this.member[4 * this.links[n] + 3] *= this.particleMass[i] / sum;
        this.changed[this.cluster[this.links[n]]] ||= 1;
      }
    }
  }

  /**
   * Partitions a run of `list`: memberships that stay first, those that leave behind them. Returns where the latter
   * begin. Order is kept on both sides.
   */
  private part(list: Uint32Array, first: number, last: number, leaves: (membership: number) => boolean): number {
    if (this.pocket.length < last - first) this.pocket = new Uint32Array(2 * (last - first));
    let [at, gone] = [first, 0];
    for (let n = first; n < last; n++)
      if (leaves(list[n])) this.pocket[gone++] = list[n];
      else list[at++] = list[n];
    for (let n = 0; n < gone; n++) list[at + n] = this.pocket[n];
    return at;
  }

  private reserveMemberships(room: number): void {
    if (room <= this.cluster.length) return;
    const wide = Math.ceil(1.5 * room);
    this.cluster = widened(this.cluster, wide);
    this.particle = widened(this.particle, wide);
    this.member = widened(this.member, 4 * wide);
    this.outward = widened(this.outward, 4 * wide);
    this.members = withRoom(this.members, wide);
    this.links = withRoom(this.links, wide);
  }

  private reserveClusters(room: number): void {
    if (room <= this.clusterFrom.length) return;
    const wide = Math.ceil(1.5 * room);
    this.clusterFrom = widened(this.clusterFrom, wide);
    this.changed = widened(this.changed, wide);
    this.listed = widened(this.listed, wide);
    this.held = widened(this.held, wide);
    this.memberFirst = widened(this.memberFirst, wide);
    this.memberLast = widened(this.memberLast, wide);
  }

  private reserveParticles(room: number): void {
    if (room <= this.particleFrom.length) return;
    const wide = Math.ceil(1.5 * room);
    this.particleFrom = widened(this.particleFrom, wide);
    this.particleMass = widened(this.particleMass, wide);
    this.loaded = widened(this.loaded, wide);
    this.linkFirst = widened(this.linkFirst, wide);
    this.linkLast = widened(this.linkLast, wide);
  }
}

/** Particles that `loadMembers` loads, and clusters that it lists in part. */
const loading: number[] = [];
const partly: number[] = [];

/** Relative error of a sum of weights up to which it counts as rounding to f32 and is left as it is. */
const ROUNDING = 5e-7;

const withRoom = (list: Uint32Array, room: number) =>
  room <= list.length ? list : widened(list, Math.ceil(1.5 * room));

function widened<T extends Uint8Array | Uint32Array | Float32Array | Float64Array>(from: T, length: number): T {
  const wider = new (from.constructor as new (length: number) => T)(length);
  wider.set(from);
  return wider;
}
