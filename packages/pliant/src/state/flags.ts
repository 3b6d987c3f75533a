/** Bits of a particle's `flags`. */
export const Flag = {
  /** Feels no gravity, no pull to its goal, no damping: its velocity is set by a clamp or a pin. */
  HELD: 1,
  /** Strain limiting does not move it. The research code's clamps lack this: there limiting pulls particles off a clamp. */
  FIRM: 2,
  /** Lies within its body: unless it moves fast it meets another only after the surface around it has. */
  INNER: 4,
  /** Its body sleeps: contact does not move it. */
  ASLEEP: 8,
} as const;

/** Values of a cluster's `refit` while the limit sweeps. */
export const Refit = {
  /** All members are where they were: not fitted in this sweep. */
  IDLE: 0,
  FITTED: 1,
  /** A member moved since it was fitted. */
  MOVED: 2,
} as const;
