import * as S from './layout.generated';
import { towardsGoal, turning } from './integrate';

/** src/kernels/ts/strain.ts explains the quantities. */

export function keepMotion(count: u32): u32 {
  const moved = S.moved();
  let found: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    found = list(moved, found, load<u32>(S.touching() + (k << S.SHIFT_touching)));
    const patch = S.patch() + S.STRIDE_patch * k;
    for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) found = list(moved, found, load<u32>(patch + n));
  }
  let to = S.beforeContact();
  for (let n: u32 = 0; n < found; n++, to += S.STRIDE_beforeContact) {
    const i = load<u32>(moved + (n << S.SHIFT_moved));
    store<u32>(S.listedFor() + (i << S.SHIFT_listedFor), 0);
    v128.store(to, f32x4.replace_lane(v128.load(S.x() + (i << S.SHIFT_x)), 3, 0), S.BEFORE_CONTACT_X);
    v128.store(to, v128.load(S.v() + (i << S.SHIFT_v)), S.BEFORE_CONTACT_V);
  }
  return found;
}

// @ts-ignore: decorator
@inline function list(moved: usize, found: u32, i: u32): u32 {
  const listed = S.listedFor() + (i << S.SHIFT_listedFor);
  if (load<u32>(listed) != 0 || (load<u32>(S.flags() + (i << S.SHIFT_flags)) & (S.FLAG_HELD | S.FLAG_ASLEEP)) != 0) return found;
  store<u32>(listed, 1);
  store<u32>(moved + (found << S.SHIFT_moved), i);
  return found + 1;
}

export function listMovedClusters(count: u32, clusters: u32): u32 {
  const sharesWith = S.sharesWith(), movedClusters = S.movedClusters();
  memory.fill(sharesWith, 0, clusters << S.SHIFT_sharesWith);
  let found: u32 = 0;
  for (let n: u32 = 0; n < count; n++) {
    const links = S.linkStart() + (load<u32>(S.gatherRank() + (load<u32>(S.moved() + (n << S.SHIFT_moved)) << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
    const last = S.linkCluster() + (load<u32>(links, S.STRIDE_linkStart) << S.SHIFT_linkCluster);
    for (let l = S.linkCluster() + (load<u32>(links) << S.SHIFT_linkCluster); l < last; l += S.STRIDE_linkCluster) {
      const c = load<u32>(l);
      if (load<u32>(sharesWith + (c << S.SHIFT_sharesWith)) != 0) continue;
      store<u32>(sharesWith + (c << S.SHIFT_sharesWith), 1);
      store<u32>(movedClusters + (found << S.SHIFT_movedClusters), c);
      found++;
    }
  }
  return found;
}

export function strainParticles(start: u32, end: u32, before: bool): void {
  const x = S.x(), v = S.v(), link = S.link(), transform = S.transform(), motion = S.motion(), oldCentre = S.oldCentre();
  for (let n = start; n < end; n++) {
    const i = load<u32>(S.moved() + (n << S.SHIFT_moved));
    const links = S.linkStart() + (load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
    const last = load<u32>(links, S.STRIDE_linkStart);
    const xi = v128.load(x + (i << S.SHIFT_x)), vi = v128.load(v + (i << S.SHIFT_v));
    let off = f32x4.splat(0), beside = f32x4.splat(0);
    for (let l = load<u32>(links); l < last; l++) {
      const c = load<u32>(S.linkCluster() + (l << S.SHIFT_linkCluster));
      const q = link + (l << S.SHIFT_link);
      const w = v128.load32_splat(q, S.LINK_WEIGHT);
      const goal = transform + S.STRIDE_transform * c;
      const lawful = load<f32>(S.softness() + (c << S.SHIFT_softness), S.SOFTNESS_LAW) == 1;
      const alpha = lawful ? v128.load32_splat(goal, S.TRANSFORM_SHARE) : v128.load32_splat(S.stiffness() + (i << S.SHIFT_stiffness));
      off = f32x4.sub(off, f32x4.mul(f32x4.mul(w, alpha), towardsGoal(goal, q, xi)));
      const along = f32x4.add(v128.load(motion + (c << S.SHIFT_motion)), turning(motion + (c << S.SHIFT_motion), oldCentre + (c << S.SHIFT_oldCentre), xi));
      beside = f32x4.add(beside, f32x4.mul(w, f32x4.sub(vi, along)));
    }
    const to = before ? S.beforeContact() + (n << S.SHIFT_beforeContact) + S.BEFORE_CONTACT_OFF : S.goalOffset() + (n << S.SHIFT_goalOffset);
    v128.store(to, f32x4.replace_lane(off, 3, 0), S.GOAL_OFFSET_OFF);
    v128.store(to, f32x4.replace_lane(beside, 3, 0), S.GOAL_OFFSET_BESIDE);
  }
}

export function weighMotion(start: u32, end: u32, h: f32): void {
  const half = f32x4.splat(0.5), halfStep = f32x4.splat(<f32>0.5 * h);
  let beforeContact = S.beforeContact() + S.STRIDE_beforeContact * start, goalOffset = S.goalOffset() + S.STRIDE_goalOffset * start;
  for (let n = start; n < end; n++, beforeContact += S.STRIDE_beforeContact, goalOffset += S.STRIDE_goalOffset) {
    const i = load<u32>(S.moved() + (n << S.SHIFT_moved));
    const x = v128.load(S.x() + (i << S.SHIFT_x)), now = v128.load(S.v() + (i << S.SHIFT_v));
    const m = f32x4.extract_lane(x, 3);
    const k = m / (h * h);
    const then = v128.load(beforeContact, S.BEFORE_CONTACT_V), off = v128.load(beforeContact, S.BEFORE_CONTACT_OFF), u = v128.load(beforeContact, S.BEFORE_CONTACT_BESIDE);
    const way = f32x4.sub(x, v128.load(beforeContact, S.BEFORE_CONTACT_X)), change = f32x4.sub(now, then);
    const kinetic = sum(f32x4.mul(change, f32x4.add(now, then))), pulled = sum(f32x4.mul(change, off));
    store<f32>(goalOffset, <f32>0.5 * m * kinetic - <f32>0.5 * h * k * pulled, S.GOAL_OFFSET_BY_VELOCITY);
    store<f32>(goalOffset, k * sum(f32x4.mul(f32x4.sub(off, f32x4.mul(halfStep, u)), way)), S.GOAL_OFFSET_L);
    store<f32>(goalOffset, k * sum(f32x4.mul(half, f32x4.mul(f32x4.sub(v128.load(goalOffset, S.GOAL_OFFSET_OFF), off), way))), S.GOAL_OFFSET_Q);
    store<f32>(goalOffset, m, S.GOAL_OFFSET_MASS);
    v128.store(beforeContact, now, S.BEFORE_CONTACT_V);
  }
}

// @ts-ignore: decorator
@inline function sum(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2);
}
