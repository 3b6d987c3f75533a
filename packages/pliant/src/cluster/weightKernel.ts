import { pow } from '../math/elementary.js';
/**
 * How the weight of a particle in a cluster depends on its distance d from the cluster's centre ([J15] 3.2): 'box' is
 * constant, 'poly6' a smooth bump that ends at the radius, 'blend' a constant plus poly6, 'invsq' 1/(d² + ε), 'fcm' the
 * weight of fuzzy c-means.
 */
export type Kernel = 'box' | 'poly6' | 'blend' | 'invsq' | 'fcm';

/** All kernels. */
export const KERNELS: readonly Kernel[] = ['box', 'poly6', 'blend', 'invsq', 'fcm'];

export interface KernelParameters {
  kernel: Kernel;
  /** The box part of `blend`, eq. 10; ≥ 0. */
  beta: number;
  /** Keeps `invsq` finite at the centre, eq. 11; a squared length, > 0. */
  epsilon: number;
  /** The fuzzifier of `fcm`, eq. 12; > 1. */
  m: number;
}

/**
 * Smallest raw weight of a member, as a share of the kernel's value at the centre. poly6 is 0 at its border and fcm
 * underflows far from a centre. A particle whose only cluster has it exactly there must still belong to it with a
 * normalised weight of 1. 1e-12 is far below anything that moves a centre of mass by 0.1 %, the tolerance of
 * convergence.
 */
export const WEIGHT_FLOOR = 1e-12;

/** poly6 at the centre, eq. 9 with d = 0: 315/(64 π h⁹) · h⁶. */
export const poly6Peak = (h: number): number => 315 / (64 * Math.PI * h * h * h);

/**
 * Turns the squared distances |x_i − x_c|² of `members` memberships into raw weights, in place, and sums them per
 * particle into `sums` (0 for a particle in no cluster). `scratch` holds one number per particle.
 *
 * fcm: eq. 12 with e = 2/(m−1) is 1/Σ_d (r_c/r_d)^e = r_c^(−e) / Σ_d r_d^(−e), so it is the normalisation (13) of the raw
 * weight r_c^(−e). Taken relative to the particle's nearest centre it is (r_min/r_c)^e, which lies in [0, 1] and cannot
 * overflow; at a centre (r = 0) it is 1 there and 0 elsewhere, the limit of eq. 12. The sum runs over the clusters whose
 * radius holds the particle: the sparsity that [J15] 3.3 asks for.
 */
export function weigh(
  weight: Float64Array,
  particle: Uint32Array,
  members: number,
  h: number,
  { kernel, beta, epsilon, m }: KernelParameters,
  sums: Float64Array,
  scratch: Float64Array,
): void {
  sums.fill(0);
  switch (kernel) {
    case 'box':
      for (let k = 0; k < members; k++) {
        weight[k] = 1;
        sums[particle[k]]++;
      }
      return;
    case 'invsq':
      for (let k = 0; k < members; k++) {
        const w = 1 / (weight[k] + epsilon);
        weight[k] = w;
        sums[particle[k]] += w;
      }
      return;
    case 'poly6':
    case 'blend': {
      const constant = kernel === 'blend' ? beta : 0;
      const peak = poly6Peak(h);
      const floor = WEIGHT_FLOOR * (constant + peak);
      const perH2 = 1 / (h * h);
      for (let k = 0; k < members; k++) {
        // (h² − d²)³ / h⁶; 0 beyond h, where a member may lie by the slack (SLACKS in fuzzy.ts).
        const q = Math.max(0, 1 - weight[k] * perH2);
        const w = Math.max(floor, constant + peak * q * q * q);
        weight[k] = w;
        sums[particle[k]] += w;
      }
      return;
    }
    case 'fcm': {
      const half = 1 / (m - 1);
      scratch.fill(Infinity);
      for (let k = 0; k < members; k++) if (weight[k] < scratch[particle[k]]) scratch[particle[k]] = weight[k];
      for (let k = 0; k < members; k++) {
        const d2 = weight[k];
        const least = scratch[particle[k]];
        const share = half === 1 ? least / d2 : pow(least / d2, half);
        const w = d2 <= least ? 1 : Math.max(WEIGHT_FLOOR, share);
        weight[k] = w;
        sums[particle[k]] += w;
      }
    }
  }
}

/** The raw weight of one particle at a squared distance, up to a factor that all clusters have in common. */
export function weightAt(d2: number, h: number, { kernel, beta, epsilon, m }: KernelParameters): number {
  switch (kernel) {
    case 'box':
      return 1;
    case 'invsq':
      return 1 / (d2 + epsilon);
    case 'poly6':
    case 'blend': {
      const constant = kernel === 'blend' ? beta : 0;
      const peak = poly6Peak(h);
      const q = Math.max(0, 1 - d2 / (h * h));
      return Math.max(WEIGHT_FLOOR * (constant + peak), constant + peak * q * q * q);
    }
    // At a centre that cluster takes all of the particle; also within a millionth of the radius.
    case 'fcm': {
      const near = (h * h) / Math.max(d2, WEIGHT_FLOOR * h * h);
      return m === 2 ? near : pow(near, 1 / (m - 1));
    }
  }
}
