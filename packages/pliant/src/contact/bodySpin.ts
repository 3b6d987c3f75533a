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
    const [cx, cy, cz] = com;
    const [tx, ty, tz] = turn;
    for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4) {
      const rx = x[o] - cx;
      const ry = x[o + 1] - cy;
      const rz = x[o + 2] - cz;
      v[o] -= ty * rz - tz * ry;
      v[o + 1] -= tz * rx - tx * rz;
      v[o + 2] -= tx * ry - ty * rx;
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

  /** Centre of mass and inverse of the inertia. Sums are local: those in an array cost several times as much. */
  private weigh({ x }: Views, { particleStart, particleEnd }: Rows): void {
    const { com, inertia, inverse } = this;
    const [first, last] = [4 * particleStart, 4 * particleEnd];
    let [cx, cy, cz, mass] = [0, 0, 0, 0];
    for (let o = first; o < last; o += 4) {
      const m = x[o + 3];
      cx += m * x[o];
      cy += m * x[o + 1];
      cz += m * x[o + 2];
      mass += m;
    }
    cx /= mass;
    cy /= mass;
    cz /= mass;
    let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
    for (let o = first; o < last; o += 4) {
      const m = x[o + 3];
      const rx = x[o] - cx;
      const ry = x[o + 1] - cy;
      const rz = x[o + 2] - cz;
      xx += m * (ry * ry + rz * rz);
      yy += m * (rx * rx + rz * rz);
      zz += m * (rx * rx + ry * ry);
      xy -= m * rx * ry;
      xz -= m * rx * rz;
      yz -= m * ry * rz;
    }
    com[0] = cx;
    com[1] = cy;
    com[2] = cz;
    inertia[0] = xx;
    inertia[4] = yy;
    inertia[8] = zz;
    inertia[1] = inertia[3] = xy;
    inertia[2] = inertia[6] = xz;
    inertia[5] = inertia[7] = yz;
    const trace = xx + yy + zz;
    if (determinant(inertia) > LINE * trace * trace * trace) invertInto(inverse, inertia);
    else inverse.fill(0);
  }

  private spinInto(out: Float64Array, { x, v }: Views, { particleStart, particleEnd }: Rows): void {
    const [cx, cy, cz] = this.com;
    let [lx, ly, lz] = [0, 0, 0];
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      const m = x[o + 3];
      const rx = x[o] - cx;
      const ry = x[o + 1] - cy;
      const rz = x[o + 2] - cz;
      lx += m * (ry * v[o + 2] - rz * v[o + 1]);
      ly += m * (rz * v[o] - rx * v[o + 2]);
      lz += m * (rx * v[o + 1] - ry * v[o]);
    }
    out[0] = lx;
    out[1] = ly;
    out[2] = lz;
  }
}
