/**
 * 3×3 matrices as nine numbers by columns: m[3j + i] is row i of column j, so column j is m[3j..3j+2].
 * Everything here is f64 and allocates nothing: results go into `out`.
 */
export type Mat3 = Float64Array | number[];

export function multiplyInto(out: Mat3, a: Mat3, b: Mat3): void {
  for (let j = 0; j < 3; j++) {
    const x = b[3 * j];
    const y = b[3 * j + 1];
    const z = b[3 * j + 2];
    for (let i = 0; i < 3; i++) out[3 * j + i] = a[i] * x + a[3 + i] * y + a[6 + i] * z;
  }
}

export function determinant(m: Mat3): number {
  return m[0] * (m[4] * m[8] - m[7] * m[5]) - m[3] * (m[1] * m[8] - m[7] * m[2]) + m[6] * (m[1] * m[5] - m[4] * m[2]);
}

/** Cofactors: cof(M) = det(M) M⁻ᵀ. */
export function cofactorsInto(out: Mat3, m: Mat3): void {
  out[0] = m[4] * m[8] - m[7] * m[5];
  out[1] = m[6] * m[5] - m[3] * m[8];
  out[2] = m[3] * m[7] - m[6] * m[4];
  out[3] = m[7] * m[2] - m[1] * m[8];
  out[4] = m[0] * m[8] - m[6] * m[2];
  out[5] = m[6] * m[1] - m[0] * m[7];
  out[6] = m[1] * m[5] - m[4] * m[2];
  out[7] = m[3] * m[2] - m[0] * m[5];
  out[8] = m[0] * m[4] - m[3] * m[1];
}

/** Inverse of a matrix that has one; a singular one gives the identity. */
export function invertInto(out: Mat3, m: ArrayLike<number>): void {
  for (let k = 0; k < 9; k++) SCRATCH[k] = m[k];
  const det = determinant(SCRATCH);
  cofactorsInto(out, SCRATCH);
  transposeInto(out, out);
  if (Number.isFinite(1 / det)) for (let k = 0; k < 9; k++) out[k] /= det;
  else identityInto(out);
}
const SCRATCH = new Float64Array(9);

/** `out` may be m itself. */
export function transposeInto(out: Mat3, m: Mat3): void {
  const [b, c, f] = [m[3], m[6], m[7]];
  out[3] = m[1];
  out[6] = m[2];
  out[7] = m[5];
  out[1] = b;
  out[2] = c;
  out[5] = f;
  for (let k = 0; k < 9; k += 4) out[k] = m[k];
}

export function normSquared(m: Mat3): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += m[k] * m[k];
  return sum;
}

export function identityInto(out: Mat3): void {
  for (let k = 0; k < 9; k++) out[k] = k % 4 === 0 ? 1 : 0;
}

/**
 * Whether the (pseudo-)inverse of an A_rr at `o` belongs to a flat shape. For a sheet that is not parallel to the axes
 * rounding leaves its determinant at up to 1e-16 of its trace cubed. A sheet of thickness t and extent 1 has t⁴: below
 * 2e-4 it counts as flat.
 */
export function isFlat(m: ArrayLike<number>, o: number): boolean {
  const det =
    m[o] * (m[o + 4] * m[o + 8] - m[o + 5] * m[o + 7]) -
    m[o + 1] * (m[o + 3] * m[o + 8] - m[o + 5] * m[o + 6]) +
    m[o + 2] * (m[o + 3] * m[o + 7] - m[o + 4] * m[o + 6]);
  const scale = m[o] + m[o + 4] + m[o + 8];
  return !(Math.abs(det) > 1e-15 * scale * scale * scale);
}
