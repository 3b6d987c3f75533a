import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { type Contact, respond } from './respond.js';

/** How far the research code lifts a particle above a static plane, and what share of its velocity it leaves. */
const RESEARCH_LIFT = 1e-5;
const RESEARCH_KEEP = 0.4;

/**
 * Puts every particle of a range that is behind the plane onto it; returns whether there was one. `offset` is the plane's at
 * this time, `spared` marks rows that pass through.
 */
export function collidePlane(
  s: Views,
  start: number,
  end: number,
  plane: Collider,
  offset: number,
  contact: Contact,
  spared?: Uint8Array,
): boolean {
  const { x } = s;
  const [nx, ny, nz] = plane.direction;
  const research = plane.law === 'research';
  let touched = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    const depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    if (!(depth > 0) || spared?.[i]) continue;
    if (research) leaveResearchPlane(s, o, plane, depth);
    else if (!(s.flags[i] & Flag.HELD)) {
      x[o] += depth * nx;
      x[o + 1] += depth * ny;
      x[o + 2] += depth * nz;
      respond(s, o, nx, ny, nz, plane, contact);
    } else continue;
    touched = true;
  }
  return touched;
}

/** The research code's static planes lift a little further than the surface, its moving ones do not. */
function leaveResearchPlane({ x, v }: Views, o: number, plane: Collider, depth: number): void {
  const [nx, ny, nz] = plane.direction;
  const lift = depth + (plane.except ? 0 : RESEARCH_LIFT);
  const along = v[o] * nx + v[o + 1] * ny + v[o + 2] * nz;
  x[o] += lift * nx;
  x[o + 1] += lift * ny;
  x[o + 2] += lift * nz;
  v[o] = RESEARCH_KEEP * (v[o] - along * nx);
  v[o + 1] = RESEARCH_KEEP * (v[o + 1] - along * ny);
  v[o + 2] = RESEARCH_KEEP * (v[o + 2] - along * nz);
}
