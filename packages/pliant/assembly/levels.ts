import * as S from './layout.generated';
import { A, copyMatrix, F, multiply } from './match';
import { polar3 } from './polar';

/** Scratch (src/kernels/wasm/scratchMap.ts): a matrix, a place, a row of coarseGoal. */
const PART: usize = S.AT_LEVELS_PART;
const PLACE: usize = S.AT_LEVELS_PLACE;
const BLEND: usize = S.AT_LEVELS_BLEND;

export function sumLevels(
  coarseStart: u32, coarseEnd: u32, clusterStart: u32, clusterEnd: u32, tieStart: u32, mode: i32,
): void {
  describeMotions(clusterStart, clusterEnd, mode);
  sumCoarse(coarseStart, coarseEnd, coarseStart, clusterStart, tieStart, mode);
}

/** First part of sumLevels, for clusters [start, end). */
export function describeMotions(start: u32, end: u32, mode: i32): void {
  for (let c = start; c < end; c++) describeMotion(c, mode);
}

/** Second part of sumLevels, for coarse clusters [start, end) of one level, or of several beginning with the finest. */
export function sumCoarse(start: u32, end: u32, coarseStart: u32, clusterStart: u32, tieStart: u32, mode: i32): void {
  for (let c = start; c < end; c++) {
    const fit = S.coarseFit() + S.STRIDE_coarseFit * c;
    const fine = load<u32>(S.coarseLevel() + (c << S.SHIFT_coarseLevel)) == 1;
    const ties = S.coarseChildTies() + (c << S.SHIFT_coarseChildTies);
    const first = tieStart + load<u32>(ties, S.COARSE_CHILD_TIES_FIRST), last = tieStart + load<u32>(ties, S.COARSE_CHILD_TIES_END);
    if (fine) sumHeld(c, fit, first, last, S.sums() + S.STRIDE_sums * clusterStart, S.STRIDE_sums, S.clusterMass() + (clusterStart << S.SHIFT_clusterMass), mode);
    else sumHeld(c, fit, first, last, S.coarseFit() + S.STRIDE_coarseFit * coarseStart, S.STRIDE_coarseFit, S.coarseMass() + (coarseStart << S.SHIFT_coarseMass), mode);
    let from = fit;
    if (!(mode & S.MATCH_COVARIANCE)) {
      multiply(F, fit, S.coarseInverse() + S.STRIDE_coarseInverse * c);
      from = F;
    }
    polar3(A, from, (mode & S.MATCH_REFLECT) != 0);
    copyMatrix(fit + S.COARSE_FIT_R, A);
    if (mode & S.MATCH_RIGID_MOTION) spinOf(fit);
  }
}

/**
 * v̄, L = I ω and I of a cluster, from its `motion` and `inertiaInverse`. I is the inverse of that inverse, without the
 * floor of inertia.ts.
 */
function describeMotion(c: u32, mode: i32): void {
  const to = S.sums() + S.STRIDE_sums * c, motion = S.motion() + (c << S.SHIFT_motion);
  memory.fill(to + S.COARSE_FIT_V, 0, S.STRIDE_sums - S.COARSE_FIT_V);
  if (!(mode & (S.MATCH_LINEAR_MOTION | S.MATCH_RIGID_MOTION))) return;
  for (let k: usize = 0; k < 3; k++) store<f64>(to + (k << 3), <f64>load<f32>(motion + (k << 2), S.MOTION_V), S.COARSE_FIT_V);
  if (!(mode & S.MATCH_RIGID_MOTION)) return;
  const from = S.inertiaInverse() + S.STRIDE_inertiaInverse * c;
  const xx = load<f64>(from), yy = load<f64>(from, S.SYMMETRIC_YY), zz = load<f64>(from, S.SYMMETRIC_ZZ);
  const xy = load<f64>(from, S.SYMMETRIC_XY), xz = load<f64>(from, S.SYMMETRIC_XZ), yz = load<f64>(from, S.SYMMETRIC_YZ);
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > 0 ? 1.0 / det : 0.0;
  const kyy = xx * zz - xz * xz, kzz = xx * yy - xy * xy, trace = xx + yy + zz;
  let ixx = kxx * inv, iyy = kyy * inv, izz = kzz * inv;
  let ixy = kxy * inv, ixz = kxz * inv, iyz = (xy * xz - xx * yz) * inv;
  if (det < S.INERTIA_LINE * trace * trace * trace && kxx + kyy + kzz > 0.125 * trace * trace) {
    const across = 4.0 / (trace * trace);
    ixx = across * xx; iyy = across * yy; izz = across * zz;
    ixy = across * xy; ixz = across * xz; iyz = across * yz;
  }
  store<f64>(to, ixx, S.COARSE_FIT_INERTIA); store<f64>(to, iyy, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YY); store<f64>(to, izz, S.COARSE_FIT_INERTIA + S.SYMMETRIC_ZZ);
  store<f64>(to, ixy, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XY); store<f64>(to, ixz, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XZ); store<f64>(to, iyz, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YZ);
  const p = <f64>load<f32>(motion, S.MOTION_SPIN), q = <f64>load<f32>(motion, S.MOTION_SPIN + 4), r = <f64>load<f32>(motion, S.MOTION_SPIN + 8);
  store<f64>(to, ixx * p + ixy * q + ixz * r, S.COARSE_FIT_TURN);
  store<f64>(to, ixy * p + iyy * q + iyz * r, S.COARSE_FIT_TURN + S.VECTOR_Y);
  store<f64>(to, ixz * p + iyz * q + izz * r, S.COARSE_FIT_TURN + S.VECTOR_Z);
}

/** The sums of one coarse cluster over its children: rows of `width` bytes at `rows`, with masses at `masses`. */
function sumHeld(c: u32, fit: usize, first: u32, last: u32, rows: usize, width: usize, masses: usize, mode: i32): void {
  const flowed = (mode & S.MATCH_PLASTIC) != 0;
  let a0: f64 = 0, a1: f64 = 0, a2: f64 = 0, b0: f64 = 0, b1: f64 = 0, b2: f64 = 0, c0: f64 = 0, c1: f64 = 0, c2: f64 = 0;
  let mx: f64 = 0, my: f64 = 0, mz: f64 = 0, mu: f64 = 0, mv: f64 = 0, mw: f64 = 0, lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let ixx: f64 = 0, iyy: f64 = 0, izz: f64 = 0, ixy: f64 = 0, ixz: f64 = 0, iyz: f64 = 0;
  const children = S.tieChild(), weights = S.tieWeight(), rests = S.tieRest();
  const start = rows + width * load<u32>(children + (first << S.SHIFT_tieChild));
  const ox = load<f64>(start, S.COARSE_FIT_CENTRE), oy = load<f64>(start, S.COARSE_FIT_CENTRE + S.VECTOR_Y), oz = load<f64>(start, S.COARSE_FIT_CENTRE + S.VECTOR_Z);
  for (let t = first; t < last; t++) {
    const child = load<u32>(children + (t << S.SHIFT_tieChild));
    const held = rows + width * child, rest = rests + S.STRIDE_tieRest * t;
    const W = load<f64>(weights + (t << S.SHIFT_tieWeight));
    const m = W * load<f64>(masses + (child << S.SHIFT_clusterMass));
    const x = load<f64>(held, S.COARSE_FIT_CENTRE) - ox, y = load<f64>(held, S.COARSE_FIT_CENTRE + S.VECTOR_Y) - oy, z = load<f64>(held, S.COARSE_FIT_CENTRE + S.VECTOR_Z) - oz;
    const u = load<f64>(held, S.COARSE_FIT_V), v = load<f64>(held, S.COARSE_FIT_V + S.VECTOR_Y), w = load<f64>(held, S.COARSE_FIT_V + S.VECTOR_Z);
    let a = held;
    if (flowed) {
      multiplyTransposed(PART, held, rest);
      a = PART;
    }
    const px = m * x, py = m * y, pz = m * z;
    const q0 = load<f64>(rest, S.TIE_REST_PLACE), q1 = load<f64>(rest, S.TIE_REST_PLACE + S.VECTOR_Y), q2 = load<f64>(rest, S.TIE_REST_PLACE + S.VECTOR_Z);
    a0 += W * load<f64>(a) + px * q0; a1 += W * load<f64>(a, S.MATRIX_YX) + py * q0; a2 += W * load<f64>(a, S.MATRIX_ZX) + pz * q0;
    b0 += W * load<f64>(a, S.MATRIX_XY) + px * q1; b1 += W * load<f64>(a, S.MATRIX_YY) + py * q1; b2 += W * load<f64>(a, S.MATRIX_ZY) + pz * q1;
    c0 += W * load<f64>(a, S.MATRIX_XZ) + px * q2; c1 += W * load<f64>(a, S.MATRIX_YZ) + py * q2; c2 += W * load<f64>(a, S.MATRIX_ZZ) + pz * q2;
    mx += px; my += py; mz += pz;
    mu += m * u; mv += m * v; mw += m * w;
    lx += W * load<f64>(held, S.COARSE_FIT_TURN) + py * w - pz * v;
    ly += W * load<f64>(held, S.COARSE_FIT_TURN + S.VECTOR_Y) + pz * u - px * w;
    lz += W * load<f64>(held, S.COARSE_FIT_TURN + S.VECTOR_Z) + px * v - py * u;
    ixx += W * load<f64>(held, S.COARSE_FIT_INERTIA) + py * y + pz * z;
    iyy += W * load<f64>(held, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YY) + px * x + pz * z;
    izz += W * load<f64>(held, S.COARSE_FIT_INERTIA + S.SYMMETRIC_ZZ) + px * x + py * y;
    ixy += W * load<f64>(held, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XY) - px * y;
    ixz += W * load<f64>(held, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XZ) - px * z;
    iyz += W * load<f64>(held, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YZ) - py * z;
  }
  const mass = load<f64>(S.coarseMass() + (c << S.SHIFT_coarseMass));
  const x = mx / mass, y = my / mass, z = mz / mass, u = mu / mass, v = mv / mass, w = mw / mass;
  store<f64>(fit, a0); store<f64>(fit, a1, S.MATRIX_YX); store<f64>(fit, a2, S.MATRIX_ZX);
  store<f64>(fit, b0, S.MATRIX_XY); store<f64>(fit, b1, S.MATRIX_YY); store<f64>(fit, b2, S.MATRIX_ZY);
  store<f64>(fit, c0, S.MATRIX_XZ); store<f64>(fit, c1, S.MATRIX_YZ); store<f64>(fit, c2, S.MATRIX_ZZ);
  store<f64>(fit, ox + x, S.COARSE_FIT_CENTRE); store<f64>(fit, oy + y, S.COARSE_FIT_CENTRE + S.VECTOR_Y); store<f64>(fit, oz + z, S.COARSE_FIT_CENTRE + S.VECTOR_Z);
  store<f64>(fit, u, S.COARSE_FIT_V); store<f64>(fit, v, S.COARSE_FIT_V + S.VECTOR_Y); store<f64>(fit, w, S.COARSE_FIT_V + S.VECTOR_Z);
  store<f64>(fit, lx - (my * w - mz * v), S.COARSE_FIT_TURN);
  store<f64>(fit, ly - (mz * u - mx * w), S.COARSE_FIT_TURN + S.VECTOR_Y);
  store<f64>(fit, lz - (mx * v - my * u), S.COARSE_FIT_TURN + S.VECTOR_Z);
  store<f64>(fit, ixx - (my * y + mz * z), S.COARSE_FIT_INERTIA);
  store<f64>(fit, iyy - (mx * x + mz * z), S.COARSE_FIT_INERTIA + S.SYMMETRIC_YY);
  store<f64>(fit, izz - (mx * x + my * y), S.COARSE_FIT_INERTIA + S.SYMMETRIC_ZZ);
  store<f64>(fit, ixy + mx * y, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XY);
  store<f64>(fit, ixz + mx * z, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XZ);
  store<f64>(fit, iyz + my * z, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YZ);
  store<f64>(fit, 0, S.COARSE_FIT_SPIN); store<f64>(fit, 0, S.COARSE_FIT_SPIN + S.VECTOR_Y); store<f64>(fit, 0, S.COARSE_FIT_SPIN + S.VECTOR_Z);
}

/** ω = I⁻¹ L, kept finite for lines and points (src/math/inertia.ts). */
function spinOf(fit: usize): void {
  let xx = load<f64>(fit, S.COARSE_FIT_INERTIA), yy = load<f64>(fit, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YY), zz = load<f64>(fit, S.COARSE_FIT_INERTIA + S.SYMMETRIC_ZZ);
  const xy = load<f64>(fit, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XY), xz = load<f64>(fit, S.COARSE_FIT_INERTIA + S.SYMMETRIC_XZ), yz = load<f64>(fit, S.COARSE_FIT_INERTIA + S.SYMMETRIC_YZ);
  const trace = xx + yy + zz, floor = S.INERTIA_FLOOR * trace;
  xx += floor; yy += floor; zz += floor;
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const kyy = xx * zz - xz * xz, kzz = xx * yy - xy * xy, kyz = xy * xz - xx * yz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > S.INERTIA_SMALLEST ? 1.0 / det : 0.0;
  const lx = load<f64>(fit, S.COARSE_FIT_TURN), ly = load<f64>(fit, S.COARSE_FIT_TURN + S.VECTOR_Y), lz = load<f64>(fit, S.COARSE_FIT_TURN + S.VECTOR_Z);
  if (det < S.INERTIA_LINE * trace * trace * trace) {
    const across = 4.0 / (trace * trace);
    xx -= floor; yy -= floor; zz -= floor;
    store<f64>(fit, (xx * lx + xy * ly + xz * lz) * across, S.COARSE_FIT_SPIN);
    store<f64>(fit, (xy * lx + yy * ly + yz * lz) * across, S.COARSE_FIT_SPIN + S.VECTOR_Y);
    store<f64>(fit, (xz * lx + yz * ly + zz * lz) * across, S.COARSE_FIT_SPIN + S.VECTOR_Z);
    return;
  }
  store<f64>(fit, (kxx * lx + kxy * ly + kxz * lz) * inv, S.COARSE_FIT_SPIN);
  store<f64>(fit, (kxy * lx + kyy * ly + kyz * lz) * inv, S.COARSE_FIT_SPIN + S.VECTOR_Y);
  store<f64>(fit, (kxz * lx + kyz * ly + kzz * lz) * inv, S.COARSE_FIT_SPIN + S.VECTOR_Z);
}

/** out = a bᵀ. */
function multiplyTransposed(out: usize, a: usize, b: usize): void {
  for (let j: usize = 0; j < 3; j++) {
    const x = load<f64>(b + (j << 3)), y = load<f64>(b + (j << 3), S.MATRIX_XY), z = load<f64>(b + (j << 3), S.MATRIX_XZ);
    for (let i: usize = 0; i < S.VECTOR_WIDTH; i += 8)
      store<f64>(out + S.VECTOR_WIDTH * j + i, load<f64>(a + i) * x + load<f64>(a + i, S.MATRIX_XY) * y + load<f64>(a + i, S.MATRIX_XZ) * z);
  }
}

export function blendLevels(
  coarseStart: u32, coarseEnd: u32, clusterStart: u32, clusterEnd: u32, tieStart: u32, mode: i32, pull: f64, drag: f64,
): void {
  blendCoarse(coarseStart, coarseEnd, coarseStart, tieStart, mode);
  blendClusters(clusterStart, clusterEnd, coarseStart, tieStart, mode, pull, drag);
}

/** First part of blendLevels, for coarse clusters [start, end) of one level, or of several ending with the coarsest. */
export function blendCoarse(start: u32, end: u32, coarseStart: u32, tieStart: u32, mode: i32): void {
  for (let c = end; c-- > start; ) {
    const fit = S.coarseFit() + S.STRIDE_coarseFit * c, goal = S.coarseGoal() + S.STRIDE_coarseGoal * c, share = S.coarseStrength() + (c << S.SHIFT_coarseStrength);
    const own = load<f64>(share, S.COARSE_STRENGTH_PULL), ownDrag = load<f64>(share, S.COARSE_STRENGTH_DRAG);
    for (let k: usize = 0; k < S.MATRIX_WIDTH; k += 8) store<f64>(goal + k, own * load<f64>(fit + k, S.COARSE_FIT_R));
    for (let k: usize = 0; k < S.VECTOR_WIDTH; k += 8) {
      const at = load<f64>(fit + k, S.COARSE_FIT_CENTRE);
      store<f64>(PLACE + k, at);
      store<f64>(goal + k, own * at, S.COARSE_GOAL_PLACE);
      store<f64>(goal + k, ownDrag * load<f64>(fit + k, S.COARSE_FIT_V), S.COARSE_GOAL_V);
      store<f64>(goal + k, ownDrag * load<f64>(fit + k, S.COARSE_FIT_SPIN), S.COARSE_GOAL_SPIN);
    }
    addHolders(goal, S.coarseParentTies() + (c << S.SHIFT_coarseParentTies), coarseStart, tieStart, mode);
  }
}

/** Second part of blendLevels, for clusters [start, end). */
export function blendClusters(start: u32, end: u32, coarseStart: u32, tieStart: u32, mode: i32, pull: f64, drag: f64): void {
  for (let c = start; c < end; c++) blendCluster(c, coarseStart, tieStart, mode, pull, drag);
}

/** goal += the goals of the holders of one cluster, by weight. PLACE is the current centre of that cluster. */
function addHolders(goal: usize, run: usize, coarseStart: u32, tieStart: u32, mode: i32): void {
  const last = tieStart + load<u32>(run, S.PARENT_TIES_END);
  const px = load<f64>(PLACE), py = load<f64>(PLACE, S.VECTOR_Y), pz = load<f64>(PLACE, S.VECTOR_Z);
  // Eighteen numbers, two by two: matrix and place (12), velocity and spin (6).
  let g0 = v128.load(goal), g1 = v128.load(goal, 16), g2 = v128.load(goal, 32), g3 = v128.load(goal, 48), g4 = v128.load(goal, 64), g5 = v128.load(goal, 80);
  let g6 = v128.load(goal, 96), g7 = v128.load(goal, 112), g8 = v128.load(goal, 128);
  for (let n = tieStart + load<u32>(run, S.PARENT_TIES_FIRST); n < last; n++) {
    const t = tieStart + load<u32>(S.tiesByChild() + (n << S.SHIFT_tiesByChild));
    const weight = load<f64>(S.tieWeight() + (t << S.SHIFT_tieWeight));
    const W = f64x2.splat(weight);
    const holder = coarseStart + load<u32>(S.tieParent() + (t << S.SHIFT_tieParent));
    const G = S.coarseGoal() + S.STRIDE_coarseGoal * holder, fit = S.coarseFit() + S.STRIDE_coarseFit * holder, rest = S.tieRest() + S.STRIDE_tieRest * t;
    let matrix = G;
    if (mode & S.MATCH_PLASTIC) {
      multiply(PART, G, rest);
      matrix = PART;
    }
    // The holder's goal for this cluster's centre: matrix q + place.
    const q0 = load<f64>(rest, S.TIE_REST_PLACE), q1 = load<f64>(rest, S.TIE_REST_PLACE + S.VECTOR_Y), q2 = load<f64>(rest, S.TIE_REST_PLACE + S.VECTOR_Z);
    const x = load<f64>(G, S.COARSE_GOAL_PLACE) + load<f64>(G) * q0 + load<f64>(G, S.MATRIX_XY) * q1 + load<f64>(G, S.MATRIX_XZ) * q2;
    const y = load<f64>(G, S.COARSE_GOAL_PLACE + S.VECTOR_Y) + load<f64>(G, S.MATRIX_YX) * q0 + load<f64>(G, S.MATRIX_YY) * q1 + load<f64>(G, S.MATRIX_YZ) * q2;
    const z = load<f64>(G, S.COARSE_GOAL_PLACE + S.VECTOR_Z) + load<f64>(G, S.MATRIX_ZX) * q0 + load<f64>(G, S.MATRIX_ZY) * q1 + load<f64>(G, S.MATRIX_ZZ) * q2;
    g0 = f64x2.add(g0, f64x2.mul(W, v128.load(matrix)));
    g1 = f64x2.add(g1, f64x2.mul(W, v128.load(matrix, 16)));
    g2 = f64x2.add(g2, f64x2.mul(W, v128.load(matrix, 32)));
    g3 = f64x2.add(g3, f64x2.mul(W, v128.load(matrix, 48)));
    g4 = f64x2.add(g4, f64x2.mul(W, f64x2(load<f64>(matrix, S.MATRIX_ZZ), x)));
    g5 = f64x2.add(g5, f64x2.mul(W, f64x2(y, z)));
    // The holder's goal velocity for it: velocity + ω × r.
    const rx = px - load<f64>(fit, S.COARSE_FIT_CENTRE), ry = py - load<f64>(fit, S.COARSE_FIT_CENTRE + S.VECTOR_Y), rz = pz - load<f64>(fit, S.COARSE_FIT_CENTRE + S.VECTOR_Z);
    const wx = load<f64>(G, S.COARSE_GOAL_SPIN), wy = load<f64>(G, S.COARSE_GOAL_SPIN + S.VECTOR_Y), wz = load<f64>(G, S.COARSE_GOAL_SPIN + S.VECTOR_Z);
    g6 = f64x2.add(g6, f64x2.mul(W, f64x2(load<f64>(G, S.COARSE_GOAL_V) + wy * rz - wz * ry, load<f64>(G, S.COARSE_GOAL_V + S.VECTOR_Y) + wz * rx - wx * rz)));
    g7 = f64x2.add(g7, f64x2.mul(W, f64x2(load<f64>(G, S.COARSE_GOAL_V + S.VECTOR_Z) + wx * ry - wy * rx, wx)));
    g8 = f64x2.add(g8, f64x2.mul(W, f64x2(wy, wz)));
  }
  v128.store(goal, g0); v128.store(goal, g1, 16); v128.store(goal, g2, 32); v128.store(goal, g3, 48); v128.store(goal, g4, 64); v128.store(goal, g5, 80);
  v128.store(goal, g6, 96); v128.store(goal, g7, 112); v128.store(goal, g8, 128);
}

/** Replaces `transform` and `motion` of one cluster by the blend of all levels. */
function blendCluster(c: u32, coarseStart: u32, tieStart: u32, mode: i32, pull: f64, drag: f64): void {
  const t = S.transform() + S.STRIDE_transform * c, motion = S.motion() + (c << S.SHIFT_motion), sums = S.sums() + S.STRIDE_sums * c;
  const goal = BLEND;
  for (let k: usize = 0; k < 3; k++) {
    for (let j: usize = 0; j < 3; j++) store<f64>(goal + S.VECTOR_WIDTH * j + (k << 3), pull * <f64>load<f32>(t + S.TRANSFORM_Y * j + (k << 2)));
    const at = load<f64>(sums + (k << 3), S.COARSE_FIT_CENTRE);
    store<f64>(PLACE + (k << 3), at);
    store<f64>(goal + (k << 3), pull * at, S.COARSE_GOAL_PLACE);
    store<f64>(goal + (k << 3), drag * <f64>load<f32>(motion + (k << 2), S.MOTION_V), S.COARSE_GOAL_V);
    store<f64>(goal + (k << 3), drag * <f64>load<f32>(motion + (k << 2), S.MOTION_SPIN), S.COARSE_GOAL_SPIN);
  }
  addHolders(goal, S.parentTies() + (c << S.SHIFT_parentTies), coarseStart, tieStart, mode);
  const shift = S.restShift() + S.STRIDE_restShift * c;
  const p = load<f64>(shift), q = load<f64>(shift, S.VECTOR_Y), r = load<f64>(shift, S.VECTOR_Z);
  for (let k: usize = 0; k < 3; k++) {
    const o = goal + (k << 3), to = t + (k << 2);
    const r0 = load<f64>(o), r1 = load<f64>(o, S.MATRIX_XY), r2 = load<f64>(o, S.MATRIX_XZ);
    store<f32>(to, <f32>r0, S.TRANSFORM_X);
    store<f32>(to, <f32>r1, S.TRANSFORM_Y);
    store<f32>(to, <f32>r2, S.TRANSFORM_Z);
    store<f32>(to, <f32>(load<f64>(o, S.COARSE_GOAL_PLACE) - <f64>load<f32>(to, S.TRANSFORM_ORIGIN) - (r0 * p + r1 * q + r2 * r)), S.TRANSFORM_CENTRE);
    store<f32>(motion + (k << 2), <f32>load<f64>(o, S.COARSE_GOAL_V), S.MOTION_V);
    store<f32>(motion + (k << 2), <f32>load<f64>(o, S.COARSE_GOAL_SPIN), S.MOTION_SPIN);
  }
}
