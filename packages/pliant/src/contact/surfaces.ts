import type { Body } from '../body/body.js';
import { collideSurfacePairs, SURFACE_CONTACT_DEFAULTS, type SurfacePair, updateSkin } from '../surface/index.js';
import type { World } from '../world.js';

/** Bodies that chose their surfaces, against each other and themselves ([H07] 5, SPEC K5). Others meet them by proxies. */
export function meetSurfaces(world: World, slow: number): void {
  const { bodies, state } = world;
  let count = 0;
  for (const { surface, active } of bodies) if (surface && active) updateSkin(surface, state.views);
  for (let a = 0; a < bodies.length; a++) {
    const p = bodies[a];
    if (!p.surface || !p.enabled) continue;
    if (p.contact.settings.self && p.active) count = describe(count, p, p, slow);
    for (let b = a + 1; b < bodies.length; b++) {
      const q = bodies[b];
      if (q.surface && q.enabled && (p.active || q.active) && boundsMeet(p.surface.bounds, q.surface.bounds)) {
        // The method shares the blow by mass: both must be able to move.
        if (p.asleep && q.calmFor === 0) p.wake();
        if (q.asleep && p.calmFor === 0) q.wake();
        if (p.active && q.active) count = describe(count, p, q, slow);
      }
    }
  }
  if (count === 0) return;
  pairs.length = count;
  collideSurfacePairs(world, pairs);
}

const pairs: SurfacePair[] = [];

/** Pair number `n`, in an object that is used again and again; returns the next number. */
function describe(n: number, p: Body, q: Body, slow: number): number {
  pairs[n] ??= { a: p.surface!, b: q.surface!, options: { ...SURFACE_CONTACT_DEFAULTS } };
  const pair = pairs[n];
  pair.a = p.surface!;
  pair.b = q.surface!;
  pair.options.friction = Math.sqrt(p.material.friction * q.material.friction);
  pair.options.restitution = Math.max(p.material.restitution, q.material.restitution);
  pair.options.gamma = 0.5 * Math.min(p.contact.settings.gamma, q.contact.settings.gamma);
  pair.options.restThreshold = slow;
  return n + 1;
}

const boundsMeet = (p: Float64Array, q: Float64Array) =>
  p[0] <= q[3] && p[1] <= q[4] && p[2] <= q[5] && q[0] <= p[3] && q[1] <= p[4] && q[2] <= p[5];
