import type { Body } from '../body/body.js';
import type { Vec3 } from '../check.js';
import { hypot, squared } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { boxDistance, clusterBoxInto, newBox, padOf } from './bounds.js';
import { drawIn, exitOf, faceNormalInto, holds } from './convex.js';
import { heightInto, newHeight } from './height.js';
import { distanceTo } from './nearestParticle.js';
import { normalToWorld, toRest, toWorld } from './rest.js';
import { isClose, SOLID, thinness } from './thin.js';

/** The point of a body's surface nearest to a given point. `distance` is negative from inside; `cluster` is its row. */
export interface SurfacePoint {
  distance: number;
  point: Vec3;
  cluster: number;
}

/** The nearest point of a body's surface; undefined if the body is not finite. */
export function nearestOnBody(world: World, body: Body, p: Vec3): SurfacePoint | undefined {
  const s = world.state.views;
  const placed = placeNear(world, body, p);
  let best = nearestOnSurface(
    s,
    placed.filter((c) => s.surfaceParameters[2 * c] > 0),
    p,
  );
  for (const c of placed) {
    if (s.surfaceParameters[2 * c] > 0) continue;
    const on = nearestOnProxy(s, c, p);
    // The signed distance to a union is the smallest of the distances, inside as well.
    if (!best || on.distance < best.distance) best = on;
  }
  return best;
}

const box = newBox();

/**
 * Places the proxies of the clusters that may contain the nearest point: those whose boxes are no farther than the nearest surface member.
 * In a cluster without implicit surface every member is a surface member.
 */
function placeNear({ state: { views: s }, kernels, h }: World, body: Body, p: Vec3): number[] {
  const { rows } = body;
  let reach = Number.POSITIVE_INFINITY;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    const knowsSurface = s.surfaceParameters[2 * c] > 0;
    const end = knowsSurface ? s.surfaceEnd[c] : s.memberStart[c + 1];
    for (let k = s.memberStart[c]; k < end; k++)
      if (!knowsSurface || s.outward[4 * k + 3] >= 0) reach = Math.min(reach, distanceTo(s, s.memberParticle[k], p));
  }
  const placed: number[] = [];
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    clusterBoxInto(box, s, c);
    if (!(boxDistance(box, p) <= reach + padOf(s, c, body))) continue;
    kernels.placeProxy(c, h);
    placed.push(c);
  }
  return placed;
}

const q = new Float64Array(3);
const n = new Float64Array(3);
const N = new Float64Array(3);
const found = newHeight();
const here: number[] = [];

/** Height of a point over the implicit surface of the placed clusters that contain it. */
function heightAt(s: Views, placed: readonly number[], p: ArrayLike<number>): number {
  here.length = 0;
  for (const c of placed) {
    toRest(q, s, c, p);
    if (holds(s, c, q)) here.push(c);
  }
  heightInto(found, s, here, p);
  return found.height;
}

/** Steps along the surface towards the nearest point. Each step halves the error that curvature left in the last. */
const STEPS = 8;

function nearestOnSurface(s: Views, placed: readonly number[], p: Vec3): SurfacePoint | undefined {
  const inside = heightAt(s, placed, p) < 0;
  const start = nearestFoot(s, placed, p);
  if (!start) return undefined;
  let { at, cluster } = start;
  let away = distance(at, p);
  for (let k = 0; k < STEPS; k++) {
    const next = slide(s, placed, at, p, s.proxySpacing[cluster] / 2);
    const now = distance(next, p);
    // The first step only moves the point onto the surface, which may be farther away.
    if (k > 0 && !(now < away)) break;
    at = next;
    away = now;
    cluster = found.cluster;
  }
  return { distance: inside ? -away : away, point: [at[0], at[1], at[2]], cluster };
}

const foot = new Float64Array(3);

/** The nearest of the surface points above the surface members, each at the member's height. */
function nearestFoot(s: Views, placed: readonly number[], p: Vec3): { at: number[]; cluster: number } | undefined {
  const best = { at: [0, 0, 0], cluster: -1 };
  let least = Number.POSITIVE_INFINITY;
  for (const c of placed)
    for (let k = s.memberStart[c]; k < s.surfaceEnd[c]; k++) {
      const high = s.outward[4 * k + 3];
      if (high < 0) continue;
      for (let a = 0; a < 3; a++) n[a] = s.outward[4 * k + a];
      const way = (high + s.surfaceParameters[2 * c + 1]) / normalToWorld(N, s, c, n);
      for (let a = 0; a < 3; a++) foot[a] = s.x[4 * s.memberParticle[k] + a] + way * N[a];
      const d = distance(foot, p);
      if (d >= least) continue;
      least = d;
      best.cluster = c;
      for (let a = 0; a < 3; a++) best.at[a] = foot[a];
    }
  return best.cluster < 0 ? undefined : best;
}

/** Moves from a point at the surface along it towards p, by at most `stride`, and back onto the surface. Leaves the position in `found`. */
function slide(s: Views, placed: readonly number[], from: number[], p: Vec3, stride: number): number[] {
  const at = from.slice();
  const height = heightAt(s, placed, at);
  if (!Number.isFinite(height)) return at;
  const m = found.normal;
  for (let a = 0; a < 3; a++) at[a] -= height * m[a];
  const away = (p[0] - at[0]) * m[0] + (p[1] - at[1]) * m[1] + (p[2] - at[2]) * m[2];
  const along = [0, 1, 2].map((a) => p[a] - at[a] - away * m[a]);
  const length = hypot(along[0], along[1], along[2]);
  const share = length > stride ? stride / length : 1;
  for (let a = 0; a < 3; a++) at[a] += share * along[a];
  for (let k = 0; k < 2; k++) {
    const left = heightAt(s, placed, at);
    if (Number.isFinite(left)) for (let a = 0; a < 3; a++) at[a] -= left * found.normal[a];
  }
  return at;
}

const exit = { face: 0 };

/**
 * The nearest point of a cluster without implicit surface. The surface is its proxy for a solid cluster; for a thin one only the part of
 * the proxy near a particle.
 */
function nearestOnProxy(s: Views, c: number, p: Vec3): SurfacePoint {
  toRest(q, s, c, p);
  const thin = thinness(s, c);
  if (holds(s, c, q) && (thin === SOLID || isClose(s, c, q))) {
    const depth = exitOf(exit, s, c, q);
    if (depth < Number.POSITIVE_INFINITY) {
      faceNormalInto(n, s, c, exit.face, q);
      const way = depth / normalToWorld(N, s, c, n);
      return { distance: -way, point: [p[0] + way * N[0], p[1] + way * N[1], p[2] + way * N[2]], cluster: c };
    }
  }
  drawIn(q, s, c);
  if (thin === SOLID || isClose(s, c, q)) {
    toWorld(N, s, c, q);
    return {
      distance: distance(N, p),
      point: [N[0], N[1], N[2]],
      cluster: c,
    };
  }
  return nearestMember(s, c, p);
}

function nearestMember(s: Views, c: number, p: Vec3): SurfacePoint {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
    const d = distanceTo(s, s.memberParticle[k], p);
    if (d < least) [best, least] = [s.memberParticle[k], d];
  }
  return { distance: least, point: [s.x[4 * best], s.x[4 * best + 1], s.x[4 * best + 2]], cluster: c };
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.sqrt(squared(a[0] - b[0]) + squared(a[1] - b[1]) + squared(a[2] - b[2]));
