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
  x: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'integrate', 'strainLimit', 'contact', 'obstacles'],
    note: 'position x y z (m), mass (kg)',
  },
  v: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'match', 'integrate', 'velocity', 'contact', 'obstacles', 'sleep'],
    note: 'velocity x y z (m/s), 0',
  },
  xOld: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'integrate'],
    note: 'position at the start of the substep, mass',
  },
  xStep: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['external'],
    note: 'position at the start of a step of several substeps, mass; comes into xOld at its end',
  },
  vOld: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['integrate'],
    note: 'velocity at the start of the step x y z (m/s), 0; of awake bodies',
  },
  force: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'state',
    writers: ['external', 'levels', 'integrate'],
    note: 'external force x y z (N) of this step, 0; set by the user and by force fields, cleared when it has acted',
  },
  stiffness: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'α, share of the way to the goal in one step, [0, 2); of bodies with an elastic law match writes it where the step has another length than before, and contact where it wakes them',
  },
  modulus: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: "elastic law: Young's modulus over density, E/ρ (m²/s²); 0 for bodies with per-step parameters",
  },
  yieldLimit: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'plastic yield λ (1)',
  },
  toughness: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'stretch that breaks, beyond 1: τ (1)',
  },
  reach: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: "how far the body's surface lies beyond it (m)",
  },
  flags: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['external', 'contact', 'sleep'],
    note: 'bits of flags.ts',
  },
  bodyOf: { of: 'particle', type: 'u32', width: 1, kind: 'constant', note: 'place of its body in world.bodies' },
  ancestor: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'which of the particles that its body was built with it is, or was copied from',
  },
  builtMass: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'mass (kg) of that one when the body was built: how far it may be divided',
  },
  builtVolume: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'elastic law: volume (m³) that that one stood for when the body was built; 0 for bodies with per-step parameters',
  },
  wantsMove: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['strainLimit'],
    note: '1 if a cluster asks it to move in this sweep; several may write it, all the same',
  },
  gatherOrder: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'particles of a body in the order in which they gather: those with equally many links together',
  },
  gatherRank: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "place of each particle in its body's gather order: gather[rank[i]] = i",
  },
  touch: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['contact'],
    note: 'deepest contact of this step: outward normal of the proxy it is in, depth (m); until that is measured, where on its way it goes in, 0 to 1, or 2: not known',
  },
  touchCluster: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: UNTOUCHED,
    writers: ['contact'],
    note: 'cluster whose proxy that is, or UNTOUCHED',
  },
  touchCentreOffset: {
    of: 'particle',
    type: 'f32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
    note: "how far off that cluster's centre the contact is, in squared proxy radii: the nearest cluster answers",
  },
  touching: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['strainLimit', 'contact'],
    note: 'the particles in contact, as they were found; a list, not by particle; before that, those beyond the limit',
  },
  candidate: {
    of: 'particle',
    type: 'u32',
    width: 8,
    kind: 'scratch',
    writers: ['contact'],
    note: 'particles to be tested against proxies, a list; the fast kernels keep rows of it: bounds over the step (bits of x y z, which it is; x y z)',
  },
  stepBox: {
    of: 'particle',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['contact', 'sleep'],
    note: 'bounds of each particle over the step, from xOld to x: lowest x y z 0, highest x y z (m), then TOUCH.ASIDE of inner particles and 0 of others; of awake bodies',
  },
  listedFor: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
    note: 'which of its own clusters it is a candidate for, counted from 1: none sees it twice; 0 when that is done',
  },
  patch: {
    of: 'particle',
    type: 'u32',
    width: 8,
    kind: 'scratch',
    writers: ['contact'],
    note: 'PATCH particles of the surface that each of the particles in contact is in, 0 0; in the order of `touching`',
  },
  contactRow: {
    of: 'particle',
    type: 'f32',
    width: 32,
    kind: 'scratch',
    writers: ['contact'],
    note: 'numbers of each contact, offsets in state/contactRow.ts; in the order of `touching`',
  },
  contactShift: {
    of: 'particle',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
    note: 'displacement x y z (m) that contact asks for, 0',
  },
  moved: {
    of: 'particle',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
    note: 'particles that contacts may move, each once',
  },
  beforeContact: {
    of: 'particle',
    type: 'f32',
    width: 16,
    kind: 'scratch',
    writers: ['contact'],
    note: 'of each of `moved`: where it was before contact x y z (m), 0; how fast x y z (m/s), 0; then as in `goalOffset`, before positions were put right',
  },
  goalOffset: {
    of: 'particle',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['contact'],
    note: 'how far goals pull each of `moved` in a step x y z (m), 0; how fast beside the rigid motion of its clusters x y z (m/s), 0; the latter become what it won (contact/energy.ts): by velocities, L, Q (J), and its mass',
  },
  linkStart: {
    of: 'particle',
    extra: 1,
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'first link of each particle, in gather order',
  },
  // ── clusters ──────────────────────────────────────────────────────────────────────────────────────────────────────
  memberStart: {
    of: 'cluster',
    extra: 1,
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'first member of each cluster',
  },
  clusterMass: { of: 'cluster', type: 'f64', width: 1, kind: 'constant', note: 'Σ m w (kg)' },
  restShift: {
    of: 'cluster',
    type: 'f64',
    width: 3,
    kind: 'constant',
    note: 'Σ m w p / Σ m w, what rounding p to f32 left of zero (m)',
  },
  restInverse: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'constant',
    note: 'pseudo-inverse of A_rr = Σ m w p pᵀ (1/(kg m²)), by columns',
  },
  restMoment: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
    note: 'A_rr itself (kg m²), xx yy zz xy xz yz: what a deformation weighs',
  },
  width: { of: 'cluster', type: 'f32', width: 1, kind: 'constant', note: 'largest |p| of the members (m)' },
  limit: { of: 'cluster', type: 'f32', width: 1, kind: 'constant', note: 'γ·width, allowed distance to the goal (m)' },
  softness: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'constant',
    note: 'which goals it has and how far they may stretch, numbers of state/soft.ts (1)',
  },
  elasticity: {
    of: 'cluster',
    type: 'f64',
    width: 12,
    kind: 'constant',
    note: 'elastic law (state/elasticity.ts): matrix S by columns (1), rate (1/s²), largest eigenvalue of S (1), factor on REST (1)',
  },
  restRoot: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
    note: 'of soft goals: square root of A_rr, scaled to determinant 1, xx yy zz xy xz yz (1)',
  },
  bendAxes: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'constant',
    note: 'of quadratic goals: turns offsets p into the axes of A_rr, three columns (xyz 0) (1)',
  },
  bendRest: {
    of: 'cluster',
    type: 'f64',
    width: 24,
    kind: 'constant',
    note: 'of quadratic goals: mean of the products xx yy zz xy yz zx of p in these axes (m²), 6×3 matrix L of the linear map nearest to them (m), by columns',
  },
  bendInverse: {
    of: 'cluster',
    type: 'f64',
    width: 36,
    kind: 'constant',
    note: 'of quadratic goals: pseudo-inverse of A_bb = Σ m w b bᵀ (1/(kg m⁴)), b the products without mean and linear part',
  },
  clusterYield: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: "mean of its members' yield λ by m·w (1); infinite where a member never yields",
  },
  clusterToughness: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: "mean of its members' toughness τ by m·w, times toughnessFactor (1); infinite where a member never breaks",
  },
  toughnessFactor: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'how many times as tough it is as its members say (1); 1 unless Body.scaleToughness set it',
  },
  soundness: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'share of its modulus that fracture has left to it (1): splits add no energy; of bodies with an elastic law',
  },
  sinceSplit: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['fracture'],
    note: 'time since it last split (s)',
  },
  unrelaxed: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['fracture'],
    note: '1 if it has split and not been below its toughness since',
  },
  plastic: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity'],
    note: 'plastic deformation F^p, symmetric and of determinant 1: the rest shape is F^p p',
  },
  plasticStrain: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['plasticity'],
    note: '‖F^p − I‖ (1)',
  },
  hardened: {
    of: 'cluster',
    type: 'f64',
    width: 1,
    kind: 'state',
    writers: ['plasticity'],
    note: 'α_c, elastic strain ‖Σ^e − I‖ summed over all steps (1)',
  },
  fade: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'state',
    writers: ['recluster'],
    note: 'how much of its weight a cluster has, (0, 1]: below 1 it is on its way in or out',
  },
  leaving: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'state',
    writers: ['recluster'],
    note: '1 if it is on its way out',
  },
  elastic: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'scratch',
    writers: ['match', 'contact'],
    note: 'elastic stretch S^e = Rᵀ F^e at the start of the step, xx yy zz xy xz yz; of bodies that can flow or break',
  },
  transform: {
    of: 'cluster',
    type: 'f32',
    width: 20,
    kind: 'scratch',
    writers: ['match', 'levels', 'strainLimit', 'contact'],
    note: 'columns of R F^p (xyz, in the fourth place of the first the share b of an elastic law), centre − origin, (γ·width)², origin 0; origin = position of the first member',
  },
  urge: {
    of: 'cluster',
    type: 'f32',
    width: 24,
    kind: 'scratch',
    writers: ['integrate'],
    note: 'of an elastic law, in the fast kernels: the velocity that a cluster gives to its members in a step, as a map of their rest offset. Three columns (xyz 0), the constant part (m/s) and the share b over h, the origin 0, k_d ω and k_d',
  },
  bend: {
    of: 'cluster',
    type: 'f32',
    width: 24,
    kind: 'scratch',
    writers: ['match', 'strainLimit', 'contact'],
    note: 'of quadratic goals: what the products of p in the axes of A_rr add to the goal (1/m), six columns (xyz 0)',
  },
  motion: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['match', 'levels', 'contact'],
    note: 'mean velocity v̄ 0, angular velocity ω 0',
  },
  oldCentre: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['match', 'contact'],
    note: 'x̄ at the start of the step 0',
  },
  inertiaInverse: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'scratch',
    writers: ['match', 'contact'],
    note: 'inverse inertia xx yy zz xy xz yz at the start of the step',
  },
  correction: {
    of: 'cluster',
    type: 'f32',
    width: 8,
    kind: 'scratch',
    writers: ['strainLimit'],
    note: 'net shift t 0 and turn θ 0 of a sweep, taken out again',
  },
  refit: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['match', 'strainLimit', 'contact'],
    note: '0: idle in this sweep of the limit, 1: fitted for it, 2: a member moved, to be fitted again',
  },
  sigma: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: [],
    note: 'singular values of F, largest first (smallest signed), 0; of Match.STRETCH, which no stage asks for',
  },
  proxy: {
    of: 'cluster',
    type: 'f32',
    width: 128,
    kind: 'constant',
    note: 'half-spaces n·p < h of the proxy at rest: 32 nx, 32 ny, 32 nz, 32 h (m); unused n = 0, h = 1e30',
  },
  proxyPlanes: { of: 'cluster', type: 'u32', width: 1, kind: 'constant', note: 'how many of them are used' },
  proxyExits: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'how many of these, the first, a particle may leave through; the others only bound the proxy',
  },
  proxyRound: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: '1 if a particle may leave through the sphere as well',
  },
  surfaceEnd: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "members up to here may be on the body's surface; the others are not",
  },
  surfaceParameters: {
    of: 'cluster',
    type: 'f32',
    width: 2,
    kind: 'constant',
    note: '1/spacing² of the particles (1/m²) or 0 where the surface is not known by them, margin above the surface (m)',
  },
  proxyRadius: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'radius of the sphere that the half-spaces cut (m)',
  },
  proxySpacing: {
    of: 'cluster',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'distance between neighbouring particles (m)',
  },
  placedProxy: {
    of: 'cluster',
    type: 'f32',
    width: 128,
    kind: 'scratch',
    writers: ['contact'],
    note: 'the proxy where the cluster is now, laid out alike, relative to its centre',
  },
  proxyFrame: {
    of: 'cluster',
    type: 'f32',
    width: 20,
    kind: 'scratch',
    writers: ['contact'],
    note: 'columns of F⁻¹ (xyz 0), centre and proxy radius, motion of the centre in this step (m) 0',
  },
  placedRound: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    idle: 0,
    writers: ['contact'],
    note: 'number of the round of contact that placed its proxy',
  },
  sharesWith: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
    note: 'which of its own clusters, counted from 1, was last tested that it shares a particle with',
  },
  neighbourStart: {
    of: 'cluster',
    extra: 1,
    type: 'u32',
    width: 3,
    kind: 'constant',
    note: 'where its three lists of neighbours begin: clusters that share a particle with it, its ring, far nodes (proxy/neighbours.ts)',
  },
  restBox: {
    of: 'cluster',
    type: 'f64',
    width: 6,
    kind: 'constant',
    note: 'lowest and highest x y z of its particles in the rest shape (m)',
  },
  firstMemberRest: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'constant',
    note: 'where its first member is in the rest shape (m), 0',
  },
  firstMemberNow: {
    of: 'cluster',
    type: 'f32',
    width: 4,
    kind: 'scratch',
    writers: ['contact', 'sleep'],
    note: 'where that is now (m), 0',
  },
  fromRest: {
    of: 'cluster',
    type: 'f64',
    width: 9,
    kind: 'constant',
    note: "from directions of the body's rest shape to those of its rest offsets, by columns: 1 for those it was built with · recluster",
  },
  stretchFromRest: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'state',
    writers: ['contact'],
    note: 'from directions of the rest shape to how they lie now but for a rotation, S^e F^p fromRest: three columns (xyz 0); 1 until it flows',
  },
  treeNode: {
    of: 'cluster',
    type: 'u32',
    width: 4,
    kind: 'constant',
    note: "two nodes of its body's tree, each: right child or 0 for a leaf, cluster of a leaf (proxy/tree.ts)",
  },
  treeBox: {
    of: 'cluster',
    type: 'f32',
    width: 16,
    kind: 'state',
    writers: ['contact', 'sleep'],
    note: 'bounds of these two nodes: lowest x y z 0, highest x y z 0 (m); kept while a body sleeps',
  },
  movedClusters: {
    of: 'cluster',
    type: 'u32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
    note: 'clusters of the particles of `moved`, each once',
  },
  bodyOfCluster: { of: 'cluster', type: 'u32', width: 1, kind: 'constant', note: 'place of its body in world.bodies' },
  restFrame: {
    of: 'cluster',
    type: 'f32',
    width: 12,
    kind: 'constant',
    note: "from its rest offsets to the rest shape: three columns of a matrix, then the place of its centre; in nodes of the body's distance field, or in metres where there is none",
  },
  distanceGrid: {
    of: 'cluster',
    type: 'u32',
    width: 4,
    kind: 'constant',
    note: 'first node of that field, nodes along x y z; 0 nodes where there is none',
  },
  parentTies: {
    of: 'cluster',
    type: 'u32',
    width: 2,
    kind: 'constant',
    note: "first and last of its ties to clusters of level 1, in `tiesByChild`, counted from its body's first tie",
  },
  sums: {
    of: 'cluster',
    type: 'f64',
    width: 24,
    kind: 'scratch',
    writers: ['match', 'levels', 'fracture', 'contact'],
    note: 'what coarser levels are summed from: A_xr by columns (kg m²), centre x̄ (m), which meshes bound to it take too; then v̄, angular momentum, inertia',
  },
  // ── coarse clusters: levels 1 and up, those of a body by level (levels/) ───────────────────────────────────────────
  coarseLevel: { of: 'coarse', type: 'u32', width: 1, kind: 'constant', note: 'its level, 1 or more' },
  coarseChildTies: {
    of: 'coarse',
    type: 'u32',
    width: 2,
    kind: 'constant',
    note: "first and last of its ties to what it holds, counted from its body's first tie",
  },
  coarseParentTies: {
    of: 'coarse',
    type: 'u32',
    width: 2,
    kind: 'constant',
    note: 'first and last of its ties to clusters of the next level, in `tiesByChild`, counted likewise',
  },
  coarseMass: { of: 'coarse', type: 'f64', width: 1, kind: 'constant', note: 'Σ W M of what it holds (kg)' },
  coarseMoment: {
    of: 'coarse',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
    note: 'A_rr = Σ m w r rᵀ over all particles below it (kg m²), by columns',
  },
  coarseInverse: {
    of: 'coarse',
    type: 'f64',
    width: 9,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
    note: 'pseudo-inverse of A_rr (1/(kg m²)), by columns',
  },
  coarseStrength: {
    of: 'coarse',
    type: 'f64',
    width: 2,
    kind: 'constant',
    note: 'share of its level in the pull to the goal, and in the damping (1)',
  },
  coarseFit: {
    of: 'coarse',
    type: 'f64',
    width: 36,
    kind: 'scratch',
    writers: ['levels', 'plasticity'],
    note: 'sums as of a cluster, then R by columns and ω; offsets in levels/hierarchy.ts',
  },
  coarseGoal: {
    of: 'coarse',
    type: 'f64',
    width: 18,
    kind: 'scratch',
    writers: ['levels'],
    note: 'what it and all coarser levels want of its frame, each by its share: matrix by columns, place of its centre, velocity there, angular velocity',
  },
  // ── ties: a coarse cluster holds clusters of the level below ───────────────────────────────────────────────────────
  tieChild: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "what is held: a cluster (by level 1) or coarse cluster (above), counted from the body's first; by holder",
  },
  tieParent: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "coarse cluster that holds it, counted from the body's first",
  },
  tieWeight: {
    of: 'tie',
    type: 'f64',
    width: 1,
    kind: 'constant',
    note: 'W, share of the held one that belongs to the holder; those of a held one sum to 1',
  },
  tieRest: {
    of: 'tie',
    type: 'f64',
    width: 12,
    kind: 'state',
    writers: ['plasticity', 'recluster'],
    note: "the held one in the holder's rest shape: matrix H by columns (1 as built), place q of its centre (m)",
  },
  tiesByChild: {
    of: 'tie',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "ties by what they hold: clusters first, then coarse ones; counted from the body's first tie",
  },
  // ── distance fields ───────────────────────────────────────────────────────────────────────────────────────────────
  distance: {
    of: 'node',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: 'signed distance to the surface of the rest shape at the nodes of a grid (m), body after body',
  },
  // ── neighbours ────────────────────────────────────────────────────────────────────────────────────────────────────
  neighbour: {
    of: 'neighbour',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: "clusters and nodes of a body's tree, counted from its first",
  },
  // ── memberships ───────────────────────────────────────────────────────────────────────────────────────────────────
  memberParticle: {
    of: 'membership',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'particle of each member, cluster-major',
  },
  member: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
    note: 'rest offset p x y z (m), m·w (kg), cluster-major',
  },
  outward: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
    note: "where the body's surface looks at this member, of length 1 in rest space, and its height above it (m); 0 0 0 −1 inside · cluster-major",
  },
  memberBox: {
    of: 'membership',
    type: 'f32',
    width: 1,
    kind: 'scratch',
    writers: ['contact'],
    note: 'bounds over the step of 16 members each (m): 8 numbers a block (x y z 0, twice), none for fewer than 8 members',
  },
  surfaceBox: {
    of: 'membership',
    type: 'f32',
    width: 1,
    kind: 'constant',
    note: "bounds of the rest offsets of 16 members each, from a cluster's first to the last on the surface: 8 numbers a block (x y z 0, twice), none for fewer than 8 members",
  },
  linkCluster: {
    of: 'membership',
    type: 'u32',
    width: 1,
    kind: 'constant',
    note: 'cluster of each link, particle-major',
  },
  link: {
    of: 'membership',
    type: 'f32',
    width: 4,
    kind: 'constant',
    note: 'rest offset p x y z (m), w, particle-major',
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
  note: string;
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
