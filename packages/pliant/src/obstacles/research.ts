import { hypot } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';
import { setVelocity } from './respond.js';

/** Height (m) to which the research code lifts a particle above a static plane, and the share of its velocity that it keeps. */
const RESEARCH_LIFT = 1e-5;
const RESEARCH_KEEP = 0.4;
/** Outward speed (m/s) that the research code's cylinders add in every step of contact. */
const RESEARCH_KICK = 2;

/**
 * Planes, spheres and cylinders as in the papers' program; returns whether a particle touched. `age`: how long the collider has moved (s).
 * `spared` marks rows that pass through.
 */
export function collideResearch(
  s: Views,
  start: number,
  end: number,
  collider: Collider,
  age: number,
  spared?: Uint8Array,
): boolean {
  return collider.type === 'plane'
    ? collideResearchPlane(s, start, end, collider, age, spared)
    : collideResearchRound(s, start, end, collider, age, spared);
}

function collideResearchPlane(
  s: Views,
  start: number,
  end: number,
  plane: Collider,
  age: number,
  spared?: Uint8Array,
): boolean {
  const { x } = s;
  const { velocity } = plane;
  const [nx, ny, nz] = plane.direction;
  const along = nx * velocity[0] + ny * velocity[1] + nz * velocity[2];
  const offset = plane.offset + age * along;
  let touched = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    const depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz);
    if (!(depth > 0) || spared?.[i]) continue;
    leavePlane(s, o, plane, depth);
    touched = true;
  }
  return touched;
}

/** In the research code static planes lift a particle above their surface, moving ones only onto it. */
function leavePlane(s: Views, o: number, plane: Collider, depth: number): void {
  const { x, v } = s;
  const [nx, ny, nz] = plane.direction;
  const lift = depth + (plane.except ? 0 : RESEARCH_LIFT);
  const along = v[o] * nx + v[o + 1] * ny + v[o + 2] * nz;
  x[o] += lift * nx;
  x[o + 1] += lift * ny;
  x[o + 2] += lift * nz;
  setVelocity(
    s,
    o,
    RESEARCH_KEEP * (v[o] - along * nx),
    RESEARCH_KEEP * (v[o + 1] - along * ny),
    RESEARCH_KEEP * (v[o + 2] - along * nz),
    plane,
  );
}

const centre = new Float64Array(3);

function collideResearchRound(
  s: Views,
  start: number,
  end: number,
  collider: Collider,
  age: number,
  spared?: Uint8Array,
): boolean {
  const { x } = s;
  const { origin, velocity, radius } = collider;
  for (let a = 0; a < 3; a++) centre[a] = origin[a] + age * velocity[a];
  const [cx, cy, cz] = centre;
  const [ax, ay, az] = collider.type === 'cylinder' ? collider.direction : [0, 0, 0];
  let touched = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    let rx = x[o] - cx;
    let ry = x[o + 1] - cy;
    let rz = x[o + 2] - cz;
    const along = rx * ax + ry * ay + rz * az;
    rx -= along * ax;
    ry -= along * ay;
    rz -= along * az;
    const near = rx * rx + ry * ry + rz * rz;
    if (!(near < radius * radius) || spared?.[i]) continue;
    leaveRound(s, o, collider, rx, ry, rz, Math.sqrt(near));
    touched = true;
  }
  return touched;
}

/** Moves a particle out along (rx, ry, rz), the vector from the centre or axis, of length `distance`. */
function leaveRound(
  s: Views,
  o: number,
  collider: Collider,
  rx: number,
  ry: number,
  rz: number,
  distance: number,
): void {
  const { x, v } = s;
  const { velocity, type, momentumScale, radius } = collider;
  // Exactly at the centre all ways out are equally short: takes one across the axis.
  const [nx, ny, nz] = distance > 0 ? [rx / distance, ry / distance, rz / distance] : acrossAxis(collider.direction);
  const out = radius - distance;
  x[o] += out * nx;
  x[o + 1] += out * ny;
  x[o + 2] += out * nz;
  const kick = type === 'cylinder' ? RESEARCH_KICK : 0;
  setVelocity(
    s,
    o,
    v[o] + (kick * nx + momentumScale * velocity[0]),
    v[o + 1] + (kick * ny + momentumScale * velocity[1]),
    v[o + 2] + (kick * nz + momentumScale * velocity[2]),
    collider,
  );
}

function acrossAxis([x, y, z]: readonly [number, number, number]): [number, number, number] {
  const [a, b, c] = Math.abs(x) < 0.9 ? [0, z, -y] : [-z, 0, x];
  const length = hypot(a, b, c);
  return [a / length, b / length, c / length];
}
