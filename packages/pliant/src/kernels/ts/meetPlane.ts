import { FIELDS, Row } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { type PlaneContact, PlaneSums } from '../kernels.js';
import { type Pressing, pressLayer } from './pressLayer.js';
import { reachAlong } from './reach.js';
import { endOfRun } from './velocity.js';

const { MASS } = FIELDS.x;

const pressing: Pressing = { way: 0, away: 0 };

/**
 * Moves the particles [start, end) that are behind a standing plane onto it, and changes their velocities as obstacles/respond.ts does. Writes the sums of impulses to `out`; returns the
 * number of particles that were moved.
 */
export function meetPlane(s: Views, out: Float64Array, start: number, end: number, plane: PlaneContact): number {
  const { x, v, flags } = s;
  const { nx, ny, nz, offset, far, reach, half, reached, tau, restitution, restThreshold, h } = plane;
  out.fill(0, 0, PlaneSums.LENGTH);
  run.fill(0);
  let count = 0;
  let stop = endOfRun(start, end);
  for (let i = start; i < end; i++) {
    if (i === stop) {
      addRun(out);
      stop = endOfRun(i, end);
    }
    const o = Row.x * i;
    let depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    if (!(depth + far > 0)) continue;
    let beyond = 0;
    if (reach === 'directed' && !(flags[i] & Flag.INNER)) beyond = reachAlong(s, i, nx, ny, nz, far);
    else if (reach !== 'none') beyond = s.reach[i];
    depth += beyond;
    if (!(depth > 0) || flags[i] & Flag.HELD) continue;
    count++;
    const approach = -(v[o] * nx + v[o + 1] * ny + v[o + 2] * nz);
    const bounce = approach > restThreshold ? restitution * approach : 0;
    pressing.way = depth;
    pressing.away = bounce;
    // A particle that bounces is met at the surface: it leaves with a share of its energy, and a layer that is pressed would add to it.
    if (half > 0 && beyond > 0 && bounce === 0)
      pressLayer(pressing, depth, beyond, half, s.modulus[i] * reached * h * h, approach, h, tau);
    const { way, away } = pressing;
    x[o] += way * nx;
    x[o + 1] += way * ny;
    x[o + 2] += way * nz;
    if (approach + away > 0) respond(s, run, o, plane, approach, away);
  }
  addRun(out);
  return count;
}

/** Sums of the run of particles that is met. */
const run = new Float64Array(PlaneSums.LENGTH);

function addRun(out: Float64Array): void {
  for (let k = 0; k < PlaneSums.LENGTH; k++) out[k] += run[k];
  run.fill(0);
}

/** The velocity along the normal, −`approach`, becomes `away`; friction removes sliding velocity, and takes the slide of the step back in the same share. */
function respond(
  { x, v }: Views,
  out: Float64Array,
  o: number,
  { nx, ny, nz, px, py, pz, friction, h }: PlaneContact,
  approach: number,
  away: number,
): void {
  const [bx, by, bz] = [v[o], v[o + 1], v[o + 2]];
  const m = x[o + MASS];
  const impulse = m * (approach + away);
  out[PlaneSums.PRESSED] += impulse * nx;
  out[PlaneSums.PRESSED + 1] += impulse * ny;
  out[PlaneSums.PRESSED + 2] += impulse * nz;
  const [ux, uy, uz] = [bx + approach * nx, by + approach * ny, bz + approach * nz];
  const sliding = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const stopping = friction * (approach + away);
  const keep = sliding > stopping ? 1 - stopping / sliding : 0;
  const back = 1 - keep;
  x[o] -= h * back * ux;
  x[o + 1] -= h * back * uy;
  x[o + 2] -= h * back * uz;
  v[o] = keep * ux + away * nx;
  v[o + 1] = keep * uy + away * ny;
  v[o + 2] = keep * uz + away * nz;
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
