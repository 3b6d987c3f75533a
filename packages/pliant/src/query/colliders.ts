import type { Vec3 } from '../check.js';
import { hypot } from '../math/elementary.js';
import { firstCrossing, newCrossing } from '../mesh/crossing.js';
import { BoxShape } from '../obstacles/box.js';
import type { Collider } from '../obstacles/collider.js';
import { MeshShape } from '../obstacles/meshShape.js';
import { planeInto } from '../obstacles/plane.js';
import { RoundShape } from '../obstacles/round.js';
import { newHit, type Shape } from '../obstacles/shape.js';
import { pointOn, type Ray } from './ray.js';

/** The first hit of a ray on a collider. */
export interface ColliderHit {
  /** The collider that was hit. */
  collider: Collider;
  /** Always undefined: tells a hit on a collider from a hit on a body. */
  body?: undefined;
  /** Distance from the origin of the ray (m); 0 if the ray begins inside. */
  distance: number;
  /** The point that was hit (m). */
  point: Vec3;
  /** Outward normal of the surface, of length 1. For a ray that begins inside it is the opposite of the ray's direction. */
  normal: Vec3;
}

/** A collider that overlaps a ball. */
export interface ColliderOverlap {
  /** The collider. */
  collider: Collider;
  /** Always undefined: tells a collider from a body. */
  body?: undefined;
  /** Distance from the centre of the ball to the surface (m), negative if the centre is inside. */
  distance: number;
  /** The point of the surface that is nearest to the centre (m). */
  point: Vec3;
}

const hit = newHit();
const crossing = newCrossing();
const normal = new Float64Array(3);
const a = new Float64Array(3);
const d = new Float64Array(3);

/** The first hit of a ray on a collider at its pose after the last step, no farther than `limit`. */
export function castAtCollider(collider: Collider, ray: Ray, limit: number): ColliderHit | undefined {
  const distance = collider.shape ? meetShape(collider, collider.shape, ray) : meetPlane(collider, ray);
  if (!(distance <= limit)) return undefined;
  return { collider, distance, point: pointOn(ray, distance), normal: [normal[0], normal[1], normal[2]] };
}

/** Distance along the ray to a plane; infinite if it is not hit. Writes the normal into `normal`. */
function meetPlane(collider: Collider, { origin, direction }: Ray): number {
  const offset = planeInto(normal, collider);
  const height = dot(normal, origin) - offset;
  if (height < 0) return startInside(direction);
  const fall = -dot(normal, direction);
  return fall > 0 ? height / fall : Number.POSITIVE_INFINITY;
}

/**
 * Distance along the ray to a shape; infinite if it is not hit. The ray is taken in the collider's coordinates. Writes the normal into
 * `normal`.
 */
function meetShape({ to }: Collider, shape: Shape, { origin, direction }: Ray): number {
  to.ownInto(a, origin[0], origin[1], origin[2]);
  const p = to.position;
  to.ownInto(d, direction[0] + p[0], direction[1] + p[1], direction[2] + p[2]);
  if (shape.meet(hit, a[0], a[1], a[2], a[0], a[1], a[2])) return startInside(direction);
  const distance = shape instanceof MeshShape ? crossMesh(shape) : enterConvex(shape as RoundShape | BoxShape);
  if (distance < Number.POSITIVE_INFINITY) to.turnInto(normal, hit.nx, hit.ny, hit.nz);
  return distance;
}

function startInside(direction: Vec3): number {
  for (let k = 0; k < 3; k++) normal[k] = -direction[k];
  return 0;
}

/**
 * `enter` takes a path of finite length. It ends where the ray is past the shape or, for an infinite cylinder, where it is nearest to the
 * axis.
 */
function enterConvex(shape: RoundShape | BoxShape): number {
  const length =
    shape instanceof RoundShape && shape.half === Number.POSITIVE_INFINITY ? wayToAxis(shape) : wayPast(shape);
  const [bx, by, bz] = [a[0] + length * d[0], a[1] + length * d[1], a[2] + length * d[2]];
  if (!(length > 0) || !shape.enter(hit, a[0], a[1], a[2], bx, by, bz)) return Number.POSITIVE_INFINITY;
  // `depth` is how far the end lies below the tangent plane at the entry: −(1 − t) length (d·n).
  const fall = -(d[0] * hit.nx + d[1] * hit.ny + d[2] * hit.nz);
  return fall > 0 ? Math.max(0, length - hit.depth / fall) : length;
}

function crossMesh({ solid }: MeshShape): number {
  const { bvh } = solid.surface;
  const length = wayPast({ bounds: bvh.bounds.subarray(0, 6) });
  const [bx, by, bz] = [a[0] + length * d[0], a[1] + length * d[1], a[2] + length * d[2]];
  if (!firstCrossing(bvh, crossing, a[0], a[1], a[2], bx, by, bz)) return Number.POSITIVE_INFINITY;
  // An open mesh may be hit from behind.
  const side = d[0] * crossing.nx + d[1] * crossing.ny + d[2] * crossing.nz > 0 ? -1 : 1;
  hit.nx = side * crossing.nx;
  hit.ny = side * crossing.ny;
  hit.nz = side * crossing.nz;
  return crossing.t * length;
}

/** A length of the ray from `a` that leads past everything in the bounds. */
function wayPast({ bounds: b }: { bounds: Float64Array }): number {
  const reach = hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  return reach + hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Distance along the ray to its point nearest to the axis. */
function wayToAxis({ axis }: RoundShape): number {
  const [along, rise] = [dot(axis, a), dot(axis, d)];
  let [ad, dd] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const across = d[k] - rise * axis[k];
    ad += (a[k] - along * axis[k]) * across;
    dd += across * across;
  }
  return -ad / dd;
}

/** The overlap of a ball and a collider, if there is one. */
export function overlapCollider(collider: Collider, centre: Vec3, radius: number): ColliderOverlap | undefined {
  const distance = collider.shape
    ? shapeDistance(collider, collider.shape, centre, radius)
    : planeDistance(collider, centre);
  if (!(distance <= radius)) return undefined;
  const point: Vec3 = [
    centre[0] - distance * normal[0],
    centre[1] - distance * normal[1],
    centre[2] - distance * normal[2],
  ];
  return { collider, distance, point };
}

/** Signed distance of a point from a plane. Writes the outward normal into `normal`. */
function planeDistance(collider: Collider, p: Vec3): number {
  const offset = planeInto(normal, collider);
  return dot(normal, p) - offset;
}

/**
 * Signed distance of a point from a shape; infinite if it is farther than `radius`. Writes the outward normal at the nearest surface point
 * into `normal`.
 */
function shapeDistance({ to }: Collider, shape: Shape, p: Vec3, radius: number): number {
  to.ownInto(a, p[0], p[1], p[2]);
  let distance = Number.POSITIVE_INFINITY;
  // Slightly more than the radius, because `near` finds only points nearer than its reach.
  const reach = radius * (1 + 1e-9) + Number.MIN_VALUE;
  if (shape.meet(hit, a[0], a[1], a[2], a[0], a[1], a[2])) distance = -hit.depth;
  else if (shape.near(hit, a[0], a[1], a[2], reach)) distance = Math.max(0, reach - hit.depth);
  else if (isOnBox(shape)) distance = 0;
  if (distance < Number.POSITIVE_INFINITY) to.turnInto(normal, hit.nx, hit.ny, hit.nz);
  return distance;
}

/** Whether a point lies exactly on a box. Neither `meet` nor `near` finds such a point. */
const isOnBox = (shape: Shape) =>
  shape instanceof BoxShape && [0, 1, 2].every((k) => a[k] >= shape.bounds[k] && a[k] <= shape.bounds[3 + k]);

const dot = (p: ArrayLike<number>, q: ArrayLike<number>) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
