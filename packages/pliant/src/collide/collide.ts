import type { Clamp } from '../drive/clamp.js';
import type { World } from '../world.js';
import type { Collider } from './collider.js';
import { collidePlane } from './plane.js';
import type { Contact } from './respond.js';
import { collideRound } from './round.js';

/** Sweeps over all standing planes until a particle in a corner is behind none; contradictory planes end it here. */
const MAX_PLANE_SWEEPS = 16;

/**
 * End of a step: particles against the colliders, in the order these were added; standing planes first and together.
 * Corrections of positions do not become velocity: the velocity is changed on its own, by contact. Plain TypeScript in both
 * backends: a few comparisons a particle and collider, well below the cost of one pass over the memberships.
 */
export function collide(world: World): void {
  // What falling for one step adds to the speed of a resting particle; twice that is not a bounce.
  const [gx, gy, gz] = world.gravity;
  contact.h = world.dt;
  contact.restThreshold = 2 * Math.sqrt(gx * gx + gy * gy + gz * gz) * world.dt;
  collideStanding(world, contact);
  for (const actor of world.actors) {
    if (isCollider(actor)) {
      if (!isStanding(actor)) collideOne(world, actor, contact);
    } else if (actor.active && actor.drive === 'velocity') actor.push(world.state.views);
  }
}

/** Filled in anew in every step; a step allocates nothing. */
const contact: Contact = { h: 0, restThreshold: 0 };
const centre = [0, 0, 0];

const isCollider = (actor: Collider | Clamp): actor is Collider => 'type' in actor;
const isStanding = (c: Collider) => c.type === 'plane' && c.except === undefined && c.velocity.every((u) => u === 0);

function collideStanding(world: World, contact: Contact): void {
  const s = world.state.views;
  for (const { rows, enabled } of world.bodies) {
    if (!enabled) continue;
    for (let sweep = 0; sweep < MAX_PLANE_SWEEPS; sweep++) {
      let touched = false;
      for (const plane of world.colliders)
        if (isStanding(plane) && !isOver(world, plane))
          touched = collidePlane(s, rows.particleStart, rows.particleEnd, plane, plane.offset, contact) || touched;
      if (!touched) break;
    }
  }
}

function collideOne(world: World, collider: Collider, contact: Contact): void {
  if (isOver(world, collider)) return;
  const s = world.state.views;
  const age = ageOf(world, collider);
  const { origin, velocity, direction, type } = collider;
  for (let a = 0; a < 3; a++) centre[a] = origin[a] + age * velocity[a];
  const along = direction[0] * velocity[0] + direction[1] * velocity[1] + direction[2] * velocity[2];
  const spared = collider.except ? world.maskOf(collider.except) : undefined;
  for (const { rows, enabled } of world.bodies) {
    if (!enabled) continue;
    const { particleStart, particleEnd } = rows;
    if (type === 'plane')
      collidePlane(s, particleStart, particleEnd, collider, collider.offset + age * along, contact, spared);
    else collideRound(s, particleStart, particleEnd, collider, centre, contact, spared);
  }
}

/** Seconds it has moved at the end of the step; the research code moves its obstacles to the step's start. */
const ageOf = (world: World, c: Collider) => world.time + (c.law === 'coulomb' ? world.dt : 0) - c.since;
const isOver = (world: World, c: Collider) => ageOf(world, c) > c.lifetime;
