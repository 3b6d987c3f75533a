import type { Body } from 'pliant';
import { Matrix4, Quaternion, Vector3 } from 'three';

/** Rounds of the search for the rotation; it starts from the last one found, and ends when it moves less than ENOUGH (rad). */
const ROUNDS = 30;
const ENOUGH = 1e-6;

/**
 * The rigid motion that is nearest to how a body lies, relative to another's rest shape with the same particles, and how far particles are from it. The rotation is that of
 * least squares, found by turning step by step towards it.
 */
export class RigidPose {
  readonly matrix: Matrix4 = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly centre = new Vector3();
  private readonly offsets: Float64Array;
  private readonly restCentre = new Vector3();

  /** `rest`: x, y, z of each particle of the shape. */
  constructor(rest: ArrayLike<number>, masses: Float32Array) {
    let total = 0;
    for (let i = 0; i < rest.length / 3; i++) {
      const m = masses[4 * i + 3];
      total += m;
      for (let a = 0; a < 3; a++)
        this.restCentre.setComponent(a, this.restCentre.getComponent(a) + m * rest[3 * i + a]);
    }
    this.restCentre.divideScalar(total);
    this.offsets = Float64Array.from(rest, (x, k) => x - this.restCentre.getComponent(k % 3));
  }

  /** Fits the pose to the present particles of a body. Returns the largest distance of a particle from it (m). */
  fit({ positions: x }: Body): number {
    const { offsets, turn, centre, matrix } = this;
    centre.set(0, 0, 0);
    let total = 0;
    for (let o = 0; o < x.length; o += 4) {
      total += x[o + 3];
      centre.x += x[o + 3] * x[o];
      centre.y += x[o + 3] * x[o + 1];
      centre.z += x[o + 3] * x[o + 2];
    }
    centre.divideScalar(total);
    // A = Σ m (x − x̄) pᵀ, by columns.
    const A = sums.fill(0);
    for (let o = 0, k = 0; o < x.length; o += 4, k += 3)
      for (let a = 0; a < 3; a++) {
        const d = x[o + 3] * (x[o + a] - (a === 0 ? centre.x : a === 1 ? centre.y : centre.z));
        for (let b = 0; b < 3; b++) A[3 * b + a] += d * offsets[k + b];
      }
    for (let round = 0; round < ROUNDS; round++) {
      // ω = Σ r_b × a_b / (|Σ r_b · a_b| + ε), with r_b the axes of the present rotation and a_b the columns of A.
      step.set(0, 0, 0);
      let along = 0;
      for (let b = 0; b < 3; b++) {
        axis.set(b === 0 ? 1 : 0, b === 1 ? 1 : 0, b === 2 ? 1 : 0).applyQuaternion(turn);
        column.fromArray(A, 3 * b);
        along += axis.dot(column);
        step.add(axis.cross(column));
      }
      step.divideScalar(Math.abs(along) + 1e-30);
      const angle = step.length();
      if (angle < ENOUGH) break;
      turn.premultiply(small.setFromAxisAngle(step.divideScalar(angle), angle)).normalize();
    }
    matrix.makeRotationFromQuaternion(turn);
    const shift = column.copy(this.restCentre).applyMatrix4(matrix);
    let farthest = 0;
    for (let o = 0, k = 0; o < x.length; o += 4, k += 3) {
      axis.fromArray(offsets, k).applyMatrix4(matrix).add(centre);
      const d = (axis.x - x[o]) ** 2 + (axis.y - x[o + 1]) ** 2 + (axis.z - x[o + 2]) ** 2;
      if (d > farthest) farthest = d;
    }
    matrix.setPosition(centre.x - shift.x, centre.y - shift.y, centre.z - shift.z);
    return Math.sqrt(farthest);
  }
}

const sums = new Float64Array(9);
const step = new Vector3();
const axis = new Vector3();
const column = new Vector3();
const small = new Quaternion();
