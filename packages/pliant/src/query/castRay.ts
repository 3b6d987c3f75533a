import type { Body } from '../body/body.js';
import { checkDirection, checkVec3, type Vec3 } from '../check.js';
import type { World } from '../world.js';
import { bodyBoxInto, bodyPad, clusterBoxInto, newBox, padOf, rayMeets } from './bounds.js';
import { type ColliderHit, castAtCollider } from './colliders.js';
import { clip, faceNormalInto, type Span, WITHIN } from './convex.js';
import { marchSurface } from './marchSurface.js';
import { nearestRow } from './nearestParticle.js';
import { type RayOptions, resolveColliders, resolveReach } from './options.js';
import { pointOn, type Ray } from './ray.js';
import { directionToRest, normalToWorld, toRest } from './rest.js';
import { isClose, meetBeads, SHEET, THREAD, thinness } from './thin.js';

/** The first hit of a ray on a body. */
export interface RayHit {
  /** The body that was hit. */
  body: Body;
  /** Always undefined: tells a hit on a body from a hit on a collider. */
  collider?: undefined;
  /** Distance from the origin of the ray (m); 0 if the ray begins inside. */
  distance: number;
  /** The point that was hit (m). */
  point: Vec3;
  /** Outward normal of the surface, of length 1. For a ray that begins inside it is the opposite of the ray's direction. */
  normal: Vec3;
  /** The cluster whose surface was hit, counted from the body's first. */
  cluster: number;
  /** The particle nearest to the point, counted from the body's first. */
  particle: number;
}

/** A hit in internal form: distance along the ray, normal, row of the cluster. */
export interface Meeting {
  t: number;
  normal: Vec3;
  cluster: number;
}

/**
 * The first hit of a ray on the surface of any body as contact uses it: the implicit surface of its clusters, or their proxies if they have
 * none. With the option `obstacles` the hit may be on a collider. A body wins a tie.
 */
export function castRay(
  world: World,
  origin: Vec3,
  direction: Vec3,
  options: RayOptions = {},
): RayHit | ColliderHit | undefined {
  const ray: Ray = { origin: checkVec3('origin', origin), direction: checkDirection('direction', direction) };
  const { bodies, maxDistance } = resolveReach('castRay', world, options, ['obstacles']);
  const colliders = resolveColliders('castRay', world, options);
  const hit = castAtBodies(world, bodies, ray, maxDistance);
  let obstacle: ColliderHit | undefined;
  for (const collider of colliders) {
    const met = castAtCollider(collider, ray, (obstacle ?? hit)?.distance ?? maxDistance);
    if (met && !(met.distance >= ((obstacle ?? hit)?.distance ?? Number.POSITIVE_INFINITY))) obstacle = met;
  }
  return obstacle ?? hit;
}

function castAtBodies(world: World, bodies: readonly Body[], ray: Ray, maxDistance: number): RayHit | undefined {
  let first: Meeting | undefined;
  let hit: Body | undefined;
  for (const body of bodies) {
    const met = castAtBody(world, body, ray, first ? first.t : maxDistance);
    // The body that was added first wins a tie.
    if (!met || (first && met.t >= first.t)) continue;
    first = met;
    hit = body;
  }
  if (!first || !hit) return undefined;
  const point = pointOn(ray, first.t);
  return {
    body: hit,
    distance: first.t,
    point,
    normal: first.normal,
    cluster: first.cluster - hit.rows.clusterStart,
    particle: nearestRow(world.state.views, hit, point) - hit.rows.particleStart,
  };
}

const box = newBox();

function castAtBody(world: World, body: Body, ray: Ray, limit: number): Meeting | undefined {
  const { state, kernels, h } = world;
  const s = state.views;
  bodyBoxInto(box, s, body.rows);
  if (!rayMeets(box, bodyPad(s, body), ray, limit)) return undefined;
  let first: Meeting | undefined;
  const spans: Span[] = [];
  for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) {
    clusterBoxInto(box, s, c);
    if (!rayMeets(box, padOf(s, c, body), ray, limit)) continue;
    kernels.placeProxy(c, h);
    if (s.surfaceParameters[2 * c] > 0) {
      const span = spanOf(world, ray, c, limit);
      if (span) spans.push(span);
      continue;
    }
    const met = meetProxy(world, ray, c, limit);
    if (met && !(first && first.t <= met.t)) first = met;
  }
  return marchSurface(s, ray, spans, first ? first.t : limit) ?? first;
}

const q = new Float64Array(3);
const d = new Float64Array(3);
const n = new Float64Array(3);

/** The part of the ray in a cluster's proxy. Leaves the ray's rest-space origin and direction in q and d. */
function spanOf({ state: { views: s } }: World, ray: Ray, c: number, limit: number): Span | undefined {
  toRest(q, s, c, ray.origin);
  directionToRest(d, s, c, ray.direction);
  const span: Span = { cluster: c, enter: 0, leave: 0, face: WITHIN };
  return clip(span, s, q, d, limit) ? span : undefined;
}

/** The hit of a ray on a cluster without implicit surface. */
function meetProxy(world: World, ray: Ray, c: number, limit: number): Meeting | undefined {
  const s = world.state.views;
  const thin = thinness(s, c);
  const span = spanOf(world, ray, c, limit);
  if (thin === THREAD) {
    const t = meetBeads(n, s, c, q, d);
    return t <= limit ? meeting(world, ray, c, t, t > 0) : undefined;
  }
  if (!span) return undefined;
  const t = span.enter;
  for (let a = 0; a < 3; a++) q[a] += t * d[a];
  if (thin === SHEET && !isClose(s, c, q)) return undefined;
  if (span.face !== WITHIN) faceNormalInto(n, s, c, span.face, q);
  return meeting(world, ray, c, t, span.face !== WITHIN);
}

function meeting({ state }: World, ray: Ray, cluster: number, t: number, outside: boolean): Meeting {
  if (outside) normalToWorld(n, state.views, cluster, n.slice());
  else for (let a = 0; a < 3; a++) n[a] = -ray.direction[a];
  return { t, cluster, normal: [n[0], n[1], n[2]] };
}
