import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { xyz } from './match';
import { dot, minOf, splat0, splat1, splat2 } from './proxy';

/** src/kernels/ts/solveContacts.ts explains the method. */

/** Squared distances of the patch that is being found, then their weights, with room for eight; squared distances of four members (scratch: src/kernels/wasm/scratchMap.ts). */
const NEAREST: usize = S.AT_SOLVE_NEAREST;
const FOUR: usize = S.AT_SOLVE_FOUR;

export function describeContacts(first: u32, last: u32): void {
  memory.fill(S.contactRow() + S.STRIDE_contactRow * first, 0, S.STRIDE_contactRow * (last - first));
  for (let k = first; k < last; k++) {
    const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
    const patch = S.patch() + S.STRIDE_patch * k, row = S.contactRow() + S.STRIDE_contactRow * k;
    findPatch(patch, row, i, load<u32>(S.touchCluster() + (i << S.SHIFT_touchCluster)));
    weigh(patch, row, i);
  }
}

function findPatch(patch: usize, row: usize, i: u32, c: u32): void {
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart)), surfaceEnd = load<u32>(S.surfaceEnd() + (c << S.SHIFT_surfaceEnd));
  const hasSurfaceMembers = surfaceEnd > first + 1 || load<f32>(S.outward() + (first << S.SHIFT_outward), S.OUTWARD_HEIGHT) >= 0;
  const last = hasSurfaceMembers ? surfaceEnd : load<u32>(S.memberStart() + (c << S.SHIFT_memberStart), S.STRIDE_memberStart);
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const d = f32x4.sub(v128.load(S.x() + (i << S.SHIFT_x)), v128.load(frame, S.PROXY_FRAME_CENTRE));
  const at = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(frame, S.PROXY_FRAME_X), splat0(d)), f32x4.mul(v128.load(frame, S.PROXY_FRAME_Y), splat1(d))),
    f32x4.mul(v128.load(frame, S.PROXY_FRAME_Z), splat2(d)),
  );
  const spacing = load<f32>(S.proxySpacing() + (c << S.SHIFT_proxySpacing));
  const spacing2 = spacing * spacing;
  const found = nearestMembers(patch, c, first, last, hasSurfaceMembers, at, S.SOLVE_PATCH_REACH * spacing2);
  weighFour(NEAREST, spacing2);
  weighFour(NEAREST + 16, spacing2);
  let sum: f32 = 0;
  for (let n: u32 = 0; n < found; n++) sum += load<f32>(NEAREST + (n << 2));
  for (let n: u32 = 0; n < found; n++) store<f32>(row + S.CONTACT_ROW_WEIGHT + (n << 2), load<f32>(NEAREST + (n << 2)) / sum);
  for (let n = found; n < S.PATCH; n++) store<u32>(patch + (n << 2), load<u32>(patch));
}

/** Replaces four squared distances by weights. */
// @ts-ignore: decorator
@inline function weighFour(at: usize, spacing2: f32): void {
  const near = f32x4.add(f32x4.div(v128.load(at), f32x4.splat(spacing2)), f32x4.splat(S.SOLVE_PATCH_SOFT));
  v128.store(at, f32x4.div(f32x4.splat(1), f32x4.mul(near, near)));
}

/** Squared distances of the four members from m on, transposed into one register per coordinate. */
// @ts-ignore: decorator
@inline function distances(m: u32, ax: v128, ay: v128, az: v128): v128 {
  const p = S.member() + (m << S.SHIFT_member);
  const p0 = v128.load(p), p1 = v128.load(p, S.STRIDE_member), p2 = v128.load(p, 2 * S.STRIDE_member), p3 = v128.load(p, 3 * S.STRIDE_member);
  const a0 = v128.shuffle<f32>(p0, p1, 0, 4, 1, 5), a1 = v128.shuffle<f32>(p2, p3, 0, 4, 1, 5);
  const a2 = v128.shuffle<f32>(p0, p1, 2, 6, 3, 7), a3 = v128.shuffle<f32>(p2, p3, 2, 6, 3, 7);
  const dx = f32x4.sub(v128.shuffle<f64>(a0, a1, 0, 2), ax), dy = f32x4.sub(v128.shuffle<f64>(a0, a1, 1, 3), ay);
  const dz = f32x4.sub(v128.shuffle<f64>(a2, a3, 0, 2), az);
  return f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
}

/** Squared distance to the box around block number b of members. */
// @ts-ignore: decorator
@inline function toBlock(first: u32, b: u32, at: v128): f32 {
  const box = S.surfaceBox() + ((first + b * S.BLOCK_BOX) << S.SHIFT_surfaceBox);
  const away = f32x4.pmax(f32x4.sub(v128.load(box, S.STEP_BOX_LOW), at), f32x4.sub(at, v128.load(box, S.STEP_BOX_HIGH)));
  return lengthSquared(f32x4.pmax(away, f32x4.splat(0)));
}

/** Whether the box around block number b of members does not meet the one from `low` to `high`. */
// @ts-ignore: decorator
@inline function isOutside(first: u32, b: u32, low: v128, high: v128): bool {
  const box = S.surfaceBox() + ((first + b * S.BLOCK_BOX) << S.SHIFT_surfaceBox);
  return (i32x4.bitmask(v128.or(f32x4.lt(v128.load(box, S.STEP_BOX_HIGH), low), f32x4.gt(v128.load(box, S.STEP_BOX_LOW), high))) & 7) != 0;
}

/**
 * Sets the distances of members that do not count to infinity: those beyond the last, and the first (nearest the
 * centre) if it is no surface member.
 */
// @ts-ignore: decorator
@inline function without(d2: v128, m: u32, last: u32, first: u32, inner: bool): v128 {
  const lanes = i32x4.add(i32x4.splat(m), i32x4(0, 1, 2, 3));
  const counts = i32x4.lt_s(lanes, i32x4.splat(last));
  const centre = inner ? i32x4.eq(lanes, i32x4.splat(first)) : i32x4.splat(0);
  return v128.bitselect(d2, f32x4.splat(Infinity), v128.andnot(counts, centre));
}

/** The block with the nearest box. Starting there, most other blocks are too far. */
function nearestBlock(first: u32, blocks: u32, at: v128): u32 {
  let best: u32 = 0;
  let least = toBlock(first, 0, at);
  for (let b: u32 = 1; b < blocks && least > 0; b++) {
    const d2 = toBlock(first, b, at);
    best = d2 < least ? b : best;
    least = d2 < least ? d2 : least;
  }
  return best;
}

/** The last call of nearestMembers: its cluster, and the block in which the nearest member was. The next contact is mostly beside it. Any block to begin with finds the same. */
let lastCluster: u32 = -1;
let lastBlock: u32 = 0;

/** A member and its squared distance as one number: the nearest is the least, and of two at the same distance the first in the cluster. Distances are not negative, so their bits are in their order. */
// @ts-ignore: decorator
@inline function keyOf(d2: f32, m: u32): u64 { return (<u64>reinterpret<u32>(d2) << 32) | <u64>m; }
// @ts-ignore: decorator
@inline function distanceOf(key: u64): f32 { return reinterpret<f32>(<u32>(key >> 32)); }
/** Stands for no member: farther than any. */
const NONE: u64 = 0x7f800000ffffffff;

/** Writes a member of the patch, unless it is farther than `bound`. Returns whether it did. */
// @ts-ignore: decorator
@inline function keep(patch: usize, n: usize, key: u64, bound: f32): u32 {
  if (key == NONE || distanceOf(key) > bound) return 0;
  store<f32>(NEAREST + 4 * n, distanceOf(key));
  store<u32>(patch + 4 * n, load<u32>(S.memberParticle() + (<u32>key << S.SHIFT_memberParticle)));
  return 1;
}

/** Least squared distance of members from `block` on, up to `end`. */
// @ts-ignore: decorator
@inline function nearestIn(block: u32, end: u32, last: u32, first: u32, inner: bool, ax: v128, ay: v128, az: v128): f32 {
  let least = f32x4.splat(Infinity);
  for (let m = block; m < end; m += 4) {
    let d2 = distances(m, ax, ay, az);
    if (m + 4 > last || m == first) d2 = without(d2, m, last, first, inner);
    least = f32x4.pmin(least, d2);
  }
  return minOf(least);
}

/**
 * Lists in `patch` up to S.PATCH of the nearest members, no farther than the nearest by more than `reach` (squares). Of
 * two at the same distance the first in the cluster wins. Returns their number.
 */
function nearestMembers(patch: usize, c: u32, first: u32, last: u32, hasSurfaceMembers: bool, at: v128, reach: f32): u32 {
  const ax = splat0(at), ay = splat1(at), az = splat2(at);
  const boxes = hasSurfaceMembers && last - first >= S.BLOCK_LEAST, inner = hasSurfaceMembers && load<f32>(S.outward() + (first << S.SHIFT_outward), S.OUTWARD_HEIGHT) < 0;
  const blocks = (last - first + S.BLOCK_SIZE - 1) / S.BLOCK_SIZE;
  const begin: u32 = !boxes ? 0 : c == lastCluster && lastBlock < blocks ? lastBlock : nearestBlock(first, blocks, at);
  // Sorted. Each new member goes down the line and displaces what is farther: without a branch, which would be mispredicted.
  let a0 = NONE, a1 = NONE, a2 = NONE, a3 = NONE, a4 = NONE, a5 = NONE;
  let farthest: f32 = f32.MAX_VALUE;
  // A box around all that is not farther than that; its edges are longer by more than rounding takes.
  let low = f32x4.splat(-Infinity), high = f32x4.splat(Infinity);
  const rounding = f32x4.mul(f32x4.abs(at), f32x4.splat(1e-6));
  for (let k: u32 = 0; k < blocks; k++) {
    const b = k == 0 ? begin : k - u32(k <= begin);
    if (boxes && isOutside(first, b, low, high)) continue;
    const block = first + b * S.BLOCK_SIZE;
    const end = min(block + S.BLOCK_SIZE, last);
    // Of the first block those that are too far from the nearest in it are not put in line.
    if (k == 0) farthest = min(nearestIn(block, end, last, first, inner, ax, ay, az) + reach, f32.MAX_VALUE);
    for (let m = block; m < end; m += 4) {
      let d2 = distances(m, ax, ay, az);
      if (m + 4 > last || m == first) d2 = without(d2, m, last, first, inner);
      let hits = i32x4.bitmask(f32x4.le(d2, f32x4.splat(farthest)));
      if (hits == 0) continue;
      v128.store(FOUR, d2);
      for (; hits != 0; hits &= hits - 1) {
        const lane = <u32>ctz(hits);
        let key = keyOf(load<f32>(FOUR + (lane << 2)), m + lane), nearer: u64;
        nearer = min(a0, key); key = max(a0, key); a0 = nearer;
        nearer = min(a1, key); key = max(a1, key); a1 = nearer;
        nearer = min(a2, key); key = max(a2, key); a2 = nearer;
        nearer = min(a3, key); key = max(a3, key); a3 = nearer;
        nearer = min(a4, key); key = max(a4, key); a4 = nearer;
        a5 = min(a5, key);
      }
      farthest = min(distanceOf(a0) + reach, min(distanceOf(a5), f32.MAX_VALUE));
    }
    const way = f32x4.add(f32x4.splat(<f32>1.00001 * sqrt(farthest)), rounding);
    low = f32x4.sub(at, way);
    high = f32x4.add(at, way);
  }
  if (a0 == NONE) return 0;
  lastCluster = c;
  lastBlock = (<u32>a0 - first) / S.BLOCK_SIZE;
  const bound = distanceOf(a0) + reach;
  return keep(patch, 0, a0, bound) + keep(patch, 1, a1, bound) + keep(patch, 2, a2, bound) + keep(patch, 3, a3, bound) + keep(patch, 4, a4, bound) + keep(patch, 5, a5, bound);
}

function weigh(patch: usize, row: usize, i: u32): void {
  let softness = inverseMass(i);
  store<f32>(row, softness, S.CONTACT_ROW_PARTICLE_INVERSE_MASS);
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const w = load<f32>(row + S.CONTACT_ROW_WEIGHT + n);
    const push = w * inverseMass(load<u32>(patch + n));
    store<f32>(row + S.CONTACT_ROW_PATCH_INVERSE_MASS + n, push);
    softness += w * push;
  }
  store<f32>(row, softness, S.CONTACT_ROW_INVERSE_MASS);
}

// @ts-ignore: decorator
@inline function inverseMass(i: u32): f32 {
  const fixed = load<u32>(S.flags() + (i << S.SHIFT_flags)) & (S.FLAG_HELD | S.FLAG_ASLEEP);
  return fixed ? 0 : <f32>1 / load<f32>(S.x() + (i << S.SHIFT_x), S.X_MASS);
}

export function solveVelocities(count: u32, slow: f32): u32 {
  const v = S.v();
  let fast: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
    const rel = relativeMotion(v, i, S.patch() + S.STRIDE_patch * k, S.contactRow() + S.STRIDE_contactRow * k);
    if (dot(rel, v128.load(S.touch() + (i << S.SHIFT_touch))) >= -slow) store<f32>(S.contactRow() + S.STRIDE_contactRow * k, 0, S.CONTACT_ROW_RESTITUTION);
    else fast++;
  }
  sweep(v, count, S.SOLVE_VELOCITY_SWEEPS, false);
  return fast;
}

export function bounceVelocities(count: u32): void {
  for (let k: u32 = 0; k < count; k++) giveBack(k);
}

export function solvePositions(count: u32, h: f32): void {
  const contactShift = S.contactShift();
  for (let k: u32 = 0; k < count; k++) {
    const row = S.contactRow() + S.STRIDE_contactRow * k;
    give(contactShift, load<u32>(S.touching() + (k << S.SHIFT_touching)), S.patch() + S.STRIDE_patch * k, row, f32x4.mul(f32x4.splat(h), v128.load(row, S.CONTACT_ROW_FRICTION_IMPULSE)));
  }
  moveAll(count);
  sweep(contactShift, count, S.SOLVE_POSITION_SWEEPS, true);
  for (let k: u32 = 0; k < count; k++) rollBack(k);
  moveAll(count);
}

function sweep(u: usize, count: u32, sweeps: u32, shifts: bool): void {
  let total: f64 = 0;
  for (let n: u32 = 0; n < sweeps; n++) {
    let given: f64 = 0;
    for (let k: u32 = 0; k < count; k++) given += <f64>push(u, k, shifts);
    total += given;
    if (given < <f64>S.SOLVE_CONVERGED * total) break;
  }
}

/** v_i − Σ w v_k. Its last lane is 0, as those of v and contactShift are. */
// @ts-ignore: decorator
@inline function relativeMotion(u: usize, i: u32, patch: usize, row: usize): v128 {
  let rel = v128.load(u + (i << S.SHIFT_x));
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const w = v128.load_splat<f32>(row + S.CONTACT_ROW_WEIGHT + n);
    rel = f32x4.sub(rel, f32x4.mul(w, v128.load(u + (load<u32>(patch + n) << S.SHIFT_x))));
  }
  return rel;
}

function push(u: usize, k: u32, shifts: bool): f32 {
  const row = S.contactRow() + S.STRIDE_contactRow * k;
  const soft = load<f32>(row, S.CONTACT_ROW_INVERSE_MASS);
  if (soft == 0) return 0;
  const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
  const patch = S.patch() + S.STRIDE_patch * k;
  const normal = xyz(v128.load(S.touch() + (i << S.SHIFT_touch)));
  const along = row + (shifts ? S.CONTACT_ROW_NORMAL_SHIFT : S.CONTACT_ROW_NORMAL_IMPULSE), across = row + (shifts ? S.CONTACT_ROW_FRICTION_SHIFT : S.CONTACT_ROW_FRICTION_IMPULSE);
  const goal: f32 = shifts ? load<f32>(row, S.CONTACT_ROW_GOAL) : 0;
  let mu = load<f32>(row, S.CONTACT_ROW_FRICTION);
  if (shifts) mu = min(mu, S.SOLVE_STEADY);
  const rel = relativeMotion(u, i, patch, row);
  const out = dot(rel, normal);
  const j = max(<f32>0, goal - out) / soft;
  const pressed = load<f32>(along) + j;
  store<f32>(along, pressed);
  if (j > 0 && !shifts) store<f32>(row, load<f32>(row, S.CONTACT_ROW_STOPPED_SQUARES) + out * out, S.CONTACT_ROW_STOPPED_SQUARES);
  const tangent = f32x4.sub(rel, f32x4.mul(f32x4.splat(out), normal));
  const sliding = sqrt(lengthSquared(tangent));
  const used = v128.load(across);
  const left = max(<f32>0, mu * pressed - sqrt(lengthSquared(used)));
  const slip: f32 = sliding > 0 ? min(<f32>1 / soft, left / sliding) : 0;
  if (j == 0 && slip == 0) return 0;
  const drag = f32x4.mul(f32x4.splat(slip), tangent);
  v128.store(across, f32x4.sub(used, drag));
  give(u, i, patch, row, f32x4.sub(f32x4.mul(f32x4.splat(j), normal), drag));
  return j + slip * sliding;
}

// @ts-ignore: decorator
@inline function give(u: usize, i: u32, patch: usize, row: usize, impulse: v128): void {
  add(u, i, f32x4.mul(v128.load_splat<f32>(row + S.CONTACT_ROW_PARTICLE_INVERSE_MASS), impulse));
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const at = u + (load<u32>(patch + n) << S.SHIFT_x);
    v128.store(at, f32x4.sub(v128.load(at), f32x4.mul(v128.load_splat<f32>(row + S.CONTACT_ROW_PATCH_INVERSE_MASS + n), impulse)));
  }
}

// @ts-ignore: decorator
@inline function add(u: usize, i: u32, change: v128): void {
  v128.store(u + (i << S.SHIFT_x), f32x4.add(v128.load(u + (i << S.SHIFT_x)), change));
}

function giveBack(k: u32): void {
  const row = S.contactRow() + S.STRIDE_contactRow * k;
  const e = load<f32>(row, S.CONTACT_ROW_RESTITUTION), stopped = load<f32>(row, S.CONTACT_ROW_STOPPED_SQUARES);
  if (e == 0 || stopped == 0) return;
  const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
  const patch = S.patch() + S.STRIDE_patch * k;
  const normal = xyz(v128.load(S.touch() + (i << S.SHIFT_touch)));
  const out = dot(relativeMotion(S.v(), i, patch, row), normal);
  const parting = max(<f32>0, out);
  const j = (sqrt(parting * parting + e * e * stopped) - out) / load<f32>(row, S.CONTACT_ROW_INVERSE_MASS);
  give(S.v(), i, patch, row, f32x4.mul(f32x4.splat(j), normal));
  store<f32>(row, load<f32>(row, S.CONTACT_ROW_NORMAL_IMPULSE) + j, S.CONTACT_ROW_NORMAL_IMPULSE);
}

function rollBack(k: u32): void {
  const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
  if (load<f32>(S.contactRow() + S.STRIDE_contactRow * k, S.CONTACT_ROW_PARTICLE_INVERSE_MASS) == 0) return;
  const touch = v128.load(S.touch() + (i << S.SHIFT_touch));
  const normal = xyz(touch);
  const came = -dot(normal, f32x4.sub(v128.load(S.x() + (i << S.SHIFT_x)), v128.load(S.xOld() + (i << S.SHIFT_xOld))));
  const radius = load<f32>(S.proxyRadius() + (load<u32>(S.touchCluster() + (i << S.SHIFT_touchCluster)) << S.SHIFT_proxyRadius));
  const deep = f32x4.extract_lane(touch, 3) - S.SOLVE_SHARED_DEPTH * radius;
  const back = max(<f32>0, min(came, deep));
  add(S.x(), i, f32x4.mul(f32x4.splat(back), normal));
}

function moveAll(count: u32): void {
  const x = S.x(), contactShift = S.contactShift();
  for (let k: u32 = 0; k < count; k++) {
    move(x, contactShift, load<u32>(S.touching() + (k << S.SHIFT_touching)));
    const patch = S.patch() + S.STRIDE_patch * k;
    for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) move(x, contactShift, load<u32>(patch + n));
  }
}

// @ts-ignore: decorator
@inline function move(x: usize, shift: usize, i: u32): void {
  const at = shift + (i << S.SHIFT_contactShift);
  add(x, i, v128.load(at));
  v128.store(at, f32x4.splat(0));
}
