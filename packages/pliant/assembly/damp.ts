import * as S from './layout.generated';
import { high, low, narrow, xyz, yzx } from './match';

/** Scratch (src/kernels/wasm/scratchMap.ts): results of the sums. */
const SUMS: usize = S.AT_DAMP_SUMS;

/** As in match.ts: particles summed in f32 before the sum is added in f64. */
const BLOCK: usize = 32;

/** Sums relative to position and velocity of the first particle: Σ m r, Σ m; Σ m u; Σ m r × u; Σ m r rᵀ (xx yy zz, xy yz zx). */
export function sumBody(start: u32, end: u32): void {
  const x = S.x(), v = S.v();
  const xo = v128.load(x + (start << S.SHIFT_x)), vo = v128.load(v + (start << S.SHIFT_v));
  let r0 = f64x2.splat(0), r1 = f64x2.splat(0), u0 = f64x2.splat(0), u1 = f64x2.splat(0), l0 = f64x2.splat(0), l1 = f64x2.splat(0);
  let d0 = f64x2.splat(0), d1 = f64x2.splat(0), o0 = f64x2.splat(0), o1 = f64x2.splat(0), mass: f64 = 0;
  const last: usize = end << S.SHIFT_x;
  for (let o: usize = start << S.SHIFT_x; o < last; ) {
    const stop = min(o + S.STRIDE_x * BLOCK, last);
    let sr = f32x4.splat(0), su = f32x4.splat(0), sl = f32x4.splat(0), sd = f32x4.splat(0), so = f32x4.splat(0), sm = f32x4.splat(0);
    for (; o < stop; o += S.STRIDE_x) {
      const at = v128.load(x + o);
      const m = v128.shuffle<f32>(at, at, 3, 3, 3, 3);
      const r = f32x4.sub(at, xo), u = f32x4.sub(v128.load(v + o), vo);
      const y = f32x4.mul(r, m);
      sm = f32x4.add(sm, m);
      sr = f32x4.add(sr, y);
      su = f32x4.add(su, f32x4.mul(u, m));
      // y × u in the order z x y; the order is corrected after the sum.
      sl = f32x4.add(sl, f32x4.sub(f32x4.mul(y, yzx(u)), f32x4.mul(yzx(y), u)));
      sd = f32x4.add(sd, f32x4.mul(y, r));
      so = f32x4.add(so, f32x4.mul(y, yzx(r)));
    }
    mass += <f64>f32x4.extract_lane(sm, 0);
    r0 = f64x2.add(r0, low(sr)); r1 = f64x2.add(r1, high(sr));
    u0 = f64x2.add(u0, low(su)); u1 = f64x2.add(u1, high(su));
    l0 = f64x2.add(l0, low(sl)); l1 = f64x2.add(l1, high(sl));
    d0 = f64x2.add(d0, low(sd)); d1 = f64x2.add(d1, high(sd));
    o0 = f64x2.add(o0, low(so)); o1 = f64x2.add(o1, high(so));
  }
  v128.store(SUMS, r0);
  v128.store(SUMS, f64x2.replace_lane(r1, 1, mass), 16);
  v128.store(SUMS, u0, 32);
  store<f64>(SUMS + 6 * 8, f64x2.extract_lane(u1, 0));
  store<f64>(SUMS + 7 * 8, f64x2.extract_lane(l0, 1));
  store<f64>(SUMS + 8 * 8, f64x2.extract_lane(l1, 0));
  store<f64>(SUMS + 9 * 8, f64x2.extract_lane(l0, 0));
  v128.store(SUMS + 10 * 8, d0);
  store<f64>(SUMS + 12 * 8, f64x2.extract_lane(d1, 0));
  v128.store(SUMS + 13 * 8, o0);
  store<f64>(SUMS + 15 * 8, f64x2.extract_lane(o1, 0));
}

/** Bit for bit as src/kernels/ts/damp.ts, in its order: each pair of lanes holds two of its sums. */
export function sumMotion(start: u32, end: u32): void {
  const x = S.x(), v = S.v();
  const origin = v128.load(x + (start << S.SHIFT_x));
  const o0 = low(origin), o1 = f64x2.replace_lane(high(origin), 1, 0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), v0 = f64x2.splat(0), v1 = f64x2.splat(0);
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const at = v128.load(x + o), u = v128.load(v + o);
    const m = f64x2.splat(<f64>f32x4.extract_lane(at, 3));
    c0 = f64x2.add(c0, f64x2.mul(m, f64x2.sub(low(at), o0)));
    // z, and the mass: m · 1.
    c1 = f64x2.add(c1, f64x2.mul(m, f64x2.replace_lane(f64x2.sub(high(at), o1), 1, 1)));
    v0 = f64x2.add(v0, f64x2.mul(m, low(u)));
    v1 = f64x2.add(v1, f64x2.mul(m, high(u)));
  }
  v128.store(SUMS, c0);
  v128.store(SUMS, c1, 16);
  v128.store(SUMS, v0, 32);
  v128.store(SUMS, v1, 48);
}

export function sumSpin(start: u32, end: u32, cx: f64, cy: f64, cz: f64, vx: f64, vy: f64, vz: f64): void {
  const x = S.x(), v = S.v();
  let l0 = f64x2.splat(0), l1 = f64x2.splat(0), i0 = f64x2.splat(0), i1 = f64x2.splat(0), i2: f64 = 0;
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const at = v128.load(x + o), u = v128.load(v + o);
    const mass = <f64>f32x4.extract_lane(at, 3);
    const m = f64x2.splat(mass);
    const rx = <f64>f32x4.extract_lane(at, 0) - cx, ry = <f64>f32x4.extract_lane(at, 1) - cy, rz = <f64>f32x4.extract_lane(at, 2) - cz;
    const ux = <f64>f32x4.extract_lane(u, 0) - vx, uy = <f64>f32x4.extract_lane(u, 1) - vy, uz = <f64>f32x4.extract_lane(u, 2) - vz;
    const yz = f64x2(ry, rz), xx = f64x2.splat(rx), yy = f64x2.splat(ry), zz = f64x2.splat(rz * rz);
    // L_x and L_y; L_z and I_zz; I_xx and I_yy; I_xy and I_xz; I_yz.
    l0 = f64x2.add(l0, f64x2.mul(m, f64x2.sub(f64x2.mul(yz, f64x2(uz, ux)), f64x2.mul(f64x2(rz, rx), f64x2(uy, uz)))));
    l1 = f64x2.add(l1, f64x2.mul(m, f64x2.add(f64x2.mul(xx, f64x2(uy, rx)), f64x2.mul(yy, f64x2(-ux, ry)))));
    i0 = f64x2.add(i0, f64x2.mul(m, f64x2.add(f64x2(ry * ry, rx * rx), zz)));
    i1 = f64x2.sub(i1, f64x2.mul(f64x2.mul(m, xx), yz));
    i2 -= mass * ry * rz;
  }
  v128.store(SUMS, l0);
  v128.store(SUMS, l1, 16);
  v128.store(SUMS, i0, 32);
  v128.store(SUMS, i1, 48);
  store<f64>(SUMS + 4 * 16, i2);
}

/** `motion`: address of a place, the velocity there and the spin of the body. */
export function dampParticles(start: u32, end: u32, share: f64, motion: usize): void {
  const x = S.x(), v = S.v(), flags = S.flags();
  const place = vector(motion), velocity = vector(motion + S.VECTOR_WIDTH), spin = vector(motion + 2 * S.VECTOR_WIDTH);
  const turned = yzx(spin), k = f32x4.splat(<f32>share);
  for (let i = start; i < end; i++) {
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) continue;
    const r = f32x4.sub(v128.load(x + (i << S.SHIFT_x)), place), u = v128.load(v + (i << S.SHIFT_v));
    const goal = f32x4.add(velocity, yzx(f32x4.sub(f32x4.mul(spin, yzx(r)), f32x4.mul(turned, r))));
    v128.store(v + (i << S.SHIFT_v), xyz(f32x4.add(u, f32x4.mul(k, f32x4.sub(goal, u)))));
  }
}

/** Three f64 as f32, and 0. */
function vector(at: usize): v128 {
  return f32x4(<f32>load<f64>(at), <f32>load<f64>(at, S.VECTOR_Y), <f32>load<f64>(at, S.VECTOR_Z), 0);
}

/** Writes Σ m x and Σ m. Returns 1 if a particle is held, and 2 more if one that is held moves. */
export function sumPlaces(start: u32, end: u32): u32 {
  const x = S.x(), v = S.v(), flags = S.flags();
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), held: u32 = 0;
  for (let i = start; i < end; i++) {
    const at = v128.load(x + (i << S.SHIFT_x));
    const m = f64x2.splat(<f64>f32x4.extract_lane(at, 3));
    c0 = f64x2.add(c0, f64x2.mul(m, low(at)));
    // z, and the mass: m · 1.
    c1 = f64x2.add(c1, f64x2.mul(m, f64x2.replace_lane(high(at), 1, 1)));
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) {
      held |= 1;
      if (v128.any_true(f32x4.ne(xyz(v128.load(v + (i << S.SHIFT_v))), f32x4.splat(0)))) held |= 2;
    }
  }
  v128.store(SUMS, c0);
  v128.store(SUMS, c1, 16);
  return held;
}

/** Subtracts the rotation ω × r from velocities. */
export function turnBack(start: u32, end: u32, cx: f64, cy: f64, cz: f64, wx: f64, wy: f64, wz: f64): void {
  const x = S.x(), v = S.v();
  const c0 = f64x2(cx, cy), yz = f64x2(wy, wz), zx = f64x2(wz, wx);
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const at = v128.load(x + o), u = v128.load(v + o);
    const rxy = f64x2.sub(low(at), c0), rz = <f64>f32x4.extract_lane(at, 2) - cz;
    const rx = f64x2.extract_lane(rxy, 0), ry = f64x2.extract_lane(rxy, 1);
    const w = f64x2.sub(f64x2.mul(yz, f64x2(rz, rx)), f64x2.mul(zx, f64x2(ry, rz)));
    const z = <f64>f32x4.extract_lane(u, 2) - (wx * ry - wy * rx);
    v128.store(v + o, f32x4.replace_lane(narrow(f64x2.sub(low(u), w), f64x2.splat(z)), 3, f32x4.extract_lane(u, 3)));
  }
}
