import { checkKeys, checkNumber, withDefaults } from '../check.js';
import type { State } from '../state/state.js';
import { classify, clearClasses } from './classify.js';
import type { ContactMesh } from './contactMesh.js';
import { type Contacts, newContacts } from './contacts.js';
import { findCrossings } from './crossings.js';
import { DETOUR, findDepths } from './depth.js';
import { findDirections } from './directions.js';
import { fillHash, meetingBox, newTriangleHash } from './hash.js';
import { meshes, respond } from './respond.js';
import { clearTouch, newSurfaceTouch, type SurfaceTouch, sumTouches } from './touch.js';

/**
 * Contact of two closed surfaces without tetrahedra ([H07] 5, SPEC K5), after positions and velocities of a step are computed.
 *
 *   crossings   edges of one against triangles of the other, through a spatial hash, both ways
 *   classify    ends of crossed edges, border points, the colliding points flooded from them
 *   directions  of border points from their edges, of inner points from the border points
 *   depth       of border points from their edges, of inner points by ray cast
 *   respond     approaching velocity, friction and depth, of both bodies at once
 *
 * Limits: the method finds nothing where no edge crosses a triangle. A body wholly inside another is not pushed out. Two edges that cross
 * with no vertex inside (a wedge on a wedge) get no contact.
 */
export interface SurfaceContactOptions {
  /** μ of Coulomb friction. */
  friction?: number;
  /** e: ratio of separating to approaching speed, [0, 1]. */
  restitution?: number;
  /** γ: share of the depth that one call removes, [0, 1]. */
  gamma?: number;
  /** Approaching speed (m/s) below which nothing bounces. */
  restThreshold?: number;
  /** See DETOUR. */
  detour?: number;
}

export const SURFACE_CONTACT_DEFAULTS = {
  friction: 0.5,
  restitution: 0,
  gamma: 0.5,
  restThreshold: 0,
  detour: DETOUR,
} as const satisfies Required<SurfaceContactOptions>;

/** Results of the last call. One object, overwritten by every call. */
export interface SurfaceContactReport {
  contacts: number;
  /** Largest depth (m). */
  deepest: number;
  /** Σ |J| over all contacts (N s). */
  impulse: number;
}

/** Validates options and fills in defaults. */
export function resolveSurfaceContact(path: string, options: SurfaceContactOptions): Required<SurfaceContactOptions> {
  checkKeys(path, options, Object.keys(SURFACE_CONTACT_DEFAULTS));
  const all = withDefaults(SURFACE_CONTACT_DEFAULTS, options);
  return {
    friction: checkNumber(`${path}.friction`, all.friction, { min: 0 }),
    restitution: checkNumber(`${path}.restitution`, all.restitution, { min: 0, max: 1 }),
    gamma: checkNumber(`${path}.gamma`, all.gamma, { min: 0, max: 1 }),
    restThreshold: checkNumber(`${path}.restThreshold`, all.restThreshold, { min: 0 }),
    detour:
      all.detour === Number.POSITIVE_INFINITY ? all.detour : checkNumber(`${path}.detour`, all.detour, { min: 1 }),
  };
}

/** Two surfaces that may touch. For a body against itself, a and b are the same. */
export interface SurfacePair {
  a: ContactMesh;
  b: ContactMesh;
  options: Required<SurfaceContactOptions>;
  /** Contacts of the last call · collideSurfacePairs. */
  touch: SurfaceTouch;
}

export const newSurfacePair = (
  a: ContactMesh,
  b: ContactMesh,
  options: Required<SurfaceContactOptions> = SURFACE_CONTACT_DEFAULTS,
): SurfacePair => ({ a, b, options, touch: newSurfaceTouch() });

// Scratch, sized for the largest number of contacts so far.
const hash = newTriangleHash();
const contacts = newContacts();
const report: SurfaceContactReport = { contacts: 0, deepest: 0, impulse: 0 };

/**
 * Finds and resolves the contacts of the first `count` pairs. Their contact meshes must be up to date: call updateContactMesh on every
 * surface body once at the end of the step. Allocates nothing once its scratch has grown.
 *
 * Bodies that touch each other are solved together, whole stacks at once. Solving pair after pair lost: in a stack of two cubes on a slab,
 * the upper cube tilted the lower one after the lower one's contact with the slab was solved. The lower cube then carried the upper one off
 * (30 mm/s and growing). Bodies that are not connected through free bodies do not influence each other.
 *
 * `onTouch` is called for every pair with contacts before its contacts are resolved, so that it can wake sleeping bodies.
 */
export function collideSurfacePairs<Pair extends SurfacePair>(
  { state, h }: { state: State; h: number },
  pairs: readonly Pair[],
  count = pairs.length,
  onTouch?: (pair: Pair) => void,
): SurfaceContactReport {
  report.contacts = 0;
  report.deepest = 0;
  report.impulse = 0;
  for (let k = 0; k < count; k++) clearTouch(pairs[k].touch);
  const islands = labelIslands(pairs, count);
  for (let island = 0; island < islands; island++) {
    contacts.count = 0;
    meshes.length = 0;
    for (let k = 0; k < count; k++) {
      const { a, b, options } = pairs[k];
      if (a.island !== island && b.island !== island) continue;
      if (detectPair(a, b, options, k)) onTouch?.(pairs[k]);
    }
    if (contacts.count === 0) continue;
    report.contacts += contacts.count;
    for (let n = 0; n < contacts.count; n++) report.deepest = Math.max(report.deepest, contacts.normals[4 * n + 3]);
    report.impulse += respond(contacts, state.views, h);
    sumTouches(contacts, meshes, pairs);
  }
  return report;
}

const single: SurfacePair[] = [];

/** Finds and resolves the contacts of a single pair. */
export function collideSurfaces(
  world: { state: State; h: number },
  a: ContactMesh,
  b: ContactMesh,
  options: Required<SurfaceContactOptions> = SURFACE_CONTACT_DEFAULTS,
): SurfaceContactReport {
  if (single.length === 0) single.push(newSurfacePair(a, b));
  single[0].a = a;
  single[0].b = b;
  single[0].options = options;
  return collideSurfacePairs(world, single);
}

/** Finds the contacts of two contact meshes without resolving them. The next call overwrites them. */
export function detectSurfaces(a: ContactMesh, b: ContactMesh, detour: number = DETOUR): Contacts {
  contacts.count = 0;
  meshes.length = 0;
  detectPair(a, b, { ...SURFACE_CONTACT_DEFAULTS, detour }, 0);
  return contacts;
}

/**
 * Numbers the groups of free contact meshes that pairs connect, from 0; returns their number. Held meshes have the number −1 and connect
 * nothing, because a floor would join everything into one group.
 */
function labelIslands(pairs: readonly SurfacePair[], count: number): number {
  let islands = 0;
  for (let k = 0; k < count; k++) pairs[k].a.island = pairs[k].b.island = -1;
  for (let k = 0; k < count; k++) {
    const { a, b } = pairs[k];
    if (!a.isHeld && a.island < 0) a.island = islands++;
    if (!b.isHeld && b.island < 0) b.island = islands++;
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < count; k++) {
      const { a, b } = pairs[k];
      if (a.island < 0 || b.island < 0 || a.island === b.island) continue;
      a.island = b.island = Math.min(a.island, b.island);
      changed = true;
    }
  }
  return islands;
}

/** Adds the contacts of pair `number`; returns whether it has any. */
function detectPair(a: ContactMesh, b: ContactMesh, options: Required<SurfaceContactOptions>, number: number): boolean {
  if (!meetingBox(hash.box, a, b)) return false;
  const first = contacts.count;
  enlist(a);
  enlist(b);
  detectInto(contacts, a, b, options.detour);
  if (a !== b) detectInto(contacts, b, a, options.detour);
  for (let n = first; n < contacts.count; n++) {
    contacts.pairs[n] = number;
    contacts.laws[4 * n] = options.friction;
    contacts.laws[4 * n + 1] = options.restitution;
    contacts.laws[4 * n + 2] = options.gamma;
    contacts.laws[4 * n + 3] = options.restThreshold;
  }
  return contacts.count > first;
}

/** Numbers a contact mesh in the list of those that are solved together. */
function enlist(mesh: ContactMesh): void {
  if (meshes[mesh.motion.at] === mesh) return;
  mesh.motion.at = meshes.push(mesh) - 1;
}

function detectInto(into: Contacts, mesh: ContactMesh, other: ContactMesh, detour: number): void {
  clearClasses(mesh.classes);
  fillHash(hash, other);
  if (hash.candidateCount === 0 || findCrossings(mesh, other, hash) === 0) return;
  classify(mesh, other);
  findDirections(mesh);
  findDepths(into, mesh, other, detour);
}
