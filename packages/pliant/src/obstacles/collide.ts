import type { Body } from '../body/body.js';
import type { Clamp } from '../external/clamp.js';
import { groupsMeet } from '../groups.js';
import type { World } from '../world.js';
import type { Collider } from './collider.js';
import { gatherPlane, gatherSolid } from './gather.js';
import { collidePlane, isMetInKernel, listNear, meetPlane } from './plane.js';
import { comesNear, forgetReach, forgetReaches } from './reach.js';
import { collideResearch } from './research.js';
import type { Contact } from './respond.js';
import { collideSolid } from './solid.js';
import { SurfaceReach } from './surfaceReach.js';

/**
 * Largest number of sweeps over all standing planes. Sweeps end earlier when no particle is behind a plane; only contradictory planes reach
 * the limit.
 */
const MAX_PLANE_SWEEPS = 16;

/** Largest number of passes over all obstacles for a body that touches several. Only a body between contradictory obstacles reaches it. */
const MAX_PASSES = 4;

/**
 * End of a step: resolves contact of particles with the colliders, in the order in which these were added; standing planes first and
 * together. Position corrections do not become velocity: contact changes the velocity separately. The only plane of a world is
 * met in a kernel; all else is TypeScript in both backends, at a few comparisons for each particle and collider.
 */
export function collide(world: World): void {
  // Twice the speed that gravity adds in one step: an approach below it is rest, not a bounce.
  const [gx, gy, gz] = world.gravity;
  contact.h = world.h;
  contact.restThreshold = 2 * Math.sqrt(gx * gx + gy * gy + gz * gz) * world.h;
  const {
    bodies,
    core: { allColliders: colliders },
  } = world;
  forgetReaches(bodies.length);
  if (touches.length < bodies.length) touches = new Uint32Array(2 * bodies.length);
  for (const collider of colliders) collider.advance(world.time, world.h, world.core.substepsLeft);

  world.core.rigidContacts.obstacles.clear();
  for (let b = 0; b < bodies.length; b++) {
    if (!isMet(bodies[b])) continue;
    bodies[b].core.restState.unpress();
    touches[b] = collideStanding(world, b) ? 1 : 0;
  }
  for (const actor of world.core.actors) {
    if (!isCollider(actor)) {
      if (actor.active && actor.drive === 'velocity') actor.push(world.state.views);
    } else if (!isStandingPlane(actor) && !isOver(world, actor))
      for (let b = 0; b < bodies.length; b++) if (isMet(bodies[b])) collideOne(world, b, actor);
  }
  for (let b = 0; b < bodies.length; b++) {
    if (isGathered(bodies[b])) gather(world, b);
    if (!isMet(bodies[b])) continue;
    if (touches[b] > 0) bodies[b].core.restState.grounded = true;
    collideAgain(world, b);
  }
  // A world that nobody uses any more is not kept by these.
  planes.length = 0;
  surface.forget();
}

/** Refilled in every step, so that a step allocates nothing. */
const contact: Contact = { h: 0, restThreshold: 0, isAgain: false };

/** Of the body that is moved. */
const surface = new SurfaceReach();

/** The planes that particles are listed for. Refilled for each body. */
const planes: Collider[] = [];

/** Per body: number of obstacles that touched it in this pass; all standing planes count as one. */
let touches = new Uint32Array(64);

/** The only definition of which bodies meet obstacles by their particles, and of which as a whole. */
const isMet = (body: Body) => body.active && !body.core.law?.rigid;
const isGathered = (body: Body) => body.active && body.core.law?.rigid === true;

/** Whether obstacles meet the body's surface instead of its particles. Obstacles of the research law always meet particles. */
const hasReach = (body: Body) => body.core.contact.settings.obstacles === 'surface';

const isCollider = (actor: Collider | Clamp): actor is Collider => 'type' in actor;
const isStandingPlane = (c: Collider) => c.type === 'plane' && c.except === undefined && c.stands;

function collideStanding(world: World, b: number): boolean {
  const s = world.state.views;
  contact.pressed = world.bodies[b].core.restState;
  const { rows, groups } = world.bodies[b];
  const { particleStart, particleEnd } = rows;
  const reach = hasReach(world.bodies[b]) ? surface.take(s, world.kernels, world.bodies[b]) : undefined;
  let count = 0;
  for (const plane of world.core.allColliders)
    if (isStandingPlane(plane) && !isOver(world, plane) && groupsMeet(groups, plane.groups)) planes[count++] = plane;
  if (count === 0) return false;
  // Most worlds have one plane.
  if (count === 1 && isMetInKernel(planes[0]) && !contact.isAgain) {
    if (!meetPlane(world.kernels, particleStart, particleEnd, planes[0], contact, reach)) return false;
    planes[0].meet(world.bodies[b]);
    forgetReach(b);
    return true;
  }
  // A shorter list loses its memory: most bodies have as many planes as the body before.
  if (planes.length > count) planes.length = count;
  // Planes of the research law may move any particle.
  const far = planes.some(({ law }) => law === 'research') ? Number.POSITIVE_INFINITY : (reach?.far ?? 0);
  listNear(s, particleStart, particleEnd, planes, far);
  const { isAgain } = contact;
  let moved = false;
  let only: Collider | undefined;
  for (let sweep = 0; sweep < MAX_PLANE_SWEEPS; sweep++) {
    contact.isAgain = isAgain || sweep > 0;
    let [touched, last]: [number, Collider | undefined] = [0, undefined];
    for (const plane of planes) {
      // The particles behind the only plane that was met lie on it now, up to rounding.
      if (plane === only) continue;
      const met =
        plane.law === 'research'
          ? collideResearch(s, particleStart, particleEnd, plane, 0)
          : collidePlane(s, plane, contact, reach);
      if (!met) continue;
      plane.meet(world.bodies[b]);
      touched++;
      last = plane;
    }
    if (touched === 0) break;
    moved = true;
    only = touched === 1 ? last : undefined;
  }
  contact.isAgain = isAgain;
  if (moved) forgetReach(b);
  return moved;
}

function collideOne(world: World, b: number, collider: Collider): void {
  const s = world.state.views;
  const body = world.bodies[b];
  if (!groupsMeet(body.groups, collider.groups)) return;
  // Resistance to rolling and the damping of a bounce give no impulse back. A collider that is led may stand for a rigid body, whose momentum counts.
  contact.pressed = collider.isLed ? undefined : body.core.restState;
  const { particleStart, particleEnd } = body.rows;
  const reach = hasReach(body) ? surface.take(s, world.kernels, body) : undefined;
  const spared = collider.except && world.core.maskOf(collider.except);
  let touched = false;
  if (collider.law === 'research') {
    // Does not count towards further passes: the research code has one pass.
    if (collideResearch(s, particleStart, particleEnd, collider, ageOf(world, collider), spared)) {
      collider.meet(body);
      forgetReach(b);
    }
  } else if (collider.type === 'plane') {
    planes[0] = collider;
    planes.length = 1;
    listNear(s, particleStart, particleEnd, planes, reach?.far ?? 0);
    touched = collidePlane(s, collider, contact, reach, spared);
  } else if (comesNear(s, b, particleStart, particleEnd, collider.bounds, reach?.far ?? 0))
    touched = collideSolid(s, particleStart, particleEnd, collider, contact, reach, spared);
  if (!touched) return;
  collider.meet(body);
  touches[b]++;
  forgetReach(b);
}

/** Lists the contacts of a rigid body. Obstacles that change velocities by laws of their own meet its particles. */
function gather(world: World, b: number): void {
  const s = world.state.views;
  const body = world.bodies[b];
  const { particleStart, particleEnd } = body.rows;
  const reach = hasReach(body) ? s.reach : undefined;
  const { margin } = body.core;
  for (const collider of world.core.allColliders) {
    if (isOver(world, collider) || !groupsMeet(body.groups, collider.groups)) continue;
    if (collider.law === 'research' || collider.momentumScale !== 0) {
      collideOne(world, b, collider);
      continue;
    }
    const spared = collider.except && world.core.maskOf(collider.except);
    let met = false;
    if (collider.type === 'plane')
      met = gatherPlane(
        world.core.rigidContacts.obstacles,
        s,
        particleStart,
        particleEnd,
        collider,
        margin,
        reach,
        spared,
      );
    else if (comesNear(s, b, particleStart, particleEnd, collider.bounds, margin + (reach ? body.core.contact.pad : 0)))
      met = gatherSolid(world, particleStart, particleEnd, collider, margin, reach, spared);
    if (!met) continue;
    collider.meet(body);
    body.core.restState.grounded = true;
  }
}

/** Makes further passes while more than one obstacle touches the body, because one obstacle may push particles into or through another. */
function collideAgain(world: World, b: number): void {
  contact.isAgain = true;
  for (let pass = 1; pass < MAX_PASSES && touches[b] > 1; pass++) {
    touches[b] = collideStanding(world, b) ? 1 : 0;
    for (const collider of world.core.allColliders)
      if (collider.law === 'coulomb' && !isStandingPlane(collider) && !isOver(world, collider))
        collideOne(world, b, collider);
  }
  contact.isAgain = false;
}

/** Time (s) that it has moved at the end of the step. The research code moves its obstacles to their pose at the start of the step. */
const ageOf = (world: Pick<World, 'time' | 'h'>, c: Collider) =>
  world.time + (c.law === 'coulomb' ? world.h : 0) - c.since;
const isOver = (world: World, c: Collider) => !c.enabled || hasExpired(world, c);

/** Whether its lifetime is over. Asked within a step: for this step; asked between two steps: for the next. */
export const hasExpired = (world: Pick<World, 'time' | 'h'>, c: Collider): boolean => ageOf(world, c) > c.lifetime;
