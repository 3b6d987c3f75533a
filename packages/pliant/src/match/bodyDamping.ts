import type { Body } from '../body/body.js';
import { invertInertiaInto } from '../math/inertia.js';
import { Flag } from '../state/flags.js';
import type { World } from '../world.js';

const inertia = new Float64Array(6);
const inverse = new Float64Array(6);

/**
 * Damping of the body as a whole: every particle loses a share of its velocity relative to the body's rigid motion
 * v̄ + ω × r, which conserves both momenta. The damping of clusters (SPEC M7) does the same relative to each cluster's
 * motion, and hardly damps oscillations that are wider than a cluster. Without this stage a block that was dropped
 * oscillates on the floor for ten seconds.
 */
export function dampBody(
  { state: { views: s } }: World,
  { rows, material, size, core: { law, history, restState } }: Body,
): void {
  // Pieces of a broken body have no common motion.
  const share = law ? (history.broken ? 0 : law.bodyDamping) : material.bodyDamping;
  if (share === 0) return;
  const { x, v } = s;
  const [first, last] = [4 * rows.particleStart, 4 * rows.particleEnd];
  let [mass, cx, cy, cz, vx, vy, vz] = [0, 0, 0, 0, 0, 0, 0];
  // Sums are relative to the first particle, so that bodies far from the origin lose no precision.
  const [ox, oy, oz] = [x[first], x[first + 1], x[first + 2]];
  for (let o = first; o < last; o += 4) {
    const m = x[o + 3];
    mass += m;
    cx += m * (x[o] - ox);
    cy += m * (x[o + 1] - oy);
    cz += m * (x[o + 2] - oz);
    vx += m * v[o];
    vy += m * v[o + 1];
    vz += m * v[o + 2];
  }
  cx = ox + cx / mass;
  cy = oy + cy / mass;
  cz = oz + cz / mass;
  vx /= mass;
  vy /= mass;
  vz /= mass;
  inertia.fill(0);
  let [lx, ly, lz] = [0, 0, 0];
  for (let o = first; o < last; o += 4) {
    const m = x[o + 3];
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    const [ux, uy, uz] = [v[o] - vx, v[o + 1] - vy, v[o + 2] - vz];
    lx += m * (ry * uz - rz * uy);
    ly += m * (rz * ux - rx * uz);
    lz += m * (rx * uy - ry * ux);
    inertia[0] += m * (ry * ry + rz * rz);
    inertia[1] += m * (rx * rx + rz * rz);
    inertia[2] += m * (rx * rx + ry * ry);
    inertia[3] -= m * rx * ry;
    inertia[4] -= m * rx * rz;
    inertia[5] -= m * ry * rz;
  }
  invertInertiaInto(inverse, 0, inertia);
  const wx = inverse[0] * lx + inverse[3] * ly + inverse[4] * lz;
  const wy = inverse[3] * lx + inverse[1] * ly + inverse[5] * lz;
  const wz = inverse[4] * lx + inverse[5] * ly + inverse[2] * lz;
  slow.fill(0);
  stand.fill(0);
  if (law && !law.rigid) {
    slowRolling(wx, wy, wz, leverOf(law.law.dampingRatio) * size, restState);
    slowBounce(vx, vy, vz, share, restState);
  }
  const [dx, dy, dz] = [slow[0], slow[1], slow[2]];
  const [ax, ay, az] = [stand[0], stand[1], stand[2]];
  for (let o = first; o < last; o += 4) {
    if (s.flags[o / 4] & Flag.HELD) continue;
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    v[o] += share * (vx + wy * rz - wz * ry - v[o]) + dy * rz - dz * ry + ax;
    v[o + 1] += share * (vy + wz * rx - wx * rz - v[o + 1]) + dz * rx - dx * rz + ay;
    v[o + 2] += share * (vz + wx * ry - wy * rx - v[o + 2]) + dx * ry - dy * rx + az;
  }
}

/** Change of the body's velocity by the damping of its bounce (m/s). */
const stand = new Float64Array(3);

/**
 * Share of the damping that the velocity of a body's centre has, against the obstacle that presses on it. A body that stands swings by half of the first
 * stretching mode's frequency, with sin(πy/2L) over its height. All but 0.19 of that motion's energy are in the motion of its centre, which the damping of the
 * body against its own motion does not see. With this share its damping ratio is that of the material: 2ζ (0.19 + 0.81 · 0.38) = ζ. Without, balls dropped from 30 cm bounced for 5 s.
 */
const STANDING = 0.38;

/** Damps the motion of the body's centre along the direction of the pressure. */
function slowBounce(
  vx: number,
  vy: number,
  vz: number,
  share: number,
  { pressedX: px, pressedY: py, pressedZ: pz, pressedDrift }: Body['core']['restState'],
): void {
  const pressed2 = px * px + py * py + pz * pz;
  if (pressed2 === 0) return;
  const factor = (-STANDING * share * (vx * px + vy * py + vz * pz - pressedDrift)) / pressed2;
  stand[0] = factor * px;
  stand[1] = factor * py;
  stand[2] = factor * pz;
}

/** Change of the body's angular velocity by its resistance to rolling (rad/s). */
const slow = new Float64Array(3);

/**
 * Lever arm of the resistance to rolling, as a share of the body's size. Rolling bodies are deformed anew all the time, and what damping takes of that
 * moves the centre of pressure ahead of the body: by some 0.2 of the loss angle 2ζ times the radius of contact, which is a third of the
 * radius of a soft ball.
 */
const leverOf = (dampingRatio: number) => Math.min(LONGEST, PER_RATIO * dampingRatio);
const PER_RATIO = 0.1;
const LONGEST = 0.02;

/**
 * Resistance to rolling over obstacles: a torque of the pressure times a lever arm (m), against the part of the angular velocity ω that rolls, at most
 * until that stands. Clusters are not quite alike, so that a ball which falls straight down is turned a little at every bounce: by the pressure of the
 * impact at some 4 mm beside its centre (1 m wide, 7 particles across). The resistance is larger than that. `inverse` is that of the inertia.
 */
function slowRolling(
  wx: number,
  wy: number,
  wz: number,
  lever: number,
  { pressedX: px, pressedY: py, pressedZ: pz }: Body['core']['restState'],
): void {
  const pressed2 = px * px + py * py + pz * pz;
  if (pressed2 === 0) return;
  // Without the spin about the direction of the pressure.
  const spin = (wx * px + wy * py + wz * pz) / pressed2;
  const [rx, ry, rz] = [wx - spin * px, wy - spin * py, wz - spin * pz];
  const roll2 = rx * rx + ry * ry + rz * rz;
  const ax = inverse[0] * rx + inverse[3] * ry + inverse[4] * rz;
  const ay = inverse[3] * rx + inverse[1] * ry + inverse[5] * rz;
  const az = inverse[4] * rx + inverse[5] * ry + inverse[2] * rz;
  const compliance = rx * ax + ry * ay + rz * az;
  if (!(compliance > 0)) return;
  // The torque −k ω_roll. Up to the second bound it lowers the energy, −k ω_roll² + ½ k² ω_roll I⁻¹ ω_roll.
  const k = Math.min(lever * Math.sqrt(pressed2 / roll2), roll2 / compliance);
  slow[0] = -k * ax;
  slow[1] = -k * ay;
  slow[2] = -k * az;
}
