import type { Body } from '../body/body.js';
import type { Clamp } from '../external/clamp.js';
import { groupsMeet } from '../groups.js';
import type { World } from '../world.js';
import type { Collider } from './collider.js';
import { collidePlane } from './plane.js';
import { comesNear, forgetReach, forgetReaches } from './reach.js';
import { collideResearch } from './research.js';
import type { Contact } from './respond.js';
import { collideSolid } from './solid.js';

/** Sweeps over all standing planes until a particle in a corner is behind none; contradictory planes end it here. */
const MAX_PLANE_SWEEPS = 16;

/** Passes over all obstacles for bodies that touch several; a body between contradictory ones ends them here. */
const MAX_PASSES = 4;

/**
 * End of a step: particles against the colliders, in the order these were added; standing planes first and together.
 * Corrections of positions do not become velocity: the velocity is changed on its own, by contact. Plain TypeScript in both
 * backends: a few comparisons a particle and collider, well below the cost of one pass over the memberships.
 */
export function collide(world: World): void {
  // What falling for one step adds to the speed of a resting particle; twice that is not a bounce.
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

  for (let b = 0; b < bodies.length; b++) if (isMet(bodies[b])) touches[b] = collideStanding(world, b) ? 1 : 0;
  for (const actor of world.core.actors) {
    if (!isCollider(actor)) {
      if (actor.active && actor.drive === 'velocity') actor.push(world.state.views);
    } else if (!isStandingPlane(actor) && !isOver(world, actor))
      for (let b = 0; b < bodies.length; b++) if (isMet(bodies[b])) collideOne(world, b, actor);
  }
  for (let b = 0; b < bodies.length; b++) {
    if (!isMet(bodies[b])) continue;
    if (touches[b] > 0) bodies[b].core.restState.grounded = true;
    collideAgain(world, b);
  }
}

/** Filled in anew in every step; a step allocates nothing. */
const contact: Contact = { h: 0, restThreshold: 0 };

/** Per body: how many obstacles touched it in this pass, all standing planes as one. */
let touches = new Uint32Array(64);

/** The one place that says which bodies meet obstacles. */
const isMet = (body: Body) => body.active;

/** Whether obstacles meet its surface and not its particles; those of the papers' law always meet points. */
const hasReach = (body: Body) => body.core.contact.settings.obstacles === 'surface';

const isCollider = (actor: Collider | Clamp): actor is Collider => 'type' in actor;
const isStandingPlane = (c: Collider) => c.type === 'plane' && c.except === undefined && c.stands;

function collideStanding(world: World, b: number): boolean {
  const s = world.state.views;
  const { rows, groups } = world.bodies[b];
  const { particleStart, particleEnd } = rows;
  const reach = hasReach(world.bodies[b]) ? s.reach : undefined;
  let moved = false;
  for (let sweep = 0; sweep < MAX_PLANE_SWEEPS; sweep++) {
    let touched = false;
    for (const plane of world.core.allColliders) {
      if (!isStandingPlane(plane) || isOver(world, plane) || !groupsMeet(groups, plane.groups)) continue;
      const met =
        plane.law === 'research'
          ? collideResearch(s, particleStart, particleEnd, plane, 0)
          : collidePlane(s, particleStart, particleEnd, plane, contact, reach);
      touched ||= met;
    }
    if (!touched) break;
    moved = true;
  }
  if (moved) forgetReach(b);
  return moved;
}

function collideOne(world: World, b: number, collider: Collider): void {
  const s = world.state.views;
  const body = world.bodies[b];
  if (!groupsMeet(body.groups, collider.groups)) return;
  const { particleStart, particleEnd } = body.rows;
  const reach = hasReach(body) ? s.reach : undefined;
  const spared = collider.except && world.core.maskOf(collider.except);
  let touched = false;
  if (collider.law === 'research') {
    // Counts for no further pass: the research code has one.
    if (collideResearch(s, particleStart, particleEnd, collider, ageOf(world, collider), spared)) forgetReach(b);
  } else if (collider.type === 'plane')
    touched = collidePlane(s, particleStart, particleEnd, collider, contact, reach, spared);
  else if (comesNear(s, b, particleStart, particleEnd, collider.bounds, reach ? body.core.contact.pad : 0))
    touched = collideSolid(s, particleStart, particleEnd, collider, contact, reach, spared);
  if (!touched) return;
  touches[b]++;
  forgetReach(b);
}

/** What one obstacle puts into, or through, another is put back: further passes while more than one touches the body. */
function collideAgain(world: World, b: number): void {
  for (let pass = 1; pass < MAX_PASSES && touches[b] > 1; pass++) {
    touches[b] = collideStanding(world, b) ? 1 : 0;
    for (const collider of world.core.allColliders)
      if (collider.law === 'coulomb' && !isStandingPlane(collider) && !isOver(world, collider))
        collideOne(world, b, collider);
  }
}

/** Seconds it has moved at the end of the step; the research code moves its obstacles to the step's start. */
const ageOf = (world: Pick<World, 'time' | 'h'>, c: Collider) =>
  world.time + (c.law === 'coulomb' ? world.h : 0) - c.since;
const isOver = (world: World, c: Collider) => !c.enabled || hasExpired(world, c);

/** Whether its lifetime is over: it meets nothing in this step, or between two steps in the next. */
export const hasExpired = (world: Pick<World, 'time' | 'h'>, c: Collider): boolean => ageOf(world, c) > c.lifetime;
