import * as S from './layout.generated';
import { high, low, narrow, xyz } from './match';

/** Scratch (src/kernels/wasm/scratchMap.ts): results of the sums. */
const SUMS: usize = S.AT_DAMP_SUMS;

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

/** `motion`: address of the centre, the velocity and the spin of the body. */
export function dampParticles(start: u32, end: u32, share: f64, motion: usize): void {
  const x = S.x(), v = S.v(), flags = S.flags();
  const velocity = motion + S.VECTOR_WIDTH, spin = velocity + S.VECTOR_WIDTH;
  const cx = load<f64>(motion), cy = load<f64>(motion, S.VECTOR_Y), cz = load<f64>(motion, S.VECTOR_Z);
  const v0 = v128.load(velocity), vz = load<f64>(velocity, S.VECTOR_Z);
  const wx = load<f64>(spin), wy = load<f64>(spin, S.VECTOR_Y), wz = load<f64>(spin, S.VECTOR_Z);
  const yz = f64x2(wy, wz), zx = f64x2(wz, wx), k = f64x2.splat(share);
  for (let i = start; i < end; i++) {
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) continue;
    const at = v128.load(x + (i << S.SHIFT_x)), u = v128.load(v + (i << S.SHIFT_v));
    const rx = <f64>f32x4.extract_lane(at, 0) - cx, ry = <f64>f32x4.extract_lane(at, 1) - cy, rz = <f64>f32x4.extract_lane(at, 2) - cz;
    const a = low(u), b = <f64>f32x4.extract_lane(u, 2);
    const goal = f64x2.sub(f64x2.add(v0, f64x2.mul(yz, f64x2(rz, rx))), f64x2.mul(zx, f64x2(ry, rz)));
    const c = b + share * (vz + wx * ry - wy * rx - b);
    v128.store(v + (i << S.SHIFT_v), xyz(narrow(f64x2.add(a, f64x2.mul(k, f64x2.sub(goal, a))), f64x2.splat(c))));
  }
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
