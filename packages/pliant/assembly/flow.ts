import { bestTrace, eigen3, turning } from './eigen';
import * as S from './layout.generated';
import { A } from './match';
import { polar3, straighten } from './polar';
import { cubeRoot, power } from './power';

/** Scratch below the pointer table, matrices of nine f64: Σ W D, M, Q, V; then Σ and D, three f64 each; W; six f64 of a stretch. */
const P: usize = 28672;
const M: usize = P + 80;
const Q: usize = P + 160;
const V: usize = P + 240;
const SIGMA: usize = P + 320;
const D: usize = P + 344;
const W: usize = P + 368;
const STRETCH: usize = P + 448;

/** Their reasons are in src/kernels/ts/flow.ts. */
const FLAT: f64 = 1e-4;
const LARGEST: f64 = 1e3;
const ABSURD: f64 = 1e9;
const SMALL: f64 = 0.1;
const BOUND: f64 = 1.25;
const DIGITS: i32 = 5;
/** Strain up to which clusters flow without their axes being looked for: no stretch is below 0.7, and E of flowModerately is seldom beyond its bound. */
const MODERATE: f64 = 0.3;
/** Largest ‖E‖ whose powers are summed, and the term (of |E|^k) below which they are no more. */
const SUMMED: f64 = 0.4;
const LAST: f64 = 1e-11;

/** Outcomes of flowModerately. */
const STAYS: i32 = 0;
const FLOWS: i32 = 1;
const UNSURE: i32 = 2;

export function flowClusters(start: u32, end: u32, flowRate: f64, hardening: f64, dissipative: bool): u32 {
  let flowed: u32 = 0;
  for (let c = start; c < end; c++) {
    const from = S.elastic() + 48 * c;
    const xx = load<f64>(from), yy = load<f64>(from, 8), zz = load<f64>(from, 16);
    const xy = load<f64>(from, 24), xz = load<f64>(from, 32), yz = load<f64>(from, 40);
    const strain = sqrt((xx - 1) * (xx - 1) + (yy - 1) * (yy - 1) + (zz - 1) * (zz - 1) + 2 * (xy * xy + xz * xz + yz * yz));
    const hardened = S.hardened() + (c << 3);
    const sum = load<f64>(hardened);
    const yieldAt = max(0.0, <f64>load<f32>(S.clusterYield() + (c << 2)) + hardening * sum);
    if (!(strain < ABSURD)) continue;
    store<f64>(hardened, sum + strain);
    if (strain <= SMALL && BOUND * strain <= yieldAt) continue;
    if (strain <= MODERATE) {
      const outcome = flowModerately(c, yieldAt, flowRate, dissipative, xx, yy, zz, xy, xz, yz);
      if (outcome == STAYS) continue;
      if (outcome == FLOWS) {
        if (takeOver(c)) flowed++;
        continue;
      }
    }
    eigen3(SIGMA, V, xx, yy, zz, xy, xz, yz);
    if (!stretchBeyond(yieldAt, flowRate)) continue;
    turnAxes(S.plastic() + 72 * c);
    if (dissipative && !sparing(c)) continue;
    stretchRest();
    if (takeOver(c)) flowed++;
  }
  return flowed;
}

/**
 * The same flow for moderate strain, in a third of the time: E = F* − I, and (F*)^γ = Σ (γ over k) E^k, a matrix function that needs no axes; by
 * Cayley and Hamilton every power is a sum of I, E and E². The energy before is bounded from below as bestTrace is from above, the one after is
 * at most that with the rotation of F^e: where this does not show that flow may happen, UNSURE. Leaves M = (F*)^γ F^p.
 */
function flowModerately(
  c: u32, yieldAt: f64, flowRate: f64, dissipative: bool, xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64,
): i32 {
  const volume = xx * (yy * zz - yz * yz) - xy * (xy * zz - xz * yz) + xz * (xy * yz - yy * xz);
  // 1/∛volume: its series, then Newton's iteration, neither of which divides by anything.
  const less = 1 - volume;
  let unit = 1 + less * (1.0 / 3 + less * (2.0 / 9 + less * (14.0 / 81)));
  for (let n = 0; n < 8; n++) {
    const off = 1 - volume * unit * unit * unit;
    unit += unit * off / 3;
    if (abs(off) < 1e-8) break;
  }
  const a = unit * xx - 1, b = unit * yy - 1, d = unit * zz - 1;
  const e = unit * xy, f = unit * xz, g = unit * yz;
  const norm = sqrt(a * a + b * b + d * d + 2 * (e * e + f * f + g * g));
  if (!(norm > yieldAt)) return norm <= yieldAt ? STAYS : UNSURE;
  if (!(norm <= SUMMED)) return UNSURE;
  const gamma = min(1.0, (flowRate * (norm - yieldAt)) / norm);

  // E^k = p I + q E + r E², from E³ = trace E² − minors E + det I.
  const trace = a + b + d;
  const minors = a * b - e * e + a * d - f * f + b * d - g * g;
  const det = a * (b * d - g * g) - e * (e * d - f * g) + f * (e * g - b * f);
  let p: f64 = 0, q: f64 = 1, r: f64 = 0;
  let term = gamma, size = abs(gamma) * norm;
  let c0: f64 = 1, c1 = gamma, c2: f64 = 0;
  for (let k: f64 = 1; size > LAST && k < 40; k += 1) {
    const share = (gamma - k) / (k + 1);
    term *= share;
    size *= abs(share) * norm;
    const up = r * det;
    const next = p - r * minors;
    r = q + r * trace;
    q = next;
    p = up;
    c0 += term * p; c1 += term * q; c2 += term * r;
  }
  const Daa = c0 + c1 * a + c2 * (a * a + e * e + f * f);
  const Dbb = c0 + c1 * b + c2 * (e * e + b * b + g * g);
  const Ddd = c0 + c1 * d + c2 * (f * f + g * g + d * d);
  const Dab = c1 * e + c2 * (a * e + e * b + f * g);
  const Dad = c1 * f + c2 * (a * f + e * g + f * d);
  const Dbd = c1 * g + c2 * (e * f + b * g + g * d);

  const plastic = S.plastic() + 72 * c;
  const Paa = load<f64>(plastic), Pab = load<f64>(plastic, 8), Pad = load<f64>(plastic, 16);
  const Pbb = load<f64>(plastic, 32), Pbd = load<f64>(plastic, 40), Pdd = load<f64>(plastic, 64);
  if (dissipative) {
    // W = F^p A_rr F^p.
    const from = S.restMoment() + 48 * c;
    const rxx = load<f64>(from), ryy = load<f64>(from, 8), rzz = load<f64>(from, 16);
    const rxy = load<f64>(from, 24), rxz = load<f64>(from, 32), ryz = load<f64>(from, 40);
    const h0 = rxx * Paa + rxy * Pab + rxz * Pad, h1 = rxy * Paa + ryy * Pab + ryz * Pad, h2 = rxz * Paa + ryz * Pab + rzz * Pad;
    const i0 = rxx * Pab + rxy * Pbb + rxz * Pbd, i1 = rxy * Pab + ryy * Pbb + ryz * Pbd, i2 = rxz * Pab + ryz * Pbb + rzz * Pbd;
    const j0 = rxx * Pad + rxy * Pbd + rxz * Pdd, j1 = rxy * Pad + ryy * Pbd + ryz * Pdd, j2 = rxz * Pad + ryz * Pbd + rzz * Pdd;
    const Waa = Paa * h0 + Pab * h1 + Pad * h2, Wbb = Pab * i0 + Pbb * i1 + Pbd * i2, Wdd = Pad * j0 + Pbd * j1 + Pdd * j2;
    const Wab = Paa * i0 + Pab * i1 + Pad * i2, Wad = Paa * j0 + Pab * j1 + Pad * j2, Wbd = Pab * j0 + Pbb * j1 + Pbd * j2;
    // With the rotation of F^e: tr (S − I) W (S − I). X = (S − I) W, and S W = W + X has its skew part.
    const sa = xx - 1, sb = yy - 1, sd = zz - 1;
    const X00 = sa * Waa + xy * Wab + xz * Wad, X01 = sa * Wab + xy * Wbb + xz * Wbd, X02 = sa * Wad + xy * Wbd + xz * Wdd;
    const X10 = xy * Waa + sb * Wab + yz * Wad, X11 = xy * Wab + sb * Wbb + yz * Wbd, X12 = xy * Wad + sb * Wbd + yz * Wdd;
    const X20 = xz * Waa + yz * Wab + sd * Wad, X21 = xz * Wab + yz * Wbb + sd * Wbd, X22 = xz * Wad + yz * Wbd + sd * Wdd;
    const before = X00 * sa + X11 * sb + X22 * sd + (X01 + X10) * xy + (X02 + X20) * xz + (X12 + X21) * yz;
    const v2 = (X01 - X10) * (X01 - X10) + (X02 - X20) * (X02 - X20) + (X12 - X21) * (X12 - X21);
    const k0 = Waa + X00, k1 = Wbb + X11, k2 = Wdd + X22;
    const square = k0 * k0 + k1 * k1 + k2 * k2 + (Wab + X01) * (Wab + X01) + (Wab + X10) * (Wab + X10) +
      (Wad + X02) * (Wad + X02) + (Wad + X20) * (Wad + X20) + (Wbd + X12) * (Wbd + X12) + (Wbd + X21) * (Wbd + X21);
    const least = turning(k0 + k1 + k2, square, v2);
    if (!(least > 0)) return UNSURE;
    const za = xx - Daa, zb = yy - Dbb, zd = zz - Ddd, ze = xy - Dab, zf = xz - Dad, zg = yz - Dbd;
    const after = Waa * (za * za + ze * ze + zf * zf) + Wbb * (ze * ze + zb * zb + zg * zg) + Wdd * (zf * zf + zg * zg + zd * zd) +
      2 * (Wab * (za * ze + ze * zb + zf * zg) + Wad * (za * zf + ze * zg + zf * zd) + Wbd * (ze * zf + zb * zg + zg * zd));
    if (!(after <= before - v2 / least)) return UNSURE;
  }
  store<f64>(M, Daa * Paa + Dab * Pab + Dad * Pad); store<f64>(M, Dab * Paa + Dbb * Pab + Dbd * Pad, 8);
  store<f64>(M, Dad * Paa + Dbd * Pab + Ddd * Pad, 16);
  store<f64>(M, Daa * Pab + Dab * Pbb + Dad * Pbd, 24); store<f64>(M, Dab * Pab + Dbb * Pbb + Dbd * Pbd, 32);
  store<f64>(M, Dad * Pab + Dbd * Pbb + Ddd * Pbd, 40);
  store<f64>(M, Daa * Pad + Dab * Pbd + Dad * Pdd, 48); store<f64>(M, Dab * Pad + Dbb * Pbd + Dbd * Pdd, 56);
  store<f64>(M, Dad * Pad + Dbd * Pbd + Ddd * Pdd, 64);
  return FLOWS;
}

/** D := (F*)^γ; whether it is beyond the yield. */
function stretchBeyond(yieldAt: f64, flowRate: f64): bool {
  let d0 = load<f64>(SIGMA), d1 = load<f64>(SIGMA, 8), d2 = load<f64>(SIGMA, 16);
  if (!(min(d0, min(d1, d2)) >= FLAT)) return false;
  const unit = 1.0 / cubeRoot(d0 * d1 * d2);
  d0 *= unit; d1 *= unit; d2 *= unit;
  const norm = sqrt((d0 - 1) * (d0 - 1) + (d1 - 1) * (d1 - 1) + (d2 - 1) * (d2 - 1));
  if (!(norm > yieldAt)) return false;
  const gamma = min(1.0, (flowRate * (norm - yieldAt)) / norm);
  if (gamma < 1) {
    d0 = power(d0, gamma);
    d2 = power(d2, gamma);
    d1 = 1 / (d0 * d2);
  }
  store<f64>(D, d0); store<f64>(D, d1, 8); store<f64>(D, d2, 16);
  return true;
}

/** M := Vᵀ F^p. */
function turnAxes(plastic: usize): void {
  for (let j: usize = 0; j < 72; j += 24) {
    store<f64>(M + j, dot(V, plastic + j));
    store<f64>(M + j, dot(V + 24, plastic + j), 8);
    store<f64>(M + j, dot(V + 48, plastic + j), 16);
  }
}

/** Draws D back until the cluster's elastic energy is not more than before; whether anything is left. */
function sparing(c: u32): bool {
  const from = S.restMoment() + 48 * c;
  const xx = load<f64>(from), yy = load<f64>(from, 8), zz = load<f64>(from, 16);
  const xy = load<f64>(from, 24), xz = load<f64>(from, 32), yz = load<f64>(from, 40);
  // W = M A_rr Mᵀ, row by row of M: its entry j of row i is (A_rr · row i) · row j.
  for (let i: usize = 0; i < 24; i += 8) {
    const x = load<f64>(M + i), y = load<f64>(M + i, 24), z = load<f64>(M + i, 48);
    const a = xx * x + xy * y + xz * z, b = xy * x + yy * y + yz * z, e = xz * x + yz * y + zz * z;
    store<f64>(W + i, a * load<f64>(M) + b * load<f64>(M, 24) + e * load<f64>(M, 48));
    store<f64>(W + i, a * load<f64>(M, 8) + b * load<f64>(M, 32) + e * load<f64>(M, 56), 24);
    store<f64>(W + i, a * load<f64>(M, 16) + b * load<f64>(M, 40) + e * load<f64>(M, 64), 48);
  }
  let r0 = load<f64>(D), r1 = load<f64>(D, 8), r2 = load<f64>(D, 16);
  const before = energy(1, 1, 1);
  // What it comes to with the rotation of F^e is more than the least, and cheap.
  const s0 = load<f64>(SIGMA) - r0, s1 = load<f64>(SIGMA, 8) - r1, s2 = load<f64>(SIGMA, 16) - r2;
  if (load<f64>(W) * s0 * s0 + load<f64>(W, 32) * s1 * s1 + load<f64>(W, 64) * s2 * s2 <= before) return true;
  if (energy(r0, r1, r2) <= before) return true;
  let d0 = r0, d1 = r1, d2 = r2;
  for (let n = 0; n < DIGITS; n++) { d0 = sqrt(d0); d1 = sqrt(d1); d2 = sqrt(d2); }
  if (energy(d0, d1, d2) > before) return false;
  d0 = 1; d1 = 1; d2 = 1;
  for (let n = 0; n < DIGITS; n++) {
    r0 = sqrt(r0); r1 = sqrt(r1); r2 = sqrt(r2);
    const a = d0 * r0, b = d1 * r1, e = d2 * r2;
    if (energy(a, b, e) <= before) { d0 = a; d1 = b; d2 = e; }
  }
  store<f64>(D, d0); store<f64>(D, d1, 8); store<f64>(D, d2, 16);
  return d0 != 1 || d2 != 1;
}

/** tr Σ²W + tr D²W − 2 max tr Rᵀ Σ W D. */
function energy(d0: f64, d1: f64, d2: f64): f64 {
  const s0 = load<f64>(SIGMA), s1 = load<f64>(SIGMA, 8), s2 = load<f64>(SIGMA, 16);
  column(0, d0, s0, s1, s2);
  column(24, d1, s0, s1, s2);
  column(48, d2, s0, s1, s2);
  return load<f64>(W) * (s0 * s0 + d0 * d0) + load<f64>(W, 32) * (s1 * s1 + d1 * d1) + load<f64>(W, 64) * (s2 * s2 + d2 * d2) -
    2 * bestTrace(P);
}

/** A column of Σ W D. */
// @ts-ignore: decorator
@inline function column(o: usize, d: f64, s0: f64, s1: f64, s2: f64): void {
  store<f64>(P + o, s0 * d * load<f64>(W + o));
  store<f64>(P + o, s1 * d * load<f64>(W + o, 8), 8);
  store<f64>(P + o, s2 * d * load<f64>(W + o, 16), 16);
}

/** M := V D M, turned back from the axes so that it is nearly symmetric. */
function stretchRest(): void {
  const d0 = load<f64>(D), d1 = load<f64>(D, 8), d2 = load<f64>(D, 16);
  for (let j: usize = 0; j < 72; j += 24) {
    const x = d0 * load<f64>(M + j), y = d1 * load<f64>(M + j, 8), z = d2 * load<f64>(M + j, 16);
    store<f64>(M + j, load<f64>(V) * x + load<f64>(V, 24) * y + load<f64>(V, 48) * z);
    store<f64>(M + j, load<f64>(V, 8) * x + load<f64>(V, 32) * y + load<f64>(V, 56) * z, 8);
    store<f64>(M + j, load<f64>(V, 16) * x + load<f64>(V, 40) * y + load<f64>(V, 64) * z, 16);
  }
}

/** F^p := the stretch of M. */
function takeOver(c: u32): bool {
  if (!straighten(STRETCH, M)) {
    polar3(Q, M, false);
    leaveTurned(STRETCH, Q, M);
  }
  const xx = load<f64>(STRETCH), yy = load<f64>(STRETCH, 8), zz = load<f64>(STRETCH, 16);
  const xy = load<f64>(STRETCH, 24), xz = load<f64>(STRETCH, 32), yz = load<f64>(STRETCH, 40);
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - xz * yz) + xz * (xy * yz - yy * xz);
  if (!(abs(det - 1) < 1e-3)) return false;
  const unit = 1 - (det - 1) / 3;
  const a = xx * unit, b = xy * unit, d = xz * unit, e = yy * unit, f = yz * unit, g = zz * unit;
  const across = 2 * (b * b + d * d + f * f);
  if (!(a * a + e * e + g * g + across <= LARGEST * LARGEST)) return false;
  const plastic = S.plastic() + 72 * c;
  store<f64>(plastic, a); store<f64>(plastic, b, 8); store<f64>(plastic, d, 16);
  store<f64>(plastic, b, 24); store<f64>(plastic, e, 32); store<f64>(plastic, f, 40);
  store<f64>(plastic, d, 48); store<f64>(plastic, f, 56); store<f64>(plastic, g, 64);
  const strain = sqrt((a - 1) * (a - 1) + (e - 1) * (e - 1) + (g - 1) * (g - 1) + across);
  store<f32>(S.plasticStrain() + (c << 2), <f32>strain);
  return true;
}

/** out = F^e = A_xr A_rr⁻¹ F^p⁻¹ of what match has summed; F^p⁻¹ are its cofactors. Row by row of A_xr, all else in registers. */
export function elastic(out: usize, c: u32): void {
  const plastic = S.plastic() + 72 * c;
  const a = load<f64>(plastic), b = load<f64>(plastic, 8), d = load<f64>(plastic, 16);
  const e = load<f64>(plastic, 32), f = load<f64>(plastic, 40), g = load<f64>(plastic, 64);
  const xx = e * g - f * f, yy = a * g - d * d, zz = a * e - b * b;
  const xy = d * f - b * g, xz = b * f - d * e, yz = b * d - a * f;
  const q = S.restInverse() + 72 * c;
  for (let row: usize = 0; row < 24; row += 8) {
    const x = load<f64>(A + row), y = load<f64>(A + row, 24), z = load<f64>(A + row, 48);
    const u = x * load<f64>(q) + y * load<f64>(q, 8) + z * load<f64>(q, 16);
    const v = x * load<f64>(q, 24) + y * load<f64>(q, 32) + z * load<f64>(q, 40);
    const w = x * load<f64>(q, 48) + y * load<f64>(q, 56) + z * load<f64>(q, 64);
    store<f64>(out + row, u * xx + v * xy + w * xz);
    store<f64>(out + row, u * xy + v * yy + w * yz, 24);
    store<f64>(out + row, u * xz + v * yz + w * zz, 48);
  }
}

/** Leaves S^e, the stretch of F^e at f. Its rotation is at r, or one near to it. */
export function leaveElastic(c: u32, f: usize, r: usize, nearly: bool, reflect: bool): void {
  const to = S.elastic() + 48 * c;
  if (nearly) {
    for (let j: usize = 0; j < 72; j += 24) {
      store<f64>(M + j, dot(r, f + j));
      store<f64>(M + j, dot(r + 24, f + j), 8);
      store<f64>(M + j, dot(r + 48, f + j), 16);
    }
    if (straighten(to, M)) return;
    polar3(Q, f, reflect);
    r = Q;
  }
  leaveTurned(to, r, f);
}

/** Rᵀ F, which is symmetric but for rounding. */
function leaveTurned(to: usize, r: usize, f: usize): void {
  store<f64>(to, dot(r, f));
  store<f64>(to, dot(r + 24, f + 24), 8);
  store<f64>(to, dot(r + 48, f + 48), 16);
  store<f64>(to, (dot(r, f + 24) + dot(r + 24, f)) / 2, 24);
  store<f64>(to, (dot(r, f + 48) + dot(r + 48, f)) / 2, 32);
  store<f64>(to, (dot(r + 24, f + 48) + dot(r + 48, f + 24)) / 2, 40);
}

// @ts-ignore: decorator
@inline function dot(a: usize, b: usize): f64 {
  return load<f64>(a) * load<f64>(b) + load<f64>(a, 8) * load<f64>(b, 8) + load<f64>(a, 16) * load<f64>(b, 16);
}
