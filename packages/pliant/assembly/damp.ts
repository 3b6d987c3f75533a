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

/** The sums of sumBody from those of the clusters [start, end), whose motions match has just found: by parallel axes, as the weights of a particle sum to 1. `first` is the body's first particle. */
export function sumMotions(start: u32, end: u32, first: u32): void {
  const at = S.x() + (first << S.SHIFT_x), from = S.v() + (first << S.SHIFT_v);
  const ox = <f64>load<f32>(at), oy = <f64>load<f32>(at, 4), oz = <f64>load<f32>(at, 8);
  const vx = <f64>load<f32>(from), vy = <f64>load<f32>(from, 4), vz = <f64>load<f32>(from, 8);
  let r0: f64 = 0, r1: f64 = 0, r2: f64 = 0, mass: f64 = 0, u0: f64 = 0, u1: f64 = 0, u2: f64 = 0, l0: f64 = 0, l1: f64 = 0, l2: f64 = 0;
  let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, yz: f64 = 0, zx: f64 = 0;
  for (let c = start; c < end; c++) {
    const m = load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass)), sums = S.sums() + S.STRIDE_sums * c, inertia = sums + S.SUMS_INERTIA;
    const x = load<f64>(sums, S.SUMS_CENTRE) - ox, y = load<f64>(sums, S.SUMS_CENTRE + S.VECTOR_Y) - oy, z = load<f64>(sums, S.SUMS_CENTRE + S.VECTOR_Z) - oz;
    const u = m * (load<f64>(sums, S.SUMS_V) - vx), v = m * (load<f64>(sums, S.SUMS_V + S.VECTOR_Y) - vy), w = m * (load<f64>(sums, S.SUMS_V + S.VECTOR_Z) - vz);
    mass += m;
    r0 += m * x; r1 += m * y; r2 += m * z;
    u0 += u; u1 += v; u2 += w;
    l0 += load<f64>(sums, S.SUMS_TURN) + (y * w - z * v);
    l1 += load<f64>(sums, S.SUMS_TURN + S.VECTOR_Y) + (z * u - x * w);
    l2 += load<f64>(sums, S.SUMS_TURN + S.VECTOR_Z) + (x * v - y * u);
    const ix = load<f64>(inertia), iy = load<f64>(inertia, S.SYMMETRIC_YY), iz = load<f64>(inertia, S.SYMMETRIC_ZZ);
    const half = 0.5 * (ix + iy + iz);
    xx += half - ix + m * x * x; yy += half - iy + m * y * y; zz += half - iz + m * z * z;
    xy += m * x * y - load<f64>(inertia, S.SYMMETRIC_XY);
    yz += m * y * z - load<f64>(inertia, S.SYMMETRIC_YZ);
    zx += m * z * x - load<f64>(inertia, S.SYMMETRIC_XZ);
  }
  store<f64>(SUMS, r0); store<f64>(SUMS + 8, r1); store<f64>(SUMS + 16, r2); store<f64>(SUMS + 24, mass);
  store<f64>(SUMS + 32, u0); store<f64>(SUMS + 40, u1); store<f64>(SUMS + 48, u2);
  store<f64>(SUMS + 56, l0); store<f64>(SUMS + 64, l1); store<f64>(SUMS + 72, l2);
  store<f64>(SUMS + 80, xx); store<f64>(SUMS + 88, yy); store<f64>(SUMS + 96, zz);
  store<f64>(SUMS + 104, xy); store<f64>(SUMS + 112, yz); store<f64>(SUMS + 120, zx);
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

/** Bit for bit as src/kernels/ts/damp.ts, in its order. */
export function sumWays(start: u32, end: u32, every: u32): void {
  const x = S.x(), xOld = S.xOld();
  const origin = v128.load(x + (start << S.SHIFT_x));
  const o0 = low(origin), oz = <f64>f32x4.extract_lane(origin, 2);
  // x and y of Σ m r; z, and the mass; x and y of Σ m d; z, and the third of the momentum; the first two of it.
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), d0 = f64x2.splat(0), d1 = f64x2.splat(0), l0 = f64x2.splat(0), ways: f64 = 0;
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += every << S.SHIFT_x) {
    const at = v128.load(x + o), before = v128.load(xOld + o);
    const mass = <f64>f32x4.extract_lane(at, 3), m = f64x2.splat(mass);
    const r = f64x2.sub(low(at), o0), rz = <f64>f32x4.extract_lane(at, 2) - oz;
    const d = f64x2.sub(low(at), low(before)), dz = <f64>f32x4.extract_lane(at, 2) - <f64>f32x4.extract_lane(before, 2);
    const rx = f64x2.extract_lane(r, 0), ry = f64x2.extract_lane(r, 1);
    const dx = f64x2.extract_lane(d, 0), dy = f64x2.extract_lane(d, 1);
    c0 = f64x2.add(c0, f64x2.mul(m, r));
    c1 = f64x2.add(c1, f64x2.mul(m, f64x2(rz, 1)));
    d0 = f64x2.add(d0, f64x2.mul(m, d));
    d1 = f64x2.add(d1, f64x2.mul(m, f64x2(dz, rx * dy - ry * dx)));
    l0 = f64x2.add(l0, f64x2.mul(m, f64x2(ry * dz - rz * dy, rz * dx - rx * dz)));
    ways += dx * dx + dy * dy + dz * dz;
  }
  v128.store(SUMS, c0);
  v128.store(SUMS, c1, 16);
  v128.store(SUMS, d0, 32);
  store<f64>(SUMS + 6 * 8, f64x2.extract_lane(d1, 0));
  v128.store(SUMS + 7 * 8, l0);
  store<f64>(SUMS + 9 * 8, f64x2.extract_lane(d1, 1));
  store<f64>(SUMS + 10 * 8, ways);
}

/** Bit for bit as src/kernels/ts/damp.ts, in its order. */
export function sumMoves(start: u32, end: u32, every: u32): void {
  const x = S.x(), checked = S.vOld();
  const first = start << S.SHIFT_x, last = end << S.SHIFT_x, stride = every << S.SHIFT_x;
  let c0 = f64x2.splat(0), cz: f64 = 0, n: f64 = 0;
  for (let o = first; o < last; o += stride) {
    const q = v128.load(checked + o);
    c0 = f64x2.add(c0, low(q));
    cz += <f64>f32x4.extract_lane(q, 2);
    n += 1;
  }
  c0 = f64x2.div(c0, f64x2.splat(n));
  cz /= n;
  // x and y of Σ d; z, and the third of Σ q × d; its first two; then two each of the moments; Σ |d|².
  let s0 = f64x2.splat(0), s1 = f64x2.splat(0), t0 = f64x2.splat(0), d0 = f64x2.splat(0), d1 = f64x2.splat(0), o0 = f64x2.splat(0), ways: f64 = 0;
  for (let o = first; o < last; o += stride) {
    const at = v128.load(x + o), from = v128.load(checked + o);
    const r = f64x2.sub(low(from), c0), rz = <f64>f32x4.extract_lane(from, 2) - cz;
    const d = f64x2.sub(low(at), low(from)), dz = <f64>f32x4.extract_lane(at, 2) - <f64>f32x4.extract_lane(from, 2);
    const rx = f64x2.extract_lane(r, 0), ry = f64x2.extract_lane(r, 1), dx = f64x2.extract_lane(d, 0), dy = f64x2.extract_lane(d, 1);
    const zz = f64x2.splat(rz);
    ways += dx * dx + dy * dy + dz * dz;
    s0 = f64x2.add(s0, d);
    s1 = f64x2.add(s1, f64x2(dz, rx * dy - ry * dx));
    t0 = f64x2.add(t0, f64x2.sub(f64x2.mul(f64x2(ry, rz), f64x2(dz, dx)), f64x2.mul(f64x2(rz, rx), f64x2(dy, dz))));
    d0 = f64x2.add(d0, f64x2.mul(r, r));
    d1 = f64x2.add(d1, f64x2.mul(f64x2(rz, rx), f64x2(rz, ry)));
    o0 = f64x2.add(o0, f64x2.mul(r, zz));
  }
  v128.store(SUMS, s0);
  v128.store(SUMS, s1, 16);
  v128.store(SUMS, t0, 32);
  v128.store(SUMS, d0, 48);
  v128.store(SUMS, d1, 64);
  v128.store(SUMS, o0, 80);
  store<f64>(SUMS + 12 * 8, ways);
}

export function sumSpin(start: u32, end: u32, cx: f64, cy: f64, cz: f64, vx: f64, vy: f64, vz: f64): void {
  addSpins(0, start, end, cx, cy, cz, vx, vy, vz);
}

export function sumMovedSpin(count: u32, cx: f64, cy: f64, cz: f64): void {
  addSpins(S.moved(), 0, count, cx, cy, cz, 0, 0, 0);
}

/** Of the particles in rows [start, end) of a list; without one, of those particles. */
// @ts-ignore: decorator
@inline function addSpins(list: usize, start: u32, end: u32, cx: f64, cy: f64, cz: f64, vx: f64, vy: f64, vz: f64): void {
  const x = S.x(), v = S.v();
  let l0 = f64x2.splat(0), l1 = f64x2.splat(0), i0 = f64x2.splat(0), i1 = f64x2.splat(0), i2: f64 = 0;
  for (let n = start; n < end; n++) {
    const o = (list == 0 ? n : load<u32>(list + (n << S.SHIFT_moved))) << S.SHIFT_x;
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

/** Writes Σ m x and Σ m if no particle is held. Otherwise returns 1, and 2 more if one that is held moves. */
export function sumPlaces(start: u32, end: u32): u32 {
  const x = S.x(), v = S.v(), flags = S.flags();
  let held: u32 = 0, i = start;
  const any = i32x4.splat(S.FLAG_HELD);
  for (; i < end; i++) {
    while (i + 4 <= end && !v128.any_true(v128.and(v128.load(flags + (i << S.SHIFT_flags)), any))) i += 4;
    if (i >= end) break;
    if ((load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) == 0) continue;
    held |= 1;
    if (v128.any_true(f32x4.ne(xyz(v128.load(v + (i << S.SHIFT_v))), f32x4.splat(0)))) held |= 2;
  }
  if (held != 0) return held;
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0);
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const at = v128.load(x + o);
    const m = f64x2.splat(<f64>f32x4.extract_lane(at, 3));
    c0 = f64x2.add(c0, f64x2.mul(m, low(at)));
    // z, and the mass: m · 1.
    c1 = f64x2.add(c1, f64x2.mul(m, f64x2.replace_lane(high(at), 1, 1)));
  }
  v128.store(SUMS, c0);
  v128.store(SUMS, c1, 16);
  return 0;
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
