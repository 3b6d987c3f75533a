import * as S from './layout.generated';
import { high, low } from './match';

/** Bit for bit as src/kernels/ts/strays.ts, in its order. */
export function hasStray(start: u32, end: u32, every: u32, times2: f64, least2: f64): bool {
  const x = S.x(), member = S.member(), index = S.memberParticle(), memberStart = S.memberStart();
  const near = times2 * least2;
  for (let c = start; c < end; c += every) {
    if (load<f32>(S.fade() + (c << S.SHIFT_fade)) < 1) continue;
    const first = load<u32>(memberStart + (c << S.SHIFT_memberStart)), last = load<u32>(memberStart + (c << S.SHIFT_memberStart), S.STRIDE_memberStart);
    let xy = f64x2.splat(0), zw = f64x2.splat(0);
    for (let k = first; k < last; k++) {
      const at = v128.load(x + (load<u32>(index + (k << S.SHIFT_memberParticle)) << S.SHIFT_x));
      const mw = f64x2.splat(<f64>load<f32>(member + (k << S.SHIFT_member), S.MEMBER_MASS));
      xy = f64x2.add(xy, f64x2.mul(mw, low(at)));
      zw = f64x2.add(zw, f64x2.mul(mw, high(at)));
    }
    const mass = f64x2.splat(load<f64>(S.clusterMass() + (c << S.SHIFT_clusterMass)));
    xy = f64x2.div(xy, mass);
    zw = f64x2.div(zw, mass);
    for (let k = first; k < last; k++) {
      const i = load<u32>(index + (k << S.SHIFT_memberParticle));
      const at = v128.load(x + (i << S.SHIFT_x));
      const d2 = square(f64x2.sub(low(at), xy), f64x2.sub(high(at), zw));
      if (d2 <= near) continue;
      const p = v128.load(member + (k << S.SHIFT_member));
      if (d2 > times2 * max(square(low(p), high(p)), least2) && isShared(i)) return true;
    }
  }
  return false;
}

/** The square of x y z; the fourth number does not count. */
// @ts-ignore: decorator
@inline function square(xy: v128, zw: v128): f64 {
  const a = f64x2.mul(xy, xy);
  const z = f64x2.extract_lane(zw, 0);
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1) + z * z;
}

// @ts-ignore: decorator
@inline function isShared(i: u32): bool {
  const links = S.linkStart() + (load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
  return load<u32>(links, S.STRIDE_linkStart) - load<u32>(links) > 1;
}
