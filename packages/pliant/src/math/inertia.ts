/**
 * Inverse of an inertia tensor given as xx yy zz xy xz yz, written at out[at..at+5] in the same order.
 *
 * A line has no inertia about itself and a point none at all; nothing turns about such an axis either (L = 0 there), so
 * any finite inverse will do. Adding 1e-9 of the trace to the diagonal gives one, and changes ω by less than f32 shows.
 */
export function invertInertiaInto(out: Float64Array, at: number, m: Float64Array): void {
  const floor = 1e-9 * (m[0] + m[1] + m[2]);
  const xx = m[0] + floor;
  const yy = m[1] + floor;
  const zz = m[2] + floor;
  const [xy, xz, yz] = [m[3], m[4], m[5]];
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - yy * xz;
  const det = xx * cxx + xy * cxy + xz * cxz;
  const inverse = det > 1e-200 ? 1 / det : 0;
  out[at] = cxx * inverse;
  out[at + 1] = (xx * zz - xz * xz) * inverse;
  out[at + 2] = (xx * yy - xy * xy) * inverse;
  out[at + 3] = cxy * inverse;
  out[at + 4] = cxz * inverse;
  out[at + 5] = (xy * xz - xx * yz) * inverse;
}
