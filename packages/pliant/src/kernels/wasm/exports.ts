/** The module's exports. Only this folder uses them; the rest of the engine sees Kernels and typed-array views. */
export interface Exports {
  matchClusters(start: number, end: number, mode: number): void;
  sumClusters(start: number, end: number): void;
  sumLevels(
    coarseStart: number,
    coarseEnd: number,
    clusterStart: number,
    clusterEnd: number,
    tieStart: number,
    mode: number,
  ): void;
  blendLevels(
    coarseStart: number,
    coarseEnd: number,
    clusterStart: number,
    clusterEnd: number,
    tieStart: number,
    mode: number,
    pull: number,
    drag: number,
  ): void;
  /** Parts of sumLevels and blendLevels: over clusters, or over coarse clusters of one level. */
  describeMotions(start: number, end: number, mode: number): void;
  sumCoarse(
    start: number,
    end: number,
    coarseStart: number,
    clusterStart: number,
    tieStart: number,
    mode: number,
  ): void;
  blendCoarse(start: number, end: number, coarseStart: number, tieStart: number, mode: number): void;
  blendClusters(
    start: number,
    end: number,
    coarseStart: number,
    tieStart: number,
    mode: number,
    pull: number,
    drag: number,
  ): void;
  /** Results of the sums are at SCRATCH.DAMP_SUMS; `motion` is an address. */
  sumBody(start: number, end: number): void;
  sumMotion(start: number, end: number): void;
  sumMotions(start: number, end: number, first: number): void;
  sumWays(start: number, end: number, every: number): void;
  sumMoves(start: number, end: number, every: number): void;
  sumFirsts(start: number, end: number, restX: number, restY: number, restZ: number): void;
  areFirstsNear(
    start: number,
    end: number,
    restX: number,
    restY: number,
    restZ: number,
    mx: number,
    my: number,
    mz: number,
    a0: number,
    a1: number,
    a2: number,
    a3: number,
    a4: number,
    a5: number,
    a6: number,
    a7: number,
    a8: number,
    farthest: number,
  ): number;
  sumSpin(start: number, end: number, cx: number, cy: number, cz: number, vx: number, vy: number, vz: number): void;
  dampParticles(start: number, end: number, share: number, motion: number): void;
  sumMovedSpin(count: number, cx: number, cy: number, cz: number): void;
  sumPlaces(start: number, end: number): number;
  turnBack(start: number, end: number, cx: number, cy: number, cz: number, wx: number, wy: number, wz: number): void;
  /** Results are at SCRATCH.RIGID_SUMS; `motion` is an address. */
  sumRigid(cluster: number, cx: number, cy: number, cz: number, vx: number, vy: number, vz: number): void;
  placeRigid(cluster: number, motion: number): void;
  integrateParticles(
    start: number,
    end: number,
    h: number,
    gx: number,
    gy: number,
    gz: number,
    damping: number,
    rigid: boolean,
    maxSpeed: number,
    forces: boolean,
    bent?: boolean,
    lawful?: boolean,
    clusterStart?: number,
    clusterEnd?: number,
    share?: number,
    vx?: number,
    vy?: number,
    vz?: number,
    wx?: number,
    wy?: number,
    wz?: number,
    standX?: number,
    standY?: number,
    standZ?: number,
  ): void;
  /** Parts of integrateParticles. With an elastic law urgeClusters comes first, which returns the number of thin clusters, then urgeByLaw. urgeParticles returns 1 if a particle of the range is held or of another stiffness. */
  urgeClusters(
    start: number,
    end: number,
    first: number,
    h: number,
    damping: number,
    share: number,
    vx: number,
    vy: number,
    vz: number,
    wx: number,
    wy: number,
    wz: number,
  ): number;
  /** Returns the same as urgeParticles. `how`: 1 where forces act, plus 2 where there are thin clusters. */
  urgeByLaw(
    start: number,
    end: number,
    first: number,
    h: number,
    gx: number,
    gy: number,
    gz: number,
    drag: number,
    how: number,
    ux: number,
    uy: number,
    uz: number,
  ): number;
  urgeParticles(
    start: number,
    end: number,
    first: number,
    h: number,
    gx: number,
    gy: number,
    gz: number,
    damping: number,
    rigid: boolean,
    forces: boolean,
    bent?: boolean,
  ): number;
  evenUrges(start: number, end: number, bound: number, standX: number, standY: number, standZ: number): void;
  advanceParticles(
    start: number,
    end: number,
    h: number,
    maxSpeed: number,
    evenX: number,
    evenY: number,
    evenZ: number,
  ): void;
  limitClusters(start: number, end: number, conserving: boolean, bent?: boolean): number;
  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean, bent?: boolean): number;
  updateVelocities(start: number, end: number, h: number): void;
  flowClusters(
    start: number,
    end: number,
    flowRate: number,
    hardening: number,
    dissipative: boolean,
    lawful: boolean,
  ): number;
  boundBody(first: number, last: number, start: number, pad: number): void;
  boundRuns(first: number, last: number): void;
  boundRoot(first: number, last: number, start: number, pad: number): void;
  boundParticles(first: number, last: number): void;
  boundClusters(start: number, end: number, pad: number): void;
  /** Parts of boundClusters: over nodes of the tree, and over the whole tree after that. */
  boundLeaves(from: number, to: number, start: number, pad: number): void;
  boundInner(start: number, end: number): void;
  placeProxy(cluster: number, h: number): void;
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
  /** touchWithin of one body of many clusters in parts. hasShortLists tells whether it can be done. If so, listPairs is a job over nodes of its tree, which returns 1 if it has too little room, and touchListedPairs follows so many of them; if not, markNearing is the job, and touchMarked follows. */
  hasShortLists(start: number): boolean;
  markNearing(from: number, to: number, start: number): void;
  touchMarked: Exports['touchWithin'];
  listPairs(from: number, to: number, start: number, end: number, first: number, last: number): number;
  touchListedPairs(
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
    parts: number,
  ): number;
  measureTouches(count: number, deepest: number): number;
  /** touchWithin for one body beside others: lists what it finds in `moved`, from the row of its first particle on. */
  touchBody(
    start: number,
    end: number,
    first: number,
    last: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
  ): number;
  /** Parts of measureTouches: over rows of `touching`, and over the whole list after that. */
  measureRange(first: number, last: number, deepest: number): void;
  keepTouches(count: number): number;
  describeContacts(first: number, last: number): void;
  solveVelocities(count: number, slow: number): number;
  solvePositions(count: number, h: number): void;
  bounceVelocities(count: number): void;
  /** `rows` and `changes` are addresses. */
  listSelf(changes: number, first: number, last: number): number;
  describeSelf(
    rows: number,
    changes: number,
    first: number,
    last: number,
    h: number,
    slow: number,
    friction: number,
    restitution: number,
  ): number;
  sweepSelf(rows: number, changes: number, count: number): number;
  /** Results are at SCRATCH.SELF_SUMS. */
  weighSelf(changes: number, moved: number, h: number): void;
  keepSelf(changes: number, moved: number): void;
  moveSelf(changes: number, moved: number, h: number): void;
  keepMotion(count: number): number;
  listMovedClusters(count: number, clusters: number): number;
  strainParticles(start: number, end: number, before: boolean): void;
  weighMotion(start: number, end: number, h: number): void;
  /** Results are at SCRATCH.PLANE_SUMS. `reach`: 0 none, 1 given, 2 directed. */
  meetPlane(start: number, end: number, reach: number, given: number, runs: boolean): number;
  addPlaneSums(start: number, end: number): void;
  reachAlong(particle: number, nx: number, ny: number, nz: number, far: number): number;
  hasStray(start: number, end: number, every: number, times2: number, least2: number): number;
  countNonFinite(start: number, end: number): number;
  sumSquaredWays(start: number, end: number): number;
  /** The same in parts: the sums of whole runs of particles (assembly/velocity.ts), and their sum. */
  squareWays(start: number, end: number): void;
  addSquaredWays(start: number, end: number): number;
  keepStart(start: number, end: number): void;
  returnStart(start: number, end: number): void;
  brakeParticles(start: number, end: number, keep: number): void;
  /** For tests: decompositions of matrices in memory (addresses of f64 values). */
  polar3(r: number, m: number, reflect: boolean): void;
  straighten(to: number, m: number): number;
  svd3(u: number, sigma: number, v: number, m: number): void;
  /** For tests: ∛x and x^γ. */
  cbrt(x: number): number;
  power(x: number, gamma: number): number;
}
