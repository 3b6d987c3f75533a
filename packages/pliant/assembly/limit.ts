import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { FITTED, MOVED, xyz, yzx } from './match';
import { splat0, splat1 } from './proxy';
import { Bent, bendOf, Plain, wayToGoal } from './soften';

/** Marks the particles that some cluster asks to move; returns how many memberships ask (src/kernels/ts/limit.ts). */
export function limitClusters(start: u32, end: u32, conserving: bool, bent: bool): u32 {
  return bent ? lookAt<Bent>(start, end, conserving) : lookAt<Plain>(start, end, conserving);
}

function lookAt<B>(start: u32, end: u32, conserving: bool): u32 {
  let asking: u32 = 0;
  for (let c = start; c < end; c++) {
    const idle = load<u32>(S.stirred() + (c << 2)) != FITTED;
    if (conserving) asking += idle ? balanceNothing(c) : balance<B>(c);
    else if (!idle) asking += ask<B>(c);
  }
  return asking;
}

/**
 * The papers' form: only the particles beyond the limit move. The fit stays in registers for the whole cluster. From the first member that is beyond
 * on, others are expected to be, and marked or not without a guess which.
 */
function ask<B>(c: u32): u32 {
  const x = S.x(), asked = S.asked();
  const t = S.transform() + 80 * c;
  const r0 = v128.load(t), r1 = v128.load(t, 16), r2 = v128.load(t, 32), centre = v128.load(t, 48), origin = v128.load(t, 64);
  const limit2 = load<f32>(t, 60);
  const first = load<u32>(S.memberStart() + (c << 2));
  let q = S.member() + (first << 4);
  let index = S.memberParticle() + (first << 2);
  const last = S.member() + (load<u32>(S.memberStart() + (c << 2), 4) << 4);
  for (; q < last; q += 16, index += 4)
    if (lengthSquared(wayWith<B>(c, r0, r1, r2, centre, origin, q, v128.load(x + (load<u32>(index) << 4)))) > limit2) break;
  let asking: u32 = 0;
  for (; q < last; q += 16, index += 4) {
    const i = load<u32>(index);
    const beyond = u32(lengthSquared(wayWith<B>(c, r0, r1, r2, centre, origin, q, v128.load(x + (i << 4)))) > limit2);
    asking += beyond;
    store<u32>(asked + (i << 2), load<u32>(asked + (i << 2)) | beyond);
  }
  return asking;
}

/** As wayToGoal, of a fit at hand. */
// @ts-ignore: decorator
@inline function wayWith<B>(c: u32, r0: v128, r1: v128, r2: v128, centre: v128, origin: v128, q: usize, xi: v128): v128 {
  const turned = f32x4.add(
    f32x4.add(f32x4.mul(r0, v128.load32_splat(q)), f32x4.mul(r1, v128.load32_splat(q, 4))),
    f32x4.add(f32x4.mul(r2, v128.load32_splat(q, 8)), centre),
  );
  const d = f32x4.add(f32x4.sub(origin, xi), turned);
  if (isFloat<B>()) return f32x4.add(d, bendOf(c, q));
  return d;
}

/** The conserving form: net shift and turn of a cluster's corrections; if there are any, all its members move. */
function balance<B>(c: u32): u32 {
  const x = S.x(), xOld = S.xOld(), asked = S.asked(), members = S.memberParticle();
  const t = S.transform() + 80 * c;
  const limit2 = load<f32>(t, 60);
  const centre = v128.load(S.oldCentre() + (c << 4));
  const first = load<u32>(S.memberStart() + (c << 2)), last = load<u32>(S.memberStart() + (c << 2), 4);
  let tx: f64 = 0, ty: f64 = 0, tz: f64 = 0, lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let asking: u32 = 0;
  for (let k = first; k < last; k++) {
    const q = S.member() + (k << 4);
    const i = load<u32>(members + (k << 2)) << 4;
    const d = wayToGoal<B>(S.transform(), c, q, v128.load(x + i));
    const square = lengthSquared(d);
    if (!(square > limit2)) continue;
    asking++;
    // The same f32 numbers that sumConserving will apply, so that what is taken out is what is put in.
    const move = f32x4.mul(d, f32x4.splat(1 - sqrt(limit2 / square)));
    const mw = <f64>load<f32>(q, 12);
    const dx = mw * <f64>f32x4.extract_lane(move, 0), dy = mw * <f64>f32x4.extract_lane(move, 1), dz = mw * <f64>f32x4.extract_lane(move, 2);
    const r = f32x4.sub(v128.load(xOld + i), centre);
    const rx = <f64>f32x4.extract_lane(r, 0), ry = <f64>f32x4.extract_lane(r, 1), rz = <f64>f32x4.extract_lane(r, 2);
    tx += dx; ty += dy; tz += dz;
    lx += ry * dz - rz * dy;
    ly += rz * dx - rx * dz;
    lz += rx * dy - ry * dx;
  }
  if (asking == 0) return balanceNothing(c);
  for (let k = first; k < last; k++) store<u32>(asked + (load<u32>(members + (k << 2)) << 2), 1);
  const inverse = 1.0 / load<f64>(S.clusterMass() + (c << 3));
  const q = S.inertiaInverse() + 48 * c;
  const xx = load<f64>(q), yy = load<f64>(q, 8), zz = load<f64>(q, 16), xy = load<f64>(q, 24), xz = load<f64>(q, 32), yz = load<f64>(q, 40);
  const to = S.correction() + (c << 5);
  store<f32>(to, <f32>(tx * inverse));
  store<f32>(to, <f32>(ty * inverse), 4);
  store<f32>(to, <f32>(tz * inverse), 8);
  store<f32>(to, <f32>(xx * lx + xy * ly + xz * lz), 16);
  store<f32>(to, <f32>(xy * lx + yy * ly + yz * lz), 20);
  store<f32>(to, <f32>(xz * lx + yz * ly + zz * lz), 24);
  return asking;
}

function balanceNothing(c: u32): u32 {
  const to = S.correction() + (c << 5);
  v128.store(to, f32x4.splat(0));
  v128.store(to, f32x4.splat(0), 16);
  return 0;
}

export function limitParticles(start: u32, end: u32, omega: f32, conserving: bool, all: bool, bent: bool): u32 {
  return bent ? sweep<Bent>(start, end, omega, conserving, all) : sweep<Plain>(start, end, omega, conserving, all);
}

/** One sweep, over all particles or those that are asked. */
function sweep<B>(start: u32, end: u32, omega: f32, conserving: bool, all: bool): u32 {
  let moved: u32 = 0;
  if (all) {
    memory.fill(S.asked() + (start << 2), 0, (end - start) << 2);
    for (let n = start; n < end; n++) moved += limitOne<B>(n, omega, conserving, true);
    return moved;
  }
  const listEnd = listAsked(start, end);
  for (let at = S.touching(); at < listEnd; at += 4) moved += limitOne<B>(load<u32>(at), omega, conserving, false);
  return moved;
}

/** Their places in `gather`, in `touching`, which contact needs only later. Returns where the list ends. */
function listAsked(start: u32, end: u32): usize {
  const gather = S.gather(), asked = S.asked();
  let list = S.touching();
  for (let n = start; n < end; n++) {
    const mark = asked + (load<u32>(gather + (n << 2)) << 2);
    store<u32>(list, n);
    list += load<u32>(mark) << 2;
    store<u32>(mark, 0);
  }
  return list;
}

/** Moves the n-th particle in gather order; returns 1 if that changed anything. */
// @ts-ignore: decorator
@inline function limitOne<B>(n: u32, omega: f32, conserving: bool, rarely: bool): u32 {
  const i = load<u32>(S.gather() + (n << 2));
  const first = load<u32>(S.linkStart() + (n << 2)), last = load<u32>(S.linkStart() + (n << 2), 4);
  const q = S.link() + (first << 4), end = S.link() + (last << 4);
  const cluster = S.linkCluster() + (first << 2), clusterEnd = S.linkCluster() + (last << 2);
  const sum = conserving ? sumConserving<B>(i, q, end, cluster) : sumCorrections<B>(i, q, end, cluster, rarely);
  if (!move(i, f32x4.mul(sum, f32x4.splat(omega)))) return 0;
  for (let at = cluster; at < clusterEnd; at += 4) store<u32>(S.stirred() + (load<u32>(at) << 2), MOVED);
  return 1;
}

/** Σ w d over the links at q..last, two at a time. Where links that ask are rare, a guess that none does saves a square root; else it is wrong too often. */
// @ts-ignore: decorator
@inline function sumCorrections<B>(i: u32, q: usize, last: usize, cluster: usize, rarely: bool): v128 {
  const transform = S.transform();
  const xi = v128.load(S.x() + (i << 4));
  const one = f32x4.splat(1);
  let sum = f32x4.splat(0);
  for (; q + 16 < last; q += 32, cluster += 8) {
    const a = load<u32>(cluster), b = load<u32>(cluster, 4);
    const d = wayToGoal<B>(transform, a, q, xi), e = wayToGoal<B>(transform, b, q + 16, xi);
    const dd = f32x4.mul(d, d), ee = f32x4.mul(e, e);
    const xy = v128.shuffle<f32>(dd, ee, 0, 4, 1, 5), z = v128.shuffle<f32>(dd, ee, 2, 6, 2, 6);
    const square = f32x4.add(f32x4.add(xy, v128.shuffle<f32>(xy, xy, 2, 3, 2, 3)), z);
    const limit2 = v128.load32_lane(transform + 80 * b, v128.load32_zero(transform + 80 * a, 60), 1, 60);
    if (rarely && (i32x4.bitmask(f32x4.gt(square, limit2)) & 3) == 0) continue;
    const share = f32x4.sub(one, f32x4.pmin(one, f32x4.sqrt(f32x4.div(limit2, square))));
    const w = v128.load32_lane(q, v128.load32_zero(q, 12), 1, 28);
    const most = f32x4.mul(w, share);
    sum = f32x4.add(sum, f32x4.add(f32x4.mul(d, splat0(most)), f32x4.mul(e, splat1(most))));
  }
  if (q < last) {
    const c = load<u32>(cluster);
    const limit2 = load<f32>(transform + 80 * c, 60);
    const d = wayToGoal<B>(transform, c, q, xi);
    const square = lengthSquared(d);
    if (square > limit2) sum = f32x4.add(sum, f32x4.mul(d, f32x4.splat(load<f32>(q, 12) * (1 - sqrt(limit2 / square)))));
  }
  return sum;
}

/** Σ w (d − t − θ × (xOld − x̄_old)). */
// @ts-ignore: decorator
@inline function sumConserving<B>(i: u32, q: usize, last: usize, cluster: usize): v128 {
  const transform = S.transform(), correction = S.correction(), oldCentre = S.oldCentre();
  const xi = v128.load(S.x() + (i << 4)), old = v128.load(S.xOld() + (i << 4));
  let sum = f32x4.splat(0);
  for (; q < last; q += 16, cluster += 4) {
    const c = load<u32>(cluster);
    const limit2 = load<f32>(transform + 80 * c, 60);
    const d = wayToGoal<B>(transform, c, q, xi);
    const square = lengthSquared(d);
    const turn = v128.load(correction + (c << 5), 16);
    const r = f32x4.sub(old, v128.load(oldCentre + (c << 4)));
    let net = f32x4.add(v128.load(correction + (c << 5)), yzx(f32x4.sub(f32x4.mul(turn, yzx(r)), f32x4.mul(yzx(turn), r))));
    if (square > limit2) net = f32x4.sub(net, f32x4.mul(d, f32x4.splat(1 - sqrt(limit2 / square))));
    sum = f32x4.sub(sum, f32x4.mul(net, v128.load32_splat(q, 12)));
  }
  return sum;
}

/** Adds a step to a particle's position unless it is firm; returns whether that changed anything. */
// @ts-ignore: decorator
@inline function move(i: u32, by: v128): bool {
  const at = S.x() + (i << 4);
  const from = v128.load(at);
  const to = f32x4.add(from, xyz(by));
  if (load<u32>(S.flags() + (i << 2)) & S.FLAG_FIRM || !v128.any_true(f32x4.ne(to, from))) return false;
  v128.store(at, to);
  return true;
}
