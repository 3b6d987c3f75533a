import type { Body } from '../body/body.js';
import { checkKeys, checkNumber, checkVec3, type Vec3 } from '../check.js';
import type { World } from '../world.js';
import { bodyBoxInto, bodyPad, boxDistance, newBox } from './bounds.js';
import { type ColliderOverlap, overlapCollider } from './colliders.js';
import { nearestRow } from './nearestParticle.js';
import { nearestOnBody } from './nearestSurface.js';
import { type OverlapOptions, QUERY_DEFAULTS, resolveBodies, resolveColliders } from './options.js';

/** A body that overlaps a ball. */
export interface SphereOverlap {
  /** The body. */
  body: Body;
  /** Always undefined: tells a body from a collider. */
  collider?: undefined;
  /** Distance from the centre of the ball to the surface (m), negative if the centre is inside. */
  distance: number;
  /** The point of the surface that is nearest to the centre (m). */
  point: Vec3;
  /** The cluster that this surface belongs to, counted from the body's first. */
  cluster: number;
  /** The particle nearest to the centre, counted from the body's first. */
  particle: number;
}

const box = newBox();

/**
 * The bodies, and with the option `obstacles` the colliders, that overlap a ball. Sorted by signed distance: the deepest around its centre,
 * or the nearest, first.
 */
export function overlapSphere(
  world: World,
  centre: Vec3,
  radius: number,
  options: OverlapOptions = {},
): (SphereOverlap | ColliderOverlap)[] {
  const c = checkVec3('centre', centre);
  checkNumber('radius', radius, { min: 0 });
  checkKeys('overlapSphere', options, [...Object.keys(QUERY_DEFAULTS), 'obstacles']);
  const s = world.state.views;
  const overlaps: (SphereOverlap | ColliderOverlap)[] = [];
  const colliders = resolveColliders('overlapSphere', world, options);
  for (const body of resolveBodies('overlapSphere', world, options)) {
    bodyBoxInto(box, s, body.rows);
    if (!(boxDistance(box, c) <= radius + bodyPad(s, body))) continue;
    const nearest = nearestOnBody(world, body, c);
    if (!nearest || nearest.distance > radius) continue;
    overlaps.push({
      body,
      distance: nearest.distance,
      point: nearest.point,
      cluster: nearest.cluster - body.rows.clusterStart,
      particle: nearestRow(s, body, c) - body.rows.particleStart,
    });
  }
  for (const collider of colliders) {
    const overlap = overlapCollider(collider, c, radius);
    if (overlap) overlaps.push(overlap);
  }
  // Sorting is stable: at equal distance bodies precede colliders, and each are in the order in which they were added.
  return overlaps.sort((a, b) => a.distance - b.distance);
}
