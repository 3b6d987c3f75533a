import { LAYER } from '../kernels/constants.js';
import { type Pressing, pressLayer } from '../kernels/ts/pressLayer.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { type Contact, respond } from './respond.js';
import type { SurfaceReach } from './surfaceReach.js';

const pressing: Pressing = { way: 0, away: 0 };

/**
 * Contact of the particle with rows at o, whose body ends the distance `beyond` it, that far deep in an obstacle. Where the layer beyond the particle gives way, the first contact of a substep presses it together; later ones, after other obstacles have
 * moved the particle, only keep it from being pressed beyond its limit. Returns whether the particle was met. `lift`: how much farther it is moved.
 */
export function pressParticle(
  s: Views,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  depth: number,
  beyond: number,
  lift: number,
  collider: Collider,
  contact: Contact,
  reach?: SurfaceReach,
): boolean {
  let way = depth;
  let away: number | undefined;
  if (reach && reach.half > 0 && beyond > 0) {
    if (contact.isAgain) {
      way -= LAYER.PRESSED * beyond;
      if (!(way > 0)) return false;
    } else {
      const approach = approachOf(s, o, nx, ny, nz, collider);
      // A particle that bounces is met at the surface: it leaves with a share of its energy, and a layer that is pressed would add to it.
      if (collider.restitution === 0 || approach <= contact.restThreshold) {
        const { h } = contact;
        const { half, reached, tau } = reach;
        pressLayer(pressing, depth, beyond, half, s.modulus[o / 4] * reached * h * h, approach, h, tau);
        ({ way, away } = pressing);
      }
    }
  }
  way += lift;
  s.x[o] += way * nx;
  s.x[o + 1] += way * ny;
  s.x[o + 2] += way * nz;
  respond(s, o, nx, ny, nz, collider, contact, away);
  return true;
}

/** Velocity (m/s) of a particle towards an obstacle. */
function approachOf({ x, v }: Views, o: number, nx: number, ny: number, nz: number, collider: Collider): number {
  const { linear, angular: w } = collider;
  const p = collider.to.position;
  const rx = x[o] - p[0];
  const ry = x[o + 1] - p[1];
  const rz = x[o + 2] - p[2];
  const ux = v[o] - linear[0] - w[1] * rz + w[2] * ry;
  const uy = v[o + 1] - linear[1] - w[2] * rx + w[0] * rz;
  const uz = v[o + 2] - linear[2] - w[0] * ry + w[1] * rx;
  return -(ux * nx + uy * ny + uz * nz);
}
