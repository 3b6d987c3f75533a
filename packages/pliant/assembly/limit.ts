import * as S from './layout.generated';
import { lengthSquared, towardsGoal } from './integrate';
import { xyz, yzx } from './match';

/** Net shift and turn of each cluster's corrections (SPEC M10; src/kernels/ts/limit.ts has the derivation). */
export function limitClusters(start: u32, end: u32): void {
  const x = S.x(), xOld = S.xOld(), index = S.memberParticle(), member = S.member();
  const memberStart = S.memberStart(), transform = S.transform(), limits = S.limit();
  for (let c = start; c < end; c++) {
    const t = transform + 80 * c;
    const limit = load<f32>(limits + (c << 2));
    const limit2 = limit * limit;
    const centre = v128.load(S.oldCentre() + (c << 4));
    let tx: f64 = 0, ty: f64 = 0, tz: f64 = 0, lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
    // A cluster that nothing stirred asks for nothing.
    const last = load<u32>(S.stirred() + (c << 2)) ? load<u32>(memberStart + (c << 2) + 4) : 0;
    for (let k = load<u32>(memberStart + (c << 2)); k < last; k++) {
      const q = member + (k << 4);
      const i = load<u32>(index + (k << 2)) << 4;
      const d = towardsGoal(t, q, v128.load(x + i));
      const square = lengthSquared(d);
      if (!(square > limit2)) continue;
      const share = <f64>load<f32>(q, 12) * (1.0 - <f64>limit / sqrt(<f64>square));
      const dx = share * <f64>f32x4.extract_lane(d, 0), dy = share * <f64>f32x4.extract_lane(d, 1), dz = share * <f64>f32x4.extract_lane(d, 2);
      const r = f32x4.sub(v128.load(xOld + i), centre);
      const rx = <f64>f32x4.extract_lane(r, 0), ry = <f64>f32x4.extract_lane(r, 1), rz = <f64>f32x4.extract_lane(r, 2);
      tx += dx; ty += dy; tz += dz;
      lx += ry * dz - rz * dy;
      ly += rz * dx - rx * dz;
      lz += rx * dy - ry * dx;
    }
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
  }
}

/** One sweep. Running pointers instead of indices: with a dozen array addresses alive the loop would spill registers. */
export function limitParticles(start: u32, end: u32, omega: f32, conserving: bool): u32 {
  return conserving ? sweepConserving(start, end, omega) : sweep(start, end, omega);
}

function sweep(start: u32, end: u32, omega: f32): u32 {
  const x = S.x(), limits = S.limit(), transform = S.transform(), stirred = S.stirred();
  let row = S.gather() + (start << 2);
  const rowEnd = S.gather() + (end << 2);
  let next = S.linkStart() + (start << 2) + 4;
  const first = load<u32>(next - 4);
  const link = S.link();
  let q = link + (first << 4);
  let cluster = S.linkCluster() + (first << 2);
  let moved: u32 = 0;
  for (; row < rowEnd; row += 4, next += 4) {
    const i = load<u32>(row);
    const last = link + (load<u32>(next) << 4);
    const xi = v128.load(x + (i << 4));
    let sum = f32x4.splat(0);
    let asked = false;
    for (; q < last; q += 16, cluster += 4) {
      const c = load<u32>(cluster);
      if (!load<u32>(stirred + (c << 2))) continue;
      const d = towardsGoal(transform + 80 * c, q, xi);
      const limit = load<f32>(limits + (c << 2));
      const square = lengthSquared(d);
      if (square > limit * limit) {
        asked = true;
        sum = f32x4.add(sum, f32x4.mul(d, f32x4.splat(load<f32>(q, 12) * (1 - limit / sqrt(square)))));
      }
    }
    if (asked) moved += move(i, xi, f32x4.mul(sum, f32x4.splat(omega)));
  }
  return moved;
}

function sweepConserving(start: u32, end: u32, omega: f32): u32 {
  const x = S.x(), xOld = S.xOld(), limits = S.limit(), transform = S.transform(), stirred = S.stirred();
  const correction = S.correction(), oldCentre = S.oldCentre();
  let row = S.gather() + (start << 2);
  const rowEnd = S.gather() + (end << 2);
  let next = S.linkStart() + (start << 2) + 4;
  const first = load<u32>(next - 4);
  const link = S.link();
  let q = link + (first << 4);
  let cluster = S.linkCluster() + (first << 2);
  let moved: u32 = 0;
  for (; row < rowEnd; row += 4, next += 4) {
    const i = load<u32>(row);
    const last = link + (load<u32>(next) << 4);
    const xi = v128.load(x + (i << 4));
    const old = v128.load(xOld + (i << 4));
    let sum = f32x4.splat(0);
    let asked = false;
    for (; q < last; q += 16, cluster += 4) {
      const c = load<u32>(cluster);
      if (!load<u32>(stirred + (c << 2))) continue;
      asked = true;
      const d = towardsGoal(transform + 80 * c, q, xi);
      const limit = load<f32>(limits + (c << 2));
      const square = lengthSquared(d);
      const turn = v128.load(correction + (c << 5), 16);
      const r = f32x4.sub(old, v128.load(oldCentre + (c << 4)));
      let net = f32x4.add(v128.load(correction + (c << 5)), yzx(f32x4.sub(f32x4.mul(turn, yzx(r)), f32x4.mul(yzx(turn), r))));
      if (square > limit * limit) net = f32x4.sub(net, f32x4.mul(d, f32x4.splat(1 - limit / sqrt(square))));
      sum = f32x4.sub(sum, f32x4.mul(net, v128.load32_splat(q, 12)));
    }
    if (asked) moved += move(i, xi, f32x4.mul(sum, f32x4.splat(omega)));
  }
  return moved;
}

/** Adds a step to a particle's position unless it is firm; notes and returns whether that changed anything. */
// @ts-ignore: decorator
@inline function move(i: u32, xi: v128, by: v128): u32 {
  const flags = S.flags() + (i << 2);
  const flag = load<u32>(flags);
  const to = f32x4.add(xi, xyz(by));
  if (flag & S.FLAG_FIRM || !v128.any_true(f32x4.ne(to, xi))) return 0;
  store<u32>(flags, flag | S.FLAG_MOVED);
  v128.store(S.x() + (i << 4), to);
  return 1;
}
