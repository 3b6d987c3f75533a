import { Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { SharesBlur } from './blurShares.js';
import { TopologyChanges } from './changes.js';
import { Groups } from './groups.js';
import type { Copies } from './knots.js';
import { lendVertices } from './lend.js';
import { type Parts, visitInParts } from './parts.js';
import type { Relief } from './relief.js';
import { NO_SIDE, ROUNDS, SideTable } from './sideTable.js';
import { addToName, type Surroundings } from './surroundings.js';

/** A body that has come apart, as finding its sides needs it. */
export interface Torn extends Relief {
  s: Views;
  rows: Rows;
  copies: Copies;
  surroundings: Surroundings;
  /** Piece of each particle, and number of pieces. */
  pieceOf: Uint32Array;
  pieces: number;
  /** Whether the mesh also shows matter that is no longer part of this body: it is left out there. */
  partial: boolean;
}

/** Anchor of a vertex around which there is no particle of the body. */
export const NO_ANCHOR = -1;

/** Costs (see Parts): of a particle that is compared with before, a vertex that is looked at or may be lent, and a cluster of a particle that is gathered. */
const COST = { compare: 0.15, look: 0.24, lend: 0.012, link: 0.037 };

/** Clusters of particle i: cluster[start[i]] … cluster[start[i + 1] − 1], both counted from the body's first. */
interface Links {
  readonly start: Uint32Array;
  readonly cluster: Uint32Array;
  /** Most clusters of one particle. */
  readonly most: number;
}

/**
 * The *sides* at the vertices of a body's cells: groups of particles around a vertex that hang together by clusters.
 * Each has a share in the vertex: that of the mass around it, by the kernel, blurred over the neighbours. A vertex
 * belongs to the side with the largest share. Most of a body is as it was built; vertices there have one side and are
 * not *active*. `update` computes what the break concerns and keeps the rest, bit for bit what it would be if all were
 * computed anew.
 */
export class Sides {
  readonly table: SideTable;
  readonly changes = new TopologyChanges();
  /** Whether all was found anew in the last call. */
  isFresh = true;
  private readonly shares: SharesBlur;
  private torn!: Torn;
  private links: Links = { start: new Uint32Array(1), cluster: new Uint32Array(0), most: 0 };
  private held!: Held;
  /** Per cluster: the last turn in which a particle around the vertex at hand had it, and its node there. */
  private met = new Uint32Array(0);
  private nodeAt = new Uint16Array(0);
  private turn = 0;
  private readonly originals: Groups;
  /** Per ancestor: 1 where it changed since the call before. */
  private readonly isNew: Uint8Array;
  /**
   * Per ancestor: 1 where the body has it once, in the clusters that it was built in, and these have the members they
   * were built with.
   */
  private readonly isClean: Uint8Array;
  /** Per ancestor: share of its mass that is debris, or that the body has lost. */
  private readonly missing: Float32Array;
  /** Per vertex: the nearest particle of the side that it belongs to, and that side; NO_ANCHOR where there is none. */
  readonly anchor: Int32Array;
  readonly side: Uint16Array;
  /** Per vertex: 1 where it was given to a piece that would have no vertex otherwise; and these vertices. */
  readonly isLent: Uint8Array;
  private lent: number[] = [];
  /** Vertices at which anything may have changed in the last call: also the clusters of particles around them. */
  readonly touched: number[] = [];
  private readonly touchedIn: Uint32Array;
  private readonly awaits: Uint32Array;
  /** Vertices whose sides are new, and those of which only the clusters of the sides are. */
  private readonly renewed: number[] = [];
  private readonly relabelled: number[] = [];
  private calls = 0;
  private wasPartial = false;

  constructor(surroundings: Surroundings) {
    const vertices = surroundings.positions.length / 3;
    const ancestors = surroundings.around.start.length - 1;
    this.table = new SideTable(vertices);
    this.shares = new SharesBlur(this.table, surroundings.complex);
    this.originals = new Groups(surroundings.original.count);
    this.isNew = new Uint8Array(ancestors);
    this.isClean = new Uint8Array(ancestors);
    this.missing = new Float32Array(ancestors);
    this.anchor = new Int32Array(vertices);
    this.side = new Uint16Array(vertices);
    this.isLent = new Uint8Array(vertices);
    this.touchedIn = new Uint32Array(vertices);
    this.awaits = new Uint32Array(vertices);
  }

  get vertices(): number {
    return this.anchor.length;
  }

  *update(torn: Torn): Parts<void> {
    const { rows } = torn;
    yield COST.compare * (rows.particleEnd - rows.particleStart);
    const clusters = rows.clusterEnd - rows.clusterStart;
    const isFresh = !this.changes.update(this.isNew, torn.s, rows) || torn.partial !== this.wasPartial;
    this.torn = torn;
    this.wasPartial = torn.partial;
    this.links = linksOf(torn);
    this.held = heldOf(torn, this.links);
    if (this.met.length < clusters) {
      this.met = new Uint32Array(2 * clusters);
      this.nodeAt = new Uint16Array(2 * clusters);
    }
    this.touched.length = 0;
    this.calls++;
    for (const v of this.lent) this.isLent[v] = 0;
    const lentBefore = this.lent;
    this.isFresh = isFresh || !(yield* this.refresh(false));
    if (this.isFresh) yield* this.refresh(true);
    yield COST.lend * this.vertices;
    // Vertices that were lent go back first, and are then lent again.
    for (const v of lentBefore) if (this.table.isActive[v]) this.decide(v);
    this.lent = lendVertices(torn, this);
    for (const v of lentBefore) this.touch(v);
    for (const v of this.lent) this.touch(v);
  }

  /**
   * Finds the sides of vertices with new particles around them; of all that are not as built, if `isFresh`. Returns
   * false if a vertex has become again as it was built: then nothing that is kept can be relied on.
   */
  private *refresh(isFresh: boolean): Parts<boolean> {
    const { torn, table, isNew, anchor } = this;
    const { copies, surroundings } = torn;
    const { start, vertex } = surroundings.around;
    if (isFresh) {
      table.clear();
      isNew.fill(1);
      this.missing.fill(0);
    } else table.renumber(this.changes.heir);
    this.describeAncestors();
    const candidates: number[] = [];
    if (isFresh) {
      const { near } = surroundings;
      this.touched.length = 0;
      this.calls++;
      for (let v = 0; v < anchor.length; v++) {
        const [first, last] = [near.start[v], near.start[v + 1]];
        anchor[v] = first < last ? copies.particle[copies.start[near.particle[first]]] : NO_ANCHOR;
        candidates.push(v);
        this.touch(v);
      }
    } else {
      for (let a = 0; a < isNew.length; a++)
        if (isNew[a]) for (let n = start[a]; n < start[a + 1]; n++) this.touch(vertex[n]);
      for (const v of surroundings.partedVertices) this.touch(v);
      for (const v of this.touched) candidates.push(v);
    }
    if (!(yield* this.gatherAll(candidates))) return false;
    yield* this.shares.blur(this.renewed, this.relabelled, torn.rows.clusterEnd - torn.rows.clusterStart);
    for (const v of this.shares.changed) {
      this.decide(v);
      this.touch(v);
    }
    return true;
  }

  private touch(v: number): void {
    if (this.touchedIn[v] === this.calls) return;
    this.touchedIn[v] = this.calls;
    this.touched.push(v);
  }

  /** Finds the new ancestors that are as built, and the missing share of each. */
  private describeAncestors(): void {
    const { torn, isNew, isClean, links, missing } = this;
    const { s, rows, copies, pieceOf, partial, surroundings } = torn;
    const { original } = surroundings;
    const isBuilt = builtClusters(torn);
    for (let a = 0; a < isNew.length; a++) {
      if (!isNew[a]) continue;
      isClean[a] = 0;
      const [from, to] = [copies.start[a], copies.start[a + 1]];
      if (to === from + 1) {
        const i = copies.particle[from];
        const [first, last] = [links.start[i], links.start[i + 1]];
        if (pieceOf[i] !== NO_PIECE && last - first === original.start[a + 1] - original.start[a]) isClean[a] = 1;
        for (let l = first; l < last; l++) if (!isBuilt[links.cluster[l]]) isClean[a] = 0;
      }
      let [held, debris] = [0, 0];
      for (let k = from; k < to; k++) {
        const row = rows.particleStart + copies.particle[k];
        const part = s.x[Row.x * row + 3] / s.builtMass[row];
        if (pieceOf[copies.particle[k]] === NO_PIECE) debris += part;
        else held += part;
      }
      const gone = partial ? 1 - held : debris;
      // Copies of a particle share its mass but for rounding.
      missing[a] = gone > 1e-3 ? gone : 0;
    }
  }

  /**
   * Gathers the entries of vertices around which something may have changed, and of the neighbours of those that are
   * not as built. Returns false if one has become again as it was built.
   */
  private *gatherAll(candidates: readonly number[]): Parts<boolean> {
    const { isActive, isChanged } = this.table;
    const { neighbourStart, neighbour } = this.torn.surroundings.complex;
    yield COST.look * candidates.length;
    for (const v of candidates) {
      const isUnlike = this.isUnlikeBuilt(v);
      if (isChanged[v] && !isUnlike) return false;
      if (isUnlike) isChanged[v] = 1;
    }
    const { awaits, calls } = this;
    for (const v of candidates) {
      if (isChanged[v] || isActive[v]) awaits[v] = calls;
      if (!isChanged[v]) continue;
      for (let k = neighbourStart[v]; k < neighbourStart[v + 1]; k++)
        if (!isActive[neighbour[k]]) awaits[neighbour[k]] = calls;
    }
    // In ascending order: neighbours mostly have near numbers, and lie near each other in memory.
    const waiting: number[] = [];
    for (let v = 0; v < awaits.length; v++) if (awaits[v] === calls) waiting.push(v);
    this.renewed.length = this.relabelled.length = 0;
    const { copies, surroundings } = this.torn;
    const { start } = surroundings.near;
    // Particles around a vertex have as many copies and clusters as all others, about.
    const each = (COST.link * this.links.cluster.length) / (copies.start.length - 1);
    const costOf = (v: number) => each * (start[v + 1] - start[v]);
    yield* visitInParts(waiting, costOf, (v) => this.gather(v));
    return true;
  }

  /** Whether a particle around a vertex is not as built, or they are of several pieces. */
  private isUnlikeBuilt(v: number): boolean {
    const { copies, pieceOf, surroundings } = this.torn;
    const { start, particle } = surroundings.near;
    const end = start[v + 1];
    if (start[v] === end) return false;
    const piece = pieceOf[copies.particle[copies.start[particle[start[v]]]]];
    for (let n = start[v]; n < end; n++) {
      const a = particle[n];
      if (!this.isClean[a] || pieceOf[copies.particle[copies.start[a]]] !== piece) return true;
    }
    return false;
  }

  /**
   * Groups the particles around a vertex into sides by their clusters, and finds the shares. Clusters are joined, not
   * particles: there are few of them around a vertex.
   */
  private gather(v: number): void {
    const { missing, held, links, met, nodeAt } = this;
    const { start, particle, kernel } = this.torn.surroundings.near;
    const last = start[v + 1];
    reserveEntries((last - start[v]) * held.most, links.most);
    const { start: heldStart, particle: heldParticle, cluster: only, part } = held;
    const { start: linkStart, cluster } = links;
    // Local names: V8 looks at those of a module again at each use.
    const entryOf = entryNode;
    const masses = entryMass;
    const particles = entryParticle;
    const kernels = entryKernel;
    const clusterOf = nodeCluster;
    const parent = nodeParent;
    const turn = ++this.turn;
    let end = 0;
    let gone = 0;
    let nodes = 0;
    for (let n = start[v]; n < last; n++) {
      const a = particle[n];
      const k = kernel[n];
      const to = heldStart[a + 1];
      gone += k * missing[a];
      for (let h = heldStart[a]; h < to; h++) {
        const i = heldParticle[h];
        let c = only[h];
        if (c >= 0) {
          if (met[c] !== turn) {
            met[c] = turn;
            nodeAt[c] = nodes;
            clusterOf[nodes] = c;
            parent[nodes] = nodes;
            nodes++;
          }
          entryOf[end] = nodeAt[c];
        } else {
          const until = linkStart[i + 1];
          let node = -1;
          for (let l = linkStart[i]; l < until; l++) {
            c = cluster[l];
            if (met[c] !== turn) {
              met[c] = turn;
              nodeAt[c] = nodes;
              clusterOf[nodes] = c;
              parent[nodes] = nodes;
              nodes++;
            }
            if (node < 0) node = nodeAt[c];
            else joinNodes(node, nodeAt[c]);
          }
          if (node < 0) {
            node = nodes++;
            clusterOf[node] = -1;
            parent[node] = node;
          }
          entryOf[end] = node;
        }
        particles[end] = i;
        kernels[end] = k;
        masses[end++] = k * part[h];
      }
    }
    const real = this.numberSides(v, nodes, end);
    const share = sideShare;
    const sideOfNode = nodeSide;
    const from = sideFrom;
    const best = sideKernel;
    const anchor = sideAnchor;
    for (let n = 0; n <= real; n++) {
      share[n] = from[n] = 0;
      best[n] = -1;
    }
    let count = 0;
    for (let n = 0; n < nodes; n++)
      if (clusterOf[n] >= 0) {
        from[sideOfNode[n] + 1]++;
        count++;
      }
    for (let n = 0; n < real; n++) from[n + 1] += from[n];
    let total = gone;
    for (let e = 0; e < end; e++) {
      const side = sideOfNode[entryOf[e]];
      share[side] += masses[e];
      total += masses[e];
      if (kernels[e] > best[side]) {
        best[side] = kernels[e];
        anchor[side] = particles[e];
      }
    }
    const hasGone = gone > 0 ? 1 : 0;
    const sides = real + hasGone;
    if (hasGone) share[real] = gone;
    for (let n = 0; n < sides && total > 0; n++) share[n] /= total;
    this.table.particles[v] = end;
    this.put(v, nodes, count, real, hasGone);
  }

  /** Numbers the groups of the nodes at hand, those of a vertex, in the order in which particles meet them; returns how many there are. */
  private numberSides(v: number, nodes: number, entries: number): number {
    if (!this.table.isChanged[v]) {
      for (let n = 0; n < nodes; n++) nodeSide[n] = 0;
      return nodes > 0 ? 1 : 0;
    }
    if (this.torn.surroundings.parted[v]) this.joinOriginals(entries);
    let sides = 0;
    // The root of a group is its first node.
    for (let n = 0; n < nodes; n++) nodeSide[n] = nodeParent[n] === n ? sides++ : nodeSide[rootOf(n)];
    return sides;
  }

  /** Writes the sides at hand as those of a vertex, and notes whether these or their clusters are other than before. */
  private put(v: number, nodes: number, count: number, real: number, hasGone: number): void {
    const { table } = this;
    const sides = real + hasGone;
    let isSame = table.isActive[v] === 1 && table.hasGone[v] === hasGone && table.sideCount[v] === sides;
    let isLabelled = isSame && table.count[v] === count;
    table.place(v, count, sides);
    const first = table.first[v];
    const at = table.firstShare[v];
    const { cluster, anchor, sideFrom: tableFrom } = table;
    const known = table.share[0];
    for (let n = 0; n < sides && isSame; n++) isSame = known[at + n] === sideShare[n];
    for (let n = 0; n < real && isSame; n++) isSame = anchor[at + n] === sideAnchor[n];
    for (let n = 0; n <= real; n++) {
      if (tableFrom[at + n] !== first + sideFrom[n]) isLabelled = false;
      tableFrom[at + n] = sideNext[n] = first + sideFrom[n];
    }
    for (let n = 0; n < nodes; n++) {
      if (nodeCluster[n] < 0) continue;
      const into = sideNext[nodeSide[n]]++;
      if (cluster[into] !== nodeCluster[n]) isLabelled = false;
      cluster[into] = nodeCluster[n];
    }
    if (isSame) {
      if (!isLabelled) this.relabelled.push(v);
      return;
    }
    this.renewed.push(v);
    table.isActive[v] = 1;
    table.hasGone[v] = hasGone;
    for (let n = 0; n < real; n++) anchor[at + n] = sideAnchor[n];
    for (let n = 0; n < sides; n++) known[at + n] = sideShare[n];
  }

  /** Gives a vertex to the side with the largest share. */
  private decide(v: number): void {
    const { firstShare, sideCount, hasGone, share } = this.table;
    const at = firstShare[v];
    const sides = sideCount[v];
    const last = share[ROUNDS];
    let best = 0;
    for (let n = 1; n < sides; n++) if (last[at + n] > last[at + best]) best = n;
    if (sides === 0 || (hasGone[v] && best === sides - 1)) {
      this.anchor[v] = NO_ANCHOR;
      this.side[v] = 0;
    } else this.give(v, best);
  }

  private give(v: number, side: number): void {
    this.side[v] = side;
    this.anchor[v] = this.table.anchor[this.table.firstShare[v] + side];
  }

  /** Gives a vertex to a side for which it is not the best. */
  lend(v: number, side: number): void {
    this.give(v, side);
    this.isLent[v] = 1;
  }

  /** Writes the piece of each vertex, NO_PIECE where it has no particle. */
  piecesInto(out: Uint32Array): void {
    const { anchor, torn } = this;
    for (let v = 0; v < anchor.length; v++) out[v] = anchor[v] === NO_ANCHOR ? NO_PIECE : torn.pieceOf[anchor[v]];
  }

  /**
   * Whether two neighbouring vertices hang together: their sides have a cluster in common, or are connected by clusters
   * of the particles around both. Vertices that did not hang together when the body was built count as held while they
   * are of one piece.
   */
  areHeld(u: number, v: number): boolean {
    const { isActive, isChanged } = this.table;
    const [i, j] = [this.anchor[u], this.anchor[v]];
    if (i === j) return true;
    if (i === NO_ANCHOR || j === NO_ANCHOR || this.torn.pieceOf[i] !== this.torn.pieceOf[j]) return false;
    if (!isActive[u] || !isActive[v] || (!isChanged[u] && !isChanged[v])) return true;
    return this.areJoined(u, v) || !this.wereHeld(u, v);
  }

  /** The first side of vertex u that has a cluster in common with the side that v belongs to; NO_SIDE if none has. */
  private sideOf(u: number, v: number): number {
    const { shares, side } = this;
    const { firstShare, sideFrom, cluster } = this.table;
    const ours = shares.sidesAt(u);
    const at = firstShare[v] + side[v];
    const last = sideFrom[at + 1];
    let first = NO_SIDE;
    for (let e = sideFrom[at]; e < last; e++) if (ours[cluster[e]] < first) first = ours[cluster[e]];
    return first;
  }

  /** Whether the sides of two vertices are connected by sides of both that have clusters in common. */
  private areJoined(u: number, v: number): boolean {
    const { shares, side } = this;
    const { first, firstShare, sideFrom, sideCount, hasGone, count, cluster } = this.table;
    const ours = shares.sidesAt(u);
    const at = firstShare[v] + side[v];
    const last = sideFrom[at + 1];
    for (let e = sideFrom[at]; e < last; e++) if (ours[cluster[e]] === side[u]) return true;
    const [mine, theirs] = [sideCount[u] - hasGone[u], sideCount[v] - hasGone[v]];
    if (mine < 2 || theirs < 2) return false;
    reserveNodes(mine + theirs);
    for (let n = 0; n < mine + theirs; n++) nodeParent[n] = n;
    const end = first[v] + count[v];
    for (let e = first[v], n = 0; e < end; e++) {
      while (e >= sideFrom[firstShare[v] + n + 1]) n++;
      if (ours[cluster[e]] !== NO_SIDE) joinNodes(ours[cluster[e]], mine + n);
    }
    return rootOf(side[u]) === rootOf(mine + side[v]);
  }

  private wereHeld(u: number, v: number): boolean {
    const { near, parted } = this.torn.surroundings;
    // Mostly the particles around each hang together, and one is around both.
    if (!parted[u] && !parted[v])
      for (let n = near.start[v]; n < near.start[v + 1]; n++)
        for (let m = near.start[u]; m < near.start[u + 1]; m++) if (near.particle[m] === near.particle[n]) return true;
    const { ancestor } = this.torn.s;
    const first = this.torn.rows.particleStart;
    const { originals } = this;
    const [ours, theirs] = [near.start[u + 1] - near.start[u], near.start[v + 1] - near.start[v]];
    originals.begin();
    for (let n = near.start[u]; n < near.start[u + 1]; n++) this.addOriginals(near.particle[n]);
    for (let n = near.start[v]; n < near.start[v + 1]; n++) this.addOriginals(near.particle[n]);
    this.addOriginals(ancestor[first + this.anchor[u]]);
    this.addOriginals(ancestor[first + this.anchor[v]]);
    return originals.root(ours + theirs) === originals.root(ours + theirs + 1);
  }

  /**
   * By how much the side of vertex u outweighs, at u, that of its neighbour v, from which it is torn. A crack runs where
   * this difference, from one to the other, is 0. Negative where the vertex was lent.
   */
  lead(u: number, v: number): number {
    const { anchor, table } = this;
    const { isActive, firstShare, sideCount, hasGone } = table;
    if (!isActive[u]) return 1;
    const share = table.share[ROUNDS];
    const at = firstShare[u];
    if (anchor[u] === NO_ANCHOR) return hasGone[u] ? share[at + sideCount[u] - 1] : 1;
    const ours = share[at + this.side[u]];
    const foreign = table.foreign[ROUNDS][u];
    if (anchor[v] === NO_ANCHOR) return ours - (hasGone[u] ? share[at + sideCount[u] - 1] : foreign);
    const theirs = isActive[v] ? this.sideOf(u, v) : NO_SIDE;
    return ours - (theirs === NO_SIDE ? foreign : share[at + theirs]);
  }

  private addOriginals(particle: number): void {
    const { start, cluster } = this.torn.surroundings.original;
    this.originals.add(cluster, start[particle], start[particle + 1]);
  }

  /**
   * Joins groups of the entries at hand that did not hang together here when the body was built, if they are of one
   * piece: they are not torn.
   */
  private joinOriginals(count: number): void {
    const { pieceOf, s, rows } = this.torn;
    const { originals } = this;
    originals.begin();
    for (let n = 0; n < count; n++) this.addOriginals(s.ancestor[rows.particleStart + entryParticle[n]]);
    for (let m = 1; m < count; m++)
      for (let n = 0; n < m; n++)
        if (originals.root(m) !== originals.root(n) && pieceOf[entryParticle[m]] === pieceOf[entryParticle[n]])
          joinNodes(entryNode[m], entryNode[n]);
  }

  /**
   * Writes the particles of a vertex's side and their kernel, the largest first, from index `at` on; returns where they
   * end. There are at most mostOf(v).
   */
  followInto(particle: Uint32Array, kernel: Float32Array, at: number, v: number): number {
    const { copies, surroundings } = this.torn;
    const { table } = this;
    let end = at;
    let best = at;
    const { near } = surroundings;
    if (table.isActive[v]) {
      const { held, links } = this;
      const ours = this.shares.sidesAt(v);
      const side = this.side[v];
      for (let n = near.start[v]; n < near.start[v + 1]; n++) {
        const k = near.kernel[n];
        if (!(k > 0)) continue;
        const to = held.start[near.particle[n] + 1];
        for (let h = held.start[near.particle[n]]; h < to; h++) {
          const i = held.particle[h];
          const c = held.cluster[h];
          if (
            c >= 0
              ? ours[c] !== side
              : links.start[i] === links.start[i + 1] || ours[links.cluster[links.start[i]]] !== side
          )
            continue;
          particle[end] = i;
          kernel[end] = k;
          if (kernel[end] > kernel[best]) best = end;
          end++;
        }
      }
    } else {
      for (let n = near.start[v]; n < near.start[v + 1]; n++) {
        if (!(near.kernel[n] > 0)) continue;
        particle[end] = copies.particle[copies.start[near.particle[n]]];
        kernel[end] = near.kernel[n];
        if (kernel[end] > kernel[best]) best = end;
        end++;
      }
    }
    if (end === at) {
      particle[end] = this.anchor[v];
      kernel[end++] = 1;
    }
    const [i, k] = [particle[at], kernel[at]];
    particle[at] = particle[best];
    kernel[at] = kernel[best];
    particle[best] = i;
    kernel[best] = k;
    return end;
  }

  /** Greatest number of particles that followInto writes for a vertex. */
  mostOf(v: number): number {
    const { near } = this.torn.surroundings;
    return 1 + (this.table.isActive[v] ? this.table.particles[v] : near.start[v + 1] - near.start[v]);
  }
}

// The vertex at hand. Entries: particles around it, and for each its kernel, its mass and its node.
let entryParticle = new Uint32Array(64);
let entryKernel = new Float32Array(64);
let entryMass = new Float32Array(64);
let entryNode = new Uint16Array(64);
// Nodes: clusters of these particles, −1 for a particle without one; parent of each in its group, and its side.
let nodeCluster = new Int32Array(64);
let nodeParent = new Uint16Array(64);
let nodeSide = new Uint16Array(64);
// Sides: their share, their first cluster when these are put one side after the other, and their nearest particle with its kernel.
let sideShare = new Float32Array(65);
let sideFrom = new Uint32Array(65);
let sideNext = new Uint32Array(65);
let sideKernel = new Float32Array(65);
let sideAnchor = new Uint32Array(65);

/** Makes room for entries that have at most `links` clusters each. */
function reserveEntries(entries: number, links: number): void {
  if (entries > entryParticle.length) {
    entryParticle = new Uint32Array(2 * entries);
    entryKernel = new Float32Array(2 * entries);
    entryMass = new Float32Array(2 * entries);
    entryNode = new Uint16Array(2 * entries);
  }
  reserveNodes(entries * Math.max(1, links));
}

function reserveNodes(nodes: number): void {
  if (nodes <= nodeCluster.length) return;
  nodeCluster = new Int32Array(2 * nodes);
  nodeParent = new Uint16Array(2 * nodes);
  nodeSide = new Uint16Array(2 * nodes);
  sideShare = new Float32Array(2 * nodes + 1);
  sideFrom = new Uint32Array(2 * nodes + 1);
  sideNext = new Uint32Array(2 * nodes + 1);
  sideKernel = new Float32Array(2 * nodes + 1);
  sideAnchor = new Uint32Array(2 * nodes + 1);
}

/** Joins the groups of two nodes; the lower root is that of both. */
function joinNodes(m: number, n: number): void {
  const a = rootOf(m);
  const b = rootOf(n);
  if (a < b) nodeParent[b] = a;
  else nodeParent[a] = b;
}

function rootOf(n: number): number {
  while (nodeParent[n] !== n) n = nodeParent[n] = nodeParent[nodeParent[n]];
  return n;
}

/** The particles of each ancestor that are not debris, which follows no cluster and is followed by no knot. */
interface Held {
  readonly start: Uint32Array;
  readonly particle: Uint32Array;
  /** Its cluster, −1 where it has none or several. */
  readonly cluster: Int32Array;
  /** Its mass, as a share of that as built. */
  readonly part: Float64Array;
  /** Most particles of one ancestor. */
  readonly most: number;
}

function heldOf({ s, rows, copies, pieceOf }: Torn, links: Links): Held {
  const start = new Uint32Array(copies.start.length);
  const particle = new Uint32Array(copies.particle.length);
  const cluster = new Int32Array(copies.particle.length);
  const part = new Float64Array(copies.particle.length);
  let [end, most] = [0, 0];
  for (let a = 0; a + 1 < start.length; a++) {
    for (let k = copies.start[a]; k < copies.start[a + 1]; k++) {
      const i = copies.particle[k];
      if (pieceOf[i] === NO_PIECE) continue;
      const row = rows.particleStart + i;
      particle[end] = i;
      cluster[end] = links.start[i + 1] === links.start[i] + 1 ? links.cluster[links.start[i]] : -1;
      part[end++] = s.x[Row.x * row + 3] / s.builtMass[row];
    }
    start[a + 1] = end;
    most = Math.max(most, end - start[a]);
  }
  return { start, particle, cluster, part, most };
}

/** Links of a body's particles in the order of particles, without the indirection of the state. */
function linksOf({ s, rows: { particleStart, particleEnd, clusterStart } }: Torn): Links {
  const { gatherRank, linkStart, linkCluster } = s;
  const start = new Uint32Array(particleEnd - particleStart + 1);
  let most = 0;
  for (let i = particleStart; i < particleEnd; i++) {
    const count = linkStart[gatherRank[i] + 1] - linkStart[gatherRank[i]];
    start[i - particleStart + 1] = start[i - particleStart] + count;
    if (count > most) most = count;
  }
  const cluster = new Uint32Array(start[particleEnd - particleStart]);
  for (let i = particleStart; i < particleEnd; i++) {
    let at = start[i - particleStart];
    const end = linkStart[gatherRank[i] + 1];
    for (let l = linkStart[gatherRank[i]]; l < end; l++) cluster[at++] = linkCluster[l] - clusterStart;
  }
  return { start, cluster, most };
}

/** Per cluster: 1 where it has the members that a cluster was built with. */
function builtClusters({ s, rows: { clusterStart, clusterEnd }, surroundings: { names } }: Torn): Uint8Array {
  const { memberStart, memberParticle, ancestor } = s;
  const isBuilt = new Uint8Array(clusterEnd - clusterStart);
  for (let c = clusterStart; c < clusterEnd; c++) {
    let name = 0;
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) name = addToName(name, ancestor[memberParticle[k]]);
    isBuilt[c - clusterStart] = names.has(name) ? 1 : 0;
  }
  return isBuilt;
}
