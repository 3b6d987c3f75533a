// Rotation, goals and motion of two clusters at a time, from their sums. No bit of the one depends on the other: clusters are paired as they come, and threads
// and sweeps pair them differently. src/kernels/ts/match.ts, src/kernels/ts/soften.ts and src/math/polar.ts explain the formulas.
import * as S from './layout.generated';
import { isSlender, turnsByFit } from './match';
import { add, any, cross2, determinant, dot2, dot3, mul, pair, square, sub, times } from './pairs';

/** Scratch (src/kernels/wasm/scratchMap.ts), interleaved: A_xr by columns and x̄ − origin. */
const A: usize = S.AT_FIT_A;
const CENTRE: usize = S.AT_FIT_CENTRE;
/** F of both, which moveTwo leaves to fitTwo. */
const FIT: usize = S.AT_FIT_F;

const SQRT3: f64 = 1.7320508075688772;

/** Modes that `fitTwo` knows nothing of. */
const OTHER: i32 = S.MATCH_PLASTIC | S.MATCH_ELASTIC | S.MATCH_STRETCH;

/** Keeps the sums of a cluster, A_xr at `a` and x̄ − origin at `centre`, as those of one of the two. */
export function keepSums(lane: u32, a: usize, centre: usize): void {
  const to = A + (lane << 3);
  for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) store<f64>(to + 2 * k, load<f64>(a + k));
  for (let k: usize = 0; k < S.VECTOR_WIDTH; k += 8) store<f64>(CENTRE + (lane << 3) + 2 * k, load<f64>(centre + k));
}

/** Gives them back. */
export function returnSums(lane: u32, a: usize, centre: usize): void {
  const from = A + (lane << 3);
  for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) store<f64>(a + k, load<f64>(from + 2 * k));
  for (let k: usize = 0; k < S.VECTOR_WIDTH; k += 8) store<f64>(centre + k, load<f64>(CENTRE + (lane << 3) + 2 * k));
}

/** The sums of the first are those of both. */
export function doubleSums(): void {
  for (let k = A; k < CENTRE + 2 * S.VECTOR_WIDTH; k += 16) v128.store(k, v128.load64_splat(k));
}

/** F = A_xr A_rr⁻¹ of both, into FIT. */
function fitsOf(c: u32, d: u32): void {
  const a0 = v128.load(A), a1 = v128.load(A, 16), a2 = v128.load(A, 32);
  const a3 = v128.load(A, 48), a4 = v128.load(A, 64), a5 = v128.load(A, 80);
  const a6 = v128.load(A, 96), a7 = v128.load(A, 112), a8 = v128.load(A, 128);
  const p = S.restInverse() + S.STRIDE_restInverse * c, q = S.restInverse() + S.STRIDE_restInverse * d;
  for (let k: usize = 0; k < 3; k++) {
    const o = S.VECTOR_WIDTH * k, to = FIT + 48 * k;
    const x = pair(p + o, q + o), y = pair(p + o + S.VECTOR_Y, q + o + S.VECTOR_Y), z = pair(p + o + S.VECTOR_Z, q + o + S.VECTOR_Z);
    v128.store(to, dot3(a0, x, a3, y, a6, z));
    v128.store(to, dot3(a1, x, a4, y, a7, z), 16);
    v128.store(to, dot3(a2, x, a5, y, a8, z), 32);
  }
}

/**
 * Writes `transform` of clusters c and d, all but its ORIGIN and LIMIT2. Returns bits 1 and 2 for those that it wrote: not those that are flat, inverted or crushed,
 * or with other goals than rigid ones and those of the elastic law.
 */
export function fitTwo(c: u32, d: u32, mode: i32): i32 {
  if (mode & OTHER) return 0;
  const one = f64x2.splat(1), zero = f64x2.splat(0);
  const a0 = v128.load(A), a1 = v128.load(A, 16), a2 = v128.load(A, 32);
  const a3 = v128.load(A, 48), a4 = v128.load(A, 64), a5 = v128.load(A, 80);
  const a6 = v128.load(A, 96), a7 = v128.load(A, 112), a8 = v128.load(A, 128);

  // The matrix whose rotation is taken: A_xr, its product with the metric of the law, or F.
  let m0 = a0, m1 = a1, m2 = a2, m3 = a3, m4 = a4, m5 = a5, m6 = a6, m7 = a7, m8 = a8;
  if ((mode & S.MATCH_METRIC) || !(mode & S.MATCH_COVARIANCE)) {
    const law = (mode & S.MATCH_METRIC) != 0;
    const p = law ? S.elasticity() + S.STRIDE_elasticity * c : S.restInverse() + S.STRIDE_restInverse * c;
    const q = law ? S.elasticity() + S.STRIDE_elasticity * d : S.restInverse() + S.STRIDE_restInverse * d;
    let x = pair(p, q), y = pair(p + S.MATRIX_YX, q + S.MATRIX_YX), z = pair(p + S.MATRIX_ZX, q + S.MATRIX_ZX);
    m0 = dot3(a0, x, a3, y, a6, z); m1 = dot3(a1, x, a4, y, a7, z); m2 = dot3(a2, x, a5, y, a8, z);
    x = pair(p + S.MATRIX_XY, q + S.MATRIX_XY); y = pair(p + S.MATRIX_YY, q + S.MATRIX_YY); z = pair(p + S.MATRIX_ZY, q + S.MATRIX_ZY);
    m3 = dot3(a0, x, a3, y, a6, z); m4 = dot3(a1, x, a4, y, a7, z); m5 = dot3(a2, x, a5, y, a8, z);
    x = pair(p + S.MATRIX_XZ, q + S.MATRIX_XZ); y = pair(p + S.MATRIX_YZ, q + S.MATRIX_YZ); z = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
    m6 = dot3(a0, x, a3, y, a6, z); m7 = dot3(a1, x, a4, y, a7, z); m8 = dot3(a2, x, a5, y, a8, z);
  }

  // Its rotation, by Newton's iteration.
  const norm = f64x2.sqrt(add(dot3(m0, m0, m1, m1, m2, m2), add(dot3(m3, m3, m4, m4, m5, m5), dot3(m6, m6, m7, m7, m8, m8))));
  const scale = v128.and(f64x2.div(f64x2.splat(SQRT3), norm), f64x2.gt(norm, f64x2.splat(S.SVD_SMALLEST)));
  let r0 = mul(m0, scale), r1 = mul(m1, scale), r2 = mul(m2, scale), r3 = mul(m3, scale), r4 = mul(m4, scale), r5 = mul(m5, scale);
  let r6 = mul(m6, scale), r7 = mul(m7, scale), r8 = mul(m8, scale);
  const det0 = dot3(r0, cross2(r4, r8, r7, r5), r3, cross2(r7, r2, r1, r8), r6, cross2(r1, r5, r4, r2));
  let regular = f64x2.gt(det0, f64x2.splat(S.POLAR_REGULAR));
  if (mode & S.MATCH_REFLECT) regular = v128.or(regular, f64x2.lt(det0, f64x2.splat(-S.POLAR_REGULAR)));
  if (!any(regular)) return 0;
  let scaled = f64x2.le(f64x2.abs(det0), f64x2.splat(S.POLAR_NEAR));
  let open = regular;
  // The rounds that a matrix near a rotation needs are known before. Its squared singular values have the mean 1 and the product det². The farthest of them, 1 + δ, leaves a product of (1 + δ)(1 − δ/2)² = 1 − ¾ δ² (1 − δ/3) at
  // most. A round takes a singular value s to ½ (s + 1/s), 1 + (s − 1)²/2s, so the first one leaves 1/6 of 1 − det² where δ is small, and 0.36 of it for the δ of −0.635 that NEAR allows. Each later round leaves half the square.
  let left = times(0.36, sub(one, square(det0)));
  const far = scaled, areFar = any(v128.and(far, open));
  for (let round = 0; round < <i32>S.POLAR_MAX_ROUNDS; round++) {
    const c0 = cross2(r4, r8, r7, r5), c1 = cross2(r6, r5, r3, r8), c2 = cross2(r3, r7, r6, r4);
    const c3 = cross2(r7, r2, r1, r8), c4 = cross2(r0, r8, r6, r2), c5 = cross2(r6, r1, r0, r7);
    const c6 = cross2(r1, r5, r4, r2), c7 = cross2(r3, r2, r0, r5), c8 = cross2(r0, r4, r3, r1);
    const det = dot3(r0, c0, r1, c1, r2, c2);
    let s = f64x2.splat(0.5), t = f64x2.div(s, det);
    scaled = v128.and(scaled, open);
    if (any(scaled)) {
      const xx = add(dot3(r0, r0, r1, r1, r2, r2), add(dot3(r3, r3, r4, r4, r5, r5), dot3(r6, r6, r7, r7, r8, r8)));
      const yy = add(dot3(c0, c0, c1, c1, c2, c2), add(dot3(c3, c3, c4, c4, c5, c5), dot3(c6, c6, c7, c7, c8, c8)));
      const gamma = v128.bitselect(f64x2.sqrt(f64x2.div(f64x2.sqrt(f64x2.div(yy, xx)), f64x2.abs(det))), one, scaled);
      s = mul(s, gamma);
      t = f64x2.div(t, gamma);
    }
    // A lane that has converged is multiplied by 1 from here on.
    s = v128.bitselect(s, one, open);
    t = v128.and(t, open);
    if (!areFar) {
      r0 = dot2(s, r0, t, c0); r1 = dot2(s, r1, t, c1); r2 = dot2(s, r2, t, c2);
      r3 = dot2(s, r3, t, c3); r4 = dot2(s, r4, t, c4); r5 = dot2(s, r5, t, c5);
      r6 = dot2(s, r6, t, c6); r7 = dot2(s, r7, t, c7); r8 = dot2(s, r8, t, c8);
      open = v128.and(open, f64x2.gt(left, f64x2.splat(S.POLAR_LEFT)));
    } else {
      let z = dot2(s, r0, t, c0), change = square(sub(z, r0)); r0 = z;
      z = dot2(s, r1, t, c1); change = add(change, square(sub(z, r1))); r1 = z;
      z = dot2(s, r2, t, c2); change = add(change, square(sub(z, r2))); r2 = z;
      z = dot2(s, r3, t, c3); change = add(change, square(sub(z, r3))); r3 = z;
      z = dot2(s, r4, t, c4); change = add(change, square(sub(z, r4))); r4 = z;
      z = dot2(s, r5, t, c5); change = add(change, square(sub(z, r5))); r5 = z;
      z = dot2(s, r6, t, c6); change = add(change, square(sub(z, r6))); r6 = z;
      z = dot2(s, r7, t, c7); change = add(change, square(sub(z, r7))); r7 = z;
      z = dot2(s, r8, t, c8); change = add(change, square(sub(z, r8))); r8 = z;
      scaled = v128.and(far, f64x2.gt(change, f64x2.splat(S.POLAR_SCALED)));
      const ends = v128.bitselect(f64x2.lt(change, f64x2.splat(S.POLAR_CONVERGED)), f64x2.le(left, f64x2.splat(S.POLAR_LEFT)), far);
      open = v128.andnot(open, ends);
    }
    if (!any(open)) break;
    left = times(0.5, square(left));
  }
  let done = regular;

  let g0 = r0, g1 = r1, g2 = r2, g3 = r3, g4 = r4, g5 = r5, g6 = r6, g7 = r7, g8 = r8;
  if (mode & (S.MATCH_SOFT | S.MATCH_STRESS)) {
    // F = A_xr A_rr⁻¹.
    if (!turnsByFit(mode)) fitsOf(c, d);
    const f0 = v128.load(FIT), f1 = v128.load(FIT, 16), f2 = v128.load(FIT, 32);
    const f3 = v128.load(FIT, 48), f4 = v128.load(FIT, 64), f5 = v128.load(FIT, 80);
    const f6 = v128.load(FIT, 96), f7 = v128.load(FIT, 112), f8 = v128.load(FIT, 128);
    let p: usize, q: usize;
    if (mode & S.MATCH_SOFT) {
      const beta = betas(c, d);
      const holds = f64x2.gt(beta, zero);
      // NaN where the cluster has other goals.
      done = v128.and(done, v128.or(holds, f64x2.eq(beta, zero)));
      if (any(v128.and(done, holds))) {
        const det = dot3(f0, cross2(f4, f8, f7, f5), f3, cross2(f7, f2, f1, f8), f6, cross2(f1, f5, f4, f2));
        const off = sub(det, one), size = f64x2.abs(off);
        // The nearest matrix of determinant 1, in the metric of the members.
        p = S.restRoot() + S.STRIDE_restRoot * c;
        q = S.restRoot() + S.STRIDE_restRoot * d;
        const xx = pair(p, q), yy = pair(p + S.SYMMETRIC_YY, q + S.SYMMETRIC_YY), zz = pair(p + S.SYMMETRIC_ZZ, q + S.SYMMETRIC_ZZ);
        const xy = pair(p + S.SYMMETRIC_XY, q + S.SYMMETRIC_XY), xz = pair(p + S.SYMMETRIC_XZ, q + S.SYMMETRIC_XZ), yz = pair(p + S.SYMMETRIC_YZ, q + S.SYMMETRIC_YZ);
        const q0 = dot3(f0, xx, f3, xy, f6, xz), q1 = dot3(f1, xx, f4, xy, f7, xz), q2 = dot3(f2, xx, f5, xy, f8, xz);
        const q3 = dot3(f0, xy, f3, yy, f6, yz), q4 = dot3(f1, xy, f4, yy, f7, yz), q5 = dot3(f2, xy, f5, yy, f8, yz);
        const q6 = dot3(f0, xz, f3, yz, f6, zz), q7 = dot3(f1, xz, f4, yz, f7, zz), q8 = dot3(f2, xz, f5, yz, f8, zz);
        const u0 = cross2(q4, q8, q7, q5), u1 = cross2(q6, q5, q3, q8), u2 = cross2(q3, q7, q6, q4);
        const u3 = cross2(q7, q2, q1, q8), u4 = cross2(q0, q8, q6, q2), u5 = cross2(q6, q1, q0, q7);
        const u6 = cross2(q1, q5, q4, q2), u7 = cross2(q3, q2, q0, q5), u8 = cross2(q0, q4, q3, q1);
        let n0 = q0, n1 = q1, n2 = q2, n3 = q3, n4 = q4, n5 = q5, n6 = q6, n7 = q7, n8 = q8;
        const same = f64x2.lt(size, f64x2.splat(S.SOFTEN_SAME_VOLUME));
        open = v128.and(v128.andnot(v128.and(done, holds), same), f64x2.lt(size, f64x2.splat(S.SOFTEN_NEAR_VOLUME)));
        /** Those whose A is F or R, or is found. */
        let found = v128.or(same, v128.not(holds));
        let u = zero, volume = det;
        for (let round = 0; round < <i32>S.SOFTEN_COFACTOR_ROUNDS && any(open); round++) {
          const w0 = cross2(n4, n8, n7, n5), w1 = cross2(n6, n5, n3, n8), w2 = cross2(n3, n7, n6, n4);
          const w3 = cross2(n7, n2, n1, n8), w4 = cross2(n0, n8, n6, n2), w5 = cross2(n6, n1, n0, n7);
          const w6 = cross2(n1, n5, n4, n2), w7 = cross2(n3, n2, n0, n5), w8 = cross2(n0, n4, n3, n1);
          const linear = add(dot3(u0, w0, u1, w1, u2, w2), add(dot3(u3, w3, u4, w4, u5, w5), dot3(u6, w6, u7, w7, u8, w8)));
          const quadratic = mul(volume, add(dot3(q0, n0, q1, n1, q2, n2), add(dot3(q3, n3, q4, n4, q5, n5), dot3(q6, n6, q7, n7, q8, n8))));
          const cubic = mul(volume, volume);
          for (let n = round == 0 ? 0 : 2; n < 3; n++)
            u = sub(u, f64x2.div(add(off, mul(u, add(linear, mul(u, add(quadratic, mul(u, cubic)))))), add(linear, mul(u, add(times(2, quadratic), times(3, mul(u, cubic)))))));
          let z0 = add(q0, mul(u, w0)), z1 = add(q1, mul(u, w1)), z2 = add(q2, mul(u, w2)), z3 = add(q3, mul(u, w3)), z4 = add(q4, mul(u, w4));
          let z5 = add(q5, mul(u, w5)), z6 = add(q6, mul(u, w6)), z7 = add(q7, mul(u, w7)), z8 = add(q8, mul(u, w8));
          const change = add(
            add(add(square(sub(z0, n0)), square(sub(z1, n1))), add(square(sub(z2, n2)), square(sub(z3, n3)))),
            add(add(add(square(sub(z4, n4)), square(sub(z5, n5))), add(square(sub(z6, n6)), square(sub(z7, n7)))), square(sub(z8, n8))),
          );
          // Beside a change of its volume a matrix near a rotation loses its cofactors' change: each round leaves −u of what the one before left. So a small change of the last round is taken ahead by u/(1 + u).
          const ahead = v128.and(v128.and(open, f64x2.lt(mul(change, square(u)), f64x2.splat(S.SOFTEN_AHEAD))), round > 0 ? i64x2.splat(-1) : zero);
          if (any(ahead)) {
            const e = v128.and(f64x2.div(u, add(one, u)), ahead);
            z0 = add(z0, mul(e, sub(n0, z0))); z1 = add(z1, mul(e, sub(n1, z1))); z2 = add(z2, mul(e, sub(n2, z2)));
            z3 = add(z3, mul(e, sub(n3, z3))); z4 = add(z4, mul(e, sub(n4, z4))); z5 = add(z5, mul(e, sub(n5, z5)));
            z6 = add(z6, mul(e, sub(n6, z6))); z7 = add(z7, mul(e, sub(n7, z7))); z8 = add(z8, mul(e, sub(n8, z8)));
          }
          if (i64x2.all_true(open)) {
            n0 = z0; n1 = z1; n2 = z2; n3 = z3; n4 = z4; n5 = z5; n6 = z6; n7 = z7; n8 = z8;
          } else {
            n0 = v128.bitselect(z0, n0, open); n1 = v128.bitselect(z1, n1, open); n2 = v128.bitselect(z2, n2, open);
            n3 = v128.bitselect(z3, n3, open); n4 = v128.bitselect(z4, n4, open); n5 = v128.bitselect(z5, n5, open);
            n6 = v128.bitselect(z6, n6, open); n7 = v128.bitselect(z7, n7, open); n8 = v128.bitselect(z8, n8, open);
          }
          volume = one;
          const now = v128.or(ahead, v128.and(open, f64x2.lt(change, f64x2.splat(S.SOFTEN_FOUND))));
          found = v128.or(found, now);
          open = v128.andnot(open, now);
        }
        done = v128.and(done, found);
        // Back from the metric: the inverse of a matrix of determinant 1 is its cofactors.
        const ixx = cross2(yy, zz, yz, yz), iyy = cross2(xx, zz, xz, xz), izz = cross2(xx, yy, xy, xy);
        const ixy = cross2(xz, yz, xy, zz), ixz = cross2(xy, yz, yy, xz), iyz = cross2(xy, xz, xx, yz);
        const rest = sub(one, beta);
        const asIs = v128.or(same, v128.not(holds));
        g0 = dot2(beta, v128.bitselect(f0, dot3(n0, ixx, n3, ixy, n6, ixz), asIs), rest, r0);
        g1 = dot2(beta, v128.bitselect(f1, dot3(n1, ixx, n4, ixy, n7, ixz), asIs), rest, r1);
        g2 = dot2(beta, v128.bitselect(f2, dot3(n2, ixx, n5, ixy, n8, ixz), asIs), rest, r2);
        g3 = dot2(beta, v128.bitselect(f3, dot3(n0, ixy, n3, iyy, n6, iyz), asIs), rest, r3);
        g4 = dot2(beta, v128.bitselect(f4, dot3(n1, ixy, n4, iyy, n7, iyz), asIs), rest, r4);
        g5 = dot2(beta, v128.bitselect(f5, dot3(n2, ixy, n5, iyy, n8, iyz), asIs), rest, r5);
        g6 = dot2(beta, v128.bitselect(f6, dot3(n0, ixz, n3, iyz, n6, izz), asIs), rest, r6);
        g7 = dot2(beta, v128.bitselect(f7, dot3(n1, ixz, n4, iyz, n7, izz), asIs), rest, r7);
        g8 = dot2(beta, v128.bitselect(f8, dot3(n2, ixz, n5, iyz, n8, izz), asIs), rest, r8);
        const upright = f64x2.gt(dot3(g0, cross2(g4, g8, g7, g5), g3, cross2(g7, g2, g1, g8), g6, cross2(g1, g5, g4, g2)), zero);
        const takes = v128.and(holds, upright);
        g0 = v128.bitselect(g0, r0, takes); g1 = v128.bitselect(g1, r1, takes); g2 = v128.bitselect(g2, r2, takes);
        g3 = v128.bitselect(g3, r3, takes); g4 = v128.bitselect(g4, r4, takes); g5 = v128.bitselect(g5, r5, takes);
        g6 = v128.bitselect(g6, r6, takes); g7 = v128.bitselect(g7, r7, takes); g8 = v128.bitselect(g8, r8, takes);
      }
    }
    if (mode & S.MATCH_STRESS) {
      // F + (goal − F) S. S is symmetric.
      p = S.elasticity() + S.STRIDE_elasticity * c;
      q = S.elasticity() + S.STRIDE_elasticity * d;
      const xx = pair(p, q), xy = pair(p + S.MATRIX_XY, q + S.MATRIX_XY), xz = pair(p + S.MATRIX_XZ, q + S.MATRIX_XZ);
      const yy = pair(p + S.MATRIX_YY, q + S.MATRIX_YY), yz = pair(p + S.MATRIX_YZ, q + S.MATRIX_YZ), zz = pair(p + S.MATRIX_ZZ, q + S.MATRIX_ZZ);
      const d0 = sub(g0, f0), d1 = sub(g1, f1), d2 = sub(g2, f2), d3 = sub(g3, f3), d4 = sub(g4, f4), d5 = sub(g5, f5), d6 = sub(g6, f6), d7 = sub(g7, f7), d8 = sub(g8, f8);
      g0 = add(f0, dot3(d0, xx, d3, xy, d6, xz)); g1 = add(f1, dot3(d1, xx, d4, xy, d7, xz)); g2 = add(f2, dot3(d2, xx, d5, xy, d8, xz));
      g3 = add(f3, dot3(d0, xy, d3, yy, d6, yz)); g4 = add(f4, dot3(d1, xy, d4, yy, d7, yz)); g5 = add(f5, dot3(d2, xy, d5, yy, d8, yz));
      g6 = add(f6, dot3(d0, xz, d3, yz, d6, zz)); g7 = add(f7, dot3(d1, xz, d4, yz, d7, zz)); g8 = add(f8, dot3(d2, xz, d5, yz, d8, zz));
    }
  }

  const p = S.restShift() + S.STRIDE_restShift * c, q = S.restShift() + S.STRIDE_restShift * d;
  const px = pair(p, q), py = pair(p + S.VECTOR_Y, q + S.VECTOR_Y), pz = pair(p + S.VECTOR_Z, q + S.VECTOR_Z);
  const cx = sub(v128.load(CENTRE), dot3(g0, px, g3, py, g6, pz));
  const cy = sub(v128.load(CENTRE, 16), dot3(g1, px, g4, py, g7, pz));
  const cz = sub(v128.load(CENTRE, 32), dot3(g2, px, g5, py, g8, pz));
  const t = S.transform() + S.STRIDE_transform * c, other = S.transform() + S.STRIDE_transform * d;
  leave(t + S.TRANSFORM_X, other + S.TRANSFORM_X, g0, g1, g2);
  leave(t + S.TRANSFORM_Y, other + S.TRANSFORM_Y, g3, g4, g5);
  leave(t + S.TRANSFORM_Z, other + S.TRANSFORM_Z, g6, g7, g8);
  leave(t + S.TRANSFORM_CENTRE, other + S.TRANSFORM_CENTRE, cx, cy, cz);
  return i64x2.bitmask(done);
}

/** β of two clusters with the goals of the elastic law; NaN for one that has others. It is 0 for sheets and lines, whose goals are their rotations (src/state/elasticity.ts). */
// @ts-ignore: decorator
@inline function betas(c: u32, d: u32): v128 {
  return f64x2(betaOf(S.softness() + (c << S.SHIFT_softness)), betaOf(S.softness() + (d << S.SHIFT_softness)));
}

// @ts-ignore: decorator
@inline function betaOf(row: usize): f64 {
  const known = load<f32>(row, S.SOFTNESS_ORDER) == 1 && load<f32>(row, S.SOFTNESS_LAW) == 1 && load<f32>(row, S.SOFTNESS_VOLUME) == 1 && load<f32>(row, S.SOFTNESS_CLAMP) == 0;
  return known ? <f64>load<f32>(row, S.SOFTNESS_BETA) : NaN;
}

/** Writes x y z as f32, for each of the two. −0 becomes 0: how often something that converged was multiplied by 1 depends on the other cluster. */
// @ts-ignore: decorator
@inline function leave(p: usize, q: usize, x: v128, y: v128, z: v128): void {
  const zero = f64x2.splat(0);
  const a = f32x4.demote_f64x2_zero(add(x, zero)), b = f32x4.demote_f64x2_zero(add(y, zero)), c = f32x4.demote_f64x2_zero(add(z, zero));
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  v128.store64_lane(p, ab, 0);
  v128.store32_lane(p, c, 0, 8);
  v128.store64_lane(q, ab, 1);
  v128.store32_lane(q, c, 1, 8);
}

/** Scratch (src/kernels/wasm/scratchMap.ts): sums of each of the two clusters about its first member, as keepMotion has them, and that member's place and velocity. */
const MOTION: usize = S.AT_FIT_MOTION;
const MOTION_ROW: usize = S.BYTES_FIT_MOTION >> 1;

/** Keeps the sums Σ y, Σ m w u and Σ y × u (z x y) about the first member, which is at xo with the velocity vo, as those of one of the two. */
// @ts-ignore: decorator
@inline export function keepMotion(lane: u32, xo: v128, vo: v128, r0: v128, r1: v128, u0: v128, u1: v128, l0: v128, l1: v128): void {
  const to = MOTION + MOTION_ROW * lane;
  v128.store(to, r0); v128.store(to, r1, 16);
  v128.store(to, u0, 32); v128.store(to, u1, 48);
  v128.store(to, l0, 64); v128.store(to, l1, 80);
  v128.store(to, xo, 160); v128.store(to, vo, 176);
}

/** The same of Σ y r and Σ y yzx(r). */
// @ts-ignore: decorator
@inline export function keepInertia(lane: u32, d0: v128, d1: v128, o0: v128, o1: v128): void {
  const to = MOTION + MOTION_ROW * lane;
  v128.store(to, d0, 96); v128.store(to, d1, 112);
  v128.store(to, o0, 128); v128.store(to, o1, 144);
}

/** The same of cluster c, summed in f64. */
function sumInertia(lane: u32, c: u32): void {
  const at = MOTION + MOTION_ROW * lane + 160;
  const ox = <f64>load<f32>(at), oy = <f64>load<f32>(at, 4), oz = <f64>load<f32>(at, 8);
  let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, yz: f64 = 0, zx: f64 = 0;
  const memberStart = S.memberStart() + (c << S.SHIFT_memberStart);
  const last = load<u32>(memberStart, S.STRIDE_memberStart);
  for (let k = load<u32>(memberStart); k < last; k++) {
    const p = S.x() + (load<u32>(S.memberParticle() + (k << S.SHIFT_memberParticle)) << S.SHIFT_x);
    const m = <f64>load<f32>(S.member() + (k << S.SHIFT_member), S.MEMBER_MASS);
    const x = <f64>load<f32>(p) - ox, y = <f64>load<f32>(p, 4) - oy, z = <f64>load<f32>(p, 8) - oz;
    xx += m * x * x; yy += m * y * y; zz += m * z * z;
    xy += m * x * y; yz += m * y * z; zx += m * z * x;
  }
  keepInertia(lane, f64x2(xx, yy), f64x2(zz, 0), f64x2(xy, yz), f64x2(zx, 0));
}

export function doubleMotion(): void {
  for (let k = MOTION; k < MOTION + MOTION_ROW; k += 16) v128.store(k + MOTION_ROW, v128.load(k));
}

/** The f64 at an offset in the sums of both. */
// @ts-ignore: decorator
@inline function sumOf(at: usize): v128 { return pair(MOTION + at, MOTION + MOTION_ROW + at); }
/** The f32. */
// @ts-ignore: decorator
@inline function floatOf(at: usize): v128 { return f64x2(<f64>load<f32>(MOTION + at), <f64>load<f32>(MOTION + MOTION_ROW + at)); }

/** Writes v̄ and ω of clusters c and d, their inertia and their centres; with an elastic law also what sumMotions reads. */
export function moveTwo(c: u32, d: u32, mode: i32): void {
  const mass = pair(S.clusterMass() + (c << S.SHIFT_clusterMass), S.clusterMass() + (d << S.SHIFT_clusterMass));
  const perMass = f64x2.div(f64x2.splat(1), mass);
  // Means relative to the origin of the sums, then everything moved to the centre of mass (parallel axes).
  const ax = mul(sumOf(0), perMass), ay = mul(sumOf(8), perMass), az = mul(sumOf(16), perMass);
  const bx = mul(sumOf(32), perMass), by = mul(sumOf(40), perMass), bz = mul(sumOf(48), perMass);
  const lz = sub(sumOf(64), mul(mass, cross2(ax, by, ay, bx)));
  const lx = sub(sumOf(72), mul(mass, cross2(ay, bz, az, by)));
  const ly = sub(sumOf(80), mul(mass, cross2(az, bx, ax, bz)));
  const mx = mul(mass, ax), my = mul(mass, ay), mz = mul(mass, az);
  // Second moments, and products of inertia: those of the fit, or of the members.
  const byFit = turnsByFit(mode);
  let cxx: v128 = f64x2.splat(0), cyy: v128 = f64x2.splat(0), czz: v128 = f64x2.splat(0), xy: v128 = f64x2.splat(0), yz: v128 = f64x2.splat(0), xz: v128 = f64x2.splat(0);
  let isThin: v128 = i64x2.splat(-1);
  if (byFit) {
    fitsOf(c, d);
    const a0 = v128.load(A), a1 = v128.load(A, 16), a2 = v128.load(A, 32);
    const a3 = v128.load(A, 48), a4 = v128.load(A, 64), a5 = v128.load(A, 80);
    const a6 = v128.load(A, 96), a7 = v128.load(A, 112), a8 = v128.load(A, 128);
    const f0 = v128.load(FIT), f1 = v128.load(FIT, 16), f2 = v128.load(FIT, 32);
    const f3 = v128.load(FIT, 48), f4 = v128.load(FIT, 64), f5 = v128.load(FIT, 80);
    const f6 = v128.load(FIT, 96), f7 = v128.load(FIT, 112), f8 = v128.load(FIT, 128);
    cxx = dot3(f0, a0, f3, a3, f6, a6); cyy = dot3(f1, a1, f4, a4, f7, a7); czz = dot3(f2, a2, f5, a5, f8, a8);
    xy = f64x2.neg(dot3(f0, a1, f3, a4, f6, a7)); xz = f64x2.neg(dot3(f0, a2, f3, a5, f6, a8)); yz = f64x2.neg(dot3(f1, a2, f4, a5, f7, a8));
    let p = S.restMoment() + S.STRIDE_restMoment * c, q = S.restMoment() + S.STRIDE_restMoment * d;
    const rest = times(2, add(add(pair(p, q), pair(p + S.SYMMETRIC_YY, q + S.SYMMETRIC_YY)), pair(p + S.SYMMETRIC_ZZ, q + S.SYMMETRIC_ZZ)));
    const det = determinant(add(cyy, czz), add(cxx, czz), add(cxx, cyy), xy, xz, yz);
    // NaN counts as thin.
    isThin = v128.not(f64x2.gt(det, times(S.INERTIA_THIN, mul(mul(rest, rest), rest))));
    p = S.deformation() + S.STRIDE_deformation * c;
    q = S.deformation() + S.STRIDE_deformation * d;
    leaveRow(p, q, f0, f1, f2);
    leaveRow(p + S.DEFORMATION_Y, q + S.DEFORMATION_Y, f3, f4, f5);
    leaveRow(p + S.DEFORMATION_Z, q + S.DEFORMATION_Z, f6, f7, f8);
    if (any(isThin)) {
      const thin = i64x2.bitmask(isThin);
      if (thin & 1) {
        if (!isSlender(c)) sumInertia(0, c);
        store<f32>(p, 1, S.DEFORMATION_THIN);
      }
      if (thin & 2) {
        if (!isSlender(d)) sumInertia(1, d);
        store<f32>(q, 1, S.DEFORMATION_THIN);
      }
    }
  }
  if (any(isThin)) {
    cxx = v128.bitselect(sub(sumOf(96), mul(mx, ax)), cxx, isThin);
    cyy = v128.bitselect(sub(sumOf(104), mul(my, ay)), cyy, isThin);
    czz = v128.bitselect(sub(sumOf(112), mul(mz, az)), czz, isThin);
    xy = v128.bitselect(sub(mul(mx, ay), sumOf(128)), xy, isThin);
    yz = v128.bitselect(sub(mul(my, az), sumOf(136)), yz, isThin);
    xz = v128.bitselect(sub(mul(mz, ax), sumOf(144)), xz, isThin);
  }

  // Inverse of the inertia tensor, kept finite for lines and points (src/math/inertia.ts).
  const trace = times(2, add(add(cxx, cyy), czz)), floor = times(S.INERTIA_FLOOR, trace);
  const xx = add(add(cyy, czz), floor), yy = add(add(cxx, czz), floor), zz = add(add(cxx, cyy), floor);
  const kxx = cross2(yy, zz, yz, yz), kxy = cross2(xz, yz, xy, zz), kxz = cross2(xy, yz, yy, xz);
  const det = dot3(xx, kxx, xy, kxy, xz, kxz);
  const inv = v128.and(f64x2.div(f64x2.splat(1), det), f64x2.gt(det, f64x2.splat(S.INERTIA_SMALLEST)));
  let ixx = mul(kxx, inv), iyy = mul(cross2(xx, zz, xz, xz), inv), izz = mul(cross2(xx, yy, xy, xy), inv);
  let ixy = mul(kxy, inv), ixz = mul(kxz, inv), iyz = mul(cross2(xy, xz, xx, yz), inv);
  const line = f64x2.lt(det, times(S.INERTIA_LINE, mul(mul(trace, trace), trace)));
  if (any(line)) {
    const across = f64x2.div(f64x2.splat(4), square(trace));
    ixx = v128.bitselect(mul(across, add(cyy, czz)), ixx, line);
    iyy = v128.bitselect(mul(across, add(cxx, czz)), iyy, line);
    izz = v128.bitselect(mul(across, add(cxx, cyy)), izz, line);
    ixy = v128.bitselect(mul(across, xy), ixy, line);
    ixz = v128.bitselect(mul(across, xz), ixz, line);
    iyz = v128.bitselect(mul(across, yz), iyz, line);
  }
  const vx = add(floatOf(176), bx), vy = add(floatOf(180), by), vz = add(floatOf(184), bz);
  const x = add(floatOf(160), ax), y = add(floatOf(164), ay), z = add(floatOf(168), az);
  let p = S.inertiaInverse() + S.STRIDE_inertiaInverse * c, q = S.inertiaInverse() + S.STRIDE_inertiaInverse * d;
  leaveReal(p, q, ixx, S.SYMMETRIC_XX); leaveReal(p, q, iyy, S.SYMMETRIC_YY); leaveReal(p, q, izz, S.SYMMETRIC_ZZ);
  leaveReal(p, q, ixy, S.SYMMETRIC_XY); leaveReal(p, q, ixz, S.SYMMETRIC_XZ); leaveReal(p, q, iyz, S.SYMMETRIC_YZ);
  p = S.motion() + (c << S.SHIFT_motion);
  q = S.motion() + (d << S.SHIFT_motion);
  leaveRow(p, q, vx, vy, vz);
  leaveRow(p + S.MOTION_SPIN, q + S.MOTION_SPIN, dot3(ixx, lx, ixy, ly, ixz, lz), dot3(ixy, lx, iyy, ly, iyz, lz), dot3(ixz, lx, iyz, ly, izz, lz));
  leaveRow(S.oldCentre() + (c << S.SHIFT_oldCentre), S.oldCentre() + (d << S.SHIFT_oldCentre), x, y, z);
  if (!(mode & S.MATCH_METRIC)) return;
  p = S.sums() + S.STRIDE_sums * c;
  q = S.sums() + S.STRIDE_sums * d;
  leaveReal(p, q, x, S.SUMS_CENTRE); leaveReal(p, q, y, S.SUMS_CENTRE + S.VECTOR_Y); leaveReal(p, q, z, S.SUMS_CENTRE + S.VECTOR_Z);
  leaveReal(p, q, vx, S.SUMS_V); leaveReal(p, q, vy, S.SUMS_V + S.VECTOR_Y); leaveReal(p, q, vz, S.SUMS_V + S.VECTOR_Z);
  leaveReal(p, q, lx, S.SUMS_TURN); leaveReal(p, q, ly, S.SUMS_TURN + S.VECTOR_Y); leaveReal(p, q, lz, S.SUMS_TURN + S.VECTOR_Z);
  p += S.SUMS_INERTIA;
  q += S.SUMS_INERTIA;
  leaveReal(p, q, add(cyy, czz), S.SYMMETRIC_XX); leaveReal(p, q, add(cxx, czz), S.SYMMETRIC_YY); leaveReal(p, q, add(cxx, cyy), S.SYMMETRIC_ZZ);
  leaveReal(p, q, xy, S.SYMMETRIC_XY); leaveReal(p, q, xz, S.SYMMETRIC_XZ); leaveReal(p, q, yz, S.SYMMETRIC_YZ);
}

// @ts-ignore: decorator
@inline function leaveReal(p: usize, q: usize, value: v128, at: usize): void {
  v128.store64_lane(p + at, value, 0);
  v128.store64_lane(q + at, value, 1);
}

/** Writes x y z 0 as f32, for each of the two. */
// @ts-ignore: decorator
@inline function leaveRow(p: usize, q: usize, x: v128, y: v128, z: v128): void {
  const a = f32x4.demote_f64x2_zero(x), b = f32x4.demote_f64x2_zero(y), c = f32x4.demote_f64x2_zero(z);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  v128.store(p, v128.shuffle<f32>(ab, c, 0, 1, 4, 6));
  v128.store(q, v128.shuffle<f32>(ab, c, 2, 3, 5, 6));
}
