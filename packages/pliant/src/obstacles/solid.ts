import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { type Contact, respond, setVelocity } from './respond.js';
import { meetReaching, newHit, type Shape } from './shape.js';

/** Contacts of one particle with one obstacle in one step: in a groove of a mesh it is put out of one side after the other. */
const MAX_TOUCHES = 8;

/**
 * Particles are put this share of their coordinates above a surface: f32 rounds each coordinate by up to 2⁻²⁴ of it, and a
 * particle that lands on the wrong side of a thin wall is through it.
 */
const LIFT = 1 / 4194304;

const began = new Float64Array(3);
const ended = new Float64Array(3);
const normal = new Float64Array(3);
const hit = newHit();
const inside = newHit();
/** How deep the particle of the last contact stays in the obstacle (m). */
let left = 0;

/**
 * Puts every particle of a range that is in the obstacle, or went through it in this step, onto its surface; returns whether
 * there was one. `reach` is how far the body goes on beyond each particle, `spared` marks rows that pass through.
 */
export function collideSolid(
  s: Views,
  start: number,
  end: number,
  collider: Collider,
  contact: Contact,
  reach?: Float32Array,
  spared?: Uint8Array,
): boolean {
  const { x, xOld, flags } = s;
  const shape = collider.shape as Shape;
  const { bounds } = collider;
  const minX = bounds[0];
  const minY = bounds[1];
  const minZ = bounds[2];
  const maxX = bounds[3];
  const maxY = bounds[4];
  const maxZ = bounds[5];
  let touched = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    const r = reach ? reach[i] : 0;
    if (isBeyond(x[o], xOld[o], minX - r, maxX + r)) continue;
    if (isBeyond(x[o + 1], xOld[o + 1], minY - r, maxY + r)) continue;
    if (isBeyond(x[o + 2], xOld[o + 2], minZ - r, maxZ + r)) continue;
    if (spared?.[i] || flags[i] & Flag.HELD) continue;
    for (let n = 0; n < MAX_TOUCHES && touch(s, o, collider, shape, contact, r); n++) {
      touched = true;
      // One on its way out is still inside.
      if (left > 0) break;
    }
  }
  return touched;
}

/** Whether a coordinate stays on one side of a range all along its way. */
const isBeyond = (to: number, from: number, min: number, max: number) =>
  to < min ? from < min : to > max && from > max;

/**
 * One contact, if there is one. The particle's way is seen from the obstacle: its start from where the obstacle was at the start
 * of the step, its end from where it is now, so that moving and turning obstacles are met like standing ones.
 */
function touch(s: Views, o: number, collider: Collider, shape: Shape, contact: Contact, reach: number): boolean {
  const { x, xOld, v } = s;
  collider.from.ownInto(began, xOld[o], xOld[o + 1], xOld[o + 2]);
  collider.to.ownInto(ended, x[o], x[o + 1], x[o + 2]);
  if (!meetReaching(shape, hit, began[0], began[1], began[2], ended[0], ended[1], ended[2], reach)) return false;
  collider.to.turnInto(normal, hit.nx, hit.ny, hit.nz);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  // As large as the coordinates on the surface are, not where a long step left them.
  const surface =
    Math.abs(x[o] + hit.depth * nx) + Math.abs(x[o + 1] + hit.depth * ny) + Math.abs(x[o + 2] + hit.depth * nz);
  left = 0;
  if (collider.exitSpeed < Number.POSITIVE_INFINITY) {
    // One that was inside at the start of the step comes nearer to the surface by no more than it may; where it meets it again nothing is left to do.
    if (meetReaching(shape, inside, began[0], began[1], began[2], began[0], began[1], began[2], reach))
      left = Math.max(0, inside.depth - collider.exitSpeed * contact.h);
  }
  const out = left > 0 ? Math.max(0, hit.depth - left) : hit.depth + LIFT * surface;
  x[o] += out * nx;
  x[o + 1] += out * ny;
  x[o + 2] += out * nz;
  respond(s, o, nx, ny, nz, collider, contact);
  const { momentumScale: share, velocity: u } = collider;
  if (share !== 0) setVelocity(s, o, v[o] + share * u[0], v[o + 1] + share * u[1], v[o + 2] + share * u[2], collider);
  return true;
}
