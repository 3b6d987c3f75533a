/*
 * Constants of the 3×3 decompositions and of inertias. scripts/build-kernels.mjs generates those of the WASM kernels
 * from here.
 */

/** Constants of the polar decomposition (polar.ts). */
export const POLAR = {
  /**
   * Determinant of √3 M/‖M‖ above which Newton's iteration is used. A rotation has 1. 5e-3 means a smallest stretch of
   * about one part in 200, where the iteration still converges in 8 rounds.
   */
  REGULAR: 5e-3,
  /** The same determinant, above which M is so near a rotation that not even the first round is scaled. */
  NEAR: 0.8,
  /**
   * σ₂/σ₁ below which a cluster counts as a line. Positions are f32: a body squeezed into a line has σ₂/σ₁ of about
   * 1e-7 from rounding. That noise must not give every cluster a different twist.
   */
  COLLINEAR: 1e-5,
  /** Share of the next larger singular value above which |σ₃| counts as equal to it. */
  TIED: 0.95,
  /** Squared change of a round above which the next one is scaled. Near the end scaling only costs square roots. */
  SCALED: 1e-2,
  /**
   * Squared change after which the iteration stops. Convergence is quadratic, so that the error is about 1e-12, far
   * below f32.
   */
  CONVERGED: 1e-12,
  /**
   * Of a matrix near a rotation: difference of a singular value from 1 at which the iteration of the fast kernels stops, a sixth of the rounding of f32. It is a stretch along the axes of the matrix, so no torque comes of it.
   */
  LEFT: 1e-8,
  MAX_ROUNDS: 16,
} as const;

/** Constants of the singular value decomposition (svd.ts). */
export const SVD = {
  /** Below this the whole matrix counts as zero; squares stay above the subnormal range. */
  SMALLEST: 1e-140,
  /** Columns count as orthogonal when the cosine between them is below this: two orders above f64 rounding. */
  ORTHOGONAL: 1e-15,
  /** Sweeps converge quadratically; 3×3 matrices take 3 to 5, graded ones a few more. */
  MAX_SWEEPS: 16,
} as const;

/** Constants of inertia tensors (inertia.ts). */
export const INERTIA = {
  /**
   * A cluster counts as a line if det I is below this share of the trace cubed. That is a smallest moment of 1e-5 of
   * the trace, a thickness of 0.3 % of the length. f32 sums have an error of some 1e-7 there. The error of L about the
   * line divided by such a moment was a spin of ten rad/s, different in each backend.
   */
  LINE: 2.5e-6,
  /**
   * A cluster's fit counts as thin if the determinant of its inertia is at most this share of the cube of the trace that the inertia has at rest. A rod 16 times as long as thick has 1e-3, a ball 0.037,
   * a ball pressed to half its size 6e-4. Of such a fit the inertia is small beside that of what it leaves of its members, and a damping towards its turning would feed that.
   */
  THIN: 1e-3,
  /** Share of the trace that is added to the diagonal: it changes ω by less than f32 shows. */
  FLOOR: 1e-9,
  /** Determinants below this have no inverse. */
  SMALLEST: 1e-200,
} as const;
