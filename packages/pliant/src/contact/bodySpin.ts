import { determinant, invertInto } from '../math/mat3.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** A body whose inertia has a determinant below this share of its trace cubed is a line or a point, and is not turned. */
const LINE = 1e-9;

/** Measures a body's angular momentum, and restores it by turning the body as a whole. */
export class BodySpin {
  /** Angular momentum about the centre of mass (kg m²/s) when it was last measured. */
  readonly spin = new Float64Array(3);
  /** Whether the body has held particles, so that its momentum is not conserved; and whether any held particle moves. */
  isHeld = false;
  isDriven = false;
  private readonly com = new Float64Array(3);
  private readonly inertia = new Float64Array(9);
  private readonly inverse = new Float64Array(9);
  private readonly turn = new Float64Array(3);
  private readonly gained = new Float64Array(3);

  measure(s: Views, rows: Rows): void {
    this.findHeld(s, rows);
    if (this.isHeld) return;
    this.weigh(s, rows);
    this.spinInto(this.spin, s, rows);
  }

  /** out := angular velocity at which the body, turning rigidly, has the angular momentum l; 0 if the body cannot be turned. */
  turnInto(out: Float64Array, l: Float64Array): void {
    const { inverse } = this;
    for (let a = 0; a < 3; a++)
      out[a] = this.isHeld ? 0 : inverse[a] * l[0] + inverse[3 + a] * l[1] + inverse[6 + a] * l[2];
  }

  /** Adds a rigid rotation to the velocities of a free body, so that its angular momentum is the measured one again. */
  restore(s: Views, rows: Rows): void {
    if (this.isHeld) return;
    const { turn, gained, com } = this;
    const { x, v } = s;
    this.weigh(s, rows);
    this.spinInto(gained, s, rows);
    for (let a = 0; a < 3; a++) gained[a] -= this.spin[a];
    this.turnInto(turn, gained);
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4) {
      const [rx, ry, rz] = [x[o] - com[0], x[o + 1] - com[1], x[o + 2] - com[2]];
      v[o] -= turn[1] * rz - turn[2] * ry;
      v[o + 1] -= turn[2] * rx - turn[0] * rz;
      v[o + 2] -= turn[0] * ry - turn[1] * rx;
    }
  }

  private findHeld({ flags, v }: Views, { particleStart, particleEnd }: Rows): void {
    this.isHeld = this.isDriven = false;
    for (let i = particleStart; i < particleEnd; i++) {
      if (!(flags[i] & Flag.HELD)) continue;
      this.isHeld = true;
      if (v[4 * i] !== 0 || v[4 * i + 1] !== 0 || v[4 * i + 2] !== 0) this.isDriven = true;
    }
  }

  /** Centre of mass and inverse of the inertia. */
  private weigh({ x }: Views, { particleStart, particleEnd }: Rows): void {
    const { com, inertia, inverse } = this;
    com.fill(0);
    let mass = 0;
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      for (let a = 0; a < 3; a++) com[a] += x[o + 3] * x[o + a];
      mass += x[o + 3];
    }
    for (let a = 0; a < 3; a++) com[a] /= mass;
    inertia.fill(0);
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      const m = x[o + 3];
      const [rx, ry, rz] = [x[o] - com[0], x[o + 1] - com[1], x[o + 2] - com[2]];
      inertia[0] += m * (ry * ry + rz * rz);
      inertia[4] += m * (rx * rx + rz * rz);
      inertia[8] += m * (rx * rx + ry * ry);
      inertia[1] -= m * rx * ry;
      inertia[2] -= m * rx * rz;
      inertia[5] -= m * ry * rz;
    }
    inertia[3] = inertia[1];
    inertia[6] = inertia[2];
    inertia[7] = inertia[5];
    const trace = inertia[0] + inertia[4] + inertia[8];
    if (determinant(inertia) > LINE * trace * trace * trace) invertInto(inverse, inertia);
    else inverse.fill(0);
  }

  private spinInto(out: Float64Array, { x, v }: Views, { particleStart, particleEnd }: Rows): void {
    const { com } = this;
    out.fill(0);
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      const m = x[o + 3];
      const [rx, ry, rz] = [x[o] - com[0], x[o + 1] - com[1], x[o + 2] - com[2]];
      out[0] += m * (ry * v[o + 2] - rz * v[o + 1]);
      out[1] += m * (rz * v[o] - rx * v[o + 2]);
      out[2] += m * (rx * v[o + 1] - ry * v[o]);
    }
  }
}
