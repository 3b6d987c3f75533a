import * as S from './layout.generated';
import { low, narrow } from './match';

// src/kernels/ts/selfContacts.ts explains the method; every sum is taken in its order, so that both give the same bits. x and y are two lanes, z is by itself.

// Scratch (src/kernels/wasm/scratchMap.ts): the relative velocity, then the change of the friction impulse.
const REL: usize = S.AT_SELF_REL;
const SLIP: usize = S.AT_SELF_SLIP;
/** Bytes of w and r of a particle of the patch, in a row, and from w to r. */
const PATCH_STEP: usize = 32;
const ARM_X: usize = 8;
const ARM_Y: usize = 16;
const ARM_Z: usize = 24;
const PATCH_END: usize = S.SELF_ROW_PATCH + PATCH_STEP * S.PATCH;

// @ts-ignore: decorator
@inline function pair(x: f64, y: f64): v128 { return f64x2.replace_lane(f64x2.splat(x), 1, y); }
// @ts-ignore: decorator
@inline function first(v: v128): f64 { return f64x2.extract_lane(v, 0); }
// @ts-ignore: decorator
@inline function second(v: v128): f64 { return f64x2.extract_lane(v, 1); }

export function listSelf(changes: usize, from: u32, to: u32): u32 {
  let count: u32 = 0;
  for (let k = from; k < to; k++) {
    count = list(changes, count, load<u32>(S.touching() + (k << S.SHIFT_touching)));
    const patch = S.patch() + S.STRIDE_patch * k;
    for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) count = list(changes, count, load<u32>(patch + n));
  }
  return count;
}

// @ts-ignore: decorator
@inline function list(changes: usize, count: u32, i: u32): u32 {
  const listed = S.listedFor() + (i << S.SHIFT_listedFor);
  if (load<u32>(listed) != 0) return count;
  const at = changes + S.SELF_CHANGE_LENGTH * count;
  const v = S.v() + (i << S.SHIFT_v);
  const fixed = load<u32>(S.flags() + (i << S.SHIFT_flags)) & (S.FLAG_HELD | S.FLAG_ASLEEP);
  const perMass: f64 = fixed ? 0 : 1 / <f64>load<f32>(S.x() + (i << S.SHIFT_x), S.X_MASS);
  v128.store(at, f64x2.splat(0));
  store<f64>(at, 0, S.SELF_CHANGE_CHANGE + S.VECTOR_Z);
  store<f64>(at, perMass, S.SELF_CHANGE_INVERSE_MASS);
  v128.store(at, low(v128.load(v)), S.SELF_CHANGE_VELOCITY);
  v128.store(at, pair(<f64>load<f32>(v, 8), 0), S.SELF_CHANGE_VELOCITY + S.VECTOR_Z);
  v128.store(at, f64x2.splat(0), S.SELF_CHANGE_KEPT);
  v128.store(at, f64x2.splat(0), S.SELF_CHANGE_KEPT + S.VECTOR_Z);
  store<u32>(S.moved() + (count << S.SHIFT_moved), i);
  store<u32>(listed, count + 1);
  return count + 1;
}

// @ts-ignore: decorator
@inline function slotOf(i: u32): u32 {
  return <u32>S.SELF_CHANGE_LENGTH * (load<u32>(S.listedFor() + (i << S.SHIFT_listedFor)) - 1);
}

export function describeSelf(rows: usize, changes: usize, from: u32, to: u32, h: f64, slow: f64, friction: f64, restitution: f64): u32 {
  let o = rows;
  for (let k = from; k < to; k++) {
    const i = load<u32>(S.touching() + (k << S.SHIFT_touching));
    const patch = S.patch() + S.STRIDE_patch * k, weights = S.contactRow() + S.STRIDE_contactRow * k + S.CONTACT_ROW_WEIGHT;
    const touch = S.touch() + (i << S.SHIFT_touch);
    memory.fill(o, 0, S.SELF_ROW_LENGTH);
    v128.store(o, low(v128.load(touch)), S.SELF_ROW_NORMAL);
    store<f64>(o, <f64>load<f32>(touch, 8), S.SELF_ROW_NORMAL + S.VECTOR_Z);
    store<u32>(o, slotOf(i), S.SELF_ROW_SLOT);
    for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
      store<f64>(o + S.SELF_ROW_PATCH + 8 * n, <f64>load<f32>(weights + n));
      store<u32>(o + S.SELF_ROW_SLOT + 4 + n, slotOf(load<u32>(patch + n)));
    }
    layPlate(o, i, patch);
    const rubs: f64 = load<f64>(o, S.SELF_ROW_TURN) > 0 ? friction : 0;
    store<f64>(o, rubs, S.SELF_ROW_FRICTION);
    if (rubs > 0) findMobility(o, changes);
    else layLevers(o, changes);
    if (setGoal(o, i, patch, h, slow, restitution)) o += S.SELF_ROW_LENGTH;
  }
  return <u32>((o - rows) / S.SELF_ROW_LENGTH);
}

function layPlate(o: usize, i: u32, patch: usize): void {
  const x = S.x();
  let cxy = f64x2.splat(0), cz: f64 = 0, weight: f64 = 0;
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const at = o + S.SELF_ROW_PATCH + 8 * n;
    const w = load<f64>(at);
    const from = v128.load(x + (load<u32>(patch + n) << S.SHIFT_x));
    const xy = low(from), z = <f64>f32x4.extract_lane(from, 2);
    v128.store(at, xy, ARM_X);
    store<f64>(at, z, ARM_Z);
    cxy = f64x2.add(cxy, f64x2.mul(f64x2.splat(w), xy));
    cz += w * z;
    weight += w;
  }
  cxy = f64x2.div(cxy, f64x2.splat(weight));
  cz /= weight;
  let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP) {
    const w = load<f64>(at) / weight;
    store<f64>(at, w);
    const rxy = f64x2.sub(v128.load(at, ARM_X), cxy), rz = load<f64>(at, ARM_Z) - cz;
    v128.store(at, rxy, ARM_X);
    store<f64>(at, rz, ARM_Z);
    const rx = first(rxy), ry = second(rxy);
    xx += w * (ry * ry + rz * rz);
    yy += w * (rx * rx + rz * rz);
    zz += w * (rx * rx + ry * ry);
    xy -= w * rx * ry;
    xz -= w * rx * rz;
    yz -= w * ry * rz;
  }
  const at = v128.load(x + (i << S.SHIFT_x));
  v128.store(o, f64x2.sub(low(at), cxy), S.SELF_ROW_OFFSET);
  store<f64>(o, <f64>f32x4.extract_lane(at, 2) - cz, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
  const det = xx * a + xy * b + xz * c;
  const trace = xx + yy + zz;
  if (!(det > S.SELF_LINE * trace * trace * trace)) {
    pushAlongOffset(o);
    return;
  }
  store<f64>(o, a / det, S.SELF_ROW_TURN + S.SYMMETRIC_XX);
  store<f64>(o, (xx * zz - xz * xz) / det, S.SELF_ROW_TURN + S.SYMMETRIC_YY);
  store<f64>(o, (xx * yy - xy * xy) / det, S.SELF_ROW_TURN + S.SYMMETRIC_ZZ);
  store<f64>(o, b / det, S.SELF_ROW_TURN + S.SYMMETRIC_XY);
  store<f64>(o, c / det, S.SELF_ROW_TURN + S.SYMMETRIC_XZ);
  store<f64>(o, (xy * xz - xx * yz) / det, S.SELF_ROW_TURN + S.SYMMETRIC_YZ);
}

function pushAlongOffset(o: usize): void {
  const x = load<f64>(o, S.SELF_ROW_OFFSET), y = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Y), z = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const n = o + S.SELF_ROW_NORMAL;
  const along = x * load<f64>(n) + y * load<f64>(n, S.VECTOR_Y) + z * load<f64>(n, S.VECTOR_Z);
  const length = sqrt(x * x + y * y + z * z);
  const scale: f64 = length > 0 ? (along < 0 ? <f64>-1 : <f64>1) / length : 0;
  store<f64>(n, scale * x);
  store<f64>(n, scale * y, S.VECTOR_Y);
  store<f64>(n, scale * z, S.VECTOR_Z);
}

function findMobility(o: usize, changes: usize): void {
  const t = o + S.SELF_ROW_TURN, slots = o + S.SELF_ROW_SLOT;
  const dx = load<f64>(o, S.SELF_ROW_OFFSET), dy = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Y), dz = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const txx = load<f64>(t, S.SYMMETRIC_XX), tyy = load<f64>(t, S.SYMMETRIC_YY), tzz = load<f64>(t, S.SYMMETRIC_ZZ);
  const txy = load<f64>(t, S.SYMMETRIC_XY), txz = load<f64>(t, S.SYMMETRIC_XZ), tyz = load<f64>(t, S.SYMMETRIC_YZ);
  // θ of unit impulses along x, y and z: T⁻¹ (0, dz, −dy), T⁻¹ (−dz, 0, dx), T⁻¹ (dy, −dx, 0). The zeros of the plain form change no bit but the sign of a zero.
  const ax = txy * dz + txz * -dy, ay = tyy * dz + tyz * -dy, az = tyz * dz + tzz * -dy;
  const bx = txx * -dz + txz * dx, by = txy * -dz + tyz * dx, bz = txz * -dz + tzz * dx;
  const cx = txx * dy + txy * -dx, cy = txy * dy + tyy * -dx, cz = txz * dy + tyz * -dx;
  let xx = load<f64>(changes + load<u32>(slots), S.SELF_CHANGE_INVERSE_MASS), yy = xx, zz = xx;
  let xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const at = o + S.SELF_ROW_PATCH + 8 * n;
    const w = load<f64>(at);
    const perMass = w * w * load<f64>(changes + load<u32>(slots + 4 + n), S.SELF_CHANGE_INVERSE_MASS);
    const rx = load<f64>(at, ARM_X), ry = load<f64>(at, ARM_Y), rz = load<f64>(at, ARM_Z);
    const ux = ay * rz - az * ry + 1, uy = az * rx - ax * rz, uz = ax * ry - ay * rx;
    const vx = by * rz - bz * ry, vy = bz * rx - bx * rz + 1, vz = bx * ry - by * rx;
    const qx = cy * rz - cz * ry, qy = cz * rx - cx * rz, qz = cx * ry - cy * rx + 1;
    xx += perMass * (ux * ux + uy * uy + uz * uz);
    yy += perMass * (vx * vx + vy * vy + vz * vz);
    zz += perMass * (qx * qx + qy * qy + qz * qz);
    xy += perMass * (ux * vx + uy * vy + uz * vz);
    xz += perMass * (ux * qx + uy * qy + uz * qz);
    yz += perMass * (vx * qx + vy * qy + vz * qz);
  }
  const m = o + S.SELF_ROW_MOBILITY;
  store<f64>(m, xx, S.SYMMETRIC_XX);
  store<f64>(m, yy, S.SYMMETRIC_YY);
  store<f64>(m, zz, S.SYMMETRIC_ZZ);
  store<f64>(m, xy, S.SYMMETRIC_XY);
  store<f64>(m, xz, S.SYMMETRIC_XZ);
  store<f64>(m, yz, S.SYMMETRIC_YZ);
  const n = o + S.SELF_ROW_NORMAL;
  store<f64>(o, mobilityAlong(m, load<f64>(n), load<f64>(n, S.VECTOR_Y), load<f64>(n, S.VECTOR_Z)), S.SELF_ROW_ALONG);
}

/** Replaces arms by levers; src/kernels/ts/selfContacts.ts explains them. */
function layLevers(o: usize, changes: usize): void {
  const t = o + S.SELF_ROW_TURN, slots = o + S.SELF_ROW_SLOT, n = o + S.SELF_ROW_NORMAL;
  const nx = load<f64>(n), ny = load<f64>(n, S.VECTOR_Y), nz = load<f64>(n, S.VECTOR_Z);
  const dx = load<f64>(o, S.SELF_ROW_OFFSET), dy = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Y), dz = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const x = dy * nz - dz * ny, y = dz * nx - dx * nz, z = dx * ny - dy * nx;
  const txy = load<f64>(t, S.SYMMETRIC_XY), txz = load<f64>(t, S.SYMMETRIC_XZ), tyz = load<f64>(t, S.SYMMETRIC_YZ);
  const tx = load<f64>(t, S.SYMMETRIC_XX) * x + txy * y + txz * z;
  const ty = txy * x + load<f64>(t, S.SYMMETRIC_YY) * y + tyz * z;
  const tz = txz * x + tyz * y + load<f64>(t, S.SYMMETRIC_ZZ) * z;
  let along = load<f64>(changes + load<u32>(slots), S.SELF_CHANGE_INVERSE_MASS) * (nx * nx + ny * ny + nz * nz);
  let slot = slots + 4;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP, slot += 4) {
    const w = load<f64>(at);
    const rx = load<f64>(at, ARM_X), ry = load<f64>(at, ARM_Y), rz = load<f64>(at, ARM_Z);
    const gx = w * (nx + (ty * rz - tz * ry)), gy = w * (ny + (tz * rx - tx * rz)), gz = w * (nz + (tx * ry - ty * rx));
    store<f64>(at, gx, ARM_X);
    store<f64>(at, gy, ARM_Y);
    store<f64>(at, gz, ARM_Z);
    along += load<f64>(changes + load<u32>(slot), S.SELF_CHANGE_INVERSE_MASS) * (gx * gx + gy * gy + gz * gz);
  }
  store<f64>(o, along, S.SELF_ROW_ALONG);
}

// @ts-ignore: decorator
@inline function mobilityAlong(m: usize, x: f64, y: f64, z: f64): f64 {
  return (
    load<f64>(m, S.SYMMETRIC_XX) * x * x +
    load<f64>(m, S.SYMMETRIC_YY) * y * y +
    load<f64>(m, S.SYMMETRIC_ZZ) * z * z +
    2 * (load<f64>(m, S.SYMMETRIC_XY) * x * y + load<f64>(m, S.SYMMETRIC_XZ) * x * z + load<f64>(m, S.SYMMETRIC_YZ) * y * z)
  );
}

function setGoal(o: usize, i: u32, patch: usize, h: f64, slow: f64, restitution: f64): bool {
  const rubs = load<f64>(o, S.SELF_ROW_FRICTION) > 0;
  const now = rubs ? partingOf(S.v(), o, i, patch) : partingAlong(S.v(), o, i, patch);
  const before = rubs ? partingOf(S.vOld(), o, i, patch) : partingAlong(S.vOld(), o, i, patch);
  const out = now + <f64>load<f32>(S.touch() + (i << S.SHIFT_touch), S.TOUCH_DEPTH) / h;
  let goal = min(out, <f64>0);
  if (before < -slow) goal = max(goal, -restitution * before);
  const c = load<u32>(S.touchCluster() + (i << S.SHIFT_touchCluster));
  const fade = <f64>load<f32>(S.fade() + (c << S.SHIFT_fade));
  store<f64>(o, now + fade * fade * (3 - 2 * fade) * (goal - now), S.SELF_ROW_GOAL);
  store<f64>(o, out, S.SELF_ROW_EXIT_SPEED);
  return load<f64>(o, S.SELF_ROW_ALONG) > 0;
}

/** Separating speed by velocities of the state. */
function partingOf(v: usize, o: usize, i: u32, patch: usize): f64 {
  const own = v128.load(v + (i << S.SHIFT_v));
  let xy = low(own), z = <f64>f32x4.extract_lane(own, 2);
  let lxy = f64x2.splat(0), lz: f64 = 0;
  for (let n: usize = 0; n < S.BYTES_PATCH; n += 4) {
    const at = o + S.SELF_ROW_PATCH + 8 * n;
    const u = v128.load(v + (load<u32>(patch + n) << S.SHIFT_v));
    const w = load<f64>(at);
    const uxy = f64x2.mul(f64x2.splat(w), low(u)), uz = w * <f64>f32x4.extract_lane(u, 2);
    xy = f64x2.sub(xy, uxy);
    z -= uz;
    lxy = f64x2.add(lxy, crossXy(at, uxy, uz));
    lz += crossZ(at, uxy);
  }
  return relative(o, xy, z, lxy, lz);
}

/** The same of a row without friction, by its levers. */
function partingAlong(v: usize, o: usize, i: u32, patch: usize): f64 {
  const own = v128.load(v + (i << S.SHIFT_v)), n = o + S.SELF_ROW_NORMAL;
  let xy = f64x2.mul(v128.load(n), low(own)), z = load<f64>(n, S.VECTOR_Z) * <f64>f32x4.extract_lane(own, 2);
  for (let k: usize = 0; k < S.BYTES_PATCH; k += 4) {
    const at = o + S.SELF_ROW_PATCH + 8 * k;
    const u = v128.load(v + (load<u32>(patch + k) << S.SHIFT_v));
    xy = f64x2.sub(xy, f64x2.mul(v128.load(at, ARM_X), low(u)));
    z -= load<f64>(at, ARM_Z) * <f64>f32x4.extract_lane(u, 2);
  }
  return first(xy) + second(xy) + z;
}

/** x and y of r × u, r being an arm of the patch. */
// @ts-ignore: decorator
@inline function crossXy(at: usize, uxy: v128, uz: f64): v128 {
  const z = f64x2.splat(uz);
  const ryz = v128.load(at, ARM_Y), rxy = v128.load(at, ARM_X);
  return f64x2.sub(
    f64x2.mul(ryz, v128.shuffle<f64>(z, uxy, 0, 2)),
    f64x2.mul(v128.shuffle<f64>(ryz, rxy, 1, 2), v128.shuffle<f64>(uxy, z, 1, 2)),
  );
}

// @ts-ignore: decorator
@inline function crossZ(at: usize, uxy: v128): f64 {
  return load<f64>(at, ARM_X) * second(uxy) - load<f64>(at, ARM_Y) * first(uxy);
}

/** Writes the velocity relative to the plate, of which v − Σ w v and Σ w r × v are given, to REL. Returns its component along the normal. */
// @ts-ignore: decorator
@inline function relative(o: usize, xy: v128, z: f64, lxy: v128, lz: f64): f64 {
  const t = o + S.SELF_ROW_TURN;
  const lx = first(lxy), ly = second(lxy);
  const txy = load<f64>(t, S.SYMMETRIC_XY), txz = load<f64>(t, S.SYMMETRIC_XZ), tyz = load<f64>(t, S.SYMMETRIC_YZ);
  const wx = load<f64>(t, S.SYMMETRIC_XX) * lx + txy * ly + txz * lz;
  const wy = txy * lx + load<f64>(t, S.SYMMETRIC_YY) * ly + tyz * lz;
  const wz = txz * lx + tyz * ly + load<f64>(t, S.SYMMETRIC_ZZ) * lz;
  const dx = load<f64>(o, S.SELF_ROW_OFFSET), dy = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Y), dz = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const x = first(xy) - (wy * dz - wz * dy), y = second(xy) - (wz * dx - wx * dz), rz = z - (wx * dy - wy * dx);
  store<f64>(REL, x);
  store<f64>(REL, y, S.VECTOR_Y);
  store<f64>(REL, rz, S.VECTOR_Z);
  const n = o + S.SELF_ROW_NORMAL;
  return x * load<f64>(n) + y * load<f64>(n, S.VECTOR_Y) + rz * load<f64>(n, S.VECTOR_Z);
}

export function sweepSelf(rows: usize, changes: usize, count: u32): u32 {
  const end = rows + S.SELF_ROW_LENGTH * count;
  for (let n: u32 = 1; n <= S.SELF_MOST_SWEEPS; n++) {
    let changed: f64 = 0, total: f64 = 0;
    for (let o = rows; o < end; o += S.SELF_ROW_LENGTH) {
      changed += load<f64>(o, S.SELF_ROW_FRICTION) > 0 ? push(o, changes) : pushAlong(o, changes);
      total += load<f64>(o, S.SELF_ROW_NORMAL_IMPULSE);
    }
    if (changed <= S.SELF_CONVERGED * total) return n;
  }
  return S.SELF_MOST_SWEEPS;
}

function push(o: usize, changes: usize): f64 {
  const own = changes + load<u32>(o, S.SELF_ROW_SLOT);
  let xy = f64x2.add(v128.load(own, S.SELF_CHANGE_VELOCITY), v128.load(own, S.SELF_CHANGE_CHANGE));
  let z = load<f64>(own, S.SELF_CHANGE_VELOCITY + S.VECTOR_Z) + load<f64>(own, S.SELF_CHANGE_CHANGE + S.VECTOR_Z);
  let lxy = f64x2.splat(0), lz: f64 = 0;
  let slot = o + S.SELF_ROW_SLOT + 4;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP, slot += 4) {
    const k = changes + load<u32>(slot);
    const w = load<f64>(at);
    const uxy = f64x2.mul(f64x2.splat(w), f64x2.add(v128.load(k, S.SELF_CHANGE_VELOCITY), v128.load(k, S.SELF_CHANGE_CHANGE)));
    const uz = w * (load<f64>(k, S.SELF_CHANGE_VELOCITY + S.VECTOR_Z) + load<f64>(k, S.SELF_CHANGE_CHANGE + S.VECTOR_Z));
    xy = f64x2.sub(xy, uxy);
    z -= uz;
    lxy = f64x2.add(lxy, crossXy(at, uxy, uz));
    lz += crossZ(at, uxy);
  }
  const parting = relative(o, xy, z, lxy, lz);
  const pressed = load<f64>(o, S.SELF_ROW_NORMAL_IMPULSE);
  const along = max(<f64>0, pressed + (load<f64>(o, S.SELF_ROW_GOAL) - parting) / load<f64>(o, S.SELF_ROW_ALONG));
  const j = along - pressed;
  store<f64>(o, along, S.SELF_ROW_NORMAL_IMPULSE);
  const n = o + S.SELF_ROW_NORMAL;
  let jx = j * load<f64>(n), jy = j * load<f64>(n, S.VECTOR_Y), jz = j * load<f64>(n, S.VECTOR_Z);
  if (along > 0 || j != 0) {
    slide(o, jx, jy, jz, along);
    jx += load<f64>(SLIP);
    jy += load<f64>(SLIP, S.VECTOR_Y);
    jz += load<f64>(SLIP, S.VECTOR_Z);
  }
  if (jx != 0 || jy != 0 || jz != 0) give(o, changes, own, jx, jy, jz);
  return abs(j);
}

/** The same for a row without friction. */
function pushAlong(o: usize, changes: usize): f64 {
  const own = changes + load<u32>(o, S.SELF_ROW_SLOT), n = o + S.SELF_ROW_NORMAL, slots = o + S.SELF_ROW_SLOT + 4;
  let xy = f64x2.mul(v128.load(n), f64x2.add(v128.load(own, S.SELF_CHANGE_VELOCITY), v128.load(own, S.SELF_CHANGE_CHANGE)));
  let z = load<f64>(n, S.VECTOR_Z) * (load<f64>(own, S.SELF_CHANGE_VELOCITY + S.VECTOR_Z) + load<f64>(own, S.SELF_CHANGE_CHANGE + S.VECTOR_Z));
  let slot = slots;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP, slot += 4) {
    const k = changes + load<u32>(slot);
    xy = f64x2.sub(xy, f64x2.mul(v128.load(at, ARM_X), f64x2.add(v128.load(k, S.SELF_CHANGE_VELOCITY), v128.load(k, S.SELF_CHANGE_CHANGE))));
    z -= load<f64>(at, ARM_Z) * (load<f64>(k, S.SELF_CHANGE_VELOCITY + S.VECTOR_Z) + load<f64>(k, S.SELF_CHANGE_CHANGE + S.VECTOR_Z));
  }
  const parting = first(xy) + second(xy) + z;
  const pressed = load<f64>(o, S.SELF_ROW_NORMAL_IMPULSE);
  const along = max(<f64>0, pressed + (load<f64>(o, S.SELF_ROW_GOAL) - parting) / load<f64>(o, S.SELF_ROW_ALONG));
  const j = along - pressed;
  store<f64>(o, along, S.SELF_ROW_NORMAL_IMPULSE);
  if (j == 0) return 0;
  const f = j * load<f64>(own, S.SELF_CHANGE_INVERSE_MASS);
  v128.store(own, f64x2.add(v128.load(own), f64x2.mul(f64x2.splat(f), v128.load(n))));
  store<f64>(own, load<f64>(own, S.VECTOR_Z) + f * load<f64>(n, S.VECTOR_Z), S.VECTOR_Z);
  slot = slots;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP, slot += 4) {
    const k = changes + load<u32>(slot);
    const g = j * load<f64>(k, S.SELF_CHANGE_INVERSE_MASS);
    v128.store(k, f64x2.sub(v128.load(k), f64x2.mul(f64x2.splat(g), v128.load(at, ARM_X))));
    store<f64>(k, load<f64>(k, S.VECTOR_Z) - g * load<f64>(at, ARM_Z), S.VECTOR_Z);
  }
  return abs(j);
}

// @ts-ignore: decorator
@inline function slide(o: usize, jx: f64, jy: f64, jz: f64, along: f64): void {
  const n = o + S.SELF_ROW_NORMAL, m = o + S.SELF_ROW_MOBILITY, f = o + S.SELF_ROW_FRICTION_IMPULSE;
  const nx = load<f64>(n), ny = load<f64>(n, S.VECTOR_Y), nz = load<f64>(n, S.VECTOR_Z);
  const mxy = load<f64>(m, S.SYMMETRIC_XY), mxz = load<f64>(m, S.SYMMETRIC_XZ), myz = load<f64>(m, S.SYMMETRIC_YZ);
  let x = load<f64>(REL) + load<f64>(m, S.SYMMETRIC_XX) * jx + mxy * jy + mxz * jz;
  let y = load<f64>(REL, S.VECTOR_Y) + mxy * jx + load<f64>(m, S.SYMMETRIC_YY) * jy + myz * jz;
  let z = load<f64>(REL, S.VECTOR_Z) + mxz * jx + myz * jy + load<f64>(m, S.SYMMETRIC_ZZ) * jz;
  const out = x * nx + y * ny + z * nz;
  x -= out * nx;
  y -= out * ny;
  z -= out * nz;
  const square = x * x + y * y + z * z;
  const scale: f64 = square > 0 ? square / mobilityAlong(m, x, y, z) : 0;
  const fx = load<f64>(f), fy = load<f64>(f, S.VECTOR_Y), fz = load<f64>(f, S.VECTOR_Z);
  const ax = fx - scale * x, ay = fy - scale * y, az = fz - scale * z;
  const size = sqrt(ax * ax + ay * ay + az * az);
  const most = load<f64>(o, S.SELF_ROW_FRICTION) * along;
  const shorter: f64 = size > most ? most / size : 1;
  const sx = shorter * ax - fx, sy = shorter * ay - fy, sz = shorter * az - fz;
  store<f64>(SLIP, sx);
  store<f64>(SLIP, sy, S.VECTOR_Y);
  store<f64>(SLIP, sz, S.VECTOR_Z);
  store<f64>(f, fx + sx);
  store<f64>(f, fy + sy, S.VECTOR_Y);
  store<f64>(f, fz + sz, S.VECTOR_Z);
}

// @ts-ignore: decorator
@inline function give(o: usize, changes: usize, own: usize, jx: f64, jy: f64, jz: f64): void {
  const t = o + S.SELF_ROW_TURN;
  const dx = load<f64>(o, S.SELF_ROW_OFFSET), dy = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Y), dz = load<f64>(o, S.SELF_ROW_OFFSET + S.VECTOR_Z);
  const ax = dy * jz - dz * jy, ay = dz * jx - dx * jz, az = dx * jy - dy * jx;
  const txy = load<f64>(t, S.SYMMETRIC_XY), txz = load<f64>(t, S.SYMMETRIC_XZ), tyz = load<f64>(t, S.SYMMETRIC_YZ);
  const tx = load<f64>(t, S.SYMMETRIC_XX) * ax + txy * ay + txz * az;
  const ty = txy * ax + load<f64>(t, S.SYMMETRIC_YY) * ay + tyz * az;
  const tz = txz * ax + tyz * ay + load<f64>(t, S.SYMMETRIC_ZZ) * az;
  const jxy = pair(jx, jy), tyzPair = pair(ty, tz), tzx = pair(tz, tx);
  const perMass = load<f64>(own, S.SELF_CHANGE_INVERSE_MASS);
  v128.store(own, f64x2.add(v128.load(own), f64x2.mul(f64x2.splat(perMass), jxy)));
  store<f64>(own, load<f64>(own, S.VECTOR_Z) + perMass * jz, S.VECTOR_Z);
  let slot = o + S.SELF_ROW_SLOT + 4;
  for (let at = o + S.SELF_ROW_PATCH; at < o + PATCH_END; at += PATCH_STEP, slot += 4) {
    const k = changes + load<u32>(slot);
    const f = load<f64>(at) * load<f64>(k, S.SELF_CHANGE_INVERSE_MASS);
    const ryz = v128.load(at, ARM_Y), rxy = v128.load(at, ARM_X);
    // (ty rz, tz rx) and (tz ry, tx rz).
    const rzx = v128.shuffle<f64>(ryz, rxy, 1, 2);
    const by = f64x2.sub(f64x2.add(jxy, f64x2.mul(tyzPair, rzx)), f64x2.mul(tzx, ryz));
    const bz = jz + tx * load<f64>(at, ARM_Y) - ty * load<f64>(at, ARM_X);
    v128.store(k, f64x2.sub(v128.load(k), f64x2.mul(f64x2.splat(f), by)));
    store<f64>(k, load<f64>(k, S.VECTOR_Z) - f * bz, S.VECTOR_Z);
  }
}

/** Writes the sums of src/kernels/ts/selfContacts.ts to scratch. */
export function weighSelf(changes: usize, moved: u32, h: f64): void {
  const v = S.v(), vOld = S.vOld(), list = S.moved();
  let linear: f64 = 0, square: f64 = 0, gxy = f64x2.splat(0), gz: f64 = 0;
  for (let n: u32 = 0; n < moved; n++) {
    const at = changes + S.SELF_CHANGE_LENGTH * n;
    const perMass = load<f64>(at, S.SELF_CHANGE_INVERSE_MASS);
    if (perMass == 0) continue;
    const o = load<u32>(list + (n << S.SHIFT_moved)) << S.SHIFT_v;
    const now = v128.load(v + o), then = v128.load(vOld + o);
    const kxy = v128.load(at, S.SELF_CHANGE_KEPT), kz = load<f64>(at, S.SELF_CHANGE_KEPT + S.VECTOR_Z);
    const dxy = f64x2.sub(v128.load(at), kxy), dz = load<f64>(at, S.VECTOR_Z) - kz;
    const vxy = low(now), vz = <f64>f32x4.extract_lane(now, 2);
    const uxy = f64x2.add(f64x2.mul(f64x2.splat(0.5), f64x2.add(low(then), vxy)), kxy);
    const uz = 0.5 * (<f64>f32x4.extract_lane(then, 2) + vz) + kz;
    const along = f64x2.mul(dxy, uxy), size = f64x2.mul(dxy, dxy);
    linear += (first(along) + second(along) + dz * uz) / perMass;
    square += (0.5 * (first(size) + second(size) + dz * dz)) / perMass;
    const lever = h / perMass, d2 = f64x2.splat(dz), v2 = f64x2.splat(vz);
    // (dy vz − dz vy, dz vx − dx vz).
    const turn = f64x2.sub(
      f64x2.mul(v128.shuffle<f64>(dxy, d2, 1, 2), v128.shuffle<f64>(v2, vxy, 0, 2)),
      f64x2.mul(v128.shuffle<f64>(d2, dxy, 0, 2), v128.shuffle<f64>(vxy, v2, 1, 2)),
    );
    gxy = f64x2.add(gxy, f64x2.mul(f64x2.splat(lever), turn));
    gz += lever * (first(dxy) * second(vxy) - second(dxy) * first(vxy));
  }
  store<f64>(S.AT_SELF_SUMS, linear);
  store<f64>(S.AT_SELF_SUMS, square, S.VECTOR_Y);
  v128.store(S.AT_SELF_SUMS, gxy, S.VECTOR_Z);
  store<f64>(S.AT_SELF_SUMS + S.VECTOR_WIDTH, gz, S.VECTOR_Z - S.VECTOR_Y);
}

export function keepSelf(changes: usize, moved: u32): void {
  for (let n: u32 = 0; n < moved; n++) {
    const at = changes + S.SELF_CHANGE_LENGTH * n;
    v128.store(at, v128.load(at), S.SELF_CHANGE_KEPT);
    store<f64>(at, load<f64>(at, S.VECTOR_Z), S.SELF_CHANGE_KEPT + S.VECTOR_Z);
  }
}

export function moveSelf(changes: usize, moved: u32, h: f64): void {
  const x = S.x(), v = S.v(), list = S.moved();
  for (let n: u32 = 0; n < moved; n++) {
    const at = changes + S.SELF_CHANGE_LENGTH * n;
    const o = load<u32>(list + (n << S.SHIFT_moved)) << S.SHIFT_x;
    const cxy = v128.load(at), cz = load<f64>(at, S.VECTOR_Z);
    const place = v128.load(x + o), u = v128.load(v + o);
    const velocity = narrow(f64x2.add(low(u), cxy), f64x2.splat(<f64>f32x4.extract_lane(u, 2) + cz));
    const target = narrow(f64x2.add(low(place), f64x2.mul(f64x2.splat(h), cxy)), f64x2.splat(<f64>f32x4.extract_lane(place, 2) + h * cz));
    v128.store(v + o, f32x4.replace_lane(velocity, 3, f32x4.extract_lane(u, 3)));
    v128.store(x + o, f32x4.replace_lane(target, 3, f32x4.extract_lane(place, 3)));
  }
}
