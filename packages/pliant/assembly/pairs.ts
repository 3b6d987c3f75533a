/** Arithmetic on two independent f64 at a time: the same operations for two clusters. */

/** The f64 at p and the one at q. */
// @ts-ignore: decorator
@inline export function pair(p: usize, q: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(load<f64>(p)), 1, load<f64>(q));
}

// @ts-ignore: decorator
@inline export function add(a: v128, b: v128): v128 { return f64x2.add(a, b); }
// @ts-ignore: decorator
@inline export function sub(a: v128, b: v128): v128 { return f64x2.sub(a, b); }
// @ts-ignore: decorator
@inline export function mul(a: v128, b: v128): v128 { return f64x2.mul(a, b); }
// @ts-ignore: decorator
@inline export function times(s: f64, a: v128): v128 { return f64x2.mul(f64x2.splat(s), a); }
// @ts-ignore: decorator
@inline export function square(a: v128): v128 { return f64x2.mul(a, a); }

/** a x + b y */
// @ts-ignore: decorator
@inline export function dot2(a: v128, x: v128, b: v128, y: v128): v128 { return add(mul(a, x), mul(b, y)); }
/** a x − b y */
// @ts-ignore: decorator
@inline export function cross2(a: v128, x: v128, b: v128, y: v128): v128 { return sub(mul(a, x), mul(b, y)); }
/** a x + b y + c z */
// @ts-ignore: decorator
@inline export function dot3(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 { return add(dot2(a, x, b, y), mul(c, z)); }

/** Determinant of a symmetric matrix. */
// @ts-ignore: decorator
@inline export function determinant(xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): v128 {
  return add(sub(mul(xx, cross2(yy, zz, yz, yz)), mul(xy, cross2(xy, zz, xz, yz))), mul(xz, cross2(xy, yz, yy, xz)));
}

/** Whether one of the two is true. */
// @ts-ignore: decorator
@inline export function any(mask: v128): bool { return v128.any_true(mask); }
