import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';
import { CopyLimit } from './copies.js';
import { centreOf, Strain, strainOf } from './strain.js';

/** A plane that a split leaves in the proxy of one of its halves: n·p < reach in the rest frame of the cluster that split. */
export interface CrackPlane {
  cluster: number;
  normal: [number, number, number];
  reach: number;
}

/** One cluster that split: into itself and a new one, by a plane of the world. Numbers are those of the draft. */
export interface Split {
  cluster: number;
  into: number;
  position: [number, number, number];
  normal: [number, number, number];
}

/**
 * The crack through one cluster (SPEC X1, X2, X6). Which side of its plane the members are on decides whose they are; then every
 * particle of both halves is asked whether its other clusters lie on its own side. Those that do not get a copy of it.
 */
export class Crack {
  readonly splits: Split[] = [];
  readonly planes: CrackPlane[] = [];
  /** Pairs of particles: what was copied, and the copy. */
  readonly copies: number[] = [];
  /** Memberships that ended without a copy. */
  left = 0;
  /** Memberships that were looked at so far. */
  work = 0;
  private readonly limit = new CopyLimit();
  /** Of the cluster last asked for. */
  private readonly strain = new Strain();
  /** Where the draft's clusters are, three numbers each; NaN: not asked yet. */
  centres = new Float64Array(0);

  begin(s: Views, body: Body, draft: TopologyDraft): void {
    this.splits.length = this.planes.length = this.copies.length = this.work = this.left = 0;
    this.limit.begin(s, body, draft);
    if (this.centres.length < 6 * draft.clusters) this.centres = new Float64Array(12 * draft.clusters);
    this.centres.fill(Number.NaN);
  }

  /** Largest elastic stretch of a cluster as it is now. */
  stretchOf(s: Views, draft: TopologyDraft, { rows }: Body, c: number): number {
    this.work += draft.memberCount(c);
    strainOf(this.strain, s, draft, rows.particleStart, c, rows.clusterStart + draft.clusterFrom[c]);
    return this.strain.sigma[0];
  }

  /** Splits the cluster that stretchOf was last asked of; false if that would leave a part too small to live. */
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
        // Unless it has ended.
        if (draft.members[m] === k) m++;
      }
    }
    return true;
  }

  /**
   * A copy of a particle takes the memberships that leave it, if any do; some must stay. Where there may be no copy, the particle goes whole to the
   * side on which it weighs more, and its memberships on the other end.
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

  /** Finds where a cluster of the draft is now; returns from where on that is in `centres`. */
  locate(s: Views, draft: TopologyDraft, firstParticle: number, c: number): number {
    if (this.centres.length < 3 * draft.clusters) {
      const wider = new Float64Array(6 * draft.clusters).fill(Number.NaN);
      wider.set(this.centres);
      this.centres = wider;
    }
    if (Number.isNaN(this.centres[3 * c])) {
      this.work += draft.memberCount(c);
      centreOf(this.strain, s, draft, firstParticle, c);
      this.centres.set(this.strain.centre, 3 * c);
    }
    return 3 * c;
  }

  /** Where a cluster's rest centre is in its rest frame, for restOffset. */
  rest(s: Views, draft: TopologyDraft, firstParticle: number, c: number): void {
    draft.hold(c);
    if (draft.changed[c]) centreOf(this.strain, s, draft, firstParticle, c);
    else this.strain.restCentre.fill(0);
  }

  /** A membership's rest offset from the rest centre last asked for. */
  restOffset(draft: TopologyDraft, k: number): Float64Array {
    const { restCentre } = this.strain;
    for (let a = 0; a < 3; a++) offset[a] = draft.member[4 * k + a] - restCentre[a];
    return offset;
  }

  private forget(...clusters: number[]): void {
    for (const c of clusters) this.centres.fill(Number.NaN, 3 * c, 3 * c + 3);
  }

  /**
   * The plane in the rest frame: d·(x − x̄) = d·F (p − p̄), so that its normal is Fᵀ d. Members that lie next to it are on the body's
   * surface from now on and look across it.
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

/** Spacings from a crack within which a particle is on its face. */
const NEXT_TO = 0.75;
