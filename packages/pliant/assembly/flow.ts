import { bestTrace, eigen3 } from './eigen';
import * as S from './layout.generated';
import { A } from './match';
import { add, any, cross2, determinant, dot2, dot3, mul, pair, square, sub, times } from './pairs';
import { polar3, straighten } from './polar';
import { cbrt, power } from './power';

/** Scratch (src/kernels/wasm/scratchMap.ts). Matrices of nine f64: Σ W D, M, Q, V; then Σ and D, three f64 each; W. */
const P: usize = S.AT_FLOW_P;
const M: usize = S.AT_FLOW_M;
const Q: usize = S.AT_FLOW_Q;
const V: usize = S.AT_FLOW_V;
const SIGMA: usize = S.AT_FLOW_SIGMA;
const D: usize = S.AT_FLOW_D;
const W: usize = S.AT_FLOW_W;
/** Scratch for two clusters at a time: nearly symmetric matrices, and six entries of their stretches. */
const TWO: usize = S.AT_FLOW_TWO;
const STRETCHES: usize = S.AT_FLOW_STRETCHES;

/**
 * Strain up to which clusters flow without a search for their axes: no stretch is below 0.7, and E of flowModerately
 * rarely exceeds its bound.
 */
const MODERATE: f64 = 0.3;
/**
 * Largest ‖E‖ whose powers are summed, the size of a term (of |E|^k) at which the sum ends, and the largest number of
 * terms.
 */
const SUMMED: f64 = 0.4;
const LAST: f64 = 1e-11;
const TERMS: i32 = 40;
/** 1, ½, ⅓ …: a division would take as long as the rest of a term. */
const PARTS: usize = S.AT_FLOW_PARTS;
for (let k: u32 = 0; k < <u32>(S.BYTES_FLOW_PARTS >> 3); k++) store<f64>(PARTS + (k << 3), 1.0 / <f64>(k + 1));

/** Of the call of flowClusters that runs: clusters flow by the elastic law. */
let byLaw: bool = false;
/** ‖(F*)^γ − I‖ of the two clusters of takeOver: the strain that becomes permanent. */
let lasting: v128 = f64x2.splat(0);

export function flowClusters(start: u32, end: u32, flowRate: f64, hardening: f64, dissipative: bool, lawful: bool): u32 {
  let flowed: u32 = 0;
  const rate = lawful ? flowRate / (1 + hardening) : flowRate;
  byLaw = lawful;
  /** A cluster that waits for a second one to be processed with it, and its yield. */
  let waits = end, waitsAt: f64 = 0;
  for (let c = start; c < end; c++) {
    const from = S.elastic() + S.STRIDE_elastic * c;
    const xx = load<f64>(from), yy = load<f64>(from, S.SYMMETRIC_YY), zz = load<f64>(from, S.SYMMETRIC_ZZ);
    const xy = load<f64>(from, S.SYMMETRIC_XY), xz = load<f64>(from, S.SYMMETRIC_XZ), yz = load<f64>(from, S.SYMMETRIC_YZ);
    const strain = sqrt((xx - 1) * (xx - 1) + (yy - 1) * (yy - 1) + (zz - 1) * (zz - 1) + 2 * (xy * xy + xz * xz + yz * yz));
    const hardened = S.hardened() + (c << S.SHIFT_hardened);
    const sum = load<f64>(hardened);
    const yieldAt = max(0.0, <f64>load<f32>(S.clusterYield() + (c << S.SHIFT_clusterYield)) + hardening * sum);
    if (!(strain < S.FLOW_ABSURD)) continue;
    if (!lawful) store<f64>(hardened, sum + strain);
    if (strain <= S.FLOW_SMALL && S.FLOW_BOUND * strain <= yieldAt) continue;
    if (!(strain <= MODERATE)) flowed += flowOne(c, yieldAt, rate, dissipative);
    else if (waits == end) {
      waits = c;
      waitsAt = yieldAt;
    } else {
      flowed += flowTwo(waits, c, waitsAt, yieldAt, rate, dissipative);
      waits = end;
    }
  }
  if (waits != end) flowed += flowTwo(waits, waits, waitsAt, waitsAt, rate, dissipative);
  return flowed;
}

function flowOne(c: u32, yieldAt: f64, flowRate: f64, dissipative: bool): u32 {
  const from = S.elastic() + S.STRIDE_elastic * c;
  eigen3(SIGMA, V, load<f64>(from), load<f64>(from, S.SYMMETRIC_YY), load<f64>(from, S.SYMMETRIC_ZZ), load<f64>(from, S.SYMMETRIC_XY), load<f64>(from, S.SYMMETRIC_XZ), load<f64>(from, S.SYMMETRIC_YZ));
  if (!stretchBeyond(yieldAt, flowRate)) return 0;
  turnAxes(S.plastic() + S.STRIDE_plastic * c);
  if (dissipative && !sparing(c)) return 0;
  stretchRest();
  const d0 = load<f64>(D) - 1, d1 = load<f64>(D, S.VECTOR_Y) - 1, d2 = load<f64>(D, S.VECTOR_Z) - 1;
  lasting = f64x2.splat(sqrt(d0 * d0 + d1 * d1 + d2 * d2));
  return takeOver(c, c, 1, straighten(STRETCHES, TWO));
}

/** Flow of two clusters of moderate strain. A single one is passed twice. */
function flowTwo(c: u32, d: u32, yieldC: f64, yieldD: f64, flowRate: f64, dissipative: bool): u32 {
  const outcome = flowModerately(c, d, f64x2(yieldC, yieldD), flowRate, dissipative);
  let flowed: u32 = 0;
  if (outcome & 3) {
    // If a cluster is passed twice, only the first result is used.
    flowed = takeOver(c, d, outcome & (c == d ? 1 : 3), straighten(STRETCHES, TWO));
  }
  // flowOne may overwrite TWO from here on.
  if (outcome & UNSURE) flowed += flowOne(c, yieldC, flowRate, dissipative);
  if (outcome & (UNSURE << 1) && c != d) flowed += flowOne(d, yieldD, flowRate, dissipative);
  return flowed;
}
/** Bit of flowModerately's result for the first cluster; the second has the next bit. */
const UNSURE: i32 = 4;

/**
 * The same flow for two clusters of moderate strain, in a sixth of the time. E = F* − I, and (F*)^γ = Σ (γ over k) E^k
 * is a matrix function that needs no axes: by Cayley and Hamilton every power is a sum of I, E and E².
 *
 * The energy before is bounded from below, with the upper bound of bestTrace. The energy after is at most that with the
 * rotation of F^e. Where these bounds do not prove that flow is allowed, the result is unsure. Writes (F*)^γ F^p of
 * both to TWO. Returns bits 1 and 2 for those that flow, 4 and 8 for those that are unsure.
 */
function flowModerately(c: u32, other: u32, yieldAt: v128, flowRate: f64, dissipative: bool): i32 {
  const one = f64x2.splat(1);
  let p = S.elastic() + S.STRIDE_elastic * c, q = S.elastic() + S.STRIDE_elastic * other;
  const xx = pair(p, q), yy = pair(p + S.SYMMETRIC_YY, q + S.SYMMETRIC_YY), zz = pair(p + S.SYMMETRIC_ZZ, q + S.SYMMETRIC_ZZ);
  const xy = pair(p + S.SYMMETRIC_XY, q + S.SYMMETRIC_XY), xz = pair(p + S.SYMMETRIC_XZ, q + S.SYMMETRIC_XZ), yz = pair(p + S.SYMMETRIC_YZ, q + S.SYMMETRIC_YZ);
  const volume = determinant(xx, yy, zz, xy, xz, yz);
  // 1/∛volume: its series, then Newton's iteration. Neither divides.
  const less = sub(one, volume);
  let unit = add(one, mul(less, add(f64x2.splat(1.0 / 3), mul(less, add(f64x2.splat(2.0 / 9), times(14.0 / 81, less))))));
  let open = i64x2.splat(-1);
  for (let n = 0; n < 8; n++) {
    const off = v128.and(open, sub(one, mul(mul(mul(volume, unit), unit), unit)));
    unit = add(unit, times(1.0 / 3, mul(unit, off)));
    open = v128.and(open, f64x2.ge(f64x2.abs(off), f64x2.splat(1e-8)));
    if (!any(open)) break;
  }
  const a = sub(mul(unit, xx), one), b = sub(mul(unit, yy), one), d = sub(mul(unit, zz), one);
  const e = mul(unit, xy), f = mul(unit, xz), g = mul(unit, yz);
  const norm = f64x2.sqrt(add(dot3(a, a, b, b, d, d), times(2, dot3(e, e, f, f, g, g))));
  const beyond = f64x2.gt(norm, yieldAt);
  // Also where the norm is NaN.
  let unsure = v128.not(v128.or(beyond, f64x2.le(norm, yieldAt)));
  if (!any(beyond)) return <i32>i64x2.bitmask(unsure) << 2;
  let flows = v128.and(beyond, f64x2.le(norm, f64x2.splat(SUMMED)));
  const gamma = f64x2.min(one, f64x2.div(times(flowRate, sub(norm, yieldAt)), norm));

  // E^k = p I + q E + r E², from E³ = trace E² − minors E + det I.
  const trace = add(add(a, b), d);
  const minors = add(add(cross2(a, b, e, e), cross2(a, d, f, f)), cross2(b, d, g, g));
  const det = determinant(a, b, d, e, f, g);
  let e0 = f64x2.splat(0), e1 = one, e2 = f64x2.splat(0);
  let term = gamma, size = mul(f64x2.abs(gamma), norm);
  let c0 = one, c1 = gamma, c2 = f64x2.splat(0);
  for (let k = 1; k < TERMS; k++) {
    const more = f64x2.gt(size, f64x2.splat(LAST));
    if (!any(v128.and(more, flows))) break;
    const share = times(load<f64>(PARTS + (k << 3)), sub(gamma, f64x2.splat(<f64>k)));
    // Clusters whose sum has converged add nothing.
    term = v128.and(mul(term, share), more);
    size = mul(size, mul(f64x2.abs(share), norm));
    const up = mul(e2, det);
    const next = sub(e0, mul(e2, minors));
    e2 = add(e1, mul(e2, trace));
    e1 = next;
    e0 = up;
    c0 = add(c0, mul(term, e0)); c1 = add(c1, mul(term, e1)); c2 = add(c2, mul(term, e2));
  }
  const Daa = add(add(c0, mul(c1, a)), mul(c2, dot3(a, a, e, e, f, f)));
  const Dbb = add(add(c0, mul(c1, b)), mul(c2, dot3(e, e, b, b, g, g)));
  const Ddd = add(add(c0, mul(c1, d)), mul(c2, dot3(f, f, g, g, d, d)));
  const Dab = add(mul(c1, e), mul(c2, dot3(a, e, e, b, f, g)));
  const Dad = add(mul(c1, f), mul(c2, dot3(a, f, e, g, f, d)));
  const Dbd = add(mul(c1, g), mul(c2, dot3(e, f, b, g, g, d)));

  lasting = f64x2.sqrt(add(dot3(sub(Daa, one), sub(Daa, one), sub(Dbb, one), sub(Dbb, one), sub(Ddd, one), sub(Ddd, one)), times(2, dot3(Dab, Dab, Dad, Dad, Dbd, Dbd))));
  p = S.plastic() + S.STRIDE_plastic * c;
  q = S.plastic() + S.STRIDE_plastic * other;
  const Paa = pair(p, q), Pab = pair(p + S.MATRIX_YX, q + S.MATRIX_YX), Pad = pair(p + S.MATRIX_ZX, q + S.MATRIX_ZX);
  const Pbb = pair(p + S.MATRIX_YY, q + S.MATRIX_YY), Pbd = pair(p + S.MATRIX_ZY, q + S.MATRIX_ZY), Pdd = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
  if (dissipative) {
    // W = F^p A_rr F^p.
    p = S.restMoment() + S.STRIDE_restMoment * c;
    q = S.restMoment() + S.STRIDE_restMoment * other;
    let rxx = pair(p, q), ryy = pair(p + S.SYMMETRIC_YY, q + S.SYMMETRIC_YY), rzz = pair(p + S.SYMMETRIC_ZZ, q + S.SYMMETRIC_ZZ);
    let rxy = pair(p + S.SYMMETRIC_XY, q + S.SYMMETRIC_XY), rxz = pair(p + S.SYMMETRIC_XZ, q + S.SYMMETRIC_XZ), ryz = pair(p + S.SYMMETRIC_YZ, q + S.SYMMETRIC_YZ);
    if (byLaw) {
      // S A_rr in the place of A_rr: both have the same axes, so that the product is symmetric.
      p = S.elasticity() + S.STRIDE_elasticity * c;
      q = S.elasticity() + S.STRIDE_elasticity * other;
      const sxx = pair(p, q), syx = pair(p + S.MATRIX_YX, q + S.MATRIX_YX), szx = pair(p + S.MATRIX_ZX, q + S.MATRIX_ZX);
      const syy = pair(p + S.MATRIX_YY, q + S.MATRIX_YY), szy = pair(p + S.MATRIX_ZY, q + S.MATRIX_ZY), szz = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
      const mxx = dot3(sxx, rxx, syx, rxy, szx, rxz), myy = dot3(syx, rxy, syy, ryy, szy, ryz), mzz = dot3(szx, rxz, szy, ryz, szz, rzz);
      const mxy = dot3(sxx, rxy, syx, ryy, szx, ryz), mxz = dot3(sxx, rxz, syx, ryz, szx, rzz), myz = dot3(syx, rxz, syy, ryz, szy, rzz);
      rxx = mxx; ryy = myy; rzz = mzz; rxy = mxy; rxz = mxz; ryz = myz;
    }
    const h0 = dot3(rxx, Paa, rxy, Pab, rxz, Pad), h1 = dot3(rxy, Paa, ryy, Pab, ryz, Pad), h2 = dot3(rxz, Paa, ryz, Pab, rzz, Pad);
    const i0 = dot3(rxx, Pab, rxy, Pbb, rxz, Pbd), i1 = dot3(rxy, Pab, ryy, Pbb, ryz, Pbd), i2 = dot3(rxz, Pab, ryz, Pbb, rzz, Pbd);
    const j0 = dot3(rxx, Pad, rxy, Pbd, rxz, Pdd), j1 = dot3(rxy, Pad, ryy, Pbd, ryz, Pdd), j2 = dot3(rxz, Pad, ryz, Pbd, rzz, Pdd);
    const Waa = dot3(Paa, h0, Pab, h1, Pad, h2), Wbb = dot3(Pab, i0, Pbb, i1, Pbd, i2), Wdd = dot3(Pad, j0, Pbd, j1, Pdd, j2);
    const Wab = dot3(Paa, i0, Pab, i1, Pad, i2), Wad = dot3(Paa, j0, Pab, j1, Pad, j2), Wbd = dot3(Pab, j0, Pbb, j1, Pbd, j2);
    // Energy before, with the rotation of F^e: tr (S − I) W (S − I). X = (S − I) W. The skew part of S W = W + X is
    // that of X.
    const sa = sub(xx, one), sb = sub(yy, one), sd = sub(zz, one);
    const X00 = dot3(sa, Waa, xy, Wab, xz, Wad), X01 = dot3(sa, Wab, xy, Wbb, xz, Wbd), X02 = dot3(sa, Wad, xy, Wbd, xz, Wdd);
    const X10 = dot3(xy, Waa, sb, Wab, yz, Wad), X11 = dot3(xy, Wab, sb, Wbb, yz, Wbd), X12 = dot3(xy, Wad, sb, Wbd, yz, Wdd);
    const X20 = dot3(xz, Waa, yz, Wab, sd, Wad), X21 = dot3(xz, Wab, yz, Wbb, sd, Wbd), X22 = dot3(xz, Wad, yz, Wbd, sd, Wdd);
    const before = add(dot3(X00, sa, X11, sb, X22, sd), dot3(add(X01, X10), xy, add(X02, X20), xz, add(X12, X21), yz));
    const v2 = add(add(square(sub(X01, X10)), square(sub(X02, X20))), square(sub(X12, X21)));
    const k0 = add(Waa, X00), k1 = add(Wbb, X11), k2 = add(Wdd, X22);
    const squares = add(
      add(dot3(k0, k0, k1, k1, k2, k2), add(square(add(Wab, X01)), square(add(Wab, X10)))),
      add(add(square(add(Wad, X02)), square(add(Wad, X20))), add(square(add(Wbd, X12)), square(add(Wbd, X21)))),
    );
    const least = leastTurning(add(add(k0, k1), k2), squares, v2);
    const za = sub(xx, Daa), zb = sub(yy, Dbb), zd = sub(zz, Ddd), ze = sub(xy, Dab), zf = sub(xz, Dad), zg = sub(yz, Dbd);
    const across = dot3(
      Wab, dot3(za, ze, ze, zb, zf, zg),
      Wad, dot3(za, zf, ze, zg, zf, zd),
      Wbd, dot3(ze, zf, zb, zg, zg, zd),
    );
    const after = add(
      dot3(Waa, dot3(za, za, ze, ze, zf, zf), Wbb, dot3(ze, ze, zb, zb, zg, zg), Wdd, dot3(zf, zf, zg, zg, zd, zd)),
      times(2, across),
    );
    const spares = v128.and(f64x2.gt(least, f64x2.splat(0)), f64x2.le(after, sub(before, f64x2.div(v2, least))));
    flows = v128.and(flows, spares);
  }
  unsure = v128.or(unsure, v128.andnot(beyond, flows));
  v128.store(TWO, dot3(Daa, Paa, Dab, Pab, Dad, Pad)); v128.store(TWO, dot3(Dab, Paa, Dbb, Pab, Dbd, Pad), 16);
  v128.store(TWO, dot3(Dad, Paa, Dbd, Pab, Ddd, Pad), 32);
  v128.store(TWO, dot3(Daa, Pab, Dab, Pbb, Dad, Pbd), 48); v128.store(TWO, dot3(Dab, Pab, Dbb, Pbb, Dbd, Pbd), 64);
  v128.store(TWO, dot3(Dad, Pab, Dbd, Pbb, Ddd, Pbd), 80);
  v128.store(TWO, dot3(Daa, Pad, Dab, Pbd, Dad, Pdd), 96); v128.store(TWO, dot3(Dab, Pad, Dbb, Pbd, Dbd, Pdd), 112);
  v128.store(TWO, dot3(Dad, Pad, Dbd, Pbd, Ddd, Pdd), 128);
  return <i32>i64x2.bitmask(flows) | (<i32>i64x2.bitmask(unsure) << 2);
}

/** p of nearIdentity in eigen.ts, for two clusters. */
// @ts-ignore: decorator
@inline function leastTurning(trace: v128, squares: v128, v2: v128): v128 {
  const away = f64x2.max(f64x2.splat(0), sub(sub(squares, times(0.5, v2)), times(1.0 / 3, mul(trace, trace))));
  return sub(times(2.0 / 3, trace), f64x2.sqrt(times(2.0 / 3, away)));
}

/** D := (F*)^γ. Returns whether it is beyond the yield. */
function stretchBeyond(yieldAt: f64, flowRate: f64): bool {
  let d0 = load<f64>(SIGMA), d1 = load<f64>(SIGMA, S.VECTOR_Y), d2 = load<f64>(SIGMA, S.VECTOR_Z);
  if (!(min(d0, min(d1, d2)) >= S.FLOW_FLAT)) return false;
  const unit = 1.0 / cbrt(d0 * d1 * d2);
  d0 *= unit; d1 *= unit; d2 *= unit;
  const norm = sqrt((d0 - 1) * (d0 - 1) + (d1 - 1) * (d1 - 1) + (d2 - 1) * (d2 - 1));
  if (!(norm > yieldAt)) return false;
  const gamma = min(1.0, (flowRate * (norm - yieldAt)) / norm);
  if (gamma < 1) {
    d0 = power(d0, gamma);
    d2 = power(d2, gamma);
    d1 = 1 / (d0 * d2);
  }
  store<f64>(D, d0); store<f64>(D, d1, S.VECTOR_Y); store<f64>(D, d2, S.VECTOR_Z);
  return true;
}

/** M := Vᵀ F^p. */
function turnAxes(plastic: usize): void {
  for (let j: usize = 0; j < S.MATRIX_WIDTH; j += S.VECTOR_WIDTH) {
    store<f64>(M + j, dot(V, plastic + j));
    store<f64>(M + j, dot(V + S.MATRIX_XY, plastic + j), S.VECTOR_Y);
    store<f64>(M + j, dot(V + S.MATRIX_XZ, plastic + j), S.VECTOR_Z);
  }
}

/** Reduces D until the cluster's elastic energy is not more than before. Returns whether any flow is left. */
function sparing(c: u32): bool {
  const from = S.restMoment() + S.STRIDE_restMoment * c;
  let xx = load<f64>(from), yy = load<f64>(from, S.SYMMETRIC_YY), zz = load<f64>(from, S.SYMMETRIC_ZZ);
  let xy = load<f64>(from, S.SYMMETRIC_XY), xz = load<f64>(from, S.SYMMETRIC_XZ), yz = load<f64>(from, S.SYMMETRIC_YZ);
  if (byLaw) {
    const at = S.elasticity() + S.STRIDE_elasticity * c;
    const sxx = load<f64>(at), syx = load<f64>(at, S.MATRIX_YX), szx = load<f64>(at, S.MATRIX_ZX);
    const syy = load<f64>(at, S.MATRIX_YY), szy = load<f64>(at, S.MATRIX_ZY), szz = load<f64>(at, S.MATRIX_ZZ);
    const mxx = sxx * xx + syx * xy + szx * xz, myy = syx * xy + syy * yy + szy * yz, mzz = szx * xz + szy * yz + szz * zz;
    const mxy = sxx * xy + syx * yy + szx * yz, mxz = sxx * xz + syx * yz + szx * zz, myz = syx * xz + syy * yz + szy * zz;
    xx = mxx; yy = myy; zz = mzz; xy = mxy; xz = mxz; yz = myz;
  }
  // W = M A_rr Mᵀ, row by row of M: its entry j of row i is (A_rr · row i) · row j.
  for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8) {
    const x = load<f64>(M + i), y = load<f64>(M + i, S.MATRIX_XY), z = load<f64>(M + i, S.MATRIX_XZ);
    const a = xx * x + xy * y + xz * z, b = xy * x + yy * y + yz * z, e = xz * x + yz * y + zz * z;
    store<f64>(W + i, a * load<f64>(M) + b * load<f64>(M, S.MATRIX_XY) + e * load<f64>(M, S.MATRIX_XZ));
    store<f64>(W + i, a * load<f64>(M, S.MATRIX_YX) + b * load<f64>(M, S.MATRIX_YY) + e * load<f64>(M, S.MATRIX_YZ), S.MATRIX_XY);
    store<f64>(W + i, a * load<f64>(M, S.MATRIX_ZX) + b * load<f64>(M, S.MATRIX_ZY) + e * load<f64>(M, S.MATRIX_ZZ), S.MATRIX_XZ);
  }
  let r0 = load<f64>(D), r1 = load<f64>(D, S.VECTOR_Y), r2 = load<f64>(D, S.VECTOR_Z);
  const before = energy(1, 1, 1);
  // The energy with the rotation of F^e is an upper bound of the least one, and cheap.
  const s0 = load<f64>(SIGMA) - r0, s1 = load<f64>(SIGMA, S.VECTOR_Y) - r1, s2 = load<f64>(SIGMA, S.VECTOR_Z) - r2;
  if (load<f64>(W) * s0 * s0 + load<f64>(W, S.MATRIX_YY) * s1 * s1 + load<f64>(W, S.MATRIX_ZZ) * s2 * s2 <= before) return true;
  if (energy(r0, r1, r2) <= before) return true;
  let d0 = r0, d1 = r1, d2 = r2;
  for (let n = 0; n < <i32>S.FLOW_GAMMA_DIGITS; n++) { d0 = sqrt(d0); d1 = sqrt(d1); d2 = sqrt(d2); }
  if (energy(d0, d1, d2) > before) return false;
  d0 = 1; d1 = 1; d2 = 1;
  for (let n = 0; n < <i32>S.FLOW_GAMMA_DIGITS; n++) {
    r0 = sqrt(r0); r1 = sqrt(r1); r2 = sqrt(r2);
    const a = d0 * r0, b = d1 * r1, e = d2 * r2;
    if (energy(a, b, e) <= before) { d0 = a; d1 = b; d2 = e; }
  }
  store<f64>(D, d0); store<f64>(D, d1, S.VECTOR_Y); store<f64>(D, d2, S.VECTOR_Z);
  return d0 != 1 || d2 != 1;
}

/** tr Σ²W + tr D²W − 2 max tr Rᵀ Σ W D. */
function energy(d0: f64, d1: f64, d2: f64): f64 {
  const s0 = load<f64>(SIGMA), s1 = load<f64>(SIGMA, S.VECTOR_Y), s2 = load<f64>(SIGMA, S.VECTOR_Z);
  column(0, d0, s0, s1, s2);
  column(S.MATRIX_XY, d1, s0, s1, s2);
  column(S.MATRIX_XZ, d2, s0, s1, s2);
  return load<f64>(W) * (s0 * s0 + d0 * d0) + load<f64>(W, S.MATRIX_YY) * (s1 * s1 + d1 * d1) + load<f64>(W, S.MATRIX_ZZ) * (s2 * s2 + d2 * d2) -
    2 * bestTrace(P);
}

/** A column of Σ W D. */
// @ts-ignore: decorator
@inline function column(o: usize, d: f64, s0: f64, s1: f64, s2: f64): void {
  store<f64>(P + o, s0 * d * load<f64>(W + o));
  store<f64>(P + o, s1 * d * load<f64>(W + o, 8), 8);
  store<f64>(P + o, s2 * d * load<f64>(W + o, S.VECTOR_Z), S.VECTOR_Z);
}

/** TWO := V D M. The factor V returns from the principal axes, so that the matrix is nearly symmetric. */
function stretchRest(): void {
  const d0 = load<f64>(D), d1 = load<f64>(D, S.VECTOR_Y), d2 = load<f64>(D, S.VECTOR_Z);
  for (let j: usize = 0; j < S.MATRIX_WIDTH; j += S.VECTOR_WIDTH) {
    const x = d0 * load<f64>(M + j), y = d1 * load<f64>(M + j, S.VECTOR_Y), z = d2 * load<f64>(M + j, S.VECTOR_Z);
    v128.store(TWO + 2 * j, f64x2.splat(load<f64>(V) * x + load<f64>(V, S.MATRIX_XY) * y + load<f64>(V, S.MATRIX_XZ) * z));
    v128.store(TWO + 2 * j, f64x2.splat(load<f64>(V, S.MATRIX_YX) * x + load<f64>(V, S.MATRIX_YY) * y + load<f64>(V, S.MATRIX_YZ) * z), 16);
    v128.store(TWO + 2 * j, f64x2.splat(load<f64>(V, S.MATRIX_ZX) * x + load<f64>(V, S.MATRIX_ZY) * y + load<f64>(V, S.MATRIX_ZZ) * z), 32);
  }
}

/**
 * F^p := the stretch of the matrix in TWO, for c if `which` has bit 1, for d if it has bit 2. Returns how many were
 * changed. `straight` has the bits of the stretches that straighten found; the others are computed by polar3.
 */
function takeOver(c: u32, d: u32, which: i32, straight: i32): u32 {
  if (which & 1 & ~straight) turnBack(STRETCHES, 16, 0, false);
  if (which & 2 & ~straight) turnBack(STRETCHES + 8, 16, 1, false);
  const xx = v128.load(STRETCHES), yy = v128.load(STRETCHES, 16), zz = v128.load(STRETCHES, 32);
  const xy = v128.load(STRETCHES, 48), xz = v128.load(STRETCHES, 64), yz = v128.load(STRETCHES, 80);
  const one = f64x2.splat(1);
  const off = sub(determinant(xx, yy, zz, xy, xz, yz), one);
  const unit = sub(one, times(1.0 / 3, off));
  const a = mul(xx, unit), b = mul(yy, unit), g = mul(zz, unit), e = mul(xy, unit), f = mul(xz, unit), h = mul(yz, unit);
  const across = times(2, dot3(e, e, f, f, h, h));
  const fine = v128.and(
    f64x2.lt(f64x2.abs(off), f64x2.splat(S.FLOW_VOLUME_ERROR)),
    f64x2.le(add(dot3(a, a, b, b, g, g), across), f64x2.splat(S.FLOW_LARGEST * S.FLOW_LARGEST)),
  );
  const take = which & <i32>i64x2.bitmask(fine);
  const strain = f64x2.sqrt(add(add(add(square(sub(a, one)), square(sub(b, one))), square(sub(g, one))), across));
  if (byLaw) {
    if (take & 1) harden(c, f64x2.extract_lane(lasting, 0));
    if (take & 2) harden(d, f64x2.extract_lane(lasting, 1));
  }
  if (take & 1)
    keepPlastic(c, f64x2.extract_lane(a, 0), f64x2.extract_lane(b, 0), f64x2.extract_lane(g, 0), f64x2.extract_lane(e, 0), f64x2.extract_lane(f, 0), f64x2.extract_lane(h, 0), f64x2.extract_lane(strain, 0));
  if (take & 2)
    keepPlastic(d, f64x2.extract_lane(a, 1), f64x2.extract_lane(b, 1), f64x2.extract_lane(g, 1), f64x2.extract_lane(e, 1), f64x2.extract_lane(f, 1), f64x2.extract_lane(h, 1), f64x2.extract_lane(strain, 1));
  return popcnt(take);
}

/** Adds to the plastic strain of a cluster, with which its yield rises. */
function harden(c: u32, strain: f64): void {
  const at = S.hardened() + (c << S.SHIFT_hardened);
  store<f64>(at, load<f64>(at) + strain);
}

// @ts-ignore: decorator
@inline function keepPlastic(c: u32, xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64, strain: f64): void {
  const plastic = S.plastic() + S.STRIDE_plastic * c;
  store<f64>(plastic, xx); store<f64>(plastic, xy, S.MATRIX_YX); store<f64>(plastic, xz, S.MATRIX_ZX);
  store<f64>(plastic, xy, S.MATRIX_XY); store<f64>(plastic, yy, S.MATRIX_YY); store<f64>(plastic, yz, S.MATRIX_ZY);
  store<f64>(plastic, xz, S.MATRIX_XZ); store<f64>(plastic, yz, S.MATRIX_YZ); store<f64>(plastic, zz, S.MATRIX_ZZ);
  store<f32>(S.plasticStrain() + (c << S.SHIFT_plasticStrain), <f32>strain);
}

/**
 * Stretch of the first or the second matrix of TWO by its polar decomposition, written as six f64 `apart` bytes from
 * each other.
 */
function turnBack(to: usize, apart: usize, which: u32, reflect: bool): void {
  for (let k: usize = 0; k < 9; k++) store<f64>(M + (k << 3), load<f64>(TWO + (k << 4) + (which << 3)));
  polar3(Q, M, reflect);
  leaveTurned(to, apart, Q, M);
}

/**
 * out = F^e = A_xr A_rr⁻¹ F^p⁻¹ of the sums in A; F^p⁻¹ is the cofactors of F^p. Row by row of A_xr, the rest in
 * registers.
 */
export function elastic(out: usize, c: u32): void {
  const plastic = S.plastic() + S.STRIDE_plastic * c;
  const a = load<f64>(plastic), b = load<f64>(plastic, S.MATRIX_YX), d = load<f64>(plastic, S.MATRIX_ZX);
  const e = load<f64>(plastic, S.MATRIX_YY), f = load<f64>(plastic, S.MATRIX_ZY), g = load<f64>(plastic, S.MATRIX_ZZ);
  const xx = e * g - f * f, yy = a * g - d * d, zz = a * e - b * b;
  const xy = d * f - b * g, xz = b * f - d * e, yz = b * d - a * f;
  const q = S.restInverse() + S.STRIDE_restInverse * c;
  for (let row: usize = 0; row < S.VECTOR_WIDTH; row += 8) {
    const x = load<f64>(A + row), y = load<f64>(A + row, S.MATRIX_XY), z = load<f64>(A + row, S.MATRIX_XZ);
    const u = x * load<f64>(q) + y * load<f64>(q, S.MATRIX_YX) + z * load<f64>(q, S.MATRIX_ZX);
    const v = x * load<f64>(q, S.MATRIX_XY) + y * load<f64>(q, S.MATRIX_YY) + z * load<f64>(q, S.MATRIX_ZY);
    const w = x * load<f64>(q, S.MATRIX_XZ) + y * load<f64>(q, S.MATRIX_YZ) + z * load<f64>(q, S.MATRIX_ZZ);
    store<f64>(out + row, u * xx + v * xy + w * xz);
    store<f64>(out + row, u * xy + v * yy + w * yz, S.MATRIX_XY);
    store<f64>(out + row, u * xz + v * yz + w * zz, S.MATRIX_XZ);
  }
}

/** S^e of a cluster whose F^e is at f and its rotation at r. */
export function leaveElastic(c: u32, f: usize, r: usize): void {
  leaveTurned(S.elastic() + S.STRIDE_elastic * c, 8, r, f);
}

/**
 * Up to two clusters whose S^e is still to be computed, interleaved: their A_xr, and rotations that are those of F^e or
 * near them.
 */
const QUEUE: usize = S.AT_FLOW_QUEUE;
let queued: u32 = 0, first: u32 = 0, second: u32 = 0;

/** Queues a cluster for the computation of S^e. r is near the rotation of its F^e. */
export function queueElastic(c: u32, r: usize, reflect: bool): void {
  const to = QUEUE + (queued << 3);
  for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) {
    store<f64>(to + 2 * k, load<f64>(A + k));
    store<f64>(to + 2 * k, load<f64>(r + k), 2 * S.MATRIX_WIDTH);
  }
  if (queued == 0) first = c;
  second = c;
  if (++queued == 2) emptyQueue(reflect);
}

/** Computes S^e of the cluster that is still queued. */
export function finishElastic(reflect: bool): void {
  if (queued == 0) return;
  for (let k: usize = 0; k < 4 * S.MATRIX_WIDTH; k += 16) store<f64>(QUEUE + k, load<f64>(QUEUE + k), 8);
  emptyQueue(reflect);
}

/** M = Rᵀ F^e of both clusters, which is nearly symmetric, and its stretch. F^e as in `elastic`. */
function emptyQueue(reflect: bool): void {
  let p = S.plastic() + S.STRIDE_plastic * first, q = S.plastic() + S.STRIDE_plastic * second;
  const a = pair(p, q), b = pair(p + S.MATRIX_YX, q + S.MATRIX_YX), d = pair(p + S.MATRIX_ZX, q + S.MATRIX_ZX);
  const e = pair(p + S.MATRIX_YY, q + S.MATRIX_YY), f = pair(p + S.MATRIX_ZY, q + S.MATRIX_ZY), g = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
  const xx = cross2(e, g, f, f), yy = cross2(a, g, d, d), zz = cross2(a, e, b, b);
  const xy = cross2(d, f, b, g), xz = cross2(b, f, d, e), yz = cross2(b, d, a, f);
  p = S.restInverse() + S.STRIDE_restInverse * first;
  q = S.restInverse() + S.STRIDE_restInverse * second;
  const q0 = pair(p, q), q1 = pair(p + S.MATRIX_YX, q + S.MATRIX_YX), q2 = pair(p + S.MATRIX_ZX, q + S.MATRIX_ZX);
  const q3 = pair(p + S.MATRIX_XY, q + S.MATRIX_XY), q4 = pair(p + S.MATRIX_YY, q + S.MATRIX_YY), q5 = pair(p + S.MATRIX_ZY, q + S.MATRIX_ZY);
  const q6 = pair(p + S.MATRIX_XZ, q + S.MATRIX_XZ), q7 = pair(p + S.MATRIX_YZ, q + S.MATRIX_YZ), q8 = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
  // Rows of Rᵀ A first, then times A_rr⁻¹ and F^p⁻¹.
  for (let row: usize = 0; row < 3; row++) {
    const r0 = v128.load(QUEUE + 2 * S.VECTOR_WIDTH * row, 2 * S.MATRIX_WIDTH), r1 = v128.load(QUEUE + 2 * S.VECTOR_WIDTH * row, 2 * S.MATRIX_WIDTH + 16), r2 = v128.load(QUEUE + 2 * S.VECTOR_WIDTH * row, 2 * S.MATRIX_WIDTH + 32);
    const x = dot3(r0, v128.load(QUEUE), r1, v128.load(QUEUE, 16), r2, v128.load(QUEUE, 32));
    const y = dot3(r0, v128.load(QUEUE, 48), r1, v128.load(QUEUE, 64), r2, v128.load(QUEUE, 80));
    const z = dot3(r0, v128.load(QUEUE, 96), r1, v128.load(QUEUE, 112), r2, v128.load(QUEUE, 128));
    const u = dot3(x, q0, y, q1, z, q2), v = dot3(x, q3, y, q4, z, q5), w = dot3(x, q6, y, q7, z, q8);
    v128.store(TWO + 16 * row, dot3(u, xx, v, xy, w, xz));
    v128.store(TWO + 16 * row, dot3(u, xy, v, yy, w, yz), 48);
    v128.store(TWO + 16 * row, dot3(u, xz, v, yz, w, zz), 96);
  }
  const straight = straighten(STRETCHES, TWO);
  keepElastic(first, 0, straight, reflect);
  if (second != first) keepElastic(second, 1, straight, reflect);
  queued = 0;
}

function keepElastic(c: u32, which: u32, straight: i32, reflect: bool): void {
  const to = S.elastic() + S.STRIDE_elastic * c;
  if (!(straight & (1 << which))) {
    turnBack(to, 8, which, reflect);
    return;
  }
  const from = STRETCHES + (which << 3);
  for (let k: usize = 0; k < S.SYMMETRIC_WIDTH; k += 8) store<f64>(to + k, load<f64>(from + 2 * k));
}

/** Rᵀ F, which is symmetric up to rounding: six f64 `apart` bytes from each other. */
function leaveTurned(to: usize, apart: usize, r: usize, f: usize): void {
  store<f64>(to, dot(r, f));
  store<f64>(to + apart, dot(r + S.MATRIX_XY, f + S.MATRIX_XY));
  store<f64>(to + 2 * apart, dot(r + S.MATRIX_XZ, f + S.MATRIX_XZ));
  store<f64>(to + 3 * apart, (dot(r, f + S.MATRIX_XY) + dot(r + S.MATRIX_XY, f)) / 2);
  store<f64>(to + 4 * apart, (dot(r, f + S.MATRIX_XZ) + dot(r + S.MATRIX_XZ, f)) / 2);
  store<f64>(to + 5 * apart, (dot(r + S.MATRIX_XY, f + S.MATRIX_XZ) + dot(r + S.MATRIX_XZ, f + S.MATRIX_XY)) / 2);
}

// @ts-ignore: decorator
@inline function dot(a: usize, b: usize): f64 {
  return load<f64>(a) * load<f64>(b) + load<f64>(a, S.VECTOR_Y) * load<f64>(b, S.VECTOR_Y) + load<f64>(a, S.VECTOR_Z) * load<f64>(b, S.VECTOR_Z);
}
