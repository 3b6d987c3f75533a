import * as S from './layout.generated';

/** Scratch (src/kernels/wasm/scratchMap.ts): results of the sums. */
const SUMS: usize = S.AT_DAMP_SUMS;

/** Where the first member of a cluster is. */
// @ts-ignore: decorator
@inline function firstOf(c: u32): usize {
  const member = load<u32>(S.memberStart() + (c << S.SHIFT_memberStart));
  return S.x() + (load<u32>(S.memberParticle() + (member << S.SHIFT_memberParticle)) << S.SHIFT_x);
}

/** Bit for bit as src/kernels/ts/calm.ts, in its order. */
export function sumFirsts(start: u32, end: u32, restX: f64, restY: f64, restZ: f64): void {
  let mx: f64 = 0, my: f64 = 0, mz: f64 = 0, b0: f64 = 0, b1: f64 = 0, b2: f64 = 0, b3: f64 = 0, b4: f64 = 0, b5: f64 = 0, b6: f64 = 0, b7: f64 = 0, b8: f64 = 0;
  for (let c = start; c < end; c++) {
    const at = firstOf(c), rest = S.firstMemberRest() + (c << S.SHIFT_firstMemberRest);
    const x = <f64>load<f32>(at), y = <f64>load<f32>(at, 4), z = <f64>load<f32>(at, 8);
    const dx = <f64>load<f32>(rest) - restX, dy = <f64>load<f32>(rest, 4) - restY, dz = <f64>load<f32>(rest, 8) - restZ;
    mx += x; my += y; mz += z;
    b0 += x * dx; b1 += y * dx; b2 += z * dx;
    b3 += x * dy; b4 += y * dy; b5 += z * dy;
    b6 += x * dz; b7 += y * dz; b8 += z * dz;
  }
  store<f64>(SUMS, mx); store<f64>(SUMS + 8, my); store<f64>(SUMS + 16, mz);
  store<f64>(SUMS + 24, b0); store<f64>(SUMS + 32, b1); store<f64>(SUMS + 40, b2);
  store<f64>(SUMS + 48, b3); store<f64>(SUMS + 56, b4); store<f64>(SUMS + 64, b5);
  store<f64>(SUMS + 72, b6); store<f64>(SUMS + 80, b7); store<f64>(SUMS + 88, b8);
}

export function areFirstsNear(
  start: u32, end: u32, restX: f64, restY: f64, restZ: f64, mx: f64, my: f64, mz: f64,
  a0: f64, a1: f64, a2: f64, a3: f64, a4: f64, a5: f64, a6: f64, a7: f64, a8: f64, farthest: f64,
): bool {
  for (let c = start; c < end; c++) {
    const at = firstOf(c), rest = S.firstMemberRest() + (c << S.SHIFT_firstMemberRest);
    const dx = <f64>load<f32>(rest) - restX, dy = <f64>load<f32>(rest, 4) - restY, dz = <f64>load<f32>(rest, 8) - restZ;
    const x = <f64>load<f32>(at) - mx - a0 * dx - a3 * dy - a6 * dz;
    const y = <f64>load<f32>(at, 4) - my - a1 * dx - a4 * dy - a7 * dz;
    const z = <f64>load<f32>(at, 8) - mz - a2 * dx - a5 * dy - a8 * dz;
    if (!(x * x + y * y + z * z <= farthest)) return false;
  }
  return true;
}
