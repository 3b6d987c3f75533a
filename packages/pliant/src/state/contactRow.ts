/** Number of particles that represent the surface around a contact. */
export const PATCH = 6;

/** Numbers in a row of `contactRow`, and their offsets. */
export const CONTACT_ROW = 32;
export const ContactRow = {
  /** w: weights of the PATCH particles; they sum to 1. */
  WEIGHT: 0,
  /** w/m of the same (1/kg), 0 for those that cannot move. */
  PATCH_INVERSE_MASS: 6,
  /** 1/m of the particle (1/kg), 0 if it cannot move. */
  PARTICLE_INVERSE_MASS: 12,
  /** Change of the separation velocity by a unit impulse (1/kg). */
  INVERSE_MASS: 13,
  /** Wanted displacement along the normal (m). */
  GOAL: 14,
  /** μ for velocities. */
  FRICTION: 15,
  /** Restitution, 0 for slow contacts. */
  RESTITUTION: 16,
  /** Σ u² over the impulses that stopped an approach u (m²/s²). */
  STOPPED_SQUARES: 17,
  /** Impulse along the normal so far (N s). */
  NORMAL_IMPULSE: 18,
  /** The same for displacements (kg m). */
  NORMAL_SHIFT: 19,
  /** Impulse across the normal so far, a vector (N s), 0. */
  FRICTION_IMPULSE: 20,
  /** The same for displacements (kg m), 0. */
  FRICTION_SHIFT: 24,
} as const;
