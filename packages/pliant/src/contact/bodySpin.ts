import type { Kernels } from '../kernels/kernels.js';
import { determinant, invertInto } from '../math/mat3.js';
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
  /** Whether it is a line or a point, which is not turned. */
  isLine = false;
  /** Centre of mass (m); then 0: the velocity that kernels subtract. */
  private readonly com = new Float64Array(6);
  private readonly inertia = new Float64Array(9);
  private readonly inverse = new Float64Array(9);
  private readonly turn = new Float64Array(3);
  private readonly gained = new Float64Array(3);
  private readonly sums = new Float64Array(9);
  /** Sums of kernels.sumSpin: of the body when it was last measured; of the particles that are to move, and how they change. */
  private readonly whole = new Float64Array(9);
  private readonly before = new Float64Array(9);
  private readonly change = new Float64Array(9);

  measure(kernels: Kernels, rows: Rows): void {
    const held = kernels.sumPlaces(this.sums, rows.particleStart, rows.particleEnd);
    this.isHeld = held !== 0;
    this.isDriven = held > 1;
    if (!this.isHeld) this.weighInto(this.spin, kernels, rows);
  }

  /** out := angular velocity at which the body, turning rigidly, has the angular momentum l; 0 if the body cannot be turned. */
  turnInto(out: Float64Array, l: Float64Array): void {
    const { inverse } = this;
    for (let a = 0; a < 3; a++)
      out[a] = this.isHeld ? 0 : inverse[a] * l[0] + inverse[3 + a] * l[1] + inverse[6 + a] * l[2];
  }

  /** Adds a rigid rotation to the velocities of a free body, so that its angular momentum is the measured one again. */
  restore(kernels: Kernels, rows: Rows): void {
    if (this.isHeld) return;
    const { turn, gained } = this;
    kernels.sumPlaces(this.sums, rows.particleStart, rows.particleEnd);
    this.weighInto(gained, kernels, rows);
    for (let a = 0; a < 3; a++) gained[a] -= this.spin[a];
    this.turnInto(turn, gained);
    this.turnBack(kernels, rows, turn);
  }

  /** To be called before the first `count` particles of `moved` get other places and velocities: with `restoreMoved` in place of `restore`, where only these change. */
  weighMoved(kernels: Kernels, count: number): void {
    if (!this.isHeld) kernels.sumMovedSpin(this.before, count, this.com);
  }

  /**
   * As `restore`, after the particles of `weighMoved` changed, by the difference of their sums before and after. The centre of mass is taken as it was measured: impulses that are opposite and equal and act on places leave it where it is.
   */
  restoreMoved(kernels: Kernels, rows: Rows, count: number): void {
    if (this.isHeld) return;
    const { turn, gained, before, change, whole } = this;
    kernels.sumMovedSpin(change, count, this.com);
    for (let k = 0; k < 9; k++) change[k] += whole[k] - before[k];
    this.readInto(gained, change);
    for (let a = 0; a < 3; a++) gained[a] -= this.spin[a];
    this.turnInto(turn, gained);
    this.turnBack(kernels, rows, turn);
  }

  /** Subtracts a rotation (rad/s) from the velocities, about the centre of mass as it was measured. */
  turnBack(kernels: Kernels, { particleStart, particleEnd }: Rows, turn: Float64Array): void {
    kernels.turnBack(particleStart, particleEnd, this.com, turn);
  }

  /** Centre of mass, from `sums`, which then has the sums of kernels.sumSpin; and inverse of the inertia. out := the angular momentum. */
  private weighInto(out: Float64Array, kernels: Kernels, rows: Rows): void {
    const { com, sums } = this;
    for (let a = 0; a < 3; a++) com[a] = sums[a] / sums[3];
    kernels.sumSpin(sums, rows.particleStart, rows.particleEnd, com);
    this.whole.set(sums);
    this.readInto(out, sums);
  }

  /** Inverse of the inertia, from the sums of kernels.sumSpin. out := the angular momentum. */
  private readInto(out: Float64Array, sums: Float64Array): void {
    const { inertia, inverse } = this;
    // Without the iterator of a pattern, which takes microseconds until this is compiled.
    inertia[0] = sums[4];
    inertia[4] = sums[5];
    inertia[8] = sums[3];
    inertia[1] = inertia[3] = sums[6];
    inertia[2] = inertia[6] = sums[7];
    inertia[5] = inertia[7] = sums[8];
    const trace = sums[4] + sums[5] + sums[3];
    this.isLine = !(determinant(inertia) > LINE * trace * trace * trace);
    if (this.isLine) inverse.fill(0);
    else invertInto(inverse, inertia);
    for (let a = 0; a < 3; a++) out[a] = sums[a];
  }
}
