import * as S from './layout.generated';
import { lengthSquared, towardsGoal } from './integrate';
import { yzx } from './match';

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
    const last = load<u32>(memberStart + (c << 2) + 4);
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

export function limitParticles(start: u32, end: u32, omega: f32, conserving: bool): u32 {
  const x = S.x(), xOld = S.xOld(), flags = S.flags(), limits = S.limit();
  const linkStart = S.linkStart(), linkCluster = S.linkCluster(), link = S.link(), transform = S.transform();
  const correction = S.correction(), oldCentre = S.oldCentre();
  let moved: u32 = 0;
  let k = load<u32>(linkStart + (start << 2));
  for (let i = start; i < end; i++) {
    const last = load<u32>(linkStart + (i << 2) + 4);
    if (load<u32>(flags + (i << 2)) & S.FLAG_FIRM) { k = last; continue; }
    const o = i << 4;
    const xi = v128.load(x + o);
    let sum = f32x4.splat(0);
    let asked = false;
    const first = k;
    for (; k < last; k++) {
      const c = load<u32>(linkCluster + (k << 2));
      const q = link + (k << 4);
      const d = towardsGoal(transform + 80 * c, q, xi);
      const limit = load<f32>(limits + (c << 2));
      const square = lengthSquared(d);
      if (square > limit * limit) {
        asked = true;
        sum = f32x4.add(sum, f32x4.mul(d, f32x4.splat(load<f32>(q, 12) * (1 - limit / sqrt(square)))));
      }
    }
    if (asked) moved++;
    if (conserving) {
      const old = v128.load(xOld + o);
      for (k = first; k < last; k++) {
        const c = load<u32>(linkCluster + (k << 2));
        const w = v128.load(correction + (c << 5), 16);
        const r = f32x4.sub(old, v128.load(oldCentre + (c << 4)));
        const net = f32x4.add(v128.load(correction + (c << 5)), yzx(f32x4.sub(f32x4.mul(w, yzx(r)), f32x4.mul(yzx(w), r))));
        sum = f32x4.sub(sum, f32x4.mul(net, v128.load32_splat(link + (k << 4), 12)));
      }
    } else if (!asked) continue;
    const next = f32x4.add(xi, f32x4.mul(sum, f32x4.splat(omega)));
    v128.store(x + o, f32x4.replace_lane(next, 3, f32x4.extract_lane(xi, 3)));
  }
  return moved;
}
