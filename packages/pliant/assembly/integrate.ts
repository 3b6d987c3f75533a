import * as S from './layout.generated';
import { xyz, yzx } from './match';

export function integrateParticles(
  start: u32, end: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, maxSpeed: f32, forces: bool,
): void {
  const x = S.x(), v = S.v(), xOld = S.xOld(), flags = S.flags(), stiffness = S.stiffness(), force = S.force();
  const linkStart = S.linkStart(), linkCluster = S.linkCluster(), link = S.link(), transform = S.transform();
  const hh = f32x4.splat(h);
  const kick = f32x4(h * gx, h * gy, h * gz, 0);
  const drag = f32x4.splat(damping);
  const perStep: f32 = 1 / h;
  const fastest = maxSpeed * maxSpeed;
  let k = load<u32>(linkStart + (start << 2));
  for (let i = start; i < end; i++) {
    const o = i << 4;
    const last = load<u32>(linkStart + (i << 2) + 4);
    const xi = v128.load(x + o);
    let vi = v128.load(v + o);
    if (!(load<u32>(flags + (i << 2)) & S.FLAG_HELD)) {
      let pull = f32x4.splat(0);
      const first = k;
      for (; k < last; k++) {
        const q = link + (k << 4);
        const t = transform + 80 * load<u32>(linkCluster + (k << 2));
        pull = f32x4.add(pull, f32x4.mul(towardsGoal(t, q, xi), v128.load32_splat(q, 12)));
      }
      let next = f32x4.add(vi, kick);
      next = f32x4.add(next, f32x4.mul(pull, f32x4.splat(load<f32>(stiffness + (i << 2)) * perStep)));
      if (damping != 0) next = f32x4.add(next, f32x4.mul(drag, blendDrag(first, last, xi, vi, rigid)));
      if (forces) next = f32x4.add(next, f32x4.mul(v128.load(force + o), f32x4.splat(h / load<f32>(x + o, 12))));
      vi = xyz(next);
      const speed = lengthSquared(vi);
      if (!(speed <= fastest)) vi = shorten(vi, maxSpeed);
      v128.store(v + o, vi);
    }
    k = last;
    v128.store(xOld + o, xi);
    // Lane 3 of v is 0, so the mass in lane 3 of x stays.
    v128.store(x + o, f32x4.add(xi, f32x4.mul(hh, vi)));
  }
}

/** Σ w (goal velocity − v) over the links of a particle. */
function blendDrag(first: u32, last: u32, xi: v128, vi: v128, rigid: bool): v128 {
  const linkCluster = S.linkCluster(), link = S.link(), motion = S.motion(), oldCentre = S.oldCentre();
  let sum = f32x4.splat(0);
  for (let k = first; k < last; k++) {
    const c = load<u32>(linkCluster + (k << 2));
    let u = f32x4.sub(v128.load(motion + (c << 5)), vi);
    if (rigid) {
      const w = v128.load(motion + (c << 5), 16);
      const r = f32x4.sub(xi, v128.load(oldCentre + (c << 4)));
      // ω × r = yzx(ω yzx(r) − yzx(ω) r)
      u = f32x4.add(u, yzx(f32x4.sub(f32x4.mul(w, yzx(r)), f32x4.mul(yzx(w), r))));
    }
    sum = f32x4.add(sum, f32x4.mul(u, v128.load32_splat(link + (k << 4), 12)));
  }
  return sum;
}

/** A velocity of maxSpeed in the same direction, by f64 so that no square overflows; 0 if it has no direction. */
function shorten(a: v128, maxSpeed: f32): v128 {
  const x = <f64>f32x4.extract_lane(a, 0), y = <f64>f32x4.extract_lane(a, 1), z = <f64>f32x4.extract_lane(a, 2);
  const scale = <f64>maxSpeed / sqrt(x * x + y * y + z * z);
  return f32x4(<f32>(x * scale), <f32>(y * scale), <f32>(z * scale), 0);
}

/**
 * Goal − x of one membership: (origin − x) + (centre − origin) + R p, in this order: far from the world's origin the first
 * difference is exact and the rest is small, so that goals carry no net impulse there either.
 */
// @ts-ignore: decorator
@inline export function towardsGoal(t: usize, q: usize, xi: v128): v128 {
  const turned = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(t), v128.load32_splat(q)), f32x4.mul(v128.load(t, 16), v128.load32_splat(q, 4))),
    f32x4.add(f32x4.mul(v128.load(t, 32), v128.load32_splat(q, 8)), v128.load(t, 48)),
  );
  return f32x4.add(f32x4.sub(v128.load(t, 64), xi), turned);
}

// @ts-ignore: decorator
@inline export function lengthSquared(a: v128): f32 {
  const s = f32x4.mul(a, a);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}
