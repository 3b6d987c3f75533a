import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { respond } from './respond.js';

/** Outward speed (m/s) that the research code's cylinders add in every step of contact. */
const RESEARCH_KICK = 2;

/** A particle inside a sphere or an infinite cylinder is put on its surface. (cx, cy, cz) is the centre at this time. */
export function collideRound(
  s: Views,
  i: number,
  collider: Collider,
  cx: number,
  cy: number,
  cz: number,
  restThreshold: number,
): void {
  const { x, v } = s;
  const o = 4 * i;
  let rx = x[o] - cx;
  let ry = x[o + 1] - cy;
  let rz = x[o + 2] - cz;
  const { direction: axis, radius, velocity, law } = collider;
  if (collider.type === 'cylinder') {
    const along = rx * axis[0] + ry * axis[1] + rz * axis[2];
    rx -= along * axis[0];
    ry -= along * axis[1];
    rz -= along * axis[2];
  }
  const square = rx * rx + ry * ry + rz * rz;
  if (!(square < radius * radius)) return;
  const distance = Math.sqrt(square);
  // Exactly at the centre every way out is as good: take one across the axis.
  const [nx, ny, nz] = distance > 0 ? [rx / distance, ry / distance, rz / distance] : acrossAxis(axis);
  const out = radius - distance;
  x[o] += out * nx;
  x[o + 1] += out * ny;
  x[o + 2] += out * nz;
  if (law === 'coulomb') respond(v, o, nx, ny, nz, collider, restThreshold);
  const kick = law === 'research' && collider.type === 'cylinder' ? RESEARCH_KICK : 0;
  v[o] += kick * nx + collider.momentumScale * velocity[0];
  v[o + 1] += kick * ny + collider.momentumScale * velocity[1];
  v[o + 2] += kick * nz + collider.momentumScale * velocity[2];
}

function acrossAxis([x, y, z]: readonly [number, number, number]): [number, number, number] {
  const [a, b, c] = Math.abs(x) < 0.9 ? [0, z, -y] : [-z, 0, x];
  const length = Math.hypot(a, b, c);
  return [a / length, b / length, c / length];
}
