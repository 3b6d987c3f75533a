import * as S from './layout.generated';
import { A, F, multiply } from './match';
import { polar3 } from './polar';

/** Offsets within a row of `coarseFit` and `coarseGoal`, and their lengths, in bytes (src/levels/rows.ts). */
const CENTRE: usize = 72;
const ROTATION: usize = 96;
const VELOCITY: usize = 168;
const SPIN: usize = 192;
const INERTIA: usize = 216;
const FIT: usize = 264;
const GOAL_PLACE: usize = 72;
const GOAL_V: usize = 96;
const GOAL_SPIN: usize = 120;
const GOAL: usize = 144;

/** Scratch below the pointer table: what a tie holds (a row of coarseFit); L; place; a matrix; a goal. */
const HELD: usize = 30720;
const PLACE: usize = HELD + 304;
const PART: usize = HELD + 336;

export function sumLevels(coarseStart: u32, coarseEnd: u32, clusterStart: u32, tieStart: u32, mode: i32): void {
  for (let c = coarseStart; c < coarseEnd; c++) {
    const fit = S.coarseFit() + FIT * c;
    memory.fill(fit, 0, FIT);
    const ties = S.coarseTies() + (c << 3);
    const first = tieStart + load<u32>(ties), last = tieStart + load<u32>(ties, 4);
    const fine = load<u32>(S.coarseLevel() + (c << 2)) == 1;
    const base = fine ? clusterStart : coarseStart;
    sumPlaces(c, fit, first, last, base, fine, mode);
    let from = fit;
    if (!(mode & S.MATCH_COVARIANCE)) {
      multiply(F, fit, S.coarseInverse() + 72 * c);
      from = F;
    }
    polar3(A, from, (mode & S.MATCH_REFLECT) != 0);
    memory.copy(fit + ROTATION, A, 72);
    if (mode & S.MATCH_RIGID_MOTION) sumSpin(fit, first, last, base, fine);
  }
}

/** x̄, A_xr and v̄. */
function sumPlaces(c: u32, fit: usize, first: u32, last: u32, base: u32, fine: bool, mode: i32): void {
  const perMass: f64 = 1.0 / load<f64>(S.coarseMass() + (c << 3));
  let ox: f64 = 0, oy: f64 = 0, oz: f64 = 0, cx: f64 = 0, cy: f64 = 0, cz: f64 = 0, u: f64 = 0, v: f64 = 0, w: f64 = 0;
  for (let t = first; t < last; t++) {
    const d = base + load<u32>(S.tieChild() + (t << 2));
    const W = load<f64>(S.tieWeight() + (t << 3));
    const m = W * massOf(d, fine);
    const held = lookAt(d, fine);
    if (t == first) {
      ox = load<f64>(held, CENTRE); oy = load<f64>(held, CENTRE + 8); oz = load<f64>(held, CENTRE + 16);
    }
    const x = m * (load<f64>(held, CENTRE) - ox), y = m * (load<f64>(held, CENTRE + 8) - oy), z = m * (load<f64>(held, CENTRE + 16) - oz);
    cx += x; cy += y; cz += z;
    u += m * load<f64>(held, VELOCITY); v += m * load<f64>(held, VELOCITY + 8); w += m * load<f64>(held, VELOCITY + 16);
    const rest = S.tieRest() + 96 * t;
    let a = held;
    if (mode & S.MATCH_PLASTIC) {
      // A Hᵀ: columns of A by rows of H.
      for (let j: usize = 0; j < 3; j++) {
        const h0 = load<f64>(rest + (j << 3)), h1 = load<f64>(rest + (j << 3), 24), h2 = load<f64>(rest + (j << 3), 48);
        for (let i: usize = 0; i < 24; i += 8)
          store<f64>(PART + 24 * j + i, load<f64>(held + i) * h0 + load<f64>(held + i, 24) * h1 + load<f64>(held + i, 48) * h2);
      }
      a = PART;
    }
    for (let j: usize = 0; j < 3; j++) {
      const q = load<f64>(rest + (j << 3), 72);
      const to = fit + 24 * j, from = a + 24 * j;
      store<f64>(to, load<f64>(to) + W * load<f64>(from) + x * q);
      store<f64>(to, load<f64>(to, 8) + W * load<f64>(from, 8) + y * q, 8);
      store<f64>(to, load<f64>(to, 16) + W * load<f64>(from, 16) + z * q, 16);
    }
  }
  store<f64>(fit, ox + cx * perMass, CENTRE);
  store<f64>(fit, oy + cy * perMass, CENTRE + 8);
  store<f64>(fit, oz + cz * perMass, CENTRE + 16);
  store<f64>(fit, u * perMass, VELOCITY);
  store<f64>(fit, v * perMass, VELOCITY + 8);
  store<f64>(fit, w * perMass, VELOCITY + 16);
}

/** ω = I⁻¹ L, and I. */
function sumSpin(fit: usize, first: u32, last: u32, base: u32, fine: bool): void {
  const cx = load<f64>(fit, CENTRE), cy = load<f64>(fit, CENTRE + 8), cz = load<f64>(fit, CENTRE + 16);
  const cu = load<f64>(fit, VELOCITY), cv = load<f64>(fit, VELOCITY + 8), cw = load<f64>(fit, VELOCITY + 16);
  let lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  for (let t = first; t < last; t++) {
    const d = base + load<u32>(S.tieChild() + (t << 2));
    const W = load<f64>(S.tieWeight() + (t << 3));
    const m = massOf(d, fine);
    const held = lookAt(d, fine);
    if (fine) invertBack(d);
    const x = load<f64>(held, CENTRE) - cx, y = load<f64>(held, CENTRE + 8) - cy, z = load<f64>(held, CENTRE + 16) - cz;
    const u = load<f64>(held, VELOCITY) - cu, v = load<f64>(held, VELOCITY + 8) - cv, w = load<f64>(held, VELOCITY + 16) - cw;
    const p = load<f64>(held, SPIN), q = load<f64>(held, SPIN + 8), r = load<f64>(held, SPIN + 16);
    const i = held + INERTIA;
    const a = load<f64>(i), b = load<f64>(i, 8), c = load<f64>(i, 16), e = load<f64>(i, 24), f = load<f64>(i, 32), g = load<f64>(i, 40);
    lx += W * (a * p + e * q + f * r + m * (y * w - z * v));
    ly += W * (e * p + b * q + g * r + m * (z * u - x * w));
    lz += W * (f * p + g * q + c * r + m * (x * v - y * u));
    xx += W * (a + m * (y * y + z * z));
    yy += W * (b + m * (x * x + z * z));
    zz += W * (c + m * (x * x + y * y));
    xy += W * (e - m * x * y);
    xz += W * (f - m * x * z);
    yz += W * (g - m * y * z);
  }
  store<f64>(fit, xx, INERTIA); store<f64>(fit, yy, INERTIA + 8); store<f64>(fit, zz, INERTIA + 16);
  store<f64>(fit, xy, INERTIA + 24); store<f64>(fit, xz, INERTIA + 32); store<f64>(fit, yz, INERTIA + 40);
  // Kept finite for lines and points (src/math/inertia.ts).
  const floor = 1e-9 * (xx + yy + zz);
  xx += floor; yy += floor; zz += floor;
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > 1e-200 ? 1.0 / det : 0.0;
  const kyy = xx * zz - xz * xz, kzz = xx * yy - xy * xy, kyz = xy * xz - xx * yz;
  store<f64>(fit, (kxx * lx + kxy * ly + kxz * lz) * inv, SPIN);
  store<f64>(fit, (kxy * lx + kyy * ly + kyz * lz) * inv, SPIN + 8);
  store<f64>(fit, (kxz * lx + kyz * ly + kzz * lz) * inv, SPIN + 16);
}

// @ts-ignore: decorator
@inline function massOf(d: u32, fine: bool): f64 {
  return load<f64>((fine ? S.clusterMass() : S.coarseMass()) + (d << 3));
}

/** Where a cluster or coarse cluster is described like a row of coarseFit; the inertia of a cluster is left to invertBack. */
function lookAt(d: u32, fine: bool): usize {
  if (!fine) return S.coarseFit() + FIT * d;
  const sums = S.covariance() + 96 * d, t = S.transform() + 80 * d, motion = S.motion() + (d << 5);
  memory.copy(HELD, sums, 72);
  for (let k: usize = 0; k < 3; k++) {
    store<f64>(HELD + (k << 3), load<f64>(sums + (k << 3), 72) + <f64>load<f32>(t + (k << 2), 64), CENTRE);
    store<f64>(HELD + (k << 3), <f64>load<f32>(motion + (k << 2)), VELOCITY);
    store<f64>(HELD + (k << 3), <f64>load<f32>(motion + (k << 2), 16), SPIN);
  }
  return HELD;
}

/** Inertia of a cluster from the inverse that match left, without the floor of inertia.ts, which would be large here. */
function invertBack(d: u32): void {
  const from = S.inertiaInverse() + 48 * d;
  const xx = load<f64>(from), yy = load<f64>(from, 8), zz = load<f64>(from, 16);
  const xy = load<f64>(from, 24), xz = load<f64>(from, 32), yz = load<f64>(from, 40);
  const kxx = yy * zz - yz * yz, kxy = xz * yz - xy * zz, kxz = xy * yz - yy * xz;
  const det = xx * kxx + xy * kxy + xz * kxz;
  const inv: f64 = det > 0 ? 1.0 / det : 0.0;
  const to = HELD + INERTIA;
  store<f64>(to, kxx * inv); store<f64>(to, (xx * zz - xz * xz) * inv, 8); store<f64>(to, (xx * yy - xy * xy) * inv, 16);
  store<f64>(to, kxy * inv, 24); store<f64>(to, kxz * inv, 32); store<f64>(to, (xy * xz - xx * yz) * inv, 40);
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
  for (let n = tieStart + load<u32>(run); n < last; n++) {
    const t = tieStart + load<u32>(S.rise() + (n << 2));
    const W = load<f64>(S.tieWeight() + (t << 3));
    const holder = coarseStart + load<u32>(S.tieParent() + (t << 2));
    const G = S.coarseGoal() + GOAL * holder, fit = S.coarseFit() + FIT * holder, rest = S.tieRest() + 96 * t;
    let matrix = G;
    if (mode & S.MATCH_PLASTIC) {
      multiply(PART, G, rest);
      matrix = PART;
    }
    for (let k: usize = 0; k < 72; k += 8) store<f64>(goal + k, load<f64>(goal + k) + W * load<f64>(matrix + k));
    const q0 = load<f64>(rest, 72), q1 = load<f64>(rest, 80), q2 = load<f64>(rest, 88);
    for (let k: usize = 0; k < 24; k += 8) {
      const at = load<f64>(G + k, GOAL_PLACE) + load<f64>(G + k) * q0 + load<f64>(G + k, 24) * q1 + load<f64>(G + k, 48) * q2;
      store<f64>(goal + k, load<f64>(goal + k, GOAL_PLACE) + W * at, GOAL_PLACE);
      store<f64>(goal + k, load<f64>(goal + k, GOAL_SPIN) + W * load<f64>(G + k, GOAL_SPIN), GOAL_SPIN);
    }
    const x = load<f64>(PLACE) - load<f64>(fit, CENTRE), y = load<f64>(PLACE, 8) - load<f64>(fit, CENTRE + 8), z = load<f64>(PLACE, 16) - load<f64>(fit, CENTRE + 16);
    const wx = load<f64>(G, GOAL_SPIN), wy = load<f64>(G, GOAL_SPIN + 8), wz = load<f64>(G, GOAL_SPIN + 16);
    store<f64>(goal, load<f64>(goal, GOAL_V) + W * (load<f64>(G, GOAL_V) + wy * z - wz * y), GOAL_V);
    store<f64>(goal, load<f64>(goal, GOAL_V + 8) + W * (load<f64>(G, GOAL_V + 8) + wz * x - wx * z), GOAL_V + 8);
    store<f64>(goal, load<f64>(goal, GOAL_V + 16) + W * (load<f64>(G, GOAL_V + 16) + wx * y - wy * x), GOAL_V + 16);
  }
}

/** `transform` and `motion` of one cluster become those of all levels together. */
function blendCluster(c: u32, coarseStart: u32, tieStart: u32, mode: i32, pull: f64, drag: f64): void {
  const t = S.transform() + 80 * c, motion = S.motion() + (c << 5), sums = S.covariance() + 96 * c;
  const goal = HELD;
  for (let k: usize = 0; k < 3; k++) {
    for (let j: usize = 0; j < 3; j++) store<f64>(goal + 24 * j + (k << 3), pull * <f64>load<f32>(t + (j << 4) + (k << 2)));
    const at = load<f64>(sums + (k << 3), 72) + <f64>load<f32>(t + (k << 2), 64);
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
