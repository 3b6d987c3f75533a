import * as S from './layout.generated';

/**
 * The matrix counts as diagonal when the squares beside the diagonal are below this share of those on it: 1e-10
 * unsquared, while f32 positions are exact to 1e-7.
 */
const DIAGONAL: f64 = 1e-20;

/**
 * Eigenvalues (three f64 at `values`, unsorted) and eigenvectors (columns of nine f64 at v, a proper rotation) of a
 * symmetric matrix, by Jacobi rotations. It works in registers and takes half as long as svd3, which computes small
 * values more exactly than flow needs.
 */
export function eigen3(values: usize, v: usize, xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64): void {
  let a0: f64 = 1, a1: f64 = 0, a2: f64 = 0;
  let b0: f64 = 0, b1: f64 = 1, b2: f64 = 0;
  let c0: f64 = 0, c1: f64 = 0, c2: f64 = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    if (xy * xy + xz * xz + yz * yz <= DIAGONAL * (xx * xx + yy * yy + zz * zz)) break;
    // Each rotation turns two axes so that the entry that couples them vanishes: tan 2φ = 2 xy/(yy − xx).
    if (xy != 0) {
      turn(xx, yy, xy);
      const t = tan, c = cos, s = c * t;
      xx -= t * xy; yy += t * xy; xy = 0;
      let k = c * xz - s * yz; yz = s * xz + c * yz; xz = k;
      k = c * a0 - s * b0; b0 = s * a0 + c * b0; a0 = k;
      k = c * a1 - s * b1; b1 = s * a1 + c * b1; a1 = k;
      k = c * a2 - s * b2; b2 = s * a2 + c * b2; a2 = k;
    }
    if (xz != 0) {
      turn(xx, zz, xz);
      const t = tan, c = cos, s = c * t;
      xx -= t * xz; zz += t * xz; xz = 0;
      let k = c * xy - s * yz; yz = s * xy + c * yz; xy = k;
      k = c * a0 - s * c0; c0 = s * a0 + c * c0; a0 = k;
      k = c * a1 - s * c1; c1 = s * a1 + c * c1; a1 = k;
      k = c * a2 - s * c2; c2 = s * a2 + c * c2; a2 = k;
    }
    if (yz != 0) {
      turn(yy, zz, yz);
      const t = tan, c = cos, s = c * t;
      yy -= t * yz; zz += t * yz; yz = 0;
      let k = c * xy - s * xz; xz = s * xy + c * xz; xy = k;
      k = c * b0 - s * c0; c0 = s * b0 + c * c0; b0 = k;
      k = c * b1 - s * c1; c1 = s * b1 + c * c1; b1 = k;
      k = c * b2 - s * c2; c2 = s * b2 + c * c2; b2 = k;
    }
  }
  store<f64>(values, xx); store<f64>(values, yy, S.VECTOR_Y); store<f64>(values, zz, S.VECTOR_Z);
  store<f64>(v, a0); store<f64>(v, a1, S.MATRIX_YX); store<f64>(v, a2, S.MATRIX_ZX);
  store<f64>(v, b0, S.MATRIX_XY); store<f64>(v, b1, S.MATRIX_YY); store<f64>(v, b2, S.MATRIX_ZY);
  store<f64>(v, c0, S.MATRIX_XZ); store<f64>(v, c1, S.MATRIX_YZ); store<f64>(v, c2, S.MATRIX_ZZ);
}

let tan: f64 = 0;
let cos: f64 = 1;

/**
 * tan φ and cos φ of the smaller rotation that removes `across` from [[p, across], [across, q]]. With d = q − p and
 * h = √(d² + 4 across²): tan φ = 2 across/(d ± h), cos² φ = (h + |d|)/(2h). Both depend on one root and not on each
 * other. Small angles, those of the last sweep, are computed by the first terms of the series, with an error of 1e-15.
 */
// @ts-ignore: decorator
@inline function turn(p: f64, q: f64, across: f64): void {
  const d = q - p;
  if (abs(across) < 1e-3 * abs(d)) {
    const r = across / d, rr = r * r;
    tan = r * (1 - rr);
    cos = 1 - rr * (0.5 - 1.375 * rr);
    return;
  }
  const h = sqrt(d * d + 4 * across * across), sum = abs(d) + h;
  tan = 2 * across / (d < 0 ? -sum : sum);
  cos = sqrt(sum / (2 * h));
}

/** The largest tr RᵀM over all rotations R, of nine f64 at m. src/math/bestTrace.ts explains the method. */
export function bestTrace(m: usize): f64 {
  const a = load<f64>(m), b = load<f64>(m, S.MATRIX_YX), c = load<f64>(m, S.MATRIX_ZX);
  const d = load<f64>(m, S.MATRIX_XY), e = load<f64>(m, S.MATRIX_YY), f = load<f64>(m, S.MATRIX_ZY);
  const g = load<f64>(m, S.MATRIX_XZ), h = load<f64>(m, S.MATRIX_YZ), i = load<f64>(m, S.MATRIX_ZZ);
  const ca = e * i - h * f, cb = g * f - d * i, cc = d * h - g * e;
  const cd = h * c - b * i, ce = a * i - g * c, cf = g * b - a * h;
  const cg = b * f - e * c, ch = d * c - a * f, ci = a * e - d * b;
  const square = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
  const four = 4 * (ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ch * ch + ci * ci);
  const eight = 8 * (a * ca + b * cb + c * cc);
  let t = min(sqrt(3 * square), nearIdentity(a + e + i, square, (b - d) * (b - d) + (c - g) * (c - g) + (f - h) * (f - h)));
  for (let round = 0; round < 30; round++) {
    const q = t * t - square;
    const slope = 4 * t * q - eight;
    const step: f64 = slope > 0 ? (q * q - eight * t - four) / slope : 0.0;
    t -= step;
    if (!(step > 1e-9 * t)) break;
  }
  return t;
}

/**
 * An upper bound of tr RᵀM over all rotations R, nearly equal to the maximum where the best R is near I. It saves
 * bestTrace most of its rounds.
 *
 * Let R have axis n and angle φ. S is the symmetric part of M, v the axis of the skew part (v² given), `square` the sum
 * of the squares of M. Then tr RᵀM = tr S − (1 − cos φ) p + sin φ n·v with p = tr S − nᵀSn. Over φ that is at most tr
 * S − p + √(p² + (n·v)²) ≤ tr S + v²/(2p). p is at least tr S minus the largest eigenvalue of S, which is at most the
 * mean plus √⅔ times the distance of S from the mean. The bound is infinite where p might be 0.
 */
export function nearIdentity(trace: f64, square: f64, v2: f64): f64 {
  const away = max(0.0, square - 0.5 * v2 - trace * trace / 3);
  const p = trace * (2.0 / 3.0) - sqrt(away * (2.0 / 3.0));
  return p > 0 ? trace + v2 / (2 * p) : Infinity;
}
