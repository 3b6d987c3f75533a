import type { Rows } from '../state/rows.js';

/**
 * Which implementation of the kernels runs the costly parts of a step: 'wasm' is the fast one, 'ts' the readable one in plain TypeScript and 64-bit
 * arithmetic.
 */
export type Backend = 'wasm' | 'ts';
/** All backends. */
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
  /** Leaves A_xr and the centre, from which coarser levels are summed. */
  SUMS: 4096,
  /** Rotation of A_xr S (SPEC N1, state/elasticity.ts): torque-free where a cluster pulls by the elastic law. */
  METRIC: 1024,
  /** Leaves F + (T − F) S in the place of the goals T, so that the pull to them is the stress of the elastic law. */
  STRESS: 2048,
  /** Goals that follow the deformation, as each cluster's row of `softness` says (SPEC M5, M6). Not with REFLECT. */
  SOFT: 512,
} as const;

/**
 * The hot stages: plain functions over a range of clusters or particles of the one state. They allocate nothing and
 * write only rows of their own range, so ranges can be worked off in any order or at once. The one exception are the marks
 * `wantsMove` and `refit` of the limit, which say where to look next: whoever writes one writes the same.
 */
export interface Kernels {
  readonly backend: Backend;
  /** Fits every cluster: centre, rotation and what `mode` asks for. Reads x, v, members. */
  matchClusters(start: number, end: number, mode: number): void;
  /** A_xr and the centre of clusters where their particles are now, into `sums`: for what is bound to them (skin/frames.ts). */
  sumClusters(start: number, end: number): void;
  /** Fits a body's coarse clusters from what match left of its clusters (Match.SUMS), with `mode` as for match. */
  sumLevels(rows: LevelRows, mode: number): void;
  /** Blends the goals of all levels into `transform` and `motion` of the clusters, whose own shares are `pull` and `drag`. */
  blendLevels(rows: LevelRows, mode: number, pull: number, drag: number): void;
  /** Blends the goals of every particle, advances v, then x. Reads transform, motion, links, force. */
  integrateParticles(start: number, end: number, p: IntegrateParameters): void;
  /**
   * Looks at what a sweep of the limit would do to each cluster just fitted: how many memberships ask for a correction
   * (returned), which particles these are, and with `conserving` the net shift and turn that must be taken out (SPEC M10).
   */
  limitClusters(start: number, end: number, conserving: boolean, bent?: boolean): number;
  /**
   * One sweep of the limit: draws particles towards the limit spheres around their goals; returns how many it moved.
   * `all` looks at every particle, not only at those that limitClusters found. `bent` here and there: goals are quadratic.
   */
  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean, bent?: boolean): number;
  /** Gives the velocity what limiting moved: v = (x − xOld)/h. */
  updateVelocities(start: number, end: number, h: number): void;
  /**
   * Lets clusters flow whose elastic stretch, as match left it, is beyond their yield (SPEC P1); returns how many did. One that is
   * inverted does not, unless match took it for its mirror image (Match.REFLECT). With `dissipative` none flows so far that its
   * elastic energy would rise.
   */
  flowClusters(start: number, end: number, flowRate: number, hardening: number, dissipative: boolean): number;
  /** Bounds of a body's particles [first, last) over the step, from xOld to x. */
  boundParticles(first: number, last: number): void;
  /** Of its clusters, from those of their members, grown by `pad`, and of its tree's nodes (proxy/tree.ts). */
  boundClusters(start: number, end: number, pad: number): void;
  /** Moves a cluster's proxy to where its members are at the end of a step of h seconds (SPEC K1, K2). */
  placeProxy(cluster: number, h: number): void;
  /**
   * Tests particles [first, last) of one body against the proxies of another, whose first cluster is `start`, and lists those inside in
   * `touching`, which has `touched` entries so far; returns its new length. Particles reach `margin` beyond themselves, those
   * with a flag of `skip` are left out. `quick` leaves the test to measureTouches: enough where a particle moves little, and the
   * nearest cluster is to decide. `round` numbers the steps: each proxy is placed once in a round.
   */
  touchAcross(
    first: number,
    last: number,
    start: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
    touched: number,
  ): number;
  /** The same for a body's clusters [start, end) against each other, as far as they share no particle. */
  touchWithin(
    start: number,
    end: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
    touched: number,
  ): number;
  /** Normal and depth of the particles of `touching`; those that touch nothing leave the list. Returns its new length. */
  measureTouches(count: number): number;
  /** What each of the first `count` contacts is between, and their masses, into `patch` and `blow`. */
  describeContacts(count: number): void;
  /**
   * Works the first `count` contacts off: velocities, then displacements. Approaches below `slow` (m/s) will not bounce; how many
   * are faster is returned.
   */
  solveVelocities(count: number, slow: number): number;
  solvePositions(count: number, h: number): void;
  /** After both: gives the first `count` contacts back what they have of restitution. */
  bounceVelocities(count: number): void;
  /** Lists in `moved` what the first `count` contacts may move, and keeps its motion in `beforeContact`; returns how many particles these are. */
  keepMotion(count: number): number;
  /** Lists the clusters of the first `count` particles of `moved` in `movedClusters`, of `clusters` in all; returns how many. */
  listMovedClusters(count: number, clusters: number): number;
  /**
   * How far the first `count` particles of `moved` are from the goals of their clusters as last fitted, and how fast beside these: into
   * `beforeContact` if positions have not been put right yet, else into `goalOffset`.
   */
  strainParticles(count: number, before: boolean): void;
  /** What the first `count` particles of `moved` won, into `goalOffset`. Velocities kept become those of now. */
  weighMotion(count: number, h: number): void;
  /** How many particles have a position or velocity that is not finite. */
  countNonFinite(start: number, end: number): number;
}

/** Where the clusters, coarse clusters and ties of a body are. */
export type LevelRows = Pick<Rows, 'clusterStart' | 'clusterEnd' | 'coarseStart' | 'coarseEnd' | 'tieStart'>;

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
  /** Clusters pull by the elastic law: by their share in `transform`, not by the particles' stiffness. */
  lawful?: boolean;
  /** Goals are quadratic; otherwise `bend` is unread. */
  bent?: boolean;
}
