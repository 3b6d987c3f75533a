import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { respond } from './respond.js';

/** How far the research code lifts a particle above a static plane, and what share of its velocity it leaves. */
const RESEARCH_LIFT = 1e-5;
const RESEARCH_KEEP = 0.4;

/** Puts a particle that is behind the plane onto it; returns whether it was. `offset` is the plane's at this time. */
export function collidePlane(s: Views, i: number, plane: Collider, offset: number, restThreshold: number): boolean {
  const { x, v } = s;
  const o = 4 * i;
  const [nx, ny, nz] = plane.direction;
  const depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
  if (!(depth > 0)) return false;
  if (plane.law === 'coulomb') {
    x[o] += depth * nx;
    x[o + 1] += depth * ny;
    x[o + 2] += depth * nz;
    respond(v, o, nx, ny, nz, plane, restThreshold);
    return true;
  }
  const lift = depth + (plane.except ? 0 : RESEARCH_LIFT);
  const along = v[o] * nx + v[o + 1] * ny + v[o + 2] * nz;
  x[o] += lift * nx;
  x[o + 1] += lift * ny;
  x[o + 2] += lift * nz;
  v[o] = RESEARCH_KEEP * (v[o] - along * nx);
  v[o + 1] = RESEARCH_KEEP * (v[o + 1] - along * ny);
  v[o + 2] = RESEARCH_KEEP * (v[o + 2] - along * nz);
  return true;
}
