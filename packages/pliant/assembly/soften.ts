// Goals that follow the deformation (SPEC M5, M6); src/kernels/ts/soften.ts says why it is done this way, src/state/bend.ts what b is.
import * as S from './layout.generated';
import { towardsGoal } from './integrate';
import { CENTRE, multiply } from './match';
import { svd3 } from './polar';
import { cbrt } from './power';

/** Scratch below the pointer table, behind that of flow.ts: matrices of nine f64, singular values; A_xb and B, 18 f64 each; W (or F^p W) and A times it. */
const G: usize = 29440;
const U: usize = G + 80;
const V: usize = G + 160;
const SIGMA: usize = G + 240;
const X: usize = G + 272;
const B: usize = G + 416;
const B_END: usize = B + 144;
const M: usize = B_END;
const Q: usize = B_END + 80;

const THIN: f64 = 0.1;
const SMALLEST: f64 = 5e-4;
const SAME_VOLUME: f64 = 1e-9;
/** As in match.ts: members summed in f32 before the sum moves to f64. */
const BLOCK: u32 = 32;

/** R := β A + (1 − β) R with A from the F^e in f; `axr` is A_xr, for quadratic goals. */
export function soften(c: u32, r: usize, f: usize, axr: usize, flowed: bool): void {
  const row = S.softness() + (c << 5);
  const beta = <f64>load<f32>(row, S.SOFT_BETA);
  memory.copy(G, f, 72);
  const flat = completeSheet(c, r);
  const kept = standUp(r);
  if (load<f32>(row, S.SOFT_ORDER) == 2) fitBend(c, axr, kept);
  else memory.fill(B, 0, 144);
  const det = determinant(G);
  if (!(det > SMALLEST)) {
    memory.copy(G, r, 72);
    memory.fill(B, 0, 144);
  } else if (!flat && kept > 0) {
    const volume = load<f32>(row, S.SOFT_VOLUME);
    if (volume == 1) nearestVolume(c, flowed, det);
    if (volume == 2) {
      const scale = 1.0 / cbrt(det);
      for (let k: usize = 0; k < 72; k += 8) store<f64>(G + k, load<f64>(G + k) * scale);
      scaleBend(scale);
    }
  }
  limitArea(c, r);
  blend(beta, r);
  scaleBend(beta);
  if (determinant(G) > 0) memory.copy(r, G, 72);
}

/** Across a sheet or a line A takes R: A += R (I − A_rr A_rr⁺). */
function completeSheet(c: u32, r: usize): bool {
  const m = S.restMoment() + 48 * c;
  const xx = load<f64>(m), yy = load<f64>(m, 8), zz = load<f64>(m, 16), xy = load<f64>(m, 24), xz = load<f64>(m, 32), yz = load<f64>(m, 40);
  const q = S.restInverse() + 72 * c;
  for (let o: usize = 0; o < 72; o += 24) {
    const x = load<f64>(q + o), y = load<f64>(q + o, 8), z = load<f64>(q + o, 16);
    store<f64>(U + o, -(xx * x + xy * y + xz * z));
    store<f64>(U + o, -(xy * x + yy * y + yz * z), 8);
    store<f64>(U + o, -(xz * x + yz * y + zz * z), 16);
  }
  for (let o: usize = 0; o < 72; o += 32) store<f64>(U + o, 1.0 + load<f64>(U + o));
  if (!(load<f64>(U) + load<f64>(U, 32) + load<f64>(U, 64) > 0.5)) return false;
  for (let o: usize = 0; o < 72; o += 24) {
    const x = load<f64>(U + o), y = load<f64>(U + o, 8), z = load<f64>(U + o, 16);
    for (let i: usize = 0; i < 24; i += 8) {
      const to = G + o + i, from = r + i;
      store<f64>(to, load<f64>(to) + load<f64>(from) * x + load<f64>(from, 24) * y + load<f64>(from, 48) * z);
    }
  }
  return true;
}

/** A := κ A + (1 − κ) R; returns κ. */
function standUp(r: usize): f64 {
  if (2.0 * determinant(G) >= THIN * squares(G, G + 72)) return 1;
  svd3(U, SIGMA, V, G);
  const thinnest = load<f64>(SIGMA, 16);
  if (thinnest >= THIN) return 1;
  if (!(thinnest > 0)) {
    memory.copy(G, r, 72);
    return 0;
  }
  const kept = thinnest / THIN;
  blend(kept, r);
  return kept;
}

/** A := the nearest of determinant 1, in the metric of the members. */
function nearestVolume(c: u32, flowed: bool, det: f64): void {
  if (abs(det - 1.0) < SAME_VOLUME) return;
  const w = S.restRoot() + 48 * c;
  store<f64>(M, load<f64>(w)); store<f64>(M, load<f64>(w, 24), 8); store<f64>(M, load<f64>(w, 32), 16);
  store<f64>(M, load<f64>(w, 24), 24); store<f64>(M, load<f64>(w, 8), 32); store<f64>(M, load<f64>(w, 40), 40);
  store<f64>(M, load<f64>(w, 32), 48); store<f64>(M, load<f64>(w, 40), 56); store<f64>(M, load<f64>(w, 16), 64);
  if (flowed) {
    multiply(Q, S.plastic() + 72 * c, M);
    memory.copy(M, Q, 72);
  }
  multiply(Q, G, M);
  svd3(U, SIGMA, V, Q);
  spread();
  // Q := U diag(s) Vᵀ.
  for (let j: usize = 0; j < 24; j += 8) {
    const x = load<f64>(SIGMA) * load<f64>(V + j), y = load<f64>(SIGMA, 8) * load<f64>(V + j, 24), z = load<f64>(SIGMA, 16) * load<f64>(V + j, 48);
    for (let i: usize = 0; i < 24; i += 8)
      store<f64>(Q + 3 * j + i, load<f64>(U + i) * x + load<f64>(U + i, 24) * y + load<f64>(U + i, 48) * z);
  }
  invert(V, M);
  multiply(G, Q, V);
}

/** SIGMA: s = (σ + √(σ² + 4u))/2 of product 1. */
function spread(): void {
  const a = load<f64>(SIGMA), b = load<f64>(SIGMA, 8), d = load<f64>(SIGMA, 16);
  let low = -0.225 * d * d, high: f64 = 1, u: f64 = 0;
  for (let round = 0; round < 60; round++) {
    const p = sqrt(a * a + 4.0 * u), q = sqrt(b * b + 4.0 * u), r = sqrt(d * d + 4.0 * u);
    const x = (a + p) / 2.0, y = (b + q) / 2.0, z = (d + r) / 2.0;
    store<f64>(SIGMA, x); store<f64>(SIGMA, y, 8); store<f64>(SIGMA, z, 16);
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
  const a = load<f64>(m), b = load<f64>(m, 8), c = load<f64>(m, 16);
  const d = load<f64>(m, 24), e = load<f64>(m, 32), f = load<f64>(m, 40);
  const g = load<f64>(m, 48), h = load<f64>(m, 56), i = load<f64>(m, 64);
  store<f64>(out, e * i - h * f); store<f64>(out, h * c - b * i, 8); store<f64>(out, b * f - e * c, 16);
  store<f64>(out, g * f - d * i, 24); store<f64>(out, a * i - g * c, 32); store<f64>(out, d * c - a * f, 40);
  store<f64>(out, d * h - g * e, 48); store<f64>(out, g * b - a * h, 56); store<f64>(out, a * e - d * b, 64);
}

/** B = κ A_xb A_bb⁻¹, with A_xb = Σ m w (x − origin) (q − q̄)ᵀ − A_xr Lᵀ: whatever the origin, because Σ m w b = 0. */
function fitBend(c: u32, axr: usize, kept: f64): void {
  sumProducts(c);
  const rest = S.bendRest() + 192 * c, inverse = S.bendInverse() + 288 * c;
  const mass = load<f64>(S.clusterMass() + (c << 3));
  for (let i: usize = 0; i < 24; i += 8) {
    const ax = load<f64>(axr + i), ay = load<f64>(axr + i, 24), az = load<f64>(axr + i, 48);
    const centre = mass * load<f64>(CENTRE + i);
    for (let b: usize = 0; b < 6; b++) {
      const l = rest + (b << 3), to = X + 24 * b + i;
      const along = ax * load<f64>(l, 48) + ay * load<f64>(l, 96) + az * load<f64>(l, 144);
      store<f64>(to, load<f64>(to) - centre * load<f64>(l) - along);
    }
    for (let j: usize = 0; j < 6; j++) {
      let sum: f64 = 0;
      for (let b: usize = 0; b < 6; b++) sum += load<f64>(X + 24 * b + i) * load<f64>(inverse + 48 * j + (b << 3));
      store<f64>(B + 24 * j + i, kept * sum);
    }
  }
}

/** X := Σ m w (x − origin) qᵀ. */
function sumProducts(c: u32): void {
  const x = S.x(), index = S.memberParticle(), axes = S.bendAxes() + 48 * c;
  const first = load<u32>(S.memberStart() + (c << 2)), last = load<u32>(S.memberStart() + (c << 2), 4);
  const origin = v128.load(x + (load<u32>(index + (first << 2)) << 4));
  memory.fill(X, 0, 144);
  let k = first;
  while (k < last) {
    const stop = min(k + BLOCK, last);
    let xx = f32x4.splat(0), yy = f32x4.splat(0), zz = f32x4.splat(0), xy = f32x4.splat(0), yz = f32x4.splat(0), zx = f32x4.splat(0);
    for (; k < stop; k++) {
      const q = S.member() + (k << 4);
      const p = turned(axes, q);
      const px = lane0(p), py = lane1(p), pz = lane2(p);
      const r = f32x4.sub(v128.load(x + (load<u32>(index + (k << 2)) << 4)), origin);
      const y = f32x4.mul(r, v128.load32_splat(q, 12));
      const ax = f32x4.mul(y, px), ay = f32x4.mul(y, py), az = f32x4.mul(y, pz);
      xx = f32x4.add(xx, f32x4.mul(ax, px));
      yy = f32x4.add(yy, f32x4.mul(ay, py));
      zz = f32x4.add(zz, f32x4.mul(az, pz));
      xy = f32x4.add(xy, f32x4.mul(ax, py));
      yz = f32x4.add(yz, f32x4.mul(ay, pz));
      zx = f32x4.add(zx, f32x4.mul(az, px));
    }
    add(X, xx); add(X + 24, yy); add(X + 48, zz); add(X + 72, xy); add(X + 96, yz); add(X + 120, zx);
  }
}

// @ts-ignore: decorator
@inline function add(to: usize, a: v128): void {
  store<f64>(to, load<f64>(to) + <f64>f32x4.extract_lane(a, 0));
  store<f64>(to, load<f64>(to, 8) + <f64>f32x4.extract_lane(a, 1), 8);
  store<f64>(to, load<f64>(to, 16) + <f64>f32x4.extract_lane(a, 2), 16);
}

// @ts-ignore: decorator
@inline function capped(phi: f64, from: f64, most: f64): f64 { return phi <= from ? phi : most - (from / phi) * (most - from); }

function limitArea(c: u32, r: usize): void {
  const row = S.softness() + (c << 5);
  const clamp = load<f32>(row, S.SOFT_CLAMP);
  if (clamp == 0) return;
  const most = <f64>load<f32>(row, S.SOFT_MAX), from = <f64>load<f32>(row, S.SOFT_FROM);
  const width = <f64>load<f32>(S.width() + (c << 2));
  const width2 = width * width;
  if (clamp == 1) {
    for (let i: usize = 0; i < 24; i += 8) {
      const square = rowSquared(G + i, G + 72) + width2 * rowSquared(B + i, B_END);
      const goal = capped(square, from, most);
      if (!(goal < square)) continue;
      const scale = sqrt(goal / square);
      for (let o = G + i; o < G + 72; o += 24) store<f64>(o, load<f64>(o) * scale);
      for (let o = B + i; o < B_END; o += 24) store<f64>(o, load<f64>(o) * scale);
    }
    return;
  }
  const bent = width2 * squares(B, B_END);
  const phi = (squares(G, G + 72) + bent) / 3.0;
  const goal = capped(phi, from, most);
  if (!(goal < phi)) return;
  const gamma = clamp == 2 ? exactShare(r, bent, goal) : goal / phi;
  blend(gamma, r);
  scaleBend(gamma);
}

/** γ of ‖R + γ (A − R)‖² = 3 goal. */
function exactShare(r: usize, bent: f64, goal: f64): f64 {
  let a = bent, b: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) {
    const d = load<f64>(G + k) - load<f64>(r + k);
    a += d * d;
    b += d * load<f64>(r + k);
  }
  const root = sqrt(b * b + 3.0 * a * (goal - 1.0));
  return b > 0 ? (3.0 * (goal - 1.0)) / (b + root) : (root - b) / a;
}

/** T (by columns, with F^p in it) loses B L, the centre B q̄; `bend` takes B. */
export function foldBend(c: u32, t: usize): void {
  const rest = S.bendRest() + 192 * c;
  const to = S.bend() + 96 * c;
  for (let i: usize = 0; i < 24; i += 8) {
    let x = load<f64>(t + i), y = load<f64>(t + i, 24), z = load<f64>(t + i, 48), shift: f64 = 0;
    for (let b: usize = 0; b < 6; b++) {
      const v = load<f64>(B + 24 * b + i), l = rest + (b << 3);
      x -= v * load<f64>(l, 48);
      y -= v * load<f64>(l, 96);
      z -= v * load<f64>(l, 144);
      shift += v * load<f64>(l);
      store<f32>(to + (b << 4) + (i >> 1), <f32>v);
    }
    store<f64>(t + i, x); store<f64>(t + i, y, 24); store<f64>(t + i, z, 48);
    store<f64>(CENTRE + i, load<f64>(CENTRE + i) - shift);
  }
}

/** A := share A + (1 − share) R. */
function blend(share: f64, r: usize): void {
  for (let k: usize = 0; k < 72; k += 8) store<f64>(G + k, share * load<f64>(G + k) + (1.0 - share) * load<f64>(r + k));
}

function scaleBend(by: f64): void {
  for (let o = B; o < B_END; o += 8) store<f64>(o, load<f64>(o) * by);
}

function squares(from: usize, end: usize): f64 {
  let sum: f64 = 0;
  for (let o = from; o < end; o += 8) sum += load<f64>(o) * load<f64>(o);
  return sum;
}

/** Of every third number. */
function rowSquared(from: usize, end: usize): f64 {
  let sum: f64 = 0;
  for (let o = from; o < end; o += 24) sum += load<f64>(o) * load<f64>(o);
  return sum;
}

function determinant(m: usize): f64 {
  const a = load<f64>(m), b = load<f64>(m, 8), c = load<f64>(m, 16);
  const d = load<f64>(m, 24), e = load<f64>(m, 32), f = load<f64>(m, 40);
  const g = load<f64>(m, 48), h = load<f64>(m, 56), i = load<f64>(m, 64);
  return a * (e * i - h * f) - d * (b * i - h * c) + g * (b * f - e * c);
}

/** The offset at q in the axes of A_rr, at `axes`. */
// @ts-ignore: decorator
@inline function turned(axes: usize, q: usize): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(axes), v128.load32_splat(q)), f32x4.mul(v128.load(axes, 16), v128.load32_splat(q, 4))),
    f32x4.mul(v128.load(axes, 32), v128.load32_splat(q, 8)),
  );
}

// @ts-ignore: decorator
@inline function lane0(a: v128): v128 { return v128.shuffle<f32>(a, a, 0, 0, 0, 0); }
// @ts-ignore: decorator
@inline function lane1(a: v128): v128 { return v128.shuffle<f32>(a, a, 1, 1, 1, 1); }
// @ts-ignore: decorator
@inline function lane2(a: v128): v128 { return v128.shuffle<f32>(a, a, 2, 2, 2, 2); }

/** What the products of the offset at q add to the goal of cluster c. */
// @ts-ignore: decorator
@inline export function bendOf(c: u32, q: usize): v128 {
  const b = S.bend() + 96 * c;
  const p = turned(S.bendAxes() + 48 * c, q);
  const px = lane0(p), py = lane1(p), pz = lane2(p);
  // Lane 3 of the columns is 0.
  return f32x4.add(
    f32x4.mul(px, f32x4.add(f32x4.mul(v128.load(b), px), f32x4.mul(v128.load(b, 48), py))),
    f32x4.add(
      f32x4.mul(py, f32x4.add(f32x4.mul(v128.load(b, 16), py), f32x4.mul(v128.load(b, 64), pz))),
      f32x4.mul(pz, f32x4.add(f32x4.mul(v128.load(b, 32), pz), f32x4.mul(v128.load(b, 80), px))),
    ),
  );
}

/** Loops over memberships exist twice, compiled from one text: Plain leaves out what quadratic goals add, without a test in the loop. */
export type Plain = i32;
export type Bent = f32;

/** Goal − x of the membership at q, of cluster c. */
// @ts-ignore: decorator
@inline export function wayToGoal<B>(transform: usize, c: u32, q: usize, xi: v128): v128 {
  const way = towardsGoal(transform + 80 * c, q, xi);
  if (isFloat<B>()) return f32x4.add(way, bendOf(c, q));
  return way;
}
