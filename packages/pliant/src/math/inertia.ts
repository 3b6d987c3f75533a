import { INERTIA } from './tolerances.js';

/**
 * Inverse of an inertia tensor given as xx yy zz xy xz yz, written at out[at..at+5] in the same order.
 *
 * A line along u has I = (t/2)(1 − uuᵀ), t being the trace, and no spin about u. Its inverse is that of the part across
 * u, (2/t)(1 − uuᵀ) = 4 I/t², which does not depend on the noise about u. For other tensors 1e-9 of the trace is added
 * to the diagonal, which changes ω by less than f32 shows. A point has no inertia and gets 0.
 */
export function invertInertiaInto(out: Float64Array, at: number, m: Float64Array): void {
  const trace = m[0] + m[1] + m[2];
  const floor = INERTIA.FLOOR * trace;
  const xx = m[0] + floor;
  const yy = m[1] + floor;
  const zz = m[2] + floor;
  const [xy, xz, yz] = [m[3], m[4], m[5]];
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - yy * xz;
  const det = xx * cxx + xy * cxy + xz * cxz;
  if (det < INERTIA.LINE * trace * trace * trace) {
    for (let k = 0; k < 6; k++) out[at + k] = (4 / (trace * trace)) * m[k];
    return;
  }
  const inverse = det > INERTIA.SMALLEST ? 1 / det : 0;
  out[at] = cxx * inverse;
  out[at + 1] = (xx * zz - xz * xz) * inverse;
  out[at + 2] = (xx * yy - xy * xy) * inverse;
  out[at + 3] = cxy * inverse;
  out[at + 4] = cxz * inverse;
  out[at + 5] = (xy * xz - xx * yz) * inverse;
}

/**
 * The inertia that invertInertiaInto was given; 0 if that found no inverse. The floor is not added, as it would be
 * large here. The inverse of a line, 4 I/t², is recognised by its two equal moments: those of the inverse of a thin rod
 * differ much.
 */
export function invertInertiaBackInto(out: Float64Array, m: Float64Array): void {
  const [xx, yy, zz, xy, xz, yz] = m;
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - yy * xz;
  const det = xx * cxx + xy * cxy + xz * cxz;
  const cyy = xx * zz - xz * xz;
  const czz = xx * yy - xy * xy;
  const trace = xx + yy + zz;
  if (det < INERTIA.LINE * trace * trace * trace && cxx + cyy + czz > 0.125 * trace * trace) {
    for (let k = 0; k < 6; k++) out[k] = (4 / (trace * trace)) * m[k];
    return;
  }
  const share = det > 0 ? 1 / det : 0;
  out[0] = cxx * share;
  out[1] = cyy * share;
  out[2] = czz * share;
  out[3] = cxy * share;
  out[4] = cxz * share;
  out[5] = (xy * xz - xx * yz) * share;
}
