import * as S from './layout.generated';
import { reachAlong } from './reach';

/** Scratch (src/kernels/wasm/scratchMap.ts): the sums of impulses. */
const SUMS: usize = S.AT_PLANE_SUMS;

/** `reach` of meetPlane. */
const GIVEN: u32 = 1;
const DIRECTED: u32 = 2;

/** src/kernels/ts/meetPlane.ts, bit for bit. */
export function meetPlane(
  start: u32, end: u32, nx: f64, ny: f64, nz: f64, offset: f64, far: f64, reach: u32, px: f64, py: f64, pz: f64, friction: f64, restitution: f64, restThreshold: f64, h: f64,
): u32 {
  const x = S.x(), v = S.v(), flags = S.flags(), given = S.reach();
  let pressedX: f64 = 0, pressedY: f64 = 0, pressedZ: f64 = 0, takenX: f64 = 0, takenY: f64 = 0, takenZ: f64 = 0, turnedX: f64 = 0, turnedY: f64 = 0, turnedZ: f64 = 0;
  let count: u32 = 0;
  for (let i = start; i < end; i++) {
    const at = x + (i << S.SHIFT_x);
    let depth = offset - (<f64>load<f32>(at) * nx + <f64>load<f32>(at, 4) * ny + <f64>load<f32>(at, 8) * nz);
    if (!(depth + far > 0)) continue;
    const flag = load<u32>(flags + (i << S.SHIFT_flags));
    if (reach == DIRECTED && !(flag & S.FLAG_INNER)) depth += reachAlong(i, nx, ny, nz, far);
    else if (reach >= GIVEN) depth += <f64>load<f32>(given + (i << S.SHIFT_reach));
    if (!(depth > 0) || flag & S.FLAG_HELD) continue;
    count++;
    let xx = <f32>(<f64>load<f32>(at) + depth * nx), xy = <f32>(<f64>load<f32>(at, 4) + depth * ny), xz = <f32>(<f64>load<f32>(at, 8) + depth * nz);
    const to = v + (i << S.SHIFT_v);
    const bx = <f64>load<f32>(to), by = <f64>load<f32>(to, 4), bz = <f64>load<f32>(to, 8);
    const approach = -(bx * nx + by * ny + bz * nz);
    if (!(approach <= 0)) {
      const m = <f64>load<f32>(at, S.X_MASS);
      const bounce: f64 = approach > restThreshold ? restitution * approach : 0;
      const impulse = m * (approach + bounce);
      pressedX += impulse * nx; pressedY += impulse * ny; pressedZ += impulse * nz;
      const ux = bx + approach * nx, uy = by + approach * ny, uz = bz + approach * nz;
      const sliding = sqrt(ux * ux + uy * uy + uz * uz);
      const stopping = friction * (approach + bounce);
      const keep: f64 = sliding > stopping ? 1.0 - stopping / sliding : 0;
      const back = 1.0 - keep;
      xx = <f32>(<f64>xx - h * back * ux); xy = <f32>(<f64>xy - h * back * uy); xz = <f32>(<f64>xz - h * back * uz);
      const vx = <f32>(keep * ux + bounce * nx), vy = <f32>(keep * uy + bounce * ny), vz = <f32>(keep * uz + bounce * nz);
      store<f32>(to, vx); store<f32>(to, vy, 4); store<f32>(to, vz, 8);
      const jx = m * (bx - <f64>vx), jy = m * (by - <f64>vy), jz = m * (bz - <f64>vz);
      const rx = <f64>xx - px, ry = <f64>xy - py, rz = <f64>xz - pz;
      takenX += jx; takenY += jy; takenZ += jz;
      turnedX += ry * jz - rz * jy; turnedY += rz * jx - rx * jz; turnedZ += rx * jy - ry * jx;
    }
    store<f32>(at, xx); store<f32>(at, xy, 4); store<f32>(at, xz, 8);
  }
  store<f64>(SUMS, pressedX); store<f64>(SUMS + 8, pressedY); store<f64>(SUMS + 16, pressedZ);
  store<f64>(SUMS + 24, takenX); store<f64>(SUMS + 32, takenY); store<f64>(SUMS + 40, takenZ);
  store<f64>(SUMS + 48, turnedX); store<f64>(SUMS + 56, turnedY); store<f64>(SUMS + 64, turnedZ);
  return count;
}
