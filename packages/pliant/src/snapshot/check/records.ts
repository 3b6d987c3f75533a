import { SCALARS, SWITCHES } from '../../body/record.js';
import { refuse } from '../../check.js';
import { KERNELS } from '../../cluster/weightKernel.js';
import { GRAINS } from '../../fracture/options.js';
import { GOAL_MODES } from '../../material/softness.js';
import { MOST_ITERATIONS } from '../../recluster/options.js';
import {
  boolean,
  type Check,
  finite,
  finites,
  integer,
  list,
  number,
  numberOrInfinity,
  oneOf,
  optional,
  record,
  text,
  typed,
} from '../format/schema.js';

// The parts of a snapshot beside the arrays of the state, field by field. Conditions on several fields are checked in
// bodies.ts and holders.ts.

const share = number({ min: 0, max: 1 });
const notNegative = number({ min: 0 });
const count = integer({ min: 0 });
const triple = list(finite, 3);

export const material = record({
  law: optional(
    record({
      young: number({ min: 0 }),
      poisson: number({ min: 0, max: 0.49 }),
      dampingRatio: notNegative,
      flowTime: notNegative,
      hardening: notNegative,
    }),
  ),
  mode: oneOf(...GOAL_MODES),
  beta: share,
  volume: oneOf('free', 'nearest', 'scaled'),
  areaLimit: record({
    clamp: oneOf('row', 'exact', 'norm'),
    max: numberOrInfinity({ above: 1 }),
    from: (path, value) => {
      if (value !== 'auto') number({ min: 1 })(path, value);
    },
  }),
  damping: share,
  bodyDamping: share,
  dampingMode: oneOf('rigid', 'linear'),
  rotation: oneOf('deformation', 'covariance'),
  inversion: oneOf('proper', 'mirror'),
  friction: notNegative,
  restitution: share,
  flowRate: notNegative,
  flowMode: oneOf('dissipative', 'paper'),
  hardening: finite,
  limit: record({
    mode: oneOf('conserving', 'paper'),
    gamma: notNegative,
    omega: number({ min: 0, max: 2 }),
    iterations: integer({ min: 0, max: 1000 }),
  }),
});

export const contactSettings = record({
  mode: oneOf('proxies', 'surface', 'none'),
  self: boolean,
  exits: oneOf('skin', 'planes'),
  fraction: share,
  margin: notNegative,
  gamma: share,
  response: oneOf('momentum', 'positions'),
  obstacles: oneOf('points', 'surface'),
});

const contact = record({
  settings: contactSettings,
  pad: notNegative,
  knowsSurface: boolean,
});

export const fracture = record({
  outliers: numberOrInfinity({ above: 0 }),
  length: notNegative,
  // Only of thin bodies.
  thin: optional(boolean),
  delay: boolean,
  boost: notNegative,
  falloff: notNegative,
  minMembers: integer({ min: 1 }),
  minMass: notNegative,
  debris: boolean,
  budget: integer({ min: 1 }),
  // Only where faces are rough.
  roughness: optional(share),
  grain: optional(oneOf(...GRAINS)),
});

/** The kernel of new clusters: the clustering options of the body, of which the other settings are not read. */
const kernel: Check = (path, value) => {
  const all = value as Record<string, unknown> | null | undefined;
  oneOf(...KERNELS)(`${path}.kernel`, all?.kernel);
  notNegative(`${path}.beta`, all?.beta);
  number({ above: 0 })(`${path}.epsilon`, all?.epsilon);
  number({ above: 1 })(`${path}.m`, all?.m);
  for (const [key, other] of Object.entries(all ?? {}))
    if (!['number', 'string', 'boolean', 'undefined'].includes(typeof other))
      refuse(`${path}.${key}`, other, 'a number, a text or a boolean');
};

export const reclustering = record({
  threshold: numberOrInfinity({ above: 1 }),
  fadeOut: number({ above: 0 }),
  fadeIn: number({ above: 0 }),
  minClusters: integer({ min: 1 }),
  space: oneOf('embedded', 'linear', 'world'),
  iterations: integer({ min: 1, max: MOST_ITERATIONS }),
  every: number({ above: 0 }),
  budget: integer({ min: 1 }),
  resample: numberOrInfinity({ min: 1 }),
  kernel,
  radius: notNegative,
});

export const clustering = record({
  start: typed('Uint32Array'),
  particle: typed('Uint32Array'),
  weight: finites('Float64Array'),
  centre: finites('Float64Array'),
  radius: notNegative,
  epsilon: number({ above: 0 }),
  count,
  report: record({
    algorithm: text,
    kernel: text,
    attempts: count,
    iterations: count,
    reseated: count,
    converged: boolean,
    cycle: count,
    slack: notNegative,
    orphans: count,
    radiusGrown: boolean,
    countGrown: boolean,
    evaluations: count,
    notes: list(text),
  }),
});

export const ownLevels = record({
  level: typed('Uint32Array'),
  start: typed('Uint32Array'),
  particle: typed('Uint32Array'),
  weight: finites('Float64Array'),
  rest: finites('Float64Array'),
  mass: finites('Float64Array'),
  inverse: finites('Float64Array'),
});

export const surfaceMesh = record({ positions: finites('Float64Array'), indices: typed('Uint32Array') });

export const thin = oneOf('sheet', 'cord');

const parts = record({
  name: text,
  clustering,
  ownLevels: optional(ownLevels),
  warnings: list(text),
  spacing: optional(number({ above: 0 })),
  thin: optional(thin),
  builtPositions: finites('Float64Array'),
  turn: optional(finites('Float64Array', 9)),
  contact,
  fracture,
  reclustering,
  surfaceMesh: optional(surfaceMesh),
});

export const levelStrengths = record({
  settings: (path, value) => record({ weights: () => {}, stiffness: () => {}, damping: () => {} })(path, value),
  weights: finites('Float64Array'),
  pull: finites('Float64Array'),
  drag: finites('Float64Array'),
  stiffness: optional(finite),
  damping: optional(finite),
});

export const skin = record({
  positions: finites('Float64Array'),
  indices: typed('Uint32Array'),
  uvs: optional(typed('Float32Array')),
  colours: optional(typed('Float32Array')),
  source: optional(finites('Float32Array')),
  inner: optional(typed('Uint8Array')),
  near: optional(
    record({ start: typed('Uint32Array'), particle: typed('Uint32Array'), kernel: finites('Float32Array') }),
  ),
  crease: optional(finite),
});

const stillSurface = record({
  positions: finites('Float32Array'),
  bounds: finites('Float64Array', 6),
  frames: finites('Float64Array'),
  isHeld: boolean,
});

const bits = integer({ min: 0, max: 0xffffffff });
export const groups = optional(record({ membership: bits, filter: bits }));

const ROWS = ['particle', 'cluster', 'coarse', 'tie', 'node'].flatMap((domain) => [`${domain}Start`, `${domain}End`]);

const body = record({
  handle: count,
  rows: record(Object.fromEntries(ROWS.map((key) => [key, count]))),
  parts,
  restPositions: finites('Float64Array'),
  material,
  levelStrengths: optional(levelStrengths),
  topologyVersion: count,
  scalars: record(Object.fromEntries(SCALARS.map((key) => [key, SWITCHES.includes(key) ? boolean : finite]))),
  asleep: boolean,
  ductile: boolean,
  brittle: boolean,
  pinned: typed('Uint32Array'),
  checkedPositions: finites('Float32Array'),
  carried: optional(finites('Float32Array')),
  surface: (path, value) => {
    if (value !== 'none' && value !== 'fitted') stillSurface(path, value);
  },
  skin: optional(skin),
  groups,
});

const pair = record({
  a: count,
  b: count,
  position: triple,
  normal: triple,
  impulse: triple,
  count,
  since: finite,
  frame: integer(),
  weight: finite,
});

const pose = list(finite, 7);

const collider = record({
  id: count,
  from: pose,
  to: pose,
  led: optional(pose),
  motion: list(finite, 6),
  // The bounds of an endless cylinder are infinite.
  bounds: list((path, value) => {
    if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) finite(path, value);
  }, 6),
  received: list(finite, 6),
  enabled: boolean,
  switched: boolean,
  groups,
});

const clamp = record({
  id: count,
  active: boolean,
  grips: list(
    record({ body: count, particles: typed('Uint32Array'), anchors: finites('Float64Array'), shift: optional(triple) }),
  ),
  led: optional(pose),
  moved: optional(boolean),
});

const STRONGEST = 1e12;

const pick = record({
  id: count,
  body: count,
  stiffness: number({ min: 0, max: STRONGEST }),
  damping: number({ min: 0, max: STRONGEST }),
  maxAcceleration: number({ min: 0, max: STRONGEST }),
  particles: typed('Uint32Array'),
  pickWeights: finites('Float64Array'),
  offset: triple,
  target: triple,
  impulse: triple,
  moved: boolean,
});

/** Clamps have grips, colliders none. */
export const isClampRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'grips');

const anything: Check = () => {};

/** All fields of a snapshot; its arrays and counts are checked elsewhere. */
export const snapshotRecord = record({
  format: anything,
  time: finite,
  frame: count,
  accumulator: notNegative,
  gravity: triple,
  dt: optional(number({ above: 0, max: 1 })),
  substepping: optional(
    record({
      done: integer({ min: 0 }),
      substeps: (path, value) => {
        if (value !== 'auto') integer({ min: 1, max: 1000 })(path, value);
      },
      maxSubsteps: integer({ min: 1, max: 1000 }),
    }),
  ),
  counts: anything,
  arrays: anything,
  bodies: list(body),
  order: typed('Uint32Array'),
  pairs: list(pair),
  actors: list((path, value) => (isClampRecord(value) ? clamp : collider)(path, value)),
  forceFields: list(record({ id: count, bodies: optional(list(count)) })),
  picks: list(pick),
  made: anything,
  byteLength: notNegative,
  addedByteLength: notNegative,
});
