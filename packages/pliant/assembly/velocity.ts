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

/** The end of the run of particles that begins at i, of a body or a part of one that ends before `end`. */
// @ts-ignore: decorator
@inline export function endOfRun(i: u32, end: u32): u32 {
  return end - i < 2 * S.RUN_PARTICLES ? end : i + S.RUN_PARTICLES;
}

/** Where jobs leave the sums of the run that begins at i: in `candidate`, which is used only while contacts are found. More than 32 bytes only where a body has several runs. */
// @ts-ignore: decorator
@inline export function sumsOfRun(i: u32): usize {
  return S.candidate() + (i << S.SHIFT_candidate);
}

/** Bit for bit as src/kernels/ts/velocity.ts, in its order. */
export function sumSquaredWays(start: u32, end: u32): f64 {
  let sum: f64 = 0;
  for (let i = start, stop = start; i < end; i = stop) {
    stop = endOfRun(i, end);
    sum += squaredWaysOf(i, stop);
  }
  return sum;
}

/** The same in parts: sums of whole runs, and their sum. */
export function squareWays(start: u32, end: u32): void {
  for (let i = start, stop = start; i < end; i = stop) {
    stop = endOfRun(i, end);
    store<f64>(sumsOfRun(i), squaredWaysOf(i, stop));
  }
}
export function addSquaredWays(start: u32, end: u32): f64 {
  let sum: f64 = 0;
  for (let i = start; i < end; i = endOfRun(i, end)) sum += load<f64>(sumsOfRun(i));
  return sum;
}

function squaredWaysOf(start: u32, end: u32): f64 {
  const x = S.x(), v = S.v(), xOld = S.xOld();
  const last = end << S.SHIFT_x;
  let xy = f64x2.splat(0), zw = f64x2.splat(0), odd = f32x4.splat(0);
  for (let o = start << S.SHIFT_x; o < last; ) {
    const stop = min(o + <u32>S.STRIDE_x * S.RUN_BLOCK, last);
    let squares = f32x4.splat(0);
    for (; o < stop; o += <u32>S.STRIDE_x) {
      const way = f32x4.sub(v128.load(x + o), v128.load(xOld + o));
      // Nothing, unless it is infinite or NaN.
      odd = f32x4.add(odd, f32x4.mul(v128.load(v + o), f32x4.splat(0)));
      squares = f32x4.add(squares, f32x4.mul(way, way));
    }
    xy = f64x2.add(xy, low(squares));
    zw = f64x2.add(zw, high(squares));
  }
  const none = f32x4.extract_lane(odd, 0) + f32x4.extract_lane(odd, 1) + f32x4.extract_lane(odd, 2) + f32x4.extract_lane(odd, 3);
  return f64x2.extract_lane(xy, 0) + f64x2.extract_lane(xy, 1) + f64x2.extract_lane(zw, 0) + 0.0 * f64x2.extract_lane(zw, 1) + <f64>none;
}

/** xStep := x. */
export function keepStart(start: u32, end: u32): void {
  memory.copy(S.xStep() + (start << S.SHIFT_xStep), S.x() + (start << S.SHIFT_x), (end - start) << S.SHIFT_x);
}

/** xOld := xStep. Both hold the mass behind each place. */
export function returnStart(start: u32, end: u32): void {
  memory.copy(S.xOld() + (start << S.SHIFT_xOld), S.xStep() + (start << S.SHIFT_xStep), (end - start) << S.SHIFT_x);
}

export function brakeParticles(start: u32, end: u32, keep: f64): void {
  const v = S.v();
  const k = f64x2.splat(keep);
  for (let o = v + (start << S.SHIFT_v); o < v + (end << S.SHIFT_v); o += S.STRIDE_v) {
    const u = v128.load(o);
    v128.store(o, narrow(f64x2.mul(low(u), k), f64x2.mul(high(u), k)));
  }
}
