import type { Body } from '../body/body.js';
import { checkVec3, type Vec3 } from '../check.js';
import { hypot } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { type ReachOptions, resolveReach } from './options.js';

/** The particle nearest to a point. */
export interface NearestParticle {
  /** The body that it belongs to. */
  body: Body;
  /** Its number, counted from the body's first. */
  particle: number;
  /** Its distance from the point (m). */
  distance: number;
  /** Its position (m). */
  point: Vec3;
}

/** Finds the particle nearest to a point. */
export function nearestParticle(world: World, point: Vec3, options: ReachOptions = {}): NearestParticle | undefined {
  const p = checkVec3('point', point);
  const { bodies, maxDistance } = resolveReach('nearestParticle', world, options);
  const s = world.state.views;
  let best: { body: Body; row: number; distance: number } | undefined;
  for (const body of bodies) {
    const row = nearestRow(s, body, p);
    if (row < 0) continue;
    const distance = distanceTo(s, row, p);
    if (distance <= maxDistance && (!best || distance < best.distance)) best = { body, row, distance };
  }
  if (!best) return undefined;
  const { body, row, distance } = best;
  return {
    body,
    particle: row - body.rows.particleStart,
    distance,
    point: [s.x[4 * row], s.x[4 * row + 1], s.x[4 * row + 2]],
  };
}

/** @internal Row of a body's particle nearest to p, the first of several; −1 if none is finite. */
export function nearestRow({ x }: Views, { rows }: Body, p: Vec3): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = rows.particleStart; i < rows.particleEnd; i++) {
    const dx = x[4 * i] - p[0];
    const dy = x[4 * i + 1] - p[1];
    const dz = x[4 * i + 2] - p[2];
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 < least) [best, least] = [i, d2];
  }
  return best;
}

export const distanceTo = ({ x }: Views, i: number, p: ArrayLike<number>) =>
  hypot(x[4 * i] - p[0], x[4 * i + 1] - p[1], x[4 * i + 2] - p[2]);
