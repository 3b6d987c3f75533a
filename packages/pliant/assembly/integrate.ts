import * as S from './layout.generated';
import { high, low, narrow, xyz, yzx } from './match';
import { Bent, Plain, wayToGoal } from './soften';
import { endOfRun, sumsOfRun } from './velocity';

/** Scratch (src/kernels/wasm/scratchMap.ts): the velocity that evens a body, x y z and 0. */
const EVEN: usize = S.AT_INTEGRATE_EVEN;

/** Bits of `how` of urgeByLaw. */
const URGE_FORCES: u32 = 1;
const URGE_THIN: u32 = 2;

/** All parts below, for one body on one thread, with the clusters [clusterStart, clusterEnd). */
export function integrateParticles(
  start: u32, end: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, maxSpeed: f32, forces: bool, bent: bool, lawful: bool, clusterStart: u32, clusterEnd: u32,
  share: f64, vx: f64, vy: f64, vz: f64, wx: f64, wy: f64, wz: f64, standX: f64, standY: f64, standZ: f64,
): void {
  let bound: u32;
  if (lawful) {
    const at = S.v() + (start << S.SHIFT_v);
    const ux = load<f32>(at), uy = load<f32>(at, 4), uz = load<f32>(at, 8);
    const thin = urgeClusters(clusterStart, clusterEnd, start, h, damping, share, vx, vy, vz, wx, wy, wz);
    bound = urgeByLaw(start, end, start, h, gx, gy, gz, <f32>(<f64>damping + share), (forces ? URGE_FORCES : 0) | (thin != 0 ? URGE_THIN : 0), ux, uy, uz);
  } else bound = urgeParticles(start, end, start, h, gx, gy, gz, damping, rigid, forces, bent);
  evenUrges(start, end, bound, standX, standY, standZ);
  const even = v128.load(EVEN);
  advanceParticles(start, end, h, maxSpeed, f32x4.extract_lane(even, 0), f32x4.extract_lane(even, 1), f32x4.extract_lane(even, 2));
}

/**
 * Updates the velocities of particles [start, end) in gather order, whole runs of a body whose first particle is `first`. Leaves of each run the momentum that goals and damping give,
 * and the mass. Returns 1 if one of them is held or has another stiffness than the first.
 */
export function urgeParticles(
  start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, forces: bool, bent: bool,
): u32 {
  return bent
    ? urge<Bent>(start, end, first, h, gx, gy, gz, damping, rigid, forces)
    : urge<Plain>(start, end, first, h, gx, gy, gz, damping, rigid, forces);
}

/**
 * Writes `urge` of the clusters [start, end) of a body with an elastic law, whose first particle is `first`. The velocity that a cluster gives to a member at x with the rest offset p from the cluster's centre is
 * (b/h)((o − x) + t + T p) + k_d (v̄ + ω × F p − v), with the origin o of the cluster. Damping is a map of p like the goal, so both are one map, and members take five vectors of one row. −k_d v is the same for
 * all clusters: urgeByLaw adds it once.
 * The damping of the body as a whole, by `share` towards its rigid motion with the velocity vx vy vz at its first particle and the spin wx wy wz, is such a map too, about x̄ + F p in the place of x.
 * Velocities are relative to that of the first particle, so that the sum of a particle's weights, which rounding keeps from being 1, does not count.
 *
 * Clusters that are too thin to turn by F have k_d ω × (x − x̄) in the place of ω × F p, as a turn about the first particle of the body (URGE_SPIN). Returns the number of them.
 *
 * The difference to the cluster's own origin is exact. With that to the first particle of the body, which saves a vector, boxes of 2 × 0.2 × 2 m lost 1.4e-4 of their angular momentum in 10 s, beside 4e-7.
 */
export function urgeClusters(
  start: u32, end: u32, first: u32, h: f32, damping: f32, share: f64, vx: f64, vy: f64, vz: f64, wx: f64, wy: f64, wz: f64,
): u32 {
  const at = S.x() + (first << S.SHIFT_x), from = S.v() + (first << S.SHIFT_v);
  const x0 = <f64>load<f32>(at), y0 = <f64>load<f32>(at, 4), z0 = <f64>load<f32>(at, 8);
  const u0 = <f64>load<f32>(from), v0 = <f64>load<f32>(from, 4), w0 = <f64>load<f32>(from, 8);
  const perStep = 1.0 / <f64>h, k = <f64>damping;
  const damps = k != 0 || share != 0;
  let thin: u32 = 0;
  for (let c = start; c < end; c++) {
    const t = S.transform() + S.STRIDE_transform * c, to = S.urge() + S.STRIDE_urge * c;
    const gain = <f64>load<f32>(t, S.TRANSFORM_SHARE) * perStep;
    const scale = f32x4.splat(<f32>gain);
    let mapX = f32x4.mul(v128.load(t, S.TRANSFORM_X), scale), mapY = f32x4.mul(v128.load(t, S.TRANSFORM_Y), scale), mapZ = f32x4.mul(v128.load(t, S.TRANSFORM_Z), scale);
    v128.store(to, v128.load(t, S.TRANSFORM_ORIGIN), S.URGE_ORIGIN);
    let x = gain * <f64>load<f32>(t, S.TRANSFORM_CENTRE), y = gain * <f64>load<f32>(t, S.TRANSFORM_CENTRE + 4), z = gain * <f64>load<f32>(t, S.TRANSFORM_CENTRE + 8);
    let spin = f32x4.splat(0);
    if (damps) {
      const motion = S.motion() + (c << S.SHIFT_motion), sums = S.sums() + S.STRIDE_sums * c, fit = S.deformation() + S.STRIDE_deformation * c;
      let sx: f64 = 0, sy: f64 = 0, sz: f64 = 0;
      // From the first particle of the body to the centre.
      const rx = load<f64>(sums, S.SUMS_CENTRE) - x0, ry = load<f64>(sums, S.SUMS_CENTRE + S.VECTOR_Y) - y0, rz = load<f64>(sums, S.SUMS_CENTRE + S.VECTOR_Z) - z0;
      if (k != 0) {
        x += k * (load<f64>(sums, S.SUMS_V) - u0); y += k * (load<f64>(sums, S.SUMS_V + S.VECTOR_Y) - v0); z += k * (load<f64>(sums, S.SUMS_V + S.VECTOR_Z) - w0);
        sx = k * <f64>load<f32>(motion, S.MOTION_SPIN); sy = k * <f64>load<f32>(motion, S.MOTION_SPIN + 4); sz = k * <f64>load<f32>(motion, S.MOTION_SPIN + 8);
      }
      if (share != 0) { x += share * (vx - u0); y += share * (vy - v0); z += share * (vz - w0); }
      if (load<f32>(fit, S.DEFORMATION_THIN) != 0) {
        thin++;
        x -= sy * rz - sz * ry; y -= sz * rx - sx * rz; z -= sx * ry - sy * rx;
        spin = f32x4(<f32>(sx + share * wx), <f32>(sy + share * wy), <f32>(sz + share * wz), 0);
      } else {
        x += share * (wy * rz - wz * ry); y += share * (wz * rx - wx * rz); z += share * (wx * ry - wy * rx);
        const turn = f32x4(<f32>(sx + share * wx), <f32>(sy + share * wy), <f32>(sz + share * wz), 0), turned = yzx(turn);
        const fx = v128.load(fit), fy = v128.load(fit, S.DEFORMATION_Y), fz = v128.load(fit, S.DEFORMATION_Z);
        const dx = yzx(f32x4.sub(f32x4.mul(turn, yzx(fx)), f32x4.mul(turned, fx)));
        const dy = yzx(f32x4.sub(f32x4.mul(turn, yzx(fy)), f32x4.mul(turned, fy)));
        const dz = yzx(f32x4.sub(f32x4.mul(turn, yzx(fz)), f32x4.mul(turned, fz)));
        mapX = f32x4.add(mapX, dx);
        mapY = f32x4.add(mapY, dy);
        mapZ = f32x4.add(mapZ, dz);
        // The members' offsets are not quite from the centre.
        const shift = S.restShift() + S.STRIDE_restShift * c;
        const px = load<f64>(shift), py = load<f64>(shift, S.VECTOR_Y), pz = load<f64>(shift, S.VECTOR_Z);
        x -= <f64>f32x4.extract_lane(dx, 0) * px + <f64>f32x4.extract_lane(dy, 0) * py + <f64>f32x4.extract_lane(dz, 0) * pz;
        y -= <f64>f32x4.extract_lane(dx, 1) * px + <f64>f32x4.extract_lane(dy, 1) * py + <f64>f32x4.extract_lane(dz, 1) * pz;
        z -= <f64>f32x4.extract_lane(dx, 2) * px + <f64>f32x4.extract_lane(dy, 2) * py + <f64>f32x4.extract_lane(dz, 2) * pz;
      }
    }
    v128.store(to, xyz(mapX), S.URGE_X);
    v128.store(to, xyz(mapY), S.URGE_Y);
    v128.store(to, xyz(mapZ), S.URGE_Z);
    v128.store(to, f32x4(<f32>x, <f32>y, <f32>z, <f32>gain), S.URGE_CONSTANT);
    v128.store(to, spin, S.URGE_SPIN);
  }
  return thin;
}

/** urgeParticles of a body with an elastic law. `drag` is the share of the velocity relative to ux uy uz, that of the body's first particle, which both dampings take; `how` has URGE_FORCES if forces act on particles, and URGE_THIN if urgeClusters found thin clusters. */
export function urgeByLaw(start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, drag: f32, how: u32, ux: f32, uy: f32, uz: f32): u32 {
  const forces = (how & URGE_FORCES) != 0;
  return how & URGE_THIN
    ? urgeLawful(start, end, first, h, gx, gy, gz, drag, forces, ux, uy, uz, true)
    : urgeLawful(start, end, first, h, gx, gy, gz, drag, forces, ux, uy, uz, false);
}

// @ts-ignore: decorator
@inline function urgeLawful(start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, drag: f32, forces: bool, ux: f32, uy: f32, uz: f32, thin: bool): u32 {
  const x = S.x(), v = S.v(), urge = S.urge(), flags = S.flags(), vOld = S.vOld();
  const kick = f32x4(h * gx, h * gy, h * gz, 0), mean = f32x4(ux, uy, uz, 0), slowing = f32x4.splat(drag);
  const origin = v128.load(x + (first << S.SHIFT_x));
  let row = S.gatherOrder() + (start << S.SHIFT_gatherOrder);
  const rowEnd = S.gatherOrder() + (end << S.SHIFT_gatherOrder);
  let links = S.linkStart() + (start << S.SHIFT_linkStart) + S.STRIDE_linkStart;
  const firstLink = load<u32>(links - S.STRIDE_linkStart);
  const link = S.link();
  let q = link + (firstLink << S.SHIFT_link);
  let cluster = S.linkCluster() + (firstLink << S.SHIFT_linkCluster);
  let bound: u32 = 0;
  let run = start;
  let runEnd = S.gatherOrder() + (endOfRun(run, end) << S.SHIFT_gatherOrder);
  let n0 = f64x2.splat(0), n1 = f64x2.splat(0);
  for (; ; row += S.STRIDE_gatherOrder, links += S.STRIDE_linkStart) {
    if (row == runEnd) {
      v128.store(sumsOfRun(run), n0);
      v128.store(sumsOfRun(run), n1, 16);
      if (row == rowEnd) break;
      n0 = n1 = f64x2.splat(0);
      run = endOfRun(run, end);
      runEnd = S.gatherOrder() + (endOfRun(run, end) << S.SHIFT_gatherOrder);
    }
    const i = load<u32>(row);
    const o = i << S.SHIFT_x;
    const last = link + (load<u32>(links) << S.SHIFT_link);
    const xi = v128.load(x + o), vi = v128.load(v + o);
    v128.store(vOld + o, vi);
    // A particle without clusters is not damped.
    let pull = q < last ? f32x4.mul(f32x4.sub(mean, vi), slowing) : f32x4.splat(0);
    let spin = f32x4.splat(0);
    for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
      const u = urge + S.STRIDE_urge * load<u32>(cluster);
      const p = v128.load(q), w = v128.shuffle<f32>(p, p, 3, 3, 3, 3), constant = v128.load(u, S.URGE_CONSTANT);
      const mapped = f32x4.add(
        f32x4.add(f32x4.mul(v128.load(u, S.URGE_X), v128.shuffle<f32>(p, p, 0, 0, 0, 0)), f32x4.mul(v128.load(u, S.URGE_Y), v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
        f32x4.add(f32x4.mul(v128.load(u, S.URGE_Z), v128.shuffle<f32>(p, p, 2, 2, 2, 2)), constant),
      );
      const off = f32x4.mul(f32x4.sub(v128.load(u, S.URGE_ORIGIN), xi), v128.shuffle<f32>(constant, constant, 3, 3, 3, 3));
      pull = f32x4.add(pull, f32x4.mul(f32x4.add(off, mapped), w));
      if (thin) spin = f32x4.add(spin, f32x4.mul(v128.load(u, S.URGE_SPIN), w));
    }
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) {
      bound = 1;
      continue;
    }
    let urged = pull;
    if (thin) {
      // The motions of all thin clusters at x: one turn about the first particle of the body.
      const r = f32x4.sub(xi, origin);
      urged = f32x4.add(urged, yzx(f32x4.sub(f32x4.mul(spin, yzx(r)), f32x4.mul(yzx(spin), r))));
    }
    const m = load<f32>(x + o, S.X_MASS);
    const momentum = f32x4.replace_lane(f32x4.mul(urged, f32x4.splat(m)), 3, m);
    n0 = f64x2.add(n0, low(momentum));
    n1 = f64x2.add(n1, high(momentum));
    let next = f32x4.add(f32x4.add(vi, kick), urged);
    if (forces) next = f32x4.add(next, f32x4.mul(v128.load(S.force() + o), f32x4.splat(h / m)));
    v128.store(v + o, xyz(next));
  }
  return bound;
}

/**
 * Sums the momentum that urgeParticles left of the runs of a body, one run after the other, and writes to EVEN the velocity to add to all so that goals give the
 * body no momentum (src/kernels/ts/integrate.ts). With `bound` that is 0. `stand` is the change of the velocity of the centre that damping is meant to give.
 */
export function evenUrges(start: u32, end: u32, bound: u32, standX: f64, standY: f64, standZ: f64): void {
  // x and y; z, and the mass.
  let n0 = f64x2.splat(0), n1 = f64x2.splat(0);
  for (let i = start; i < end; i = endOfRun(i, end)) {
    n0 = f64x2.add(n0, v128.load(sumsOfRun(i)));
    n1 = f64x2.add(n1, v128.load(sumsOfRun(i), 16));
  }
  const mass = f64x2.extract_lane(n1, 1);
  if (bound != 0 || !(mass > 0)) {
    v128.store(EVEN, f32x4.splat(0));
    return;
  }
  const scale = f64x2.splat(-1.0 / mass);
  v128.store(EVEN, xyz(narrow(f64x2.add(f64x2.mul(n0, scale), f64x2(standX, standY)), f64x2.add(f64x2.mul(n1, scale), f64x2(standZ, 0)))));
}

function urge<B>(
  start: u32, end: u32, first: u32, h: f32, gx: f32, gy: f32, gz: f32, damping: f32, rigid: bool, forces: bool,
): u32 {
  const x = S.x(), v = S.v(), transform = S.transform(), motion = S.motion(), oldCentre = S.oldCentre();
  const flags = S.flags(), stiffness = S.stiffness(), vOld = S.vOld();
  const kick = f32x4(h * gx, h * gy, h * gz, 0);
  const perStep: f32 = 1 / h;
  let row = S.gatherOrder() + (start << S.SHIFT_gatherOrder);
  const rowEnd = S.gatherOrder() + (end << S.SHIFT_gatherOrder);
  let links = S.linkStart() + (start << S.SHIFT_linkStart) + S.STRIDE_linkStart;
  const firstLink = load<u32>(links - S.STRIDE_linkStart);
  const link = S.link();
  let q = link + (firstLink << S.SHIFT_link);
  let cluster = S.linkCluster() + (firstLink << S.SHIFT_linkCluster);
  const common = load<f32>(stiffness + (first << S.SHIFT_stiffness));
  let bound: u32 = 0;
  let run = start;
  let runEnd = S.gatherOrder() + (endOfRun(run, end) << S.SHIFT_gatherOrder);
  let n0 = f64x2.splat(0), n1 = f64x2.splat(0);
  for (; ; row += S.STRIDE_gatherOrder, links += S.STRIDE_linkStart) {
    if (row == runEnd) {
      v128.store(sumsOfRun(run), n0);
      v128.store(sumsOfRun(run), n1, 16);
      if (row == rowEnd) break;
      n0 = n1 = f64x2.splat(0);
      run = endOfRun(run, end);
      runEnd = S.gatherOrder() + (endOfRun(run, end) << S.SHIFT_gatherOrder);
    }
    const i = load<u32>(row);
    const o = i << S.SHIFT_x;
    const last = link + (load<u32>(links) << S.SHIFT_link);
    const xi = v128.load(x + o);
    const vi = v128.load(v + o);
    v128.store(vOld + o, vi);
    let pull = f32x4.splat(0);
    let lag = f32x4.splat(0);
    if (damping == 0)
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster)
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, load<u32>(cluster), q, xi), v128.load32_splat(q, S.LINK_WEIGHT)));
    else if (!rigid)
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
        const c = load<u32>(cluster);
        const w = v128.load32_splat(q, S.LINK_WEIGHT);
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, c, q, xi), w));
        lag = f32x4.add(lag, f32x4.mul(f32x4.sub(v128.load(motion + (c << S.SHIFT_motion)), vi), w));
      }
    else
      for (; q < last; q += S.STRIDE_link, cluster += S.STRIDE_linkCluster) {
        const c = load<u32>(cluster);
        const w = v128.load32_splat(q, S.LINK_WEIGHT);
        const u = f32x4.sub(v128.load(motion + (c << S.SHIFT_motion)), vi);
        pull = f32x4.add(pull, f32x4.mul(wayToGoal<B>(transform, c, q, xi), w));
        lag = f32x4.add(lag, f32x4.mul(f32x4.add(u, turning(motion + (c << S.SHIFT_motion), oldCentre + (c << S.SHIFT_oldCentre), xi)), w));
      }
    if (load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD) {
      bound = 1;
      continue;
    }
    const share = load<f32>(stiffness + (i << S.SHIFT_stiffness));
    if (share != common) bound = 1;
    const urged = f32x4.add(f32x4.mul(pull, f32x4.splat(share * perStep)), f32x4.mul(f32x4.splat(damping), lag));
    const m = load<f32>(x + o, S.X_MASS);
    const momentum = f32x4.replace_lane(f32x4.mul(urged, f32x4.splat(m)), 3, m);
    n0 = f64x2.add(n0, low(momentum));
    n1 = f64x2.add(n1, high(momentum));
    let next = f32x4.add(f32x4.add(vi, kick), urged);
    if (forces) next = f32x4.add(next, f32x4.mul(v128.load(S.force() + o), f32x4.splat(h / m)));
    v128.store(v + o, xyz(next));
  }
  return bound;
}

/** Evens velocities, shortens those beyond the limit, and moves all. */
export function advanceParticles(start: u32, end: u32, h: f32, maxSpeed: f32, evenX: f32, evenY: f32, evenZ: f32): void {
  const x = S.x(), v = S.v(), xOld = S.xOld(), flags = S.flags();
  const safe = f32x4.splat(maxSpeed * <f32>0.577);
  const hh = f32x4.splat(h);
  // One that is lost takes nobody with it.
  let even = f32x4(evenX, evenY, evenZ, 0);
  if (!i32x4.all_true(f32x4.le(f32x4.abs(even), safe))) even = f32x4.splat(0);
  for (let i = start; i < end; i++) {
    const o = i << S.SHIFT_x;
    const xi = v128.load(x + o);
    let vi = f32x4.add(v128.load(v + o), even);
    // No component above the limit over √3 means no speed above it; NaN compares as above.
    if (!i32x4.all_true(f32x4.le(f32x4.abs(vi), safe)) && !(load<u32>(flags + (i << S.SHIFT_flags)) & S.FLAG_HELD)) vi = shorten(vi, maxSpeed);
    v128.store(v + o, vi);
    v128.store(xOld + o, xi);
    // Lane 3 of v is 0, so the mass in lane 3 of x stays.
    v128.store(x + o, f32x4.add(xi, f32x4.mul(hh, vi)));
  }
}

/** ω × (x − x̄) of one membership, as yzx(ω yzx(r) − yzx(ω) r). */
// @ts-ignore: decorator
@inline export function turning(motion: usize, oldCentre: usize, xi: v128): v128 {
  const w = v128.load(motion, S.MOTION_SPIN);
  const r = f32x4.sub(xi, v128.load(oldCentre));
  return yzx(f32x4.sub(f32x4.mul(w, yzx(r)), f32x4.mul(yzx(w), r)));
}

/** A velocity of maxSpeed in the same direction, in f64 so that no square overflows; 0 if it has no direction. */
function shorten(a: v128, maxSpeed: f32): v128 {
  const x = <f64>f32x4.extract_lane(a, 0), y = <f64>f32x4.extract_lane(a, 1), z = <f64>f32x4.extract_lane(a, 2);
  const scale = min(1.0, <f64>maxSpeed / sqrt(x * x + y * y + z * z));
  return f32x4(<f32>(x * scale), <f32>(y * scale), <f32>(z * scale), 0);
}

/**
 * Goal − x of one membership: (origin − x) + (centre − origin) + R p, in this order. Far from the world's origin the
 * first difference is exact and the rest is small, so that goals carry no net impulse there either.
 */
// @ts-ignore: decorator
@inline export function towardsGoal(t: usize, q: usize, xi: v128): v128 {
  const turned = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(t, S.TRANSFORM_X), v128.load32_splat(q)), f32x4.mul(v128.load(t, S.TRANSFORM_Y), v128.load32_splat(q, 4))),
    f32x4.add(f32x4.mul(v128.load(t, S.TRANSFORM_Z), v128.load32_splat(q, 8)), v128.load(t, S.TRANSFORM_CENTRE)),
  );
  return f32x4.add(f32x4.sub(v128.load(t, S.TRANSFORM_ORIGIN), xi), turned);
}

// @ts-ignore: decorator
@inline export function lengthSquared(a: v128): f32 {
  const s = f32x4.mul(a, a);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}
