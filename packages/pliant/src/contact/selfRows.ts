import { CONTACT_ROW, ContactRow, PATCH } from '../state/contactRow.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';

/**
 * Layout of one contact of a body with itself, in f64. A particle i meets a patch of the surface: particles k with weights w that sum to 1.
 * The particle and the patch act on each other like a point on a rigid plate. An impulse J on the particle gives the patch
 *
 *     J_k = −w_k (J + θ × r_k),   T θ = d × J,   T = Σ w (|r|² − r rᵀ),
 *
 * with r_k from the weighted centre of the patch and d from that centre to the particle. Then Σ J_k = −J and Σ r_k × J_k = −d × J, so
 * linear and angular momentum are conserved for any J. The relative velocity conjugate to J is measured against the plate's velocity at the
 * particle, V + Ω × d, with V = Σ w v and T Ω = Σ w r × v.
 *
 * Positions are those at the end of the step, where the particle is at its patch. (Positions at the start would conserve angular momentum
 * without a correction, as x moves by h Δv. But there a fast particle is far from its patch, and every impulse turns the patch strongly.)
 */
export const SelfRow = {
  /** Normal, from the patch to the particle. */
  NORMAL: 0,
  /** w of the patch. */
  WEIGHT: 3,
  /** r of the patch, three numbers each (m). */
  ARM: 9,
  /** d (m). */
  OFFSET: 27,
  /** T⁻¹, xx yy zz xy xz yz (1/m²); 0 where the patch is a line or a point. */
  TURN: 30,
  /** Mobility matrix: relative velocity by unit impulse, xx yy zz xy xz yz (1/kg). */
  MOBILITY: 36,
  /** Goal of the separating speed (m/s). */
  GOAL: 42,
  /** Impulse along the normal so far (N s). */
  NORMAL_IMPULSE: 43,
  /** Tangential impulse so far, a vector (N s). */
  FRICTION_IMPULSE: 44,
  /** μ. */
  FRICTION: 47,
  /** Separating speed at which the contact would end within this step (m/s). Above 0 the contact penetrated before the step. */
  EXIT_SPEED: 48,
  /** Indices of the particle and its patch in the list of moved particles. */
  SLOT: 49,
  LENGTH: 56,
} as const;

const { NORMAL, WEIGHT, ARM, OFFSET, TURN, MOBILITY, SLOT, LENGTH } = SelfRow;

/** A patch whose T has a determinant below this share of its trace cubed is a line or a point, which cannot be turned like a plate. */
const LINE = 1e-6;

const centre = new Float64Array(3);
const T = new Float64Array(6);
const theta = new Float64Array(3);
const turns = [0, 1, 2].map(() => new Float64Array(3));
const given = [0, 1, 2].map(() => new Float64Array(3));

/** The contacts of the current body as rows, and the particles that they move. Both lists grow as needed and never shrink. */
export class SelfRows {
  rows = new Float64Array(LENGTH * 256);
  /** Particle numbers, without duplicates. */
  particles = new Uint32Array(1024);
  /** Of each particle: change of velocity x y z (m/s), and 1/m (1/kg), which is 0 for held and sleeping particles. */
  change = new Float64Array(4 * 1024);
  moved = 0;

  /** Empties the list of particles. */
  clear({ listedFor }: Views): void {
    for (let n = 0; n < this.moved; n++) listedFor[this.particles[n]] = 0;
    this.moved = 0;
  }

  /** Row n := contact k of `touching`, whose patch and weights the kernel describeContacts has written. */
  describe(s: Views, n: number, k: number): void {
    if (this.rows.length < LENGTH * (n + 1)) {
      const wider = new Float64Array(2 * this.rows.length);
      wider.set(this.rows);
      this.rows = wider;
    }
    const { rows } = this;
    const o = LENGTH * n;
    rows.fill(0, o, o + LENGTH);
    const i = s.touching[k];
    for (let a = 0; a < 3; a++) rows[o + NORMAL + a] = s.touch[4 * i + a];
    rows[o + SLOT] = this.slotOf(s, i);
    for (let p = 0; p < PATCH; p++) {
      rows[o + WEIGHT + p] = s.contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + p];
      rows[o + SLOT + 1 + p] = this.slotOf(s, s.patch[8 * k + p]);
    }
    this.layPlate(s, o, i);
    this.findMobility(o);
  }

  /** Index of a particle in the list; adds it if it is new. `listedFor` holds the index plus 1, 0 for none. */
  private slotOf(s: Views, i: number): number {
    if (s.listedFor[i] !== 0) return s.listedFor[i] - 1;
    if (this.moved === this.particles.length) this.grow();
    const { particles, change, moved } = this;
    particles[moved] = i;
    change.fill(0, 4 * moved, 4 * moved + 3);
    change[4 * moved + 3] = s.flags[i] & (Flag.HELD | Flag.ASLEEP) ? 0 : 1 / s.x[4 * i + 3];
    s.listedFor[i] = moved + 1;
    return this.moved++;
  }

  private grow(): void {
    const { particles, change } = this;
    this.particles = new Uint32Array(2 * particles.length);
    this.change = new Float64Array(2 * change.length);
    this.particles.set(particles);
    this.change.set(change);
  }

  /**
   * Writes arms, offset and T⁻¹. Where the patch is a line or a point, only an impulse along the line to its centre has no torque: that
   * direction becomes the normal.
   */
  private layPlate({ x }: Views, o: number, i: number): void {
    const { rows, particles } = this;
    centre.fill(0);
    let weight = 0;
    for (let p = 0; p < PATCH; p++) {
      const w = rows[o + WEIGHT + p];
      const at = 4 * particles[rows[o + SLOT + 1 + p]];
      for (let a = 0; a < 3; a++) {
        rows[o + ARM + 3 * p + a] = x[at + a];
        centre[a] += w * x[at + a];
      }
      weight += w;
    }
    T.fill(0);
    for (let a = 0; a < 3; a++) centre[a] /= weight;
    for (let p = 0; p < PATCH; p++) {
      // Weights are stored as f32. Their sum is 1 only up to rounding, and the error would change momentum.
      const w = (rows[o + WEIGHT + p] /= weight);
      const r = o + ARM + 3 * p;
      for (let a = 0; a < 3; a++) rows[r + a] -= centre[a];
      const [rx, ry, rz] = [rows[r], rows[r + 1], rows[r + 2]];
      T[0] += w * (ry * ry + rz * rz);
      T[1] += w * (rx * rx + rz * rz);
      T[2] += w * (rx * rx + ry * ry);
      T[3] -= w * rx * ry;
      T[4] -= w * rx * rz;
      T[5] -= w * ry * rz;
    }
    for (let a = 0; a < 3; a++) rows[o + OFFSET + a] = x[4 * i + a] - centre[a];
    if (!this.invertPlate(o + TURN)) this.pushAlongOffset(o);
  }

  private invertPlate(to: number): boolean {
    const { rows } = this;
    const [xx, yy, zz, xy, xz, yz] = T;
    const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    const det = xx * a + xy * b + xz * c;
    const trace = xx + yy + zz;
    if (!(det > LINE * trace * trace * trace)) return false;
    rows[to] = a / det;
    rows[to + 1] = (xx * zz - xz * xz) / det;
    rows[to + 2] = (xx * yy - xy * xy) / det;
    rows[to + 3] = b / det;
    rows[to + 4] = c / det;
    rows[to + 5] = (xy * xz - xx * yz) / det;
    return true;
  }

  private pushAlongOffset(o: number): void {
    const { rows } = this;
    const [x, y, z] = [rows[o + OFFSET], rows[o + OFFSET + 1], rows[o + OFFSET + 2]];
    const along = x * rows[o + NORMAL] + y * rows[o + NORMAL + 1] + z * rows[o + NORMAL + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > 0 ? (along < 0 ? -1 : 1) / length : 0;
    rows[o + NORMAL] = scale * x;
    rows[o + NORMAL + 1] = scale * y;
    rows[o + NORMAL + 2] = scale * z;
  }

  /** Whether the patch of the row at o can be turned. A patch that cannot gets no friction. */
  isPlate(o: number): boolean {
    return this.rows[o + TURN] > 0;
  }

  /** Writes the mobility: the relative velocity that unit impulses along x, y and z cause. */
  private findMobility(o: number): void {
    const { rows, change } = this;
    const m = o + MOBILITY;
    rows[m] = rows[m + 1] = rows[m + 2] = change[4 * rows[o + SLOT] + 3];
    for (let a = 0; a < 3; a++) this.turnInto(turns[a], o, a === 0 ? 1 : 0, a === 1 ? 1 : 0, a === 2 ? 1 : 0);
    for (let p = 0; p < PATCH; p++) {
      const w = rows[o + WEIGHT + p];
      const perMass = w * w * change[4 * rows[o + SLOT + 1 + p] + 3];
      if (perMass === 0) continue;
      const r = o + ARM + 3 * p;
      const [rx, ry, rz] = [rows[r], rows[r + 1], rows[r + 2]];
      for (let a = 0; a < 3; a++) {
        const [tx, ty, tz] = turns[a];
        const u = given[a];
        u[0] = ty * rz - tz * ry;
        u[1] = tz * rx - tx * rz;
        u[2] = tx * ry - ty * rx;
        u[a] += 1;
      }
      const [u, v, q] = given;
      rows[m] += perMass * dot(u, u);
      rows[m + 1] += perMass * dot(v, v);
      rows[m + 2] += perMass * dot(q, q);
      rows[m + 3] += perMass * dot(u, v);
      rows[m + 4] += perMass * dot(u, q);
      rows[m + 5] += perMass * dot(v, q);
    }
  }

  /** θ = T⁻¹ (d × J). */
  private turnInto(out: Float64Array, o: number, jx: number, jy: number, jz: number): void {
    const { rows } = this;
    const [dx, dy, dz] = [rows[o + OFFSET], rows[o + OFFSET + 1], rows[o + OFFSET + 2]];
    solveInto(out, rows, o + TURN, dy * jz - dz * jy, dz * jx - dx * jz, dx * jy - dy * jx);
  }

  /** Applies an impulse to the particle of the row at o, and the opposite one to its patch. */
  give(o: number, jx: number, jy: number, jz: number): void {
    const { rows, change } = this;
    this.turnInto(theta, o, jx, jy, jz);
    const tx = theta[0];
    const ty = theta[1];
    const tz = theta[2];
    const i = 4 * (rows[o + SLOT] | 0);
    const perMass = change[i + 3];
    change[i] += perMass * jx;
    change[i + 1] += perMass * jy;
    change[i + 2] += perMass * jz;
    for (let p = 0; p < PATCH; p++) {
      const k = 4 * (rows[o + SLOT + 1 + p] | 0);
      const f = rows[o + WEIGHT + p] * change[k + 3];
      const r = o + ARM + 3 * p;
      change[k] -= f * (jx + ty * rows[r + 2] - tz * rows[r + 1]);
      change[k + 1] -= f * (jy + tz * rows[r] - tx * rows[r + 2]);
      change[k + 2] -= f * (jz + tx * rows[r + 1] - ty * rows[r]);
    }
  }

  /**
   * out := velocity of the particle of the row at o relative to its patch, from `v` plus `plus` (0 or 1) times the changes of velocity.
   * Returns the component along the normal.
   */
  relativeInto(out: Float64Array, v: Float32Array, o: number, plus: number): number {
    const { rows, change, particles } = this;
    const at = rows[o + SLOT] | 0;
    const i = 4 * particles[at];
    let x = v[i] + plus * change[4 * at];
    let y = v[i + 1] + plus * change[4 * at + 1];
    let z = v[i + 2] + plus * change[4 * at + 2];
    let lx = 0;
    let ly = 0;
    let lz = 0;
    for (let p = 0; p < PATCH; p++) {
      const slot = rows[o + SLOT + 1 + p] | 0;
      const k = 4 * particles[slot];
      const w = rows[o + WEIGHT + p];
      const ux = w * (v[k] + plus * change[4 * slot]);
      const uy = w * (v[k + 1] + plus * change[4 * slot + 1]);
      const uz = w * (v[k + 2] + plus * change[4 * slot + 2]);
      const r = o + ARM + 3 * p;
      x -= ux;
      y -= uy;
      z -= uz;
      lx += rows[r + 1] * uz - rows[r + 2] * uy;
      ly += rows[r + 2] * ux - rows[r] * uz;
      lz += rows[r] * uy - rows[r + 1] * ux;
    }
    const t = o + TURN;
    const wx = rows[t] * lx + rows[t + 3] * ly + rows[t + 4] * lz;
    const wy = rows[t + 3] * lx + rows[t + 1] * ly + rows[t + 5] * lz;
    const wz = rows[t + 4] * lx + rows[t + 5] * ly + rows[t + 2] * lz;
    const dx = rows[o + OFFSET];
    const dy = rows[o + OFFSET + 1];
    const dz = rows[o + OFFSET + 2];
    out[0] = x -= wy * dz - wz * dy;
    out[1] = y -= wz * dx - wx * dz;
    out[2] = z -= wx * dy - wy * dx;
    return x * rows[o + NORMAL] + y * rows[o + NORMAL + 1] + z * rows[o + NORMAL + 2];
  }

  /** nᵀ S n of the mobility S of the row at o. */
  mobilityAlong(o: number, x: number, y: number, z: number): number {
    const { rows } = this;
    const m = o + MOBILITY;
    return (
      rows[m] * x * x +
      rows[m + 1] * y * y +
      rows[m + 2] * z * z +
      2 * (rows[m + 3] * x * y + rows[m + 4] * x * z + rows[m + 5] * y * z)
    );
  }
}

const dot = (u: Float64Array, v: Float64Array) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

/** out := the symmetric matrix at index t of `rows` times a vector. */
function solveInto(out: Float64Array, rows: Float64Array, t: number, x: number, y: number, z: number): void {
  out[0] = rows[t] * x + rows[t + 3] * y + rows[t + 4] * z;
  out[1] = rows[t + 3] * x + rows[t + 1] * y + rows[t + 5] * z;
  out[2] = rows[t + 4] * x + rows[t + 5] * y + rows[t + 2] * z;
}
