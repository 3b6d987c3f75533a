import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';

/** What all contacts of a step have in common. */
export interface Contact {
  /** Time step (s). */
  h: number;
  /** Approaching speed (m/s) below which nothing bounces: what gravity adds in a step must not keep a resting body hopping. */
  restThreshold: number;
}

/**
 * Contact of a particle (rows from x[o], v[o]) with a surface of normal n: the approaching velocity relative to the collider goes, `restitution`
 * of it comes back, and Coulomb friction takes at most μ times as much of the sliding one.
 *
 * The way that the lost sliding velocity carried the particle in this step is taken back as well. Without that a body
 * on a slope creeps at M/m h g sin θ (all its weight M pulls for one step on the particles m that touch) however large μ is.
 */
export function respond(
  { x, v }: Pick<Views, 'x' | 'v'>,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  collider: Collider,
  { h, restThreshold }: Contact,
): void {
  const [cx, cy, cz] = collider.velocity;
  let ux = v[o] - cx;
  let uy = v[o + 1] - cy;
  let uz = v[o + 2] - cz;
  const approach = -(ux * nx + uy * ny + uz * nz);
  if (approach <= 0) return;
  const bounce = approach > restThreshold ? collider.restitution * approach : 0;
  // The sliding part of the velocity, and how much of it friction leaves.
  ux += approach * nx;
  uy += approach * ny;
  uz += approach * nz;
  const sliding = Math.hypot(ux, uy, uz);
  const stopping = collider.friction * (approach + bounce);
  const keep = sliding > stopping ? 1 - stopping / sliding : 0;
  const back = h * (1 - keep);
  x[o] -= back * ux;
  x[o + 1] -= back * uy;
  x[o + 2] -= back * uz;
  v[o] = cx + keep * ux + bounce * nx;
  v[o + 1] = cy + keep * uy + bounce * ny;
  v[o + 2] = cz + keep * uz + bounce * nz;
}
