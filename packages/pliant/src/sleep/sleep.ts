import type { Body } from '../body/body.js';
import type { Collider } from '../collide/collider.js';
import type { World } from '../world.js';

/**
 * Bodies that have come to rest are not stepped: they cost nothing until something touches them. Bodies in contact fall asleep
 * together, when the last of them has been calm for a while; otherwise the lower half of a pile would freeze under the upper.
 */

/** Start of a step: an obstacle that moves wakes what it comes near. */
export function rouse({ bodies, colliders }: World): void {
  for (const collider of colliders)
    if (!collider.stands) for (const body of bodies) if (body.asleep && comesNear(collider, body)) body.wake();
}

function comesNear({ shape, bounds: b }: Collider, { contact }: Body): boolean {
  // A plane is everywhere.
  if (!shape) return true;
  const t = contact.tree.bounds;
  return b[0] <= t[3] && b[1] <= t[4] && b[2] <= t[5] && t[0] <= b[3] && t[1] <= b[4] && t[2] <= b[5];
}

/** End of a step: how fast every body moved, and which groups of touching bodies go to sleep. */
export function fallAsleep(world: World): void {
  const { bodies, state, dt, sleepSpeed, sleepAfter } = world;
  if (sleepSpeed === 0) return;
  let ready = false;
  for (const body of bodies) {
    if (!body.active) continue;
    body.speed = rmsSpeed(state.views.x, state.views.xOld, body, dt);
    body.calmFor = body.speed <= sleepSpeed * body.size ? body.calmFor + dt : 0;
    ready ||= body.calmFor >= sleepAfter;
  }
  if (!ready) return;
  // A body that is not ready keeps those awake that it touches, and these their neighbours.
  for (const body of bodies) body.restless = body.active && body.calmFor < sleepAfter;
  for (let spread = true; spread; ) {
    spread = false;
    for (const { a, b } of world.contactPairs()) {
      if (a.restless === b.restless || a.asleep || b.asleep) continue;
      a.restless = b.restless = true;
      spread = true;
    }
  }
  for (const body of bodies) if (body.active && !body.restless) body.sleep();
}

/** Of what a body really moved, corrections of positions included. */
function rmsSpeed(x: Float32Array, xOld: Float32Array, { rows }: Body, h: number): number {
  let sum = 0;
  for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4) {
    const dx = x[o] - xOld[o];
    const dy = x[o + 1] - xOld[o + 1];
    const dz = x[o + 2] - xOld[o + 2];
    sum += dx * dx + dy * dy + dz * dz;
  }
  return Math.sqrt(sum / (rows.particleEnd - rows.particleStart)) / h;
}
