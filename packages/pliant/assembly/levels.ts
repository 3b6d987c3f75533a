import * as S from './layout.generated';
import { A, F, LINE, multiply } from './match';
import { polar3 } from './polar';

/** Offsets within a row of `sums`, `coarseFit` and `coarseGoal`, and their lengths, in bytes (src/levels/rows.ts). */
const CENTRE: usize = 72;
const VELOCITY: usize = 96;
const TURN: usize = 120;
const INERTIA: usize = 144;
const SUMS: usize = 192;
const ROTATION: usize = 192;
const SPIN: usize = 264;
const FIT: usize = 288;
const GOAL_PLACE: usize = 72;
const GOAL_V: usize = 96;
const GOAL_SPIN: usize = 120;
const GOAL: usize = 144;

/** Scratch below the pointer table, behind that of soften.ts: a matrix, a place, a row of coarseGoal. */
const PART: usize = 30208;
const PLACE: usize = PART + 80;
const BLEND: usize = PART + 112;

export function sumLevels(
  coarseStart: u32, coarseEnd: u32, clusterStart: u32, clusterEnd: u32, tieStart: u32, mode: i32,
): void {
  for (let c = clusterStart; c < clusterEnd; c++) describeMotion(c, mode);
  for (let c = coarseStart; c < coarseEnd; c++) {
    const fit = S.coarseFit() + FIT * c;
    const fine = load<u32>(S.coarseLevel() + (c << 2)) == 1;
    const ties = S.coarseTies() + (c << 3);
    const first = tieStart + load<u32>(ties), last = tieStart + load<u32>(ties, 4);
    if (fine) sumHeld(c, fit, first, last, S.sums() + SUMS * clusterStart, SUMS, S.clusterMass() + (clusterStart << 3), mode);
    else sumHeld(c, fit, first, last, S.coarseFit() + FIT * coarseStart, FIT, S.coarseMass() + (coarseStart << 3), mode);
    let from = fit;
    if (!(mode & S.MATCH_COVARIANCE)) {
      multiply(F, fit, S.coarseInverse() + 72 * c);
      from = F;
    }
    polar3(A, from, (mode & S.MATCH_REFLECT) != 0);
    memory.copy(fit + ROTATION, A, 72);
    if (mode & S.MATCH_RIGID_MOTION) spinOf(fit);
  }
}

/** v̄, L = I ω and I of a cluster, from what match left. The inertia is the inverse of its inverse, without the floor of inertia.ts. */
function describeMotion(c: u32, mode: i32): void {
  const to = S.sums() + SUMS * c, motion = S.motion() + (c << 5);
  memory.fill(to + VELOCITY, 0, SUMS - VELOCITY);
  if (!(mode & (S.MATCH_LINEAR_MOTION | S.MATCH_RIGID_MOTION))) return;
  for (let k: usize = 0; k < 3; k++) store<f64>(to + (k << 3), <f64>load<f32>(motion + (k << 2)), VELOCITY);
  if (!(mode & S.MATCH_RIGID_MOTION)) return;
  const from = S.inertiaInverse() + 48 * c;
  const xx = load<f64>(from), yy = load<f64>(from, 8), zz = load<f64>(from, 16);
  const xy = load<f64>(from, 24), xz = load<f64>(from, 32), yz = load<f64>(from, 40);
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > 0 ? 1.0 / det : 0.0;
  const kyy = xx * zz - xz * xz, kzz = xx * yy - xy * xy, trace = xx + yy + zz;
  let ixx = kxx * inv, iyy = kyy * inv, izz = kzz * inv;
  let ixy = kxy * inv, ixz = kxz * inv, iyz = (xy * xz - xx * yz) * inv;
  if (det < LINE * trace * trace * trace && kxx + kyy + kzz > 0.125 * trace * trace) {
    const across = 4.0 / (trace * trace);
    ixx = across * xx; iyy = across * yy; izz = across * zz;
    ixy = across * xy; ixz = across * xz; iyz = across * yz;
  }
  store<f64>(to, ixx, INERTIA); store<f64>(to, iyy, INERTIA + 8); store<f64>(to, izz, INERTIA + 16);
  store<f64>(to, ixy, INERTIA + 24); store<f64>(to, ixz, INERTIA + 32); store<f64>(to, iyz, INERTIA + 40);
  const p = <f64>load<f32>(motion, 16), q = <f64>load<f32>(motion, 20), r = <f64>load<f32>(motion, 24);
  store<f64>(to, ixx * p + ixy * q + ixz * r, TURN);
  store<f64>(to, ixy * p + iyy * q + iyz * r, TURN + 8);
  store<f64>(to, ixz * p + iyz * q + izz * r, TURN + 16);
}

/** The sums of one coarse cluster over what it holds: rows of `width` bytes from `rows` on, with masses from `masses` on. */
function sumHeld(c: u32, fit: usize, first: u32, last: u32, rows: usize, width: usize, masses: usize, mode: i32): void {
  const flowed = (mode & S.MATCH_PLASTIC) != 0;
  let a0: f64 = 0, a1: f64 = 0, a2: f64 = 0, b0: f64 = 0, b1: f64 = 0, b2: f64 = 0, c0: f64 = 0, c1: f64 = 0, c2: f64 = 0;
  let mx: f64 = 0, my: f64 = 0, mz: f64 = 0, mu: f64 = 0, mv: f64 = 0, mw: f64 = 0, lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let ixx: f64 = 0, iyy: f64 = 0, izz: f64 = 0, ixy: f64 = 0, ixz: f64 = 0, iyz: f64 = 0;
  const children = S.tieChild(), weights = S.tieWeight(), rests = S.tieRest();
  const start = rows + width * load<u32>(children + (first << 2));
  const ox = load<f64>(start, CENTRE), oy = load<f64>(start, CENTRE + 8), oz = load<f64>(start, CENTRE + 16);
  for (let t = first; t < last; t++) {
    const child = load<u32>(children + (t << 2));
    const held = rows + width * child, rest = rests + 96 * t;
    const W = load<f64>(weights + (t << 3));
    const m = W * load<f64>(masses + (child << 3));
    const x = load<f64>(held, CENTRE) - ox, y = load<f64>(held, CENTRE + 8) - oy, z = load<f64>(held, CENTRE + 16) - oz;
    const u = load<f64>(held, VELOCITY), v = load<f64>(held, VELOCITY + 8), w = load<f64>(held, VELOCITY + 16);
    let a = held;
    if (flowed) {
      multiplyTransposed(PART, held, rest);
      a = PART;
    }
    const px = m * x, py = m * y, pz = m * z;
    const q0 = load<f64>(rest, 72), q1 = load<f64>(rest, 80), q2 = load<f64>(rest, 88);
    a0 += W * load<f64>(a) + px * q0; a1 += W * load<f64>(a, 8) + py * q0; a2 += W * load<f64>(a, 16) + pz * q0;
    b0 += W * load<f64>(a, 24) + px * q1; b1 += W * load<f64>(a, 32) + py * q1; b2 += W * load<f64>(a, 40) + pz * q1;
    c0 += W * load<f64>(a, 48) + px * q2; c1 += W * load<f64>(a, 56) + py * q2; c2 += W * load<f64>(a, 64) + pz * q2;
    mx += px; my += py; mz += pz;
    mu += m * u; mv += m * v; mw += m * w;
    lx += W * load<f64>(held, TURN) + py * w - pz * v;
    ly += W * load<f64>(held, TURN + 8) + pz * u - px * w;
    lz += W * load<f64>(held, TURN + 16) + px * v - py * u;
    ixx += W * load<f64>(held, INERTIA) + py * y + pz * z;
    iyy += W * load<f64>(held, INERTIA + 8) + px * x + pz * z;
    izz += W * load<f64>(held, INERTIA + 16) + px * x + py * y;
    ixy += W * load<f64>(held, INERTIA + 24) - px * y;
    ixz += W * load<f64>(held, INERTIA + 32) - px * z;
    iyz += W * load<f64>(held, INERTIA + 40) - py * z;
  }
  const mass = load<f64>(S.coarseMass() + (c << 3));
  const x = mx / mass, y = my / mass, z = mz / mass, u = mu / mass, v = mv / mass, w = mw / mass;
  store<f64>(fit, a0); store<f64>(fit, a1, 8); store<f64>(fit, a2, 16);
  store<f64>(fit, b0, 24); store<f64>(fit, b1, 32); store<f64>(fit, b2, 40);
  store<f64>(fit, c0, 48); store<f64>(fit, c1, 56); store<f64>(fit, c2, 64);
  store<f64>(fit, ox + x, CENTRE); store<f64>(fit, oy + y, CENTRE + 8); store<f64>(fit, oz + z, CENTRE + 16);
  store<f64>(fit, u, VELOCITY); store<f64>(fit, v, VELOCITY + 8); store<f64>(fit, w, VELOCITY + 16);
  store<f64>(fit, lx - (my * w - mz * v), TURN);
  store<f64>(fit, ly - (mz * u - mx * w), TURN + 8);
  store<f64>(fit, lz - (mx * v - my * u), TURN + 16);
  store<f64>(fit, ixx - (my * y + mz * z), INERTIA);
  store<f64>(fit, iyy - (mx * x + mz * z), INERTIA + 8);
  store<f64>(fit, izz - (mx * x + my * y), INERTIA + 16);
  store<f64>(fit, ixy + mx * y, INERTIA + 24);
  store<f64>(fit, ixz + mx * z, INERTIA + 32);
  store<f64>(fit, iyz + my * z, INERTIA + 40);
  store<f64>(fit, 0, SPIN); store<f64>(fit, 0, SPIN + 8); store<f64>(fit, 0, SPIN + 16);
}

/** ω = I⁻¹ L, kept finite for lines and points (src/math/inertia.ts). */
function spinOf(fit: usize): void {
  let xx = load<f64>(fit, INERTIA), yy = load<f64>(fit, INERTIA + 8), zz = load<f64>(fit, INERTIA + 16);
  const xy = load<f64>(fit, INERTIA + 24), xz = load<f64>(fit, INERTIA + 32), yz = load<f64>(fit, INERTIA + 40);
  const trace = xx + yy + zz, floor = 1e-9 * trace;
  xx += floor; yy += floor; zz += floor;
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const kyy = xx * zz - xz * xz, kzz = xx * yy - xy * xy, kyz = xy * xz - xx * yz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > 1e-200 ? 1.0 / det : 0.0;
  const lx = load<f64>(fit, TURN), ly = load<f64>(fit, TURN + 8), lz = load<f64>(fit, TURN + 16);
  if (det < LINE * trace * trace * trace) {
    const across = 4.0 / (trace * trace);
    xx -= floor; yy -= floor; zz -= floor;
    store<f64>(fit, (xx * lx + xy * ly + xz * lz) * across, SPIN);
    store<f64>(fit, (xy * lx + yy * ly + yz * lz) * across, SPIN + 8);
    store<f64>(fit, (xz * lx + yz * ly + zz * lz) * across, SPIN + 16);
    return;
  }
  store<f64>(fit, (kxx * lx + kxy * ly + kxz * lz) * inv, SPIN);
  store<f64>(fit, (kxy * lx + kyy * ly + kyz * lz) * inv, SPIN + 8);
  store<f64>(fit, (kxz * lx + kyz * ly + kzz * lz) * inv, SPIN + 16);
}

/** out = a bᵀ. */
function multiplyTransposed(out: usize, a: usize, b: usize): void {
  for (let j: usize = 0; j < 3; j++) {
    const x = load<f64>(b + (j << 3)), y = load<f64>(b + (j << 3), 24), z = load<f64>(b + (j << 3), 48);
    for (let i: usize = 0; i < 24; i += 8)
      store<f64>(out + 24 * j + i, load<f64>(a + i) * x + load<f64>(a + i, 24) * y + load<f64>(a + i, 48) * z);
  }
}

export function spreadLevels(
  coarseStart: u32, coarseEnd: u32, clusterStart: u32, clusterEnd: u32, tieStart: u32, mode: i32, pull: f64, drag: f64,
): void {
  for (let c = coarseEnd; c-- > coarseStart; ) {
    const fit = S.coarseFit() + FIT * c, goal = S.coarseGoal() + GOAL * c, share = S.coarseShare() + (c << 4);
    const own = load<f64>(share), ownDrag = load<f64>(share, 8);
    for (let k: usize = 0; k < 72; k += 8) store<f64>(goal + k, own * load<f64>(fit + k, ROTATION));
    for (let k: usize = 0; k < 24; k += 8) {
      const at = load<f64>(fit + k, CENTRE);
      store<f64>(PLACE + k, at);
      store<f64>(goal + k, own * at, GOAL_PLACE);
      store<f64>(goal + k, ownDrag * load<f64>(fit + k, VELOCITY), GOAL_V);
      store<f64>(goal + k, ownDrag * load<f64>(fit + k, SPIN), GOAL_SPIN);
    }
    addHolders(goal, S.coarseRises() + (c << 3), coarseStart, tieStart, mode);
  }
  for (let c = clusterStart; c < clusterEnd; c++) blendCluster(c, coarseStart, tieStart, mode, pull, drag);
}

/** goal += what the holders of one want, by weight; PLACE is where its centre is now. */
function addHolders(goal: usize, run: usize, coarseStart: u32, tieStart: u32, mode: i32): void {
  const last = tieStart + load<u32>(run, 4);
  const px = load<f64>(PLACE), py = load<f64>(PLACE, 8), pz = load<f64>(PLACE, 16);
  // Eighteen numbers, two by two: matrix and place (12), velocity and spin (6).
  let g0 = v128.load(goal), g1 = v128.load(goal, 16), g2 = v128.load(goal, 32), g3 = v128.load(goal, 48), g4 = v128.load(goal, 64), g5 = v128.load(goal, 80);
  let g6 = v128.load(goal, 96), g7 = v128.load(goal, 112), g8 = v128.load(goal, 128);
  for (let n = tieStart + load<u32>(run); n < last; n++) {
    const t = tieStart + load<u32>(S.rise() + (n << 2));
    const weight = load<f64>(S.tieWeight() + (t << 3));
    const W = f64x2.splat(weight);
    const holder = coarseStart + load<u32>(S.tieParent() + (t << 2));
    const G = S.coarseGoal() + GOAL * holder, fit = S.coarseFit() + FIT * holder, rest = S.tieRest() + 96 * t;
    let matrix = G;
    if (mode & S.MATCH_PLASTIC) {
      multiply(PART, G, rest);
      matrix = PART;
    }
    // Where the holder would have this one's centre: matrix q + place.
    const q0 = load<f64>(rest, 72), q1 = load<f64>(rest, 80), q2 = load<f64>(rest, 88);
    const x = load<f64>(G, GOAL_PLACE) + load<f64>(G) * q0 + load<f64>(G, 24) * q1 + load<f64>(G, 48) * q2;
    const y = load<f64>(G, GOAL_PLACE + 8) + load<f64>(G, 8) * q0 + load<f64>(G, 32) * q1 + load<f64>(G, 56) * q2;
    const z = load<f64>(G, GOAL_PLACE + 16) + load<f64>(G, 16) * q0 + load<f64>(G, 40) * q1 + load<f64>(G, 64) * q2;
    g0 = f64x2.add(g0, f64x2.mul(W, v128.load(matrix)));
    g1 = f64x2.add(g1, f64x2.mul(W, v128.load(matrix, 16)));
    g2 = f64x2.add(g2, f64x2.mul(W, v128.load(matrix, 32)));
    g3 = f64x2.add(g3, f64x2.mul(W, v128.load(matrix, 48)));
    g4 = f64x2.add(g4, f64x2.mul(W, f64x2(load<f64>(matrix, 64), x)));
    g5 = f64x2.add(g5, f64x2.mul(W, f64x2(y, z)));
    // And how it would have it move: velocity + ω × r.
    const rx = px - load<f64>(fit, CENTRE), ry = py - load<f64>(fit, CENTRE + 8), rz = pz - load<f64>(fit, CENTRE + 16);
    const wx = load<f64>(G, GOAL_SPIN), wy = load<f64>(G, GOAL_SPIN + 8), wz = load<f64>(G, GOAL_SPIN + 16);
    g6 = f64x2.add(g6, f64x2.mul(W, f64x2(load<f64>(G, GOAL_V) + wy * rz - wz * ry, load<f64>(G, GOAL_V + 8) + wz * rx - wx * rz)));
    g7 = f64x2.add(g7, f64x2.mul(W, f64x2(load<f64>(G, GOAL_V + 16) + wx * ry - wy * rx, wx)));
    g8 = f64x2.add(g8, f64x2.mul(W, f64x2(wy, wz)));
  }
  v128.store(goal, g0); v128.store(goal, g1, 16); v128.store(goal, g2, 32); v128.store(goal, g3, 48); v128.store(goal, g4, 64); v128.store(goal, g5, 80);
  v128.store(goal, g6, 96); v128.store(goal, g7, 112); v128.store(goal, g8, 128);
}

/** `transform` and `motion` of one cluster become those of all levels together. */
function blendCluster(c: u32, coarseStart: u32, tieStart: u32, mode: i32, pull: f64, drag: f64): void {
  const t = S.transform() + 80 * c, motion = S.motion() + (c << 5), sums = S.sums() + SUMS * c;
  const goal = BLEND;
  for (let k: usize = 0; k < 3; k++) {
    for (let j: usize = 0; j < 3; j++) store<f64>(goal + 24 * j + (k << 3), pull * <f64>load<f32>(t + (j << 4) + (k << 2)));
    const at = load<f64>(sums + (k << 3), CENTRE);
    store<f64>(PLACE + (k << 3), at);
    store<f64>(goal + (k << 3), pull * at, GOAL_PLACE);
    store<f64>(goal + (k << 3), drag * <f64>load<f32>(motion + (k << 2)), GOAL_V);
    store<f64>(goal + (k << 3), drag * <f64>load<f32>(motion + (k << 2), 16), GOAL_SPIN);
  }
  addHolders(goal, S.rises() + (c << 3), coarseStart, tieStart, mode);
  const shift = S.restShift() + 24 * c;
  const p = load<f64>(shift), q = load<f64>(shift, 8), r = load<f64>(shift, 16);
  for (let k: usize = 0; k < 3; k++) {
    const o = goal + (k << 3), to = t + (k << 2);
    const r0 = load<f64>(o), r1 = load<f64>(o, 24), r2 = load<f64>(o, 48);
    store<f32>(to, <f32>r0);
    store<f32>(to, <f32>r1, 16);
    store<f32>(to, <f32>r2, 32);
    store<f32>(to, <f32>(load<f64>(o, GOAL_PLACE) - <f64>load<f32>(to, 64) - (r0 * p + r1 * q + r2 * r)), 48);
    store<f32>(motion + (k << 2), <f32>load<f64>(o, GOAL_V));
    store<f32>(motion + (k << 2), <f32>load<f64>(o, GOAL_SPIN), 16);
  }
}
