import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { high, low, xyz } from './match';
import { enter, enterProxy, entry, placeProxy, splat0, splat1, splat2 } from './proxy';

/** Stack of a tree walk (scratch: src/kernels/wasm/scratchMap.ts). src/kernels/ts/touch.ts states its depth. */
const STACK: usize = S.AT_TOUCH_STACK;

// Where the call that runs has its candidates, its lists of them, and the particles that it found.
let candidates: usize = 0;
let lists: usize = 0;
let found: usize = 0;
/** Particle from whose rows on the call works. */
let firstRow: u32 = 0;

/** A call of a body may run beside those of others, if each works from the rows of its first particle on. */
// @ts-ignore: decorator
@inline function workFrom(first: u32, list: usize): void {
  firstRow = first;
  candidates = S.candidate() + (first << S.SHIFT_candidate);
  lists = S.contactRow() + S.STRIDE_contactRow * first;
  found = list;
}

/** A row of `stepBox` holds the bounds of a particle's path. It is read once per membership: one cache line, not one of x and one of xOld. */
export function boundParticles(first: u32, last: u32): void {
  const x = S.x(), xOld = S.xOld(), stepBox = S.stepBox(), flags = S.flags();
  for (let i = first; i < last; i++) {
    const now = v128.load(x + (i << S.SHIFT_x)), then = v128.load(xOld + (i << S.SHIFT_xOld));
    const step = f32x4.sub(now, then), odd = f32x4.sub(step, step);
    v128.store(stepBox + (i << S.SHIFT_stepBox), xyz(f32x4.add(f32x4.pmin(now, then), odd)), S.STEP_BOX_LOW);
    const aside: f32 = (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_INNER) != 0 ? S.TOUCH_ASIDE : 0;
    v128.store(stepBox + (i << S.SHIFT_stepBox), f32x4.replace_lane(f32x4.add(f32x4.pmax(now, then), odd), 3, aside), S.STEP_BOX_HIGH);
  }
}

/**
 * pmin and pmax are one instruction each; min and max, which propagate NaN, are seven. A membership takes 1.5 to 2.9 ns instead of 4.5 to 7. `odd` makes the
 * box of a particle that is not finite NaN, so that it meets nothing; it is 0 if all are finite.
 */
export function boundClusters(start: u32, end: u32, pad: f32): void {
  boundLeaves(2 * start, 2 * end - 1, start, pad);
  boundInner(start, end);
}

/** Boxes of the nodes that hold the boxes of others. Children come after their parents. */
export function boundInner(start: u32, end: u32): void {
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start;
  for (let node: i32 = 2 * end - 2; node >= <i32>root; node--) {
    const right = load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT);
    if (right == 0) continue;
    const at = box + <usize>node * S.TREE_BOX_NODE;
    const l = at + S.TREE_BOX_NODE, r = box + <usize>(root + right) * S.TREE_BOX_NODE;
    v128.store(at, f32x4.min(v128.load(l, S.TREE_BOX_LOW), v128.load(r, S.TREE_BOX_LOW)), S.TREE_BOX_LOW);
    v128.store(at, f32x4.max(v128.load(l, S.TREE_BOX_HIGH), v128.load(r, S.TREE_BOX_HIGH)), S.TREE_BOX_HIGH);
  }
}

/** Boxes of the leaves among the nodes [from, to) of the tree of a body whose first cluster is `start`. */
export function boundLeaves(from: u32, to: u32, start: u32, pad: f32): void {
  const x = S.x(), stepBox = S.stepBox(), index = S.memberParticle(), memberStart = S.memberStart();
  const treeNode = S.treeNode(), box = S.treeBox();
  const grow = xyz(f32x4.splat(pad));
  for (let node = from; node < to; node++) {
    if (load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const at = box + <usize>node * S.TREE_BOX_NODE;
    const c = start + load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
    const first = load<u32>(memberStart + (c << S.SHIFT_memberStart));
    let i = index + (first << S.SHIFT_memberParticle);
    const last = index + (load<u32>(memberStart + (c << S.SHIFT_memberStart), S.STRIDE_memberStart) << S.SHIFT_memberParticle);
    v128.store(S.firstMemberNow() + (c << S.SHIFT_firstMemberNow), xyz(v128.load(x + (load<u32>(i) << S.SHIFT_x))));
    const boxes = last - i >= S.BLOCK_LEAST * S.STRIDE_memberParticle;
    let to = S.memberBox() + (first << S.SHIFT_memberBox);
    let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
    while (i < last) {
      const end = min(i + S.BLOCK_SIZE * S.STRIDE_memberParticle, last);
      let lowest = f32x4.splat(Infinity), highest = f32x4.splat(-Infinity), odd = f32x4.splat(0);
      for (; i < end; i += S.STRIDE_memberParticle) {
        const o = load<u32>(i) << S.SHIFT_stepBox;
        const least = v128.load(stepBox + o, S.STEP_BOX_LOW), most = v128.load(stepBox + o, S.STEP_BOX_HIGH);
        lowest = f32x4.pmin(lowest, least);
        highest = f32x4.pmax(highest, most);
        odd = v128.or(odd, f32x4.sub(most, most));
      }
      lowest = f32x4.add(lowest, odd);
      highest = f32x4.add(highest, odd);
      if (boxes) {
        v128.store(to, lowest, S.STEP_BOX_LOW);
        v128.store(to, highest, S.STEP_BOX_HIGH);
        to += S.BLOCK_BOX * S.STRIDE_memberBox;
      }
      low = f32x4.min(low, lowest);
      high = f32x4.max(high, highest);
    }
    v128.store(at, xyz(f32x4.sub(low, grow)), S.TREE_BOX_LOW);
    v128.store(at, xyz(f32x4.add(high, grow)), S.TREE_BOX_HIGH);
  }
}

/**
 * One pass divides each node's list between its children. Entries near the right child stay in the list, compacted. Entries near the left child are written
 * behind the list, processed first and then discarded. Lists lie in `contactRow`, which is unused before contacts are found and holds 32 numbers a particle: no
 * tree is that deep.
 */
export function touchAcross(
  first: u32, last: u32, start: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32,
): u32 {
  workFrom(0, S.touching());
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start;
  const count = listNear(first, last, box + <usize>root * S.TREE_BOX_NODE, margin, skip);
  if (count == 0) return touched;
  const pad = f32x4.splat(margin);
  let node = root, from = lists, to = listAll(count);
  let top = STACK;
  while (true) {
    const right = load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT);
    if (right == 0)
      touched = touchListed(start + load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER), from, to, touched, quick, h, round);
    else {
      part(from, to, box + <usize>(node + 1) * S.TREE_BOX_NODE, box + <usize>(root + right) * S.TREE_BOX_NODE, pad);
      if (rightEnd > from) {
        store<u32>(top, root + right); store<usize>(top, from, 4); store<usize>(top, rightEnd, 8);
        top += 12;
      }
      if (leftEnd > to) {
        node++;
        from = to;
        to = leftEnd;
        continue;
      }
    }
    if (top == STACK) return touched;
    top -= 12;
    node = load<u32>(top); from = load<usize>(top, 4); to = load<usize>(top, 8);
  }
}

/** Lists hold byte offsets of rows of `candidate`. This lists all `count` rows and returns the end of the list. */
function listAll(count: u32): usize {
  const list = lists;
  for (let n: u32 = 0; n < count; n++) store<u32>(list + (n << 2), n << S.SHIFT_candidate);
  return list + (count << 2);
}

// Ends of the two lists that `part` wrote last.
let leftEnd: usize = 0;
let rightEnd: usize = 0;

/**
 * Divides a list between the children of a node. Each entry is written to both lists and the end advances only if it belongs there: a branch would be
 * mispredicted every other time.
 */
function part(from: usize, to: usize, left: usize, right: usize, pad: v128): void {
  const leftLow = f32x4.sub(v128.load(left, S.TREE_BOX_LOW), pad), leftHigh = f32x4.add(v128.load(left, S.TREE_BOX_HIGH), pad);
  const rightLow = f32x4.sub(v128.load(right, S.TREE_BOX_LOW), pad), rightHigh = f32x4.add(v128.load(right, S.TREE_BOX_HIGH), pad);
  const candidate = candidates;
  let near = from, behind = to;
  for (let n = from; n < to; n += 4) {
    const place = load<u32>(n);
    const lowest = v128.load(candidate + place, S.CANDIDATE_LOW), highest = v128.load(candidate + place, S.CANDIDATE_HIGH);
    store<u32>(near, place);
    near += isIn(lowest, highest, rightLow, rightHigh) << 2;
    store<u32>(behind, place);
    behind += isIn(lowest, highest, leftLow, leftHigh) << 2;
  }
  rightEnd = near;
  leftEnd = behind;
}

/** 1 if the box from `lowest` to `highest` meets the one from `low` to `high`, else 0. */
// @ts-ignore: decorator
@inline function isIn(lowest: v128, highest: v128, low: v128, high: v128): u32 {
  return <u32>((i32x4.bitmask(v128.or(f32x4.lt(highest, low), f32x4.gt(lowest, high))) & 7) == 0);
}

/** Lists the particles [first, last) whose paths meet a box. */
function listNear(first: u32, last: u32, box: usize, margin: f32, skip: u32): u32 {
  const x = S.x(), xOld = S.xOld();
  const pad = f32x4.splat(margin);
  const low = f32x4.sub(v128.load(box, S.TREE_BOX_LOW), pad), high = f32x4.add(v128.load(box, S.TREE_BOX_HIGH), pad);
  let row = candidates;
  for (let i = first; i < last; i++) {
    const now = v128.load(x + (i << S.SHIFT_x)), then = v128.load(xOld + (i << S.SHIFT_xOld));
    const lowest = f32x4.pmin(now, then), highest = f32x4.pmax(now, then);
    v128.store(row, i32x4.replace_lane(lowest, 3, i), S.CANDIDATE_LOW);
    v128.store(row, highest, S.CANDIDATE_HIGH);
    row += (isIn(lowest, highest, low, high) & u32((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) == 0)) << S.SHIFT_candidate;
  }
  return <u32>((row - candidates) >> S.SHIFT_candidate);
}

/** Tests the candidates listed at from..to against the proxy of cluster c. */
function touchListed(c: u32, from: usize, to: usize, touched: u32, quick: bool, h: f32, round: u32): u32 {
  const placedRound = S.placedRound() + (c << S.SHIFT_placedRound);
  if (load<u32>(placedRound) != round) {
    placeProxy(c, h);
    store<u32>(placedRound, round);
  }
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  if (quick && load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_PER_SPACING2) > 0) return touchLightly(c, frame, from, to, touched);
  if (load<u32>(S.proxyPlanes() + (c << S.SHIFT_proxyPlanes)) == 0) return touchRound(c, frame, from, to, touched);
  return touchEntering(c, frame, to, pickRound(frame, from, to), touched);
}

/** The test of `quick`: every listed candidate counts, in the proxy or not. */
function touchLightly(c: u32, frame: usize, from: usize, to: usize, touched: u32): u32 {
  const candidate = candidates;
  const centre = v128.load(frame, S.PROXY_FRAME_CENTRE);
  const radius = load<f32>(frame, S.PROXY_FRAME_RADIUS);
  for (let n = from; n < to; n += 4) {
    const i = load<u32>(candidate + load<u32>(n), S.CANDIDATE_PARTICLE);
    const off = lengthSquared(f32x4.sub(v128.load(S.x() + (i << S.SHIFT_x)), centre)) / (radius * radius);
    touched = touchOne(i, c, off, S.TOUCH_UNKNOWN, touched);
  }
  return touched;
}

/** Tests the particles listed at from..to, and keeps those that enter the proxy. */
function touchEntering(c: u32, frame: usize, from: usize, to: usize, touched: u32): u32 {
  const radius = load<f32>(frame, S.PROXY_FRAME_RADIUS);
  for (let n = from; n < to; n += 4) {
    const i = load<u32>(n);
    if (!enterProxy(i, c)) continue;
    const off = lengthSquared(entry) / (radius * radius);
    touched = touchOne(i, c, off > S.TOUCH_RIM ? <f32>1 : off, enter, touched);
  }
  return touched;
}

/**
 * Assigns a particle to cluster c, unless it is nearer to the middle of another one. `off` is the squared distance from the middle in radii. `into`, the
 * position of entry, is kept for measureTouches, which replaces it by the depth.
 */
// @ts-ignore: decorator
@inline function touchOne(i: u32, c: u32, off: f32, into: f32, touched: u32): u32 {
  const touchCluster = S.touchCluster() + (i << S.SHIFT_touchCluster), touchCentreOffset = S.touchCentreOffset() + (i << S.SHIFT_touchCentreOffset);
  const before = load<u32>(touchCluster);
  if (before == S.UNTOUCHED) {
    store<u32>(found + (touched << S.SHIFT_touching), i);
    touched++;
  } else {
    const kept = load<f32>(touchCentreOffset);
    if (off > kept || (off == kept && before < c)) return touched;
  }
  store<u32>(touchCluster, c);
  store<f32>(touchCentreOffset, off);
  store<f32>(S.touch() + (i << S.SHIFT_touch), into, S.TOUCH_DEPTH);
  return touched;
}

/**
 * The same for a proxy that is a plain sphere, as most are, four particles at a time: the result of enterProxy with the formulas of crossSphere. A path that
 * begins inside needs no separate case.
 */
function touchRound(c: u32, frame: usize, from: usize, to: usize, touched: u32): u32 {
  const one = f64x2.splat(1), zero = f64x2.splat(0), untouched = i32x4.splat(S.UNTOUCHED);
  const radius = load<f32>(frame, S.PROXY_FRAME_RADIUS), radius2 = f32x4.splat(radius * radius), exact2 = f64x2.splat(<f64>radius * <f64>radius);
  for (let n = from; n < to; n += 16) {
    lookAtFour(frame, n, to);
    const s0 = squareOf(p0x, p0y, p0z);
    const dx = f32x4.sub(p1x, p0x), dy = f32x4.sub(p1y, p0y), dz = f32x4.sub(p1z, p0z);
    const aa = squareOf(dx, dy, dz);
    const ab = f32x4.add(f32x4.add(f32x4.mul(dx, p0x), f32x4.mul(dy, p0y)), f32x4.mul(dz, p0z));
    cross(low(aa), low(ab), f64x2.sub(low(s0), exact2), one, zero);
    let enters = f32x4.demote_f64x2_zero(into), hits = isHit;
    cross(high(aa), high(ab), f64x2.sub(high(s0), exact2), one, zero);
    enters = v128.shuffle<f64>(enters, f32x4.demote_f64x2_zero(into), 0, 2);
    hits = v128.shuffle<i32>(hits, isHit, 0, 2, 4, 6);
    const entered = f32x4.div(
      squareOf(f32x4.add(p0x, f32x4.mul(enters, dx)), f32x4.add(p0y, f32x4.mul(enters, dy)), f32x4.add(p0z, f32x4.mul(enters, dz))),
      radius2,
    );
    const off = v128.bitselect(f32x4.splat(1), entered, f32x4.gt(entered, f32x4.splat(S.TOUCH_RIM)));
    const better = v128.or(i32x4.eq(fourOf(S.touchCluster(), i0, i1, i2, i3), untouched), f32x4.le(off, fourOf(S.touchCentreOffset(), i0, i1, i2, i3)));
    let which = i32x4.bitmask(v128.and(hits, better)) & valid;
    if (which == 0) continue;
    v128.store(OFF, off);
    v128.store(ENTERS, enters);
    store<u32>(WHICH, i0); store<u32>(WHICH + 4, i1); store<u32>(WHICH + 8, i2); store<u32>(WHICH + 12, i3);
    for (; which != 0; which &= which - 1) {
      const lane = <usize>ctz(which) << 2;
      touched = touchOne(load<u32>(WHICH + lane), c, load<f32>(OFF + lane), load<f32>(ENTERS + lane), touched);
    }
  }
  return touched;
}

/** Scratch for four particles: squared distance of the entry from the middle, position of the entry on the path, and particle number. */
const OFF: usize = S.AT_TOUCH_OFF;
const ENTERS: usize = S.AT_TOUCH_ENTERS;
const WHICH: usize = S.AT_TOUCH_WHICH;

// Of two paths: the position of entry into the sphere, and whether they enter.
let into: v128 = f64x2.splat(0);
let isHit: v128 = f64x2.splat(0);

/** crossSphere for two whole paths at a time. */
// @ts-ignore: decorator
@inline function cross(aa: v128, ab: v128, bb: v128, one: v128, zero: v128): void {
  const root = f64x2.sub(f64x2.mul(ab, ab), f64x2.mul(aa, bb));
  const way = f64x2.sqrt(root), back = f64x2.neg(ab);
  const starts = f64x2.lt(bb, zero);
  into = v128.andnot(f64x2.div(f64x2.sub(back, way), aa), starts);
  const out = v128.bitselect(f64x2.div(f64x2.add(back, way), aa), one, f64x2.gt(aa, zero));
  const misses = v128.and(f64x2.ge(bb, zero), v128.or(f64x2.le(root, zero), f64x2.ge(ab, zero)));
  isHit = v128.andnot(v128.and(f64x2.le(into, one), f64x2.le(into, out)), misses);
}

/**
 * Writes behind a list of candidates the particles that may enter the sphere of the proxy, nearer to its middle than they came to that of another proxy. A path
 * stays within half its length of its own middle. Most candidates fail this test, which is cheaper than enterProxy for each.
 */
function pickRound(frame: usize, from: usize, to: usize): usize {
  const one = f32x4.splat(1), half = f32x4.splat(0.5), slack = f32x4.splat(1.0001), untouched = i32x4.splat(S.UNTOUCHED);
  const radius = v128.load32_splat(frame, S.PROXY_FRAME_RADIUS);
  let end = to;
  for (let n = from; n < to; n += 16) {
    lookAtFour(frame, n, to);
    const middle = squareOf(f32x4.mul(half, f32x4.add(p0x, p1x)), f32x4.mul(half, f32x4.add(p0y, p1y)), f32x4.mul(half, f32x4.add(p0z, p1z)));
    const way = squareOf(f32x4.mul(half, f32x4.sub(p1x, p0x)), f32x4.mul(half, f32x4.sub(p1y, p0y)), f32x4.mul(half, f32x4.sub(p1z, p0z)));
    const off = v128.bitselect(one, fourOf(S.touchCentreOffset(), i0, i1, i2, i3), i32x4.eq(fourOf(S.touchCluster(), i0, i1, i2, i3), untouched));
    const farthest = f32x4.add(f32x4.mul(radius, f32x4.sqrt(off)), f32x4.sqrt(way));
    const near = ~i32x4.bitmask(f32x4.gt(middle, f32x4.mul(f32x4.mul(slack, farthest), farthest))) & valid;
    store<u32>(end, i0); end += (near & 1) << 2;
    store<u32>(end, i1); end += (near & 2) << 1;
    store<u32>(end, i2); end += near & 4;
    store<u32>(end, i3); end += (near & 8) >> 1;
  }
  return end;
}

// Four particles of a list: their numbers, the mask of those that count, and both ends of their paths in the rest space of a proxy, by coordinates.
let i0: u32 = 0, i1: u32 = 0, i2: u32 = 0, i3: u32 = 0;
let valid: i32 = 0;
let p0x: v128 = f32x4.splat(0), p0y: v128 = f32x4.splat(0), p0z: v128 = f32x4.splat(0);
let p1x: v128 = f32x4.splat(0), p1y: v128 = f32x4.splat(0), p1z: v128 = f32x4.splat(0);

/** Loads four entries from n on. Lanes beyond the last entry repeat the first one and do not count. */
// @ts-ignore: decorator
@inline function lookAtFour(frame: usize, n: usize, to: usize): void {
  const x = S.x(), xOld = S.xOld(), candidate = candidates;
  const cx = v128.load32_splat(frame, S.PROXY_FRAME_CENTRE), cy = v128.load32_splat(frame, S.PROXY_FRAME_CENTRE + 4), cz = v128.load32_splat(frame, S.PROXY_FRAME_CENTRE + 8);
  const left = to - n;
  valid = left >= 16 ? 15 : (1 << <i32>(left >> 2)) - 1;
  i0 = load<u32>(candidate + load<u32>(n), S.CANDIDATE_PARTICLE);
  i1 = load<u32>(candidate + load<u32>(left > 4 ? n + 4 : n), S.CANDIDATE_PARTICLE);
  i2 = load<u32>(candidate + load<u32>(left > 8 ? n + 8 : n), S.CANDIDATE_PARTICLE);
  i3 = load<u32>(candidate + load<u32>(left > 12 ? n + 12 : n), S.CANDIDATE_PARTICLE);
  let a = v128.load(x + (i0 << S.SHIFT_x)), b = v128.load(x + (i1 << S.SHIFT_x)), c = v128.load(x + (i2 << S.SHIFT_x)), d = v128.load(x + (i3 << S.SHIFT_x));
  let xy = pairs(a, b), xy2 = pairs(c, d);
  const ex = f32x4.sub(firsts(xy, xy2), cx), ey = f32x4.sub(seconds(xy, xy2), cy), ez = f32x4.sub(firsts(thirds(a, b), thirds(c, d)), cz);
  p1x = turned(frame, ex, ey, ez);
  p1y = turned(frame + 4, ex, ey, ez);
  p1z = turned(frame + 8, ex, ey, ez);
  a = v128.load(xOld + (i0 << S.SHIFT_xOld)), b = v128.load(xOld + (i1 << S.SHIFT_xOld)), c = v128.load(xOld + (i2 << S.SHIFT_xOld)), d = v128.load(xOld + (i3 << S.SHIFT_xOld));
  xy = pairs(a, b), xy2 = pairs(c, d);
  const sx = f32x4.sub(f32x4.add(firsts(xy, xy2), v128.load32_splat(frame, S.PROXY_FRAME_MOTION)), cx);
  const sy = f32x4.sub(f32x4.add(seconds(xy, xy2), v128.load32_splat(frame, S.PROXY_FRAME_MOTION + 4)), cy);
  const sz = f32x4.sub(f32x4.add(firsts(thirds(a, b), thirds(c, d)), v128.load32_splat(frame, S.PROXY_FRAME_MOTION + 8)), cz);
  p0x = turned(frame, sx, sy, sz);
  p0y = turned(frame + 4, sx, sy, sz);
  p0z = turned(frame + 8, sx, sy, sz);
}

// Four vectors, in pairs, to their x, y and z.
// @ts-ignore: decorator
@inline function pairs(p: v128, q: v128): v128 { return v128.shuffle<f32>(p, q, 0, 4, 1, 5); }
// @ts-ignore: decorator
@inline function thirds(p: v128, q: v128): v128 { return v128.shuffle<f32>(p, q, 2, 6, 3, 7); }
// @ts-ignore: decorator
@inline function firsts(a: v128, b: v128): v128 { return v128.shuffle<f64>(a, b, 0, 2); }
// @ts-ignore: decorator
@inline function seconds(a: v128, b: v128): v128 { return v128.shuffle<f64>(a, b, 1, 3); }

/** One coordinate of the product of four vectors and the matrix in a row of `proxyFrame`. m is that row, advanced by the coordinate. */
// @ts-ignore: decorator
@inline function turned(m: usize, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(v128.load32_splat(m, S.PROXY_FRAME_X), x), f32x4.mul(v128.load32_splat(m, S.PROXY_FRAME_Y), y)), f32x4.mul(v128.load32_splat(m, S.PROXY_FRAME_Z), z));
}

/** Squares of the lengths of four vectors. */
// @ts-ignore: decorator
@inline function squareOf(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}

// @ts-ignore: decorator
@inline function fourOf(at: usize, i0: u32, i1: u32, i2: u32, i3: u32): v128 {
  const two = v128.load32_lane(at + (i1 << 2), v128.load32_zero(at + (i0 << 2)), 1);
  return v128.load32_lane(at + (i3 << 2), v128.load32_lane(at + (i2 << 2), two, 2), 3);
}

export function touchWithin(
  start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32,
): u32 {
  workFrom(0, S.touching());
  return touchEach(start, end, margin, skip, quick, h, round, touched);
}

/** The same, of a body whose first particle is `first`. Lists what it finds in `moved`, from the row of that particle on, and returns its number. */
export function touchBody(start: u32, end: u32, first: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32): u32 {
  workFrom(first, S.moved() + (first << S.SHIFT_moved));
  return touchEach(start, end, margin, skip, quick, h, round, 0);
}

function touchEach(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  const treeNode = S.treeNode();
  memory.fill(S.sharesWith() + (start << S.SHIFT_sharesWith), 0, (end - start) << S.SHIFT_sharesWith);
  laidOut = 0;
  if (hasShortLists(start) && takePairRoom(start, end)) return touchPairs(start, end, margin, skip, quick, h, round, touched);
  for (let leaf = 2 * start; leaf < 2 * end - 1; leaf++) {
    if (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const target = start + load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
    const count = gatherWithin(start, end, target, leaf, margin, skip);
    if (count > 0) touched = touchListed(target, lists, listAll(count), touched, quick, h, round);
  }
  return touched;
}

/** Whether the lists of a body name the root as the only far node (src/proxy/neighbours.ts, WALKED). */
function hasShortLists(start: u32): bool {
  const lists = S.neighbourStart() + S.STRIDE_neighbourStart * start;
  const ring = load<u32>(lists, S.NEIGHBOUR_START_RING), far = load<u32>(lists, S.NEIGHBOUR_START_FAR);
  const end = load<u32>(lists, S.STRIDE_neighbourStart + S.NEIGHBOUR_START_SHARED);
  return ring == far && end == far + 1 && load<u32>(S.neighbour() + (far << S.SHIFT_neighbour)) == 0;
}

// Room of touchPairs: a stack of pairs of nodes, of each cluster the last of its pairs or 0, and pairs of 8 bytes: source, and the pair before it or 0. Pairs count from 1.
let pairStack: usize = 0;
let pairHeads: usize = 0;
let pairList: usize = 0;
let mostPairs: u32 = 0;
/** Bytes of the stack. A pair waits for each level that was descended, in either of two trees of 33 levels. */
const PAIR_STACK: usize = 2 * 33 * 8;
/** Numbers a particle at the front of `contactRow` that lists of candidates need: the list, and what pickRound writes behind it. */
const LISTED: usize = 4;

/** Finds room behind the lists of candidates, in `contactRow`. Returns false if there is too little. */
function takePairRoom(start: u32, end: u32): bool {
  let last: u32 = 0;
  const to = S.memberParticle() + (load<u32>(S.memberStart() + (end << S.SHIFT_memberStart)) << S.SHIFT_memberParticle);
  for (let k = S.memberParticle() + (load<u32>(S.memberStart() + (start << S.SHIFT_memberStart)) << S.SHIFT_memberParticle); k < to; k += S.STRIDE_memberParticle)
    last = max(last, load<u32>(k));
  const rows = <usize>(last + 1 - firstRow);
  pairStack = lists + 4 * LISTED * rows;
  pairHeads = pairStack + PAIR_STACK;
  // The pairs begin behind the heads. There is none with the number 0.
  pairList = pairHeads + 4 * <usize>(end - start) - 8;
  const past = lists + S.STRIDE_contactRow * rows;
  if (past < pairList + 16 + 1024 * 8) return false;
  mostPairs = <u32>((past - pairList) >> 3) - 1;
  return true;
}

/**
 * The search within a body of many clusters: pairs of nodes whose boxes meet are followed to pairs of leaves, each pair once for both directions, instead of a walk from the root for every
 * cluster. A third of the tests. Contacts do not depend on the order of the tests.
 */
function touchPairs(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start;
  memory.fill(pairHeads, 0, 4 * <usize>(end - start));
  let count: u32 = 0;
  for (let inner = root; inner < 2 * end - 1; inner++) {
    const other = load<u32>(treeNode + <usize>inner * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT);
    if (other == 0) continue;
    let p = inner + 1, q = root + other, top = pairStack;
    while (true) {
      const a = box + <usize>p * S.TREE_BOX_NODE, b = box + <usize>q * S.TREE_BOX_NODE;
      const low = v128.load(a, S.TREE_BOX_LOW), high = v128.load(a, S.TREE_BOX_HIGH);
      if (!isApart(b, low, high)) {
        const rp = load<u32>(treeNode + <usize>p * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT), rq = load<u32>(treeNode + <usize>q * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT);
        if (rp != 0 && (rq == 0 || extentOf(low, high) >= extentOf(v128.load(b, S.TREE_BOX_LOW), v128.load(b, S.TREE_BOX_HIGH)))) {
          store<u32>(top, root + rp); store<u32>(top, q, 4); top += 8;
          p++;
          continue;
        }
        if (rq != 0) {
          store<u32>(top, p); store<u32>(top, root + rq, 4); top += 8;
          q++;
          continue;
        }
        if (count + 2 > mostPairs) {
          touched = touchPaired(start, end, margin, skip, quick, h, round, touched);
          count = 0;
        }
        count = pairUp(start, load<u32>(treeNode + <usize>p * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER), load<u32>(treeNode + <usize>q * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER), count);
      }
      if (top == pairStack) break;
      top -= 8;
      p = load<u32>(top); q = load<u32>(top, 4);
    }
  }
  return touchPaired(start, end, margin, skip, quick, h, round, touched);
}

/** Sum of the edges of a box. */
// @ts-ignore: decorator
@inline function extentOf(low: v128, high: v128): f32 {
  const d = f32x4.sub(high, low);
  return f32x4.extract_lane(d, 0) + f32x4.extract_lane(d, 1) + f32x4.extract_lane(d, 2);
}

/** Lists two clusters for each other where they have come nearer than at rest, as the target sees it. Returns the new number of pairs. */
function pairUp(start: u32, c: u32, d: u32, count: u32): u32 {
  const rest = S.firstMemberRest() + (start << S.SHIFT_firstMemberRest), now = S.firstMemberNow() + (start << S.SHIFT_firstMemberNow);
  const far = lengthSquared(f32x4.sub(v128.load(now + (c << S.SHIFT_firstMemberNow)), v128.load(now + (d << S.SHIFT_firstMemberNow))));
  const way = f32x4.sub(v128.load(rest + (c << S.SHIFT_firstMemberRest)), v128.load(rest + (d << S.SHIFT_firstMemberRest)));
  count = pairIf(start, c, d, far, way, count);
  return pairIf(start, d, c, far, way, count);
}

// @ts-ignore: decorator
@inline function pairIf(start: u32, target: u32, source: u32, now: f32, way: v128, count: u32): u32 {
  const s = S.stretchFromRest() + S.STRIDE_stretchFromRest * (start + target);
  const rest = spreadSquared(way, v128.load(s, S.STRETCH_FROM_REST_X), v128.load(s, S.STRETCH_FROM_REST_Y), v128.load(s, S.STRETCH_FROM_REST_Z));
  if (!(now < S.TOUCH_NEARER * S.TOUCH_NEARER * rest)) return count;
  count++;
  const head = pairHeads + (target << 2), pair = pairList + (<usize>count << 3);
  store<u32>(pair, source); store<u32>(pair, load<u32>(head), 4);
  store<u32>(head, count);
  return count;
}

/** Tests the pairs that were listed, and empties the lists. */
function touchPaired(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  const treeNode = S.treeNode(), box = S.treeBox(), sharesWith = S.sharesWith(), listedFor = S.listedFor();
  for (let leaf = 2 * start; leaf < 2 * end - 1; leaf++) {
    if (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const c = load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
    let pair = load<u32>(pairHeads + (c << 2));
    if (pair == 0) continue;
    store<u32>(pairHeads + (c << 2), 0);
    const mark = c + 1;
    markNear(start, start + c, mark);
    let count: u32 = 0;
    for (; pair != 0; pair = load<u32>(pairList + (<usize>pair << 3), 4)) {
      const source = start + load<u32>(pairList + (<usize>pair << 3));
      if (load<u32>(sharesWith + (source << S.SHIFT_sharesWith)) != mark) count = gatherMembers(source, box + <usize>leaf * S.TREE_BOX_NODE, margin, skip, mark, count);
    }
    for (let k: u32 = 0; k < count; k++) store<u32>(listedFor + (load<u32>(candidates + (k << S.SHIFT_candidate), S.CANDIDATE_PARTICLE) << S.SHIFT_listedFor), 0);
    if (count > 0) touched = touchListed(start + c, lists, listAll(count), touched, quick, h, round);
  }
  return touched;
}

/** Bytes that the list of sources takes so far, in `lists`, and how many members they have. */
let sourcesEnd: usize = 0;
let sourceMembers: u32 = 0;

// @ts-ignore: decorator
@inline function listSource(source: u32): void {
  const at = S.memberStart() + (source << S.SHIFT_memberStart);
  store<u32>(sourcesEnd, source);
  sourcesEnd += 4;
  sourceMembers += load<u32>(at, S.STRIDE_memberStart) - load<u32>(at);
}

function gatherWithin(start: u32, end: u32, target: u32, leaf: u32, margin: f32, skip: u32): u32 {
  const treeNode = S.treeNode(), box = S.treeBox(), sharesWith = S.sharesWith(), listedFor = S.listedFor();
  const firstMemberRest = S.firstMemberRest() + (start << S.SHIFT_firstMemberRest), firstMemberNow = S.firstMemberNow() + (start << S.SHIFT_firstMemberNow);
  const root = 2 * start, mark = target - start + 1;
  const row = S.neighbourStart() + S.STRIDE_neighbourStart * target, neighbour = S.neighbour();
  const far = neighbour + (load<u32>(row, S.NEIGHBOUR_START_FAR) << S.SHIFT_neighbour), past = neighbour + (load<u32>(row, S.STRIDE_neighbourStart + S.NEIGHBOUR_START_SHARED) << S.SHIFT_neighbour);
  const at = v128.load(firstMemberNow + ((mark - 1) << S.SHIFT_firstMemberNow)), home = v128.load(firstMemberRest + ((mark - 1) << S.SHIFT_firstMemberRest));
  const own = box + <usize>leaf * S.TREE_BOX_NODE;
  const s = S.stretchFromRest() + S.STRIDE_stretchFromRest * target;
  const sx = v128.load(s, S.STRETCH_FROM_REST_X), sy = v128.load(s, S.STRETCH_FROM_REST_Y), sz = v128.load(s, S.STRETCH_FROM_REST_Z);
  markNear(start, target, mark);
  sourcesEnd = lists;
  sourceMembers = 0;
  for (let k = neighbour + (load<u32>(row, S.NEIGHBOUR_START_RING) << S.SHIFT_neighbour); k < far; k += S.STRIDE_neighbour) {
    const source = load<u32>(k);
    const now = lengthSquared(f32x4.sub(v128.load(firstMemberNow + (source << S.SHIFT_firstMemberNow)), at));
    const rest = spreadSquared(f32x4.sub(v128.load(firstMemberRest + (source << S.SHIFT_firstMemberRest)), home), sx, sy, sz);
    if (now < S.TOUCH_NEARER * S.TOUCH_NEARER * rest) listSource(start + source);
  }
  const low = v128.load(own, S.TREE_BOX_LOW), high = v128.load(own, S.TREE_BOX_HIGH);
  for (let k = far; k < past; k += S.STRIDE_neighbour) {
    let node = root + load<u32>(k);
    if (isApart(box + <usize>node * S.TREE_BOX_NODE, low, high)) continue;
    let top = STACK;
    while (true) {
      const right = load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT);
      if (right != 0) {
        const r = root + right;
        const goesRight = !isApart(box + <usize>r * S.TREE_BOX_NODE, low, high);
        if (!isApart(box + <usize>(node + 1) * S.TREE_BOX_NODE, low, high)) {
          store<u32>(top, r); top += u32(goesRight) << 2;
          node++;
          continue;
        }
        if (goesRight) {
          node = r;
          continue;
        }
      } else {
        const source = load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
        if (load<u32>(sharesWith + ((start + source) << S.SHIFT_sharesWith)) != mark) {
          const now = lengthSquared(f32x4.sub(v128.load(firstMemberNow + (source << S.SHIFT_firstMemberNow)), at));
          const rest = spreadSquared(f32x4.sub(v128.load(firstMemberRest + (source << S.SHIFT_firstMemberRest)), home), sx, sy, sz);
          if (now < S.TOUCH_NEARER * S.TOUCH_NEARER * rest) listSource(start + source);
        }
      }
      if (top == STACK) break;
      top -= 4;
      node = load<u32>(top);
    }
  }
  if (sourcesEnd == lists) return 0;
  if (sourceMembers > SCANNED && (laidOut > 0 || layOut(start, end, skip)) && sourceMembers > laidOut) return gatherLaidOut(own, margin, mark);
  let count: u32 = 0;
  for (let k = lists; k < sourcesEnd; k += 4) count = gatherMembers(load<u32>(k), own, margin, skip, mark, count);
  for (let k: u32 = 0; k < count; k++) store<u32>(listedFor + (load<u32>(candidates + (k << S.SHIFT_candidate), S.CANDIDATE_PARTICLE) << S.SHIFT_listedFor), 0);
  return count;
}

/** Number of members of sources from which on it may pay to look at each particle of the body once. */
const SCANNED: u32 = 512;
/** Particles of the body that are laid out; 0 if they are not. */
let laidOut: u32 = 0;
// Room of layOut, behind the lists of candidates in `contactRow`: boxes of blocks of particles; bounds of the particles' paths, one array for each coordinate of the lower and of the upper corner; their numbers.
let blocks: usize = 0;
let bounds: usize = 0;
let boundsField: usize = 0;
let laidOutParticles: usize = 0;
/** Bytes of the numbers of a block of particles. */
const SCAN_BLOCK: usize = 4 * 32;
/** Mark of clusters that are sources of the target, added to its own. */
const SOURCE: u32 = 0x80000000;

/**
 * Lays out the particles of the clusters [start, end) that are not skipped by coordinates, so that four are tested at a time. Returns false if there are none, or too little room. In a body that lies flat, every
 * cluster meets most others: particles are in several clusters each and were tested once for each of them.
 */
function layOut(start: u32, end: u32, skip: u32): bool {
  const stepBox = S.stepBox();
  let first: u32 = -1, last: u32 = 0;
  const to = S.memberParticle() + (load<u32>(S.memberStart() + (end << S.SHIFT_memberStart)) << S.SHIFT_memberParticle);
  for (let k = S.memberParticle() + (load<u32>(S.memberStart() + (start << S.SHIFT_memberStart)) << S.SHIFT_memberParticle); k < to; k += S.STRIDE_memberParticle) {
    first = min(first, load<u32>(k));
    last = max(last, load<u32>(k));
  }
  const rows = <usize>(last + 1 - firstRow);
  const blockCount = <usize>(last - first) / (SCAN_BLOCK >> 2) + 1;
  blocks = lists + 4 * LISTED * rows;
  bounds = blocks + 32 * blockCount;
  boundsField = SCAN_BLOCK * blockCount;
  laidOutParticles = bounds + 6 * boundsField;
  if (lists + S.STRIDE_contactRow * rows < laidOutParticles + boundsField) return false;
  let at: usize = 0;
  for (let i = first; i <= last; i++) {
    if ((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) != 0) continue;
    layDown(at, v128.load(stepBox + (i << S.SHIFT_stepBox), S.STEP_BOX_LOW), v128.load(stepBox + (i << S.SHIFT_stepBox), S.STEP_BOX_HIGH));
    store<u32>(laidOutParticles + at, i);
    at += 4;
  }
  laidOut = <u32>(at >> 2);
  if (laidOut == 0) return false;
  for (; at % SCAN_BLOCK != 0; at += 4) layDown(at, f32x4.splat(Infinity), f32x4.splat(-Infinity));
  return true;
}

/** Writes the bounds of a particle, and makes the box of its block hold them. */
// @ts-ignore: decorator
@inline function layDown(at: usize, low: v128, high: v128): void {
  const to = bounds + at, block = blocks + at / SCAN_BLOCK * 32;
  v128.store32_lane(to, low, 0); v128.store32_lane(to + boundsField, low, 1); v128.store32_lane(to + 2 * boundsField, low, 2);
  v128.store32_lane(to + 3 * boundsField, high, 0); v128.store32_lane(to + 4 * boundsField, high, 1); v128.store32_lane(to + 5 * boundsField, high, 2);
  const isFirst = at % SCAN_BLOCK == 0;
  v128.store(block, isFirst ? low : f32x4.pmin(v128.load(block), low));
  v128.store(block, isFirst ? high : f32x4.pmax(v128.load(block, 16), high), 16);
}

/** Lists the particles that are laid out whose paths meet a box and that are in one of the listed sources, and in no cluster that is marked as near. The same as gatherMembers for all sources. */
function gatherLaidOut(box: usize, margin: f32, mark: u32): u32 {
  const sharesWith = S.sharesWith(), candidate = candidates;
  for (let k = lists; k < sourcesEnd; k += 4) {
    const at = sharesWith + (load<u32>(k) << S.SHIFT_sharesWith);
    if (load<u32>(at) != mark) store<u32>(at, mark | SOURCE);
  }
  const pad = f32x4.splat(margin);
  const low = f32x4.sub(v128.load(box, S.TREE_BOX_LOW), pad), high = f32x4.add(v128.load(box, S.TREE_BOX_HIGH), pad);
  const lx = splat0(low), ly = splat1(low), lz = splat2(low), hx = splat0(high), hy = splat1(high), hz = splat2(high);
  const end = (<usize>laidOut << 2) + SCAN_BLOCK - 1 & ~(SCAN_BLOCK - 1);
  let count: u32 = 0;
  let block = blocks;
  for (let o: usize = 0; o < end; o += SCAN_BLOCK, block += 32) {
    if ((i32x4.bitmask(v128.or(f32x4.lt(v128.load(block, 16), low), f32x4.gt(v128.load(block), high))) & 7) != 0) continue;
    for (let at = bounds + o; at < bounds + o + SCAN_BLOCK; at += 16) {
      const off = v128.or(
        v128.or(
          v128.or(f32x4.gt(v128.load(at), hx), f32x4.gt(v128.load(at + boundsField), hy)),
          v128.or(f32x4.gt(v128.load(at + 2 * boundsField), hz), f32x4.lt(v128.load(at + 3 * boundsField), lx)),
        ),
        v128.or(f32x4.lt(v128.load(at + 4 * boundsField), ly), f32x4.lt(v128.load(at + 5 * boundsField), lz)),
      );
      for (let near = ~i32x4.bitmask(off) & 15; near != 0; near &= near - 1) {
        const i = load<u32>(laidOutParticles + (at - bounds) + (<usize>ctz(near) << 2));
        store<u32>(candidate + (count << S.SHIFT_candidate), i, S.CANDIDATE_PARTICLE);
        count += isOfSource(i, mark);
      }
    }
  }
  return count;
}

/** 1 if a particle is in a source of the target and in no cluster near it, else 0. */
// @ts-ignore: decorator
@inline function isOfSource(i: u32, mark: u32): u32 {
  const rank = load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank));
  let l = S.linkCluster() + (load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart)) << S.SHIFT_linkCluster);
  const end = S.linkCluster() + (load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart), S.STRIDE_linkStart) << S.SHIFT_linkCluster);
  let found: u32 = 0;
  for (; l < end; l += S.STRIDE_linkCluster) {
    const marked = load<u32>(S.sharesWith() + (load<u32>(l) << S.SHIFT_sharesWith));
    if (marked == mark) return 0;
    found |= u32(marked == (mark | SOURCE));
  }
  return found;
}

/** Whether the box of a node and the one from `low` to `high` do not meet. */
// @ts-ignore: decorator
@inline function isApart(other: usize, low: v128, high: v128): bool {
  return v128.any_true(v128.or(f32x4.gt(low, v128.load(other, S.TREE_BOX_HIGH)), f32x4.gt(v128.load(other, S.TREE_BOX_LOW), high)));
}

// @ts-ignore: decorator
@inline function spreadSquared(d: v128, sx: v128, sy: v128, sz: v128): f32 {
  return lengthSquared(f32x4.add(f32x4.add(
    f32x4.mul(sx, f32x4.splat(f32x4.extract_lane(d, 0))),
    f32x4.mul(sy, f32x4.splat(f32x4.extract_lane(d, 1)))),
    f32x4.mul(sz, f32x4.splat(f32x4.extract_lane(d, 2)))));
}

function markNear(start: u32, target: u32, mark: u32): void {
  const sharesWith = S.sharesWith() + (start << S.SHIFT_sharesWith);
  store<u32>(S.sharesWith() + (target << S.SHIFT_sharesWith), mark);
  let k = S.neighbour() + (load<u32>(S.neighbourStart() + S.STRIDE_neighbourStart * target, S.NEIGHBOUR_START_SHARED) << S.SHIFT_neighbour);
  const end = S.neighbour() + (load<u32>(S.neighbourStart() + S.STRIDE_neighbourStart * target, S.NEIGHBOUR_START_RING) << S.SHIFT_neighbour);
  for (; k < end; k += S.STRIDE_neighbour) store<u32>(sharesWith + (load<u32>(k) << S.SHIFT_sharesWith), mark);
}

function gatherMembers(source: u32, box: usize, margin: f32, skip: u32, mark: u32, count: u32): u32 {
  const stepBox = S.stepBox(), candidate = candidates, listedFor = S.listedFor();
  const pad = f32x4.splat(margin);
  // Inner particles, and blocks of nothing else, fail the test of boxes by their fourth number, unless inner particles count.
  const out = f32x4.sub(v128.load(box, S.TREE_BOX_LOW), pad), high = f32x4.add(v128.load(box, S.TREE_BOX_HIGH), pad);
  const low = f32x4.replace_lane(out, 3, (skip & S.FLAG_INNER) != 0 ? 0 : -Infinity);
  const first = load<u32>(S.memberStart() + (source << S.SHIFT_memberStart));
  let m = S.memberParticle() + (first << S.SHIFT_memberParticle);
  const last = S.memberParticle() + (load<u32>(S.memberStart() + (source << S.SHIFT_memberStart), S.STRIDE_memberStart) << S.SHIFT_memberParticle);
  const boxes = last - m >= S.BLOCK_LEAST * S.STRIDE_memberParticle;
  let block = S.memberBox() + (first << S.SHIFT_memberBox);
  for (; m < last; m += S.BLOCK_SIZE * S.STRIDE_memberParticle, block += S.BLOCK_BOX * S.STRIDE_memberBox) {
    if (boxes && staysOff(block, low, high)) continue;
    const end = min(m + S.BLOCK_SIZE * S.STRIDE_memberParticle, last);
    for (let at = m; at < end; at += S.STRIDE_memberParticle) {
      const i = load<u32>(at);
      if (staysOff(stepBox + (i << S.SHIFT_stepBox), low, high) || load<u32>(listedFor + (i << S.SHIFT_listedFor)) == mark) continue;
      if ((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) != 0 || isNear(i, mark)) continue;
      store<u32>(listedFor + (i << S.SHIFT_listedFor), mark);
      store<u32>(candidate + (count << S.SHIFT_candidate), i, S.CANDIDATE_PARTICLE);
      count++;
    }
  }
  return count;
}

/** Whether a row of `stepBox` or `memberBox` misses a box that was grown by the particles' margin. */
// @ts-ignore: decorator
@inline function staysOff(row: usize, low: v128, high: v128): bool {
  return v128.any_true(v128.or(f32x4.lt(v128.load(row, S.STEP_BOX_HIGH), low), f32x4.gt(v128.load(row, S.STEP_BOX_LOW), high)));
}

function isNear(i: u32, mark: u32): bool {
  const rank = load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank));
  let l = S.linkCluster() + (load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart)) << S.SHIFT_linkCluster);
  const end = S.linkCluster() + (load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart), S.STRIDE_linkStart) << S.SHIFT_linkCluster);
  for (; l < end; l += S.STRIDE_linkCluster) if (load<u32>(S.sharesWith() + (load<u32>(l) << S.SHIFT_sharesWith)) == mark) return true;
  return false;
}
