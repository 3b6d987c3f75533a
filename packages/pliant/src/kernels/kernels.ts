/** Which implementation runs the hot stages. `ts` is the readable oracle in f64 arithmetic, `wasm` the fast one. */
export type Backend = 'wasm' | 'ts';
export const BACKENDS: readonly Backend[] = ['wasm', 'ts'];

/** What matchClusters computes, or'ed together. The numbers are known to assembly/match.ts too (generated). */
export const Match = {
  /** Rotation of A_xr (torque-free) instead of that of F = A_xr A_rr⁻¹ (SPEC M2, M3). */
  COVARIANCE: 1,
  /** Keeps the reflection of an inverted cluster, as the research code does in its dynamics (not in its limiting). */
  REFLECT: 2,
  /** Mean velocity v̄ for `damping: 'linear'`. */
  LINEAR_MOTION: 4,
  /** v̄ and angular velocity ω for `damping: 'rigid'`. */
  RIGID_MOTION: 8,
  /** Centre and inverse inertia at the start of the step, for the conserving limit. */
  INERTIA: 16,
  /** Singular values of F. */
  STRETCH: 32,
  /**
   * Fits only clusters with a member that the last sweep of the limit moved. In the others all members are where they were and
   * ask for nothing, or that sweep would have moved them: leaving those out changes no bit of the result.
   */
  MOVED_ONLY: 64,
  /** Goals R F^p p instead of R p, with the rotation of F^e = F F^p⁻¹ (or of A_xr F^pᵀ): the body has flowed (SPEC P2). */
  PLASTIC: 128,
  /** Leaves the elastic stretch S^e = Rᵀ F^e for the flow at the end of the step. */
  ELASTIC: 256,
} as const;

/**
 * The hot stages: plain functions over a range of clusters or particles of the one state. They allocate nothing and
 * write only rows of their own range, so ranges can be worked off in any order or at once. The one exception are the marks
 * `asked` and `stirred` of the limit, which say where to look next: whoever writes one writes the same.
 */
export interface Kernels {
  readonly backend: Backend;
  /** Fits every cluster: centre, rotation and what `mode` asks for. Reads x, v, members. */
  matchClusters(start: number, end: number, mode: number): void;
  /** Blends the goals of every particle, advances v, then x. Reads transform, motion, links, force. */
  integrateParticles(start: number, end: number, p: IntegrateParameters): void;
  /**
   * Looks at what a sweep of the limit would do to each cluster just fitted: how many memberships ask for a correction
   * (returned), which particles these are, and with `conserving` the net shift and turn that must be taken out (SPEC M10).
   */
  limitClusters(start: number, end: number, conserving: boolean): number;
  /**
   * One sweep of the limit: draws particles towards the limit spheres around their goals; returns how many it moved.
   * `all` looks at every particle, not only at those that limitClusters found.
   */
  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean): number;
  /** Gives the velocity what limiting moved: v = (x − xOld)/h. */
  settleParticles(start: number, end: number, h: number): void;
  /**
   * Lets clusters flow whose elastic stretch, as match left it, is beyond their yield (SPEC P1); returns how many did. One that is
   * inverted does not, unless match took it for its mirror image (Match.REFLECT). With `dissipative` none flows so far that its
   * elastic energy would rise.
   */
  flowClusters(start: number, end: number, flowRate: number, hardening: number, dissipative: boolean): number;
  /** Bounds of every cluster's members over the step, from xOld to x. */
  boundClusters(start: number, end: number): void;
  /** Moves a cluster's proxy to where its members are at the end of a step of h seconds (SPEC K1, K2). */
  placeProxy(cluster: number, h: number): void;
  /**
   * Lists in `candidate`, from `count` on, the members of a source cluster whose way in this step meets the target's box grown by
   * `margin`; each once per number `test`, none with a flag of `skip`, and with `self` none that is in a cluster marked with
   * that number. Returns the new count.
   */
  gatherCandidates(
    source: number,
    target: number,
    margin: number,
    test: number,
    self: boolean,
    skip: number,
    count: number,
  ): number;
  /**
   * Tests the candidates against the target's placed proxy; lists those inside in `touching`. Returns the new length of that.
   * `quick` leaves the test to measureTouches: enough where a particle moves little, and the nearest cluster is to decide.
   */
  touchCandidates(target: number, count: number, touched: number, quick: boolean): number;
  /** Normal and depth of the particles of `touching`; those that touch nothing leave the list. Returns its new length. */
  measureTouches(count: number): number;
  /** How many particles have a position or velocity that is not finite. */
  countNonFinite(start: number, end: number): number;
}

export interface IntegrateParameters {
  /** Time step (s). */
  h: number;
  gravityX: number;
  gravityY: number;
  gravityZ: number;
  /** k_d per step; 0 leaves `motion` unread. */
  damping: number;
  /** `motion` holds ω as well. */
  rigid: boolean;
  /** Speed (m/s) above which a velocity is shortened: f32 squares overflow near 1e19. */
  maxSpeed: number;
  /** Some particle has an external force; otherwise `force` is unread. */
  forces: boolean;
}
