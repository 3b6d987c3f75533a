import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import {
  collideSurfacePairs,
  hasFolded,
  newSurfacePair,
  SURFACE_CONTACT_DEFAULTS,
  type SurfacePair,
  updateContactMesh,
} from '../meshContact/index.js';
import type { World } from '../world.js';
import { reportSurfaces } from './report.js';
import { wakeTouched } from './wakeTouched.js';

/**
 * Contact by surface meshes between bodies of the mode 'surface', and of such bodies with themselves ([H07] 5, SPEC K5). Bodies of other
 * modes meet them by proxies.
 */
export function meetSurfaces(world: World, slow: number): void {
  const { bodies, state } = world;
  let count = 0;
  for (const {
    core: { surface },
    active,
    asleep,
  } of bodies) {
    if (!surface) continue;
    surface.isAsleep = asleep;
    if (active) updateContactMesh(surface, state);
  }
  for (let a = 0; a < bodies.length; a++) {
    const p = bodies[a];
    if (!p.core.surface || !p.enabled) continue;
    if (p.core.contact.settings.self && p.active && hasFolded(p.core.surface)) count = describe(count, p, p, slow);
    for (let b = a + 1; b < bodies.length; b++) {
      const q = bodies[b];
      if (!q.core.surface || !q.enabled || !(p.active || q.active) || !groupsMeet(p.groups, q.groups)) continue;
      if (boundsMeet(p.core.surface.bounds, q.core.surface.bounds)) count = describe(count, p, q, slow);
    }
  }
  if (count === 0) return;
  collideSurfacePairs(world, pairs, count, (pair) => wakeByTouch(world, pair));
  // A body's contacts with itself are not reported.
  for (let n = 0; n < count; n++) {
    const { first, second, touch } = pairs[n];
    if (first !== second && touch.count > 0) reportSurfaces(world, first, second, touch);
  }
}

interface BodyPair extends SurfacePair {
  first: Body;
  second: Body;
}

/** Reused from step to step; its length is the largest number of pairs in a step so far. */
const pairs: BodyPair[] = [];

/** Makes pair number `n` that of p and q; returns the next number. */
function describe(n: number, p: Body, q: Body, slow: number): number {
  if (n === pairs.length)
    pairs.push({
      ...newSurfacePair(p.core.surface!, q.core.surface!, { ...SURFACE_CONTACT_DEFAULTS }),
      first: p,
      second: q,
    });
  const pair = pairs[n];
  pair.first = p;
  pair.second = q;
  pair.a = p.core.surface!;
  pair.b = q.core.surface!;
  pair.options.friction = Math.sqrt(p.material.friction * q.material.friction);
  pair.options.restitution = Math.max(p.material.restitution, q.material.restitution);
  pair.options.gamma = 0.5 * Math.min(p.core.contact.settings.gamma, q.core.contact.settings.gamma);
  pair.options.restThreshold = slow;
  return n + 1;
}

/** As with proxies, a body that is not slow wakes the sleeping body it touches. */
function wakeByTouch(world: World, { first, second }: BodyPair): void {
  if (first.asleep && second.core.restState.slowTime === 0) wakeTouched(world, first);
  if (second.asleep && first.core.restState.slowTime === 0) wakeTouched(world, second);
  first.core.surface!.isAsleep = first.asleep;
  second.core.surface!.isAsleep = second.asleep;
}

const boundsMeet = (p: Float64Array, q: Float64Array) =>
  p[0] <= q[3] && p[1] <= q[4] && p[2] <= q[5] && q[0] <= p[3] && q[1] <= p[4] && q[2] <= p[5];
