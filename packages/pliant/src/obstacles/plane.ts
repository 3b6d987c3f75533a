import { type Kernels, type PlaneContact, PlaneSums } from '../kernels/kernels.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { pressParticle } from './pressParticle.js';
import type { Contact } from './respond.js';
import type { SurfaceReach } from './surfaceReach.js';

const normal = new Float64Array(3);

/** Rows of particles near planes. Grows with the largest body. */
let near = new Uint32Array(1024);
let nearCount = 0;
/** Of each plane: its normal and its offset. Grows with the largest number of planes. */
let faces = new Float64Array(4 * 8);

/**
 * Lists the particles of a range that are behind one of the planes, or less than `far` before it. `collidePlane` looks at these alone. A list stays
 * true while only `collidePlane` moves particles: it moves none that is not listed.
 */
export function listNear({ x }: Views, start: number, end: number, planes: readonly Collider[], far: number): void {
  const last = 4 * planes.length;
  if (near.length < end - start) near = new Uint32Array(2 * (end - start));
  if (faces.length < last) faces = new Float64Array(2 * last);
  for (let k = 0; k < planes.length; k++) {
    faces[4 * k + 3] = planeInto(normal, planes[k]);
    faces.set(normal, 4 * k);
  }
  nearCount = planes.length === 1 ? listNearOne(x, start, end, far) : listNearAny(x, start, end, last, far);
}

/** By the first of the `faces` alone, which most worlds have no more of: three times as fast as by a loop over them. */
function listNearOne(x: Float32Array, start: number, end: number, far: number): number {
  const nx = faces[0];
  const ny = faces[1];
  const nz = faces[2];
  const offset = faces[3];
  let count = 0;
  const axis = nx === 0 && nz === 0 ? 1 : ny === 0 && nz === 0 ? 0 : nx === 0 && ny === 0 ? 2 : -1;
  if (axis >= 0) {
    // Most floors and walls: one coordinate tells.
    const along = faces[axis];
    for (let i = start, o = 4 * start + axis; i < end; i++, o += 4)
      if (offset - x[o] * along + far > 0) near[count++] = i;
    return count;
  }
  for (let i = start, o = 4 * start; i < end; i++, o += 4)
    if (offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz) + far > 0) near[count++] = i;
  return count;
}

function listNearAny(x: Float32Array, start: number, end: number, last: number, far: number): number {
  let count = 0;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    const px = x[o];
    const py = x[o + 1];
    const pz = x[o + 2];
    for (let f = 0; f < last; f += 4) {
      const depth = faces[f + 3] - (px * faces[f] + py * faces[f + 1] + pz * faces[f + 2]);
      if (!(depth + far > 0)) continue;
      near[count++] = i;
      break;
    }
  }
  return count;
}

/**
 * Moves every listed particle that is behind the plane onto it; returns whether there was one. No sweep is needed: a half-space has no
 * far side, so a particle behind it at the end of a step is found at any speed. `reach`: how far the body's surface extends beyond its
 * particles. `spared` marks rows that pass through.
 */
export function collidePlane(
  s: Views,
  plane: Collider,
  contact: Contact,
  reach?: SurfaceReach,
  spared?: Uint8Array,
): boolean {
  const { x } = s;
  const offset = planeInto(normal, plane);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  let touched = false;
  for (let k = 0; k < nearCount; k++) {
    const i = near[k];
    const o = 4 * i;
    let depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    let beyond = 0;
    if (reach) {
      if (!(depth + reach.far > 0)) continue;
      beyond = reach.along(i, nx, ny, nz);
      depth += beyond;
    }
    if (!(depth > 0) || spared?.[i] || s.flags[i] & Flag.HELD) continue;
    touched = pressParticle(s, o, nx, ny, nz, depth, beyond, 0, plane, contact, reach) || touched;
  }
  return touched;
}

/** Whether `meetPlane` can be used for a plane that stands. */
export const isMetInKernel = ({ law, linear, angular, turns }: Collider): boolean =>
  law === 'coulomb' && !turns && isZero(linear) && isZero(angular);
const isZero = (vector: ArrayLike<number>) => vector[0] === 0 && vector[1] === 0 && vector[2] === 0;

/** As collidePlane, of all particles of a range, in a kernel. */
export function meetPlane(
  kernels: Kernels,
  start: number,
  end: number,
  plane: Collider,
  { h, restThreshold, pressed }: Contact,
  reach?: SurfaceReach,
): boolean {
  met.offset = planeInto(normal, plane);
  met.nx = normal[0];
  met.ny = normal[1];
  met.nz = normal[2];
  const { position } = plane.to;
  met.px = position[0];
  met.py = position[1];
  met.pz = position[2];
  met.reach = !reach ? 'none' : reach.directed ? 'directed' : 'given';
  met.far = reach?.far ?? 0;
  met.half = reach?.half ?? 0;
  met.reached = reach?.reached ?? 1;
  met.tau = reach?.tau ?? 0;
  met.friction = plane.friction;
  met.restitution = plane.restitution;
  met.restThreshold = restThreshold;
  met.h = h;
  if (kernels.meetPlane(sums, start, end, met) === 0) return false;
  if (pressed) {
    pressed.pressedX += sums[PlaneSums.PRESSED];
    pressed.pressedY += sums[PlaneSums.PRESSED + 1];
    pressed.pressedZ += sums[PlaneSums.PRESSED + 2];
  }
  plane.receiveSums(sums, PlaneSums.TAKEN, PlaneSums.TURNED);
  return true;
}

/** Filled in for one body after the other. */
const met = {} as PlaneContact;
const sums = new Float64Array(PlaneSums.LENGTH);

/** Writes the plane's normal at the end of the step; returns its offset along the normal. */
export function planeInto(out: Float64Array, { to, direction: n, offset, origin, angular }: Collider): number {
  const p = to.position;
  if (to.rotation[3] === 1 && angular[0] === 0 && angular[1] === 0 && angular[2] === 0) {
    // Not turned: the given offset, exactly, plus the displacement along the normal.
    out.set(n);
    return offset + n[0] * (p[0] - origin[0]) + n[1] * (p[1] - origin[1]) + n[2] * (p[2] - origin[2]);
  }
  to.turnInto(out, n[0], n[1], n[2]);
  return out[0] * p[0] + out[1] * p[1] + out[2] * p[2];
}
