import { cofactorsInto, determinant, type Mat3, normSquared } from './mat3.js';

const C = new Float64Array(9);

/**
 * The largest tr RᵀM over all rotations R: σ₁ + σ₂ ± σ₃, without finding R (Theobald 2005 does the same for superpositions). Its square
 * is Σσ² + 2u with u = σ₁σ₂ + σ₂σ₃ + σ₃σ₁, and u² = Σσᵢ²σⱼ² + 2 det M · t; so t is the largest root of
 * (t² − ‖M‖²)² − 8 det M · t − 4‖cof M‖² = 0. Newton's iteration from above, t ≤ √3 ‖M‖, falls to it without overshooting.
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

/** Quadratic where the three are alike, by halves at first where two vanish: 4 to 6 rounds mostly. */
const MAX_ROUNDS = 30;
/** A last step of this share leaves an error of its square. */
const CONVERGED = 1e-9;
