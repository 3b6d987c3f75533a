import * as S from './layout.generated';
import { towardsGoal, turning } from './integrate';

/** src/kernels/ts/strain.ts says what is found here. */

const PATCH: usize = 6;
const PATCH_ROW: usize = 32;

export function keepMotion(count: u32): u32 {
  const moved = S.moved();
  let found: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    found = list(moved, found, load<u32>(S.touching() + (k << 2)));
    const patch = S.patch() + PATCH_ROW * k;
    for (let n: usize = 0; n < 4 * PATCH; n += 4) found = list(moved, found, load<u32>(patch + n));
  }
  let to = S.kept();
  for (let n: u32 = 0; n < found; n++, to += 64) {
    const i = load<u32>(moved + (n << 2));
    store<u32>(S.listedFor() + (i << 2), 0);
    v128.store(to, f32x4.replace_lane(v128.load(S.x() + (i << 4)), 3, 0));
    v128.store(to, v128.load(S.v() + (i << 4)), 16);
  }
  return found;
}

// @ts-ignore: decorator
@inline function list(moved: usize, found: u32, i: u32): u32 {
  const listed = S.listedFor() + (i << 2);
  if (load<u32>(listed) != 0 || (load<u32>(S.flags() + (i << 2)) & (S.FLAG_HELD | S.FLAG_ASLEEP)) != 0) return found;
  store<u32>(listed, 1);
  store<u32>(moved + (found << 2), i);
  return found + 1;
}

export function listStrained(count: u32, clusters: u32): u32 {
  const near = S.near(), strained = S.strained();
  memory.fill(near, 0, clusters << 2);
  let found: u32 = 0;
  for (let n: u32 = 0; n < count; n++) {
    const links = S.linkStart() + (load<u32>(S.rank() + (load<u32>(S.moved() + (n << 2)) << 2)) << 2);
    const last = S.linkCluster() + (load<u32>(links, 4) << 2);
    for (let l = S.linkCluster() + (load<u32>(links) << 2); l < last; l += 4) {
      const c = load<u32>(l);
      if (load<u32>(near + (c << 2)) != 0) continue;
      store<u32>(near + (c << 2), 1);
      store<u32>(strained + (found << 2), c);
      found++;
    }
  }
  return found;
}

export function strainParticles(count: u32, before: bool): void {
  const x = S.x(), v = S.v(), link = S.link(), transform = S.transform(), motion = S.motion(), oldCentre = S.oldCentre();
  for (let n: u32 = 0; n < count; n++) {
    const i = load<u32>(S.moved() + (n << 2));
    const links = S.linkStart() + (load<u32>(S.rank() + (i << 2)) << 2);
    const last = load<u32>(links, 4);
    const xi = v128.load(x + (i << 4)), vi = v128.load(v + (i << 4));
    let off = f32x4.splat(0), beside = f32x4.splat(0);
    for (let l = load<u32>(links); l < last; l++) {
      const c = load<u32>(S.linkCluster() + (l << 2));
      const q = link + (l << 4);
      const w = v128.load32_splat(q, 12);
      off = f32x4.sub(off, f32x4.mul(w, towardsGoal(transform + 80 * c, q, xi)));
      const along = f32x4.add(v128.load(motion + (c << 5)), turning(motion + (c << 5), oldCentre + (c << 4), xi));
      beside = f32x4.add(beside, f32x4.mul(w, f32x4.sub(vi, along)));
    }
    const to = before ? S.kept() + (n << 6) + 32 : S.strain() + (n << 5);
    v128.store(to, f32x4.replace_lane(off, 3, 0));
    v128.store(to, f32x4.replace_lane(beside, 3, 0), 16);
  }
}

export function weighMotion(count: u32, h: f32): void {
  const half = f32x4.splat(0.5), halfStep = f32x4.splat(<f32>0.5 * h);
  let kept = S.kept(), strain = S.strain();
  for (let n: u32 = 0; n < count; n++, kept += 64, strain += 32) {
    const i = load<u32>(S.moved() + (n << 2));
    const x = v128.load(S.x() + (i << 4)), now = v128.load(S.v() + (i << 4));
    const m = f32x4.extract_lane(x, 3);
    const k = load<f32>(S.stiffness() + (i << 2)) * m / (h * h);
    const then = v128.load(kept, 16), off = v128.load(kept, 32), u = v128.load(kept, 48);
    const way = f32x4.sub(x, v128.load(kept)), change = f32x4.sub(now, then);
    const kinetic = sum(f32x4.mul(change, f32x4.add(now, then))), pulled = sum(f32x4.mul(change, off));
    store<f32>(strain, <f32>0.5 * m * kinetic - <f32>0.5 * h * k * pulled, 16);
    store<f32>(strain, k * sum(f32x4.mul(f32x4.sub(off, f32x4.mul(halfStep, u)), way)), 20);
    store<f32>(strain, k * sum(f32x4.mul(half, f32x4.mul(f32x4.sub(v128.load(strain), off), way))), 24);
    store<f32>(strain, m, 28);
    v128.store(kept, now, 16);
  }
}

// @ts-ignore: decorator
@inline function sum(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2);
}
