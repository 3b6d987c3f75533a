import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { type Contact, respond } from './respond.js';

/** Outward speed (m/s) that the research code's cylinders add in every step of contact. */
const RESEARCH_KICK = 2;

/** Puts every particle of a range that is inside a sphere or an infinite cylinder on its surface. `centre` is of this time. */
export function collideRound(
  s: Views,
  start: number,
  end: number,
  collider: Collider,
  [cx, cy, cz]: readonly number[],
  contact: Contact,
  spared?: Uint8Array,
): void {
  const { x } = s;
  const [ax, ay, az] = collider.type === 'cylinder' ? collider.direction : [0, 0, 0];
  const square = collider.radius * collider.radius;
  const sparesHeld = collider.law === 'coulomb';
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    let rx = x[o] - cx;
    let ry = x[o + 1] - cy;
    let rz = x[o + 2] - cz;
    const along = rx * ax + ry * ay + rz * az;
    rx -= along * ax;
    ry -= along * ay;
    rz -= along * az;
    const near = rx * rx + ry * ry + rz * rz;
    if (!(near < square) || spared?.[i] || (sparesHeld && s.flags[i] & Flag.HELD)) continue;
    leaveRound(s, o, collider, rx, ry, rz, Math.sqrt(near), contact);
  }
}

/** Moves a particle out along (rx, ry, rz), its way from the centre or axis, of length `distance`. */
function leaveRound(
  s: Views,
  o: number,
  collider: Collider,
  rx: number,
  ry: number,
  rz: number,
  distance: number,
  contact: Contact,
): void {
  const { x, v } = s;
  const { velocity, law, type, momentumScale } = collider;
  // Exactly at the centre every way out is as good: take one across the axis.
  const [nx, ny, nz] = distance > 0 ? [rx / distance, ry / distance, rz / distance] : acrossAxis(collider.direction);
  const out = collider.radius - distance;
  x[o] += out * nx;
  x[o + 1] += out * ny;
  x[o + 2] += out * nz;
  if (law === 'coulomb') respond(s, o, nx, ny, nz, collider, contact);
  const kick = law === 'research' && type === 'cylinder' ? RESEARCH_KICK : 0;
  v[o] += kick * nx + momentumScale * velocity[0];
  v[o + 1] += kick * ny + momentumScale * velocity[1];
  v[o + 2] += kick * nz + momentumScale * velocity[2];
}

function acrossAxis([x, y, z]: readonly [number, number, number]): [number, number, number] {
  const [a, b, c] = Math.abs(x) < 0.9 ? [0, z, -y] : [-z, 0, x];
  const length = Math.hypot(a, b, c);
  return [a / length, b / length, c / length];
}
