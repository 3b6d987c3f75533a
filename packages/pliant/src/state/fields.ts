import { Fit, Goal } from './coarseRow.js';
import { ContactRow } from './contactRow.js';
import { type ArrayName, LAYOUT } from './layout.js';
import { NX, NY, NZ, REACH } from './proxyRow.js';
import { Soft } from './soft.js';

/** Entries of a 3×3 matrix that is stored by columns; the first letter is the row. */
export const Matrix = { XX: 0, YX: 1, ZX: 2, XY: 3, YY: 4, ZY: 5, XZ: 6, YZ: 7, ZZ: 8, WIDTH: 9 } as const;
/** Entries of a symmetric 3×3 matrix. */
export const Symmetric = { XX: 0, YY: 1, ZZ: 2, XY: 3, XZ: 4, YZ: 5, WIDTH: 6 } as const;

/** Coordinates of a vector. */
export const Vector = { X: 0, Y: 1, Z: 2, WIDTH: 3 } as const;

/** A box: lowest corner x y z 0, highest corner x y z 0. */
const Box = { LOW: 0, HIGH: 4 } as const;
/** A row of `elasticity` (state/elasticity.ts). */
export const Elasticity = { AFFINE: 0, RATE: 9, MOST: 10, HOLD: 11 } as const;
/** The first row of a run, and the one after its last. */
const Run = { FIRST: 0, END: 1 } as const;
/** Sums over a cluster. `coarseFit` also has the rotation and the spin computed from them. */
const Sums = { A: Fit.A, CENTRE: Fit.CENTRE, V: Fit.V, TURN: Fit.TURN, INERTIA: Fit.INERTIA } as const;
/** A cluster's goals: columns of R F^p, share of the way that it pulls (elastic law only), centre − origin, (γ·width)², origin. */
export const Transform = { X: 0, SHARE: 3, Y: 4, Z: 8, COLUMN: 4, CENTRE: 12, LIMIT2: 15, ORIGIN: 16 } as const;
export const TRANSFORM_ROW = LAYOUT.transform.width;
/** A proxy's place: columns of F⁻¹, centre, radius, motion in this step. */
export const Frame = { X: 0, Y: 4, Z: 8, COLUMN: 4, CENTRE: 12, RADIUS: 15, MOTION: 16 } as const;
export const FRAME_ROW = LAYOUT.proxyFrame.width;
const Planes = { NX, NY, NZ, REACH } as const;

/** Numbers in a row of each array. */
export const Row = Object.fromEntries(Object.entries(LAYOUT).map(([name, { width }]) => [name, width])) as {
  readonly [K in ArrayName]: (typeof LAYOUT)[K]['width'];
};

/**
 * Named fields in the rows of LAYOUT that kernels address: offsets in numbers, by array. scripts/build-kernels.mjs
 * generates their byte offsets for AssemblyScript as ARRAY_FIELD (`member.MASS` becomes MEMBER_MASS) and refuses those
 * beyond the row.
 */
export const FIELDS = {
  x: { MASS: 3 },
  touch: { DEPTH: 3 },
  candidate: { LOW: 0, PARTICLE: 3, HIGH: 4 },
  /** INNER: whether a particle is an inner one (TOUCH.ASIDE). */
  stepBox: { ...Box, INNER: 7 },
  contactRow: ContactRow,
  beforeContact: { X: 0, V: 4, OFF: 8, BESIDE: 12 },
  goalOffset: { OFF: 0, BESIDE: 4, BY_VELOCITY: 4, L: 5, Q: 6, MASS: 7 },
  softness: Soft,
  elasticity: Elasticity,
  bendAxes: { X: 0, Y: 4, Z: 8 },
  bendRest: { MEAN: 0, BY_X: 6, BY_Y: 12, BY_Z: 18 },
  bendInverse: { COLUMN: 6 },
  bend: { XX: 0, YY: 4, ZZ: 8, XY: 12, YZ: 16, ZX: 20, COLUMN: 4 },
  transform: Transform,
  urge: { X: 0, Y: 4, Z: 8, CONSTANT: 12, SHARE: 15, ORIGIN: 16, SPIN: 20 },
  deformation: { X: 0, THIN: 3, Y: 4, Z: 8, COLUMN: 4 },
  motion: { V: 0, SPIN: 4 },
  oldCentre: { X: 0 },
  correction: { SHIFT: 0, TURN: 4 },
  proxy: Planes,
  placedProxy: Planes,
  surfaceParameters: { PER_SPACING2: 0, MARGIN: 1 },
  proxyFrame: Frame,
  neighbourStart: { SHARED: 0, RING: 1, FAR: 2 },
  stretchFromRest: { X: 0, Y: 4, Z: 8 },
  treeNode: { RIGHT: 0, CLUSTER: 1, NODE: 2 },
  treeBox: { ...Box, NODE: 8 },
  restFrame: { X: 0, Y: 3, Z: 6, COLUMN: 3, PLACE: 9 },
  distanceGrid: { FIRST: 0, NX: 1, NY: 2, NZ: 3 },
  parentTies: Run,
  sums: Sums,
  coarseChildTies: Run,
  coarseParentTies: Run,
  coarseStrength: { PULL: 0, DRAG: 1 },
  coarseFit: { ...Sums, R: Fit.R, SPIN: Fit.SPIN },
  coarseGoal: { MATRIX: Goal.MATRIX, PLACE: Goal.PLACE, V: Goal.V, SPIN: Goal.SPIN },
  tieRest: { MATRIX: 0, PLACE: 9 },
  member: { MASS: 3 },
  outward: { HEIGHT: 3 },
  link: { WEIGHT: 3 },
} as const satisfies Partial<Record<ArrayName, Record<string, number>>>;

/** Blocks of members that have a box in `memberBox` and `surfaceBox`. */
export const MemberBlock = {
  /** Members in a block. */
  SIZE: 16,
  /** Numbers of its box: as a row of `stepBox`. */
  BOX: 8,
  /** Clusters with fewer members have no boxes. */
  LEAST: 8,
} as const;
