/** Bits of a particle's `flags`. */
export const Flag = {
  /** Feels no gravity, no pull to its goal, no damping: its velocity is set by a clamp or a pin. */
  HELD: 1,
  /**
   * The strain limit does not move it. In the research code clamped particles lack this: the limit pulls them off a
   * clamp.
   */
  FIRM: 2,
  /** It lies inside its body: unless it moves fast it touches another body only after the surface around it has. */
  INNER: 4,
  /** Its body sleeps: contact does not move it. */
  ASLEEP: 8,
} as const;

/** Values of a cluster's `refit` while the limit sweeps. */
export const Refit = {
  /** No member moved: not fitted in this sweep. */
  IDLE: 0,
  FITTED: 1,
  /** A member moved since the cluster was fitted. */
  MOVED: 2,
} as const;
