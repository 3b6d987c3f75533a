import * as S from './layout.generated';
import { lengthSquared } from './integrate';
import { A, CENTRE, F, multiply, sumMoving, xyz } from './match';
import { svd3 } from './polar';

/** Scratch (src/kernels/wasm/scratchMap.ts): G = F⁻¹, and U, Σ, V of a cluster that cannot be inverted. */
const G: usize = S.AT_PROXY_G;
const U: usize = S.AT_PROXY_U;
const V: usize = S.AT_PROXY_V;
const SIGMA: usize = S.AT_PROXY_SIGMA;

export function placeProxy(c: u32, h: f32): void {
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart)), last = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart), S.STRIDE_memberStart);
  const mass = load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass));
  sumMoving(c, first, last, mass, S.restShift() + S.STRIDE_restShift * c);
  multiply(F, A, S.restInverse() + S.STRIDE_restInverse * c);
  invertSafely(S.restInverse() + S.STRIDE_restInverse * c);
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const origin = S.x() + (load<u32>(S.memberParticle() + (first << S.SHIFT_memberParticle)) << S.SHIFT_x);
  for (let a: u32 = 0; a < 3; a++) {
    const to = frame + (a << 2);
    store<f32>(to, <f32>load<f64>(G + (a << 3)), S.PROXY_FRAME_X);
    store<f32>(to, <f32>load<f64>(G + (a << 3), S.MATRIX_XY), S.PROXY_FRAME_Y);
    store<f32>(to, <f32>load<f64>(G + (a << 3), S.MATRIX_XZ), S.PROXY_FRAME_Z);
    store<f32>(to, <f32>(<f64>load<f32>(origin + (a << 2)) + load<f64>(CENTRE + (a << 3))), S.PROXY_FRAME_CENTRE);
    store<f32>(to, h * load<f32>(S.motion() + (c << S.SHIFT_motion) + (a << 2), S.MOTION_V), S.PROXY_FRAME_MOTION);
  }
  store<f32>(frame, 0, S.PROXY_FRAME_X + 12); store<f32>(frame, 0, S.PROXY_FRAME_Y + 12); store<f32>(frame, 0, S.PROXY_FRAME_Z + 12); store<f32>(frame, 0, S.PROXY_FRAME_MOTION + 12);
  store<f32>(frame, load<f32>(S.proxyRadius() + (c << S.SHIFT_proxyRadius)), S.PROXY_FRAME_RADIUS);
  placePlanes(c);
}

/** n·F⁻¹(x − x̄) < h is the half-space of normal F⁻ᵀn, whose length scales distances. */
function placePlanes(c: u32): void {
  const from = S.proxy() + S.STRIDE_proxy * c, to = S.placedProxy() + S.STRIDE_placedProxy * c;
  const g0 = f32x4.splat(<f32>load<f64>(G)), g1 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_YX)), g2 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_ZX));
  const g3 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_XY)), g4 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_YY)), g5 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_ZY));
  const g6 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_XZ)), g7 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_YZ)), g8 = f32x4.splat(<f32>load<f64>(G, S.MATRIX_ZZ));
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const planes = load<u32>(S.proxyPlanes() + (c << S.SHIFT_proxyPlanes)) << 2;
  for (let k: usize = 0; k < planes; k += 16) {
    const p = v128.load(from + k), q = v128.load(from + k, S.PROXY_NY), r = v128.load(from + k, S.PROXY_NZ);
    const nx = f32x4.add(f32x4.add(f32x4.mul(g0, p), f32x4.mul(g1, q)), f32x4.mul(g2, r));
    const ny = f32x4.add(f32x4.add(f32x4.mul(g3, p), f32x4.mul(g4, q)), f32x4.mul(g5, r));
    const nz = f32x4.add(f32x4.add(f32x4.mul(g6, p), f32x4.mul(g7, q)), f32x4.mul(g8, r));
    const length = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(nx, nx), f32x4.mul(ny, ny)), f32x4.mul(nz, nz)));
    // Unused half-spaces keep n = 0 and a reach beyond everything.
    const scale = v128.bitselect(f32x4.div(one, length), one, f32x4.gt(length, zero));
    v128.store(to + k, f32x4.mul(nx, scale));
    v128.store(to + k, f32x4.mul(ny, scale), S.PROXY_NY);
    v128.store(to + k, f32x4.mul(nz, scale), S.PROXY_NZ);
    v128.store(to + k, f32x4.mul(v128.load(from + k, S.PROXY_REACH), scale), S.PROXY_REACH);
  }
}

/** G = F⁻¹, with bounds: the proxy is never thinner than a tenth of itself, and never mirrored. */
function invertSafely(restInverse: usize): void {
  const a = load<f64>(F), b = load<f64>(F, S.MATRIX_XY), c = load<f64>(F, S.MATRIX_XZ);
  const d = load<f64>(F, S.MATRIX_YX), e = load<f64>(F, S.MATRIX_YY), f = load<f64>(F, S.MATRIX_YZ);
  const g = load<f64>(F, S.MATRIX_ZX), h = load<f64>(F, S.MATRIX_ZY), i = load<f64>(F, S.MATRIX_ZZ);
  const k0 = e * i - f * h, k1 = f * g - d * i, k2 = d * h - e * g;
  const det = a * k0 + b * k1 + c * k2;
  if (det > S.INVERT_THINNEST * 0.5 * (a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i)) {
    const inv = 1.0 / det;
    store<f64>(G, k0 * inv); store<f64>(G, k1 * inv, S.MATRIX_YX); store<f64>(G, k2 * inv, S.MATRIX_ZX);
    store<f64>(G, (c * h - b * i) * inv, S.MATRIX_XY); store<f64>(G, (a * i - c * g) * inv, S.MATRIX_YY); store<f64>(G, (b * g - a * h) * inv, S.MATRIX_ZY);
    store<f64>(G, (b * f - c * e) * inv, S.MATRIX_XZ); store<f64>(G, (c * d - a * f) * inv, S.MATRIX_YZ); store<f64>(G, (a * e - b * d) * inv, S.MATRIX_ZZ);
    return;
  }
  svd3(U, SIGMA, V, F);
  const flat = 1e-9 * (load<f64>(restInverse) + load<f64>(restInverse, S.MATRIX_YY) + load<f64>(restInverse, S.MATRIX_ZZ));
  for (let k: u32 = 0; k < 9; k++) store<f64>(G + (k << 3), 0);
  for (let k: u32 = 0; k < 3; k++) {
    const v = V + S.VECTOR_WIDTH * k, u = U + S.VECTOR_WIDTH * k;
    let seen: f64 = 0;
    for (let r: u32 = 0; r < 3; r++) {
      const o = restInverse + (r << 3);
      const y = load<f64>(o) * load<f64>(v) + load<f64>(o, S.MATRIX_XY) * load<f64>(v, S.VECTOR_Y) + load<f64>(o, S.MATRIX_XZ) * load<f64>(v, S.VECTOR_Z);
      seen += y * y;
    }
    const sigma: f64 = seen <= flat * flat ? 1.0 : max(S.INVERT_THINNEST, abs(load<f64>(SIGMA + (k << 3))));
    for (let r: u32 = 0; r < 3; r++)
      for (let j: u32 = 0; j < 3; j++) {
        const at = G + S.VECTOR_WIDTH * j + (r << 3);
        store<f64>(at, load<f64>(at) + load<f64>(v + (r << 3)) * load<f64>(u + (j << 3)) / sigma);
      }
  }
}

// Of the particle under test: position of its entry on its path, and the place of entry in rest space.
export let enter: f32 = 0;
export let entry: v128 = f32x4.splat(0);
// Of the particle being measured: both ends of its path relative to the centre, and the end in rest space.
let start: v128 = f32x4.splat(0);
let end: v128 = f32x4.splat(0);
let q1: v128 = f32x4.splat(0);

/** Whether the path enters the proxy. Sets `enter` and `entry`. */
export function enterProxy(i: u32, c: u32): bool {
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const centre = v128.load(frame, S.PROXY_FRAME_CENTRE);
  const to = f32x4.sub(v128.load(S.x() + (i << S.SHIFT_x)), centre);
  const from = f32x4.sub(f32x4.add(v128.load(S.xOld() + (i << S.SHIFT_xOld)), v128.load(frame, S.PROXY_FRAME_MOTION)), centre);
  const sx = splat0(from), sy = splat1(from), sz = splat2(from);
  const ex = splat0(to), ey = splat1(to), ez = splat2(to);
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const planes = load<u32>(S.proxyPlanes() + (c << S.SHIFT_proxyPlanes)) << 2;
  const row = S.placedProxy() + S.STRIDE_placedProxy * c;
  let enters = zero, leaves = one;
  for (let k: usize = 0; k < planes; k += 16) {
    const nx = v128.load(row + k), ny = v128.load(row + k, S.PROXY_NY), nz = v128.load(row + k, S.PROXY_NZ), h = v128.load(row + k, S.PROXY_REACH);
    const b = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, sx), f32x4.mul(ny, sy)), f32x4.mul(nz, sz)), h);
    const e = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, ex), f32x4.mul(ny, ey)), f32x4.mul(nz, ez)), h);
    const was = f32x4.ge(b, zero), is = f32x4.ge(e, zero);
    if (v128.any_true(v128.and(was, is))) return false;
    if (!v128.any_true(v128.or(was, is))) continue;
    const t = f32x4.div(b, f32x4.sub(b, e));
    enters = f32x4.pmax(enters, v128.bitselect(t, zero, was));
    leaves = f32x4.pmin(leaves, v128.bitselect(t, one, v128.andnot(f32x4.gt(e, zero), was)));
  }
  const first = maxOf(enters), last = minOf(leaves);
  if (first > last) return false;
  const f0 = v128.load(frame, S.PROXY_FRAME_X), f1 = v128.load(frame, S.PROXY_FRAME_Y), f2 = v128.load(frame, S.PROXY_FRAME_Z);
  const p0 = f32x4.add(f32x4.add(f32x4.mul(f0, sx), f32x4.mul(f1, sy)), f32x4.mul(f2, sz));
  const p1 = f32x4.add(f32x4.add(f32x4.mul(f0, ex), f32x4.mul(f1, ey)), f32x4.mul(f2, ez));
  enter = crossSphere(p0, p1, load<f32>(frame, S.PROXY_FRAME_RADIUS), first, last);
  if (enter > 1) return false;
  entry = f32x4.add(p0, f32x4.mul(f32x4.splat(enter), f32x4.sub(p1, p0)));
  return true;
}

/** Position in [first, last] at which the path from p0 to p1 enters the sphere; 2 if it does not. */
// @ts-ignore: decorator
@inline function crossSphere(p0: v128, p1: v128, radius: f32, first: f32, last: f32): f32 {
  // Most paths are inside at both ends.
  if (lengthSquared(p0) < radius * radius && lengthSquared(p1) < radius * radius) return first;
  const d = f32x4.sub(p1, p0);
  const aa = <f64>lengthSquared(d), ab = <f64>dot(d, p0), bb = <f64>lengthSquared(p0) - <f64>radius * <f64>radius;
  const root = ab * ab - aa * bb;
  if (bb >= 0 && (root <= 0 || ab >= 0)) return 2;
  const into = max(<f64>first, bb < 0 ? 0.0 : (-ab - sqrt(root)) / aa);
  const out = aa > 0 ? (-ab + sqrt(root)) / aa : 1.0;
  return into <= <f64>last && into <= out ? <f32>into : 2;
}

/** Sets the variables that findExit reads. `known` is the position of entry if it was computed, above 1 if not. */
function enterToLeave(i: u32, c: u32, known: f32): bool {
  if (known > 1 && !enterProxy(i, c)) return false;
  if (known <= 1) enter = known;
  const frame = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const centre = v128.load(frame, S.PROXY_FRAME_CENTRE);
  end = xyz(f32x4.sub(v128.load(S.x() + (i << S.SHIFT_x)), centre));
  start = xyz(f32x4.sub(f32x4.add(v128.load(S.xOld() + (i << S.SHIFT_xOld)), v128.load(frame, S.PROXY_FRAME_MOTION)), centre));
  const f0 = v128.load(frame, S.PROXY_FRAME_X), f1 = v128.load(frame, S.PROXY_FRAME_Y), f2 = v128.load(frame, S.PROXY_FRAME_Z);
  const q0 = f32x4.add(f32x4.add(f32x4.mul(f0, splat0(start)), f32x4.mul(f1, splat1(start))), f32x4.mul(f2, splat2(start)));
  q1 = f32x4.add(f32x4.add(f32x4.mul(f0, splat0(end)), f32x4.mul(f1, splat1(end))), f32x4.mul(f2, splat2(end)));
  entry = f32x4.add(q0, f32x4.mul(f32x4.splat(enter), f32x4.sub(q1, q0)));
  return true;
}

// The contact found: its depth, and its normal.
let depth: f32 = 0;
let normal: v128 = f32x4.splat(0);

export function measureTouches(count: u32, deepest: f64): u32 {
  measureRange(0, count, deepest);
  return keepTouches(count);
}

/** Removes from `touching` the particles that touch nothing. */
export function keepTouches(count: u32): u32 {
  const touching = S.touching(), touchCluster = S.touchCluster();
  let kept: u32 = 0;
  for (let n: u32 = 0; n < count; n++) {
    const i = load<u32>(touching + (n << S.SHIFT_touching));
    store<u32>(touching + (kept << S.SHIFT_touching), i);
    kept += u32(load<u32>(touchCluster + (i << S.SHIFT_touchCluster)) != S.UNTOUCHED);
  }
  return kept;
}

/** Normal and depth of the particles in rows [first, last) of `touching`. */
export function measureRange(first: u32, last: u32, deepest: f64): void {
  const touching = S.touching(), touchCluster = S.touchCluster();
  for (let n = first; n < last; n++) {
    const i = load<u32>(touching + (n << S.SHIFT_touching));
    const c = load<u32>(touchCluster + (i << S.SHIFT_touchCluster));
    const self = load<u32>(S.bodyOf() + (i << S.SHIFT_bodyOf)) == load<u32>(S.bodyOfCluster() + (c << S.SHIFT_bodyOfCluster));
    depth = 0;
    if (enterToLeave(i, c, load<f32>(S.touch() + (i << S.SHIFT_touch), S.TOUCH_DEPTH))) findExit(c, i, self ? deepest : Infinity);
    if (depth > 0 && (!self || (hasComeIn(c, i, deepest) && !isInPlace(c, i)))) v128.store(S.touch() + (i << S.SHIFT_touch), f32x4.replace_lane(normal, 3, depth));
    else store<u32>(touchCluster + (i << S.SHIFT_touchCluster), S.UNTOUCHED);
  }
}

/** Whether a particle at `depth` came in through the surface whose `normal` is known; src/kernels/ts/proxy.ts explains it. */
// @ts-ignore: decorator
@inline function hasComeIn(c: u32, i: u32, deepest: f64): bool {
  return <f64>depth <= deepestOf(c, i, deepest);
}

/** Largest depth of a particle that came in through the surface whose `normal` is known. */
function deepestOf(c: u32, i: u32, deepest: f64): f64 {
  const now = v128.load(S.x() + (i << S.SHIFT_x)), then = v128.load(S.xOld() + (i << S.SHIFT_xOld));
  const motion = v128.load(S.proxyFrame() + S.STRIDE_proxyFrame * c, S.PROXY_FRAME_MOTION);
  let came: f64 = 0;
  came -= <f64>f32x4.extract_lane(normal, 0) * (<f64>f32x4.extract_lane(now, 0) - <f64>f32x4.extract_lane(then, 0) - <f64>f32x4.extract_lane(motion, 0));
  came -= <f64>f32x4.extract_lane(normal, 1) * (<f64>f32x4.extract_lane(now, 1) - <f64>f32x4.extract_lane(then, 1) - <f64>f32x4.extract_lane(motion, 1));
  came -= <f64>f32x4.extract_lane(normal, 2) * (<f64>f32x4.extract_lane(now, 2) - <f64>f32x4.extract_lane(then, 2) - <f64>f32x4.extract_lane(motion, 2));
  return deepest * <f64>load<f32>(S.proxySpacing() + (c << S.SHIFT_proxySpacing)) + max(<f64>0, came);
}

function findExit(c: u32, i: u32, deepest: f64): void {
  let least: f32 = Infinity;
  const exits = load<u32>(S.proxyExits() + (c << S.SHIFT_proxyExits)), round = load<u32>(S.proxyRound() + (c << S.SHIFT_proxyRound)) == 1;
  if (load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_PER_SPACING2) > 0) {
    findHome(c, i, load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)));
    const reach = load<f32>(S.reach() + (i << S.SHIFT_reach));
    least = load<u32>(S.distanceGrid() + (c << S.SHIFT_distanceGrid), S.DISTANCE_GRID_NX) > 0
      // Where there is another way out it may be shorter.
      ? exitThroughField(c, i, reach, exits == 0 && !round ? deepest : Infinity)
      : exitThroughMembers(c, reach);
  }
  let row = S.placedProxy() + S.STRIDE_placedProxy * c;
  let face: usize = 0;
  for (let k: u32 = 0; k < exits; k++, row += 4) {
    const h = load<f32>(row, S.PROXY_REACH);
    const b = plane(row, start) - h, e = plane(row, end) - h;
    const way = -b - enter * (e - b);
    if (way < least) {
      least = way;
      face = row;
    }
  }
  if (round && exitThroughSphere(c, least)) return;
  if (face == 0) return;
  depth = max(<f32>0, load<f32>(face, S.PROXY_REACH) - plane(face, end));
  normal = f32x4(load<f32>(face), load<f32>(face, S.PROXY_NY), load<f32>(face, S.PROXY_NZ), 0);
}

/** Position of a rest offset of cluster c in the rest shape. */
// @ts-ignore: decorator
@inline function placeOf(c: u32, x: f32, y: f32, z: f32): v128 {
  const m = S.restFrame() + S.STRIDE_restFrame * c;
  return f32x4(
    load<f32>(m, S.REST_FRAME_X) * x + load<f32>(m, S.REST_FRAME_Y) * y + load<f32>(m, S.REST_FRAME_Z) * z + load<f32>(m, S.REST_FRAME_PLACE),
    load<f32>(m, S.REST_FRAME_X + 4) * x + load<f32>(m, S.REST_FRAME_Y + 4) * y + load<f32>(m, S.REST_FRAME_Z + 4) * z + load<f32>(m, S.REST_FRAME_PLACE + 4),
    load<f32>(m, S.REST_FRAME_X + 8) * x + load<f32>(m, S.REST_FRAME_Y + 8) * y + load<f32>(m, S.REST_FRAME_Z + 8) * z + load<f32>(m, S.REST_FRAME_PLACE + 8),
    0,
  );
}

function isInPlace(c: u32, i: u32): bool {
  if (!(load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_PER_SPACING2) > 0)) return false;
  const rank = load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank));
  const first = load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart));
  if (first == load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart), S.STRIDE_linkStart)) return false;
  const own = load<u32>(S.linkCluster() + (first << S.SHIFT_linkCluster)), l = S.link() + (first << S.SHIFT_link);
  const place = placeOf(own, load<f32>(l), load<f32>(l, 4), load<f32>(l, 8));
  const now = placeOf(c, f32x4.extract_lane(entry, 0), f32x4.extract_lane(entry, 1), f32x4.extract_lane(entry, 2));
  const m = S.restFrame() + S.STRIDE_restFrame * c;
  const centre = f32x4(load<f32>(m, S.REST_FRAME_PLACE), load<f32>(m, S.REST_FRAME_PLACE + 4), load<f32>(m, S.REST_FRAME_PLACE + 8), 0);
  const way = f32x4.sub(now, place);
  if (lengthSquared(way) > S.SURFACE_EXIT_STRAY * S.SURFACE_EXIT_STRAY * lengthSquared(f32x4.sub(centre, place))) return false;
  if (load<u32>(S.distanceGrid() + (c << S.SHIFT_distanceGrid), S.DISTANCE_GRID_NX) == 0) return true;
  const gap = S.SURFACE_EXIT_GAP / sqrt(load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters)));
  for (let t: f32 = 0.25; t < 1; t += 0.25) {
    const p = f32x4.add(place, f32x4.mul(f32x4.splat(t), way));
    if (fieldAtNode(c, f32x4.extract_lane(p, 0), f32x4.extract_lane(p, 1), f32x4.extract_lane(p, 2)) && value > gap) return false;
  }
  return true;
}

/**
 * Unit vector in rest space from the particle to the first member of its own cluster, the direction home; 0 if the
 * particle is that member.
 */
let home: v128 = f32x4.splat(0);

function findHome(c: u32, i: u32, rank: u32): void {
  const first = load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart));
  let middle = i;
  if (first < load<u32>(S.linkStart() + (rank << S.SHIFT_linkStart), S.STRIDE_linkStart)) {
    const own = load<u32>(S.linkCluster() + (first << S.SHIFT_linkCluster));
    middle = load<u32>(S.memberParticle() + (load<u32>(S.memberStart() + (own << S.SHIFT_memberStart)) << S.SHIFT_memberParticle));
  }
  const d = f32x4.sub(v128.load(S.x() + (middle << S.SHIFT_x)), v128.load(S.x() + (i << S.SHIFT_x)));
  const f = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const q = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(f, S.PROXY_FRAME_X), splat0(d)), f32x4.mul(v128.load(f, S.PROXY_FRAME_Y), splat1(d))),
    f32x4.mul(v128.load(f, S.PROXY_FRAME_Z), splat2(d)),
  );
  const length = sqrt(lengthSquared(q));
  home = length > 0 ? f32x4.div(q, f32x4.splat(length)) : f32x4.splat(0);
}

/** n·p of the half-space at `at`. */
// @ts-ignore: decorator
@inline function plane(at: usize, p: v128): f32 {
  return load<f32>(at) * f32x4.extract_lane(p, 0) + load<f32>(at, S.PROXY_NY) * f32x4.extract_lane(p, 1) + load<f32>(at, S.PROXY_NZ) * f32x4.extract_lane(p, 2);
}

/**
 * Exit through the implicit surface near `entry`: four members at a time, transposed into one register per coordinate.
 */
function exitThroughMembers(c: u32, reach: f32): f32 {
  const scale = load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters));
  const perSpacing = sqrt(scale);
  const first = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart)) << S.SHIFT_member;
  let p = S.member() + first, o = S.outward() + first;
  const last = S.member() + (load<u32>(S.surfaceEnd() + (c << S.SHIFT_surfaceEnd)) << S.SHIFT_member);
  const ex = splat0(entry), ey = splat1(entry), ez = splat2(entry);
  const vScale = f32x4.splat(scale), soft = f32x4.splat(S.SURFACE_EXIT_SOFT), zero = f32x4.splat(0), one = f32x4.splat(1);
  const steep = f32x4.splat(4 * perSpacing), lowest = f32x4.splat(0.02), highest = f32x4.splat(9);
  const hx = splat0(home), hy = splat1(home), hz = splat2(home), wrongWay = f32x4.splat(S.SURFACE_EXIT_WRONG_WAY), perThird = f32x4.splat(<f32>(1.0 / 0.3));
  let sum = zero, height = zero, sx = zero, sy = zero, sz = zero;
  for (; p < last; p += 4 * S.STRIDE_member, o += 4 * S.STRIDE_outward) {
    // Rows beyond the last one belong to other members: they are read with weight 0.
    const left = <i32>((last - p) >> S.SHIFT_member);
    const p0 = v128.load(p), p1 = v128.load(p, S.STRIDE_member), p2 = v128.load(p, 2 * S.STRIDE_member), p3 = v128.load(p, 3 * S.STRIDE_member);
    const n0 = v128.load(o), n1 = v128.load(o, S.STRIDE_outward), n2 = v128.load(o, 2 * S.STRIDE_outward), n3 = v128.load(o, 3 * S.STRIDE_outward);
    const a0 = v128.shuffle<f32>(p0, p1, 0, 4, 1, 5), a1 = v128.shuffle<f32>(p2, p3, 0, 4, 1, 5);
    const dx = f32x4.sub(ex, v128.shuffle<f64>(a0, a1, 0, 2)), dy = f32x4.sub(ey, v128.shuffle<f64>(a0, a1, 1, 3));
    const a2 = v128.shuffle<f32>(p0, p1, 2, 6, 3, 7), a3 = v128.shuffle<f32>(p2, p3, 2, 6, 3, 7);
    const dz = f32x4.sub(ez, v128.shuffle<f64>(a2, a3, 0, 2));
    const b0 = v128.shuffle<f32>(n0, n1, 0, 4, 1, 5), b1 = v128.shuffle<f32>(n2, n3, 0, 4, 1, 5);
    const b2 = v128.shuffle<f32>(n0, n1, 2, 6, 3, 7), b3 = v128.shuffle<f32>(n2, n3, 2, 6, 3, 7);
    const nx = v128.shuffle<f64>(b0, b1, 0, 2), ny = v128.shuffle<f64>(b0, b1, 1, 3);
    const nz = v128.shuffle<f64>(b2, b3, 0, 2), high = v128.shuffle<f64>(b2, b3, 1, 3);
    const d2 = f32x4.add(f32x4.mul(vScale, f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz))), soft);
    const h = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(dx, nx), f32x4.mul(dy, ny)), f32x4.mul(dz, nz)), high);
    const rise = f32x4.pmin(highest, f32x4.pmax(lowest, f32x4.add(one, f32x4.mul(steep, h))));
    const out = f32x4.div(f32x4.mul(f32x4.mul(rise, rise), rise), f32x4.mul(d2, d2));
    const counts = v128.and(f32x4.ge(high, zero), i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(left)));
    const facing = f32x4.add(f32x4.add(f32x4.mul(nx, hx), f32x4.mul(ny, hy)), f32x4.mul(nz, hz));
    const root = f32x4.mul(out, f32x4.pmin(one, f32x4.pmax(wrongWay, f32x4.add(one, f32x4.mul(facing, perThird)))));
    const w = v128.and(f32x4.mul(root, root), counts);
    sum = f32x4.add(sum, w);
    height = f32x4.add(height, f32x4.mul(w, h));
    sx = f32x4.add(sx, f32x4.mul(w, nx));
    sy = f32x4.add(sy, f32x4.mul(w, ny));
    sz = f32x4.add(sz, f32x4.mul(w, nz));
  }
  const total = sumOf(sum);
  const nx = sumOf(sx), ny = sumOf(sy), nz = sumOf(sz);
  const size = sqrt(nx * nx + ny * ny + nz * nz);
  if (!(size > <f32>1e-3 * total)) return Infinity;
  return leaveAlong(c, nx / size, ny / size, nz / size, sumOf(height) / total, reach);
}

/** The plane of rest space with this normal that is `height` below `entry`. */
function leaveAlong(c: u32, nx: f32, ny: f32, nz: f32, height: f32, reach: f32): f32 {
  const above = height - load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_MARGIN);
  const way = f32x4.sub(q1, entry);
  const beyond = nx * f32x4.extract_lane(way, 0) + ny * f32x4.extract_lane(way, 1) + nz * f32x4.extract_lane(way, 2);
  const length = toWorld(c, nx, ny, nz);
  depth = max(<f32>0, reach - (above + beyond) / length);
  return -above / length;
}

/** A way out in direction n of rest space from which on the particle is deeper than those that came in through a surface there: leaveAlong solved for it, and a thousandth more, which is more than rounding takes. */
function wayDownTo(c: u32, i: u32, nx: f32, ny: f32, nz: f32, reach: f32, deepest: f64): f32 {
  const way = f32x4.sub(q1, entry);
  const beyond = nx * f32x4.extract_lane(way, 0) + ny * f32x4.extract_lane(way, 1) + nz * f32x4.extract_lane(way, 2);
  const length = toWorld(c, nx, ny, nz);
  const left = (<f32>deepestOf(c, i, deepest) - reach) * length + beyond - load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters), S.SURFACE_PARAMETERS_MARGIN);
  return left + <f32>1e-3 * (abs(left) + abs(beyond) + abs(reach) * length);
}

let value: f32 = 0;
let gx: f32 = 0, gy: f32 = 0, gz: f32 = 0;

/** Exit through the surface given by the body's distance field; src/kernels/ts/proxy.ts explains it. */
function exitThroughField(c: u32, i: u32, reach: f32, deepest: f64): f32 {
  const ex = f32x4.extract_lane(entry, 0), ey = f32x4.extract_lane(entry, 1), ez = f32x4.extract_lane(entry, 2);
  const hx = f32x4.extract_lane(home, 0), hy = f32x4.extract_lane(home, 1), hz = f32x4.extract_lane(home, 2);
  if (!fieldAt(c, ex, ey, ez)) return Infinity;
  const size = sqrt(gx * gx + gy * gy + gz * gz);
  const facing = gx * hx + gy * hy + gz * hz;
  if (value >= 0 || (size > S.SURFACE_EXIT_FLAT_FIELD && facing > -S.SURFACE_EXIT_AWAY * size))
    return size > S.SURFACE_EXIT_FLAT_FIELD ? leaveAlong(c, gx / size, gy / size, gz / size, value / size, reach) : Infinity;
  if (hx == 0 && hy == 0 && hz == 0) return Infinity;
  const least = <f32>0.25 / sqrt(load<f32>(S.surfaceParameters() + (c << S.SHIFT_surfaceParameters)));
  // A longer way is a deeper particle: the search ends as soon as that is too deep to have come in.
  const farthest = deepest == Infinity ? <f32>Infinity : wayDownTo(c, i, hx, hy, hz, reach, deepest);
  let way: f32 = 0;
  for (let n: u32 = 0; n < S.SURFACE_EXIT_HOME_STEPS && value < 0; n++) {
    way += max(-value, least);
    if (way > farthest) break;
    if (!fieldAt(c, ex + way * hx, ey + way * hy, ez + way * hz)) break;
  }
  return leaveAlong(c, hx, hy, hz, -way, reach);
}

/** Distance and its gradient at a rest offset of cluster c; false outside the field. */
function fieldAt(c: u32, x: f32, y: f32, z: f32): bool {
  const p = placeOf(c, x, y, z);
  return fieldAtNode(c, f32x4.extract_lane(p, 0), f32x4.extract_lane(p, 1), f32x4.extract_lane(p, 2));
}

function fieldAtNode(c: u32, px: f32, py: f32, pz: f32): bool {
  const m = S.restFrame() + S.STRIDE_restFrame * c, g = S.distanceGrid() + (c << S.SHIFT_distanceGrid);
  const nx = load<u32>(g, S.DISTANCE_GRID_NX), ny = load<u32>(g, S.DISTANCE_GRID_NY), nz = load<u32>(g, S.DISTANCE_GRID_NZ);
  if (!(px >= 0 && py >= 0 && pz >= 0 && px < <f32>(nx - 1) && py < <f32>(ny - 1) && pz < <f32>(nz - 1))) return false;
  const i = <u32>px, j = <u32>py, k = <u32>pz;
  const u = px - <f32>i, v = py - <f32>j, w = pz - <f32>k;
  const o = S.distance() + ((load<u32>(g, S.DISTANCE_GRID_FIRST) + (k * ny + j) * nx + i) << S.SHIFT_distance);
  const right = nx << S.SHIFT_distance, up = (nx * ny) << S.SHIFT_distance;
  const d000 = load<f32>(o), d100 = load<f32>(o, S.STRIDE_distance), d010 = load<f32>(o + right), d110 = load<f32>(o + right, S.STRIDE_distance);
  const d001 = load<f32>(o + up), d101 = load<f32>(o + up, S.STRIDE_distance), d011 = load<f32>(o + up + right), d111 = load<f32>(o + up + right, S.STRIDE_distance);
  const x00 = d000 + u * (d100 - d000), x10 = d010 + u * (d110 - d010), x01 = d001 + u * (d101 - d001), x11 = d011 + u * (d111 - d011);
  const y0 = x00 + v * (x10 - x00), y1 = x01 + v * (x11 - x01);
  value = y0 + w * (y1 - y0);
  const dx0 = (<f32>1 - v) * (d100 - d000) + v * (d110 - d010), dx1 = (<f32>1 - v) * (d101 - d001) + v * (d111 - d011);
  const dx = dx0 + w * (dx1 - dx0), dy = (<f32>1 - w) * (x10 - x00) + w * (x11 - x01), dz = y1 - y0;
  gx = load<f32>(m, S.REST_FRAME_X) * dx + load<f32>(m, S.REST_FRAME_X + 4) * dy + load<f32>(m, S.REST_FRAME_X + 8) * dz;
  gy = load<f32>(m, S.REST_FRAME_Y) * dx + load<f32>(m, S.REST_FRAME_Y + 4) * dy + load<f32>(m, S.REST_FRAME_Y + 8) * dz;
  gz = load<f32>(m, S.REST_FRAME_Z) * dx + load<f32>(m, S.REST_FRAME_Z + 4) * dy + load<f32>(m, S.REST_FRAME_Z + 8) * dz;
  return true;
}

/** normal := F⁻ᵀ n of a rest-space direction, scaled to length 1. Returns the length before scaling. */
function toWorld(c: u32, nx: f32, ny: f32, nz: f32): f32 {
  const f = S.proxyFrame() + S.STRIDE_proxyFrame * c;
  const wx = load<f32>(f, S.PROXY_FRAME_X) * nx + load<f32>(f, S.PROXY_FRAME_X + 4) * ny + load<f32>(f, S.PROXY_FRAME_X + 8) * nz;
  const wy = load<f32>(f, S.PROXY_FRAME_Y) * nx + load<f32>(f, S.PROXY_FRAME_Y + 4) * ny + load<f32>(f, S.PROXY_FRAME_Y + 8) * nz;
  const wz = load<f32>(f, S.PROXY_FRAME_Z) * nx + load<f32>(f, S.PROXY_FRAME_Z + 4) * ny + load<f32>(f, S.PROXY_FRAME_Z + 8) * nz;
  const length = sqrt(wx * wx + wy * wy + wz * wz);
  normal = f32x4(wx / length, wy / length, wz / length, 0);
  return length;
}

function exitThroughSphere(c: u32, least: f32): bool {
  const radius = load<f32>(S.proxyFrame() + S.STRIDE_proxyFrame * c, S.PROXY_FRAME_RADIUS);
  let nx = f32x4.extract_lane(entry, 0), ny = f32x4.extract_lane(entry, 1), nz = f32x4.extract_lane(entry, 2);
  const distance = sqrt(nx * nx + ny * ny + nz * nz);
  if (distance > <f32>1e-6 * radius) {
    nx /= distance; ny /= distance; nz /= distance;
  } else {
    nx = 0; ny = 1; nz = 0;
  }
  const kept = normal;
  const length = toWorld(c, nx, ny, nz);
  if ((radius - distance) / length >= least) {
    normal = kept;
    return false;
  }
  depth = max(<f32>0, radius / length - dot(normal, end));
  return true;
}

// @ts-ignore: decorator
@inline export function splat0(a: v128): v128 { return v128.shuffle<f32>(a, a, 0, 0, 0, 0); }
// @ts-ignore: decorator
@inline export function splat1(a: v128): v128 { return v128.shuffle<f32>(a, a, 1, 1, 1, 1); }
// @ts-ignore: decorator
@inline export function splat2(a: v128): v128 { return v128.shuffle<f32>(a, a, 2, 2, 2, 2); }
// @ts-ignore: decorator
@inline export function sumOf(a: v128): f32 {
  return (f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1)) + (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3));
}
// @ts-ignore: decorator
@inline function maxOf(a: v128): f32 {
  return max(max(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1)), max(f32x4.extract_lane(a, 2), f32x4.extract_lane(a, 3)));
}
// @ts-ignore: decorator
@inline export function minOf(a: v128): f32 {
  return min(min(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1)), min(f32x4.extract_lane(a, 2), f32x4.extract_lane(a, 3)));
}
// @ts-ignore: decorator
@inline export function dot(a: v128, b: v128): f32 {
  const p = f32x4.mul(a, b);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}
