import type { Collider } from './collider.js';

/**
 * Contact of a particle (velocity at v[o..o+2]) with a surface of normal n: the approaching velocity relative to the
 * collider goes, `restitution` of it comes back, and Coulomb friction takes at most μ times as much of the sliding one.
 * Below `restThreshold` nothing bounces: what gravity adds in a step must not keep a resting body hopping.
 */
export function respond(
  v: Float32Array,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  collider: Collider,
  restThreshold: number,
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
  v[o] = cx + keep * ux + bounce * nx;
  v[o + 1] = cy + keep * uy + bounce * ny;
  v[o + 2] = cz + keep * uz + bounce * nz;
}
