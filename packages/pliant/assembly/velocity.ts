import * as S from './layout.generated';
import { xyz } from './match';

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
