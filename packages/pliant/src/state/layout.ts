import type { Stage } from '../profile.js';

/** Value of `touchCluster` for a particle that touches nothing. */
export const UNTOUCHED = 0xffffffff;

/**
 * The only declaration of the state: the arrays, their meaning and the stages that write them. TypeScript views, the
 * WASM kernels' accessors (scripts/build-kernels.mjs generates them from here) and snapshots derive from it.
 *
 * A membership (cluster c holds particle i) is stored twice: cluster-major as a *member* (for sums over a cluster) and
 * particle-major as a *link* (for a particle that gathers its goals). Both sides gather, so that every result has one
 * writer and does not depend on the order in which clusters or particles are processed.
 *
 * Links lie in gather order: particles sorted by their number of links. The inner loop over a particle's links then has
 * the same length for thousands of particles in a row. In particle order the end of that loop is mispredicted, which
 * costs more than the arithmetic (a sweep over the heart, 2.4 links a particle: 5.0 ns a link, sorted 4.0).
 */
export const LAYOUT = {
  // ── particles ─────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Position x y z (m), mass (kg). */
  x: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'integrate', 'strainLimit', 'contact', 'obstacles'],
  },
  /** Velocity x y z (m/s), 0. */
  v: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'match', 'integrate', 'velocity', 'contact', 'obstacles', 'sleep'],
  },
  /** Position at the start of the substep, mass. */
  xOld: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'integrate'],
  },
  /** Position at the start of a step of several substeps, mass; comes into xOld at its end. */
  xStep: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['external'],
  },
  /** Velocity at the start of the step x y z (m/s), 0; of awake bodies. At the end of a step sleep puts the places there that its kernel measures ways from. */
  vOld: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['integrate', 'sleep'],
  },
  /** External force x y z (N) of this step, 0; set by the user and by force fields, cleared when it has acted. */
  force: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'levels', 'integrate'],
  },
  /** α, share of the way to the goal in one step, [0, 2); of bodies with an elastic law match writes it where the step has another length than before, and contact where it wakes them. */
  stiffness: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Elastic law: Young's modulus over density, E/ρ (m²/s²); 0 for bodies with per-step parameters. */
  modulus: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Plastic yield λ (1). */
  yieldLimit: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Stretch that breaks, beyond 1: τ (1). */
  toughness: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** How far the body's surface lies beyond it (m). */
  reach: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Bits of flags.ts. */
  flags: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['external', 'contact', 'sleep'],
  },
  /** Place of its body in world.bodies. */
  bodyOf: { of: 'particle', type: 'u32', width: 1, kind: 'constant' },
  /** Which of the particles that its body was built with it is, or was copied from. */
  ancestor: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Mass (kg) of that one when the body was built: how far it may be divided. */
  builtMass: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Elastic law: volume (m³) that that one stood for when the body was built; 0 for bodies with per-step parameters. */
  builtVolume: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** 1 if a cluster asks it to move in this sweep; several may write it, all the same. */
  wantsMove: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['strainLimit'],
  },
  /** Particles of a body in the order in which they gather: those with equally many links together. */
  gatherOrder: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Place of each particle in its body's gather order: gather[rank[i]] = i. */
  gatherRank: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Deepest contact of this step: outward normal of the proxy it is in, depth (m); until that is measured, where on its way it goes in, 0 to 1, or 2: not known. */
  touch: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Cluster whose proxy that is, or UNTOUCHED. */
  touchCluster: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: UNTOUCHED,
    writers: ['contact'],
  },
  /** How far off that cluster's centre the contact is, in squared proxy radii: the nearest cluster answers. */
  touchCentreOffset: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** The particles in contact, as they were found; a list, not by particle; before that, those beyond the limit. */
  touching: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['strainLimit', 'contact'],
  },
  /** Particles to be tested against proxies, a list; the fast kernels keep rows of it: bounds over the step (bits of x y z, which it is; x y z). In other stages sums over runs of particles (assembly/velocity.ts). */
  candidate: {
    of: 'particle',
    type: 'u32',
    width: 8,
    kind: 'scratch',
    writers: ['external', 'integrate', 'contact', 'obstacles'],
  },
  /** Bounds of each particle over the step, from xOld to x: lowest x y z 0, highest x y z (m), then TOUCH.ASIDE of inner particles and 0 of others; of awake bodies. */
  stepBox: {
    of: 'particle',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['contact', 'sleep'],
  },
  /** Which of its own clusters it is a candidate for, counted from 1: none sees it twice; 0 when that is done. */
  listedFor: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
  },
  /** PATCH particles of the surface that each of the particles in contact is in, 0 0; in the order of `touching`. */
  patch: {
    of: 'particle',
    type: 'u32',
    width: 8,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Numbers of each contact, offsets in state/contactRow.ts; in the order of `touching`. */
  contactRow: {
    of: 'particle',
    type: 'f32',
    width: 32,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Displacement x y z (m) that contact asks for, 0. */
  contactShift: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
  },
  /** Particles that contacts may move, each once. */
  moved: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Of each of `moved`: where it was before contact x y z (m), 0; how fast x y z (m/s), 0; then as in `goalOffset`, before positions were put right. */
  beforeContact: {
    of: 'particle',
    type: 'f32',
    width: 16,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** How far goals pull each of `moved` in a step x y z (m), 0; how fast beside the rigid motion of its clusters x y z (m/s), 0; the latter become what it won (contact/energy.ts): by velocities, L, Q (J), and its mass. */
  goalOffset: {
    of: 'particle',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** First link of each particle, in gather order. */
  linkStart: {
    of: 'particle',
    extra: 1,
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  // ── clusters ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /** First member of each cluster. */
  memberStart: {
    of: 'cluster',
    extra: 1,
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Σ m w (kg). */
  clusterMass: { of: 'cluster', type: 'f64', width: 1, kind: 'constant' },
  /** Σ m w p / Σ m w, what rounding p to f32 left of zero (m). */
  restShift: {
    of: 'cluster',
    type: 'f64',
    width: 3,
    kind: 'constant',
  },
  /** Pseudo-inverse of A_rr = Σ m w p pᵀ (1/(kg m²)), by columns. */
  restInverse: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'constant',
  },
  /** A_rr itself (kg m²), xx yy zz xy xz yz: what a deformation weighs. */
  restMoment: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
  },
  /** Largest |p| of the members (m). */
  width: { of: 'cluster', type: 'f32', width: 1, kind: 'constant' },
  /** γ·width, allowed distance to the goal (m). */
  limit: { of: 'cluster', type: 'f32', width: 1, kind: 'constant' },
  /** Which goals it has and how far they may stretch, numbers of state/soft.ts (1). */
  softness: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'constant',
  },
  /** Elastic law (state/elasticity.ts): matrix S by columns (1), rate (1/s²), largest eigenvalue of S (1), factor on REST (1). */
  elasticity: {
    of: 'cluster',
    type: 'f64',
    width: 12,
    kind: 'constant',
  },
  /** Of soft goals: square root of A_rr, scaled to determinant 1, xx yy zz xy xz yz (1). */
  restRoot: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
  },
  /** Of quadratic goals: turns offsets p into the axes of A_rr, three columns (xyz 0) (1). */
  bendAxes: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'constant',
  },
  /** Of quadratic goals: mean of the products xx yy zz xy yz zx of p in these axes (m²), 6×3 matrix L of the linear map nearest to them (m), by columns. */
  bendRest: {
    of: 'cluster',
    type: 'f64',
    width: 24,
    kind: 'constant',
  },
  /** Of quadratic goals: pseudo-inverse of A_bb = Σ m w b bᵀ (1/(kg m⁴)), b the products without mean and linear part. */
  bendInverse: {
    of: 'cluster',
    type: 'f64',
    width: 36,
    kind: 'constant',
  },
  /** Mean of its members' yield λ by m·w (1); infinite where a member never yields. */
  clusterYield: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Mean of its members' toughness τ by m·w, times toughnessFactor (1); infinite where a member never breaks. */
  clusterToughness: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** How many times as tough it is as its members say (1); 1 unless Body.scaleToughness set it. */
  toughnessFactor: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Share of its modulus that fracture has left to it (1): splits add no energy; of bodies with an elastic law. */
  soundness: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Time since it last split (s). */
  sinceSplit: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['fracture'],
  },
  /** 1 if it has split and not been below its toughness since. */
  unrelaxed: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['fracture'],
  },
  /** Plastic deformation F^p, symmetric and of determinant 1: the rest shape is F^p p. */
  plastic: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity'],
  },
  /** ‖F^p − I‖ (1). */
  plasticStrain: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['plasticity'],
  },
  /** Α_c, elastic strain ‖Σ^e − I‖ summed over all steps (1). */
  hardened: {
    of: 'cluster',
    type: 'f64',
    width: 1,
    kind: 'state',
    writers: ['plasticity'],
  },
  /** How much of its weight a cluster has, (0, 1]: below 1 it is on its way in or out. */
  fade: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['recluster'],
  },
  /** 1 if it is on its way out. */
  leaving: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['recluster'],
  },
  /** Elastic stretch S^e = Rᵀ F^e at the start of the step, xx yy zz xy xz yz; of bodies that can flow or break. */
  elastic: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'scratch',
    writers: ['match', 'contact'],
  },
  /** Columns of R F^p (xyz, in the fourth place of the first the share b of an elastic law), centre − origin, (γ·width)², origin 0; origin = position of the first member. */
  transform: {
    of: 'cluster',
    type: 'f32',
    width: 20,
    kind: 'scratch',
    writers: ['match', 'levels', 'strainLimit', 'contact'],
  },
  /** Of an elastic law, in the fast kernels: the velocity that a cluster gives to its members in a step, as a map of their rest offset. Three columns (xyz 0), the constant part (m/s) and the share b over h, the origin 0, and of clusters that are too thin to turn by their fit k_d ω 0. */
  urge: {
    of: 'cluster',
    type: 'f32',
    width: 24,
    kind: 'scratch',
    writers: ['integrate'],
  },
  /** Of an elastic law: columns of F = A_xr A_rr⁻¹ (xyz 0), in the fourth place of the first 1 where they are too thin to turn by (INERTIA.THIN). */
  deformation: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'scratch',
    writers: ['match', 'contact'],
  },
  /** Of quadratic goals: what the products of p in the axes of A_rr add to the goal (1/m), six columns (xyz 0). */
  bend: {
    of: 'cluster',
    type: 'f32',
    width: 24,
    kind: 'scratch',
    writers: ['match', 'strainLimit', 'contact'],
  },
  /** Mean velocity v̄ 0, angular velocity ω 0. */
  motion: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['match', 'levels', 'contact'],
  },
  /** X̄ at the start of the step 0. */
  oldCentre: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['match', 'contact'],
  },
  /** Inverse inertia xx yy zz xy xz yz at the start of the step; of an elastic law that of the fit (turnsByFit in kernels/ts/match.ts). */
  inertiaInverse: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'scratch',
    writers: ['match', 'contact'],
  },
  /** Net shift t 0 and turn θ 0 of a sweep, taken out again. */
  correction: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['strainLimit'],
  },
  /** 0: idle in this sweep of the limit, 1: fitted for it, 2: a member moved, to be fitted again. */
  refit: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['match', 'strainLimit', 'contact'],
  },
  /** Singular values of F, largest first (smallest signed), 0; of Match.STRETCH, which no stage asks for. */
  sigma: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: [],
  },
  /** Half-spaces n·p < h of the proxy at rest: 32 nx, 32 ny, 32 nz, 32 h (m); unused n = 0, h = 1e30. */
  proxy: {
    of: 'cluster',
    type: 'f32',
    width: 128,
    kind: 'constant',
  },
  /** How many of them are used. */
  proxyPlanes: { of: 'cluster', type: 'u32', width: 1, kind: 'constant' },
  /** How many of these, the first, a particle may leave through; the others only bound the proxy. */
  proxyExits: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** 1 if a particle may leave through the sphere as well. */
  proxyRound: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Members up to here may be on the body's surface; the others are not. */
  surfaceEnd: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** 1/spacing² of the particles (1/m²) or 0 where the surface is not known by them, margin above the surface (m). */
  surfaceParameters: {
    of: 'cluster',
    type: 'f32',
    width: 2,
    kind: 'constant',
  },
  /** Radius of the sphere that the half-spaces cut (m). */
  proxyRadius: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Distance between neighbouring particles (m). */
  proxySpacing: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** The proxy where the cluster is now, laid out alike, relative to its centre. */
  placedProxy: {
    of: 'cluster',
    type: 'f32',
    width: 128,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Columns of F⁻¹ (xyz 0), centre and proxy radius, motion of the centre in this step (m) 0. */
  proxyFrame: {
    of: 'cluster',
    type: 'f32',
    width: 20,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Number of the round of contact that placed its proxy. */
  placedRound: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
  },
  /** Which of its own clusters, counted from 1, was last tested that it shares a particle with. */
  sharesWith: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Where its three lists of neighbours begin: clusters that share a particle with it, its ring, far nodes (proxy/neighbours.ts). */
  neighbourStart: {
    of: 'cluster',
    extra: 1,
    type: 'u32',
    width: 3,
    kind: 'constant',
  },
  /** Lowest and highest x y z of its particles in the rest shape (m). */
  restBox: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
  },
  /** Where its first member is in the rest shape (m), 0. */
  firstMemberRest: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'constant',
  },
  /** Where that is now (m), 0. */
  firstMemberNow: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['contact', 'sleep'],
  },
  /** From directions of the body's rest shape to those of its rest offsets, by columns: 1 for those it was built with · recluster. */
  fromRest: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'constant',
  },
  /** From directions of the rest shape to how they lie now but for a rotation, S^e F^p fromRest: three columns (xyz 0); 1 until it flows. */
  stretchFromRest: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'state',
    writers: ['contact'],
  },
  /** Two nodes of its body's tree, each: right child or 0 for a leaf, cluster of a leaf (proxy/tree.ts). */
  treeNode: {
    of: 'cluster',
    type: 'u32',
    width: 4,
    kind: 'constant',
  },
  /** Bounds of these two nodes: lowest x y z 0, highest x y z 0 (m); kept while a body sleeps; of an awake body that could not touch itself and that no other came near only the root is of the last step. */
  treeBox: {
    of: 'cluster',
    type: 'f32',
    width: 16,
    kind: 'state',
    writers: ['contact', 'sleep'],
  },
  /** Clusters of the particles of `moved`, each once. */
  movedClusters: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Place of its body in world.bodies. */
  bodyOfCluster: { of: 'cluster', type: 'u32', width: 1, kind: 'constant' },
  /** From its rest offsets to the rest shape: three columns of a matrix, then the place of its centre; in nodes of the body's distance field, or in metres where there is none. */
  restFrame: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'constant',
  },
  /** First node of that field, nodes along x y z; 0 nodes where there is none. */
  distanceGrid: {
    of: 'cluster',
    type: 'u32',
    width: 4,
    kind: 'constant',
  },
  /** First and last of its ties to clusters of level 1, in `tiesByChild`, counted from its body's first tie. */
  parentTies: {
    of: 'cluster',
    type: 'u32',
    width: 2,
    kind: 'constant',
  },
  /** Sums that coarser levels are made of: A_xr by columns (kg m²), centre x̄ (m), which meshes bound to it take too; then v̄, angular momentum, inertia. */
  sums: {
    of: 'cluster',
    type: 'f64',
    width: 24,
    kind: 'scratch',
    writers: ['match', 'levels', 'fracture', 'contact'],
  },
  // ── coarse clusters: levels 1 and up, those of a body by level (levels/) ───────────────────────────────────────────
  /** Its level, 1 or more. */
  coarseLevel: { of: 'coarse', type: 'u32', width: 1, kind: 'constant' },
  /** First and last of its ties to what it holds, counted from its body's first tie. */
  coarseChildTies: {
    of: 'coarse',
    type: 'u32',
    width: 2,
    kind: 'constant',
  },
  /** First and last of its ties to clusters of the next level, in `tiesByChild`, counted likewise. */
  coarseParentTies: {
    of: 'coarse',
    type: 'u32',
    width: 2,
    kind: 'constant',
  },
  /** Σ W M of what it holds (kg). */
  coarseMass: { of: 'coarse', type: 'f64', width: 1, kind: 'constant' },
  /** A_rr = Σ m w r rᵀ over all particles below it (kg m²), by columns. */
  coarseMoment: {
    of: 'coarse',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
  },
  /** Pseudo-inverse of A_rr (1/(kg m²)), by columns. */
  coarseInverse: {
    of: 'coarse',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
  },
  /** Share of its level in the pull to the goal, and in the damping (1). */
  coarseStrength: {
    of: 'coarse',
    type: 'f64',
    width: 2,
    kind: 'constant',
  },
  /** Sums as of a cluster, then R by columns and ω; offsets in levels/hierarchy.ts. */
  coarseFit: {
    of: 'coarse',
    type: 'f64',
    width: 36,
    kind: 'scratch',
    writers: ['levels', 'plasticity'],
  },
  /** The wish of it and all coarser levels for its frame, each by its share: matrix by columns, place of its centre, velocity there, angular velocity. */
  coarseGoal: {
    of: 'coarse',
    type: 'f64',
    width: 18,
    kind: 'scratch',
    writers: ['levels'],
  },
  // ── ties: a coarse cluster holds clusters of the level below ───────────────────────────────────────────────────────
  /** The held thing: a cluster (by level 1) or coarse cluster (above), counted from the body's first; by holder. */
  tieChild: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Coarse cluster that holds it, counted from the body's first. */
  tieParent: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** W, share of the held one that belongs to the holder; those of a held one sum to 1. */
  tieWeight: {
    of: 'tie',
    type: 'f64',
    width: 1,
    kind: 'constant',
  },
  /** The held one in the holder's rest shape: matrix H by columns (1 as built), place q of its centre (m). */
  tieRest: {
    of: 'tie',
    type: 'f64',
    width: 12,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
  },
  /** Ties by what they hold: clusters first, then coarse ones; counted from the body's first tie. */
  tiesByChild: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  // ── distance fields ───────────────────────────────────────────────────────────────────────────────────────────────
  /** Signed distance to the surface of the rest shape at the nodes of a grid (m), body after body. */
  distance: {
    of: 'node',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  // ── neighbours ────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Clusters and nodes of a body's tree, counted from its first. */
  neighbour: {
    of: 'neighbour',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  // ── memberships ───────────────────────────────────────────────────────────────────────────────────────────────────
  /** Particle of each member, cluster-major. */
  memberParticle: {
    of: 'membership',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Rest offset p x y z (m), m·w (kg), cluster-major. */
  member: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
  },
  /** Where the body's surface looks at this member, of length 1 in rest space, and its height above it (m); 0 0 0 −1 inside · cluster-major. */
  outward: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
  },
  /** Bounds over the step of 16 members each (m): 8 numbers a block (x y z 0, twice), none for fewer than 8 members. */
  memberBox: {
    of: 'membership',
    type: 'f32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
  },
  /** Bounds of the rest offsets of 16 members each, from a cluster's first to the last on the surface: 8 numbers a block (x y z 0, twice), none for fewer than 8 members. */
  surfaceBox: {
    of: 'membership',
    type: 'f32',
    width: 1,
    kind: 'constant',
  },
  /** Cluster of each link, particle-major. */
  linkCluster: {
    of: 'membership',
    type: 'u32',
    width: 1,
    kind: 'constant',
  },
  /** Rest offset p x y z (m), w, particle-major. */
  link: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
  },
} as const satisfies Record<string, ArrayLayout>;

export interface ArrayLayout {
  /** Domain of the array: one row belongs to one particle, cluster, …. */
  of: Domain;
  /** Rows beyond the count (the last entry of an offset table). */
  extra?: number;
  type: 'f32' | 'f64' | 'u32';
  /** Numbers per row. */
  width: number;
  /**
   * constant: written when a body is built, cut or given another material, and by the stages of ROW_STAGES. state: kept
   * from step to step. scratch: unused between steps.
   */
  kind: 'constant' | 'state' | 'scratch';
  /**
   * For state and scratch: the stages of the step that write it, beside those of ROW_STAGES. A test runs the step and
   * finds others.
   */
  writers?: readonly Stage[];
  /**
   * For scratch that a stage expects as the last one left it: the value that it has then. Snapshots do not keep
   * scratch; restoring one writes this value.
   */
  idle?: number;
}

/**
 * Stages that change the rows of a body. They rewrite the body's constants and move the rows after it, so that all
 * arrays change.
 */
export const ROW_STAGES: readonly Stage[] = ['fracture', 'recluster'];

export type Domain = 'particle' | 'cluster' | 'membership' | 'coarse' | 'tie' | 'node' | 'neighbour';
export const DOMAINS: readonly Domain[] = ['particle', 'cluster', 'membership', 'coarse', 'tie', 'node', 'neighbour'];
export type ArrayName = keyof typeof LAYOUT;
export const ARRAY_NAMES = Object.keys(LAYOUT) as ArrayName[];

interface ViewOf {
  f32: Float32Array;
  f64: Float64Array;
  u32: Uint32Array;
}
/** One typed array per entry of LAYOUT. */
export type Views = { [K in ArrayName]: ViewOf[(typeof LAYOUT)[K]['type']] };

/** Largest number of half-spaces that bound the collision proxy of a cluster: those along the surface, six bounds and some for cuts. */
export const PROXY_PLANES = 32;
/** Reach of an unused half-space, which contains everything. */
export const PROXY_OPEN = 1e30;

/** Groups of arrays that kernels address by one offset. Their rows have equal lengths, which the build checks. */
export const ALIKE: readonly (readonly ArrayName[])[] = [
  ['x', 'v', 'xOld', 'vOld', 'force', 'contactShift', 'touch'],
  ['member', 'outward'],
  ['proxy', 'placedProxy'],
  ['stepBox', 'goalOffset'],
  ['gatherOrder', 'linkStart'],
  ['firstMemberRest', 'firstMemberNow'],
];

/** Byte address of the table of array addresses for the kernels: one u32 per entry of LAYOUT. */
export const POINTER_TABLE = 32768;
/**
 * Byte address where the arrays begin. Below it are the compiler's own data, the kernels' scratch, the table, and what
 * threads need (threads/memoryMap.ts).
 */
export const ARENA_START = 131072;
