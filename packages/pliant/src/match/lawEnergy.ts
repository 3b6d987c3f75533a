import { MatchSums, sumMatch } from '../kernels/ts/match.js';
import { soften } from '../kernels/ts/soften.js';
import { squared } from '../math/elementary.js';
import { cofactorsInto, multiplyInto } from '../math/mat3.js';
import { polarInto } from '../math/polar.js';
import type { Views } from '../state/layout.js';
import { Soft } from '../state/soft.js';

// Scratch: matrices by columns, and the sums over a cluster.
const [A, F, G, R] = [1, 2, 3, 4].map(() => new Float64Array(9));
const [inverse, metric, moment, plastic, stretch] = [1, 2, 3, 4, 5].map(() => new Float64Array(9));
const sums = new MatchSums();

/**
 * ½ b (tr (F − A) M (F − A)ᵀ β + tr (F − R) M (F − R)ᵀ (1 − β) + Σ m w |x − x̄ − F p|²) of a cluster (J s²), with the metric
 * M = S A_rr and b its share of a step. A and R contain F^p.
 */
export function lawEnergy(s: Views, c: number, share: number): number {
  const beta = s.softness[8 * c + Soft.ORDER] === 1 ? s.softness[8 * c + Soft.BETA] : 0;
  sumMatch(sums, s, c);
  for (let k = 0; k < 9; k++) {
    inverse[k] = s.restInverse[9 * c + k];
    stretch[k] = s.elasticity[12 * c + k];
    plastic[k] = s.plastic[9 * c + k];
  }
  const m = s.restMoment.subarray(6 * c, 6 * c + 6);
  moment.set([m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2]]);
  multiplyInto(F, sums.A, inverse);
  // Σ m w |x − x̄ − F p|² = Σ m w |x − x̄|² − tr F A_xrᵀ.
  let energy = 0;
  for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
    for (let a = 0; a < 3; a++)
      energy += s.member[4 * k + 3] * squared(s.x[4 * s.memberParticle[k] + a] - sums.centre[a]);
  for (let k = 0; k < 9; k++) energy -= F[k] * sums.A[k];
  energy = Math.max(0, energy);
  multiplyInto(A, sums.A, stretch);
  multiplyInto(G, A, plastic);
  polarInto(R, G);
  multiplyInto(metric, stretch, moment);
  multiplyInto(G, R, plastic);
  energy += (1 - beta) * distanceSquared(F, G, metric);
  if (beta > 0) {
    cofactorsInto(inverse, plastic);
    multiplyInto(G, F, inverse);
    A.set(R);
    soften(s, c, A, G, plastic, sums.centre);
    for (let k = 0; k < 9; k++) A[k] = (A[k] - (1 - beta) * R[k]) / beta;
    multiplyInto(G, A, plastic);
    energy += beta * distanceSquared(F, G, metric);
  }
  return 0.5 * share * energy;
}

/** tr (P − Q) M (P − Q)ᵀ with a symmetric M. */
function distanceSquared(P: Float64Array, Q: Float64Array, M: Float64Array): number {
  let sum = 0;
  for (let a = 0; a < 3; a++)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) sum += (P[3 * i + a] - Q[3 * i + a]) * M[3 * j + i] * (P[3 * j + a] - Q[3 * j + a]);
  return sum;
}
