/** Bits of a particle's `flags`. */
export const Flag = {
  /** Feels no gravity, no pull to its goal, no damping: its velocity is set by a clamp or a pin. */
  HELD: 1,
  /** Strain limiting does not move it. The research code's clamps lack this: there limiting pulls particles off a clamp. */
  FIRM: 2,
  /** A sweep of this step's limit changed its position. Set by limitParticles, cleared by integrateParticles. */
  MOVED: 4,
} as const;
