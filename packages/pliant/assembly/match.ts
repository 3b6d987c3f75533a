import * as S from './layout.generated';
import { doubleMotion, doubleSums, fitTwo, keepInertia, keepMotion, keepSums, moveTwo, returnSums } from './fitTwo';
import { elastic, finishElastic, leaveElastic, queueElastic } from './flow';
import { polarOf, svd3 } from './polar';
import { foldBend, soften } from './soften';

/** Scratch (src/kernels/wasm/scratchMap.ts): A, F, R (nine f64 each), centre (three), singular values and U, V of the stretch, R F^p. */
export const A: usize = S.AT_MATCH_A;
export const F: usize = S.AT_MATCH_F;
const R: usize = S.AT_MATCH_R;
export const CENTRE: usize = S.AT_MATCH_CENTRE;
const SIGMA: usize = S.AT_MATCH_SIGMA;
const U: usize = S.AT_MATCH_U;
const V: usize = S.AT_MATCH_V;
const T: usize = S.AT_MATCH_T;

/**
 * Members summed in f32 before the sum is added in f64: the rounding error stays near 1e-7 of the block, not of the
 * cluster.
 */
const BLOCK: u32 = 32;
/**
 * The same for the centre of mass, whose rounding error is an impulse on the body. The stretched cube in one cluster of
 * 1331 particles drifts by 3.6e-5 of its diagonal in 200 steps with blocks of 32, by 3e-6 with blocks of 4.
 */
const GROUP: u32 = 4;

export function matchClusters(start: u32, end: u32, mode: i32): void {
  const memberStart = S.memberStart();
  const transforms = S.transform();
  const reflect = (mode & S.MATCH_REFLECT) != 0, moves = (mode & (S.MATCH_RIGID_MOTION | S.MATCH_INERTIA)) != 0, turns = turnsByFit(mode);
  /** The cluster whose sums wait for those of a second one. */
  let waits: u32 = 0, lane: u32 = 0;
  for (let c = start; c < end; c++) {
    const first = load<u32>(memberStart + (c << S.SHIFT_memberStart));
    const last = load<u32>(memberStart + (c << S.SHIFT_memberStart) + S.STRIDE_memberStart);
    const t = transforms + S.STRIDE_transform * c;
    const refit = S.refit() + (c << S.SHIFT_refit);
    if (mode & S.MATCH_MOVED_ONLY && load<u32>(refit) != S.REFIT_MOVED) {
      store<u32>(refit, S.REFIT_IDLE);
      continue;
    }
    store<u32>(refit, S.REFIT_FITTED);
    const limit = load<f32>(S.limit() + (c << S.SHIFT_limit));
    store<f32>(t, limit * limit, S.TRANSFORM_LIMIT2);
    v128.store(t, xyz(v128.load(S.x() + (load<u32>(S.memberParticle() + (first << S.SHIFT_memberParticle)) << S.SHIFT_x))), S.TRANSFORM_ORIGIN);
    const mass = load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass));
    const shift = S.restShift() + S.STRIDE_restShift * c;
    if (turns) sumWithMotion(lane, c, first, last, mass, shift);
    else if (moves) sumWithInertia(lane, c, first, last, mass, shift);
    else {
      sumMatch(c, first, last, mass, shift);
      if (mode & S.MATCH_LINEAR_MOTION) matchLinear(c, first, last, mass);
    }
    if (mode & S.MATCH_SUMS) leaveSums(c, first);
    keepSums(lane, A, CENTRE);
    if (lane == 0) waits = c;
    else finishTwo(waits, c, mode, moves);
    lane ^= 1;
  }
  if (lane == 1) {
    doubleSums();
    if (moves) doubleMotion();
    finishTwo(waits, waits, mode, moves);
  }
  finishElastic(reflect);
}

/** Of two clusters whose sums are kept. One that is left over is passed twice. */
function finishTwo(c: u32, d: u32, mode: i32, moves: bool): void {
  if (moves) moveTwo(c, d, mode);
  const done = fitTwo(c, d, mode);
  if (!(done & 1)) {
    returnSums(0, A, CENTRE);
    fitOne(c, mode);
  }
  if (c != d && !(done & 2)) {
    returnSums(1, A, CENTRE);
    fitOne(d, mode);
  }
}

/** Writes `transform` of a cluster of any shape, with any goals, from the sums in A and CENTRE. */
function fitOne(c: u32, mode: i32): void {
  const inverse = S.restInverse() + S.STRIDE_restInverse * c;
  const plastic = S.plastic() + S.STRIDE_plastic * c;
  const flowed = (mode & S.MATCH_PLASTIC) != 0, reflect = (mode & S.MATCH_REFLECT) != 0;
  const law = S.elasticity() + S.STRIDE_elasticity * c;
  if (mode & S.MATCH_METRIC) {
    multiply(F, A, law);
    if (flowed) {
      multiply(T, F, plastic);
      copyMatrix(F, T);
    }
    polarOf(R, F, reflect, true);
  } else if (mode & S.MATCH_COVARIANCE) {
    // F^p is symmetric.
    if (flowed) multiply(F, A, plastic);
    polarOf(R, flowed ? F : A, reflect, true);
  } else {
    if (flowed) elastic(F, c);
    else multiply(F, A, inverse);
    polarOf(R, F, reflect, true);
  }
  if (mode & S.MATCH_ELASTIC) {
    // The rotation that fits the particles best is near that of F^e, but not equal to it.
    if (mode & (S.MATCH_COVARIANCE | S.MATCH_METRIC)) queueElastic(c, R, reflect);
    else leaveElastic(c, F, R);
  }
  const soft = (mode & S.MATCH_SOFT) != 0;
  if (soft) {
    if (flowed) elastic(F, c);
    else multiply(F, A, inverse);
    soften(c, R, F, A, flowed);
  }
  let goal = R;
  if (flowed) {
    multiply(T, R, plastic);
    goal = T;
  }
  if (soft && load<f32>(S.softness() + (c << S.SHIFT_softness), S.SOFTNESS_ORDER) == 2) foldBend(c, goal);
  if (mode & S.MATCH_STRESS) foldStress(goal, inverse, law, soft && !flowed);
  if (mode & S.MATCH_STRETCH) {
    multiply(F, A, inverse);
    svd3(U, SIGMA, V, F);
    const sigma = S.sigma() + (c << S.SHIFT_sigma);
    for (let k: u32 = 0; k < 3; k++) store<f32>(sigma + (k << 2), <f32>load<f64>(SIGMA + (k << 3)));
  }
  const t = S.transform() + S.STRIDE_transform * c, shift = S.restShift() + S.STRIDE_restShift * c;
  const px = load<f64>(shift), py = load<f64>(shift, S.VECTOR_Y), pz = load<f64>(shift, S.VECTOR_Z);
  for (let k: u32 = 0; k < 3; k++) {
    const o = k << 3;
    const r0 = load<f64>(goal + o), r1 = load<f64>(goal + o, S.MATRIX_XY), r2 = load<f64>(goal + o, S.MATRIX_XZ);
    const to = t + (k << 2);
    store<f32>(to, <f32>r0, S.TRANSFORM_X);
    store<f32>(to, <f32>r1, S.TRANSFORM_Y);
    store<f32>(to, <f32>r2, S.TRANSFORM_Z);
    store<f32>(to, <f32>(load<f64>(CENTRE + o) - (r0 * px + r1 * py + r2 * pz)), S.TRANSFORM_CENTRE);
  }
}

/** goal := F + (goal − F) S (src/kernels/ts/match.ts). `known`: F is there. */
function foldStress(goal: usize, inverse: usize, law: usize, known: bool): void {
  if (!known) multiply(F, A, inverse);
  for (let k: usize = 0; k < S.MATRIX_ZZ; k += 16) v128.store(U + k, f64x2.sub(v128.load(goal + k), v128.load(F + k)));
  store<f64>(U, load<f64>(goal, S.MATRIX_ZZ) - load<f64>(F, S.MATRIX_ZZ), S.MATRIX_ZZ);
  multiply(V, U, law);
  for (let k: usize = 0; k < S.MATRIX_ZZ; k += 16) v128.store(goal + k, f64x2.add(v128.load(F + k), v128.load(V + k)));
  store<f64>(goal, load<f64>(F, S.MATRIX_ZZ) + load<f64>(V, S.MATRIX_ZZ), S.MATRIX_ZZ);
}

/** A_xr into A, x̄ − origin into CENTRE. */
export function sumMatch(c: u32, first: u32, last: u32, mass: f64, shift: usize): void {
  if (isSlender(c)) sumSlender(first, last, mass, shift);
  else sumMembers(c, first, last, mass, shift, false);
}

/**
 * The same, and v̄ into `motion`, bit for bit as matchLinear computes it. One pass loads members and particles only
 * once.
 */
export function sumMoving(c: u32, first: u32, last: u32, mass: f64, shift: usize): void {
  if (isSlender(c)) {
    sumSlender(first, last, mass, shift);
    matchLinear(c, first, last, mass);
  } else sumMembers(c, first, last, mass, shift, true);
}

/** Whether the inertia of clusters is that of their fits (src/kernels/ts/match.ts). */
// @ts-ignore: decorator
@inline export function turnsByFit(mode: i32): bool {
  return (mode & (S.MATCH_METRIC | S.MATCH_RIGID_MOTION | S.MATCH_INERTIA)) == (S.MATCH_METRIC | S.MATCH_RIGID_MOTION);
}

/** A_xr and CENTRE, and the sums for moveTwo without those of the inertia. One pass loads members and particles only once. */
function sumWithMotion(lane: u32, c: u32, first: u32, last: u32, mass: f64, shift: usize): void {
  sumMotion(lane, c, first, last, mass, shift, false);
}

/** The same with those of the inertia. */
function sumWithInertia(lane: u32, c: u32, first: u32, last: u32, mass: f64, shift: usize): void {
  sumMotion(lane, c, first, last, mass, shift, true);
}

// @ts-ignore: decorator
@inline function sumMotion(lane: u32, c: u32, first: u32, last: u32, mass: f64, shift: usize, inertia: bool): void {
  if (isSlender(c)) {
    sumSlender(first, last, mass, shift);
    matchRigid(lane, first, last);
    return;
  }
  const x = S.x(), v = S.v();
  const index = S.memberParticle();
  const start = load<u32>(index + (first << S.SHIFT_memberParticle)) << S.SHIFT_x;
  const xo = v128.load(x + start), vo = v128.load(v + start);
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), m0 = f64x2.splat(0), m1 = f64x2.splat(0);
  let u0 = f64x2.splat(0), u1 = f64x2.splat(0), l0 = f64x2.splat(0), l1 = f64x2.splat(0);
  let d0 = f64x2.splat(0), d1 = f64x2.splat(0), o0 = f64x2.splat(0), o1 = f64x2.splat(0);
  let q = S.member() + (first << S.SHIFT_member);
  let i = index + (first << S.SHIFT_memberParticle);
  const end = S.member() + (last << S.SHIFT_member);
  while (q < end) {
    const stop = min(q + S.STRIDE_member * BLOCK, end);
    let a = f32x4.splat(0), b = f32x4.splat(0), d = f32x4.splat(0);
    let su = f32x4.splat(0), sl = f32x4.splat(0), sd = f32x4.splat(0), so = f32x4.splat(0);
    while (q < stop) {
      const pause = min(q + S.STRIDE_member * GROUP, stop);
      let m = f32x4.splat(0);
      for (; q < pause; q += S.STRIDE_member, i += S.STRIDE_memberParticle) {
        const at = load<u32>(i) << S.SHIFT_x;
        const p = v128.load(q), mw = v128.shuffle<f32>(p, p, 3, 3, 3, 3);
        const r = f32x4.sub(v128.load(x + at), xo);
        const y = f32x4.mul(r, mw);
        const u = f32x4.sub(v128.load(v + at), vo);
        // The entries xx yy zz, xy yz zx and xz yx zy of y pᵀ; they become columns after the sum.
        a = f32x4.add(a, f32x4.mul(y, p));
        b = f32x4.add(b, f32x4.mul(y, yzx(p)));
        d = f32x4.add(d, f32x4.mul(y, v128.shuffle<f32>(p, p, 2, 0, 1, 3)));
        m = f32x4.add(m, y);
        su = f32x4.add(su, f32x4.mul(u, mw));
        // y × u in the order z x y; the order is corrected after the sum.
        sl = f32x4.add(sl, f32x4.sub(f32x4.mul(y, yzx(u)), f32x4.mul(yzx(y), u)));
        if (inertia) {
          sd = f32x4.add(sd, f32x4.mul(y, r));
          so = f32x4.add(so, f32x4.mul(y, yzx(r)));
        }
      }
      m0 = f64x2.add(m0, low(m));
      m1 = f64x2.add(m1, high(m));
    }
    a0 = f64x2.add(a0, low(a)); a1 = f64x2.add(a1, high(a));
    b0 = f64x2.add(b0, low(b)); b1 = f64x2.add(b1, high(b));
    c0 = f64x2.add(c0, low(d)); c1 = f64x2.add(c1, high(d));
    u0 = f64x2.add(u0, low(su)); u1 = f64x2.add(u1, high(su));
    l0 = f64x2.add(l0, low(sl)); l1 = f64x2.add(l1, high(sl));
    if (inertia) {
      d0 = f64x2.add(d0, low(sd)); d1 = f64x2.add(d1, high(sd));
      o0 = f64x2.add(o0, low(so)); o1 = f64x2.add(o1, high(so));
    }
  }
  leaveMatch(
    mass, shift,
    v128.shuffle<f64>(a0, c0, 0, 3), b1, v128.shuffle<f64>(b0, a0, 0, 3), c1, v128.shuffle<f64>(c0, b0, 0, 3), a1,
    m0, m1,
  );
  keepMotion(lane, xo, vo, m0, m1, u0, u1, l0, l1);
  if (inertia) keepInertia(lane, d0, d1, o0, o1);
}

/** Whether the error of f32 sums of A_xr would be magnified too much in F (SUM.SLENDER in src/kernels/constants.ts). */
// @ts-ignore: decorator
@inline export function isSlender(c: u32): bool {
  const m = S.restMoment() + S.STRIDE_restMoment * c;
  const q = S.restInverse() + S.STRIDE_restInverse * c;
  const moment = load<f64>(m) + load<f64>(m, S.SYMMETRIC_YY) + load<f64>(m, S.SYMMETRIC_ZZ);
  return moment * (load<f64>(q) + load<f64>(q, S.MATRIX_YY) + load<f64>(q, S.MATRIX_ZZ)) > S.SUM_SLENDER;
}

/** As sumMembers, in f64 throughout. */
function sumSlender(first: u32, last: u32, mass: f64, shift: usize): void {
  const x = S.x();
  const index = S.memberParticle();
  const origin = v128.load(x + (load<u32>(index + (first << S.SHIFT_memberParticle)) << S.SHIFT_x));
  const o0 = low(origin), o1 = high(origin);
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), m0 = f64x2.splat(0), m1 = f64x2.splat(0);
  for (let k = first; k < last; k++) {
    const q = S.member() + (k << S.SHIFT_member);
    const at = v128.load(x + (load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_x));
    const mw = f64x2.splat(<f64>load<f32>(q, S.MEMBER_MASS));
    const px = f64x2.splat(<f64>load<f32>(q)), py = f64x2.splat(<f64>load<f32>(q, 4)), pz = f64x2.splat(<f64>load<f32>(q, 8));
    const y0 = f64x2.mul(f64x2.sub(low(at), o0), mw), y1 = f64x2.mul(f64x2.sub(high(at), o1), mw);
    a0 = f64x2.add(a0, f64x2.mul(y0, px)); a1 = f64x2.add(a1, f64x2.mul(y1, px));
    b0 = f64x2.add(b0, f64x2.mul(y0, py)); b1 = f64x2.add(b1, f64x2.mul(y1, py));
    c0 = f64x2.add(c0, f64x2.mul(y0, pz)); c1 = f64x2.add(c1, f64x2.mul(y1, pz));
    m0 = f64x2.add(m0, y0); m1 = f64x2.add(m1, y1);
  }
  leaveMatch(mass, shift, a0, a1, b0, b1, c0, c1, m0, m1);
}

/** One v128 load for the particle, four splats for the member, four multiply-adds. */
// @ts-ignore: decorator
@inline function sumMembers(c: u32, first: u32, last: u32, mass: f64, shift: usize, moving: bool): void {
  const x = S.x(), v = S.v();
  const index = S.memberParticle();
  const origin = v128.load(x + (load<u32>(index + (first << S.SHIFT_memberParticle)) << S.SHIFT_x));
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), m0 = f64x2.splat(0), m1 = f64x2.splat(0);
  let v0 = f64x2.splat(0), v1 = f64x2.splat(0);
  let q = S.member() + (first << S.SHIFT_member);
  let i = index + (first << S.SHIFT_memberParticle);
  const end = S.member() + (last << S.SHIFT_member);
  while (q < end) {
    const stop = min(q + S.STRIDE_member * BLOCK, end);
    let a = f32x4.splat(0), b = f32x4.splat(0), d = f32x4.splat(0);
    let u = f32x4.splat(0), u2 = f32x4.splat(0);
    while (q < stop) {
      const pause = min(q + S.STRIDE_member * GROUP, stop);
      let m = f32x4.splat(0);
      for (; q < pause; q += S.STRIDE_member, i += S.STRIDE_memberParticle) {
        const at = load<u32>(i) << S.SHIFT_x;
        const mw = v128.load32_splat(q, S.MEMBER_MASS);
        const y = f32x4.mul(f32x4.sub(v128.load(x + at), origin), mw);
        a = f32x4.add(a, f32x4.mul(y, v128.load32_splat(q)));
        b = f32x4.add(b, f32x4.mul(y, v128.load32_splat(q, 4)));
        d = f32x4.add(d, f32x4.mul(y, v128.load32_splat(q, 8)));
        m = f32x4.add(m, y);
        if (moving) {
          // Alternating sums, as in matchLinear.
          const next = f32x4.add(u, f32x4.mul(v128.load(v + at), mw));
          u = u2;
          u2 = next;
        }
      }
      m0 = f64x2.add(m0, low(m));
      m1 = f64x2.add(m1, high(m));
    }
    a0 = f64x2.add(a0, low(a)); a1 = f64x2.add(a1, high(a));
    b0 = f64x2.add(b0, low(b)); b1 = f64x2.add(b1, high(b));
    c0 = f64x2.add(c0, low(d)); c1 = f64x2.add(c1, high(d));
    if (moving) {
      u = f32x4.add(u, u2);
      v0 = f64x2.add(v0, low(u)); v1 = f64x2.add(v1, high(u));
    }
  }
  leaveMatch(mass, shift, a0, a1, b0, b1, c0, c1, m0, m1);
  if (moving) leaveMotion(c, mass, v0, v1);
}

/** A and CENTRE from the sums of y pᵀ, by columns, and of y. */
// @ts-ignore: decorator
@inline function leaveMatch(mass: f64, shift: usize, a0: v128, a1: v128, b0: v128, b1: v128, c0: v128, c1: v128, m0: v128, m1: v128): void {
  const sx = f64x2.extract_lane(m0, 0), sy = f64x2.extract_lane(m0, 1), sz = f64x2.extract_lane(m1, 0);
  const px = load<f64>(shift), py = load<f64>(shift, S.VECTOR_Y), pz = load<f64>(shift, S.VECTOR_Z);
  store<f64>(A, f64x2.extract_lane(a0, 0) - sx * px);
  store<f64>(A, f64x2.extract_lane(a0, 1) - sy * px, S.MATRIX_YX);
  store<f64>(A, f64x2.extract_lane(a1, 0) - sz * px, S.MATRIX_ZX);
  store<f64>(A, f64x2.extract_lane(b0, 0) - sx * py, S.MATRIX_XY);
  store<f64>(A, f64x2.extract_lane(b0, 1) - sy * py, S.MATRIX_YY);
  store<f64>(A, f64x2.extract_lane(b1, 0) - sz * py, S.MATRIX_ZY);
  store<f64>(A, f64x2.extract_lane(c0, 0) - sx * pz, S.MATRIX_XZ);
  store<f64>(A, f64x2.extract_lane(c0, 1) - sy * pz, S.MATRIX_YZ);
  store<f64>(A, f64x2.extract_lane(c1, 0) - sz * pz, S.MATRIX_ZZ);
  store<f64>(CENTRE, sx / mass);
  store<f64>(CENTRE, sy / mass, S.VECTOR_Y);
  store<f64>(CENTRE, sz / mass, S.VECTOR_Z);
}

/** v̄ without a rotation. */
// @ts-ignore: decorator
@inline function leaveMotion(c: u32, mass: f64, v0: v128, v1: v128): void {
  const to = S.motion() + (c << S.SHIFT_motion);
  const mean = xyz(narrow(f64x2.div(v0, f64x2.splat(mass)), f64x2.div(v1, f64x2.splat(mass))));
  v128.store(to, mean);
  v128.store(to, f32x4.splat(0), S.MOTION_SPIN);
}

/** Writes only A_xr and the centre of clusters. */
export function sumClusters(start: u32, end: u32): void {
  const memberStart = S.memberStart();
  for (let c = start; c < end; c++) {
    const first = load<u32>(memberStart + (c << S.SHIFT_memberStart));
    sumMatch(c, first, load<u32>(memberStart + (c << S.SHIFT_memberStart) + S.STRIDE_memberStart), load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass)), S.restShift() + S.STRIDE_restShift * c);
    leaveSums(c, first);
  }
}

function leaveSums(c: u32, first: u32): void {
  const to = S.sums() + S.STRIDE_sums * c;
  copyMatrix(to + S.SUMS_A, A);
  const origin = S.x() + (load<u32>(S.memberParticle() + (first << S.SHIFT_memberParticle)) << S.SHIFT_x);
  for (let k: u32 = 0; k < 3; k++) store<f64>(to + (k << 3), load<f64>(CENTRE + (k << 3)) + <f64>load<f32>(origin + (k << 2)), S.SUMS_CENTRE);
}

/** v̄ for damping: 'linear'. */
function matchLinear(c: u32, first: u32, last: u32, mass: f64): void {
  const v = S.v();
  const index = S.memberParticle();
  const member = S.member();
  let s0 = f64x2.splat(0), s1 = f64x2.splat(0);
  let k = first;
  while (k < last) {
    const stop = min(k + BLOCK, last);
    let s = f32x4.splat(0), s2 = f32x4.splat(0);
    // Two independent sums: a single one would wait for its own additions.
    for (; k + 1 < stop; k += 2) {
      const u = v128.load(v + (load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_v)), u2 = v128.load(v + (load<u32>(index + (k << S.SHIFT_memberParticle), S.STRIDE_memberParticle) << S.SHIFT_v));
      s = f32x4.add(s, f32x4.mul(u, v128.load32_splat(member + (k << S.SHIFT_member), S.MEMBER_MASS)));
      s2 = f32x4.add(s2, f32x4.mul(u2, v128.load32_splat(member + (k << S.SHIFT_member), S.STRIDE_member + S.MEMBER_MASS)));
    }
    if (k < stop) {
      s = f32x4.add(s, f32x4.mul(v128.load(v + (load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_v)), v128.load32_splat(member + (k << S.SHIFT_member), S.MEMBER_MASS)));
      k++;
    }
    s = f32x4.add(s, s2);
    s0 = f64x2.add(s0, low(s));
    s1 = f64x2.add(s1, high(s));
  }
  leaveMotion(c, mass, s0, s1);
}

/** The sums for moveTwo, relative to the first member's position and velocity. */
function matchRigid(lane: u32, first: u32, last: u32): void {
  const x = S.x();
  const v = S.v();
  const index = S.memberParticle();
  const member = S.member();
  const start = load<u32>(index + (first << S.SHIFT_memberParticle)) << S.SHIFT_x;
  const xo = v128.load(x + start);
  const vo = v128.load(v + start);
  let r0 = f64x2.splat(0), r1 = f64x2.splat(0), u0 = f64x2.splat(0), u1 = f64x2.splat(0), l0 = f64x2.splat(0), l1 = f64x2.splat(0);
  let d0 = f64x2.splat(0), d1 = f64x2.splat(0), o0 = f64x2.splat(0), o1 = f64x2.splat(0);
  let k = first;
  while (k < last) {
    const stop = min(k + BLOCK, last);
    let sr = f32x4.splat(0), su = f32x4.splat(0), sl = f32x4.splat(0), sd = f32x4.splat(0), so = f32x4.splat(0);
    for (; k < stop; k++) {
      const i = load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_x;
      const mw = v128.load32_splat(member + (k << S.SHIFT_member), S.MEMBER_MASS);
      const r = f32x4.sub(v128.load(x + i), xo);
      const u = f32x4.sub(v128.load(v + i), vo);
      const y = f32x4.mul(r, mw);
      const ry = yzx(r);
      const uy = yzx(u);
      const yy = yzx(y);
      sr = f32x4.add(sr, y);
      su = f32x4.add(su, f32x4.mul(u, mw));
      // y × u in the order z x y; the order is corrected after the sum.
      sl = f32x4.add(sl, f32x4.sub(f32x4.mul(y, uy), f32x4.mul(yy, u)));
      sd = f32x4.add(sd, f32x4.mul(y, r));
      so = f32x4.add(so, f32x4.mul(y, ry));
    }
    r0 = f64x2.add(r0, low(sr)); r1 = f64x2.add(r1, high(sr));
    u0 = f64x2.add(u0, low(su)); u1 = f64x2.add(u1, high(su));
    l0 = f64x2.add(l0, low(sl)); l1 = f64x2.add(l1, high(sl));
    d0 = f64x2.add(d0, low(sd)); d1 = f64x2.add(d1, high(sd));
    o0 = f64x2.add(o0, low(so)); o1 = f64x2.add(o1, high(so));
  }
  keepMotion(lane, xo, vo, r0, r1, u0, u1, l0, l1);
  keepInertia(lane, d0, d1, o0, o1);
}

/** Copies nine f64. The instruction memory.copy is a call out of WASM, which takes longer than these loads and stores. */
// @ts-ignore: decorator
@inline export function copyMatrix(to: usize, from: usize): void {
  const a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48), e = load<f64>(from, S.MATRIX_ZZ);
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
  store<f64>(to, e, S.MATRIX_ZZ);
}

/** out = a b, by columns. */
export function multiply(out: usize, a: usize, b: usize): void {
  const a0 = v128.load(a), a1 = v128.load(a, S.MATRIX_XY), a2 = v128.load(a, S.MATRIX_XZ);
  const z0 = load<f64>(a, S.MATRIX_ZX), z1 = load<f64>(a, S.MATRIX_ZY), z2 = load<f64>(a, S.MATRIX_ZZ);
  for (let o: usize = 0; o < S.MATRIX_WIDTH; o += S.VECTOR_WIDTH) {
    const x = load<f64>(b + o), y = load<f64>(b + o, S.VECTOR_Y), z = load<f64>(b + o, S.VECTOR_Z);
    v128.store(out + o, f64x2.add(f64x2.add(f64x2.mul(a0, f64x2.splat(x)), f64x2.mul(a1, f64x2.splat(y))), f64x2.mul(a2, f64x2.splat(z))));
    store<f64>(out + o, z0 * x + z1 * y + z2 * z, S.VECTOR_Z);
  }
}

// @ts-ignore: decorator
@inline export function xyz(a: v128): v128 { return v128.and(a, i32x4(-1, -1, -1, 0)); }
// @ts-ignore: decorator
@inline export function low(a: v128): v128 { return f64x2.promote_low_f32x4(a); }
// @ts-ignore: decorator
@inline export function high(a: v128): v128 { return f64x2.promote_low_f32x4(v128.shuffle<f64>(a, a, 1, 1)); }
// @ts-ignore: decorator
@inline export function narrow(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 2);
}
// @ts-ignore: decorator
@inline export function yzx(a: v128): v128 { return v128.shuffle<f32>(a, a, 1, 2, 0, 3); }
