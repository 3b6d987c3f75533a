/*
 * Numbers of the 3×3 decompositions and of inertias. The WASM kernels use the same ones: scripts/build-kernels.mjs generates them from here.
 */

/** Of the polar decomposition (polar.ts). */
export const POLAR = {
  /**
   * Determinant of √3 M/‖M‖ above which Newton is used. A rotation has 1; 5e-3 means a smallest stretch of about one part in
   * 200, where the iteration still converges in 8 rounds.
   */
  REGULAR: 5e-3,
  /** The same, above which M is so near a rotation that not even the first round is worth scaling. */
  NEAR: 0.8,
  /**
   * σ₂/σ₁ below which a cluster counts as a line. Positions are f32: a body squeezed into a line has σ₂/σ₁ of about 1e-7
   * from rounding, and that noise must not choose a different twist for every cluster.
   */
  COLLINEAR: 1e-5,
  /** Share of the next larger singular value above which |σ₃| counts as equal to it. */
  TIED: 0.95,
  /** Squared change of a round above which the next one is scaled; near the end scaling only costs roots. */
  SCALED: 1e-2,
  /** Squared change after which to stop: convergence is quadratic, so that what is left is about 1e-12, far below f32. */
  CONVERGED: 1e-12,
  MAX_ROUNDS: 16,
} as const;

/** Of the singular value decomposition (svd.ts). */
export const SVD = {
  /** Below this the whole matrix counts as zero; squares stay above the subnormal range. */
  SMALLEST: 1e-140,
  /** Columns count as orthogonal when the cosine between them is below this: two orders above f64 rounding. */
  ORTHOGONAL: 1e-15,
  /** Sweeps converge quadratically; 3×3 matrices take 3 to 5, graded ones a few more. */
  MAX_SWEEPS: 16,
} as const;

/** Of inertia tensors (inertia.ts). */
export const INERTIA = {
  /**
   * Smallest moment of inertia, as a share of the trace, times a quarter, below which a cluster counts as a line: 1e-5, a thickness of 0.3 % of the length. Sums of
   * f32 leave some 1e-7 there, and what they leave of L about the line, divided by that, was a spin of ten rad/s, another one in each backend.
   */
  LINE: 2.5e-6,
  /** Share of the trace that is added to the diagonal: changes ω by less than f32 shows. */
  FLOOR: 1e-9,
  /** Determinants below this have no inverse. */
  SMALLEST: 1e-200,
} as const;
