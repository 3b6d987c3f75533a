import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import { OUTERMOST } from '../proxy/outward.js';
import { hasExpired } from './collide.js';
import type { Collider } from './collider.js';
import { lowerOnto } from './lowerSkin.js';
import { planeInto } from './plane.js';
import { newHit } from './shape.js';

/**
 * Moves points of a body's surface (x y z each) out of the obstacles that the body meets. Particles stand where the surface lets them, but a skin
 * between them follows their mean: where a ball is flattened by the floor, it was up to 20 mm below it (1 m wide, 7 particles across). Obstacles made
 * of triangles are left out: each point would have to be searched for in them.
 */
export function pressOut(body: Body, points: Float32Array): void {
  const { core, spacing = 0, groups } = body;
  const { world } = core.state;
  if (!world || !core.law || core.contact.settings.obstacles !== 'surface') return;
  const deepest = OUTERMOST * spacing;
  for (const collider of world.core.allColliders) {
    if (!collider.enabled || collider.law === 'research' || collider.except || collider.type === 'mesh') continue;
    if (!groupsMeet(groups, collider.groups) || hasExpired(world, collider)) continue;
    if (collider.type === 'plane') {
      pressOutOfPlane(points, collider, deepest);
      // Folds of sheets and cords lie nearer to each other than their spacing.
      if (!core.thin) lowerOnto(body, points, collider, deepest, spacing);
    } else pressOutOfSolid(points, collider, deepest);
  }
}

/** A surface is not deeper in an obstacle than it is beyond its particles; points that are have been left in it by something else. */
const shortened = (depth: number, deepest: number) => (depth <= deepest ? depth : Math.max(0, 2 * deepest - depth));

const normal = new Float64Array(3);

function pressOutOfPlane(points: Float32Array, plane: Collider, deepest: number): void {
  const offset = planeInto(normal, plane);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  for (let o = 0; o < points.length; o += 3) {
    const depth = offset - (points[o] * nx + points[o + 1] * ny + points[o + 2] * nz);
    if (!(depth > 0)) continue;
    const way = shortened(depth, deepest);
    points[o] += way * nx;
    points[o + 1] += way * ny;
    points[o + 2] += way * nz;
  }
}

const own = new Float64Array(3);
const hit = newHit();

function pressOutOfSolid(points: Float32Array, collider: Collider, deepest: number): void {
  const { bounds, shape, to } = collider;
  for (let o = 0; o < points.length; o += 3) {
    const x = points[o];
    const y = points[o + 1];
    const z = points[o + 2];
    if (x < bounds[0] || y < bounds[1] || z < bounds[2] || x > bounds[3] || y > bounds[4] || z > bounds[5]) continue;
    to.ownInto(own, x, y, z);
    if (!shape!.meet(hit, own[0], own[1], own[2], own[0], own[1], own[2])) continue;
    const way = shortened(hit.depth, deepest);
    to.turnInto(normal, hit.nx, hit.ny, hit.nz);
    for (let a = 0; a < 3; a++) points[o + a] += way * normal[a];
  }
}
