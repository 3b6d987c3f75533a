// Inside and distance of shapes, as in src/sample/primitives.ts, src/sample/place.ts, src/sample/combine.ts, src/sample/shell.ts and src/sample/solid.ts, bit for bit.
// src/sample/form.ts writes a shape as a tree of nodes.

export const OUTSIDE: i32 = 0, INSIDE: i32 = 1, MIXED: i32 = 2;

const BOX: i32 = 0, SPHERE: i32 = 1, ELLIPSOID: i32 = 2, CYLINDER: i32 = 3, CAPSULE: i32 = 4, TORUS: i32 = 5;
const UNION: i32 = 6, DIFFERENCE: i32 = 7, INTERSECTION: i32 = 8;
/** The walls of a hollow body: only at the root. */
const SHELL: i32 = 9;
const MOVED: i32 = 1, TURNED: i32 = 2;

/** A shape in memory. Its box is in the coordinates of the shape that it is a part of. */
@unmanaged
class Node {
  kind: i32;
  count: i32;
  /** Address of the addresses of its parts. */
  parts: usize;
  placed: i32;
  /** Half sides, half axes or radii; the thickness of walls. */
  a: f64;
  b: f64;
  c: f64;
  /** Length of rounded seams. */
  smooth: f64;
  px: f64;
  py: f64;
  pz: f64;
  m0: f64;
  m1: f64;
  m2: f64;
  m3: f64;
  m4: f64;
  m5: f64;
  m6: f64;
  m7: f64;
  m8: f64;
  minX: f64;
  minY: f64;
  minZ: f64;
  maxX: f64;
  maxY: f64;
  maxZ: f64;
  /** By how much bounds of distances have to differ to decide. */
  margin: f64;
  /** 1/a, 1/b and 1/c, for bounds. */
  ia: f64;
  ib: f64;
  ic: f64;
  least: f64;
}

// @ts-ignore: decorator
@inline function at(address: usize): Node { return changetype<Node>(address); }
// @ts-ignore: decorator
@inline function partOf(node: Node, k: i32): usize { return load<usize>(node.parts + (<usize>k << 2)); }

// A point in the coordinates of the shape that it was last placed in.
let qx: f64 = 0, qy: f64 = 0, qz: f64 = 0;

function place(node: Node, x: f64, y: f64, z: f64): void {
  if (node.placed & MOVED) {
    x -= node.px;
    y -= node.py;
    z -= node.pz;
  }
  if (node.placed & TURNED) {
    qx = node.m0 * x + node.m3 * y + node.m6 * z;
    qy = node.m1 * x + node.m4 * y + node.m7 * z;
    qz = node.m2 * x + node.m5 * y + node.m8 * z;
  } else {
    qx = x;
    qy = y;
    qz = z;
  }
}

// @ts-ignore: decorator
@inline function square3(x: f64, y: f64, z: f64): f64 { return x * x + y * y + z * z; }

// @ts-ignore: decorator
@inline function fromSlabs(a: f64, b: f64, c: f64): f64 {
  const x = Math.max(a, 0), y = Math.max(b, 0), z = Math.max(c, 0);
  return Math.sqrt(square3(x, y, z)) + Math.min(Math.max(Math.max(a, b), c), 0);
}

// @ts-ignore: decorator
@inline function sizeIn(node: Node, x: f64, y: f64, z: f64): f64 {
  const u = x / node.a, v = y / node.b, w = z / node.c;
  return u * u + v * v + w * w;
}

// @ts-ignore: decorator
@inline function capsuleSquare(node: Node, x: f64, y: f64, z: f64): f64 {
  const beyond = Math.max(Math.abs(y) - node.b, 0);
  return x * x + beyond * beyond + z * z;
}

// @ts-ignore: decorator
@inline function torusSquare(node: Node, x: f64, y: f64, z: f64): f64 {
  const q = Math.sqrt(x * x + z * z) - node.a;
  return q * q + y * y;
}

/** Signed distance, negative inside. Beyond `limit` any value of at least that magnitude. */
function signed(address: usize, x: f64, y: f64, z: f64, limit: f64): f64 {
  const node = at(address);
  if (node.placed) {
    place(node, x, y, z);
    x = qx;
    y = qy;
    z = qz;
  }
  return signedIn(node, x, y, z, limit);
}

/** The same in the coordinates of the node. */
function signedIn(node: Node, x: f64, y: f64, z: f64, limit: f64): f64 {
  switch (node.kind) {
    case ELLIPSOID: {
      const size = sizeIn(node, x, y, z);
      const sign: f64 = size <= 1 ? -1 : 1;
      const bound = Math.abs(Math.sqrt(size) - 1) * node.least;
      return sign * (bound > limit ? bound : ellipsoidDistance(node.a, node.b, node.c, x, y, z));
    }
    case BOX: return fromSlabs(Math.abs(x) - node.a, Math.abs(y) - node.b, Math.abs(z) - node.c);
    case SPHERE: return Math.sqrt(square3(x, y, z)) - node.a;
    case CYLINDER: return fromSlabs(Math.sqrt(x * x + z * z) - node.a, Math.abs(y) - node.b, -Infinity);
    case CAPSULE: return Math.sqrt(capsuleSquare(node, x, y, z)) - node.a;
    case TORUS: return Math.sqrt(torusSquare(node, x, y, z)) - node.b;
    case UNION: return nearestOf(node, x, y, z, limit);
    default: {
      const k = node.smooth;
      let d = signed(partOf(node, 0), x, y, z, Infinity);
      for (let n = 1; n < node.count; n++) {
        const other = signed(partOf(node, n), x, y, z, Infinity);
        d = -smoothMin(-d, node.kind === INTERSECTION ? -other : other, k);
      }
      return d;
    }
  }
}

function nearestOf(node: Node, x: f64, y: f64, z: f64, limit: f64): f64 {
  const k = node.smooth;
  let least: f64 = Infinity;
  let reach = limit + k;
  for (let n = 0; n < node.count; n++) {
    const part = partOf(node, n);
    const off2 = boxOff2(at(part), x, y, z);
    if (off2 > 0 && (reach <= 0 || off2 > reach * reach)) continue;
    if (at(part).kind === ELLIPSOID && least < Infinity && isBeyond(at(part), x, y, z, limit + k - node.margin, least + k + node.margin)) continue;
    const d = signed(part, x, y, z, limit + k);
    least = least < Infinity ? smoothMin(least, d, k) : d;
    if (least <= -limit) return least;
    reach = Math.min(least, limit) + k;
  }
  return Math.min(least, limit);
}

/**
 * Whether the signed distance of an ellipsoid is surely more than `reach` at a point outside of it: the smooth minimum does not see it then. Beyond `limit` a lower bound stands for the distance, and decides. Else
 * the plane that touches the ellipsoid along the gradient of its quadric does.
 */
function isBeyond(node: Node, x: f64, y: f64, z: f64, limit: f64, reach: f64): bool {
  place(node, x, y, z);
  const u = qx * node.ia, v = qy * node.ib, w = qz * node.ic;
  const size = square3(u, v, w);
  if (size <= 1) return false;
  const root = Math.sqrt(size), coarse = (root - 1) * node.least;
  if (coarse > limit) return coarse > reach;
  return size - root > reach * Math.sqrt(square3(u * node.ia, v * node.ib, w * node.ic));
}

// @ts-ignore: decorator
@inline function boxOff2(node: Node, x: f64, y: f64, z: f64): f64 {
  const dx = Math.max(Math.max(node.minX - x, x - node.maxX), 0);
  const dy = Math.max(Math.max(node.minY - y, y - node.maxY), 0);
  const dz = Math.max(Math.max(node.minZ - z, z - node.maxZ), 0);
  return dx * dx + dy * dy + dz * dz;
}

// @ts-ignore: decorator
@inline function smoothMin(a: f64, b: f64, k: f64): f64 {
  const h = k - Math.abs(a - b);
  return h > 0 ? Math.min(a, b) - (h * h) / (4 * k) : Math.min(a, b);
}

function isInShape(address: usize, x: f64, y: f64, z: f64): bool {
  const node = at(address);
  if (node.placed) {
    place(node, x, y, z);
    x = qx;
    y = qy;
    z = qz;
  }
  switch (node.kind) {
    case ELLIPSOID: return sizeIn(node, x, y, z) <= 1;
    case BOX: return Math.abs(x) <= node.a && Math.abs(y) <= node.b && Math.abs(z) <= node.c;
    case SPHERE: return square3(x, y, z) <= node.a * node.a;
    case CYLINDER: return x * x + z * z <= node.a * node.a && Math.abs(y) <= node.b;
    case CAPSULE: return capsuleSquare(node, x, y, z) <= node.a * node.a;
    case TORUS: return torusSquare(node, x, y, z) <= node.b * node.b;
    default: return node.smooth > 0 ? isInSmooth(node, x, y, z) : isInParts(node, x, y, z);
  }
}

function isInParts(node: Node, x: f64, y: f64, z: f64): bool {
  if (node.kind === UNION) return isInAny(node, x, y, z);
  if (node.kind === DIFFERENCE) {
    if (!isInShape(partOf(node, 0), x, y, z)) return false;
    for (let n = 1; n < node.count; n++) if (isInShape(partOf(node, n), x, y, z)) return false;
    return true;
  }
  for (let n = 0; n < node.count; n++) if (!isInShape(partOf(node, n), x, y, z)) return false;
  return true;
}

function isInAny(node: Node, x: f64, y: f64, z: f64): bool {
  for (let n = 0; n < node.count; n++) {
    const part = partOf(node, n), box = at(part);
    if (x < box.minX || y < box.minY || z < box.minZ) continue;
    if (x > box.maxX || y > box.maxY || z > box.maxZ) continue;
    if (isInShape(part, x, y, z)) return true;
  }
  return false;
}

function isInSmooth(node: Node, x: f64, y: f64, z: f64): bool {
  if (node.kind !== UNION) return signedIn(node, x, y, z, Infinity) <= 0;
  if (isInAny(node, x, y, z)) return true;
  const k = node.smooth;
  let low: f64 = Infinity, high: f64 = Infinity;
  for (let n = 0; n < node.count; n++) {
    const part = partOf(node, n);
    const off2 = boxOff2(at(part), x, y, z);
    const reach = high + k;
    if (off2 > reach * reach) continue;
    if (off2 > 4 * k * k) {
      // Its box is a lower bound that costs little. As an upper bound of the whole, the others will do.
      const off = Math.sqrt(off2);
      low = low < Infinity ? smoothMin(low, off, k) : off;
      continue;
    }
    bound(part, x, y, z);
    low = low < Infinity ? smoothMin(low, nearest, k) : nearest;
    high = high < Infinity ? smoothMin(high, farthest, k) : farthest;
    if (high < -node.margin) return true;
  }
  return low <= node.margin && nearestOf(node, x, y, z, Infinity) <= 0;
}

// Bounds of the distance from a point outside of a part.
let nearest: f64 = 0, farthest: f64 = 0;

/** The plane that touches an ellipsoid along the gradient of its quadric is nearer than it, the way along that gradient is longer. */
function bound(address: usize, x: f64, y: f64, z: f64): void {
  const node = at(address);
  if (node.kind !== ELLIPSOID) {
    nearest = farthest = signed(address, x, y, z, Infinity);
    return;
  }
  place(node, x, y, z);
  const u = qx * node.ia, v = qy * node.ib, w = qz * node.ic;
  const size = square3(u, v, w);
  const gx = u * node.ia, gy = v * node.ib, gz = w * node.ic;
  nearest = (size - Math.sqrt(size)) / Math.sqrt(square3(gx, gy, gz));
  farthest = alongGradient(node, gx, gy, gz, size);
}

/** The way from a point outside of an ellipsoid along the gradient of its quadric, or the way to the middle. */
// @ts-ignore: decorator
@inline function alongGradient(node: Node, gx: f64, gy: f64, gz: f64, size: f64): f64 {
  const n2 = square3(gx, gy, gz);
  const discriminant = n2 - (square3(gx * node.ia, gy * node.ib, gz * node.ic) / n2) * (size - 1);
  return discriminant > 0 ? (size - 1) / (Math.sqrt(n2) + Math.sqrt(discriminant)) : Math.sqrt(square3(qx, qy, qz));
}

function ellipsoidDistance(a: f64, b: f64, c: f64, x: f64, y: f64, z: f64): f64 {
  let e0 = a, e1 = b, e2 = c;
  let y0 = Math.abs(x), y1 = Math.abs(y), y2 = Math.abs(z);
  if (e0 < e1) {
    const e = e0, p = y0;
    e0 = e1;
    e1 = e;
    y0 = y1;
    y1 = p;
  }
  if (e1 < e2) {
    const e = e1, p = y1;
    e1 = e2;
    e2 = e;
    y1 = y2;
    y2 = p;
  }
  if (e0 < e1) {
    const e = e0, p = y0;
    e0 = e1;
    e1 = e;
    y0 = y1;
    y1 = p;
  }
  y2 = Math.max(y2, 1e-12 * e2);
  const q0 = e0 / e2, q1 = e1 / e2;
  const r0 = q0 * q0, r1 = q1 * q1;
  const t = secularRoot((r0 * y0) / e0, (r1 * y1) / e1, y2 / e2, r0 - 1, r1 - 1);
  const d0 = (r0 * y0) / (t + r0 - 1) - y0;
  const d1 = (r1 * y1) / (t + r1 - 1) - y1;
  const d2 = y2 / t - y2;
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}

function secularRoot(n0: f64, n1: f64, n2: f64, c0: f64, c1: f64): f64 {
  let t = Math.max(Math.max(n0 - c0, n1 - c1), n2);
  for (let k = 0; k < 100; k++) {
    const u0 = 1 / (t + c0), u1 = 1 / (t + c1), u2 = 1 / t;
    const q0 = n0 * u0, q1 = n1 * u1, q2 = n2 * u2;
    const q = q0 * q0 + q1 * q1 + q2 * q2;
    const next = t + ((Math.sqrt(q) - 1) * q) / (q0 * q0 * u0 + q1 * q1 * u1 + q2 * q2 * u2);
    if (!(next > t)) return t;
    // SETTLED in src/sample/ellipsoidDistance.ts
    if (next - t <= 1e-7 * t) return next;
    t = next;
  }
  return t;
}

/** A bit for each part of the union `narrowed` that may count for what is asked next. */
let near: i64 = -1, narrowed: usize = 0;

/** Leaves out the parts of a union that are farther than `far` and its fillets from a point, until it is called for another. */
export function narrow(solid: usize, x: f64, y: f64, z: f64, far: f64): void {
  const node = at(solid);
  narrowed = solid;
  near = -1;
  if (node.kind !== UNION) return;
  if (node.placed) {
    place(node, x, y, z);
    x = qx;
    y = qy;
    z = qz;
  }
  const reach = 1.001 * (far + node.smooth + node.margin);
  for (let n = 0; n < min(node.count, 63); n++) if (boxOff2(at(partOf(node, n)), x, y, z) > reach * reach) near &= ~(<i64>1 << n);
}

export function widen(): void { near = -1; }

// Two points at a time: roots and quotients of one wait for each other, so that two take hardly longer than one.
export let one: f64 = 0, two: f64 = 0;

/** `signed` of two points, to `one` and `two`. */
function signedPair(address: usize, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, limit: f64): void {
  const node = at(address);
  if (node.kind !== UNION) {
    if (node.kind === ELLIPSOID) {
      ellipsoidPair(node, x0, y0, z0, x1, y1, z1, limit);
      return;
    }
    one = signed(address, x0, y0, z0, limit);
    two = signed(address, x1, y1, z1, limit);
    return;
  }
  if (node.placed) {
    place(node, x0, y0, z0);
    x0 = qx;
    y0 = qy;
    z0 = qz;
    place(node, x1, y1, z1);
    x1 = qx;
    y1 = qy;
    z1 = qz;
  }
  const k = node.smooth;
  const counting: i64 = address === narrowed ? near : -1;
  let least0: f64 = Infinity, least1: f64 = Infinity;
  let isOpen0 = true, isOpen1 = true;
  for (let n = 0; n < node.count && (isOpen0 || isOpen1); n++) {
    if (!((counting >> min(n, 63)) & 1)) continue;
    const part = partOf(node, n);
    const counts0 = isOpen0 && mayCount(node, at(part), x0, y0, z0, limit, least0);
    const counts1 = isOpen1 && mayCount(node, at(part), x1, y1, z1, limit, least1);
    if (counts0 && counts1) signedPair(part, x0, y0, z0, x1, y1, z1, limit + k);
    else if (counts0) one = signed(part, x0, y0, z0, limit + k);
    else if (counts1) two = signed(part, x1, y1, z1, limit + k);
    if (counts0) {
      least0 = least0 < Infinity ? smoothMin(least0, one, k) : one;
      isOpen0 = least0 > -limit;
    }
    if (counts1) {
      least1 = least1 < Infinity ? smoothMin(least1, two, k) : two;
      isOpen1 = least1 > -limit;
    }
  }
  one = isOpen0 ? Math.min(least0, limit) : least0;
  two = isOpen1 ? Math.min(least1, limit) : least1;
}

/** Whether the signed distance of a part counts in `nearestOf`, where the fold of the parts before is `least`. */
// @ts-ignore: decorator
@inline function mayCount(node: Node, part: Node, x: f64, y: f64, z: f64, limit: f64, least: f64): bool {
  const k = node.smooth, off2 = boxOff2(part, x, y, z);
  const reach = Math.min(least, limit) + k;
  if (off2 > 0 && (reach <= 0 || off2 > reach * reach)) return false;
  return !(part.kind === ELLIPSOID && least < Infinity && isBeyond(part, x, y, z, limit + k - node.margin, least + k + node.margin));
}

/** `signed` of an ellipsoid. */
function ellipsoidPair(node: Node, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, limit: f64): void {
  place(node, x0, y0, z0);
  x0 = qx;
  y0 = qy;
  z0 = qz;
  place(node, x1, y1, z1);
  x1 = qx;
  y1 = qy;
  z1 = qz;
  const size0 = sizeIn(node, x0, y0, z0), size1 = sizeIn(node, x1, y1, z1);
  const bound0 = Math.abs(Math.sqrt(size0) - 1) * node.least, bound1 = Math.abs(Math.sqrt(size1) - 1) * node.least;
  const isFar0 = bound0 > limit, isFar1 = bound1 > limit;
  if (isFar0 || isFar1) {
    one = isFar0 ? bound0 : ellipsoidDistance(node.a, node.b, node.c, x0, y0, z0);
    two = isFar1 ? bound1 : ellipsoidDistance(node.a, node.b, node.c, x1, y1, z1);
  } else distancePair(node.a, node.b, node.c, f64x2(x0, x1), f64x2(y0, y1), f64x2(z0, z1));
  if (size0 <= 1) one = -one;
  if (size1 <= 1) two = -two;
}

/** `ellipsoidDistance` of two points. */
function distancePair(a: f64, b: f64, c: f64, x: v128, y: v128, z: v128): void {
  let e0 = a, e1 = b, e2 = c;
  let y0 = f64x2.abs(x), y1 = f64x2.abs(y), y2 = f64x2.abs(z);
  if (e0 < e1) {
    const e = e0, p = y0;
    e0 = e1;
    e1 = e;
    y0 = y1;
    y1 = p;
  }
  if (e1 < e2) {
    const e = e1, p = y1;
    e1 = e2;
    e2 = e;
    y1 = y2;
    y2 = p;
  }
  if (e0 < e1) {
    const e = e0, p = y0;
    e0 = e1;
    e1 = e;
    y0 = y1;
    y1 = p;
  }
  y2 = f64x2.max(y2, f64x2.splat(1e-12 * e2));
  const q0 = e0 / e2, q1 = e1 / e2;
  const r0 = q0 * q0, r1 = q1 * q1;
  const m0 = f64x2.mul(f64x2.splat(r0), y0), m1 = f64x2.mul(f64x2.splat(r1), y1);
  const t = rootPair(f64x2.div(m0, f64x2.splat(e0)), f64x2.div(m1, f64x2.splat(e1)), f64x2.div(y2, f64x2.splat(e2)), f64x2.splat(r0 - 1), f64x2.splat(r1 - 1));
  const ones = f64x2.splat(1);
  const d0 = f64x2.sub(f64x2.div(m0, f64x2.sub(f64x2.add(t, f64x2.splat(r0)), ones)), y0);
  const d1 = f64x2.sub(f64x2.div(m1, f64x2.sub(f64x2.add(t, f64x2.splat(r1)), ones)), y1);
  const d2 = f64x2.sub(f64x2.div(y2, t), y2);
  const d = f64x2.sqrt(squarePair(d0, d1, d2));
  one = f64x2.extract_lane(d, 0);
  two = f64x2.extract_lane(d, 1);
}

// @ts-ignore: decorator
@inline function squarePair(x: v128, y: v128, z: v128): v128 { return f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z)); }

/** `secularRoot` of two equations: one that is solved keeps its root. */
function rootPair(n0: v128, n1: v128, n2: v128, c0: v128, c1: v128): v128 {
  const ones = f64x2.splat(1);
  let t = f64x2.max(f64x2.max(f64x2.sub(n0, c0), f64x2.sub(n1, c1)), n2);
  let open = i64x2.splat(-1);
  for (let k = 0; k < 100; k++) {
    const u0 = f64x2.div(ones, f64x2.add(t, c0)), u1 = f64x2.div(ones, f64x2.add(t, c1)), u2 = f64x2.div(ones, t);
    const q0 = f64x2.mul(n0, u0), q1 = f64x2.mul(n1, u1), q2 = f64x2.mul(n2, u2);
    const q = squarePair(q0, q1, q2);
    const slope = f64x2.add(f64x2.add(f64x2.mul(f64x2.mul(q0, q0), u0), f64x2.mul(f64x2.mul(q1, q1), u1)), f64x2.mul(f64x2.mul(q2, q2), u2));
    const next = f64x2.add(t, f64x2.div(f64x2.mul(f64x2.sub(f64x2.sqrt(q), ones), q), slope));
    open = v128.and(open, f64x2.gt(next, t));
    const step = f64x2.sub(next, t), most = f64x2.mul(f64x2.splat(1e-7), t);
    t = v128.bitselect(next, t, open);
    open = v128.andnot(open, f64x2.le(step, most));
    if (!v128.any_true(open)) return t;
  }
  return t;
}

/** Whether a point is in a solid. */
export function isIn(solid: usize, x: f64, y: f64, z: f64): bool {
  const node = at(solid);
  if (node.kind !== SHELL) return isInShape(solid, x, y, z);
  const whole = partOf(node, 0);
  return Math.abs(signed(whole, x, y, z, 1.001 * node.a)) <= node.a && isInShape(whole, x, y, z);
}

/** Distance from the surface of a solid, from either side. */
export function distanceTo(solid: usize, x: f64, y: f64, z: f64, limit: f64): f64 {
  const node = at(solid);
  if (node.kind !== SHELL) return Math.abs(signed(solid, x, y, z, limit));
  const whole = partOf(node, 0);
  const d = Math.abs(signed(whole, x, y, z, node.a + limit));
  const toWall = Math.abs(node.a - d);
  return toWall < Math.min(d, limit) && isInShape(whole, x, y, z) ? toWall : d;
}

/** `distanceTo` of two points, to `one` and `two`. */
export function distancesTo(solid: usize, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, limit: f64): void {
  if (at(solid).kind === SHELL) {
    one = distanceTo(solid, x0, y0, z0, limit);
    two = distanceTo(solid, x1, y1, z1, limit);
    return;
  }
  signedPair(solid, x0, y0, z0, x1, y1, z1, limit);
  one = Math.abs(one);
  two = Math.abs(two);
}

export function classifyBox(solid: usize, x: f64, y: f64, z: f64, hx: f64, hy: f64, hz: f64): i32 {
  const node = at(solid);
  const reach = Math.sqrt(square3(hx, hy, hz));
  if (node.kind === SHELL) {
    if (Math.abs(distanceTo(solid, x, y, z, 1.001 * reach)) <= reach) return MIXED;
  } else {
    if (node.kind === UNION && node.smooth > 0) {
      const kind = classifyByBounds(node, x, y, z, reach);
      if (kind >= 0) return kind;
    }
    const d = signed(solid, x, y, z, 1.001 * reach);
    if (Math.abs(d) <= reach) return MIXED;
    if (d > 0) return OUTSIDE;
  }
  return isIn(solid, x, y, z) ? INSIDE : OUTSIDE;
}

/**
 * The class of a box in a union with fillets by bounds of its parts' distances, −1 where they do not decide. `nearestOf` folds signed distances of some parts: `low` and `high` are never above and never below its fold.
 * So `low` takes every part that it may take, and `high` those that it surely takes. A part that is farther than the limit may count there by its lower bound, which is the one that `low` takes.
 */
function classifyByBounds(node: Node, x: f64, y: f64, z: f64, reach: f64): i32 {
  if (node.placed) {
    place(node, x, y, z);
    x = qx;
    y = qy;
    z = qz;
  }
  const k = node.smooth, limit = 1.001 * reach;
  let low: f64 = Infinity, high: f64 = Infinity;
  for (let n = 0; n < node.count; n++) {
    if (!((near >> min(n, 63)) & 1)) continue;
    const part = at(partOf(node, n));
    const off2 = boxOff2(part, x, y, z);
    const perhaps = Math.min(high, limit) + k;
    if (off2 > 0 && (perhaps <= 0 || off2 > perhaps * perhaps)) continue;
    const surely = Math.min(low, limit) + k;
    const isTaken = off2 === 0 || (surely > 0 && off2 <= surely * surely);
    if (part.kind !== ELLIPSOID) return -1;
    place(part, x, y, z);
    const u = qx * part.ia, v = qy * part.ib, w = qz * part.ic;
    const size = square3(u, v, w);
    const coarse = (Math.sqrt(size) - 1) * part.least;
    const gx = u * part.ia, gy = v * part.ib, gz = w * part.ic;
    let below: f64, above: f64;
    if (size <= 1) {
      // A ball around the point is in the part where the quadric stays below 1, which is surely so up to its radius `least`; the way along the gradient leads out.
      const n2 = square3(gx, gy, gz), n = Math.sqrt(n2), left = 1 - size;
      above = Math.min(coarse, -left / (n + Math.sqrt(n2 + left / (part.least * part.least))));
      if (above < -reach - node.margin) return INSIDE;
      const way = left / (n + Math.sqrt(n2 + (square3(gx * part.ia, gy * part.ib, gz * part.ic) / n2) * left));
      below = way < part.least ? -way : -part.least;
    } else {
      // The part counts by `coarse` where that is beyond the limit, else by its distance, which the plane that touches it bounds.
      below = coarse;
      if (coarse <= limit + k - node.margin) below = Math.max(coarse, (size - Math.sqrt(size)) / Math.sqrt(square3(gx, gy, gz)));
      above = isTaken ? alongGradient(part, gx, gy, gz, size) : below;
    }
    low = low < Infinity ? smoothMin(low, below, k) : below;
    if (isTaken) high = high < Infinity ? smoothMin(high, above, k) : above;
  }
  if (low > reach + node.margin) return OUTSIDE;
  if (high < -reach - node.margin) return INSIDE;
  return low >= node.margin - reach && high <= reach - node.margin ? MIXED : -1;
}
