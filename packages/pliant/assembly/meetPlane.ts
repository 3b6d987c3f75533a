import * as S from './layout.generated';
import { reachAlong } from './reach';
import { endOfRun, sumsOfRun } from './velocity';

/** Scratch (src/kernels/wasm/scratchMap.ts): the sums of impulses. */
const SUMS: usize = S.AT_PLANE_SUMS;

/** `reach` of meetPlane. */
const GIVEN: u32 = 1;
const DIRECTED: u32 = 2;

/** More than the rounding of a height above the plane in f32, as a share of its terms. */
const SLACK: f64 = 1e-6;

/** Whether four particles surely are too far before the plane to meet it. Most particles are, in most steps. */
// @ts-ignore: decorator
@inline function areBefore(at: usize, nx: v128, ny: v128, nz: v128, bound: v128): bool {
  const a = v128.load(at), b = v128.load(at, S.STRIDE_x), c = v128.load(at, 2 * S.STRIDE_x), d = v128.load(at, 3 * S.STRIDE_x);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5), cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const x = f32x4.mul(v128.shuffle<f64>(ab, cd, 0, 2), nx), y = f32x4.mul(v128.shuffle<f64>(ab, cd, 1, 3), ny);
  const z = f32x4.mul(v128.shuffle<f64>(v128.shuffle<f32>(a, b, 2, 6, 2, 6), v128.shuffle<f32>(c, d, 2, 6, 2, 6), 0, 2), nz);
  const rounding = f32x4.mul(f32x4.add(f32x4.abs(x), f32x4.add(f32x4.abs(y), f32x4.abs(z))), f32x4.splat(<f32>SLACK));
  // False where one is NaN.
  return i32x4.all_true(f32x4.gt(f32x4.sub(f32x4.add(f32x4.add(x, y), z), rounding), bound));
}

/** src/kernels/ts/meetPlane.ts, bit for bit, of whole runs. `given` is the address of numbers of the plane in the order of planeInto in src/kernels/wasm/scratchMap.ts. The sums are left by run, or in SUMS if the body is one (`runs` is false): it may have less room. */
export function meetPlane(start: u32, end: u32, reach: u32, given: usize, runs: bool): u32 {
  let count: u32 = 0;
  for (let i = start, stop = start; i < end; i = stop) {
    stop = endOfRun(i, end);
    count += meetRun(i, stop, reach, given, runs ? sumsOfRun(i) : SUMS);
  }
  return count;
}

/** Adds up what meetPlane left of the runs of a body. */
export function addPlaneSums(start: u32, end: u32): void {
  memory.fill(SUMS, 0, 72);
  for (let i = start; i < end; i = endOfRun(i, end))
    for (let o: usize = 0; o < 72; o += 8) store<f64>(SUMS + o, load<f64>(SUMS + o) + load<f64>(sumsOfRun(i) + o));
}

function meetRun(start: u32, end: u32, reach: u32, numbers: usize, to: usize): u32 {
  const nx = load<f64>(numbers), ny = load<f64>(numbers + 8), nz = load<f64>(numbers + 16), offset = load<f64>(numbers + 24), far = load<f64>(numbers + 32);
  const px = load<f64>(numbers + 40), py = load<f64>(numbers + 48), pz = load<f64>(numbers + 56), half = load<f64>(numbers + 64), reached = load<f64>(numbers + 72);
  const tau = load<f64>(numbers + 80), friction = load<f64>(numbers + 88), restitution = load<f64>(numbers + 96), restThreshold = load<f64>(numbers + 104), h = load<f64>(numbers + 112);
  const x = S.x(), v = S.v(), flags = S.flags(), given = S.reach(), modulus = S.modulus();
  let pressedX: f64 = 0, pressedY: f64 = 0, pressedZ: f64 = 0, takenX: f64 = 0, takenY: f64 = 0, takenZ: f64 = 0, turnedX: f64 = 0, turnedY: f64 = 0, turnedZ: f64 = 0;
  let count: u32 = 0;
  const reaches = offset + far, bound = f32x4.splat(<f32>(reaches + SLACK * abs(reaches)));
  const nx4 = f32x4.splat(<f32>nx), ny4 = f32x4.splat(<f32>ny), nz4 = f32x4.splat(<f32>nz);
  let tested = start;
  for (let i = start; i < end; i++) {
    if (i >= tested) {
      while (i + 4 <= end && areBefore(x + (i << S.SHIFT_x), nx4, ny4, nz4, bound)) i += 4;
      if (i >= end) break;
      tested = i + 4;
    }
    const at = x + (i << S.SHIFT_x);
    let depth = offset - (<f64>load<f32>(at) * nx + <f64>load<f32>(at, 4) * ny + <f64>load<f32>(at, 8) * nz);
    if (!(depth + far > 0)) continue;
    const flag = load<u32>(flags + (i << S.SHIFT_flags));
    let beyond: f64 = 0;
    if (reach == DIRECTED && !(flag & S.FLAG_INNER)) beyond = reachAlong(i, nx, ny, nz, far);
    else if (reach >= GIVEN) beyond = <f64>load<f32>(given + (i << S.SHIFT_reach));
    depth += beyond;
    if (!(depth > 0) || flag & S.FLAG_HELD) continue;
    count++;
    const u = v + (i << S.SHIFT_v);
    const bx = <f64>load<f32>(u), by = <f64>load<f32>(u, 4), bz = <f64>load<f32>(u, 8);
    const approach = -(bx * nx + by * ny + bz * nz);
    const bounce: f64 = approach > restThreshold ? restitution * approach : 0;
    let way = depth, away = bounce;
    if (half > 0 && beyond > 0 && bounce == 0) {
      // src/kernels/ts/pressLayer.ts
      const most = S.LAYER_PRESSED * beyond;
      const ratio = (<f64>load<f32>(modulus + (i << S.SHIFT_modulus)) * reached * h * h) / (beyond * (half + beyond));
      const moved = min(depth, most + h * max(0, approach));
      const share = moved < h * approach ? moved / (h * approach) : 1;
      const slowed = (approach * (1 + ratio) - (ratio * moved) / h) / (1 + ratio + (ratio * share * tau) / h);
      const left = max(0, moved - h * max(0, approach - slowed));
      if (left < most) {
        way = depth - left;
        away = (moved - left) / h - approach;
      } else {
        way = depth - most;
        away = max((ratio * most) / h - approach, 0);
      }
    }
    let xx = <f32>(<f64>load<f32>(at) + way * nx), xy = <f32>(<f64>load<f32>(at, 4) + way * ny), xz = <f32>(<f64>load<f32>(at, 8) + way * nz);
    if (approach + away > 0) {
      const m = <f64>load<f32>(at, S.X_MASS);
      const impulse = m * (approach + away);
      pressedX += impulse * nx; pressedY += impulse * ny; pressedZ += impulse * nz;
      const ux = bx + approach * nx, uy = by + approach * ny, uz = bz + approach * nz;
      const sliding = sqrt(ux * ux + uy * uy + uz * uz);
      const stopping = friction * (approach + away);
      const keep: f64 = sliding > stopping ? 1.0 - stopping / sliding : 0;
      const back = 1.0 - keep;
      xx = <f32>(<f64>xx - h * back * ux); xy = <f32>(<f64>xy - h * back * uy); xz = <f32>(<f64>xz - h * back * uz);
      const vx = <f32>(keep * ux + away * nx), vy = <f32>(keep * uy + away * ny), vz = <f32>(keep * uz + away * nz);
      store<f32>(u, vx); store<f32>(u, vy, 4); store<f32>(u, vz, 8);
      const jx = m * (bx - <f64>vx), jy = m * (by - <f64>vy), jz = m * (bz - <f64>vz);
      const rx = <f64>xx - px, ry = <f64>xy - py, rz = <f64>xz - pz;
      takenX += jx; takenY += jy; takenZ += jz;
      turnedX += ry * jz - rz * jy; turnedY += rz * jx - rx * jz; turnedZ += rx * jy - ry * jx;
    }
    store<f32>(at, xx); store<f32>(at, xy, 4); store<f32>(at, xz, 8);
  }
  store<f64>(to, pressedX); store<f64>(to + 8, pressedY); store<f64>(to + 16, pressedZ);
  store<f64>(to + 24, takenX); store<f64>(to + 32, takenY); store<f64>(to + 40, takenZ);
  store<f64>(to + 48, turnedX); store<f64>(to + 56, turnedY); store<f64>(to + 64, turnedZ);
  return count;
}
