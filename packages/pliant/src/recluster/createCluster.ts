import type { Body } from '../body/body.js';
import { weightAt } from '../cluster/weightKernel.js';
import { cubed, squared } from '../math/elementary.js';
import { cofactorsInto, determinant, invertInto, isFlat, multiplyInto, normSquared } from '../math/mat3.js';
import { FAINT, fadeWeight } from '../state/fade.js';
import type { Views } from '../state/layout.js';
import { pseudoInverseInto } from '../state/members.js';
import type { TopologyDraft } from '../topology/topologyDraft.js';
import type { Embedding } from './embedding.js';

/** A map whose determinant is below this share of its norm cubed counts as singular. */
const FLAT = 1e-6;

/** A cluster that was created: its number in the draft, and the values that the draft does not hold. */
export interface CreatedCluster {
  cluster: number;
  /** Mean hardening of the clusters that its particles are in, by mass (SPEC P1). */
  hardened: number;
  /** Map from the rest offsets in the draft to the body's rest shape, as `restFrame` of the state. */
  restFrame: Float64Array;
  /** As `fromRest` of the state. */
  fromRest: Float64Array;
}

/** Least number of members of a new cluster. */
const FEWEST = 6;
/** The search for the centre ends when it moves by less than this share of the radius, or after this many rounds. */
const AT_REST = 1e-3;
const MAX_ROUNDS = 48;
/** Rounds after which near particles are gathered anew: in so many the ball moves by less than 0.4 radii. */
const RELOOK = 8;

/**
 * Creates clusters in one embedded patch of a body, each aware of those before it (SPEC R2, [F17] "Cluster
 * Optimization").
 */
export class ClusterCreator {
  private s!: Views;
  private body!: Body;
  private draft!: TopologyDraft;
  private embedding!: Embedding;
  /** Clusters of the draft from this number on are new. */
  private firstNew = 0;
  /**
   * Per particle of the patch: sum of the raw weights of the clusters that stay, and the factor from raw weights to
   * actual ones. NaN where not computed yet.
   */
  private staying = new Float64Array(0);
  private scale = new Float64Array(0);
  /** Particles that may join a new cluster. */
  private near = new Uint32Array(0);
  private nearCount = 0;
  private ball = new Float64Array(0);

  begin(s: Views, body: Body, draft: TopologyDraft, embedding: Embedding): void {
    this.s = s;
    this.body = body;
    this.draft = draft;
    this.embedding = embedding;
    this.firstNew = draft.clusters;
    if (this.staying.length < embedding.particles) {
      this.staying = new Float64Array(2 * embedding.particles);
      this.scale = new Float64Array(2 * embedding.particles);
      this.near = new Uint32Array(2 * embedding.particles);
    }
    this.staying.fill(Number.NaN, 0, embedding.particles);
  }

  /**
   * Creates a cluster about a particle; undefined if too few particles are there. Its members lie in a ball of the
   * body's cluster radius. The ball is moved to its weighted centre of mass until it rests there, with the weights that
   * the cluster will have once it has faded in and leaving clusters are gone. If that ball does not hold the seed, the
   * ball about the seed is taken, so that every seed gets its cluster.
   */
  create(seed: number): CreatedCluster | undefined {
    const { s, body, draft, embedding } = this;
    const { kernel, space, radius } = body.reclustering;
    const n = embedding.particleOf(seed);
    centre.set(embedding.e.subarray(3 * n, 3 * n + 3));
    this.nearCount = embedding.listAround(s, seed, this.near);
    if (space !== 'world') this.centreBall(radius);
    if (this.distance2(n) > radius * radius) centre.set(embedding.e.subarray(3 * n, 3 * n + 3));
    let members = 0;
    for (let k = 0; k < this.nearCount; k++) if (this.distance2(this.near[k]) <= radius * radius) members++;
    if (members < FEWEST) return undefined;

    const home = this.rowOf(this.heaviest(n));
    const R = embedding.R.subarray(9 * embedding.clusterOf(home), 9 * embedding.clusterOf(home) + 9);
    const cluster = draft.addCluster(home - body.rows.clusterStart, this.frameIn(home, R));
    let [mass, hardened] = [0, 0];
    fit.begin();
    built.begin();
    for (let k = 0; k < this.nearCount; k++) {
      const i = this.near[k];
      const d2 = this.distance2(i);
      if (d2 > radius * radius) continue;
      this.weigh(i);
      const raw = weightAt(d2, radius, kernel);
      const particle = embedding.particle[i] - body.rows.particleStart;
      const from = this.heaviest(i);
      const m = draft.addMember(
        cluster,
        particle,
        draft.particleMass[particle] * raw * this.scale[i] * fadeWeight(FAINT),
      );
      // Rest offsets are in the axes of the cluster that holds the seed.
      for (let a = 0; a < 3; a++) {
        let sum = 0;
        for (let b = 0; b < 3; b++) sum += R[3 * a + b] * (embedding.e[3 * i + b] - centre[b]);
        draft.member[4 * m + a] = sum;
      }
      this.lookOutward(from, m, R);
      this.place(from);
      fit.add(draft.member, 4 * m, at, 0);
      built.add(draft.member, 4 * m, body.builtPositions, 3 * s.ancestor[embedding.particle[i]]);
      hardened += draft.member[4 * m + 3] * s.hardened[this.rowOf(from)];
      mass += draft.member[4 * m + 3];
      this.staying[i] += raw;
    }
    const restFrame = fit.end(s.restFrame.subarray(12 * home, 12 * home + 9));
    invertInto(M, s.fromRest.subarray(9 * home, 9 * home + 9));
    const fromRest = new Float64Array(s.fromRest.subarray(9 * home, 9 * home + 9));
    const toRest = built.end(M);
    // Members that lay in one plane when the body was built do not determine the map across it. Then the map of the
    // cluster that holds the seed is kept.
    const extent = Math.sqrt(normSquared(toRest));
    if (Math.abs(determinant(toRest)) > FLAT * cubed(extent)) invertInto(fromRest, toRest);
    return { cluster, hardened: hardened / mass, restFrame: restFrame, fromRest };
  }

  /** Moves the ball to the centre of mass of its members until it rests there. */
  private centreBall(radius: number): void {
    const { kernel } = this.body.reclustering;
    const limit = radius * radius;
    let [count, ball] = [0, this.ball];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (round % RELOOK === 0) {
        count = this.lookAround(radius);
        ball = this.ball;
      }
      let mass = 0;
      let x = 0;
      let y = 0;
      let z = 0;
      const [cx, cy, cz] = centre;
      for (let k = 0; k < count; k++) {
        const o = 5 * k;
        const dx = ball[o] - cx;
        const dy = ball[o + 1] - cy;
        const dz = ball[o + 2] - cz;
        const d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > limit) continue;
        const raw = weightAt(d2, radius, kernel);
        const mw = (ball[o + 3] * raw) / (raw + ball[o + 4]);
        mass += mw;
        x += mw * dx;
        y += mw * dy;
        z += mw * dz;
      }
      if (!(mass > 0)) return;
      x /= mass;
      y /= mass;
      z /= mass;
      centre[0] += x;
      centre[1] += y;
      centre[2] += z;
      if (x * x + y * y + z * z <= AT_REST * AT_REST * limit) return;
    }
  }

  /**
   * Gathers the particles that may come into the ball within a few rounds: position, mass and the raw weight of the
   * clusters that stay. Returns how many.
   */
  private lookAround(radius: number): number {
    const { s, embedding, near } = this;
    if (this.ball.length < 5 * this.nearCount) this.ball = new Float64Array(10 * this.nearCount);
    const { ball } = this;
    let count = 0;
    for (let k = 0; k < this.nearCount; k++) {
      const i = near[k];
      if (this.distance2(i) > 2 * radius * radius) continue;
      this.weigh(i);
      const o = 5 * count++;
      ball[o] = embedding.e[3 * i];
      ball[o + 1] = embedding.e[3 * i + 1];
      ball[o + 2] = embedding.e[3 * i + 2];
      ball[o + 3] = s.x[4 * embedding.particle[i] + 3];
      ball[o + 4] = this.staying[i];
    }
    return count;
  }

  private distance2(i: number): number {
    const { e } = this.embedding;
    return squared(e[3 * i] - centre[0]) + squared(e[3 * i + 1] - centre[1]) + squared(e[3 * i + 2] - centre[2]);
  }

  /**
   * Computes the raw weights of a particle in its clusters, from its distance to their centres in their rest shapes,
   * and the factor from these to the weights it has now with all fading undone. Runs before the particle joins a new
   * cluster.
   */
  private weigh(i: number): void {
    if (!Number.isNaN(this.staying[i])) return;
    const { s, draft } = this;
    const { reclustering, rows } = this.body;
    const particle = this.embedding.particle[i] - rows.particleStart;
    let [stay, all, full] = [0, 0, 0];
    for (let n = draft.linkFirst[particle]; n < draft.linkLast[particle]; n++) {
      const k = draft.links[n];
      const row = this.rowOf(k);
      let d2 = 0;
      for (let a = 0; a < 3; a++) {
        let p = 0;
        for (let b = 0; b < 3; b++) p += s.plastic[9 * row + 3 * b + a] * draft.member[4 * k + b];
        d2 += p * p;
      }
      const raw = weightAt(d2, reclustering.radius, reclustering.kernel);
      all += raw;
      full += draft.member[4 * k + 3] / (draft.particleMass[particle] * fadeWeight(s.fade[row]));
      if (!s.leaving[row]) stay += raw;
    }
    this.staying[i] = stay;
    this.scale[i] = full / all;
  }

  /** Row of the cluster that a membership of the draft belongs to. */
  private rowOf(k: number): number {
    return this.body.rows.clusterStart + this.draft.clusterFrom[this.draft.cluster[k]];
  }

  /** The membership, among those in the patch's clusters, in which a particle of the patch has the most weight. */
  private heaviest(i: number): number {
    const { draft, embedding } = this;
    const particle = embedding.particle[i] - this.body.rows.particleStart;
    let best = -1;
    for (let n = draft.linkFirst[particle]; n < draft.linkLast[particle]; n++) {
      const k = draft.links[n];
      if (draft.cluster[k] >= this.firstNew || embedding.clusterOf(this.rowOf(k)) < 0) continue;
      if (best < 0 || draft.member[4 * k + 3] > draft.member[4 * best + 3]) best = k;
    }
    return best;
  }

  /**
   * Map from the new cluster's frame, at the ball's centre with the axes of `home`, to rest offsets p of `home`, whose
   * rest shape is F^p p about its centre.
   */
  private frameIn(home: number, R: Float64Array): Float64Array {
    const frame = new Float64Array(12);
    inverseOfPlasticInto(M, this.s.plastic, 9 * home);
    this.embedding.centreInto(n, this.embedding.clusterOf(home));
    for (let a = 0; a < 3; a++) world[a] = centre[a] - n[a];
    for (let a = 0; a < 3; a++) n[a] = R[3 * a] * world[0] + R[3 * a + 1] * world[1] + R[3 * a + 2] * world[2];
    frame.set(M);
    for (let a = 0; a < 3; a++) frame[9 + a] = M[a] * n[0] + M[3 + a] * n[1] + M[6 + a] * n[2];
    return frame;
  }

  /**
   * Writes the outward direction and height of the new membership k, from those of the membership `from`. Normals
   * transform by F^p⁻ᵀ; F^p is symmetric and has determinant 1.
   */
  private lookOutward(from: number, k: number, R: Float64Array): void {
    const { draft, embedding, s } = this;
    const { outward } = draft;
    if (outward[4 * from + 3] < 0) {
      outward.fill(0, 4 * k, 4 * k + 3);
      outward[4 * k + 3] = -1;
      return;
    }
    const row = this.rowOf(from);
    const r = 9 * embedding.clusterOf(row);
    inverseOfPlasticInto(M, s.plastic, 9 * row);
    for (let a = 0; a < 3; a++) {
      n[a] = 0;
      for (let b = 0; b < 3; b++) n[a] += M[3 * b + a] * outward[4 * from + b];
    }
    for (let a = 0; a < 3; a++)
      world[a] = embedding.R[r + a] * n[0] + embedding.R[r + 3 + a] * n[1] + embedding.R[r + 6 + a] * n[2];
    for (let a = 0; a < 3; a++) n[a] = R[3 * a] * world[0] + R[3 * a + 1] * world[1] + R[3 * a + 2] * world[2];
    const length = Math.sqrt(squared(n[0]) + squared(n[1]) + squared(n[2]));
    for (let a = 0; a < 3; a++) outward[4 * k + a] = length > 0 ? n[a] / length : 0;
    outward[4 * k + 3] = length > 0 ? outward[4 * from + 3] / length : outward[4 * from + 3];
  }

  /** Writes the position of a member in the body's rest shape into `at`. */
  private place(k: number): void {
    const { restFrame } = this.s;
    const { member } = this.draft;
    const m = 12 * this.rowOf(k);
    for (let a = 0; a < 3; a++) {
      at[a] = restFrame[m + 9 + a];
      for (let b = 0; b < 3; b++) at[a] += restFrame[m + 3 * b + a] * member[4 * k + b];
    }
  }
}

const centre = new Float64Array(3);
const at = new Float64Array(3);
const n = new Float64Array(3);
const world = new Float64Array(3);
const M = new Float64Array(9);
const P = new Float64Array(9);

/** Inverse of F^p, which is its cofactor matrix because F^p is symmetric and has determinant 1. */
function inverseOfPlasticInto(out: Float64Array, plastic: Float64Array, o: number): void {
  for (let k = 0; k < 9; k++) P[k] = plastic[o + k];
  cofactorsInto(out, P);
}

/** Least-squares affine map from rest offsets to positions, by weight. */
class AffineFit {
  private mass = 0;
  private readonly p = new Float64Array(3);
  private readonly q = new Float64Array(3);
  private readonly qp = new Float64Array(9);
  private readonly pp = new Float64Array(9);

  begin(): void {
    this.mass = 0;
    for (const sums of [this.p, this.q, this.qp, this.pp]) sums.fill(0);
  }

  /** Adds a member, with rest offset and weight at `m`, whose position is at `q`. */
  add(member: Float32Array, m: number, places: Float64Array, q: number): void {
    const w = member[m + 3];
    this.mass += w;
    for (let b = 0; b < 3; b++) {
      const p = w * member[m + b];
      this.p[b] += p;
      this.q[b] += w * places[q + b];
      for (let a = 0; a < 3; a++) {
        this.qp[3 * b + a] += places[q + a] * p;
        this.pp[3 * b + a] += member[m + a] * p;
      }
    }
  }

  /**
   * The map: three columns, then the position of p = 0. Members in one plane do not determine the matrix, in which case
   * it is `otherwise`.
   */
  end(otherwise: ArrayLike<number>): Float64Array {
    const { mass, p, q, qp, pp } = this;
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        qp[3 * b + a] -= (q[a] * p[b]) / mass;
        pp[3 * b + a] -= (p[a] * p[b]) / mass;
      }
    pseudoInverseInto(M, 0, pp);
    const out = new Float64Array(12);
    if (isFlat(M, 0)) out.set(otherwise);
    else multiplyInto(out, qp, M);
    for (let a = 0; a < 3; a++) {
      out[9 + a] = q[a] / mass;
      for (let b = 0; b < 3; b++) out[9 + a] -= (out[3 * b + a] * p[b]) / mass;
    }
    return out;
  }
}
const fit = new AffineFit();
const built = new AffineFit();
