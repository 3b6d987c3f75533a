import * as S from './layout.generated';
import { low, narrow, xyz } from './match';

// Scratch (src/kernels/wasm/scratchMap.ts), results of the sums: the columns of Σ m r pᵀ, Σ m r × u, and Σ m p pᵀ, two numbers each time.
const SUMS: usize = S.AT_RIGID_SUMS;
const SECOND: usize = SUMS + S.VECTOR_WIDTH;
const THIRD: usize = SECOND + S.VECTOR_WIDTH;
const SPIN: usize = THIRD + S.VECTOR_WIDTH;
const MOMENT: usize = SPIN + S.VECTOR_WIDTH;

// @ts-ignore: decorator
@inline function both(a: v128, b: v128, c: v128): v128 { return f64x2.add(a, f64x2.mul(b, c)); }

/** Bit for bit as src/kernels/ts/rigid.ts, in its order: each pair of lanes holds two of its sums. */
export function sumRigid(c: u32, cx: f64, cy: f64, cz: f64, vx: f64, vy: f64, vz: f64): void {
  const x = S.x(), v = S.v(), member = S.member(), particles = S.memberParticle();
  const starts = S.memberStart() + (c << S.SHIFT_memberStart);
  const first = load<u32>(starts), last = load<u32>(starts + S.STRIDE_memberStart);
  const cxy = f64x2(cx, cy), vxy = f64x2(vx, vy);
  const zero = f64x2.splat(0);
  // x and y of the columns; z of the first two, and of the third with L_z; L_x and L_y; xx yy; zz xy; xz yz.
  let a0 = zero, a1 = zero, a2 = zero, b0 = zero, b1 = zero, l0 = zero, m0 = zero, m1 = zero, m2 = zero;
  for (let k = first; k < last; k++) {
    const o = load<u32>(particles + (k << S.SHIFT_memberParticle)) << S.SHIFT_x;
    const at = v128.load(x + o), u = v128.load(v + o), p = v128.load(member + (k << S.SHIFT_member));
    const mass = <f64>f32x4.extract_lane(at, 3);
    const m = f64x2.splat(mass);
    const rxy = f64x2.mul(m, f64x2.sub(low(at), cxy)), rz = mass * (<f64>f32x4.extract_lane(at, 2) - cz);
    const uxy = f64x2.sub(low(u), vxy), uz = <f64>f32x4.extract_lane(u, 2) - vz;
    const rx = f64x2.extract_lane(rxy, 0), ry = f64x2.extract_lane(rxy, 1);
    const ux = f64x2.extract_lane(uxy, 0), uy = f64x2.extract_lane(uxy, 1);
    const pxy = low(p);
    const px = f64x2.extract_lane(pxy, 0), py = f64x2.extract_lane(pxy, 1), pz = <f64>f32x4.extract_lane(p, 2);
    a0 = both(a0, rxy, f64x2.splat(px));
    a1 = both(a1, rxy, f64x2.splat(py));
    a2 = both(a2, rxy, f64x2.splat(pz));
    b0 = both(b0, f64x2.splat(rz), pxy);
    b1 = f64x2.add(b1, f64x2(rz * pz, rx * uy - ry * ux));
    l0 = f64x2.add(l0, f64x2(ry * uz - rz * uy, rz * ux - rx * uz));
    const mp = f64x2.mul(m, pxy);
    m0 = both(m0, mp, pxy);
    m1 = f64x2.add(m1, f64x2(mass * pz * pz, f64x2.extract_lane(mp, 0) * py));
    m2 = both(m2, mp, f64x2.splat(pz));
  }
  v128.store(SUMS, a0);
  store<f64>(SUMS, f64x2.extract_lane(b0, 0), S.VECTOR_Z);
  v128.store(SECOND, a1);
  store<f64>(SECOND, f64x2.extract_lane(b0, 1), S.VECTOR_Z);
  v128.store(THIRD, a2);
  store<f64>(THIRD, f64x2.extract_lane(b1, 0), S.VECTOR_Z);
  v128.store(SPIN, l0);
  store<f64>(SPIN, f64x2.extract_lane(b1, 1), S.VECTOR_Z);
  v128.store(MOMENT, m0);
  v128.store(MOMENT, m1, S.VECTOR_Z);
  v128.store(MOMENT + S.VECTOR_WIDTH, m2, S.VECTOR_Y);
}

/** `motion`: address of centre, velocity, spin and rotation, as src/kernels/ts/rigid.ts has them. */
export function placeRigid(c: u32, motion: usize): void {
  const x = S.x(), v = S.v(), member = S.member(), particles = S.memberParticle();
  const starts = S.memberStart() + (c << S.SHIFT_memberStart);
  const first = load<u32>(starts), last = load<u32>(starts + S.STRIDE_memberStart);
  const velocity = motion + S.VECTOR_WIDTH, spin = velocity + S.VECTOR_WIDTH, turn = spin + S.VECTOR_WIDTH;
  const c0 = v128.load(motion), cz = load<f64>(motion, S.VECTOR_Z);
  const v0 = v128.load(velocity), vz = load<f64>(velocity, S.VECTOR_Z);
  const wx = load<f64>(spin), wy = load<f64>(spin, S.VECTOR_Y), wz = load<f64>(spin, S.VECTOR_Z);
  const yz = f64x2(wy, wz), zx = f64x2(wz, wx);
  const second = turn + S.VECTOR_WIDTH, third = second + S.VECTOR_WIDTH;
  const r0 = v128.load(turn), r1 = v128.load(second), r2 = v128.load(third);
  const z0 = load<f64>(turn, S.VECTOR_Z), z1 = load<f64>(second, S.VECTOR_Z), z2 = load<f64>(third, S.VECTOR_Z);
  for (let k = first; k < last; k++) {
    const o = load<u32>(particles + (k << S.SHIFT_memberParticle)) << S.SHIFT_x;
    const p = v128.load(member + (k << S.SHIFT_member));
    const pxy = low(p);
    const px = f64x2.extract_lane(pxy, 0), py = f64x2.extract_lane(pxy, 1), pz = <f64>f32x4.extract_lane(p, 2);
    const rxy = both(both(f64x2.mul(r0, f64x2.splat(px)), r1, f64x2.splat(py)), r2, f64x2.splat(pz));
    const rz = z0 * px + z1 * py + z2 * pz;
    const rx = f64x2.extract_lane(rxy, 0), ry = f64x2.extract_lane(rxy, 1);
    const at = narrow(f64x2.add(c0, rxy), f64x2.splat(cz + rz));
    const u = f64x2.sub(f64x2.add(v0, f64x2.mul(yz, f64x2(rz, rx))), f64x2.mul(zx, f64x2(ry, rz)));
    const uz = vz + wx * ry - wy * rx;
    const mass = f32x4.extract_lane(v128.load(x + o), 3);
    v128.store(x + o, f32x4.replace_lane(at, 3, mass));
    v128.store(v + o, xyz(narrow(u, f64x2.splat(uz))));
  }
}
