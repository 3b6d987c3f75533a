import * as S from './layout.generated';
import { high, low, narrow, xyz } from './match';

/** v += (x − (xOld + h v))/h; src/kernels/ts/velocity.ts explains this form. */
export function updateVelocities(start: u32, end: u32, h: f32): void {
  const x = S.x(), v = S.v(), xOld = S.xOld();
  const hh = f32x4.splat(h);
  const perStep = f32x4.splat(1 / h);
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const vi = v128.load(v + o);
    const moved = f32x4.sub(v128.load(x + o), f32x4.add(v128.load(xOld + o), f32x4.mul(hh, vi)));
    v128.store(v + o, f32x4.add(vi, xyz(f32x4.mul(moved, perStep))));
  }
}

export function countNonFinite(start: u32, end: u32): u32 {
  const x = S.x(), v = S.v();
  const zero = f32x4.splat(0);
  let count: u32 = 0;
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    // a − a is 0 unless a is infinite or NaN.
    const a = v128.load(x + o), b = v128.load(v + o);
    const odd = v128.or(f32x4.ne(f32x4.sub(a, a), zero), f32x4.ne(f32x4.sub(b, b), zero));
    if (v128.any_true(odd)) count++;
  }
  return count;
}

/** Bit for bit as src/kernels/ts/velocity.ts, in its order. */
export function sumSquaredWays(start: u32, end: u32): f64 {
  const x = S.x(), xOld = S.xOld();
  let xy = f64x2.splat(0), zw = f64x2.splat(0);
  for (let o = start << S.SHIFT_x; o < end << S.SHIFT_x; o += S.STRIDE_x) {
    const a = v128.load(x + o), b = v128.load(xOld + o);
    const d = f64x2.sub(low(a), low(b)), e = f64x2.sub(high(a), high(b));
    xy = f64x2.add(xy, f64x2.mul(d, d));
    zw = f64x2.add(zw, f64x2.mul(e, e));
  }
  return f64x2.extract_lane(xy, 0) + f64x2.extract_lane(xy, 1) + f64x2.extract_lane(zw, 0);
}

export function brakeParticles(start: u32, end: u32, keep: f64): void {
  const v = S.v();
  const k = f64x2.splat(keep);
  for (let o = v + (start << S.SHIFT_v); o < v + (end << S.SHIFT_v); o += S.STRIDE_v) {
    const u = v128.load(o);
    v128.store(o, narrow(f64x2.mul(low(u), k), f64x2.mul(high(u), k)));
  }
}
