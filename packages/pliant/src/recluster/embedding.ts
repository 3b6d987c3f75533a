import { identityInto } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/**
 * A patch of a body, laid out as it would lie without stress ([F17] 3.0.2, eq. 3.5): positions e of particles and
 * clusters that minimise Σ w |R F^p p − (e_i − e_c)|². Clusters that have flowed do not agree on one shape; this is the
 * one on which they agree best.
 *
 * It is found by Jacobi iteration: every cluster fits its rest shape F^p p to its particles, and every particle moves
 * to the mean of its goals. That is shape matching without time. Clusters and particles have numbers of the patch, in
 * the order in which they were added.
 */
export class Embedding {
  clusters = 0;
  /** Row of each cluster in the state. */
  cluster = new Uint32Array(64);
  /** First membership of each cluster. */
  start = new Uint32Array(65);
  /** Rotation of each cluster, by columns. */
  R = new Float64Array(9 * 64);

  particles = 0;
  particle = new Uint32Array(1024);
  /** Position e of each particle, three numbers each (m). */
  e = new Float64Array(3 * 1024);

  memberships = 0;
  /** Particle of each membership. */
  private holds = new Uint32Array(4096);
  /** Rest shape F^p p and m·w of each membership: four numbers each. */
  private rest = new Float64Array(4 * 4096);
  /**
   * For clusters all of whose neighbours are in the patch: where their list in `neighbours` begins, and its length. The
   * length is 0 for all others.
   */
  private beside = new Uint32Array(64);
  private besideCount = new Uint32Array(64);
  private neighbours: number[] = [];
  private listed = new Uint8Array(64);
  /** Per cluster: its share in the sum of eq. 3.5 (kg m²), and its mass (kg). */
  private left = new Float64Array(2 * 64);
  private isNear = new Uint8Array(1024);
  /** Positions one iteration ago. */
  private before = new Float64Array(3 * 1024);
  private sum = new Float64Array(4 * 1024);
  /** By row, counted from the body's first: number in the patch, or −1. */
  private clusterNumber = new Int32Array(0);
  private particleNumber = new Int32Array(0);
  private rows!: Rows;

  begin(rows: Rows): void {
    this.rows = rows;
    const [clusters, particles] = [rows.clusterEnd - rows.clusterStart, rows.particleEnd - rows.particleStart];
    if (this.clusterNumber.length < clusters) this.clusterNumber = new Int32Array(2 * clusters);
    if (this.particleNumber.length < particles) this.particleNumber = new Int32Array(2 * particles);
    this.clusterNumber.fill(-1, 0, clusters);
    this.particleNumber.fill(-1, 0, particles);
    this.clusters = this.particles = this.memberships = this.start[0] = this.neighbours.length = 0;
  }

  /** Number in the patch of a row of the state, or −1. */
  clusterOf(row: number): number {
    return this.clusterNumber[row - this.rows.clusterStart];
  }

  particleOf(row: number): number {
    return this.particleNumber[row - this.rows.particleStart];
  }

  /** Adds a particle's clusters, and all clusters that share a particle with these (eqs. 3.6 and 3.7). */
  takeAround(s: Views, particle: number): void {
    const first = s.gatherRank[particle];
    for (let l = s.linkStart[first]; l < s.linkStart[first + 1]; l++) {
      const c = s.linkCluster[l];
      this.take(s, c);
      const own = this.clusterOf(c);
      if (this.besideCount[own] > 0) continue;
      this.beside[own] = this.neighbours.length;
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
        const n = s.gatherRank[s.memberParticle[k]];
        for (let m = s.linkStart[n]; m < s.linkStart[n + 1]; m++) {
          const d = this.take(s, s.linkCluster[m]);
          if (this.listed[d]) continue;
          this.listed[d] = 1;
          this.neighbours.push(d);
        }
      }
      this.besideCount[own] = this.neighbours.length - this.beside[own];
      for (let n = this.beside[own]; n < this.neighbours.length; n++) this.listed[this.neighbours[n]] = 0;
    }
  }

  /**
   * Lists the particles of the clusters that takeAround added for a particle: those that may join a new cluster about
   * it. Other particles of the patch may lie near it across a crack, connected to it by no cluster.
   */
  listAround(s: Views, particle: number, list: Uint32Array): number {
    let count = 0;
    const first = s.gatherRank[particle];
    for (let l = s.linkStart[first]; l < s.linkStart[first + 1]; l++) {
      const own = this.clusterOf(s.linkCluster[l]);
      for (let n = this.beside[own]; n < this.beside[own] + this.besideCount[own]; n++) {
        const c = this.neighbours[n];
        for (let k = this.start[c]; k < this.start[c + 1]; k++) {
          const i = this.holds[k];
          if (this.isNear[i]) continue;
          this.isNear[i] = 1;
          list[count++] = i;
        }
      }
    }
    for (let n = 0; n < count; n++) this.isNear[list[n]] = 0;
    return count;
  }

  private take(s: Views, row: number): number {
    if (this.clusterOf(row) >= 0) return this.clusterOf(row);
    const [first, last] = [s.memberStart[row], s.memberStart[row + 1]];
    this.reserve(last - first);
    const c = this.clusters++;
    this.besideCount[c] = 0;
    this.clusterNumber[row - this.rows.clusterStart] = c;
    this.cluster[c] = row;
    const F = s.plastic.subarray(9 * row, 9 * row + 9);
    for (let k = first; k < last; k++) {
      const [x, y, z] = [s.member[4 * k], s.member[4 * k + 1], s.member[4 * k + 2]];
      const n = this.memberships++;
      this.holds[n] = this.takeParticle(s, s.memberParticle[k]);
      for (let a = 0; a < 3; a++) this.rest[4 * n + a] = F[a] * x + F[3 + a] * y + F[6 + a] * z;
      this.rest[4 * n + 3] = s.member[4 * k + 3];
    }
    this.start[c + 1] = this.memberships;
    return c;
  }

  private takeParticle(s: Views, row: number): number {
    const known = this.particleOf(row);
    if (known >= 0) return known;
    const n = this.particles++;
    this.particleNumber[row - this.rows.particleStart] = n;
    this.particle[n] = row;
    for (let a = 0; a < 3; a++) this.e[3 * n + a] = s.x[4 * row + a];
    return n;
  }

  /** Room for one more cluster of so many members. */
  private reserve(members: number): void {
    if (this.clusters + 1 >= this.cluster.length) {
      this.cluster = widened(this.cluster, 2 * this.cluster.length);
      this.start = widened(this.start, 2 * this.cluster.length + 1);
      this.R = new Float64Array(9 * this.cluster.length);
      this.beside = widened(this.beside, this.cluster.length);
      this.besideCount = widened(this.besideCount, this.cluster.length);
      this.listed = widened(this.listed, this.cluster.length);
      this.left = new Float64Array(2 * this.cluster.length);
    }
    if (this.memberships + members > this.holds.length) {
      const room = 2 * (this.memberships + members);
      this.holds = widened(this.holds, room);
      this.rest = widened(this.rest, 4 * room);
    }
    if (this.particles + members > this.particle.length) {
      const room = 2 * (this.particles + members);
      this.particle = widened(this.particle, room);
      this.e = widened(this.e, 3 * room);
      this.before = new Float64Array(3 * room);
      this.isNear = new Uint8Array(room);
      this.sum = new Float64Array(4 * room);
    }
  }

  /**
   * Computes the positions, starting from those in the world, in at most `iterations` iterations. It ends earlier when
   * the sum of squared displacements is 1e-8 of that of the first iteration, as in [F17]. Without `turns` all rotations
   * are the identity: the linear problem, SPEC R3.
   *
   * A plain iteration carries a displacement one cluster farther. After twenty, most of the stress that spans many
   * clusters is still in the new shape, where it is lost: in a beam pressed to 0.76 of its length, new clusters measured
   * a compression to 0.93 only. Chebyshev's semi-iteration takes steps that suit all wavelengths at once, and twenty
   * are enough.
   */
  embed(iterations: number, turns: boolean): void {
    let [first, weight] = [0, 1];
    for (let n = 0; n < iterations; n++) {
      // Eigenvalues of the mean over clusters lie in [0, SLOWEST]. The relaxation OVER makes their range symmetric
      // about 0.
      weight = n === 0 ? 1 : n === 1 ? 2 / (2 - RADIUS * RADIUS) : 4 / (4 - RADIUS * RADIUS * weight);
      const moved = this.iterate(turns, weight);
      if (n === 0) first = moved;
      if (!(moved > CONVERGED * first)) break;
    }
    this.turn(turns);
  }

  /** One iteration, extrapolated from the one before; returns the sum of squared displacements. */
  private iterate(turns: boolean, weight: number): number {
    const { sum, e, before, particles } = this;
    sum.fill(0, 0, 4 * particles);
    for (let c = 0; c < this.clusters; c++) {
      this.fit(c, turns);
      this.addGoals(c);
    }
    let moved = 0;
    for (let i = 0; i < particles; i++) {
      const w = sum[4 * i + 3];
      for (let a = 0; a < 3; a++) {
        const now = e[3 * i + a];
        const was = weight === 1 ? 0 : before[3 * i + a];
        const to = weight * (now + OVER * (sum[4 * i + a] / w - now) - was) + was;
        moved += (to - now) * (to - now);
        before[3 * i + a] = now;
        e[3 * i + a] = to;
      }
    }
    return moved;
  }

  /** Adds the goals of a cluster to the sums of its particles, by weight. */
  private addGoals(c: number): void {
    const { sum, holds, rest, R } = this;
    const [cx, cy, cz] = centre;
    const r = 9 * c;
    const [r0, r1, r2] = [R[r], R[r + 1], R[r + 2]];
    const [r3, r4, r5] = [R[r + 3], R[r + 4], R[r + 5]];
    const [r6, r7, r8] = [R[r + 6], R[r + 7], R[r + 8]];
    const last = this.start[c + 1];
    for (let k = this.start[c]; k < last; k++) {
      const o = 4 * k;
      const x = rest[o];
      const y = rest[o + 1];
      const z = rest[o + 2];
      const w = rest[o + 3];
      const at = 4 * holds[k];
      sum[at] += w * (cx + r0 * x + r3 * y + r6 * z);
      sum[at + 1] += w * (cy + r1 * x + r4 * y + r7 * z);
      sum[at + 2] += w * (cz + r2 * x + r5 * y + r8 * z);
      sum[at + 3] += w;
    }
  }

  /** Centre of a cluster's particles, and its best rotation; without `turns` the identity. */
  private fit(c: number, turns: boolean): void {
    const { e, holds, rest } = this;
    const first = this.start[c];
    const last = this.start[c + 1];
    // Rest shapes have their centre of mass at 0, so the origin of these sums matters for rounding only.
    const b = 3 * holds[first];
    const bx = e[b];
    const by = e[b + 1];
    const bz = e[b + 2];
    let mass = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    let xx = 0;
    let yx = 0;
    let zx = 0;
    let xy = 0;
    let yy = 0;
    let zy = 0;
    let xz = 0;
    let yz = 0;
    let zz = 0;
    for (let k = first; k < last; k++) {
      const o = 3 * holds[k];
      const n = 4 * k;
      const w = rest[n + 3];
      const ex = w * (e[o] - bx);
      const ey = w * (e[o + 1] - by);
      const ez = w * (e[o + 2] - bz);
      const x = rest[n];
      const y = rest[n + 1];
      const z = rest[n + 2];
      mass += w;
      sx += ex;
      sy += ey;
      sz += ez;
      xx += ex * x;
      yx += ey * x;
      zx += ez * x;
      xy += ex * y;
      yy += ey * y;
      zy += ez * y;
      xz += ex * z;
      yz += ey * z;
      zz += ez * z;
    }
    A[0] = xx;
    A[1] = yx;
    A[2] = zx;
    A[3] = xy;
    A[4] = yy;
    A[5] = zy;
    A[6] = xz;
    A[7] = yz;
    A[8] = zz;
    centre[0] = bx + sx / mass;
    centre[1] = by + sy / mass;
    centre[2] = bz + sz / mass;
    if (turns) polarInto(Q, A);
    else identityInto(Q);
    for (let k = 0; k < 9; k++) this.R[9 * c + k] = Q[k];
  }

  /** Fits the rotation of every cluster to the present positions. */
  turn(turns: boolean): void {
    for (let c = 0; c < this.clusters; c++) this.fit(c, turns);
  }

  /** Centre of a cluster's particles. */
  centreInto(out: Float64Array, c: number): void {
    out.fill(0);
    let mass = 0;
    for (let k = this.start[c]; k < this.start[c + 1]; k++) {
      mass += this.rest[4 * k + 3];
      for (let a = 0; a < 3; a++) out[a] += this.rest[4 * k + 3] * this.e[3 * this.holds[k] + a];
    }
    for (let a = 0; a < 3; a++) out[a] /= mass;
  }

  /** The sum of eq. 3.5 at the present positions (kg m²): how far the clusters are from agreeing on a shape. */
  residual(turns = true): number {
    const { e, holds, rest, R } = this;
    let all = 0;
    for (let c = 0; c < this.clusters; c++) {
      this.fit(c, turns);
      let [sum, mass] = [0, 0];
      for (let k = this.start[c]; k < this.start[c + 1]; k++) {
        mass += rest[4 * k + 3];
        for (let a = 0; a < 3; a++) {
          const goal = centre[a] + R[9 * c + a] * rest[4 * k] + R[9 * c + 3 + a] * rest[4 * k + 1];
          const off = goal + R[9 * c + 6 + a] * rest[4 * k + 2] - e[3 * holds[k] + a];
          sum += rest[4 * k + 3] * off * off;
        }
      }
      this.left[2 * c] = sum;
      this.left[2 * c + 1] = mass;
      all += sum;
    }
    return all;
  }

  /**
   * Rms distance of particles from their goals (m), over the clusters that takeAround added for a particle. Runs after
   * `residual`.
   */
  disagreement(s: Views, particle: number): number {
    let [sum, mass] = [0, 0];
    const first = s.gatherRank[particle];
    for (let l = s.linkStart[first]; l < s.linkStart[first + 1]; l++) {
      const own = this.clusterOf(s.linkCluster[l]);
      for (let n = this.beside[own]; n < this.beside[own] + this.besideCount[own]; n++) {
        sum += this.left[2 * this.neighbours[n]];
        mass += this.left[2 * this.neighbours[n] + 1];
      }
    }
    return Math.sqrt(sum / mass);
  }
}

const CONVERGED = 1e-8;
/**
 * Largest eigenvalue of the mean over clusters that is to converge, the relaxation that makes the range of eigenvalues
 * symmetric, and the largest magnitude that they then have.
 */
const SLOWEST = 0.98;
const OVER = 2 / (2 - SLOWEST);
const RADIUS = SLOWEST / (2 - SLOWEST);
const centre = new Float64Array(3);
const A = new Float64Array(9);
const Q = new Float64Array(9);

function widened<T extends Uint8Array | Uint32Array | Float64Array>(from: T, length: number): T {
  const wider = new (from.constructor as new (length: number) => T)(length);
  wider.set(from);
  return wider;
}
