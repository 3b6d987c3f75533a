import type { Body } from '../body/body.js';
import { invertInertiaInto } from '../math/inertia.js';
import type { World } from '../world.js';

/** Results of kernels.sumBody. */
const sums = new Float64Array(16);
/** Rigid motion of the body about its first particle: place (m), velocity there (m/s), angular velocity (rad/s). */
const motion = new Float64Array(9);
const inertia = new Float64Array(6);
const inverse = new Float64Array(6);

/**
 * Damping of the body as a whole: every particle loses a share of its velocity relative to the body's rigid motion
 * v̄ + ω × r, which conserves both momenta. The damping of clusters (SPEC M7) does the same relative to each cluster's
 * motion, and hardly damps oscillations that are wider than a cluster. Without this stage a block that was dropped
 * oscillates on the floor for ten seconds.
 *
 * Of bodies with an elastic law integrate does it, in the pass that it makes anyway, and their motion is summed from those of the clusters, after match. With u = v + k (g − v) of all particles, g the rigid motion, the clusters' motions would be fitted to u. As g is rigid, but for what fits leave of a particle's place, what they
 * then give is K (ū + ω_u × r − u) = K (1 − k) (v̄ + ω × r − v): they are fitted to v, and their damping K is less by the factor 1 − k.
 */
export function dampBody(
  { kernels, state: { views: s } }: World,
  { rows, material, size, core: { law, history, restState, drag } }: Body,
): void {
  // Pieces of a broken body have no common motion.
  const share = law ? (history.broken ? 0 : law.bodyDamping) : material.bodyDamping;
  drag.share = 0;
  if (share === 0) return;
  const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
  if (law) kernels.sumMotions(sums, clusterStart, clusterEnd, particleStart);
  else kernels.sumBody(sums, particleStart, particleEnd);
  const mass = sums[3];
  const rx = sums[0] / mass;
  const ry = sums[1] / mass;
  const rz = sums[2] / mass;
  const ux = sums[4] / mass;
  const uy = sums[5] / mass;
  const uz = sums[6] / mass;
  // The sums are about the first particle; these are about the centre of mass.
  const lx = sums[7] - mass * (ry * uz - rz * uy);
  const ly = sums[8] - mass * (rz * ux - rx * uz);
  const lz = sums[9] - mass * (rx * uy - ry * ux);
  const xx = sums[10] - mass * rx * rx;
  const yy = sums[11] - mass * ry * ry;
  const zz = sums[12] - mass * rz * rz;
  inertia[0] = yy + zz;
  inertia[1] = xx + zz;
  inertia[2] = xx + yy;
  inertia[3] = mass * rx * ry - sums[13];
  inertia[4] = mass * rz * rx - sums[15];
  inertia[5] = mass * ry * rz - sums[14];
  const o = 4 * particleStart;
  motion[0] = s.x[o];
  motion[1] = s.x[o + 1];
  motion[2] = s.x[o + 2];
  motion[3] = s.v[o] + ux;
  motion[4] = s.v[o + 1] + uy;
  motion[5] = s.v[o + 2] + uz;
  invertInertiaInto(inverse, 0, inertia);
  motion[6] = inverse[0] * lx + inverse[3] * ly + inverse[4] * lz;
  motion[7] = inverse[3] * lx + inverse[1] * ly + inverse[5] * lz;
  motion[8] = inverse[4] * lx + inverse[5] * ly + inverse[2] * lz;
  if (law && !law.rigid) {
    slow.fill(0);
    stand.fill(0);
    slowRolling(motion[6], motion[7], motion[8], leverOf(law.law.dampingRatio) * size, restState);
    slowBounce(motion[3], motion[4], motion[5], share, restState);
    // Particles go by `share` towards the motion of the body: these changes of it count in full.
    holdRolling(mass, restState);
    for (let a = 0; a < 3; a++) {
      motion[3 + a] += stand[a] / share;
      motion[6 + a] += slow[a] / share;
    }
  }
  // From the centre of mass to the first particle. Kernels compute in f32, where a centre far from the origin is rounded and the place of a particle is not.
  // Particles that moved towards a motion about a rounded centre drifted: a box that turned at 5 rad/s by 0.4 to 1.2 mm/s in 10 s, 1 km from the origin.
  const [wx, wy, wz] = [motion[6], motion[7], motion[8]];
  motion[3] -= wy * rz - wz * ry;
  motion[4] -= wz * rx - wx * rz;
  motion[5] -= wx * ry - wy * rx;
  if (!law) {
    kernels.dampParticles(particleStart, particleEnd, share, motion);
    return;
  }
  drag.share = share;
  for (let a = 0; a < 6; a++) drag.motion[a] = motion[3 + a];
  drag.stand.set(stand);
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

/** Smallest change of the angular velocity (rad/s) by which a body is held: bodies creep by no more than that without it. */
const FEEBLE = 2e-5;

/** Adds to `slow` the static resistance to rolling: the impulse that sleep/watchRolling.ts keeps, which turns the body back before it moves. `inverse` is that of the inertia. */
function holdRolling(mass: number, { heldX, heldY, heldZ }: Body['core']['restState']): void {
  if (heldX === 0 && heldY === 0 && heldZ === 0) return;
  const turnX = mass * (inverse[0] * heldX + inverse[3] * heldY + inverse[4] * heldZ);
  const turnY = mass * (inverse[3] * heldX + inverse[1] * heldY + inverse[5] * heldZ);
  const turnZ = mass * (inverse[4] * heldX + inverse[5] * heldY + inverse[2] * heldZ);
  // A cube that lies flat needs no hold.
  if (turnX * turnX + turnY * turnY + turnZ * turnZ < FEEBLE * FEEBLE) return;
  slow[0] -= turnX;
  slow[1] -= turnY;
  slow[2] -= turnZ;
}
