// 3×3 polar and singular value decomposition in f64; src/math/polar.ts and src/math/svd.ts explain the method.
// Matrices lie in memory by columns, nine f64. Scratch: src/kernels/wasm/scratchMap.ts.

import * as S from './layout.generated';
import { copyMatrix } from './match';
import { add, any, cross2, determinant, dot2, dot3, mul, sub, times } from './pairs';

const U_AT: usize = S.AT_POLAR_U;
const V_AT: usize = S.AT_POLAR_V;
const B_AT: usize = S.AT_POLAR_B;
/** P: V in order of the singular values; S: the three values. */
const P_AT: usize = S.AT_POLAR_P;
const S_AT: usize = S.AT_POLAR_S;

const SQRT3: f64 = 1.7320508075688772;

// @ts-ignore: decorator
@inline function at(m: usize, k: i32): f64 { return load<f64>(m + (<usize>k << 3)); }
// @ts-ignore: decorator
@inline function put(m: usize, k: i32, value: f64): void { store<f64>(m + (<usize>k << 3), value); }

/** Writes the rotation of m's polar decomposition to r (nine f64 by columns). */
export function polar3(r: usize, m: usize, reflect: bool): void { polarOf(r, m, reflect, false); }

/** The same. `brief`: near a rotation, up to a stretch of POLAR_LEFT, for goals that are rounded to f32. */
export function polarOf(r: usize, m: usize, reflect: bool, brief: bool): void {
  let a = at(m, 0), b = at(m, 1), c = at(m, 2);
  let d = at(m, 3), e = at(m, 4), f = at(m, 5);
  let g = at(m, 6), h = at(m, 7), i = at(m, 8);
  const norm = sqrt(a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i);
  const scale = norm > S.SVD_SMALLEST ? SQRT3 / norm : 0.0;
  a *= scale; b *= scale; c *= scale; d *= scale; e *= scale; f *= scale; g *= scale; h *= scale; i *= scale;
  const det0 = a * (e * i - h * f) - d * (b * i - h * c) + g * (b * f - e * c);
  if (det0 > S.POLAR_REGULAR || (reflect && det0 < -S.POLAR_REGULAR)) {
    // The rounds of a matrix near a rotation are known before (fitTwo.ts).
    const near = abs(det0) > S.POLAR_NEAR;
    let change: f64 = near ? 0.0 : 1.0, left = 0.36 * (1.0 - det0 * det0);
    for (let round = 0; round < <i32>S.POLAR_MAX_ROUNDS; round++) {
      const ca = e * i - h * f, cb = g * f - d * i, cc = d * h - g * e;
      const cd = h * c - b * i, ce = a * i - g * c, cf = g * b - a * h;
      const cg = b * f - e * c, ch = d * c - a * f, ci = a * e - d * b;
      const det = a * ca + b * cb + c * cc;
      let s: f64 = 0.5;
      let t = 0.5 / det;
      if (!(brief && near) && change > S.POLAR_SCALED) {
        const xx = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
        const yy = ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ch * ch + ci * ci;
        const gamma = sqrt(sqrt(yy / xx) / abs(det));
        s *= gamma;
        t /= gamma;
      }
      let z = s * a + t * ca; change = (z - a) * (z - a); a = z;
      z = s * b + t * cb; change += (z - b) * (z - b); b = z;
      z = s * c + t * cc; change += (z - c) * (z - c); c = z;
      z = s * d + t * cd; change += (z - d) * (z - d); d = z;
      z = s * e + t * ce; change += (z - e) * (z - e); e = z;
      z = s * f + t * cf; change += (z - f) * (z - f); f = z;
      z = s * g + t * cg; change += (z - g) * (z - g); g = z;
      z = s * h + t * ch; change += (z - h) * (z - h); h = z;
      z = s * i + t * ci; change += (z - i) * (z - i); i = z;
      if (brief && near ? left <= S.POLAR_LEFT : change < S.POLAR_CONVERGED) break;
      left = 0.5 * left * left;
    }
    put(r, 0, a); put(r, 1, b); put(r, 2, c);
    put(r, 3, d); put(r, 4, e); put(r, 5, f);
    put(r, 6, g); put(r, 7, h); put(r, 8, i);
    return;
  }
  svd3(U_AT, S_AT, V_AT, m);
  let flip: f64 = 1.0;
  if (at(S_AT, 1) < S.POLAR_COLLINEAR * at(S_AT, 0)) alignSecond(U_AT, V_AT);
  else if (at(S_AT, 2) < 0.0) {
    if (reflect) flip = -1.0;
    else if (-at(S_AT, 2) > S.POLAR_TIED * at(S_AT, 1)) {
      mirrorV(-at(S_AT, 2) > S.POLAR_TIED * at(S_AT, 0));
      flip = -1.0;
    }
  }
  // R = U Vᵀ: column j of R is Σ_k u_k · v_k[j].
  for (let j = 0; j < 3; j++) {
    const x = at(V_AT, j), y = at(V_AT, 3 + j), w = flip * at(V_AT, 6 + j);
    for (let k = 0; k < 3; k++) put(r, 3 * j + k, at(U_AT, k) * x + at(U_AT, 3 + k) * y + at(U_AT, 6 + k) * w);
  }
}

/**
 * Bounds of a turn, given as the squared tangent of half its angle. TURNED: a larger turn is not small; straighten
 * gives up. CONVERGED: after such a turn the rest is its square, which is nothing beside f32 positions. STRAIGHT: such
 * a turn is applied to first order, as its square is negligible.
 */
const TURNED: f64 = 0.06;
const CONVERGED: f64 = 1e-7;
const STRAIGHT: f64 = 1e-10;
/** Determinants below this share of the trace cubed do not determine the turn. */
const FULL: f64 = 1e-2;

/**
 * Stretches (xx, yy, zz, xy, xz, yz: six pairs of f64 at `to`) of the two interleaved matrices at m, which are nearly
 * symmetric. M = Q S with a small turn Q, whose axis and angle ω solve (tr S − S) ω = the skew part of M, up to ω². It
 * mostly takes two rounds, of which the first leaves an error of a thousandth; polar3 takes five, as it also removes
 * the stretch. Returns bits 1 and 2 for the stretches found. There is none if Q is not small or S is nearly flat.
 */
export function straighten(to: usize, m: usize): i32 {
  let a = v128.load(m), b = v128.load(m, 16), c = v128.load(m, 32);
  let d = v128.load(m, 48), e = v128.load(m, 64), f = v128.load(m, 80);
  let g = v128.load(m, 96), h = v128.load(m, 112), i = v128.load(m, 128);
  const zero = f64x2.splat(0), one = f64x2.splat(1);
  /** Masks of the matrices that are not finished, and of those that are. */
  let open = i64x2.splat(-1), done = i64x2.splat(0);
  for (let round = 0; round < 6; round++) {
    const xy = times(0.5, add(b, d)), xz = times(0.5, add(c, g)), yz = times(0.5, add(f, h));
    const kx = sub(f, h), ky = sub(g, c), kz = sub(b, d);
    // Cofactors of tr S − S.
    const nx = add(e, i), ny = add(a, i), nz = add(a, e);
    const cxx = cross2(ny, nz, yz, yz), cyy = cross2(nx, nz, xz, xz), czz = cross2(nx, ny, xy, xy);
    const cxy = dot2(xy, nz, xz, yz), cxz = dot2(xz, ny, xy, yz), cyz = dot2(yz, nx, xy, xz);
    const det = sub(cross2(nx, cxx, xy, cxy), mul(xz, cxz));
    const trace = add(add(a, e), i);
    // det is the product of the sums of two stretches: 0.3 of the trace cubed if all stretches are equal, 0 if only one
    // is not 0.
    const least = times(FULL, mul(mul(trace, trace), trace));
    const whole = v128.and(v128.and(f64x2.gt(nx, zero), f64x2.gt(czz, zero)), f64x2.gt(det, least));
    const scale = f64x2.div(f64x2.splat(0.5), det);
    const ux = mul(scale, dot3(cxx, kx, cxy, ky, cxz, kz)), uy = mul(scale, dot3(cxy, kx, cyy, ky, cyz, kz));
    const uz = mul(scale, dot3(cxz, kx, cyz, ky, czz, kz));
    const way = dot3(ux, ux, uy, uy, uz, uz);
    open = v128.and(open, v128.and(whole, f64x2.lt(way, f64x2.splat(TURNED))));
    const converged = f64x2.lt(way, f64x2.splat(CONVERGED));
    if (any(converged)) {
      const volume = determinant(a, e, i, xy, xz, yz);
      open = v128.and(open, v128.or(v128.not(converged), f64x2.gt(times(27, volume), least)));
    }
    if (!any(open)) break;
    let now = v128.and(open, f64x2.lt(way, f64x2.splat(STRAIGHT)));
    if (any(now)) {
      // S − sym [ω] S with ω = 2u.
      keep(to, sub(a, times(2, cross2(uy, xz, uz, xy))), now);
      keep(to + 16, sub(e, times(2, cross2(uz, xy, ux, yz))), now);
      keep(to + 32, sub(i, times(2, cross2(ux, yz, uy, xz))), now);
      keep(to + 48, sub(xy, add(cross2(uz, sub(a, e), ux, xz), mul(uy, yz))), now);
      keep(to + 64, sub(xz, sub(dot2(uy, sub(i, a), ux, xy), mul(uz, yz))), now);
      keep(to + 80, sub(yz, add(cross2(ux, sub(e, i), uy, xy), mul(uz, xz))), now);
      done = v128.or(done, now);
      open = v128.andnot(open, now);
      if (!any(open)) break;
    }
    // Rotates back by that turn; the tangent of its half angle is |u|.
    const twice = f64x2.div(f64x2.splat(2), add(one, way));
    const rxx = sub(one, mul(twice, dot2(uy, uy, uz, uz))), ryy = sub(one, mul(twice, dot2(ux, ux, uz, uz)));
    const rzz = sub(one, mul(twice, dot2(ux, ux, uy, uy)));
    const rxy = mul(twice, add(mul(ux, uy), uz)), ryx = mul(twice, sub(mul(ux, uy), uz));
    const rxz = mul(twice, sub(mul(ux, uz), uy)), rzx = mul(twice, add(mul(ux, uz), uy));
    const ryz = mul(twice, add(mul(uy, uz), ux)), rzy = mul(twice, sub(mul(uy, uz), ux));
    let x = a, y = b, z = c;
    a = dot3(rxx, x, rxy, y, rxz, z); b = dot3(ryx, x, ryy, y, ryz, z); c = dot3(rzx, x, rzy, y, rzz, z);
    x = d; y = e; z = f;
    d = dot3(rxx, x, rxy, y, rxz, z); e = dot3(ryx, x, ryy, y, ryz, z); f = dot3(rzx, x, rzy, y, rzz, z);
    x = g; y = h; z = i;
    g = dot3(rxx, x, rxy, y, rxz, z); h = dot3(ryx, x, ryy, y, ryz, z); i = dot3(rzx, x, rzy, y, rzz, z);
    now = v128.and(open, converged);
    if (any(now)) {
      keep(to, a, now); keep(to + 16, e, now); keep(to + 32, i, now);
      keep(to + 48, times(0.5, add(b, d)), now);
      keep(to + 64, times(0.5, add(c, g)), now);
      keep(to + 80, times(0.5, add(f, h)), now);
      done = v128.or(done, now);
      open = v128.andnot(open, now);
      if (!any(open)) break;
    }
  }
  return i64x2.bitmask(done);
}

/** Stores the lanes that `which` selects. */
// @ts-ignore: decorator
@inline function keep(to: usize, value: v128, which: v128): void {
  v128.store(to, v128.bitselect(value, v128.load(to), which));
}

/** V := (I − 2nnᵀ) V with n the rest axis that all clusters flip (flipTiedInto in src/math/polar.ts). */
function mirrorV(allTied: bool): void {
  let axis = 0;
  if (!allTied) while (axis < 2 && at(V_AT, axis) * at(V_AT, axis) > 0.5) axis++;
  const along: f64 = allTied ? 0.0 : at(V_AT, axis);
  let x: f64 = (axis == 0 ? 1.0 : 0.0) - along * at(V_AT, 0);
  let y: f64 = (axis == 1 ? 1.0 : 0.0) - along * at(V_AT, 1);
  let z: f64 = (axis == 2 ? 1.0 : 0.0) - along * at(V_AT, 2);
  const scale = 1.0 / sqrt(x * x + y * y + z * z);
  x *= scale; y *= scale; z *= scale;
  for (let j = 0; j < 9; j += 3) {
    const twice = 2.0 * (x * at(V_AT, j) + y * at(V_AT, j + 1) + z * at(V_AT, j + 2));
    put(V_AT, j, at(V_AT, j) - twice * x);
    put(V_AT, j + 1, at(V_AT, j + 1) - twice * y);
    put(V_AT, j + 2, at(V_AT, j + 2) - twice * z);
  }
}

/** m = U Σ Vᵀ, U and V proper rotations, σ₁ ≥ σ₂ ≥ |σ₃|. Addresses of nine, three, nine and nine f64. */
export function svd3(u: usize, sigma: usize, v: usize, m: usize): void {
  for (let k = 0; k < 9; k++) {
    put(B_AT, k, at(m, k));
    put(v, k, (k & 3) == 0 ? 1.0 : 0.0);
  }
  for (let sweep = 0; sweep < <i32>S.SVD_MAX_SWEEPS; sweep++) {
    const turned = turn(v, 0, 3) | turn(v, 0, 6) | turn(v, 3, 6);
    if (!turned) break;
  }
  const n0 = length(B_AT), n1 = length(B_AT + S.MATRIX_XY), n2 = length(B_AT + S.MATRIX_XZ);
  let i0 = 0, i1 = 1, i2 = 2;
  if (n1 > n0) { i0 = 1; i1 = 0; }
  let s1 = i1 == 0 ? n0 : n1;
  if (n2 > s1) { i2 = i1; i1 = 2; s1 = n2; }
  let s0 = i0 == 0 ? n0 : n1;
  if (s1 > s0) { const k = i0; i0 = i1; i1 = k; const s = s0; s0 = s1; s1 = s; }
  const s2 = i2 == 0 ? n0 : i2 == 1 ? n1 : n2;

  copyColumn(P_AT, v + S.VECTOR_WIDTH * i0);
  copyColumn(P_AT + S.MATRIX_XY, v + S.VECTOR_WIDTH * i1);
  cross(P_AT + S.MATRIX_XZ, P_AT, P_AT + S.MATRIX_XY);
  // Whether sorting reversed the orientation of V: the old third column against the new one.
  const third = v + S.VECTOR_WIDTH * i2;
  const handed = at(third, 0) * at(P_AT, 6) + at(third, 1) * at(P_AT, 7) + at(third, 2) * at(P_AT, 8);
  copyMatrix(v, P_AT);

  if (s0 < S.SVD_SMALLEST) {
    for (let k = 0; k < 9; k++) {
      const one: f64 = (k & 3) == 0 ? 1.0 : 0.0;
      put(u, k, one);
      put(v, k, one);
    }
    put(sigma, 0, 0.0); put(sigma, 1, 0.0); put(sigma, 2, 0.0);
    return;
  }
  const b0 = B_AT + S.VECTOR_WIDTH * i0, b1 = B_AT + S.VECTOR_WIDTH * i1, b2 = B_AT + S.VECTOR_WIDTH * i2;
  for (let k = 0; k < 3; k++) put(u, k, at(b0, k) / s0);
  if (s1 > S.SVD_SMALLEST) {
    const dot = (at(b1, 0) * at(u, 0) + at(b1, 1) * at(u, 1) + at(b1, 2) * at(u, 2)) / s1;
    for (let k = 0; k < 3; k++) put(u, 3 + k, at(b1, k) / s1 - dot * at(u, k));
    normalise(u + S.MATRIX_XY);
    cross(u + S.MATRIX_XZ, u, u + S.MATRIX_XY);
  } else alignSecond(u, v);
  put(sigma, 0, s0);
  put(sigma, 1, s1);
  const side = at(b2, 0) * at(u, 6) + at(b2, 1) * at(u, 7) + at(b2, 2) * at(u, 8);
  put(sigma, 2, side * handed < 0.0 ? -s2 : s2);
}

/** One Jacobi rotation of the columns at p and q (offsets 0, 3, 6) of B and v. */
function turn(v: usize, p: i32, q: i32): bool {
  const a0 = at(B_AT, p), a1 = at(B_AT, p + 1), a2 = at(B_AT, p + 2);
  const b0 = at(B_AT, q), b1 = at(B_AT, q + 1), b2 = at(B_AT, q + 2);
  const alpha = a0 * a0 + a1 * a1 + a2 * a2;
  const beta = b0 * b0 + b1 * b1 + b2 * b2;
  const gamma = a0 * b0 + a1 * b1 + a2 * b2;
  if (abs(gamma) <= S.SVD_ORTHOGONAL * sqrt(alpha * beta) || gamma == 0.0) return false;
  const zeta = (beta - alpha) / (2.0 * gamma);
  const t = (zeta < 0.0 ? -1.0 : 1.0) / (abs(zeta) + sqrt(1.0 + zeta * zeta));
  const c = 1.0 / sqrt(1.0 + t * t);
  const s = c * t;
  put(B_AT, p, c * a0 - s * b0); put(B_AT, p + 1, c * a1 - s * b1); put(B_AT, p + 2, c * a2 - s * b2);
  put(B_AT, q, s * a0 + c * b0); put(B_AT, q + 1, s * a1 + c * b1); put(B_AT, q + 2, s * a2 + c * b2);
  for (let k = 0; k < 3; k++) {
    const x = at(v, p + k), y = at(v, q + k);
    put(v, p + k, c * x - s * y);
    put(v, q + k, s * x + c * y);
  }
  return true;
}

/** Chooses u₂ and u₃ so that U Vᵀ is the smallest rotation taking v₁ to u₁. */
function alignSecond(u: usize, v: usize): void {
  const cos = at(v, 0) * at(u, 0) + at(v, 1) * at(u, 1) + at(v, 2) * at(u, 2);
  if (cos < -1.0 + 1e-9) {
    const e = at(u, 0) * at(v, 3) + at(u, 1) * at(v, 4) + at(u, 2) * at(v, 5);
    for (let k = 0; k < 3; k++) put(u, 3 + k, at(v, 3 + k) - e * at(u, k));
    cross(u + S.MATRIX_XZ, u, u + S.MATRIX_XY);
    return;
  }
  const d = (at(u, 0) * at(v, 3) + at(u, 1) * at(v, 4) + at(u, 2) * at(v, 5)) / (1.0 + cos);
  for (let k = 0; k < 3; k++) put(u, 3 + k, at(v, 3 + k) - (at(v, k) + at(u, k)) * d);
  normalise(u + S.MATRIX_XY);
  cross(u + S.MATRIX_XZ, u, u + S.MATRIX_XY);
}

// @ts-ignore: decorator
@inline function length(p: usize): f64 { return sqrt(at(p, 0) * at(p, 0) + at(p, 1) * at(p, 1) + at(p, 2) * at(p, 2)); }

// @ts-ignore: decorator
@inline function normalise(p: usize): void {
  const s = 1.0 / length(p);
  put(p, 0, at(p, 0) * s); put(p, 1, at(p, 1) * s); put(p, 2, at(p, 2) * s);
}

// @ts-ignore: decorator
@inline function copyColumn(to: usize, from: usize): void {
  put(to, 0, at(from, 0)); put(to, 1, at(from, 1)); put(to, 2, at(from, 2));
}

// @ts-ignore: decorator
@inline function cross(to: usize, a: usize, b: usize): void {
  put(to, 0, at(a, 1) * at(b, 2) - at(a, 2) * at(b, 1));
  put(to, 1, at(a, 2) * at(b, 0) - at(a, 0) * at(b, 2));
  put(to, 2, at(a, 0) * at(b, 1) - at(a, 1) * at(b, 0));
}
