import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { type Contact, respond } from './respond.js';
import type { SurfaceReach } from './surfaceReach.js';

const normal = new Float64Array(3);

/**
 * Moves every particle of a range that is behind the plane onto it; returns whether there was one. No sweep is needed: a half-space has no
 * far side, so a particle behind it at the end of a step is found at any speed. `reach`: how far the body's surface extends beyond its
 * particles. `spared` marks rows that pass through.
 */
export function collidePlane(
  s: Views,
  start: number,
  end: number,
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
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    let depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    if (reach) {
      if (!(depth + reach.far > 0)) continue;
      depth += reach.along(i, nx, ny, nz);
    }
    if (!(depth > 0) || spared?.[i] || s.flags[i] & Flag.HELD) continue;
    x[o] += depth * nx;
    x[o + 1] += depth * ny;
    x[o + 2] += depth * nz;
    respond(s, o, nx, ny, nz, plane, contact);
    touched = true;
  }
  return touched;
}

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
