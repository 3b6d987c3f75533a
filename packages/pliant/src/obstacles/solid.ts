import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { pressParticle } from './pressParticle.js';
import { type Contact, setVelocity } from './respond.js';
import { meetReaching, newHit, type Shape } from './shape.js';
import type { SurfaceReach } from './surfaceReach.js';

/**
 * Largest number of contacts of one particle with one obstacle in a step. In a groove of a mesh a particle is moved out of one side after
 * the other.
 */
const MAX_TOUCHES = 8;

/**
 * Particles are placed above a surface by this share of their coordinates. f32 rounds each coordinate by up to 2⁻²⁴ of it, and a particle
 * on the wrong side of a thin wall has passed it.
 */
const LIFT = 1 / 4194304;

const began = new Float64Array(3);
const ended = new Float64Array(3);
const normal = new Float64Array(3);
const hit = newHit();
const inside = newHit();
/** Depth (m) at which the last contact left its particle in the obstacle. */
let left = 0;

/**
 * Moves every particle of a range that is in the obstacle, or went through it in this step, onto its surface; returns whether there was
 * one. `reach`: how far the body's surface extends beyond its particles. `spared` marks rows that pass through.
 */
export function collideSolid(
  s: Views,
  start: number,
  end: number,
  collider: Collider,
  contact: Contact,
  reach?: SurfaceReach,
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
  const r = reach ? reach.far : 0;
  const gives = reach !== undefined && reach.half > 0 && canPress(collider);
  let touched = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    if (isBeyond(x[o], xOld[o], minX - r, maxX + r)) continue;
    if (isBeyond(x[o + 1], xOld[o + 1], minY - r, maxY + r)) continue;
    if (isBeyond(x[o + 2], xOld[o + 2], minZ - r, maxZ + r)) continue;
    if (spared?.[i] || flags[i] & Flag.HELD) continue;
    for (let n = 0; n < MAX_TOUCHES && touch(s, o, collider, shape, contact, reach); n++) {
      touched = true;
      // A particle limited by exitSpeed is still inside, and a layer that is pressed still overlaps; another contact would find them again.
      if (left > 0 || gives) break;
    }
  }
  return touched;
}

/**
 * Whether an obstacle presses the layers beyond particles together. In a groove of a mesh a particle touches two sides, and only the nearer one would be found. Obstacles with an exit speed or a scale of momentum change
 * velocities by laws of their own.
 */
const canPress = ({ type, exitSpeed, momentumScale }: Collider) =>
  type !== 'mesh' && exitSpeed === Number.POSITIVE_INFINITY && momentumScale === 0;

/** Whether a coordinate stays outside a range, on one side, along its whole path. */
const isBeyond = (to: number, from: number, min: number, max: number) =>
  to < min ? from < min : to > max && from > max;

/**
 * Resolves one contact, if there is one. The particle's path is taken in the obstacle's coordinates: its start relative to the obstacle's
 * pose at the start of the step, its end relative to the pose at the end. So moving and turning obstacles are treated like standing ones.
 */
function touch(s: Views, o: number, collider: Collider, shape: Shape, contact: Contact, reach?: SurfaceReach): boolean {
  const { x, xOld, v } = s;
  collider.from.ownInto(began, xOld[o], xOld[o + 1], xOld[o + 2]);
  collider.to.ownInto(ended, x[o], x[o + 1], x[o + 2]);
  const far = reach ? reach.far : 0;
  if (!meetReaching(shape, hit, began[0], began[1], began[2], ended[0], ended[1], ended[2], far)) return false;
  collider.to.turnInto(normal, hit.nx, hit.ny, hit.nz);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  // The surface ends nearer than `far` in the direction of the contact.
  const beyond = reach ? reach.along(o / 4, nx, ny, nz) : 0;
  const short = far - beyond;
  hit.depth -= short;
  if (!(hit.depth > 0)) return false;
  // Size of the coordinates at the surface, not at the end of a long step.
  const surface =
    Math.abs(x[o] + hit.depth * nx) + Math.abs(x[o + 1] + hit.depth * ny) + Math.abs(x[o + 2] + hit.depth * nz);
  left = 0;
  if (collider.exitSpeed < Number.POSITIVE_INFINITY) {
    // `left` is the depth that a particle which began the step inside keeps: it approaches the surface by at most exitSpeed · h. A particle
    // that is already less deep is not moved out.
    if (meetReaching(shape, inside, began[0], began[1], began[2], began[0], began[1], began[2], far))
      left = Math.max(0, inside.depth - short - collider.exitSpeed * contact.h);
  }
  const depth = left > 0 ? Math.max(0, hit.depth - left) : hit.depth;
  const lift = left > 0 ? 0 : LIFT * surface;
  const layer = canPress(collider) ? reach : undefined;
  if (!pressParticle(s, o, nx, ny, nz, depth, beyond, lift, collider, contact, layer)) return false;
  const { momentumScale: share, velocity: u } = collider;
  if (share !== 0) setVelocity(s, o, v[o] + share * u[0], v[o + 1] + share * u[1], v[o + 2] + share * u[2], collider);
  return true;
}
