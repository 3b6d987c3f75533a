import { polarInto } from '../math/polar.js';
import type { World } from '../world.js';

/**
 * The energy that an undamped step conserves, of bodies whose rotations are those of the covariance (contact/energy.ts): ½ Σ m v² + Φ − (h/2) Σ v·∇Φ, in J,
 * by f64 sums of its own over all particles and clusters.
 */
export function keptEnergy({ state: { views: s }, dt: h, clusterCount, particleCount }: World): number {
  const gradient = new Float64Array(3 * particleCount);
  let energy = 0;
  for (let c = 0; c < clusterCount; c++) energy += addCluster(gradient, s, c, h);
  for (let i = 0; i < particleCount; i++)
    for (let a = 0; a < 3; a++) {
      const v = s.v[4 * i + a];
      energy += 0.5 * s.x[4 * i + 3] * v * v - 0.5 * h * v * gradient[3 * i + a];
    }
  return energy;
}

/** Adds the gradient of a cluster's potential; returns the potential. */
function addCluster(gradient: Float64Array, s: World['state']['views'], c: number, h: number): number {
  const [R, A] = [new Float64Array(9), new Float64Array(9)];
  const members = Array.from({ length: s.memberStart[c + 1] - s.memberStart[c] }, (_, n) => s.memberStart[c] + n);
  const mass = members.reduce((sum, k) => sum + s.member[4 * k + 3], 0);
  const mean = (of: (k: number) => number) => members.reduce((sum, k) => sum + s.member[4 * k + 3] * of(k), 0) / mass;
  const axes = [0, 1, 2];
  const centre = axes.map((a) => mean((k) => s.x[4 * s.memberParticle[k] + a]));
  const home = axes.map((a) => mean((k) => s.member[4 * k + a]));
  for (const k of members)
    for (const p of axes)
      for (const q of axes)
        A[3 * q + p] +=
          s.member[4 * k + 3] * (s.x[4 * s.memberParticle[k] + p] - centre[p]) * (s.member[4 * k + q] - home[q]);
  polarInto(R, A);
  let energy = 0;
  for (const k of members) {
    const i = s.memberParticle[k];
    const stiff = (s.stiffness[i] * s.member[4 * k + 3]) / h ** 2;
    for (const p of axes) {
      const off = axes.reduce((d, q) => d - R[3 * q + p] * (s.member[4 * k + q] - home[q]), s.x[4 * i + p] - centre[p]);
      energy += 0.5 * stiff * off * off;
      gradient[3 * i + p] += stiff * off;
    }
  }
  return energy;
}
