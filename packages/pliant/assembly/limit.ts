import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { xyz, yzx } from './match';
import { splat0, splat1 } from './proxy';
import { Bent, bendOf, Plain, wayToGoal } from './soften';

/**
 * Marks the particles that need a correction; returns the number of memberships that need one
 * (src/kernels/ts/limit.ts).
 */
export function limitClusters(start: u32, end: u32, conserving: bool, bent: bool): u32 {
  return bent ? lookAt<Bent>(start, end, conserving) : lookAt<Plain>(start, end, conserving);
}

/** Scratch (src/kernels/wasm/scratchMap.ts): takes marks that count for nothing. */
const NOWHERE: usize = S.AT_LIMIT_NOWHERE;

function lookAt<B>(start: u32, end: u32, conserving: bool): u32 {
  let asking: u32 = 0;
  for (let c = start; c < end; c++) {
    const idle = load<u32>(S.refit() + (c << S.SHIFT_refit)) != S.REFIT_FITTED;
    if (conserving) asking += idle ? balanceNothing(c) : balance<B>(c);
    else if (!idle) asking += ask<B>(c);
  }
  return asking;
}

/**
 * The papers' form: only particles beyond the limit move. The fit stays in registers for the whole cluster. Up to the
 * first member beyond the limit the loop branches. After it more are likely, so that the marks are written without a
 * branch.
 */
function ask<B>(c: u32): u32 {
  const x = S.x(), wantsMove = S.wantsMove();
  const t = S.transform() + S.STRIDE_transform * c;
  const r0 = v128.load(t, S.TRANSFORM_X), r1 = v128.load(t, S.TRANSFORM_Y), r2 = v128.load(t, S.TRANSFORM_Z), centre = v128.load(t, S.TRANSFORM_CENTRE), origin = v128.load(t, S.TRANSFORM_ORIGIN);
  const limit2 = load<f32>(t, S.TRANSFORM_LIMIT2);
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart));
  let q = S.member() + (first << S.SHIFT_member);
  let index = S.memberParticle() + (first << S.SHIFT_memberParticle);
  const last = S.member() + (load<u32>(S.memberStart() + (c << S.SHIFT_memberStart), S.STRIDE_memberStart) << S.SHIFT_member);
  for (; q < last; q += S.STRIDE_member, index += S.STRIDE_memberParticle)
    if (lengthSquared(wayWith<B>(c, r0, r1, r2, centre, origin, q, v128.load(x + (load<u32>(index) << S.SHIFT_x)))) > limit2) break;
  let asking: u32 = 0;
  for (; q < last; q += S.STRIDE_member, index += S.STRIDE_memberParticle) {
    const i = load<u32>(index);
    const beyond = u32(lengthSquared(wayWith<B>(c, r0, r1, r2, centre, origin, q, v128.load(x + (i << S.SHIFT_x)))) > limit2);
    asking += beyond;
    // Other threads mark the same particles: a mark is written, never a mark that was read.
    store<u32>(select<usize>(wantsMove + (i << S.SHIFT_wantsMove), NOWHERE, beyond), 1);
  }
  return asking;
}

/** As wayToGoal, with the fit in registers. */
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

/** The conserving form: net shift and turn of a cluster's corrections. If there are any, all its members are marked. */
function balance<B>(c: u32): u32 {
  const x = S.x(), xOld = S.xOld(), wantsMove = S.wantsMove(), members = S.memberParticle();
  const t = S.transform() + S.STRIDE_transform * c;
  const limit2 = load<f32>(t, S.TRANSFORM_LIMIT2);
  const centre = v128.load(S.oldCentre() + (c << S.SHIFT_oldCentre));
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart)), last = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart), S.STRIDE_memberStart);
  let tx: f64 = 0, ty: f64 = 0, tz: f64 = 0, lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let asking: u32 = 0;
  for (let k = first; k < last; k++) {
    const q = S.member() + (k << S.SHIFT_member);
    const i = load<u32>(members + (k << S.SHIFT_memberParticle)) << S.SHIFT_x;
    const d = wayToGoal<B>(S.transform(), c, q, v128.load(x + i));
    const square = lengthSquared(d);
    if (!(square > limit2)) continue;
    asking++;
    // The same f32 numbers that sumConserving applies, so that the sums match the corrections exactly.
    const move = f32x4.mul(d, f32x4.splat(1 - sqrt(limit2 / square)));
    const mw = <f64>load<f32>(q, S.MEMBER_MASS);
    const dx = mw * <f64>f32x4.extract_lane(move, 0), dy = mw * <f64>f32x4.extract_lane(move, 1), dz = mw * <f64>f32x4.extract_lane(move, 2);
    const r = f32x4.sub(v128.load(xOld + i), centre);
    const rx = <f64>f32x4.extract_lane(r, 0), ry = <f64>f32x4.extract_lane(r, 1), rz = <f64>f32x4.extract_lane(r, 2);
    tx += dx; ty += dy; tz += dz;
    lx += ry * dz - rz * dy;
    ly += rz * dx - rx * dz;
    lz += rx * dy - ry * dx;
  }
  if (asking == 0) return balanceNothing(c);
  for (let k = first; k < last; k++) store<u32>(wantsMove + (load<u32>(members + (k << S.SHIFT_memberParticle)) << S.SHIFT_wantsMove), 1);
  const inverse = 1.0 / load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass));
  const q = S.inertiaInverse() + S.STRIDE_inertiaInverse * c;
  const xx = load<f64>(q), yy = load<f64>(q, S.SYMMETRIC_YY), zz = load<f64>(q, S.SYMMETRIC_ZZ), xy = load<f64>(q, S.SYMMETRIC_XY), xz = load<f64>(q, S.SYMMETRIC_XZ), yz = load<f64>(q, S.SYMMETRIC_YZ);
  const to = S.correction() + (c << S.SHIFT_correction);
  store<f32>(to, <f32>(tx * inverse), S.CORRECTION_SHIFT);
  store<f32>(to, <f32>(ty * inverse), S.CORRECTION_SHIFT + 4);
  store<f32>(to, <f32>(tz * inverse), S.CORRECTION_SHIFT + 8);
  store<f32>(to, <f32>(xx * lx + xy * ly + xz * lz), S.CORRECTION_TURN);
  store<f32>(to, <f32>(xy * lx + yy * ly + yz * lz), S.CORRECTION_TURN + 4);
  store<f32>(to, <f32>(xz * lx + yz * ly + zz * lz), S.CORRECTION_TURN + 8);
  return asking;
}

function balanceNothing(c: u32): u32 {
  const to = S.correction() + (c << S.SHIFT_correction);
  v128.store(to, f32x4.splat(0));
  v128.store(to, f32x4.splat(0), S.CORRECTION_TURN);
  return 0;
}

export function limitParticles(start: u32, end: u32, omega: f32, conserving: bool, all: bool, bent: bool): u32 {
  return bent ? sweep<Bent>(start, end, omega, conserving, all) : sweep<Plain>(start, end, omega, conserving, all);
}

/** One sweep, over all particles or over those marked in `wantsMove`. */
function sweep<B>(start: u32, end: u32, omega: f32, conserving: bool, all: bool): u32 {
  let moved: u32 = 0;
  if (all) {
    memory.fill(S.wantsMove() + (start << S.SHIFT_wantsMove), 0, (end - start) << S.SHIFT_wantsMove);
    if (!conserving) return sweepAll<B>(start, end, omega);
    for (let n = start; n < end; n++) moved += limitOne<B>(n, omega, true, true);
    return moved;
  }
  const listEnd = listWanting(start, end);
  for (let at = S.touching() + (start << S.SHIFT_touching); at < listEnd; at += S.STRIDE_touching) moved += limitOne<B>(load<u32>(at), omega, conserving, false);
  return moved;
}

/** One sweep of the papers' form over all particles. It leaves no marks in `refit`: all clusters are fitted again. */
function sweepAll<B>(start: u32, end: u32, omega: f32): u32 {
  const x = S.x(), flags = S.flags(), link = S.link();
  const scale = f32x4.splat(omega);
  let row = S.gatherOrder() + (start << S.SHIFT_gatherOrder);
  const rowEnd = S.gatherOrder() + (end << S.SHIFT_gatherOrder);
  let links = S.linkStart() + (start << S.SHIFT_linkStart) + S.STRIDE_linkStart;
  const first = load<u32>(links - S.STRIDE_linkStart);
  let q = link + (first << S.SHIFT_link), cluster = S.linkCluster() + (first << S.SHIFT_linkCluster);
  let moved: u32 = 0;
  for (; row < rowEnd; row += S.STRIDE_gatherOrder, links += S.STRIDE_linkStart) {
    const i = load<u32>(row);
    const last = link + (load<u32>(links) << S.SHIFT_link);
    const at = x + (i << S.SHIFT_x);
    const from = v128.load(at);
    const sum = sumCorrections<B>(from, q, last, cluster, true);
    cluster += ((last - q) >> S.SHIFT_link) << S.SHIFT_linkCluster;
    q = last;
    const to = f32x4.add(from, xyz(f32x4.mul(sum, scale)));
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_FIRM || !v128.any_true(f32x4.ne(to, from))) continue;
    v128.store(at, to);
    moved++;
  }
  return moved;
}

/**
 * Lists the places in `gatherOrder` of the marked particles, in `touching`, which contact needs only later. Returns the
 * end of the list.
 */
function listWanting(start: u32, end: u32): usize {
  const gatherOrder = S.gatherOrder(), wantsMove = S.wantsMove();
  let list = S.touching() + (start << S.SHIFT_touching);
  for (let n = start; n < end; n++) {
    const mark = wantsMove + (load<u32>(gatherOrder + (n << S.SHIFT_gatherOrder)) << S.SHIFT_wantsMove);
    store<u32>(list, n);
    list += load<u32>(mark) << S.SHIFT_touching;
    store<u32>(mark, 0);
  }
  return list;
}

/** Moves the n-th particle in gather order; returns 1 if that changed anything. */
// @ts-ignore: decorator
@inline function limitOne<B>(n: u32, omega: f32, conserving: bool, rarely: bool): u32 {
  const i = load<u32>(S.gatherOrder() + (n << S.SHIFT_gatherOrder));
  const first = load<u32>(S.linkStart() + (n << S.SHIFT_linkStart)), last = load<u32>(S.linkStart() + (n << S.SHIFT_linkStart), S.STRIDE_linkStart);
  const q = S.link() + (first << S.SHIFT_link), end = S.link() + (last << S.SHIFT_link);
  const cluster = S.linkCluster() + (first << S.SHIFT_linkCluster), clusterEnd = S.linkCluster() + (last << S.SHIFT_linkCluster);
  const sum = conserving ? sumConserving<B>(i, q, end, cluster) : sumCorrections<B>(v128.load(S.x() + (i << S.SHIFT_x)), q, end, cluster, rarely);
  if (!move(i, f32x4.mul(sum, f32x4.splat(omega)))) return 0;
  for (let at = cluster; at < clusterEnd; at += S.STRIDE_linkCluster) store<u32>(S.refit() + (load<u32>(at) << S.SHIFT_refit), S.REFIT_MOVED);
  return 1;
}

/**
 * Σ w d over the links at q..last, two at a time. `rarely`: few links need a correction; a branch that skips the others
 * saves a square root. Otherwise the branch would be mispredicted too often.
 */
// @ts-ignore: decorator
@inline function sumCorrections<B>(xi: v128, q: usize, last: usize, cluster: usize, rarely: bool): v128 {
  const transform = S.transform();
  const one = f32x4.splat(1);
  let sum = f32x4.splat(0);
  for (; q + S.STRIDE_link < last; q += 2 * S.STRIDE_link, cluster += 2 * S.STRIDE_linkCluster) {
    const a = load<u32>(cluster), b = load<u32>(cluster, S.STRIDE_linkCluster);
    const d = wayToGoal<B>(transform, a, q, xi), e = wayToGoal<B>(transform, b, q + S.STRIDE_link, xi);
    const dd = f32x4.mul(d, d), ee = f32x4.mul(e, e);
    const xy = v128.shuffle<f32>(dd, ee, 0, 4, 1, 5), z = v128.shuffle<f32>(dd, ee, 2, 6, 2, 6);
    const square = f32x4.add(f32x4.add(xy, v128.shuffle<f32>(xy, xy, 2, 3, 2, 3)), z);
    const limit2 = v128.load32_lane(transform + S.STRIDE_transform * b, v128.load32_zero(transform + S.STRIDE_transform * a, S.TRANSFORM_LIMIT2), 1, S.TRANSFORM_LIMIT2);
    if (rarely && (i32x4.bitmask(f32x4.gt(square, limit2)) & 3) == 0) continue;
    const share = f32x4.sub(one, f32x4.pmin(one, f32x4.sqrt(f32x4.div(limit2, square))));
    const w = v128.load32_lane(q, v128.load32_zero(q, S.LINK_WEIGHT), 1, S.STRIDE_link + S.LINK_WEIGHT);
    const most = f32x4.mul(w, share);
    sum = f32x4.add(sum, f32x4.add(f32x4.mul(d, splat0(most)), f32x4.mul(e, splat1(most))));
  }
  if (q < last) {
    const c = load<u32>(cluster);
    const limit2 = load<f32>(transform + S.STRIDE_transform * c, S.TRANSFORM_LIMIT2);
    const d = wayToGoal<B>(transform, c, q, xi);
    const square = lengthSquared(d);
    if (square > limit2) sum = f32x4.add(sum, f32x4.mul(d, f32x4.splat(load<f32>(q, S.LINK_WEIGHT) * (1 - sqrt(limit2 / square)))));
  }
  return sum;
}

/** Σ w (d − t − θ × (xOld − x̄_old)). */
// @ts-ignore: decorator
@inline function sumConserving<B>(i: u32, q: usize, last: usize, cluster: usize): v128 {
  const transform = S.transform(), correction = S.correction(), oldCentre = S.oldCentre();
  const xi = v128.load(S.x() + (i << S.SHIFT_x)), old = v128.load(S.xOld() + (i << S.SHIFT_xOld));
  let sum = f32x4.splat(0);
  for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
    const c = load<u32>(cluster);
    const limit2 = load<f32>(transform + S.STRIDE_transform * c, S.TRANSFORM_LIMIT2);
    const d = wayToGoal<B>(transform, c, q, xi);
    const square = lengthSquared(d);
    const turn = v128.load(correction + (c << S.SHIFT_correction), S.CORRECTION_TURN);
    const r = f32x4.sub(old, v128.load(oldCentre + (c << S.SHIFT_oldCentre)));
    let net = f32x4.add(v128.load(correction + (c << S.SHIFT_correction)), yzx(f32x4.sub(f32x4.mul(turn, yzx(r)), f32x4.mul(yzx(turn), r))));
    if (square > limit2) net = f32x4.sub(net, f32x4.mul(d, f32x4.splat(1 - sqrt(limit2 / square))));
    sum = f32x4.sub(sum, f32x4.mul(net, v128.load32_splat(q, S.LINK_WEIGHT)));
  }
  return sum;
}

/** Adds a step to a particle's position unless it is firm; returns whether that changed anything. */
// @ts-ignore: decorator
@inline function move(i: u32, by: v128): bool {
  const at = S.x() + (i << S.SHIFT_x);
  const from = v128.load(at);
  const to = f32x4.add(from, xyz(by));
  if (load<u32>(S.flags() + (i << S.SHIFT_flags)) & S.FLAG_FIRM || !v128.any_true(f32x4.ne(to, from))) return false;
  v128.store(at, to);
  return true;
}
