import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';
import { CopyLimit } from './copies.js';
import { centreOf, deformationOf, Strain, strainOf } from './strain.js';

/**
 * A crack plane in the proxy of one half of a split cluster: n·p < reach in the rest frame of the cluster that split.
 */
export interface CrackPlane {
  cluster: number;
  normal: [number, number, number];
  reach: number;
}

/**
 * A cluster that split into itself and a new one, with the plane in world coordinates. Numbers are those of the draft.
 */
export interface Split {
  cluster: number;
  into: number;
  position: [number, number, number];
  normal: [number, number, number];
}

/**
 * The crack through one cluster (SPEC X1, X2, X6). Each member goes to the half on its own side of the plane. A
 * particle of either half whose other clusters have their centres beyond the plane is copied: those clusters get the
 * copy.
 */
export class Crack {
  readonly splits: Split[] = [];
  readonly planes: CrackPlane[] = [];
  /** Pairs of particles: original, copy. */
  readonly copies: number[] = [];
  /** Memberships that ended without a copy. */
  left = 0;
  /** Memberships visited so far. */
  work = 0;
  private readonly limit = new CopyLimit();
  /** Of the cluster of the last call of stretchOf, locate or rest. */
  private readonly strain = new Strain();
  /** Centres of the draft's clusters in the world, three numbers each; NaN where not computed yet. */
  centres = new Float64Array(0);
  /** Number of clusters that `centres` has numbers for. */
  private known = 0;

  begin(s: Views, body: Body, draft: TopologyDraft): void {
    this.splits.length = this.planes.length = this.copies.length = this.work = this.left = 0;
    this.limit.begin(s, body, draft);
    if (this.centres.length < 6 * draft.clusters) this.centres = new Float64Array(12 * draft.clusters);
    this.centres.fill(Number.NaN, 0, 3 * draft.clusters);
    this.known = draft.clusters;
  }

  /** The draft is written, or nothing changed. */
  end(body: Body): void {
    this.limit.end(body);
  }

  /** Largest elastic stretch of a cluster with its present members. */
  stretchOf(s: Views, draft: TopologyDraft, { rows }: Body, c: number): number {
    this.work += draft.memberCount(c);
    strainOf(this.strain, s, draft, rows.particleStart, c, rows.clusterStart + draft.clusterFrom[c]);
    return this.strain.sigma[0];
  }

  /** Has the next split be across another direction than that of the largest stretch of the last call of stretchOf. */
  turn(direction: Float64Array): void {
    for (let a = 0; a < 3; a++) this.strain.U[a] = direction[a];
  }

  /**
   * Splits the cluster of the last call of stretchOf. Returns false, and does nothing, if a half would be too small.
   */
  split(s: Views, draft: TopologyDraft, body: Body, c: number): boolean {
    const first = body.rows.particleStart;
    const { U, centre } = this.strain;
    const [nx, ny, nz] = [U[0], U[1], U[2]];
    const [cx, cy, cz] = centre;
    const side = (i: number) => {
      const o = 4 * (first + draft.particleFrom[i]);
      return (s.x[o] - cx) * nx + (s.x[o + 1] - cy) * ny + (s.x[o + 2] - cz) * nz;
    };
    let beyond = 0;
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++)
      if (side(draft.particle[draft.members[m]]) > 0) beyond++;
    const { minMembers } = body.fracture;
    if (Math.min(beyond, draft.memberCount(c) - beyond) < minMembers) return false;
    this.leavePlane(draft, s.proxySpacing[body.rows.clusterStart], c, draft.clusters);
    // All members at once: the clusters that hold them are looked through for each load.
    draft.loadMembers(c);
    const into = draft.splitCluster(c, (k) => side(draft.particle[k]) > 0);
    this.forget(c, into);
    this.splits.push({ cluster: c, into, position: [cx, cy, cz], normal: [nx, ny, nz] });
    const isBeyond = (d: number) => {
      const o = this.locate(s, draft, first, d);
      const { centres } = this;
      return (centres[o] - cx) * nx + (centres[o + 1] - cy) * ny + (centres[o + 2] - cz) * nz > 0;
    };
    for (const half of [c, into]) {
      const leaves = (k: number) => {
        const d = draft.cluster[k];
        return d !== c && d !== into && isBeyond(d) !== (half === into);
      };
      for (let m = draft.memberFirst[half]; m < draft.memberLast[half]; ) {
        const k = draft.members[m];
        this.copyIfNeeded(draft, draft.particle[k], leaves);
        // The membership itself may have ended; the next one is then at m.
        if (draft.members[m] === k) m++;
      }
    }
    return true;
  }

  /**
   * Moves the memberships of a particle for which `leaves` is true to a copy of it. At least one must stay. Where no
   * copy is allowed, the memberships on the side of less weight end instead.
   */
  copyIfNeeded(draft: TopologyDraft, i: number, leaves: (membership: number) => boolean): void {
    this.work += draft.linkCount(i);
    let [any, mass] = [false, 0];
    for (let n = draft.linkFirst[i]; n < draft.linkLast[i]; n++) {
      const k = draft.links[n];
      if (!leaves(k)) continue;
      any = true;
      draft.hold(draft.cluster[k]);
      mass += draft.member[4 * k + 3];
    }
    if (!any) return;
    if (this.limit.allows(i, mass)) {
      this.limit.add(i);
      this.copies.push(i, draft.splitParticle(i, leaves));
    } else {
      const isLighter = mass < draft.particleMass[i] - mass;
      this.endLinks(draft, i, (k) => leaves(k) === isLighter);
    }
  }

  private endLinks(draft: TopologyDraft, i: number, ends: (membership: number) => boolean): void {
    for (let n = draft.linkLast[i] - 1; n >= draft.linkFirst[i]; n--) {
      const k = draft.links[n];
      if (!ends(k)) continue;
      draft.endMember(k);
      this.left++;
    }
  }

  /** Computes the present centre of a cluster of the draft if needed. Returns its index in `centres`. */
  locate(s: Views, draft: TopologyDraft, firstParticle: number, c: number): number {
    if (this.centres.length < 3 * draft.clusters) {
      const wider = new Float64Array(6 * draft.clusters);
      wider.set(this.centres);
      this.centres = wider;
    }
    if (this.known < draft.clusters) this.centres.fill(Number.NaN, 3 * this.known, 3 * draft.clusters);
    this.known = draft.clusters;
    if (Number.isNaN(this.centres[3 * c])) {
      this.work += draft.memberCount(c);
      centreOf(this.strain, s, draft, firstParticle, c);
      this.centres.set(this.strain.centre, 3 * c);
    }
    return 3 * c;
  }

  /** Computes the rest centre of a cluster in its rest frame, for restOffset. */
  rest(s: Views, draft: TopologyDraft, firstParticle: number, c: number): void {
    draft.hold(c);
    if (draft.changed[c]) centreOf(this.strain, s, draft, firstParticle, c);
    else this.strain.restCentre.fill(0);
  }

  /** Rest offset of a membership from the rest centre of the last call of rest. */
  restOffset(draft: TopologyDraft, k: number): Float64Array {
    const { restCentre } = this.strain;
    for (let a = 0; a < 3; a++) offset[a] = draft.member[4 * k + a] - restCentre[a];
    return offset;
  }

  /** Computes the deformation of a cluster, for offset2. */
  fit(s: Views, draft: TopologyDraft, firstParticle: number, c: number): void {
    this.work += draft.memberCount(c);
    deformationOf(this.strain, s, draft, firstParticle, c);
  }

  /** Squared distance (m²) of a member from its place by the deformation of the last call of fit. */
  offset2({ x }: Views, draft: TopologyDraft, firstParticle: number, k: number): number {
    const { F, centre } = this.strain;
    const [p, q, r] = this.restOffset(draft, k);
    const o = 4 * (firstParticle + draft.particleFrom[draft.particle[k]]);
    let sum = 0;
    for (let a = 0; a < 3; a++) sum += squared(x[o + a] - centre[a] - (F[a] * p + F[3 + a] * q + F[6 + a] * r));
    return sum;
  }

  private forget(...clusters: number[]): void {
    for (const c of clusters) this.centres.fill(Number.NaN, 3 * c, 3 * c + 3);
  }

  /**
   * Records the crack plane in the rest frame. As d·(x − x̄) = d·F (p − p̄), its normal is Fᵀ d. Members next to the
   * plane are on the body's surface from now on and their outward directions point across it.
   */
  private leavePlane(draft: TopologyDraft, spacing: number, c: number, into: number): void {
    const { F, U, restCentre } = this.strain;
    const n: [number, number, number] = [0, 1, 2].map(
      (a) => F[3 * a] * U[0] + F[3 * a + 1] * U[1] + F[3 * a + 2] * U[2],
    ) as [number, number, number];
    const length = Math.sqrt(squared(n[0]) + squared(n[1]) + squared(n[2]));
    if (!(length > 0)) return;
    for (let a = 0; a < 3; a++) n[a] /= length;
    const reach = n[0] * restCentre[0] + n[1] * restCentre[1] + n[2] * restCentre[2];
    this.planes.push({ cluster: c, normal: n, reach });
    this.planes.push({ cluster: into, normal: [-n[0], -n[1], -n[2]], reach: -reach });
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
      const k = draft.members[m];
      const off = n[0] * draft.member[4 * k] + n[1] * draft.member[4 * k + 1] + n[2] * draft.member[4 * k + 2] - reach;
      if (draft.outward[4 * k + 3] >= 0 || Math.abs(off) > NEXT_TO * spacing) continue;
      for (let a = 0; a < 3; a++) draft.outward[4 * k + a] = off > 0 ? -n[a] : n[a];
      draft.outward[4 * k + 3] = Math.abs(off);
    }
  }
}

const offset = new Float64Array(3);

/** Distance from a crack plane, in spacings, up to which a member counts as on its face. */
const NEXT_TO = 0.75;
