// Goals that follow the deformation (SPEC M5, M6). src/kernels/ts/soften.ts explains the method, src/state/bend.ts
// defines b.
import * as S from './layout.generated';
import { towardsGoal } from './integrate';
import { CENTRE, copyMatrix, multiply } from './match';
import { svd3 } from './polar';
import { cbrt } from './power';

/** Scratch (src/kernels/wasm/scratchMap.ts): matrices of nine f64, singular values; A_xb and B, 18 f64 each; W (or F^p W) and A times it. */
const G: usize = S.AT_SOFTEN_G;
const U: usize = S.AT_SOFTEN_U;
const V: usize = S.AT_SOFTEN_V;
const SIGMA: usize = S.AT_SOFTEN_SIGMA;
const X: usize = S.AT_SOFTEN_X;
const B: usize = S.AT_SOFTEN_B;
const B_END: usize = B + S.BYTES_SOFTEN_B;
const M: usize = S.AT_SOFTEN_M;
const Q: usize = S.AT_SOFTEN_Q;

/** As in match.ts: members summed in f32 before the sum is added in f64. */
const BLOCK: u32 = 32;

/** R := β A + (1 − β) R with A from the F^e in f; `axr` is A_xr, for quadratic goals. */
export function soften(c: u32, r: usize, f: usize, axr: usize, flowed: bool): void {
  const row = S.softness() + (c << S.SHIFT_softness);
  const beta = <f64>load<f32>(row, S.SOFTNESS_BETA);
  copyMatrix(G, f);
  const flat = completeSheet(c, r);
  const asked: f32 = flat ? 0 : load<f32>(row, S.SOFTNESS_VOLUME);
  const kept = keptOfA(asked == 1 && load<f32>(row, S.SOFTNESS_LAW) == 1);
  const bent = load<f32>(row, S.SOFTNESS_ORDER) == 2;
  if (bent) fitBend(c, axr, kept);
  // Linear goals have no B; only the area limit reads it.
  else if (load<f32>(row, S.SOFTNESS_CLAMP) != 0) memory.fill(B, 0, S.BYTES_SOFTEN_B);
  const volume: f32 = kept > 0 ? asked : 0;
  if (volume == 1) nearestVolume(c, flowed);
  if (!(kept > 0)) copyMatrix(G, r);
  else if (kept < 1) blend(kept, r);
  const det = determinant(G);
  if (!(det > S.SOFTEN_SMALLEST)) {
    copyMatrix(G, r);
    if (bent) memory.fill(B, 0, S.BYTES_SOFTEN_B);
  } else if (volume == 2) {
    const scale = 1.0 / cbrt(det);
    for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) store<f64>(G + k, load<f64>(G + k) * scale);
    if (bent) scaleBend(scale);
  }
  limitArea(c, r);
  blend(beta, r);
  if (bent) scaleBend(beta);
  if (determinant(G) > 0) copyMatrix(r, G);
}

/** Across a sheet or a line A takes R: A += R (I − A_rr A_rr⁺). */
function completeSheet(c: u32, r: usize): bool {
  const m = S.restMoment() + S.STRIDE_restMoment * c;
  const xx = load<f64>(m), yy = load<f64>(m, S.SYMMETRIC_YY), zz = load<f64>(m, S.SYMMETRIC_ZZ), xy = load<f64>(m, S.SYMMETRIC_XY), xz = load<f64>(m, S.SYMMETRIC_XZ), yz = load<f64>(m, S.SYMMETRIC_YZ);
  const q = S.restInverse() + S.STRIDE_restInverse * c;
  // The trace alone tells; hardly a cluster is a sheet.
  const tx = 1.0 - (xx * load<f64>(q) + xy * load<f64>(q, S.MATRIX_YX) + xz * load<f64>(q, S.MATRIX_ZX));
  const ty = 1.0 - (xy * load<f64>(q, S.MATRIX_XY) + yy * load<f64>(q, S.MATRIX_YY) + yz * load<f64>(q, S.MATRIX_ZY));
  const tz = 1.0 - (xz * load<f64>(q, S.MATRIX_XZ) + yz * load<f64>(q, S.MATRIX_YZ) + zz * load<f64>(q, S.MATRIX_ZZ));
  if (!(tx + ty + tz > 0.5)) return false;
  for (let o: usize = 0; o < S.MATRIX_WIDTH; o += S.VECTOR_WIDTH) {
    const x = load<f64>(q + o), y = load<f64>(q + o, S.VECTOR_Y), z = load<f64>(q + o, S.VECTOR_Z);
    store<f64>(U + o, -(xx * x + xy * y + xz * z));
    store<f64>(U + o, -(xy * x + yy * y + yz * z), S.VECTOR_Y);
    store<f64>(U + o, -(xz * x + yz * y + zz * z), S.VECTOR_Z);
  }
  for (let o: usize = 0; o < S.MATRIX_WIDTH; o += S.MATRIX_YY) store<f64>(U + o, 1.0 + load<f64>(U + o));
  for (let o: usize = 0; o < S.MATRIX_WIDTH; o += S.VECTOR_WIDTH) {
    const x = load<f64>(U + o), y = load<f64>(U + o, S.VECTOR_Y), z = load<f64>(U + o, S.VECTOR_Z);
    for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8) {
      const to = G + o + i, from = r + i;
      store<f64>(to, load<f64>(to) + load<f64>(from) * x + load<f64>(from, S.MATRIX_XY) * y + load<f64>(from, S.MATRIX_XZ) * z);
    }
  }
  return true;
}

/** κ, by which A is blended with R. */
function keptOfA(lawful: bool): f64 {
  if (lawful) {
    if (determinant(G) >= 0) return 1;
    svd3(U, SIGMA, V, G);
    return max(0.0, 1.0 - load<f64>(SIGMA, S.VECTOR_Z) / S.SOFTEN_INVERTED);
  }
  if (2.0 * determinant(G) >= S.SOFTEN_THIN * squares(G, G + S.MATRIX_WIDTH)) return 1;
  svd3(U, SIGMA, V, G);
  const thinnest = load<f64>(SIGMA, S.VECTOR_Z);
  if (thinnest >= S.SOFTEN_THIN) return 1;
  return thinnest > 0 ? thinnest / S.SOFTEN_THIN : 0;
}

/** A := the nearest matrix of determinant 1, in the metric of the members. */
function nearestVolume(c: u32, flowed: bool): void {
  const det = determinant(G);
  if (abs(det - 1.0) < S.SOFTEN_SAME_VOLUME) return;
  const w = S.restRoot() + S.STRIDE_restRoot * c;
  store<f64>(M, load<f64>(w)); store<f64>(M, load<f64>(w, S.SYMMETRIC_XY), S.MATRIX_YX); store<f64>(M, load<f64>(w, S.SYMMETRIC_XZ), S.MATRIX_ZX);
  store<f64>(M, load<f64>(w, S.SYMMETRIC_XY), S.MATRIX_XY); store<f64>(M, load<f64>(w, S.SYMMETRIC_YY), S.MATRIX_YY); store<f64>(M, load<f64>(w, S.SYMMETRIC_YZ), S.MATRIX_ZY);
  store<f64>(M, load<f64>(w, S.SYMMETRIC_XZ), S.MATRIX_XZ); store<f64>(M, load<f64>(w, S.SYMMETRIC_YZ), S.MATRIX_YZ); store<f64>(M, load<f64>(w, S.SYMMETRIC_ZZ), S.MATRIX_ZZ);
  if (flowed) {
    multiply(Q, S.plastic() + S.STRIDE_plastic * c, M);
    copyMatrix(M, Q);
  }
  multiply(Q, G, M);
  if (!findByCofactors(det)) findByAxes();
  invert(V, M);
  multiply(G, Q, V);
}

/** Q := the nearest matrix of determinant 1 to the one at Q, whose determinant is near 1. The matrices stay in registers. */
function findByCofactors(det: f64): bool {
  if (!(abs(det - 1.0) < S.SOFTEN_NEAR_VOLUME)) return false;
  const qa = load<f64>(Q), qb = load<f64>(Q, S.MATRIX_YX), qc = load<f64>(Q, S.MATRIX_ZX);
  const qd = load<f64>(Q, S.MATRIX_XY), qe = load<f64>(Q, S.MATRIX_YY), qf = load<f64>(Q, S.MATRIX_ZY);
  const qg = load<f64>(Q, S.MATRIX_XZ), qh = load<f64>(Q, S.MATRIX_YZ), qi = load<f64>(Q, S.MATRIX_ZZ);
  let a = qa, b = qb, c = qc, d = qd, e = qe, f = qf, g = qg, h = qh, i = qi;
  const ua = e * i - h * f, ub = g * f - d * i, uc = d * h - g * e;
  const ud = h * c - b * i, ue = a * i - g * c, uf = g * b - a * h;
  const ug = b * f - e * c, uh = d * c - a * f, ui = a * e - d * b;
  let u: f64 = 0, size = det;
  for (let round = 0; round < <i32>S.SOFTEN_COFACTOR_ROUNDS; round++) {
    const wa = e * i - h * f, wb = g * f - d * i, wc = d * h - g * e;
    const wd = h * c - b * i, we = a * i - g * c, wf = g * b - a * h;
    const wg = b * f - e * c, wh = d * c - a * f, wi = a * e - d * b;
    const linear = ua * wa + ub * wb + uc * wc + ud * wd + ue * we + uf * wf + ug * wg + uh * wh + ui * wi;
    const square = qa * a + qb * b + qc * c + qd * d + qe * e + qf * f + qg * g + qh * h + qi * i;
    for (let n = round == 0 ? 0 : 2; n < 3; n++)
      u -= (det - 1.0 + u * (linear + u * (square * size + u * size * size))) / (linear + u * (2.0 * square * size + 3.0 * u * size * size));
    const za = qa + u * wa, zb = qb + u * wb, zc = qc + u * wc, zd = qd + u * wd, ze = qe + u * we, zf = qf + u * wf, zg = qg + u * wg, zh = qh + u * wh, zi = qi + u * wi;
    const ya = a - za, yb = b - zb, yc = c - zc, yd = d - zd, ye = e - ze, yf = f - zf, yg = g - zg, yh = h - zh, yi = i - zi;
    const change = ya * ya + yb * yb + yc * yc + yd * yd + ye * ye + yf * yf + yg * yg + yh * yh + yi * yi;
    // A small change of the last round is taken ahead (fitTwo.ts).
    const ahead = round > 0 && change * (u * u) < S.SOFTEN_AHEAD;
    const k: f64 = ahead ? u / (1.0 + u) : 0;
    a = za + k * ya; b = zb + k * yb; c = zc + k * yc; d = zd + k * yd; e = ze + k * ye; f = zf + k * yf; g = zg + k * yg; h = zh + k * yh; i = zi + k * yi;
    size = 1;
    if (!ahead && !(change < S.SOFTEN_FOUND)) continue;
    store<f64>(Q, a); store<f64>(Q, b, S.MATRIX_YX); store<f64>(Q, c, S.MATRIX_ZX);
    store<f64>(Q, d, S.MATRIX_XY); store<f64>(Q, e, S.MATRIX_YY); store<f64>(Q, f, S.MATRIX_ZY);
    store<f64>(Q, g, S.MATRIX_XZ); store<f64>(Q, h, S.MATRIX_YZ); store<f64>(Q, i, S.MATRIX_ZZ);
    return true;
  }
  return false;
}

/** The same by singular values. */
function findByAxes(): void {
  svd3(U, SIGMA, V, Q);
  raiseToUnitVolume();
  // Q := U diag(s) Vᵀ.
  for (let j: usize = 0; j < S.VECTOR_WIDTH; j += 8) {
    const x = load<f64>(SIGMA) * load<f64>(V + j), y = load<f64>(SIGMA, S.VECTOR_Y) * load<f64>(V + j, S.MATRIX_XY), z = load<f64>(SIGMA, S.VECTOR_Z) * load<f64>(V + j, S.MATRIX_XZ);
    for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8)
      store<f64>(Q + 3 * j + i, load<f64>(U + i) * x + load<f64>(U + i, S.MATRIX_XY) * y + load<f64>(U + i, S.MATRIX_XZ) * z);
  }
}

/** SIGMA := s = (σ + √(σ² + 4u))/2 with product 1. */
function raiseToUnitVolume(): void {
  const a = load<f64>(SIGMA), b = load<f64>(SIGMA, S.VECTOR_Y), d = load<f64>(SIGMA, S.VECTOR_Z);
  let low = -0.225 * d * d, high: f64 = 1, u: f64 = 0;
  for (let round = 0; round < <i32>S.SOFTEN_VOLUME_ROUNDS; round++) {
    const p = sqrt(a * a + 4.0 * u), q = sqrt(b * b + 4.0 * u), r = sqrt(d * d + 4.0 * u);
    const x = (a + p) / 2.0, y = (b + q) / 2.0, z = (d + r) / 2.0;
    store<f64>(SIGMA, x); store<f64>(SIGMA, y, S.VECTOR_Y); store<f64>(SIGMA, z, S.VECTOR_Z);
    const product = x * y * z;
    if (abs(product - 1.0) < 1e-12) break;
    if (product > 1) high = u;
    else low = u;
    const next = u - (product - 1.0) / (product * (1.0 / (x * p) + 1.0 / (y * q) + 1.0 / (z * r)));
    u = next > low && next < high ? next : (low + high) / 2.0;
  }
}

/** out = m⁻¹ of a matrix of determinant 1. */
function invert(out: usize, m: usize): void {
  const a = load<f64>(m), b = load<f64>(m, S.MATRIX_YX), c = load<f64>(m, S.MATRIX_ZX);
  const d = load<f64>(m, S.MATRIX_XY), e = load<f64>(m, S.MATRIX_YY), f = load<f64>(m, S.MATRIX_ZY);
  const g = load<f64>(m, S.MATRIX_XZ), h = load<f64>(m, S.MATRIX_YZ), i = load<f64>(m, S.MATRIX_ZZ);
  store<f64>(out, e * i - h * f); store<f64>(out, h * c - b * i, S.MATRIX_YX); store<f64>(out, b * f - e * c, S.MATRIX_ZX);
  store<f64>(out, g * f - d * i, S.MATRIX_XY); store<f64>(out, a * i - g * c, S.MATRIX_YY); store<f64>(out, d * c - a * f, S.MATRIX_ZY);
  store<f64>(out, d * h - g * e, S.MATRIX_XZ); store<f64>(out, g * b - a * h, S.MATRIX_YZ); store<f64>(out, a * e - d * b, S.MATRIX_ZZ);
}

/**
 * B = κ A_xb A_bb⁻¹, with A_xb = Σ m w (x − origin) (q − q̄)ᵀ − A_xr Lᵀ. Any origin gives the same, because
 * Σ m w b = 0.
 */
function fitBend(c: u32, axr: usize, kept: f64): void {
  sumProducts(c);
  const rest = S.bendRest() + S.STRIDE_bendRest * c, inverse = S.bendInverse() + S.STRIDE_bendInverse * c;
  const mass = load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass));
  for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8) {
    const ax = load<f64>(axr + i), ay = load<f64>(axr + i, S.MATRIX_XY), az = load<f64>(axr + i, S.MATRIX_XZ);
    const centre = mass * load<f64>(CENTRE + i);
    for (let b: usize = 0; b < 6; b++) {
      const l = rest + (b << 3), to = X + S.VECTOR_WIDTH * b + i;
      const along = ax * load<f64>(l, S.BEND_REST_BY_X) + ay * load<f64>(l, S.BEND_REST_BY_Y) + az * load<f64>(l, S.BEND_REST_BY_Z);
      store<f64>(to, load<f64>(to) - centre * load<f64>(l, S.BEND_REST_MEAN) - along);
    }
    for (let j: usize = 0; j < 6; j++) {
      let sum: f64 = 0;
      for (let b: usize = 0; b < 6; b++) sum += load<f64>(X + S.VECTOR_WIDTH * b + i) * load<f64>(inverse + S.BEND_INVERSE_COLUMN * j + (b << 3));
      store<f64>(B + S.VECTOR_WIDTH * j + i, kept * sum);
    }
  }
}

/** X := Σ m w (x − origin) qᵀ. */
function sumProducts(c: u32): void {
  const x = S.x(), index = S.memberParticle(), axes = S.bendAxes() + S.STRIDE_bendAxes * c;
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart)), last = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart), S.STRIDE_memberStart);
  const origin = v128.load(x + (load<u32>(index + (first << S.SHIFT_memberParticle)) << S.SHIFT_x));
  memory.fill(X, 0, S.BYTES_SOFTEN_X);
  let k = first;
  while (k < last) {
    const stop = min(k + BLOCK, last);
    let xx = f32x4.splat(0), yy = f32x4.splat(0), zz = f32x4.splat(0), xy = f32x4.splat(0), yz = f32x4.splat(0), zx = f32x4.splat(0);
    for (; k < stop; k++) {
      const q = S.member() + (k << S.SHIFT_member);
      const p = turned(axes, q);
      const px = lane0(p), py = lane1(p), pz = lane2(p);
      const r = f32x4.sub(v128.load(x + (load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_x)), origin);
      const y = f32x4.mul(r, v128.load32_splat(q, S.MEMBER_MASS));
      const ax = f32x4.mul(y, px), ay = f32x4.mul(y, py), az = f32x4.mul(y, pz);
      xx = f32x4.add(xx, f32x4.mul(ax, px));
      yy = f32x4.add(yy, f32x4.mul(ay, py));
      zz = f32x4.add(zz, f32x4.mul(az, pz));
      xy = f32x4.add(xy, f32x4.mul(ax, py));
      yz = f32x4.add(yz, f32x4.mul(ay, pz));
      zx = f32x4.add(zx, f32x4.mul(az, px));
    }
    add(X, xx); add(X + S.VECTOR_WIDTH, yy); add(X + 2 * S.VECTOR_WIDTH, zz); add(X + 3 * S.VECTOR_WIDTH, xy); add(X + 4 * S.VECTOR_WIDTH, yz); add(X + 5 * S.VECTOR_WIDTH, zx);
  }
}

// @ts-ignore: decorator
@inline function add(to: usize, a: v128): void {
  store<f64>(to, load<f64>(to) + <f64>f32x4.extract_lane(a, 0));
  store<f64>(to, load<f64>(to, S.VECTOR_Y) + <f64>f32x4.extract_lane(a, 1), S.VECTOR_Y);
  store<f64>(to, load<f64>(to, S.VECTOR_Z) + <f64>f32x4.extract_lane(a, 2), S.VECTOR_Z);
}

// @ts-ignore: decorator
@inline function capped(phi: f64, from: f64, most: f64): f64 { return phi <= from ? phi : most - (from / phi) * (most - from); }

function limitArea(c: u32, r: usize): void {
  const row = S.softness() + (c << S.SHIFT_softness);
  const clamp = load<f32>(row, S.SOFTNESS_CLAMP);
  if (clamp == 0) return;
  const most = <f64>load<f32>(row, S.SOFTNESS_MAX), from = <f64>load<f32>(row, S.SOFTNESS_FROM);
  const width = <f64>load<f32>(S.width() + (c << S.SHIFT_width));
  const width2 = width * width;
  if (clamp == 1) {
    for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8) {
      const square = rowSquared(G + i, G + S.MATRIX_WIDTH) + width2 * rowSquared(B + i, B_END);
      const goal = capped(square, from, most);
      if (!(goal < square)) continue;
      const scale = sqrt(goal / square);
      for (let o = G + i; o < G + S.MATRIX_WIDTH; o += S.VECTOR_WIDTH) store<f64>(o, load<f64>(o) * scale);
      for (let o = B + i; o < B_END; o += S.VECTOR_WIDTH) store<f64>(o, load<f64>(o) * scale);
    }
    return;
  }
  const bent = width2 * squares(B, B_END);
  const phi = (squares(G, G + S.MATRIX_WIDTH) + bent) / 3.0;
  const goal = capped(phi, from, most);
  if (!(goal < phi)) return;
  const gamma = clamp == 2 ? exactShare(r, bent, goal) : goal / phi;
  blend(gamma, r);
  scaleBend(gamma);
}

/** γ of ‖R + γ (A − R)‖² = 3 goal. */
function exactShare(r: usize, bent: f64, goal: f64): f64 {
  let a = bent, b: f64 = 0;
  for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) {
    const d = load<f64>(G + k) - load<f64>(r + k);
    a += d * d;
    b += d * load<f64>(r + k);
  }
  if (a == 0) return 1;
  const growth = max(0, goal - 1.0);
  const root = sqrt(b * b + 3.0 * a * growth);
  return b > 0 ? (3.0 * growth) / (b + root) : min(1.0, (root - b) / a);
}

/** Subtracts B L from T (by columns, contains F^p) and B q̄ from the centre, and writes B to `bend`. */
export function foldBend(c: u32, t: usize): void {
  const rest = S.bendRest() + S.STRIDE_bendRest * c;
  const to = S.bend() + S.STRIDE_bend * c;
  for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8) {
    let x = load<f64>(t + i), y = load<f64>(t + i, S.MATRIX_XY), z = load<f64>(t + i, S.MATRIX_XZ), shift: f64 = 0;
    for (let b: usize = 0; b < 6; b++) {
      const v = load<f64>(B + S.VECTOR_WIDTH * b + i), l = rest + (b << 3);
      x -= v * load<f64>(l, S.BEND_REST_BY_X);
      y -= v * load<f64>(l, S.BEND_REST_BY_Y);
      z -= v * load<f64>(l, S.BEND_REST_BY_Z);
      shift += v * load<f64>(l, S.BEND_REST_MEAN);
      store<f32>(to + S.BEND_YY * b + (i >> 1), <f32>v);
    }
    store<f64>(t + i, x); store<f64>(t + i, y, S.MATRIX_XY); store<f64>(t + i, z, S.MATRIX_XZ);
    store<f64>(CENTRE + i, load<f64>(CENTRE + i) - shift);
  }
}

/** A := share A + (1 − share) R. */
function blend(share: f64, r: usize): void {
  const a = f64x2.splat(share), b = f64x2.splat(1.0 - share);
  for (let k: usize = 0; k < S.MATRIX_ZZ; k += 16) v128.store(G + k, f64x2.add(f64x2.mul(a, v128.load(G + k)), f64x2.mul(b, v128.load(r + k))));
  store<f64>(G, share * load<f64>(G, S.MATRIX_ZZ) + (1.0 - share) * load<f64>(r, S.MATRIX_ZZ), S.MATRIX_ZZ);
}

function scaleBend(by: f64): void {
  for (let o = B; o < B_END; o += 8) store<f64>(o, load<f64>(o) * by);
}

function squares(from: usize, end: usize): f64 {
  let sum: f64 = 0;
  for (let o = from; o < end; o += 8) sum += load<f64>(o) * load<f64>(o);
  return sum;
}

/** Sum of the squares of every third number. */
function rowSquared(from: usize, end: usize): f64 {
  let sum: f64 = 0;
  for (let o = from; o < end; o += S.VECTOR_WIDTH) sum += load<f64>(o) * load<f64>(o);
  return sum;
}

function determinant(m: usize): f64 {
  const a = load<f64>(m), b = load<f64>(m, S.MATRIX_YX), c = load<f64>(m, S.MATRIX_ZX);
  const d = load<f64>(m, S.MATRIX_XY), e = load<f64>(m, S.MATRIX_YY), f = load<f64>(m, S.MATRIX_ZY);
  const g = load<f64>(m, S.MATRIX_XZ), h = load<f64>(m, S.MATRIX_YZ), i = load<f64>(m, S.MATRIX_ZZ);
  return a * (e * i - h * f) - d * (b * i - h * c) + g * (b * f - e * c);
}

/** The offset at q in the axes of A_rr, at `axes`. */
// @ts-ignore: decorator
@inline function turned(axes: usize, q: usize): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(axes, S.BEND_AXES_X), v128.load32_splat(q)), f32x4.mul(v128.load(axes, S.BEND_AXES_Y), v128.load32_splat(q, 4))),
    f32x4.mul(v128.load(axes, S.BEND_AXES_Z), v128.load32_splat(q, 8)),
  );
}

// @ts-ignore: decorator
@inline function lane0(a: v128): v128 { return v128.shuffle<f32>(a, a, 0, 0, 0, 0); }
// @ts-ignore: decorator
@inline function lane1(a: v128): v128 { return v128.shuffle<f32>(a, a, 1, 1, 1, 1); }
// @ts-ignore: decorator
@inline function lane2(a: v128): v128 { return v128.shuffle<f32>(a, a, 2, 2, 2, 2); }

/** The quadratic part of the goal of cluster c for the offset at q. */
// @ts-ignore: decorator
@inline export function bendOf(c: u32, q: usize): v128 {
  const b = S.bend() + S.STRIDE_bend * c;
  const p = turned(S.bendAxes() + S.STRIDE_bendAxes * c, q);
  const px = lane0(p), py = lane1(p), pz = lane2(p);
  // Lane 3 of the columns is 0.
  return f32x4.add(
    f32x4.mul(px, f32x4.add(f32x4.mul(v128.load(b, S.BEND_XX), px), f32x4.mul(v128.load(b, S.BEND_XY), py))),
    f32x4.add(
      f32x4.mul(py, f32x4.add(f32x4.mul(v128.load(b, S.BEND_YY), py), f32x4.mul(v128.load(b, S.BEND_YZ), pz))),
      f32x4.mul(pz, f32x4.add(f32x4.mul(v128.load(b, S.BEND_ZZ), pz), f32x4.mul(v128.load(b, S.BEND_ZX), px))),
    ),
  );
}

/**
 * Type arguments that compile loops over memberships twice from one source: Plain omits the quadratic part of goals,
 * without a test in the loop.
 */
export type Plain = i32;
export type Bent = f32;

/** Goal − x of the membership at q, of cluster c. */
// @ts-ignore: decorator
@inline export function wayToGoal<B>(transform: usize, c: u32, q: usize, xi: v128): v128 {
  const way = towardsGoal(transform + S.STRIDE_transform * c, q, xi);
  if (isFloat<B>()) return f32x4.add(way, bendOf(c, q));
  return way;
}
