import type { State } from './state.js';

/**
 * Layout of one contact of a body with itself, in f64. A particle i meets a patch of the surface: particles k with weights w that sum to 1.
 * The particle and the patch act on each other like a point on a rigid plate. An impulse J on the particle gives the patch
 *
 *     J_k = −w_k (J + θ × r_k),   T θ = d × J,   T = Σ w (|r|² − r rᵀ),
 *
 * with r_k from the weighted centre of the patch and d from that centre to the particle. Then Σ J_k = −J and Σ r_k × J_k = −d × J, so
 * linear and angular momentum are conserved for any J. The relative velocity conjugate to J is measured against the plate's velocity at the
 * particle, V + Ω × d, with V = Σ w v and T Ω = Σ w r × v.
 *
 * Positions are those at the end of the step, where the particle is at its patch. (Positions at the start would conserve angular momentum
 * without a correction, as x moves by h Δv. But there a fast particle is far from its patch, and every impulse turns the patch strongly.)
 */
export const SelfRow = {
  /** Normal, from the patch to the particle. */
  NORMAL: 0,
  /** Goal of the separating speed (m/s). */
  GOAL: 3,
  /** d (m). */
  OFFSET: 4,
  /** μ. */
  FRICTION: 7,
  /** T⁻¹, xx yy zz xy xz yz (1/m²); 0 where the patch is a line or a point. */
  TURN: 8,
  /** Mobility matrix: relative velocity by unit impulse, xx yy zz xy xz yz (1/kg). */
  MOBILITY: 14,
  /** The mobility along the normal (1/kg). */
  ALONG: 20,
  /** Impulse along the normal so far (N s). */
  NORMAL_IMPULSE: 21,
  /** Tangential impulse so far, a vector (N s). */
  FRICTION_IMPULSE: 22,
  /** Separating speed at which the contact would end within this step (m/s). Above 0 the contact penetrated before the step. */
  EXIT_SPEED: 25,
  /** Of each particle of the patch: w, then r (m); in a row without friction w, then its lever (layLevers in kernels/ts/selfContacts.ts). */
  PATCH: 26,
  /** Rows of `changes` of the particle and its patch: seven u32, in bytes. */
  SLOT: 50,
  LENGTH: 54,
} as const;

/** Layout of one particle that contacts of a body with itself move, in f64. */
export const SelfChange = {
  /** Change of velocity, a vector (m/s). */
  CHANGE: 0,
  /** 1/m (1/kg), which is 0 for held and sleeping particles. */
  INVERSE_MASS: 3,
  /** Velocity before contact, a vector (m/s), 0. */
  VELOCITY: 4,
  /** The change before the present pass, a vector (m/s), 0. */
  KEPT: 8,
  LENGTH: 12,
} as const;

/** Bytes of a number. */
export const F64 = 8;

/** Bytes for each particle of a body with which it has room for contacts with itself: one each at most. */
export const SELF_ROOM = F64 * (SelfRow.LENGTH + SelfChange.LENGTH);

/**
 * Room for the contacts of a body with itself, and for the particles that they move. It lies behind the arrays of the state, where kernels reach it, and is used within one
 * stage of a step: memory that every particle would need for it is saved. Particles are listed in `moved`, in the order of `changes`.
 */
export interface SelfRoom {
  /** Rows of SelfRow. */
  readonly rows: Float64Array;
  /** The same memory. */
  readonly words: Uint32Array;
  /** Rows of SelfChange. */
  readonly changes: Float64Array;
}

/** Room for that many contacts, which move at most that many particles. Its former content is overwritten. */
export function takeSelfRoom(state: State, contacts: number, particles: number): SelfRoom {
  const bytes = F64 * SelfRow.LENGTH * contacts;
  const from = state.roomBehind(bytes + F64 * SelfChange.LENGTH * particles);
  const { buffer } = state.memory;
  return {
    rows: new Float64Array(buffer, from, bytes / F64),
    words: new Uint32Array(buffer, from, bytes / 4),
    changes: new Float64Array(buffer, from + bytes, SelfChange.LENGTH * particles),
  };
}
