import { makeMesh, makePoints } from './geometry.mjs';
import {
  boolean,
  callback,
  choice,
  either,
  except,
  integer,
  list,
  logarithmic,
  made,
  number,
  record,
  reference,
  tuple,
  vec3,
} from './grammar.mjs';

/** Every option of the engine, and what it may be. `coverage.test.mjs` asks the engine for its options and fails where one is missing here. */

const small = number(-1, 1);
const place = vec3(number(-1.5, 1.5));
const direction = either(vec3(small), choice([0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1]));
const quaternion = tuple(small, small, small, number(0.2, 1));
const infinite = { $: 'Infinity' };
const seed = integer(0, 9);
/** Few of the 32, so that some bodies meet and others pass. */
const bits = choice(0xffffffff, 0xffffffff, 1, 2, 3, 0x80000000, 0);
export const groups = record({}, { membership: bits, filter: bits }, 0.7);

/** Valid up to 1000, and merely slow. */
const fewSubsteps = (grammar) => except(12, 1000.5, grammar);
export const substeps = fewSubsteps(either(choice('auto'), integer(1, 5)));
export const maxSubsteps = fewSubsteps(choice(1, 2, 4, 8));

export const worldOptions = record(
  {},
  {
    gravity: either(choice([0, -9.81, 0], [0, 0, 0]), vec3(number(-20, 20))),
    dt: choice(1 / 60, 1 / 120, 1 / 30, 0.1, 1e-3),
    substeps,
    maxSubsteps,
    backend: choice('wasm', 'ts'),
    threads: choice('auto', 1, 2, 3),
    sleepSpeed: choice(0, 0.03, 0.5, 10),
    sleepAfter: choice(0, 0.1, 0.5),
    maxSpeed: choice(1e6, 1e15, 10, 1),
  },
  0.5,
);

// Shapes.
const length = number(0.1, 1);
const posed = { position: vec3(number(-0.5, 0.5)), rotation: quaternion };
const shapeOf = (type, needed, others = {}) => record({ type: choice(type), ...needed }, { ...posed, ...others }, 0.15);
export const simpleShapes = {
  box: shapeOf('box', { size: vec3(length) }),
  sphere: shapeOf('sphere', { radius: number(0.1, 0.5) }),
  ellipsoid: shapeOf('ellipsoid', { radii: vec3(number(0.1, 0.5)) }),
  cylinder: shapeOf('cylinder', { radius: number(0.1, 0.5), height: length }),
  capsule: shapeOf('capsule', { radius: number(0.1, 0.4), height: length }),
  torus: shapeOf('torus', { radius: number(0.3, 0.5), tube: number(0.05, 0.3) }),
  sheet: shapeOf('sheet', { size: tuple(length, length), thickness: either(number(0.002, 0.02), number(0.02, 0.3)) }),
  cord: shapeOf('cord', { path: list(place, 2, 5), radius: either(number(0.01, 0.05), number(0.05, 0.3)) }),
  implicit: shapeOf('implicit', {
    distance: callback('ball', 'gyroid', 'sign', 'full', 'empty', 'nan'),
    min: choice([-0.5, -0.5, -0.5]),
    max: choice([0.5, 0.5, 0.5], [0.2, 0.6, 0.4]),
  }),
};
const simple = either(...Object.values(simpleShapes));
export const combination = record(
  { type: choice('union', 'difference', 'intersection'), of: list(simple, 1, 3) },
  { smooth: number(0, 0.2), ...posed },
  0.2,
);
export const shape = made((random, wild) => (random.chance(0.15) ? combination : simple).make(random, wild));

const count = except(1000, 5_000_001, integer(1, 200));
const spacing = except(1e-6, 0.05, number(0.08, 0.4));
export const sampling = made((random, wild) =>
  record(
    random.chance(0.75) ? { count } : { spacing },
    {
      method: choice('grid', 'blue-noise'),
      seed,
      shell: number(0.02, 0.3),
      ...(random.chance(wild) ? { count, spacing } : {}),
    },
    0.2,
  ).make(random, wild),
);
export const samplingKeys = ['method', 'spacing', 'count', 'seed', 'shell'];

// Material.
const field = (values) =>
  made((random, wild) =>
    (random.chance(0.75) ? values : callback('half', 'stripes', 'slope', 'rarely')).make(random, wild),
  );
export const limit = record(
  {},
  {
    mode: choice('conserving', 'paper'),
    gamma: choice(0, 0.1, 0.3, 1, 100),
    omega: number(0, 2),
    iterations: integer(0, 8),
  },
  0.5,
);
export const areaLimit = record(
  {},
  { clamp: choice('row', 'exact', 'norm'), max: choice(1.1, 1.5, 2, 4, infinite), from: choice('auto', 1.05, 1.4) },
  0.6,
);
export const rawOptions = {
  stiffness: field(either(number(0, 1.99), number(0.1, 1))),
  damping: choice(0, 0.02, 0.3, 1),
  bodyDamping: choice(0, 0.1, 1),
  dampingMode: choice('rigid', 'linear'),
  rotation: choice('deformation', 'covariance'),
  inversion: choice('proper', 'proper', 'mirror'),
  mode: choice('rigid', 'linear', 'quadratic'),
  beta: number(0, 1),
  volume: choice('free', 'nearest', 'scaled'),
  areaLimit,
  limit,
  flowRate: choice(0, 0.3, 1, 2),
  flowMode: choice('dissipative', 'dissipative', 'paper'),
  hardening: choice(0, 0.5, -0.5, 10),
};
export const raw = {
  keys: Object.keys(rawOptions),
  make: (random, wild) => record({}, rawOptions, random.pick([0, 0.25, 0.5])).make(random, wild),
};
export const materialOptions = {
  density: field(logarithmic(10, 5000)),
  mass: logarithmic(0.1, 100),
  particleMass: logarithmic(0.01, 10),
  young: field(either(logarithmic(100, 1e7), logarithmic(1e-3, 1e15))),
  poisson: either(number(0, 0.49), choice(0, 0.3, 0.49)),
  dampingRatio: either(number(0, 1), choice(0, 0.1, 10)),
  friction: choice(0, 0.5, 2),
  restitution: number(0, 1),
  yield: field(choice(infinite, 0, 0.02, 0.05, 0.3)),
  flowTime: choice(0, 0.01, 0.1, 1),
  hardening: choice(0, 0.5, 10),
  toughness: field(choice(infinite, 0, 0.05, 0.15, 0.5)),
  raw,
};
const MASSES = ['density', 'mass', 'particleMass'];
const LAW = ['young', 'poisson', 'dampingRatio', 'flowTime', 'hardening'];

/** A body has the elastic law or per-step parameters in `raw`; both in one material are refused, and so are the latter outside of `raw`: each is tried seldom. */
function chooseLaw(options, random, wild) {
  if (random.chance(wild / 2)) return;
  if (random.chance(wild / 2)) Object.assign(options, record({}, rawOptions, 0.1).make(random, wild));
  if (random.chance(0.5)) delete options.raw;
  else {
    options.raw ??= raw.make(random, wild);
    for (const key of LAW) delete options[key];
  }
}
export const hasLaw = (material) => material?.raw === undefined;

export const material = {
  keys: Object.keys(materialOptions),
  make(random, wild) {
    const share = random.pick([0.1, 0.25, 0.5]);
    const options = record({}, materialOptions, share).make(random, wild);
    // Of the three masses one; two are refused.
    const keep = random.pick(MASSES);
    if (!random.chance(wild)) for (const key of MASSES) if (key !== keep) delete options[key];
    chooseLaw(options, random, wild);
    return options;
  },
};
/** While a body runs its mass is fixed. */
export const materialChange = {
  make(random, wild) {
    const options = record({}, materialOptions, 0.2).make(random, wild);
    if (!random.chance(wild)) for (const key of MASSES) delete options[key];
    chooseLaw(options, random, wild);
    return options;
  },
};

// Clusters.
export const clustering = record(
  {},
  {
    algorithm: choice('random', 'kmeans', 'fuzzy'),
    kernel: choice('box', 'poly6', 'blend', 'invsq', 'fcm'),
    beta: number(0, 5),
    epsilon: choice(1e-4, 1e-2, 1),
    m: choice(1.1, 2, 5),
    count: integer(1, 12),
    radius: choice('auto', 'auto', 0.2, 0.4, 1, 5),
    overlap: choice(1, 1.3, 2),
    maxCount: integer(1, 100),
    maxRadius: choice(0.3, 1, 10),
    maxIterations: choice(1, 10, 10_000),
    orphanWeight: choice(0, 1, 5),
    seed,
  },
  0.25,
);
const numbersFor = (n, grammar) => made((random, wild) => Array.from({ length: n }, () => grammar.make(random, wild)));
export const levelWeights = either(
  choice('uniform', { type: 'uniform' }),
  record({ type: choice('linear'), to: choice('coarse', 'fine') }, { epsilon: choice(1, 0.01) }),
  record({ type: choice('gaussian'), to: choice('coarse', 'fine') }),
  record({ type: choice('polynomial'), to: choice('coarse', 'fine') }, { b: number(0, 20), c: number(0, 3) }),
  list(number(0, 2), 1, 3),
);
const levelSettings = {
  weights: levelWeights,
  stiffness: either(numbersFor(1, number(0, 1.9)), numbersFor(2, number(0, 1.9)), numbersFor(3, number(0, 1.9))),
  damping: either(numbersFor(1, number(0, 1)), numbersFor(2, number(0, 1))),
};
export const levelsChange = record({}, levelSettings, 0.4);
export const levels = record(
  {},
  {
    radiusFactor: choice(1.2, 2, 4),
    count: integer(1, 4),
    sums: choice('nested', 'nested', 'particles'),
    of: choice('clusters', 'particles'),
    weights: levelWeights,
    stiffness: levelSettings.stiffness,
    damping: levelSettings.damping,
  },
  0.2,
);
export const contact = record(
  {},
  {
    mode: choice('proxies', 'proxies', 'surface', 'none'),
    self: boolean,
    exits: choice('skin', 'planes'),
    fraction: number(0, 1),
    margin: choice(0, 0.01, 0.1),
    gamma: choice(0, 0.5, 1),
    response: choice('momentum', 'momentum', 'positions'),
    obstacles: choice('points', 'surface'),
  },
  0.25,
);
export const fracture = record(
  {},
  {
    outliers: choice(0.5, 2, infinite),
    length: choice('auto', 0),
    delay: boolean,
    boost: choice(0, 1, 10),
    falloff: choice(0, 10),
    minMembers: integer(1, 8),
    minMass: choice(0, 0.1, 1),
    debris: choice(true, true, false),
    budget: choice(1, 100, 50_000),
    roughness: choice(0, 0.5, 1),
    grain: choice('none', 'x', 'y', 'z'),
  },
  0.25,
);
export const reclustering = record(
  {},
  {
    threshold: choice(1.1, 1.5, 3, infinite),
    fadeOut: choice(1 / 60, 0.08, 0.5),
    fadeIn: choice(1 / 60, 0.07, 0.4),
    minClusters: integer(1, 3),
    space: choice('embedded', 'embedded', 'linear', 'world'),
    iterations: choice(1, 20),
    every: choice(1e-3, 1 / 15, 4 / 15),
    budget: choice(1, 100, 20_000),
    resample: choice(1, 1.5, infinite),
  },
  0.4,
);

/** A list of clusters for so many particles, every particle in one at least. */
function makeClusters(random, particles) {
  const count = random.integer(1, Math.min(4, particles));
  const clusters = Array.from({ length: count }, () => ({ members: [] }));
  for (let i = 0; i < particles; i++)
    for (const c of clusters) if (random.chance(0.6) || c === clusters[i % count]) c.members.push(i);
  return clusters.filter((c) => c.members.length > 0);
}

// Bodies.
const bodyRest = {
  name: choice('a', 'b', '', 'long name with spaces', '\u001b[31mred'),
  material,
  clustering,
  levels,
  contact,
  groups,
  fracture,
  reclustering,
  scale: either(number(0.3, 2), vec3(number(0.3, 2))),
  rotation: quaternion,
  position: place,
  velocity: vec3(number(-5, 5)),
  angularVelocity: vec3(number(-5, 5)),
  stretch: vec3(number(0.3, 3)),
  stretchCentre: place,
};
/** How a built body is added. */
export const addOptions = record(
  {},
  Object.fromEntries(
    ['name', 'groups', 'rotation', 'position', 'velocity', 'angularVelocity', 'stretch', 'stretchCentre'].map((key) => [
      key,
      bodyRest[key],
    ]),
  ),
);
export const bodyKeys = [...Object.keys(bodyRest), 'mesh', 'thickness', 'shape', 'points', 'sampling', 'clusters'];
export const body = {
  keys: bodyKeys,
  make(random, wild) {
    const options = record({}, bodyRest, random.pick([0.1, 0.3, 0.5])).make(random, wild);
    const kind = random.weighted({ shape: 5, points: 2, mesh: 2.5 });
    const { points, mesh } = { points: makePoints(random), mesh: makeMesh(random) };
    if (kind === 'points') options.points = points;
    else {
      options.sampling = sampling.make(random, wild);
      // A spacing in a shape of any size makes any number of particles.
      options[kind] = kind === 'mesh' ? mesh : shape.make(random, options.sampling?.spacing === undefined ? wild : 0);
    }
    if (kind === 'points' && random.chance(0.2)) {
      delete options.clustering;
      options.clusters = makeClusters(random, points.length / 3);
    }
    // Densities want a volume, surfaces a mesh: elsewhere they are refused, which is tried seldom.
    if (kind === 'points' && !random.chance(0.1)) delete options.material?.density;
    if (kind !== 'mesh' && options.contact?.mode === 'surface' && !random.chance(0.1)) delete options.contact.mode;
    if (options.material === undefined && random.chance(0.4)) options.material = material.make(random, wild);
    const lawful = hasLaw(options.material);
    // Levels and the elastic law exclude each other.
    if (lawful && !random.chance(0.1)) delete options.levels;
    // A closed mesh with a thickness is refused, and so is another geometry.
    if (random.chance(kind === 'mesh' ? 0.25 : 0.02)) options.thickness = number(0.002, 0.2).make(random, wild);
    if (kind === 'mesh' && random.chance(0.15)) {
      const paint = (make) => ({ vertices: mesh.positions.filter((_, k) => k % 3 === 0).map(make) });
      const painted = lawful
        ? { young: paint(() => random.logarithmic(1e3, 1e6)) }
        : { raw: { ...options.material.raw, stiffness: paint(() => random.number(0.1, 1)) } };
      options.material = { ...options.material, ...painted };
    }
    if (random.chance(wild)) options[random.pick(bodyKeys)] = random.pick([{ $: 'undefined' }, null, [], {}, 1]);
    return options;
  },
};

// Options of the things that act on bodies: colliders, clamps, force fields, picks.
export const regions = {
  halfspace: record({ type: choice('halfspace'), normal: direction, offset: number(-1, 1) }),
  box: record({ type: choice('box'), min: vec3(number(-2, 0)), max: vec3(number(0, 2)) }),
  sphere: record({ type: choice('sphere'), centre: place, radius: number(0.1, 2) }),
};
const region = either(...Object.values(regions));
const bodies = list(reference('body'), 0, 2);
const keyframe = made((random, wild) => ({
  ...record({}, { position: place, rotation: quaternion }, 0.6).make(random, wild),
}));
const keyframes = made((random, wild) => {
  let time = 0;
  return Array.from({ length: random.integer(1, 4) }, () => ({
    time: (time = Number((time + random.number(0.05, 0.5)).toFixed(2))),
    ...keyframe.make(random, wild),
  }));
});
const motion = { velocity: vec3(number(-3, 3)), angularVelocity: vec3(number(-5, 5)), keyframes, loop: boolean };
const colliderCommon = {
  friction: choice(0, 0.5, 3),
  restitution: number(0, 1),
  lifetime: choice(0, 0.2, infinite),
  law: choice('coulomb', 'coulomb', 'research'),
  except: reference('clamp'),
  groups,
  ...motion,
};
const colliderOf = (type, needed, others = {}) =>
  record({ type: choice(type), ...needed }, { ...colliderCommon, ...others }, 0.15);
export const colliders = {
  plane: colliderOf('plane', { normal: direction }, { offset: number(-1, 0.5), position: place }),
  sphere: colliderOf(
    'sphere',
    { centre: place, radius: number(0, 0.7) },
    { momentumScale: number(-1, 1), exitSpeed: choice(1, 2, infinite) },
  ),
  cylinder: colliderOf('cylinder', { axis: direction, point: place, radius: number(0, 0.5) }),
  box: colliderOf('box', { size: vec3(number(0, 1)) }, { position: place, rotation: quaternion }),
  capsule: colliderOf('capsule', { from: place, to: place, radius: number(0, 0.5) }),
  mesh: colliderOf(
    'mesh',
    { mesh: made(makeMesh) },
    { scale: either(number(0.3, 2), vec3(number(0.3, 2))), position: place, rotation: quaternion },
  ),
};
export const collider = either(...Object.values(colliders));
export const clamp = record(
  { region },
  {
    bodies,
    velocity: vec3(number(-2, 2)),
    angularVelocity: vec3(number(-5, 5)),
    centre: place,
    lifetime: choice(0, 0.1, 0.5, infinite),
    drive: choice('position', 'velocity'),
    firm: boolean,
    release: boolean,
    by: choice('rest', 'now'),
  },
);
const fieldCommon = { as: choice('force', 'acceleration'), region, bodies, lifetime: choice(0, 0.3, infinite) };
const fieldOf = (type, needed, others = {}) => record({ type: choice(type), ...needed }, { ...fieldCommon, ...others });
export const forceFields = {
  uniform: fieldOf('uniform', { vector: vec3(number(-30, 30)) }),
  linear: fieldOf('linear', { scale: vec3(number(-30, 30)) }, { centre: place }),
  radial: fieldOf(
    'radial',
    { strength: number(-30, 30) },
    { centre: place, radius: number(0.1, 2), falloff: number(0, 3) },
  ),
  vortex: fieldOf(
    'vortex',
    { axis: direction, strength: number(-30, 30) },
    { centre: place, radius: number(0.1, 2), falloff: number(0, 3) },
  ),
  drag: fieldOf('drag', { rate: logarithmic(0.1, 1e4) }, { velocity: vec3(number(-5, 5)) }),
  custom: fieldOf('custom', { at: callback('swirl', 'huge', 'lost', 'nothing') }),
};
export const forceField = either(...Object.values(forceFields));
const pickRest = {
  target: place,
  stiffness: logarithmic(1, 1e6),
  damping: choice(0, 0.3, 1, 5),
  maxAcceleration: choice(1, 500, 1e12),
  radius: logarithmic(0.01, 2),
};
export const picks = [
  record({ body: reference('body'), point: place }, pickRest),
  record(
    { body: reference('body'), particle: { make: (random) => ({ $: 'particle', n: random.integer(0, 500) }) } },
    pickRest,
  ),
];
export const pick = either(...picks);
export const cutPlane = record({ point: vec3(number(-0.6, 0.6)), normal: direction });
export const cutBlade = record({
  blade: made((random) => {
    // A flat quadrangle across one axis.
    const [axis, at, half] = [random.integer(0, 2), random.number(-0.4, 0.4), random.number(0.1, 1)];
    const shift = [random.number(-0.5, 0.5), random.number(-0.5, 0.5)];
    return [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
    ].map(([u, v]) => {
      const corner = [u + shift[0], v + shift[1]];
      corner.splice(axis, 0, at);
      return corner;
    });
  }),
});
export const cut = either(cutPlane, cutPlane, cutBlade);
const queryCommon = { bodies: either(bodies, callback('all', 'none')), includeDisabled: boolean, filter: groups };
export const query = record({}, { ...queryCommon, obstacles: boolean });
export const nearest = record({}, { ...queryCommon, maxDistance: choice(0, 1, infinite) });
export const reach = record({}, { ...queryCommon, maxDistance: choice(0, 1, infinite), obstacles: boolean });
const DRAWN = ['bounds', 'links', 'clusters', 'proxies', 'colliders', 'clamps', 'picks', 'contacts'];
export const debugDraw = record({}, Object.fromEntries(DRAWN.map((key) => [key, boolean])));
export const pose = record({}, { position: place, rotation: quaternion }, 0.7);
export const rigidVelocity = record({}, { linear: vec3(number(-5, 5)), angular: vec3(number(-5, 5)) }, 0.7);
export { direction, place, quaternion };
