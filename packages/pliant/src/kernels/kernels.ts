import type { Rows } from '../state/rows.js';
import type { SelfRoom } from '../state/selfRow.js';

/**
 * Implementation of the kernels, which run the costly parts of a step. 'wasm' is the fast one; 'ts' is the readable one
 * in plain TypeScript and 64-bit arithmetic.
 */
export type Backend = 'wasm' | 'ts';
/** All backends. */
export const BACKENDS: readonly Backend[] = ['wasm', 'ts'];

/** Bit flags for the results that matchClusters computes. assembly/match.ts uses the same numbers (generated). */
export const Match = {
  /** Rotation of A_xr (torque-free) instead of that of F = A_xr A_rr⁻¹ (SPEC M2, M3). */
  COVARIANCE: 1,
  /** Keeps the reflection of an inverted cluster, as the research code does in its dynamics (not in its limiting). */
  REFLECT: 2,
  /** Mean velocity v̄ for `damping: 'linear'`. */
  LINEAR_MOTION: 4,
  /** v̄ and angular velocity ω for `damping: 'rigid'`. */
  RIGID_MOTION: 8,
  /** Centre and inverse inertia at the start of the step, for the conserving strain limit. */
  INERTIA: 16,
  /** Singular values of F. */
  STRETCH: 32,
  /**
   * Fits only clusters with a member that the last sweep of the limit moved. Skipping the others changes no bit of the
   * result: their members did not move and need no correction, otherwise that sweep would have moved them.
   */
  MOVED_ONLY: 64,
  /** Goals R F^p p instead of R p, with the rotation of F^e = F F^p⁻¹ (or of A_xr F^pᵀ): the body has flowed (SPEC P2). */
  PLASTIC: 128,
  /** Writes the elastic stretch S^e = Rᵀ F^e to `elastic`, for the flow at the end of the step. */
  ELASTIC: 256,
  /** Writes A_xr and the centre to `sums`, from which coarser levels are summed. */
  SUMS: 4096,
  /** Rotation of A_xr S (SPEC N1, state/elasticity.ts): torque-free where a cluster pulls by the elastic law. */
  METRIC: 1024,
  /** Replaces the goals T by F + (T − F) S, so that the pull to them is the stress of the elastic law. */
  STRESS: 2048,
  /**
   * Goals that follow the deformation, as given by each cluster's row of `softness` (SPEC M5, M6). Not with REFLECT.
   */
  SOFT: 512,
} as const;

/** The threads that kernels run on. */
export interface Threads {
  /** How many run kernels now, the calling one among them. */
  readonly count: number;
  /** Begins a step that moves so many particles: wakes the workers, or starts them, if that pays. */
  begin(particles: number): void;
  /** Ends the step: workers sleep. */
  end(): void;
  /** Resolves when every worker that was asked for runs, or is known not to; for tests and benches. */
  ready(): Promise<void>;
  /** For tests: divides ranges into jobs that are so many times shorter than usual, so that small bodies are divided too. */
  divideFinely(times: number): void;
  /** Ends the workers. */
  dispose(): void;
}

/** Only the calling thread. */
export const SINGLE: Threads = {
  count: 1,
  begin() {},
  end() {},
  ready: async () => {},
  divideFinely() {},
  dispose() {},
};

/**
 * The hot stages: plain functions over a range of clusters or particles of one state. They allocate nothing. They write
 * only rows of their own range, so that ranges can be processed in any order or in parallel. The exceptions are the
 * marks `wantsMove` and `refit` of the limit: every writer of a mark writes the same value.
 */
export interface Kernels {
  readonly backend: Backend;
  readonly threads: Threads;
  /**
   * `open` and `close` enclose calls that do not depend on each other, of one kernel for several bodies: matchClusters, integrateParticles, updateVelocities,
   * boundParticles, boundClusters or touchWithin. With threads they run together, at the latest in `close`. Then touchWithin returns the length that it was given, and
   * `close`, which is given it too, returns the new one.
   */
  open(): void;
  close(touched?: number): number;
  /** Fits every cluster: centre, rotation and the results selected by `mode`. Reads x, v, members. */
  matchClusters(start: number, end: number, mode: number): void;
  /**
   * Writes A_xr and the centre of clusters at the current positions to `sums`, for surfaces that are bound to them
   * (skin/frames.ts).
   */
  sumClusters(start: number, end: number): void;
  /** Fits a body's coarse clusters from the `sums` of its clusters (Match.SUMS), with `mode` as for matchClusters. */
  sumLevels(rows: LevelRows, mode: number): void;
  /**
   * Blends the goals of all levels into `transform` and `motion` of the clusters. `pull` and `drag` are the shares of
   * level 0.
   */
  blendLevels(rows: LevelRows, mode: number, pull: number, drag: number): void;
  /**
   * The damping of a body as a whole (match/bodyDamping.ts). sumBody writes sums over its particles, relative to position and velocity of the first: Σ m r, Σ m, Σ m u, Σ m r × u,
   * Σ m r rᵀ (xx yy zz xy yz zx). dampParticles moves velocities by `share` towards the rigid motion `motion`: a place, the velocity there, and the angular velocity.
   * The place is that of a particle, which f32 does not round.
   */
  sumBody(out: Float64Array, start: number, end: number): void;
  dampParticles(start: number, end: number, share: number, motion: Float64Array): void;
  /**
   * The sums of sumBody, of a body with an elastic law whose clusters [start, end) match has just fitted with their motions: the weights of a particle sum to 1, so that sums over clusters are sums over particles. Second moments are those of the places that fits give.
   * `first` is the first particle of the body.
   */
  sumMotions(out: Float64Array, start: number, end: number, first: number): void;
  /**
   * For the resistance to rolling (sleep/watchRolling.ts). sumWays writes sums over every so many of a body's particles: Σ m r, Σ m, Σ m d, Σ m r × d, Σ |d|², r being the place relative to the first of them and d = x − xOld.
   * Both backends give the same bits.
   */
  sumWays(out: Float64Array, start: number, end: number, every: number): void;
  /**
   * For sleep. Sums over every so many of a body's particles, of their ways d from places q that `vOld` holds: Σ d, Σ r × d (z x y), Σ r rᵀ (xx yy zz xy xz yz), Σ |d|², r being q relative to the mean of these. Both
   * backends give the same bits.
   */
  sumMoves(out: Float64Array, start: number, end: number, every: number): void;
  /**
   * For contact/calm.ts. sumFirsts writes Σ x and Σ x (X − mean)ᵀ by columns, over the first members of clusters, which are at x and were at X at rest. areFirstsNear tells whether |x − centre − map (X − mean)|² is at most
   * `farthest` for all of them. Both backends give the same bits.
   */
  sumFirsts(out: Float64Array, start: number, end: number, mean: Float64Array): void;
  areFirstsNear(
    start: number,
    end: number,
    mean: Float64Array,
    centre: Float64Array,
    map: Float64Array,
    farthest: number,
  ): boolean;
  /**
   * For bodies that move as rigid ones. sumMotion writes Σ m (x − x₀), Σ m and Σ m v of a body's particles, x₀ being the position of the first; sumSpin the angular momentum about the centre of `motion` and the inertia
   * zz xx yy xy xz yz; sumMovedSpin the same of the first `count` particles of `moved`, of which `motion` has no velocity. Both backends give the same bits.
   */
  sumMotion(out: Float64Array, start: number, end: number): void;
  sumSpin(out: Float64Array, start: number, end: number, motion: Float64Array): void;
  sumMovedSpin(out: Float64Array, count: number, motion: Float64Array): void;
  /**
   * For the angular momentum of a body (contact/bodySpin.ts). sumPlaces writes Σ m x and Σ m, or returns 1 if a particle is held, and 2 more if one that is held moves; turnBack takes the rotation `spin` × (x − `centre`)
   * off the velocities. Both backends give the same bits.
   */
  sumPlaces(out: Float64Array, start: number, end: number): number;
  turnBack(start: number, end: number, centre: Float64Array, spin: Float64Array): void;
  /**
   * The motion of a rigid body, which is one cluster (rigid/motion.ts). sumRigid writes the 18 numbers that give its rotation, angular momentum and inertia, with `motion` its centre and velocity;
   * placeRigid writes x and v of its particles from centre, velocity, spin and rotation, 18 numbers. Both backends give the same bits.
   */
  sumRigid(out: Float64Array, cluster: number, motion: Float64Array): void;
  placeRigid(cluster: number, motion: Float64Array): void;
  /** Blends the goals of every particle, advances v, then x. Reads transform, motion, links, force. */
  integrateParticles(start: number, end: number, p: IntegrateParameters): void;
  /**
   * Computes which corrections a sweep of the limit would make to each cluster just fitted, and marks the particles
   * concerned. With `conserving` also the net shift and turn of these corrections, which the sweep subtracts (SPEC
   * M10). Returns the number of memberships that need a correction.
   */
  limitClusters(start: number, end: number, conserving: boolean, bent?: boolean): number;
  /**
   * One sweep of the limit: moves particles towards the limit spheres around their goals. Returns the number of
   * particles moved. `all` processes every particle, not only those that limitClusters marked. `bent` (here and in
   * limitClusters): goals are quadratic.
   */
  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean, bent?: boolean): number;
  /** Updates the velocity from the position that the limit changed: v = (x − xOld)/h. */
  updateVelocities(start: number, end: number, h: number): void;
  /**
   * Applies plastic flow to clusters whose elastic stretch, as matchClusters wrote it, exceeds their yield (SPEC P1).
   * An inverted cluster does not flow, unless it was matched as its mirror image (Match.REFLECT). With `dissipative`
   * the flow is limited so that it does not raise the elastic energy. With `lawful` (elastic law) the yield rises with
   * the strain that became permanent. Returns the number of clusters that flowed.
   */
  flowClusters(
    start: number,
    end: number,
    flowRate: number,
    hardening: number,
    dissipative: boolean,
    lawful?: boolean,
  ): number;
  /**
   * Bounds of a body's particles [first, last) over the step together, grown by `pad`: the box of the root of its tree, as boundClusters finds it where every particle is in a cluster. `start` is the body's first
   * cluster.
   */
  boundBody(first: number, last: number, start: number, pad: number): void;
  /** Bounds of a body's particles [first, last) over the step, from xOld to x. */
  boundParticles(first: number, last: number): void;
  /**
   * Bounds of clusters [start, end) from those of their members, grown by `pad`; then of the nodes of the body's tree
   * (proxy/tree.ts).
   */
  boundClusters(start: number, end: number, pad: number): void;
  /** Moves a cluster's proxy to the positions of its members at the end of a step of h seconds (SPEC K1, K2). */
  placeProxy(cluster: number, h: number): void;
  /**
   * Tests particles [first, last) of one body against the proxies of another body, whose first cluster is `start`.
   * Appends the particles inside to `touching`, which has `touched` entries so far, and returns its new length.
   *
   * Particles are grown by `margin`; those with a flag of `skip` are left out. `quick` leaves the exact test to
   * measureTouches: it chooses the nearest cluster, which is enough where particles move little. `round` is the number
   * of the step: each proxy is placed once in a round.
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
  /**
   * The same for the clusters [start, end) of one body against each other; pairs that share a particle are left out. The particles of the body are [first, last).
   */
  touchWithin(
    start: number,
    end: number,
    first: number,
    last: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
    touched: number,
  ): number;
  /**
   * Computes normal and depth of the first `count` particles of `touching` and removes those that touch nothing, and those in a cluster of their own body that are deeper than `deepest` spacings and the distance that they came in
   * during this step. Returns the new length.
   */
  measureTouches(count: number, deepest: number): number;
  /** Writes the particles, weights and masses of the first `count` contacts to `patch` and `contactRow`. */
  describeContacts(count: number): void;
  /**
   * solveVelocities and solvePositions solve the first `count` contacts: velocities, then displacements. Contacts that
   * approach more slowly than `slow` (m/s) get no restitution; solveVelocities returns the number of faster ones.
   */
  solveVelocities(count: number, slow: number): number;
  solvePositions(count: number, h: number): void;
  /** After both: applies the restitution of the first `count` contacts. */
  bounceVelocities(count: number): void;
  /**
   * Contacts of one body with itself: contacts [first, last) of `touching`, described (method: state/selfRow.ts). listSelf lists their particles in `moved`, each once, and
   * writes their rows of `changes`; it returns their number, and `listedFor` keeps the place of each in the list, plus 1. describeSelf then writes the rows of the contacts that can move a
   * particle, and returns their number. sweepSelf solves that many of them, and returns the sweeps that it took. Both backends give the same bits.
   */
  listSelf(room: SelfRoom, first: number, last: number): number;
  describeSelf(room: SelfRoom, first: number, last: number, by: SelfParameters): number;
  sweepSelf(room: SelfRoom, count: number): number;
  /**
   * Of the first `moved` rows of `changes`: weighSelf writes the energy by changes since those kept, as L and Q, and the angular momentum that moving by h times them adds (contact/solveSelf.ts, `shorten`);
   * keepSelf keeps the changes so far; moveSelf adds them to v, and h times them to x.
   */
  weighSelf(out: Float64Array, room: SelfRoom, moved: number, h: number): void;
  keepSelf(room: SelfRoom, moved: number): void;
  moveSelf(room: SelfRoom, moved: number, h: number): void;
  /**
   * Lists in `moved` the particles that the first `count` contacts can move, and saves their positions and velocities
   * in `beforeContact`. Returns their number.
   */
  keepMotion(count: number): number;
  /**
   * Lists in `movedClusters` the clusters of the first `count` particles of `moved`. The state has `clusters` clusters.
   * Returns the number listed.
   */
  listMovedClusters(count: number, clusters: number): number;
  /**
   * Computes the offset of the first `count` particles of `moved` from the goals of their clusters as last fitted, and
   * their velocity relative to these clusters. Writes to `beforeContact` if `before` (positions not yet corrected),
   * else to `goalOffset`.
   */
  strainParticles(count: number, before: boolean): void;
  /**
   * Writes the energy gained by the first `count` particles of `moved` to `goalOffset`, and their present velocities to
   * `beforeContact`.
   */
  weighMotion(count: number, h: number): void;
  /**
   * The distance (m) from a particle to the surface of its body, towards an obstacle with the normal n, which points away from the obstacle; at most `far`. Reads transform, links and the
   * distance field of the body, which must have one. Both backends give the same bits for the same transforms.
   */
  reachAlong(particle: number, nx: number, ny: number, nz: number, far: number): number;
  /**
   * Contact of particles with a plane that stands: those behind it are moved onto it and respond (obstacles/respond.ts). Writes the sums of impulses to `out` (PlaneSums), and returns the number of
   * particles that were moved. Both backends give the same bits for the same transforms.
   */
  meetPlane(out: Float64Array, start: number, end: number, plane: PlaneContact): number;
  /**
   * Whether one of the clusters start, start + every, … has a member that is in other clusters too, and farther from the cluster's centre than √times2 times its rest offset, which counts as √least2 (m) at
   * least. Clusters that fade in or out have none. Both backends give the same answer.
   */
  hasStray(start: number, end: number, every: number, times2: number, least2: number): boolean;
  /** Number of particles with a position or velocity that is not finite. */
  countNonFinite(start: number, end: number): number;
  /** Σ |x − xOld|² over particles (m²). It is not finite if one of their positions, masses or velocities is not. Both backends give the same bits. */
  sumSquaredWays(start: number, end: number): number;
  /** Of a step of several substeps: keepStart writes the places at its start to xStep, returnStart writes them to xOld at its end. */
  keepStart(start: number, end: number): void;
  returnStart(start: number, end: number): void;
  /** Multiplies velocities by `keep`. */
  brakeParticles(start: number, end: number, keep: number): void;
}

/** A plane that stands, as the particles of one body meet it in a step. */
export interface PlaneContact {
  /** Its normal, and its offset along the normal (m). */
  nx: number;
  ny: number;
  nz: number;
  offset: number;
  /** The point about which torques are summed (m). */
  px: number;
  py: number;
  pz: number;
  /** How far the surface of the body extends beyond its particles: not at all, by the array `reach`, or by reachAlong; and no farther than this (m). */
  reach: 'none' | 'given' | 'directed';
  far: number;
  /** Half a spacing (m) if what lies beyond the particles gives way (kernels/ts/pressLayer.ts), 0 if it is rigid; and the share of its modulus that the body reaches. */
  half: number;
  reached: number;
  /** Time of relaxation (s) of the layer, by which it is damped. */
  tau: number;
  friction: number;
  restitution: number;
  /** Approaches below this (m/s) do not bounce. */
  restThreshold: number;
  /** Time step (s). */
  h: number;
}

/** Sums that meetPlane writes: impulses along the normal, which press on the body; those that the plane takes (N s); their torques about the point (N m s). */
export const PlaneSums = { PRESSED: 0, TAKEN: 3, TURNED: 6, LENGTH: 9 } as const;

/** Numbers that all contacts of a body with itself have in common. */
export interface SelfParameters {
  /** Time step (s). */
  h: number;
  /** Approaches below this (m/s) do not bounce. */
  slow: number;
  friction: number;
  restitution: number;
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
  /** Clusters pull by the elastic law: with their share in `transform`, not with the particles' stiffness. */
  lawful?: boolean;
  /** Goals are quadratic; otherwise `bend` is unread. Not with an elastic law. */
  bent?: boolean;
  /** With an elastic law: the clusters of the body. */
  clusterStart?: number;
  clusterEnd?: number;
  /** With an elastic law: the damping of the body as a whole. */
  drag?: BodyDrag;
}

/** Damping of a body towards its rigid motion (match/bodyDamping.ts). */
export interface BodyDrag {
  /** Share of a particle's velocity beside that motion that it loses in a substep; 0 is no damping. */
  share: number;
  /** The motion: velocity at the first particle of the body (m/s), angular velocity (rad/s). */
  motion: Float64Array;
  /** By how much the velocity of the centre of mass is to change (m/s): by all else that integrate adds it does not. */
  stand: Float64Array;
}

export const NO_DRAG: BodyDrag = { share: 0, motion: new Float64Array(6), stand: new Float64Array(3) };
