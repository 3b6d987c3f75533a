import { cofactorsInto, determinant, type Mat3, normSquared } from './mat3.js';

const C = new Float64Array(9);

/**
 * The largest tr RᵀM over all rotations R: t = σ₁ + σ₂ ± σ₃, computed without R (as Theobald 2005 does for
 * superpositions). t² = Σσ² + 2u with u = σ₁σ₂ + σ₂σ₃ + σ₃σ₁, and u² = Σσᵢ²σⱼ² + 2 det M · t. So t is the largest root
 * of (t² − ‖M‖²)² − 8 det M · t − 4‖cof M‖² = 0. Newton's iteration from the upper bound √3 ‖M‖ decreases to it without
 * overshooting.
 */
export function bestTrace(m: Mat3): number {
  const a = normSquared(m);
  cofactorsInto(C, m);
  const b = normSquared(C);
  const det = determinant(m);
  let t = Math.sqrt(3 * a);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const q = t * t - a;
    const slope = 4 * t * q - 8 * det;
    const step = slope > 0 ? (q * q - 8 * det * t - 4 * b) / slope : 0;
    t -= step;
    if (!(step > CONVERGED * t)) break;
  }
  return t;
}

/**
 * Convergence is quadratic if the three singular values are equal. If two vanish, the error halves per round at first.
 * Mostly 4 to 6 rounds.
 */
const MAX_ROUNDS = 30;
/** After a last step of this relative size the error is its square. */
const CONVERGED = 1e-9;
