import type { Body } from '../body/body.js';
import { invertInertiaInto } from '../math/inertia.js';
import type { World } from '../world.js';

/** Results of kernels.sumMotion and sumSpin. */
const sums = new Float64Array(9);
/** Rigid motion of the body: centre (m), velocity (m/s), angular velocity (rad/s). */
const motion = new Float64Array(9);
const inertia = new Float64Array(6);
const inverse = new Float64Array(6);

/**
 * Damping of the body as a whole: every particle loses a share of its velocity relative to the body's rigid motion
 * v̄ + ω × r, which conserves both momenta. The damping of clusters (SPEC M7) does the same relative to each cluster's
 * motion, and hardly damps oscillations that are wider than a cluster. Without this stage a block that was dropped
 * oscillates on the floor for ten seconds.
 */
export function dampBody(
  { kernels, state: { views: s } }: World,
  { rows, material, core: { law, history } }: Body,
): void {
  // Pieces of a broken body have no common motion.
  const share = law ? (history.broken ? 0 : law.bodyDamping) : material.bodyDamping;
  if (share === 0) return;
  const { particleStart, particleEnd } = rows;
  kernels.sumMotion(sums, particleStart, particleEnd);
  const mass = sums[3];
  for (let a = 0; a < 3; a++) {
    motion[a] = s.x[4 * particleStart + a] + sums[a] / mass;
    motion[3 + a] = sums[4 + a] / mass;
  }
  kernels.sumSpin(sums, particleStart, particleEnd, motion);
  const [lx, ly, lz, zz, xx, yy, xy, xz, yz] = sums;
  inertia[0] = xx;
  inertia[1] = yy;
  inertia[2] = zz;
  inertia[3] = xy;
  inertia[4] = xz;
  inertia[5] = yz;
  invertInertiaInto(inverse, 0, inertia);
  motion[6] = inverse[0] * lx + inverse[3] * ly + inverse[4] * lz;
  motion[7] = inverse[3] * lx + inverse[1] * ly + inverse[5] * lz;
  motion[8] = inverse[4] * lx + inverse[5] * ly + inverse[2] * lz;
  kernels.dampParticles(particleStart, particleEnd, share, motion);
}
