/** Sweeps converge quadratically; six columns take 6 to 8. */
const MAX_SWEEPS = 30;

/**
 * Pseudo-inverse of a symmetric positive semi-definite n×n matrix by Jacobi rotations: eigenvalues below `least` count
 * as 0. m is overwritten with a diagonal matrix; `vectors` is scratch, n² numbers.
 */
export function pseudoInverseOf(
  out: Float64Array,
  m: Float64Array,
  vectors: Float64Array,
  n: number,
  least: number,
): void {
  vectors.fill(0);
  for (let k = 0; k < n; k++) vectors[k * n + k] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let turned = false;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) turned = turn(m, vectors, n, p, q) || turned;
    if (!turned) break;
  }
  out.fill(0);
  for (let k = 0; k < n; k++) {
    const value = m[k * n + k];
    if (!(value > least)) continue;
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) out[a * n + b] += (vectors[k * n + a] * vectors[k * n + b]) / value;
  }
}

/** Turns axes p and q so that the entry that couples them vanishes; false if it did already. */
function turn(m: Float64Array, vectors: Float64Array, n: number, p: number, q: number): boolean {
  const [pp, qq, pq] = [m[p * n + p], m[q * n + q], m[p * n + q]];
  if (!(Math.abs(pq) > 1e-16 * Math.sqrt(Math.abs(pp * qq))) || pq === 0) return false;
  const zeta = (qq - pp) / (2 * pq);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let k = 0; k < n; k++) {
    const [a, b] = [m[k * n + p], m[k * n + q]];
    m[k * n + p] = c * a - s * b;
    m[k * n + q] = s * a + c * b;
  }
  for (let k = 0; k < n; k++) {
    const [a, b] = [m[p * n + k], m[q * n + k]];
    m[p * n + k] = c * a - s * b;
    m[q * n + k] = s * a + c * b;
    const [v, w] = [vectors[p * n + k], vectors[q * n + k]];
    vectors[p * n + k] = c * v - s * w;
    vectors[q * n + k] = s * v + c * w;
  }
  return true;
}
