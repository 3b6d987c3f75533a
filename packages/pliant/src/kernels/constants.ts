import { INERTIA, POLAR, SVD } from '../math/tolerances.js';

/*
 * Numbers that both backends use. scripts/build-kernels.mjs generates them for AssemblyScript under the name
 * GROUP_NAME. KERNEL_CONSTANTS below states their types.
 */

/** Constants of the contact solver. */
export const SOLVE = {
  /** Sweeps over the velocities, and over the positions. */
  VELOCITY_SWEEPS: 8,
  POSITION_SWEEPS: 4,
  /** A sweep whose impulses are less than this share of the sum so far is the last one. */
  CONVERGED: 0.01,
  /**
   * Upper bound of the friction coefficient for displacements. Friction of displacements only has to keep resting
   * bodies from creeping. With μ = 1, contacts whose normals differ by 90° move each other without end (one collision
   * in 60 gained twenty times its energy).
   */
  STEADY: 0.3,
  /**
   * Penetration up to this share of the proxy's radius is divided between both sides. The particle itself moves back by
   * the rest.
   */
  SHARED_DEPTH: 0.2,
  /** Softening of the weights in a patch, in squared spacings; the same as SURFACE_EXIT.SOFT. */
  PATCH_SOFT: 0.5,
  /**
   * In squared spacings: how much farther a member of the patch may be than the nearest one. 4 is two spacings around
   * the nearest one.
   */
  PATCH_REACH: 4,
} as const;

/** Constants of the response of a body to contacts with itself. */
export const SELF = {
  /**
   * Largest number of sweeps over all contacts. A sweep is the last if it changes impulses by less than the share CONVERGED of their sum. Hundreds of contacts of one body do not come to that in 30 sweeps either,
   * and what is left is done in the next substep: with 30, 12, 6 and 4 sweeps the contacts of the hollow ball were 0.24, 0.27, 0.26 and 0.22 spacings deep in the mean; with 6 and 4 those of the collapsing shell 0.73 and 0.74, of the
   * ductile plate 0.47 and 0.47, of the cube thrown at 14 m/s 1.07 and 1.07.
   */
  MOST_SWEEPS: 4,
  CONVERGED: 1e-3,
  /** A patch whose T has a determinant below this share of its trace cubed is a line or a point, which cannot be turned like a plate. */
  LINE: 1e-6,
} as const;

/** Constants of the march from a particle to the surface of its body. */
export const REACH = {
  /** The march ends this near to the surface, as a share of the longest way. */
  NEAR: 1e-3,
  /** Particles nearer to the surface than this share of the longest way lie in it. */
  SKIN: 0.02,
  /** Shortest step of the march, as a share of the longest way: at most eight steps. */
  LEAST: 1 / 8,
  /** Largest number of chords by which the surface is found between two steps. */
  CHORDS: 6,
} as const;

/** Constants of the layer between an outermost particle and the surface of its body, which obstacles press together. */
export const LAYER = {
  /**
   * Largest share of its thickness by which the layer is pressed together; beyond that it is rigid. Its stress is linear in the stretch, as that of clusters is, so it could be pressed flat: a particle would then be in the
   * obstacle, up to rounding.
   */
  PRESSED: 0.8,
} as const;

/** Constants of the sums over a cluster's members. */
export const SUM = {
  /**
   * Value of tr A_rr · tr A_rr⁻¹ above which the fast kernels sum A_xr in f64. It is 9 for a ball and 300 for a plate
   * 12 times as wide as thick. F = A_xr A_rr⁻¹ magnifies the rounding error of the sums by about this factor. f32 sums
   * have an error of some 1e-8. At 300 that is a few 1e-6 rad. Four points 560 times as wide as thick turned by 1.5e-3
   * rad at rest.
   */
  SLENDER: 300,
} as const;

/** Constants of plastic flow (SPEC P1, P2). */
export const FLOW = {
  /** A cluster whose smallest singular value of F^e is below this does not flow: it is too flat (SPEC P2). */
  FLAT: 1e-4,
  /**
   * Largest ‖F^p‖. Flow beyond it is refused; flow back is allowed. A rest shape drawn out to a thousand times its
   * length would need other clusters (SPEC R1). Up to this norm rounding leaves the determinant within 1e-7 of 1.
   */
  LARGEST: 1e3,
  /**
   * Strains above this are ignored: the body is about to be quarantined, or was pulled to a billion times its length.
   */
  ABSURD: 1e9,
  /**
   * For ‖Σ − I‖ = δ ≤ SMALL, ‖F* − I‖ ≤ BOUND δ. Derivation: |ln σ| ≤ |σ − 1|/(1 − δ). Subtracting the mean of the
   * logarithms does not lengthen their vector. |e^l − 1| ≤ |l| e^|l|. Together: δ e^(δ/(1−δ))/(1−δ). For most clusters
   * this bound suffices.
   */
  SMALL: 0.1,
  BOUND: 1.25,
  /** A new F^p whose determinant is farther from 1 than this is refused. */
  VOLUME_ERROR: 1e-3,
  /** Binary digits of γ, the share of the flow that the energy allows: γ is found to one part in 32. */
  GAMMA_DIGITS: 5,
} as const;

/** Constants of goals that follow the deformation (SPEC M5, M6). */
export const SOFTEN = {
  /**
   * Smallest singular value of F^e below which A is blended towards R. For flat and inverted clusters A is R: A holds
   * no reflection ([H07] leaves that as future work), and a flat cluster is not made to regain its volume. At this
   * threshold, a tenth of its thickness, keeping the volume makes a cluster 2.15 times as wide.
   */
  THIN: 0.1,
  /**
   * The same for the nearest matrix of determinant 1 of an elastic law, which exists for flat and inverted clusters too: A is blended towards R from a smallest singular value of 0 on, and is R at this one. Blended from 0.1 on, the pull
   * was no gradient where clusters are pressed flat, and bodies of ν = 0.49 that hit a floor at 20 m/s gained energy without end.
   */
  INVERTED: -0.5,
  /**
   * If det A is below this, R replaces A. A = κ F^e + (1 − κ) R with the rotation of F^e itself cannot come below 1e-3.
   * With the torque-free rotation, which differs from it under shear, it can.
   */
  SMALLEST: 5e-4,
  /** Determinants this near to 1 are not corrected: f32 positions are not more exact. */
  SAME_VOLUME: 1e-9,
  /** Upper bound of the rounds. Newton's iteration takes 4 to 8; bisection alone would reach the last bit after 52. */
  VOLUME_ROUNDS: 60,
  /** By how much a determinant may differ from 1 for the nearest matrix of determinant 1 to be searched by cofactors. */
  NEAR_VOLUME: 0.25,
  /** Rounds of that search. Strains of 5 % take three; where these are too few, singular values are found. */
  COFACTOR_ROUNDS: 7,
  /** Squared change of the matrix in a round below which it is found: the error left is smaller again by the strain. */
  FOUND: 1e-15,
  /**
   * Squared change times u² below which the fast kernels take it ahead in the place of another round. That leaves about the root of it times the shear, 3e-8 for a shear of 0.3, along the axes of the matrix.
   */
  AHEAD: 1e-14,
} as const;

/** Constants of the inverse F⁻¹ that places a proxy. */
export const INVERT = {
  /** Singular values of F below this are raised to it, so that a proxy never becomes thinner than a tenth of itself. */
  THINNEST: 0.1,
} as const;

/** Constants of the exit from a proxy through the body's surface, given by its members or its distance field. */
export const SURFACE_EXIT = {
  /** Softening of the members' weights, in squared spacings: members nearer than that have nearly the same weight. */
  SOFT: 0.5,
  /**
   * Weight factor of surface that faces away from the particle's own body. It is not 0, so that such surface counts
   * where there is no other.
   */
  WRONG_WAY: 1e-3,
  /** A gradient of the field shorter than this gives no direction. */
  FLAT_FIELD: 0.3,
  /** A surface faces away from the direction home where the cosine between both is below minus this. */
  AWAY: 0.3,
  /**
   * Largest number of steps along the direction home out of a body. Each step is as long as the distance field allows;
   * the last one ends beyond the surface.
   */
  HOME_STEPS: 16,
  /**
   * Largest distance of a particle from its rest place, as a share of that place's distance from a cluster's centre, at
   * which its displacement counts as deformation.
   */
  STRAY: 0.6,
  /** Width (spacings) from which on empty space between two places of the rest shape is a gap. */
  GAP: 0.5,
} as const;

/** Constants of the search for contacts. */
export const TOUCH = {
  /**
   * Two clusters of a body are tested against each other once their distance is below this share of that at rest: at
   * rest they do not touch.
   */
  NEARER: 0.85,
  /**
   * Squared distance from the middle, in radii, from which on a particle counts as entering through the sphere: the
   * distance is then set to 1. If a particle enters several spheres from outside, the cluster number decides between
   * them, not rounding (some 1e-6).
   */
  RIM: 0.99999,
  /** Value in `touch`: the entry of the particle has not been computed. Entries lie in [0, 1]. */
  UNKNOWN: 2,
  /** Fourth number of the upper bound of an inner particle, below that of any box (m): where inner particles do not count, one comparison of boxes leaves them out. */
  ASIDE: -1e30,
} as const;

/**
 * Groups that are generated, and the type of their numbers. Constants whose names end in SWEEPS, ROUNDS, STEPS or
 * DIGITS are counts, of type u32.
 */
/** Sums over the particles of a body. */
export const RUN = {
  /**
   * Particles of a run. Each run is added up by itself, and the sums of runs one after the other, so that threads which take whole runs give the bits of one. The
   * last run of a body takes what is left, up to twice as many.
   */
  PARTICLES: 512,
  /** Particles whose squared ways are summed in f32 before the sum is added in f64: its rounding is some 1e-7 of it, where speeds are compared with bounds that are round numbers. */
  BLOCK: 32,
} as const;

export const KERNEL_CONSTANTS = {
  RUN: { type: 'u32', values: RUN },
  SOLVE: { type: 'f32', values: SOLVE },
  SELF: { type: 'f64', values: SELF },
  REACH: { type: 'f64', values: REACH },
  LAYER: { type: 'f64', values: LAYER },
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
