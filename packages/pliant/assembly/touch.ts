import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { high, low, xyz } from './match';
import { enter, enterProxy, entry, placeProxy, splat0, splat1, splat2 } from './proxy';
import { endOfRun, sumsOfRun } from './velocity';

/** Stack of a tree walk (scratch: src/kernels/wasm/scratchMap.ts). src/kernels/ts/touch.ts states its depth. */
const STACK: usize = S.AT_TOUCH_STACK;

// Where the call that runs has its candidates, its lists of them, and the particles that it found.
let candidates: usize = 0;
let lists: usize = 0;
let found: usize = 0;
/** Particle from whose rows on the call works. */
let firstRow: u32 = 0;
/** Of a search within a body: its particles. */
let firstParticle: u32 = 0, lastParticle: u32 = 0;

/** A call of a body may run beside those of others, if each works from the rows of its first particle on. */
// @ts-ignore: decorator
@inline function workFrom(first: u32, list: usize): void {
  firstRow = first;
  candidates = S.candidate() + (first << S.SHIFT_candidate);
  lists = S.contactRow() + S.STRIDE_contactRow * first;
  found = list;
}

/** The box of the root of a body. */
export function boundBody(first: u32, last: u32, start: u32, pad: f32): void {
  boundRun(first, last);
  storeRoot(start, pad);
}

/** The same in parts: of whole runs, and of their boxes. */
export function boundRuns(first: u32, last: u32): void {
  for (let i = first, stop = first; i < last; i = stop) {
    stop = endOfRun(i, last);
    boundRun(i, stop);
    v128.store(sumsOfRun(i), runLow);
    v128.store(sumsOfRun(i), runHigh, 16);
    v128.store(sumsOfRun(i), runOdd, 32);
  }
}
export function boundRoot(first: u32, last: u32, start: u32, pad: f32): void {
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity), odd = f32x4.splat(0);
  for (let i = first; i < last; i = endOfRun(i, last)) {
    const run = sumsOfRun(i);
    low = f32x4.pmin(low, v128.load(run));
    high = f32x4.pmax(high, v128.load(run, 16));
    odd = v128.or(odd, v128.load(run, 32));
  }
  runLow = low;
  runHigh = high;
  runOdd = odd;
  storeRoot(start, pad);
}

let runLow: v128 = f32x4.splat(0), runHigh: v128 = f32x4.splat(0), runOdd: v128 = f32x4.splat(0);

function boundRun(first: u32, last: u32): void {
  const x = S.x(), xOld = S.xOld();
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity), odd = f32x4.splat(0);
  for (let i = first; i < last; i++) {
    const now = v128.load(x + (i << S.SHIFT_x)), then = v128.load(xOld + (i << S.SHIFT_xOld));
    const step = f32x4.sub(now, then);
    odd = v128.or(odd, f32x4.sub(step, step));
    low = f32x4.pmin(low, f32x4.pmin(now, then));
    high = f32x4.pmax(high, f32x4.pmax(now, then));
  }
  runLow = low;
  runHigh = high;
  runOdd = odd;
}

function storeRoot(start: u32, pad: f32): void {
  const at = S.treeBox() + <usize>(2 * start) * S.TREE_BOX_NODE, grow = f32x4.splat(pad);
  v128.store(at, xyz(f32x4.sub(f32x4.add(runLow, runOdd), grow)), S.TREE_BOX_LOW);
  v128.store(at, xyz(f32x4.add(f32x4.add(runHigh, runOdd), grow)), S.TREE_BOX_HIGH);
}

/** A row of `stepBox` holds the bounds of a particle's path. It is read once per membership: one cache line, not one of x and one of xOld. */
export function boundParticles(first: u32, last: u32): void {
  const x = S.x(), xOld = S.xOld(), stepBox = S.stepBox(), flags = S.flags();
  for (let i = first; i < last; i++) {
    const now = v128.load(x + (i << S.SHIFT_x)), then = v128.load(xOld + (i << S.SHIFT_xOld));
    const step = f32x4.sub(now, then), odd = f32x4.sub(step, step);
    v128.store(stepBox + (i << S.SHIFT_stepBox), xyz(f32x4.add(f32x4.pmin(now, then), odd)), S.STEP_BOX_LOW);
    // By bits: a choice between two f32 is a branch, which would be mispredicted.
    const aside = -i32((load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_INNER) != 0) & reinterpret<i32>(<f32>S.TOUCH_ASIDE);
    v128.store(stepBox + (i << S.SHIFT_stepBox), i32x4.replace_lane(f32x4.add(f32x4.pmax(now, then), odd), 3, aside), S.STEP_BOX_HIGH);
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
  placeOnce(c, h, round);
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  if (isTestedLightly(c, quick)) return touchLightly(c, frame, from, to, touched);
  if (load<u32>(S.proxyPlanes() + (c << S.SHIFT_proxyPlanes)) == 0) return touchRound(c, frame, from, to, touched);
  return touchEntering(c, frame, to, pickRound(frame, from, to), touched);
}

function placeOnce(c: u32, h: f32, round: u32): void {
  const placedRound = S.placedRound() + (c << S.SHIFT_placedRound);
  if (load<u32>(placedRound) == round) return;
  placeProxy(c, h);
  store<u32>(placedRound, round);
}

// @ts-ignore: decorator
@inline function isTestedLightly(c: u32, quick: bool): bool {
  return quick && load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_PER_SPACING2) > 0;
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
 * Writes behind a list of candidates the particles that may enter the sphere of the proxy, nearer to its middle than they came to that of another proxy: by the
 * nearest point of their path. Most candidates fail this test, which is cheaper than enterProxy for each.
 */
function pickRound(frame: usize, from: usize, to: usize): usize {
  const zero = f32x4.splat(0), one = f32x4.splat(1), untouched = i32x4.splat(S.UNTOUCHED);
  const radius = load<f32>(frame, S.PROXY_FRAME_RADIUS), radius2 = f32x4.splat(<f32>1.0001 * radius * radius);
  let end = to;
  for (let n = from; n < to; n += 16) {
    lookAtFour(frame, n, to);
    const dx = f32x4.sub(p1x, p0x), dy = f32x4.sub(p1y, p0y), dz = f32x4.sub(p1z, p0z);
    const along = f32x4.neg(f32x4.add(f32x4.add(f32x4.mul(dx, p0x), f32x4.mul(dy, p0y)), f32x4.mul(dz, p0z)));
    const t = f32x4.pmin(one, f32x4.pmax(zero, f32x4.div(along, squareOf(dx, dy, dz))));
    const nearest = squareOf(f32x4.add(p0x, f32x4.mul(t, dx)), f32x4.add(p0y, f32x4.mul(t, dy)), f32x4.add(p0z, f32x4.mul(t, dz)));
    const off = v128.bitselect(one, fourOf(S.touchCentreOffset(), i0, i1, i2, i3), i32x4.eq(fourOf(S.touchCluster(), i0, i1, i2, i3), untouched));
    const near = ~i32x4.bitmask(f32x4.gt(nearest, f32x4.mul(radius2, off))) & valid;
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
  start: u32, end: u32, first: u32, last: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32,
): u32 {
  workFrom(0, S.touching());
  firstParticle = first;
  lastParticle = last;
  return touchEach(start, end, margin, skip, quick, h, round, touched, false);
}

/** The same, after markNearing was called for all nodes. */
export function touchMarked(
  start: u32, end: u32, first: u32, last: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32,
): u32 {
  workFrom(0, S.touching());
  firstParticle = first;
  lastParticle = last;
  return touchEach(start, end, margin, skip, quick, h, round, touched, true);
}

/** The same, beside other bodies. Lists what it finds in `moved`, from the row of the first particle on, and returns its number. */
export function touchBody(start: u32, end: u32, first: u32, last: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32): u32 {
  workFrom(first, S.moved() + (first << S.SHIFT_moved));
  firstParticle = first;
  lastParticle = last;
  return touchEach(start, end, margin, skip, quick, h, round, 0, false);
}

/** For each cluster whose leaf is among the nodes [from, to): notes in `movedClusters`, which is used later, whether another has come nearer to it than at rest. Few have one. */
export function markNearing(from: u32, to: u32, start: u32): void {
  const treeNode = S.treeNode();
  isAsking = true;
  for (let leaf = from; leaf < to; leaf++) {
    if (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const target = start + load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
    sourceMembers = 0;
    listSources(start, target, leaf);
    store<u32>(S.movedClusters() + (target << S.SHIFT_movedClusters), sourceMembers);
  }
  isAsking = false;
}
/** Whether it is only asked if there are sources. */
let isAsking: bool = false;

function touchEach(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32, isMarked: bool): u32 {
  const treeNode = S.treeNode();
  memory.fill(S.sharesWith() + (start << S.SHIFT_sharesWith), 0, (end - start) << S.SHIFT_sharesWith);
  laidOut = scannable = saved = 0;
  if (!isMarked && hasShortLists(start) && takePairRoom(start, end)) return touchPairs(start, end, margin, skip, quick, h, round, touched);
  for (let leaf = 2 * start; leaf < 2 * end - 1; leaf++) {
    if (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const target = start + load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER);
    if (isMarked && load<u32>(S.movedClusters() + (target << S.SHIFT_movedClusters)) == 0) continue;
    const count = gatherWithin(start, end, target, leaf, margin, skip);
    if (count > 0) touched = touchListed(target, lists, listAll(count), touched, quick, h, round);
  }
  return touched;
}

/** Whether the lists of a body name the root as the only far node (src/proxy/neighbours.ts, WALKED). */
export function hasShortLists(start: u32): bool {
  const lists = S.neighbourStart() + S.STRIDE_neighbourStart * start;
  const ring = load<u32>(lists, S.NEIGHBOUR_START_RING), far = load<u32>(lists, S.NEIGHBOUR_START_FAR);
  const end = load<u32>(lists, S.STRIDE_neighbourStart + S.NEIGHBOUR_START_SHARED);
  return ring == far && end == far + 1 && load<u32>(S.neighbour() + (far << S.SHIFT_neighbour)) == 0;
}

// Room of touchPairs: a stack of pairs of nodes; of each cluster the last of its pairs or 0; of each node the address of its block or 0; blocks; and pairs of 8 bytes: source, and the pair before it or 0. Pairs count from 1.
let pairStack: usize = 0;
let pairHeads: usize = 0;
let blockOf: usize = 0;
let leafBlocks: usize = 0;
let pairList: usize = 0;
let mostPairs: u32 = 0;
let pairCount: u32 = 0;
/** Whether pairs are listed only, each with its target in the place of the pair before it. */
let listing: bool = false;
/** Bytes of the stack. A pair waits for each level that was descended, in either of two trees of 33 levels. */
const PAIR_STACK: usize = 2 * 33 * 8;
/** Numbers a particle at the front of `contactRow` that lists of candidates need: the list, and what pickRound writes behind it. */
const LISTED: usize = 4;

/** Pairs below which there is too little room. */
const LEAST_PAIRS: u32 = 1024;

/** Finds room behind the lists of candidates, in `contactRow`. Returns false if there is too little. */
function takePairRoom(start: u32, end: u32): bool {
  const rows = <usize>(lastParticle - firstRow), clusters = <usize>(end - start);
  pairStack = lists + 4 * LISTED * rows;
  pairHeads = pairStack + PAIR_STACK;
  blockOf = pairHeads + 4 * clusters;
  // Blocks of four leaves and fewer: a third of the clusters where all are full, as many as clusters at most.
  leafBlocks = (blockOf + 8 * clusters + 15) & ~15;
  pairList = leafBlocks + LEAF_BLOCK * clusters - 8;
  const past = lists + S.STRIDE_contactRow * rows;
  if (past < pairList + 16 + <usize>LEAST_PAIRS * 8) return false;
  mostPairs = <u32>((past - pairList) >> 3) - 1;
  return true;
}

/**
 * The search within a body of many clusters: pairs of nodes whose boxes meet are followed to pairs of leaves, each pair once for both directions, instead of a walk from the root for every
 * cluster. Subtrees of up to four leaves are blocks, whose boxes are laid out by coordinates: a leaf is tested against four at a time. Contacts do not depend on the order of the tests.
 */
function touchPairs(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  memory.fill(pairHeads, 0, 4 * <usize>(end - start));
  layBlocks(start, end);
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start, past = 2 * end - 1;
  pairCount = 0;
  for (let node = root; node < past; ) {
    const own = blockOfNode(node, root);
    if (own != 0) {
      touched = meetBlocks(own, own, true, start, end, margin, skip, quick, h, round, touched);
      node += 2 * load<u32>(own, LEAF_COUNT) - 1;
      continue;
    }
    let p = node + 1, q = root + load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT), top = pairStack;
    while (true) {
      const a = box + <usize>p * S.TREE_BOX_NODE, b = box + <usize>q * S.TREE_BOX_NODE;
      const low = v128.load(a, S.TREE_BOX_LOW), high = v128.load(a, S.TREE_BOX_HIGH);
      if (!isApart(b, low, high)) {
        const pBlock = blockOfNode(p, root), qBlock = blockOfNode(q, root);
        if (pBlock == 0 && (qBlock != 0 || extentOf(low, high) >= extentOf(v128.load(b, S.TREE_BOX_LOW), v128.load(b, S.TREE_BOX_HIGH)))) {
          store<u32>(top, root + load<u32>(treeNode + <usize>p * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT)); store<u32>(top, q, 4); top += 8;
          p++;
          continue;
        }
        if (qBlock == 0) {
          store<u32>(top, p); store<u32>(top, root + load<u32>(treeNode + <usize>q * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT), 4); top += 8;
          q++;
          continue;
        }
        touched = meetBlocks(pBlock, qBlock, false, start, end, margin, skip, quick, h, round, touched);
      }
      if (top == pairStack) break;
      top -= 8;
      p = load<u32>(top); q = load<u32>(top, 4);
    }
    node++;
  }
  return touchPaired(start, end, margin, skip, quick, h, round, touched);
}

// A block of leaves: rows of the x, y and z of four lower corners, then of the upper ones; a row of their clusters; and how many there are.
const LEAF_ROW: usize = 16;
const LEAF_Y: usize = LEAF_ROW;
const LEAF_Z: usize = 2 * LEAF_ROW;
const LEAF_HIGH: usize = 3 * LEAF_ROW;
const LEAF_CLUSTER: usize = 6 * LEAF_ROW;
const LEAF_COUNT: usize = 7 * LEAF_ROW;
const LEAF_BLOCK: usize = 8 * LEAF_ROW;
/** Leaves of a block. */
const LEAVES: u32 = 4;

/** The block whose leaves are all of a node and no others, or 0. */
// @ts-ignore: decorator
@inline function blockOfNode(node: u32, root: u32): usize { return <usize>load<u32>(blockOf + (<usize>(node - root) << 2)); }

/** Lays out the blocks of the tree of a body. */
function layBlocks(start: u32, end: u32): void {
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start, past = 2 * end - 1;
  // At first `blockOf` has how many leaves a node has.
  for (let node: i32 = past - 1; node >= <i32>root; node--) {
    const right = load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT), at = blockOf + (<usize>(node - root) << 2);
    store<u32>(at, right == 0 ? 1 : load<u32>(at, 4) + load<u32>(blockOf + (<usize>right << 2)));
  }
  let block = leafBlocks;
  for (let node = root; node < past; ) {
    const at = blockOf + (<usize>(node - root) << 2), leaves = load<u32>(at);
    if (leaves > LEAVES) {
      store<u32>(at, 0);
      node++;
      continue;
    }
    store<u32>(at, <u32>block);
    store<u32>(block, leaves, LEAF_COUNT);
    let lane = block;
    for (const stop = node + 2 * leaves - 1; node < stop; node++) {
      if (load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
      const from = box + <usize>node * S.TREE_BOX_NODE;
      const low = v128.load(from, S.TREE_BOX_LOW), high = v128.load(from, S.TREE_BOX_HIGH);
      v128.store32_lane(lane, low, 0); v128.store32_lane(lane, low, 1, LEAF_Y); v128.store32_lane(lane, low, 2, LEAF_Z);
      v128.store32_lane(lane, high, 0, LEAF_HIGH); v128.store32_lane(lane, high, 1, LEAF_HIGH + LEAF_Y); v128.store32_lane(lane, high, 2, LEAF_HIGH + LEAF_Z);
      store<u32>(lane, load<u32>(treeNode + <usize>node * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER), LEAF_CLUSTER);
      lane += 4;
    }
    block += LEAF_BLOCK;
  }
}

/** Lists the pairs of leaves of two blocks whose boxes meet, or those within one. */
function meetBlocks(p: usize, q: usize, isOne: bool, start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  const lx = v128.load(q), ly = v128.load(q, LEAF_Y), lz = v128.load(q, LEAF_Z);
  const hx = v128.load(q, LEAF_HIGH), hy = v128.load(q, LEAF_HIGH + LEAF_Y), hz = v128.load(q, LEAF_HIGH + LEAF_Z);
  const there = (1 << load<u32>(q, LEAF_COUNT)) - 1, count = load<u32>(p, LEAF_COUNT);
  for (let n: u32 = 0; n < count; n++) {
    const a = p + (<usize>n << 2);
    const apart = v128.or(
      v128.or(
        v128.or(f32x4.gt(v128.load32_splat(a), hx), f32x4.gt(v128.load32_splat(a, LEAF_Y), hy)),
        v128.or(f32x4.gt(v128.load32_splat(a, LEAF_Z), hz), f32x4.gt(lx, v128.load32_splat(a, LEAF_HIGH))),
      ),
      v128.or(f32x4.gt(ly, v128.load32_splat(a, LEAF_HIGH + LEAF_Y)), f32x4.gt(lz, v128.load32_splat(a, LEAF_HIGH + LEAF_Z))),
    );
    let meets = ~<u32>i32x4.bitmask(apart) & there;
    if (isOne) meets &= ~((2 << n) - 1);
    for (; meets != 0; meets &= meets - 1) {
      if (pairCount + 2 > mostPairs) {
        touched = touchPaired(start, end, margin, skip, quick, h, round, touched);
        pairCount = 0;
      }
      pairUp(start, load<u32>(a, LEAF_CLUSTER), load<u32>(q + (<usize>ctz(meets) << 2), LEAF_CLUSTER));
    }
  }
  return touched;
}

/** Half of the rows of `contactRow` of a body, from here on, hold the pairs that jobs list: where those of the nodes from `node` on begin. */
function pairsFrom(node: u32, start: u32, end: u32): usize {
  const rows = lastParticle - firstRow, half = <usize>S.STRIDE_contactRow / 2;
  return lists + half * rows + 8 * <usize>(<u64>(node - 2 * start) * <u64>((half >> 3) * rows) / <u64>(2 * (end - start) - 1));
}

/** The first part of touchPairs, as a job: lists the pairs of the nodes [from, to) of the tree of a body, for touchListedPairs. Returns 1 if there is too little room. */
export function listPairs(from: u32, to: u32, start: u32, end: u32, first: u32, last: u32): u32 {
  workFrom(first, 0);
  lastParticle = last;
  pairStack = STACK;
  pairList = pairsFrom(from, start, end);
  mostPairs = <u32>((pairsFrom(to, start, end) - pairList) >> 3) - 1;
  pairCount = 0;
  listing = true;
  const full = walkPairs(from, to, start);
  listing = false;
  store<u32>(pairList, pairCount);
  return full;
}

/** touchWithin after listPairs has run for each of so many parts of the nodes. */
export function touchListedPairs(
  start: u32, end: u32, first: u32, last: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32, parts: u32,
): u32 {
  workFrom(first, S.touching());
  firstParticle = first;
  lastParticle = last;
  memory.fill(S.sharesWith() + (start << S.SHIFT_sharesWith), 0, (end - start) << S.SHIFT_sharesWith);
  laidOut = scannable = saved = 0;
  const nodes = 2 * (end - start) - 1;
  pairHeads = lists + 4 * LISTED * <usize>(last - first);
  const past = pairsFrom(2 * start, start, end);
  pairList = pairHeads + 4 * <usize>(end - start) - 8;
  if (past < pairList + 16 + <usize>LEAST_PAIRS * 8) return touchWithin(start, end, first, last, margin, skip, quick, h, round, touched);
  mostPairs = <u32>((past - pairList) >> 3) - 1;
  memory.fill(pairHeads, 0, 4 * <usize>(end - start));
  pairCount = 0;
  for (let n: u32 = 0; n < parts; n++) {
    let pair = pairsFrom(2 * start + <u32>(<u64>n * nodes / parts), start, end);
    for (let left = load<u32>(pair); left > 0; left--) {
      if (pairCount == mostPairs) {
        touched = touchPaired(start, end, margin, skip, quick, h, round, touched);
        pairCount = 0;
      }
      pair += 8;
      addPair(load<u32>(pair, 4), load<u32>(pair));
    }
  }
  return touchPaired(start, end, margin, skip, quick, h, round, touched);
}

/** Lists the pairs of the nodes [from, to). Returns 1 as soon as there is no more room. */
function walkPairs(from: u32, to: u32, start: u32): u32 {
  const treeNode = S.treeNode(), box = S.treeBox();
  const root = 2 * start;
  for (let inner = from; inner < to; inner++) {
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
        if (pairCount + 2 > mostPairs) return 1;
        pairUp(start, load<u32>(treeNode + <usize>p * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER), load<u32>(treeNode + <usize>q * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER));
      }
      if (top == pairStack) break;
      top -= 8;
      p = load<u32>(top); q = load<u32>(top, 4);
    }
  }
  return 0;
}

/** Sum of the edges of a box. */
// @ts-ignore: decorator
@inline function extentOf(low: v128, high: v128): f32 {
  const d = f32x4.sub(high, low);
  return f32x4.extract_lane(d, 0) + f32x4.extract_lane(d, 1) + f32x4.extract_lane(d, 2);
}

/** Lists two clusters for each other where they have come nearer than at rest, as the target sees it. */
function pairUp(start: u32, c: u32, d: u32): void {
  const rest = S.firstMemberRest() + (start << S.SHIFT_firstMemberRest), now = S.firstMemberNow() + (start << S.SHIFT_firstMemberNow);
  const far = lengthSquared(f32x4.sub(v128.load(now + (c << S.SHIFT_firstMemberNow)), v128.load(now + (d << S.SHIFT_firstMemberNow))));
  const way = f32x4.sub(v128.load(rest + (c << S.SHIFT_firstMemberRest)), v128.load(rest + (d << S.SHIFT_firstMemberRest)));
  pairIf(start, c, d, far, way);
  pairIf(start, d, c, far, way);
}

// @ts-ignore: decorator
@inline function pairIf(start: u32, target: u32, source: u32, now: f32, way: v128): void {
  const s = S.stretchFromRest() + S.STRIDE_stretchFromRest * (start + target);
  const rest = spreadSquared(way, v128.load(s, S.STRETCH_FROM_REST_X), v128.load(s, S.STRETCH_FROM_REST_Y), v128.load(s, S.STRETCH_FROM_REST_Z));
  if (now < S.TOUCH_NEARER * S.TOUCH_NEARER * rest) addPair(target, source);
}

function addPair(target: u32, source: u32): void {
  const pair = pairList + (<usize>++pairCount << 3);
  store<u32>(pair, source);
  if (listing) {
    store<u32>(pair, target, 4);
    return;
  }
  const head = pairHeads + (target << 2);
  store<u32>(pair, load<u32>(head), 4);
  store<u32>(head, pairCount);
}

/** Tests the pairs that were listed, and empties the lists. */
function touchPaired(start: u32, end: u32, margin: f32, skip: u32, quick: bool, h: f32, round: u32, touched: u32): u32 {
  const treeNode = S.treeNode(), sharesWith = S.sharesWith(), listedFor = S.listedFor();
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
      if (load<u32>(sharesWith + (source << S.SHIFT_sharesWith)) != mark) count = gatherMembers(source, S.treeBox() + <usize>leaf * S.TREE_BOX_NODE, margin, skip, mark, count, lists);
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
  if (isAsking) {
    sourceMembers = 1;
    return;
  }
  const at = S.memberStart() + (source << S.SHIFT_memberStart);
  store<u32>(sourcesEnd, source);
  sourcesEnd += 4;
  sourceMembers += load<u32>(at, S.STRIDE_memberStart) - load<u32>(at);
}

/** Lists the clusters that have come nearer to a target than at rest, of those that are not marked as sharing particles with it. If it is only asked whether there are, those are not left out. */
function listSources(start: u32, target: u32, leaf: u32): void {
  const treeNode = S.treeNode(), box = S.treeBox(), sharesWith = S.sharesWith();
  const firstMemberRest = S.firstMemberRest() + (start << S.SHIFT_firstMemberRest), firstMemberNow = S.firstMemberNow() + (start << S.SHIFT_firstMemberNow);
  const root = 2 * start, mark = target - start + 1;
  const row = S.neighbourStart() + S.STRIDE_neighbourStart * target, neighbour = S.neighbour();
  const far = neighbour + (load<u32>(row, S.NEIGHBOUR_START_FAR) << S.SHIFT_neighbour), past = neighbour + (load<u32>(row, S.STRIDE_neighbourStart + S.NEIGHBOUR_START_SHARED) << S.SHIFT_neighbour);
  const at = v128.load(firstMemberNow + ((mark - 1) << S.SHIFT_firstMemberNow)), home = v128.load(firstMemberRest + ((mark - 1) << S.SHIFT_firstMemberRest));
  const own = box + <usize>leaf * S.TREE_BOX_NODE;
  const s = S.stretchFromRest() + S.STRIDE_stretchFromRest * target;
  const sx = v128.load(s, S.STRETCH_FROM_REST_X), sy = v128.load(s, S.STRETCH_FROM_REST_Y), sz = v128.load(s, S.STRETCH_FROM_REST_Z);
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
        if (isAsking || load<u32>(sharesWith + ((start + source) << S.SHIFT_sharesWith)) != mark) {
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
}

function gatherWithin(start: u32, end: u32, target: u32, leaf: u32, margin: f32, skip: u32): u32 {
  const listedFor = S.listedFor(), mark = target - start + 1;
  const own = S.treeBox() + <usize>leaf * S.TREE_BOX_NODE;
  markNear(start, target, mark);
  sourcesEnd = lists;
  sourceMembers = 0;
  listSources(start, target, leaf);
  if (sourcesEnd == lists) return 0;
  if (sourceMembers > SCANNED && paysToScan(start, end, skip)) return gatherLaidOut(start, target, own, margin);
  let count: u32 = 0;
  for (let k = lists; k < sourcesEnd; k += 4) count = gatherMembers(load<u32>(k), own, margin, skip, mark, count, sourcesEnd);
  for (let k: u32 = 0; k < count; k++) store<u32>(listedFor + (load<u32>(candidates + (k << S.SHIFT_candidate), S.CANDIDATE_PARTICLE) << S.SHIFT_listedFor), 0);
  return count;
}

/** Number of members of sources from which on it may pay to look at each particle of the body once. */
const SCANNED: u32 = 512;
/** Particles of the body that are laid out; 0 if they are not. */
let laidOut: u32 = 0;
/** Particles of the body that would be laid out; 0 if they were not counted. */
let scannable: u32 = 0;
/** Tests of members that a layout would have saved so far. */
let saved: u32 = 0;
/** Share of the particles in `saved` from which on they are laid out: to lay one out costs as much as some ten tests. */
const SAVING: u32 = 2;
/** Particles that are laid out, and whose blocks are small, take this much less time than members that are looked up one by one. */
const SCAN_GAIN: u32 = 4;
// Room of layOut, behind the lists of candidates in `contactRow`: boxes of blocks of particles; bounds of the particles' paths, one array for each coordinate of the lower and of the upper corner; their numbers; of each particle, of the clusters
// near the target and of its sources a row of bits, one a cluster; of each cluster a number.
let blocks: usize = 0;
let bounds: usize = 0;
let boundsField: usize = 0;
let laidOutParticles: usize = 0;
let clusterBits: usize = 0;
let bitsWidth: usize = 0;
let nearBits: usize = 0;
let sourceBits: usize = 0;
let places: usize = 0;
/** Bytes of the numbers of a block of particles. */
const SCAN_BLOCK: usize = 4 * 32;

/** Whether to look at each particle of the body once costs less than to look at the members of all listed sources. Lays out the particles as soon as that would have saved enough. */
function paysToScan(start: u32, end: u32, skip: u32): bool {
  if (laidOut == 0) {
    if (scannable == 0) scannable = max(1, countScannable(skip));
    if (sourceMembers <= scannable) return false;
    saved += sourceMembers - scannable;
    if (saved < SAVING * scannable) return false;
    layOut(start, end, skip);
    // Where there is no room, none is sought again.
    if (laidOut == 0) scannable = -1;
  }
  return SCAN_GAIN * sourceMembers > laidOut;
}

function countScannable(skip: u32): u32 {
  const flags = S.flags(), skipped = i32x4.splat(skip), zero = i32x4.splat(0);
  let sum = zero, i = firstParticle;
  for (; i + 4 <= lastParticle; i += 4) sum = i32x4.sub(sum, i32x4.eq(v128.and(v128.load(flags + (i << S.SHIFT_flags)), skipped), zero));
  let count = <u32>(i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3));
  for (; i < lastParticle; i++) count += u32((load<u32>(flags + (i << S.SHIFT_flags)) & skip) == 0);
  return count;
}

/**
 * Lays out the particles of the body that are not skipped by coordinates, so that four are tested at a time, in the order of the leaves that hold them, so that blocks of them are small. Sets laidOut, to 0 if there is too little room. In a body
 * that lies flat, every cluster meets most others: particles are in several clusters each and were tested once for each of them.
 */
function layOut(start: u32, end: u32, skip: u32): void {
  const stepBox = S.stepBox(), treeNode = S.treeNode();
  const rows = <usize>(lastParticle - firstRow);
  const blockCount = <usize>(scannable - 1) / (SCAN_BLOCK >> 2) + 1;
  const clusters = end - start;
  bitsWidth = ((clusters + 127) >> 7) << 4;
  blocks = lists + 4 * LISTED * rows;
  bounds = blocks + 32 * blockCount;
  boundsField = SCAN_BLOCK * blockCount;
  laidOutParticles = bounds + 6 * boundsField;
  clusterBits = laidOutParticles + boundsField;
  nearBits = clusterBits + bitsWidth * (boundsField >> 2);
  sourceBits = nearBits + bitsWidth;
  places = sourceBits + bitsWidth;
  // Sources and the members of one of them have to fit before the blocks.
  if (clusters > <u32>rows || lists + S.STRIDE_contactRow * rows < places + (<usize>clusters << 2)) return;
  memory.fill(places, 0, <usize>clusters << 2);
  for (let i = firstParticle; i < lastParticle; i++) {
    if ((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) != 0) continue;
    const at = places + (firstClusterOf(i, start) << 2);
    store<u32>(at, load<u32>(at) + 4);
  }
  let sum: u32 = 0;
  for (let leaf = 2 * start; leaf < 2 * end - 1; leaf++) {
    if (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_RIGHT) != 0) continue;
    const at = places + (load<u32>(treeNode + <usize>leaf * S.TREE_NODE_NODE, S.TREE_NODE_CLUSTER) << 2);
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
  laidOut = sum >> 2;
  const none = f32x4.splat(Infinity), nowhere = f32x4.splat(-Infinity);
  for (let block = blocks; block < bounds; block += 32) {
    v128.store(block, none);
    v128.store(block, nowhere, 16);
  }
  memory.fill(clusterBits, 0, bitsWidth * <usize>laidOut);
  for (let i = firstParticle; i < lastParticle; i++) {
    if ((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) != 0) continue;
    const next = places + (firstClusterOf(i, start) << 2);
    const at = <usize>load<u32>(next);
    store<u32>(next, <u32>at + 4);
    layDown(at, v128.load(stepBox + (i << S.SHIFT_stepBox), S.STEP_BOX_LOW), v128.load(stepBox + (i << S.SHIFT_stepBox), S.STEP_BOX_HIGH));
    store<u32>(laidOutParticles + at, i);
    const rank = load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)), bits = clusterBits + bitsWidth * (at >> 2);
    const last = load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart), S.STRIDE_linkStart);
    for (let l = load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart)); l < last; l++) setBit(bits, load<u32>(S.linkCluster() + (l << S.SHIFT_linkCluster)) - start);
  }
  for (let at = <usize>sum; at % SCAN_BLOCK != 0; at += 4) layDown(at, none, nowhere);
}

/** Number of the first cluster of a particle among those from `start` on; 0 for debris. */
// @ts-ignore: decorator
@inline function firstClusterOf(i: u32, start: u32): u32 {
  const at = S.linkStart() + (load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
  const first = load<u32>(at);
  return first < load<u32>(at, S.STRIDE_linkStart) ? load<u32>(S.linkCluster() + (first << S.SHIFT_linkCluster)) - start : 0;
}

// @ts-ignore: decorator
@inline function setBit(bits: usize, n: u32): void {
  const at = bits + ((n >> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (n & 31)));
}

/** Writes the bounds of a particle, and makes the box of its block hold them. */
// @ts-ignore: decorator
@inline function layDown(at: usize, low: v128, high: v128): void {
  const to = bounds + at, block = blocks + at / SCAN_BLOCK * 32;
  v128.store32_lane(to, low, 0); v128.store32_lane(to + boundsField, low, 1); v128.store32_lane(to + 2 * boundsField, low, 2);
  v128.store32_lane(to + 3 * boundsField, high, 0); v128.store32_lane(to + 4 * boundsField, high, 1); v128.store32_lane(to + 5 * boundsField, high, 2);
  v128.store(block, f32x4.pmin(v128.load(block), low));
  v128.store(block, f32x4.pmax(v128.load(block, 16), high), 16);
}

/** Lists the particles that are laid out whose paths meet a box and that are in one of the listed sources, and in no cluster near the target. The same as gatherMembers for all sources. */
function gatherLaidOut(start: u32, target: u32, box: usize, margin: f32): u32 {
  const width = bitsWidth, near = nearBits;
  memory.fill(near, 0, 2 * width);
  for (let k = lists; k < sourcesEnd; k += 4) setBit(sourceBits, load<u32>(k) - start);
  setBit(near, target - start);
  const row = S.neighbourStart() + S.STRIDE_neighbourStart * target;
  const past = S.neighbour() + (load<u32>(row, S.NEIGHBOUR_START_RING) << S.SHIFT_neighbour);
  for (let k = S.neighbour() + (load<u32>(row, S.NEIGHBOUR_START_SHARED) << S.SHIFT_neighbour); k < past; k += S.STRIDE_neighbour) setBit(near, load<u32>(k));
  const pad = f32x4.splat(margin);
  const low = f32x4.sub(v128.load(box, S.TREE_BOX_LOW), pad), high = f32x4.add(v128.load(box, S.TREE_BOX_HIGH), pad);
  const lx = splat0(low), ly = splat1(low), lz = splat2(low), hx = splat0(high), hy = splat1(high), hz = splat2(high);
  const end = (<usize>laidOut << 2) + SCAN_BLOCK - 1 & ~(SCAN_BLOCK - 1), field = boundsField;
  let count: u32 = 0;
  let block = blocks;
  for (let o: usize = 0; o < end; o += SCAN_BLOCK, block += 32) {
    if ((i32x4.bitmask(v128.or(f32x4.lt(v128.load(block, 16), low), f32x4.gt(v128.load(block), high))) & 7) != 0) continue;
    for (let at = bounds + o; at < bounds + o + SCAN_BLOCK; at += 16) {
      const off = v128.or(
        v128.or(
          v128.or(f32x4.gt(v128.load(at), hx), f32x4.gt(v128.load(at + field), hy)),
          v128.or(f32x4.gt(v128.load(at + 2 * field), hz), f32x4.lt(v128.load(at + 3 * field), lx)),
        ),
        v128.or(f32x4.lt(v128.load(at + 4 * field), ly), f32x4.lt(v128.load(at + 5 * field), lz)),
      );
      const outside = <u32>i32x4.bitmask(off);
      if (outside == 15) continue;
      // All four are asked: a branch would be mispredicted at every other one.
      const numbers = laidOutParticles + (at - bounds), bits = clusterBits + width * ((at - bounds) >> 2);
      count = listIf(isOfSource(bits, near, width) & ~outside, numbers, count);
      count = listIf(isOfSource(bits + width, near, width) & ~(outside >> 1), numbers + 4, count);
      count = listIf(isOfSource(bits + 2 * width, near, width) & ~(outside >> 2), numbers + 8, count);
      count = listIf(isOfSource(bits + 3 * width, near, width) & ~(outside >> 3), numbers + 12, count);
    }
  }
  return count;
}

/** Lists the particle whose number is at `number` if `counts` is 1, not if it is 0. Returns how many are listed. */
// @ts-ignore: decorator
@inline function listIf(counts: u32, number: usize, count: u32): u32 {
  store<u32>(candidates + (count << S.SHIFT_candidate), load<u32>(number), S.CANDIDATE_PARTICLE);
  return count + counts;
}

/** 1 if a particle, by the row of bits of its clusters, is in a source of the target and in no cluster near it, else 0. The bits of the sources lie behind those of the clusters near the target. */
// @ts-ignore: decorator
@inline function isOfSource(bits: usize, near: usize, width: usize): u32 {
  let nears = i32x4.splat(0), sources = nears;
  for (let o: usize = 0; o < width; o += 16) {
    const own = v128.load(bits + o);
    nears = v128.or(nears, v128.and(own, v128.load(near + o)));
    sources = v128.or(sources, v128.and(own, v128.load(near + width + o)));
  }
  return u32(!v128.any_true(nears)) & u32(v128.any_true(sources));
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

/** Lists members of a source whose paths meet a box. `room` is for as many numbers as it has members. */
function gatherMembers(source: u32, box: usize, margin: f32, skip: u32, mark: u32, count: u32, room: usize): u32 {
  let past = room;
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
    // Every member is written, and the end advances only if it meets the box: a branch would be mispredicted.
    for (let at = m; at < end; at += S.STRIDE_memberParticle) {
      const i = load<u32>(at);
      store<u32>(past, i);
      past += usize(!staysOff(stepBox + (i << S.SHIFT_stepBox), low, high)) << 2;
    }
  }
  for (let at = room; at < past; at += 4) {
    const i = load<u32>(at);
    if (load<u32>(listedFor + (i << S.SHIFT_listedFor)) == mark) continue;
    if ((load<u32>(S.flags() + (i << S.SHIFT_flags)) & skip) != 0 || isNear(i, mark)) continue;
    store<u32>(listedFor + (i << S.SHIFT_listedFor), mark);
    store<u32>(candidate + (count << S.SHIFT_candidate), i, S.CANDIDATE_PARTICLE);
    count++;
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
