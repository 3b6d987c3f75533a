/** Particles that stand in for the surface around a contact. */
export const PATCH = 6;

/** Numbers in a row of `blow`, and where each of them is. */
export const BLOW_ROW = 32;
export const Blow = {
  /** w: weights of the PATCH particles; they sum to 1. */
  WEIGHT: 0,
  /** w/m of the same (1/kg), 0 for those that cannot move. */
  PUSH: 6,
  /** 1/m of the particle (1/kg), 0 if it cannot move. */
  OWN: 12,
  /** What a unit impulse changes the parting velocity by (1/kg). */
  SOFTNESS: 13,
  /** Displacement along the normal that is asked for (m). */
  GOAL: 14,
  /** μ for velocities. */
  FRICTION: 15,
  /** Restitution, 0 for slow contacts. */
  BOUNCE: 16,
  /** Σ u² over the blows that stopped an approach u (m²/s²). */
  STOPPED: 17,
  /** Impulse along the normal so far (N s). */
  ALONG: 18,
  /** The same for displacements (kg m). */
  PARTED: 19,
  /** Impulse across the normal so far, a vector (N s), 0. */
  ACROSS: 20,
  /** The same for displacements (kg m), 0. */
  DRAGGED: 24,
} as const;
