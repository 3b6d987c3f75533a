import type { Views } from '../state/layout.js';
import type { Collider } from './collider.js';

/** Values common to all contacts of a step. */
export interface Contact {
  /** Time step (s). */
  h: number;
  /** Approaching speed (m/s) below which nothing bounces, so that the speed gravity adds in a step does not keep a resting body hopping. */
  restThreshold: number;
  /** Whether obstacles have met the body in this substep before: its layers beyond particles are pressed together already. */
  isAgain?: boolean;
  /** Where the impulses along the normals are added up (N s); of the body whose particles are moved. */
  pressed?: Pressed;
}

/** Sum of impulses along normals (N s). */
export interface Pressed {
  pressedX: number;
  pressedY: number;
  pressedZ: number;
  /** Of each impulse times the velocity of the obstacle along the normal (N m). */
  pressedDrift: number;
}

/** The arrays of the state that a contact reads and writes. */
export type Moving = Pick<Views, 'x' | 'v'>;

const way = new Float64Array(3);

/**
 * Contact of a particle (rows from x[o], v[o]) with a surface of normal n. The approaching velocity relative to the surface is removed, and
 * the share `restitution` of it is returned. Coulomb friction removes sliding velocity up to μ times the change of the normal velocity.
 *
 * The displacement by which the particle slid over the surface in this step is taken back in the same share. Without that a body on a slope
 * creeps at M/m h g sin θ however large μ is: its whole weight M pulls for one step on the particles m that touch.
 *
 * `away`: the velocity along n with which the particle leaves the surface, where that is known (pressParticle.ts).
 */
export function respond(
  s: Moving,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  collider: Collider,
  { h, restThreshold, pressed }: Contact,
  away?: number,
): void {
  const { x, v } = s;
  const { linear, angular: w } = collider;
  const p = collider.to.position;
  const rx = x[o] - p[0];
  const ry = x[o + 1] - p[1];
  const rz = x[o + 2] - p[2];
  const cx = linear[0] + w[1] * rz - w[2] * ry;
  const cy = linear[1] + w[2] * rx - w[0] * rz;
  const cz = linear[2] + w[0] * ry - w[1] * rx;
  let ux = v[o] - cx;
  let uy = v[o + 1] - cy;
  let uz = v[o + 2] - cz;
  const approach = -(ux * nx + uy * ny + uz * nz);
  const bounce = away ?? (approach > restThreshold ? collider.restitution * approach : 0);
  if (approach + bounce <= 0) return;
  if (pressed) {
    const impulse = x[o + 3] * (approach + bounce);
    pressed.pressedX += impulse * nx;
    pressed.pressedY += impulse * ny;
    pressed.pressedZ += impulse * nz;
    pressed.pressedDrift += impulse * (cx * nx + cy * ny + cz * nz);
  }
  // u becomes the sliding velocity; `keep` is the share that friction leaves.
  ux += approach * nx;
  uy += approach * ny;
  uz += approach * nz;
  const sliding = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const stopping = collider.friction * (approach + bounce);
  const keep = sliding > stopping ? 1 - stopping / sliding : 0;
  const back = 1 - keep;
  if (collider.turns) {
    slidInto(way, x[o], x[o + 1], x[o + 2], h * v[o], h * v[o + 1], h * v[o + 2], nx, ny, nz, collider);
    x[o] -= back * way[0];
    x[o + 1] -= back * way[1];
    x[o + 2] -= back * way[2];
  } else {
    x[o] -= h * back * ux;
    x[o + 1] -= h * back * uy;
    x[o + 2] -= h * back * uz;
  }
  setVelocity(s, o, cx + keep * ux + bounce * nx, cy + keep * uy + bounce * ny, cz + keep * uz + bounce * nz, collider);
}

/**
 * out := displacement over a turning surface of a particle that is at x and moved by d: d minus the displacement of the surface point,
 * which moves on an arc. With ω × r in its place, a body on a turntable would spiral inwards by (ωh)²/2 of its radius in every step.
 */
function slidInto(
  out: Float64Array,
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
  nx: number,
  ny: number,
  nz: number,
  { from, to }: Collider,
): void {
  to.ownInto(out, x, y, z);
  from.turnInto(out, out[0], out[1], out[2]);
  const p = from.position;
  const sx = dx - (x - (out[0] + p[0]));
  const sy = dy - (y - (out[1] + p[1]));
  const sz = dz - (z - (out[2] + p[2]));
  const along = sx * nx + sy * ny + sz * nz;
  out[0] = sx - along * nx;
  out[1] = sy - along * ny;
  out[2] = sz - along * nz;
}

/** Changes a particle's velocity and adds the momentum it loses to the collider. The loss is taken from the rounded, stored velocity. */
export function setVelocity({ x, v }: Moving, o: number, vx: number, vy: number, vz: number, collider: Collider): void {
  const m = x[o + 3];
  const bx = v[o];
  const by = v[o + 1];
  const bz = v[o + 2];
  v[o] = vx;
  v[o + 1] = vy;
  v[o + 2] = vz;
  collider.receive(x[o], x[o + 1], x[o + 2], m * (bx - v[o]), m * (by - v[o + 1]), m * (bz - v[o + 2]));
}
