import { FIELDS, Row } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { type PlaneContact, PlaneSums } from '../kernels.js';
import { reachAlong } from './reach.js';

const { MASS } = FIELDS.x;

/**
 * Moves the particles [start, end) that are behind a standing plane onto it, and changes their velocities as obstacles/respond.ts does. Writes the sums of impulses to `out`; returns the
 * number of particles that were moved.
 */
export function meetPlane(s: Views, out: Float64Array, start: number, end: number, plane: PlaneContact): number {
  const { x, flags } = s;
  const { nx, ny, nz, offset, far, reach } = plane;
  out.fill(0, 0, PlaneSums.LENGTH);
  let count = 0;
  for (let i = start; i < end; i++) {
    const o = Row.x * i;
    let depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    if (!(depth + far > 0)) continue;
    if (reach === 'directed' && !(flags[i] & Flag.INNER)) depth += reachAlong(s, i, nx, ny, nz, far);
    else if (reach !== 'none') depth += s.reach[i];
    if (!(depth > 0) || flags[i] & Flag.HELD) continue;
    x[o] += depth * nx;
    x[o + 1] += depth * ny;
    x[o + 2] += depth * nz;
    respond(s, out, o, plane);
    count++;
  }
  return count;
}

/** The approaching velocity is removed, and the share `restitution` of it returned; friction removes sliding velocity, and takes the slide of the step back in the same share. */
function respond(
  { x, v }: Views,
  out: Float64Array,
  o: number,
  { nx, ny, nz, px, py, pz, friction, restitution, restThreshold, h }: PlaneContact,
): void {
  const [bx, by, bz] = [v[o], v[o + 1], v[o + 2]];
  const approach = -(bx * nx + by * ny + bz * nz);
  if (approach <= 0) return;
  const m = x[o + MASS];
  const bounce = approach > restThreshold ? restitution * approach : 0;
  const impulse = m * (approach + bounce);
  out[PlaneSums.PRESSED] += impulse * nx;
  out[PlaneSums.PRESSED + 1] += impulse * ny;
  out[PlaneSums.PRESSED + 2] += impulse * nz;
  const [ux, uy, uz] = [bx + approach * nx, by + approach * ny, bz + approach * nz];
  const sliding = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const stopping = friction * (approach + bounce);
  const keep = sliding > stopping ? 1 - stopping / sliding : 0;
  const back = 1 - keep;
  x[o] -= h * back * ux;
  x[o + 1] -= h * back * uy;
  x[o + 2] -= h * back * uz;
  v[o] = keep * ux + bounce * nx;
  v[o + 1] = keep * uy + bounce * ny;
  v[o + 2] = keep * uz + bounce * nz;
  // The momentum that the rounded velocity has lost.
  const [jx, jy, jz] = [m * (bx - v[o]), m * (by - v[o + 1]), m * (bz - v[o + 2])];
  const [rx, ry, rz] = [x[o] - px, x[o + 1] - py, x[o + 2] - pz];
  out[PlaneSums.TAKEN] += jx;
  out[PlaneSums.TAKEN + 1] += jy;
  out[PlaneSums.TAKEN + 2] += jz;
  out[PlaneSums.TURNED] += ry * jz - rz * jy;
  out[PlaneSums.TURNED + 1] += rz * jx - rx * jz;
  out[PlaneSums.TURNED + 2] += rx * jy - ry * jx;
}
