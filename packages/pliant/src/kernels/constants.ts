import { INERTIA, POLAR, SVD } from '../math/tolerances.js';

/*
 * Numbers that both backends use. scripts/build-kernels.mjs generates them for AssemblyScript under the name GROUP_NAME: KERNEL_CONSTANTS below says with which type.
 */

/** Of the contact solver. */
export const SOLVE = {
  /** Sweeps over the velocities, and over the positions. */
  VELOCITY_SWEEPS: 8,
  POSITION_SWEEPS: 4,
  /** A sweep that gives less than this share of all impulses so far is the last. */
  CONVERGED: 0.01,
  /**
   * Friction of displacements at most: it only has to keep resting bodies from creeping. With μ = 1 contacts whose normals differ by 90°
   * drag each other on without end (a collision in 60 won twenty times its energy).
   */
  STEADY: 0.3,
  /** Penetration up to this share of the proxy's radius is shared by both sides; what is beyond goes back the way it came. */
  SHARED_DEPTH: 0.2,
  /** Softening of the weights in a patch, in squared spacings, as in those of SURFACE_EXIT. */
  PATCH_SOFT: 0.5,
  /** Squared spacings by which a member of the patch may be farther off than the nearest one: two spacings around that one. */
  PATCH_REACH: 4,
} as const;

/** Of the sums over a cluster's members. */
export const SUM = {
  /**
   * tr A_rr · tr A_rr⁻¹ above which the fast kernels sum A_xr in f64: 9 for a ball, 300 for a plate 12 times as wide as thick. F = A_xr A_rr⁻¹ magnifies what rounding leaves of
   * the sums by about that. f32 leaves some 1e-8 of them: a few 1e-6 rad here, but four points 560 times as wide as thick turned by 1.5e-3 rad at rest.
   */
  SLENDER: 300,
} as const;

/** Of plastic flow (SPEC P1, P2). */
export const FLOW = {
  /** Smallest singular value of F^e below which a cluster is too flat to say how it flows (SPEC P2). */
  FLAT: 1e-4,
  /**
   * Largest ‖F^p‖. A rest shape drawn out to a thousand times its length would need other clusters (SPEC R1); up to here rounding
   * leaves its determinant within 1e-7 of 1. Flow that would go beyond does not happen, flow back does.
   */
  LARGEST: 1e3,
  /** Strain above which nothing is believed: such a body is about to be quarantined, or has been pulled a billion times its length. */
  ABSURD: 1e9,
  /**
   * For ‖Σ − I‖ = δ ≤ SMALL, ‖F* − I‖ ≤ BOUND δ: |ln σ| ≤ |σ − 1|/(1 − δ), taking out the mean of the logarithms makes them no
   * longer, and |e^l − 1| ≤ |l| e^|l|, together δ e^(δ/(1−δ))/(1−δ). Most clusters need nothing more.
   */
  SMALL: 0.1,
  BOUND: 1.25,
  /** A new F^p whose determinant is farther from 1 than this is refused. */
  VOLUME_ERROR: 1e-3,
  /** Digits to which γ is found where the energy allows only a part of it: to one part in 32. */
  GAMMA_DIGITS: 5,
} as const;

/** Of goals that follow the deformation (SPEC M5, M6). */
export const SOFTEN = {
  /**
   * Smallest singular value of F^e below which A falls back towards R, and is R itself for flat and inverted clusters: A holds no reflection
   * ([H07] leaves that as future work), and no volume is asked back from a cluster that has none (a tenth of its thickness: 2.15 times as wide).
   */
  THIN: 0.1,
  /**
   * Determinant below which A is given up for R. A = κ F^e + (1 − κ) R cannot come below 1e-3 with the rotation of F^e itself; with the
   * torque-free one, which a shear turns against it, it can.
   */
  SMALLEST: 5e-4,
  /** Determinants this near to 1 are left alone: f32 positions know no better. */
  SAME_VOLUME: 1e-9,
  /** Newton takes 4 to 8; halving alone would be at the last bit after 52. */
  VOLUME_ROUNDS: 60,
} as const;

/** Of the inverse F⁻¹ that places a proxy. */
export const INVERT = {
  /** A singular value of F below this is taken as this: a proxy never becomes thinner than a tenth of itself. */
  THINNEST: 0.1,
} as const;

/** Of the way out of a proxy: through the body's surface by its members or its distance field. */
export const SURFACE_EXIT = {
  /** Softening of the skin's weights, in squared spacings: members nearer than that count alike. */
  SOFT: 0.5,
  /** Weight of surface that looks away from the particle's own body: next to nothing, unless there is no other. */
  WRONG_WAY: 1e-3,
  /** Gradients of the field shorter than this do not tell a way. */
  FLAT_FIELD: 0.3,
  /** Cosine to the way home below which a surface looks away from it. */
  AWAY: 0.3,
  /** Steps along the way home out of a body: each goes as far as the distance field allows, the last beyond the surface. */
  HOME_STEPS: 16,
  /** How far a particle may be from its place, as a share of its distance from a cluster's centre, for it to be part of the deformation. */
  STRAY: 0.6,
  /** Spacings that the rest shape must leave between two places for there to be a gap. */
  GAP: 0.5,
} as const;

/** Of the search for contacts. */
export const TOUCH = {
  /** Clusters of a body are tested against each other once they are this much nearer than at rest, where they do not touch. */
  NEARER: 0.85,
  /**
   * Squared distance from the middle, in radii, from which on a particle goes in through the sphere: it counts as 1. Of several spheres that it comes to from outside the number then
   * decides and not rounding, which leaves some 1e-6.
   */
  RIM: 0.99999,
  /** Value in `touch` beyond the end of any way: whether and where a particle goes in has not been looked at. */
  UNKNOWN: 2,
} as const;

/** Groups that are generated, and the type of their numbers. Names that end in SWEEPS, ROUNDS, STEPS or DIGITS count something: u32. */
export const KERNEL_CONSTANTS = {
  SOLVE: { type: 'f32', values: SOLVE },
  SUM: { type: 'f64', values: SUM },
  FLOW: { type: 'f64', values: FLOW },
  SOFTEN: { type: 'f64', values: SOFTEN },
  INVERT: { type: 'f64', values: INVERT },
  SURFACE_EXIT: { type: 'f32', values: SURFACE_EXIT },
  TOUCH: { type: 'f32', values: TOUCH },
  POLAR: { type: 'f64', values: POLAR },
  SVD: { type: 'f64', values: SVD },
  INERTIA: { type: 'f64', values: INERTIA },
} as const;
