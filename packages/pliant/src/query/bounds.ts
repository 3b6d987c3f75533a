import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Ray } from './ray.js';

/**
 * Current boxes of bodies and clusters: lowest x y z, highest x y z (m). A particle that is not finite makes its boxes so, and such boxes
 * meet nothing.
 *
 * The boxes of contact (`treeBox`) are not used. They are of the last step, and users move particles between steps. Refitting them here
 * would change the next contact of a sleeping body. As every box has to be computed anew, a tree over them would save nothing.
 */
export type Box = Float64Array;
export const newBox = (): Box => new Float64Array(6);

/** out := box of a body's particles. */
export function bodyBoxInto(out: Box, { x }: Views, { particleStart, particleEnd }: Rows): void {
  clear(out);
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) include(out, x, o);
}

/** out := box of a cluster's members. */
export function clusterBoxInto(out: Box, s: Views, c: number): void {
  clear(out);
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) include(out, s.x, 4 * s.memberParticle[k]);
}

function clear(box: Box): void {
  box.fill(Number.POSITIVE_INFINITY, 0, 3);
  box.fill(Number.NEGATIVE_INFINITY, 3, 6);
}

function include(box: Box, x: Float32Array, o: number): void {
  for (let a = 0; a < 3; a++) {
    box[a] = Math.min(box[a], x[o + a]);
    box[3 + a] = Math.max(box[3 + a], x[o + a]);
  }
}

/** Largest stretch of a cluster for which its surface lies within its box grown by `padOf`, which is computed from the rest shape. */
const MOST_STRETCH = 4;

/**
 * Largest distance (m) of a cluster's surface from its members' box: for an implicit surface the contact pad, for a convex proxy the radius
 * of its sphere, whose centre lies within the box.
 */
export const padOf = (s: Views, c: number, { core: { contact } }: Body) =>
  MOST_STRETCH * (s.surfaceParameters[2 * c] > 0 ? contact.pad : s.proxyRadius[c]);

/** The largest `padOf` of a body's clusters. */
export function bodyPad(s: Views, body: Body): number {
  let pad = 0;
  for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) pad = Math.max(pad, padOf(s, c, body));
  return pad;
}

/** Whether a ray meets a box grown by `pad` before `limit` (slab test). */
export function rayMeets(box: Box, pad: number, { origin, direction }: Ray, limit: number): boolean {
  let enter = 0;
  let leave = limit;
  for (let a = 0; a < 3; a++) {
    const low = box[a] - pad - origin[a];
    const high = box[3 + a] + pad - origin[a];
    const d = direction[a];
    if (d === 0) {
      if (!(low <= 0 && high >= 0)) return false;
      continue;
    }
    const [first, last] = d > 0 ? [low / d, high / d] : [high / d, low / d];
    enter = Math.max(enter, first);
    leave = Math.min(leave, last);
  }
  return enter <= leave;
}

/** Distance from a point to a box; 0 inside, NaN if the box is not finite. */
export function boxDistance(box: Box, p: ArrayLike<number>): number {
  let sum = 0;
  for (let a = 0; a < 3; a++) sum += squared(Math.max(box[a] - p[a], 0, p[a] - box[3 + a]));
  return Math.sqrt(sum);
}
