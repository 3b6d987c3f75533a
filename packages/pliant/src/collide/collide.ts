import type { Clamp } from '../drive/clamp.js';
import { Flag } from '../state/flags.js';
import type { World } from '../world.js';
import type { Collider } from './collider.js';
import { collidePlane } from './plane.js';
import { collideRound } from './round.js';

/** Sweeps over all standing planes until a particle in a corner is behind none; contradictory planes end it here. */
const MAX_PLANE_SWEEPS = 16;

/**
 * End of a step: particles against the colliders, in the order these were added; standing planes first and together.
 * Corrections of positions do not become velocity: the velocity is changed on its own, by contact.
 */
export function collide(world: World): void {
  // What falling for one step adds to the speed of a resting particle; twice that is not a bounce.
  const restThreshold = 2 * Math.hypot(...world.gravity) * world.dt;
  const standing = world.colliders.filter(isStanding);
  if (standing.length > 0) collideStanding(world, standing, restThreshold);
  for (const actor of world.actors) {
    if (isCollider(actor)) {
      if (!isStanding(actor)) collideOne(world, actor, restThreshold);
    } else if (actor.active && actor.drive === 'velocity') actor.push(world.state.views);
  }
}

const isCollider = (actor: Collider | Clamp): actor is Collider => 'type' in actor;
const isStanding = (c: Collider) => c.type === 'plane' && c.except === undefined && c.velocity.every((u) => u === 0);

function collideStanding(world: World, planes: Collider[], restThreshold: number): void {
  const s = world.state.views;
  for (const { rows, enabled } of world.bodies) {
    if (!enabled) continue;
    for (let i = rows.particleStart; i < rows.particleEnd; i++) {
      const held = (s.flags[i] & Flag.HELD) !== 0;
      for (let sweep = 0; sweep < MAX_PLANE_SWEEPS; sweep++) {
        let touched = false;
        for (const plane of planes)
          if (!(held && plane.law === 'coulomb'))
            touched = collidePlane(s, i, plane, plane.offset, restThreshold) || touched;
        if (!touched) break;
      }
    }
  }
}

function collideOne(world: World, collider: Collider, restThreshold: number): void {
  const s = world.state.views;
  // The research code moves its obstacles to the time at which the step began.
  const age = world.time + (collider.law === 'coulomb' ? world.dt : 0) - collider.since;
  if (age > collider.lifetime) return;
  const { origin, velocity, direction, type } = collider;
  const [cx, cy, cz] = [0, 1, 2].map((a) => origin[a] + age * velocity[a]);
  const offset =
    collider.offset + age * (direction[0] * velocity[0] + direction[1] * velocity[1] + direction[2] * velocity[2]);
  const spared = collider.except ? world.maskOf(collider.except) : undefined;
  for (const { rows, enabled } of world.bodies) {
    if (!enabled) continue;
    for (let i = rows.particleStart; i < rows.particleEnd; i++) {
      if (spared?.[i] || (collider.law === 'coulomb' && s.flags[i] & Flag.HELD)) continue;
      if (type === 'plane') collidePlane(s, i, collider, offset, restThreshold);
      else collideRound(s, i, collider, cx, cy, cz, restThreshold);
    }
  }
}
