import * as S from './layout.generated';
import { high, low, narrow, xyz, yzx } from './match';
import { Bent, Plain, wayToGoal } from './soften';

/** Scratch (src/kernels/wasm/scratchMap.ts): the velocity that evens a body, x y z and 0. */
const EVEN: usize = S.AT_INTEGRATE_EVEN;

/** All three parts below, for one body on one thread. */
export function integrateParticles(
  start: u32, end: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, maxSpeed: f32, forces: bool, bent: bool, lawful: bool,
): void {
  const bound = urgeParticles(start, end, start, h, gx, gy, gz, damping, rigid, forces, bent, lawful);
  evenUrges(start, end, bound);
  const even = v128.load(EVEN);
  advanceParticles(start, end, h, maxSpeed, f32x4.extract_lane(even, 0), f32x4.extract_lane(even, 1), f32x4.extract_lane(even, 2));
}

/**
 * Updates the velocities of particles [start, end) in gather order, of a body whose first particle is `first`. Leaves the momentum that goals and damping give
 * to each, and its mass, in `xOld`, which `advanceParticles` writes later. Returns 1 if one of them is held or has another stiffness than the first.
 */
export function urgeParticles(
  start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, forces: bool, bent: bool, lawful: bool,
): u32 {
  return bent
    ? urge<Bent>(start, end, first, h, gx, gy, gz, damping, rigid, forces, lawful)
    : urge<Plain>(start, end, first, h, gx, gy, gz, damping, rigid, forces, lawful);
}

/**
 * Sums the momentum that urgeParticles left of a whole body, one particle after the other, and writes to EVEN the velocity to add to all so that goals give the
 * body no momentum (src/kernels/ts/integrate.ts). With `bound` that is 0.
 */
export function evenUrges(start: u32, end: u32, bound: u32): void {
  let n0 = f64x2.splat(0), n1 = f64x2.splat(0);
  const last = S.xOld() + (end << S.SHIFT_xOld);
  for (let at = S.xOld() + (start << S.SHIFT_xOld); at < last; at += S.STRIDE_xOld) {
    const given = v128.load(at);
    n0 = f64x2.add(n0, low(given));
    n1 = f64x2.add(n1, high(given));
  }
  const mass = f64x2.extract_lane(n1, 1);
  const scale = f64x2.splat(bound == 0 && mass > 0 ? -1.0 / mass : 0.0);
  v128.store(EVEN, xyz(narrow(f64x2.mul(n0, scale), f64x2.mul(n1, scale))));
}

function urge<B>(
  start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, forces: bool, lawful: bool,
): u32 {
  const x = S.x(), v = S.v(), transform = S.transform(), motion = S.motion(), oldCentre = S.oldCentre();
  const flags = S.flags(), stiffness = S.stiffness(), vOld = S.vOld();
  const kick = f32x4(h * gx, h * gy, h * gz, 0);
  const perStep: f32 = 1 / h;
  let row = S.gatherOrder() + (start << S.SHIFT_gatherOrder);
  const rowEnd = S.gatherOrder() + (end << S.SHIFT_gatherOrder);
  let links = S.linkStart() + (start << S.SHIFT_linkStart) + S.STRIDE_linkStart;
  const firstLink = load<u32>(links - S.STRIDE_linkStart);
  const link = S.link();
  let q = link + (firstLink << S.SHIFT_link);
  let cluster = S.linkCluster() + (firstLink << S.SHIFT_linkCluster);
  const common = load<f32>(stiffness + (first << S.SHIFT_stiffness));
  let bound: u32 = 0;
  let given = S.xOld() + (start << S.SHIFT_xOld);
  for (; row < rowEnd; row += S.STRIDE_gatherOrder, links += S.STRIDE_linkStart, given += S.STRIDE_xOld) {
    const i = load<u32>(row);
    const o = i << S.SHIFT_x;
    const last = link + (load<u32>(links) << S.SHIFT_link);
    const xi = v128.load(x + o);
    const vi = v128.load(v + o);
    v128.store(vOld + o, vi);
    let pull = f32x4.splat(0);
    let lag = f32x4.splat(0);
    if (lawful) {
      let still = f32x4.splat(0), spin = f32x4.splat(0), held = f32x4.splat(0);
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
        const c = load<u32>(cluster);
        const w = v128.load32_splat(q, S.LINK_WEIGHT);
        const share = f32x4.mul(w, v128.load32_splat(transform + S.STRIDE_transform * c, S.TRANSFORM_SHARE));
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, c, q, xi), share));
        if (damping == 0) continue;
        still = f32x4.add(still, f32x4.mul(w, v128.load(oldCentre + (c << S.SHIFT_oldCentre), S.OLD_CENTRE_STILL)));
        spin = f32x4.add(spin, f32x4.mul(w, v128.load(motion + (c << S.SHIFT_motion), S.MOTION_SPIN)));
        held = f32x4.add(held, w);
      }
      // The rigid motions of all clusters at x: one turn about the origin. Its rounding error is below that of x over h, which every velocity has.
      const turn = yzx(f32x4.sub(f32x4.mul(spin, yzx(xi)), f32x4.mul(yzx(spin), xi)));
      lag = f32x4.sub(f32x4.add(still, turn), f32x4.mul(vi, held));
    }
    else if (damping == 0)
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster)
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, load<u32>(cluster), q, xi), v128.load32_splat(q, S.LINK_WEIGHT)));
    else if (!rigid)
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
        const c = load<u32>(cluster);
        const w = v128.load32_splat(q, S.LINK_WEIGHT);
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, c, q, xi), w));
        lag = f32x4.add(lag, f32x4.mul(f32x4.sub(v128.load(motion + (c << S.SHIFT_motion)), vi), w));
      }
    else
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
        const c = load<u32>(cluster);
        const w = v128.load32_splat(q, S.LINK_WEIGHT);
        const u = f32x4.sub(v128.load(motion + (c << S.SHIFT_motion)), vi);
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, c, q, xi), w));
        lag = f32x4.add(lag, f32x4.mul(f32x4.add(u, turning(motion + (c << S.SHIFT_motion), oldCentre + (c << S.SHIFT_oldCentre), xi)), w));
      }
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) {
      bound = 1;
      v128.store(given, f32x4.splat(0));
      continue;
    }
    const share: f32 = lawful ? 1 : load<f32>(stiffness + (i << S.SHIFT_stiffness));
    if (!lawful && share != common) bound = 1;
    const urged = f32x4.add(f32x4.mul(pull, f32x4.splat(share * perStep)), f32x4.mul(f32x4.splat(damping), lag));
    const m = load<f32>(x + o, S.X_MASS);
    v128.store(given, f32x4.replace_lane(f32x4.mul(urged, f32x4.splat(m)), 3, m));
    let next = f32x4.add(f32x4.add(vi, kick), urged);
    if (forces) next = f32x4.add(next, f32x4.mul(v128.load(S.force() + o), f32x4.splat(h / m)));
    v128.store(v + o, xyz(next));
  }
  return bound;
}

/** Evens velocities, shortens those beyond the limit, and moves all. */
export function advanceParticles(start: u32, end: u32, h: f32, maxSpeed: f32, evenX: f32, evenY: f32, evenZ: f32): void {
  const x = S.x(), v = S.v(), xOld = S.xOld(), flags = S.flags();
  const safe = f32x4.splat(maxSpeed * <f32>0.577);
  const hh = f32x4.splat(h);
  // One that is lost takes nobody with it.
  let even = f32x4(evenX, evenY, evenZ, 0);
  if (!i32x4.all_true(f32x4.le(f32x4.abs(even), safe))) even = f32x4.splat(0);
  for (let i = start; i < end; i++) {
    const o = i << S.SHIFT_x;
    const xi = v128.load(x + o);
    let vi = f32x4.add(v128.load(v + o), even);
    // No component above the limit over √3 means no speed above it; NaN compares as above.
    if (!i32x4.all_true(f32x4.le(f32x4.abs(vi), safe)) && !(load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD)) vi = shorten(vi, maxSpeed);
    v128.store(v + o, vi);
    v128.store(xOld + o, xi);
    // Lane 3 of v is 0, so the mass in lane 3 of x stays.
    v128.store(x + o, f32x4.add(xi, f32x4.mul(hh, vi)));
  }
}

/** ω × (x − x̄) of one membership, as yzx(ω yzx(r) − yzx(ω) r). */
// @ts-ignore: decorator
@inline export function turning(motion: usize, oldCentre: usize, xi: v128): v128 {
  const w = v128.load(motion, S.MOTION_SPIN);
  const r = f32x4.sub(xi, v128.load(oldCentre));
  return yzx(f32x4.sub(f32x4.mul(w, yzx(r)), f32x4.mul(yzx(w), r)));
}

/** A velocity of maxSpeed in the same direction, in f64 so that no square overflows; 0 if it has no direction. */
function shorten(a: v128, maxSpeed: f32): v128 {
  const x = <f64>f32x4.extract_lane(a, 0), y = <f64>f32x4.extract_lane(a, 1), z = <f64>f32x4.extract_lane(a, 2);
  const scale = min(1.0, <f64>maxSpeed / sqrt(x * x + y * y + z * z));
  return f32x4(<f32>(x * scale), <f32>(y * scale), <f32>(z * scale), 0);
}

/**
 * Goal − x of one membership: (origin − x) + (centre − origin) + R p, in this order. Far from the world's origin the
 * first difference is exact and the rest is small, so that goals carry no net impulse there either.
 */
// @ts-ignore: decorator
@inline export function towardsGoal(t: usize, q: usize, xi: v128): v128 {
  const turned = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(t, S.TRANSFORM_X), v128.load32_splat(q)), f32x4.mul(v128.load(t, S.TRANSFORM_Y), v128.load32_splat(q, 4))),
    f32x4.add(f32x4.mul(v128.load(t, S.TRANSFORM_Z), v128.load32_splat(q, 8)), v128.load(t, S.TRANSFORM_CENTRE)),
  );
  return f32x4.add(f32x4.sub(v128.load(t, S.TRANSFORM_ORIGIN), xi), turned);
}

// @ts-ignore: decorator
@inline export function lengthSquared(a: v128): f32 {
  const s = f32x4.mul(a, a);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}
