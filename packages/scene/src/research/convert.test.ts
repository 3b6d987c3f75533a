import { expect, test } from 'vitest';
import { buildWorld } from '../buildWorld.js';
import { loadScene } from '../loadScene.js';
import { gridFile, memory } from '../testing/memory.js';

const CUBE = gridFile(4, 0.25);
const PATH = 'work/inputFiles/sub/x.json';
const load = (fields: object, files: Record<string, unknown> = { 'work/inputFiles/cube.txt': CUBE }) =>
  loadScene(PATH, memory({ [PATH]: { particleFiles: ['inputFiles/cube.txt'], ...fields }, ...files }));
/** Switches off what is on by default and not there yet, so that only what a test asks for is told. */
const PLAIN = { fracture: 'off', selfCollisions: 'off' };

test('what a research scene leaves out is as in the original', async () => {
  const scene = await load(PLAIN);
  expect(scene).toMatchObject({ format: 'research', gravity: [0, -9.81, 0], dt: 1 / 60, warnings: [] });
  const { name, material, clustering, stretch } = scene.bodies[0].options;
  expect(name).toBe('cube');
  expect(stretch).toEqual([1, 1, 1]);
  expect(material).toEqual({
    particleMass: 0.1,
    friction: 0,
    restitution: 0,
    raw: {
      stiffness: 1,
      damping: 0,
      dampingMode: 'linear',
      rotation: 'deformation',
      inversion: 'mirror',
      limit: { mode: 'paper', gamma: 0.1, omega: 1, iterations: 5 },
    },
  });
  expect(clustering).toEqual({ algorithm: 'fuzzy', kernel: 'invsq', count: 1, radius: 0.1, orphanWeight: 1 });
});

test('its fields are read into ours; gamma comes before maxStretch', async () => {
  const fields = {
    alpha: 1.9,
    omega: 0.3,
    numConstraintIters: 8,
    maxStretch: 0.5,
    gamma: 0.2,
    springDamping: 0.4,
    mass: 0.01,
  };
  const clusters = {
    nClusters: 7,
    nClustersMax: 3,
    neighborRadius: 0.4,
    neighborRadiusMax: 0.9,
    clusterItersMax: 50,
    blackhole: 0,
  };
  const kernel = { clusteringAlgorithm: 1, clusterKernel: 3, kernelWeight: 5 };
  const { options } = (await load({ ...PLAIN, ...fields, ...clusters, ...kernel, initialStretch: [2, 1, 1] }))
    .bodies[0];
  expect(options.material).toMatchObject({
    particleMass: 0.01,
    raw: { stiffness: 1.9, damping: 0.4, limit: { gamma: 0.2, omega: 0.3, iterations: 8 } },
  });
  expect(options.clustering).toEqual({
    ...{ algorithm: 'kmeans', kernel: 'blend', beta: 5, count: 7, maxCount: 7, radius: 0.4, maxRadius: 0.9 },
    ...{ maxIterations: 50, orphanWeight: 0 },
  });
  expect(options.stretch).toEqual([2, 1, 1]);
  const random = (await load({ ...PLAIN, clusteringAlgorithm: 2, clusterKernel: 0 })).bodies[0].options.clustering;
  expect(random).toMatchObject({ algorithm: 'random', kernel: 'box' });
});

test('with a flow rate bodies yield, at 0 unless it is said where; without one they do not', async () => {
  const material = async (fields: object) => (await load({ ...PLAIN, ...fields })).bodies[0].options.material;
  expect(await material({ nu: 10 })).toMatchObject({
    yield: 0,
    raw: { flowRate: 10, flowMode: 'paper', hardening: 0 },
  });
  expect(await material({ nu: 1, yield: 0.2, hardening: -0.05 })).toMatchObject({
    yield: 0.2,
    raw: { flowRate: 1, hardening: -0.05 },
  });
  for (const fields of [{ yield: 0.2, hardening: 1 }, { nu: 0, yield: 0.2 }, { nu: -1 }])
    expect(await material(fields)).not.toHaveProperty('yield');
});

test('contact is on unless it is "off", with planes at the distance given and γ of the penetration taken away', async () => {
  const contact = async (fields: object) => (await load({ fracture: 'off', ...fields })).bodies[0].options.contact;
  const on = { mode: 'proxies', self: true, exits: 'planes', fraction: 0.5, gamma: 0.5, response: 'positions' };
  expect(await contact({})).toEqual(on);
  expect(await contact({ selfCollisions: false })).toEqual(on);
  expect(await contact({ collisionGeometryThreshold: 0.2, collisionRestitution: 1 })).toEqual({
    ...on,
    fraction: 0.2,
    gamma: 1,
  });
  expect(await contact({ selfCollisions: 'off', collisionRestitution: 0.3 })).toEqual({ mode: 'none' });
});

test('obstacles and clamps come in the order in which the original applies them', async () => {
  const { actors } = await load({
    ...PLAIN,
    cylinders: [{ normal: [0, 0, 2], supportPoint: [1, 2, 3], radius: 0.3 }],
    projectiles: [{ start: [0, 0, -1], velocity: [0, 0, 0.3], radius: 0.1, momentumScale: 10 }],
    constraintPlanes: [{ x: -0.2 }],
    tiltingPlanes: [{ normal: [1, 0, 0], tilt: [0, 0, 2], offset: 0.3, angularVelocity: 0.5, width: 1 }],
    twistingPlanes: [{ normal: [-2, 0, 0], offset: 0.3, angularVelocity: 0.4, width: 1, lifetime: 10 }],
    movingPlanes: [{ normal: [0, 2, 0], offset: 0.3, velocity: 0.1 }],
    planes: [[1, 1, 0, -2]],
  });
  const clamp = { drive: 'velocity', firm: false };
  const region = (normal: number[], offset: number) => ({ type: 'halfspace', normal, offset });
  expect(actors).toMatchObject([
    {
      kind: 'collider',
      path: 'planes[0]',
      options: { type: 'plane', normal: [1, 1, 0], offset: -2, law: 'research' },
    },
    {
      kind: 'clamp',
      path: 'movingPlanes[0]',
      options: { ...clamp, region: region([0, 1, 0], 0.3), velocity: [0, 0.1, 0], release: false },
    },
    {
      kind: 'collider',
      except: 'movingPlanes[0]',
      options: { type: 'plane', normal: [-0, -1, -0], offset: -0.3, velocity: [0, 0.1, 0], law: 'research' },
    },
    {
      kind: 'clamp',
      path: 'twistingPlanes[0]',
      options: {
        ...clamp,
        region: region([-1, 0, 0], 0.3),
        angularVelocity: [-0.4, 0, 0],
        lifetime: 10,
        release: true,
      },
    },
    {
      kind: 'clamp',
      path: 'tiltingPlanes[0]',
      options: { ...clamp, region: region([1, 0, 0], 0.3), angularVelocity: [0, 0, 0.5], centre: [0.3, 0, 0] },
    },
    {
      kind: 'clamp',
      path: 'constraintPlanes[0]',
      options: { drive: 'position', firm: false, region: region([-1, 0, 0], 0.2) },
    },
    {
      kind: 'collider',
      path: 'projectiles[0]',
      options: { type: 'sphere', centre: [0, 0, -1], momentumScale: 10, law: 'research' },
    },
    {
      kind: 'collider',
      path: 'cylinders[0]',
      options: { type: 'cylinder', axis: [0, 0, 1], point: [1, 2, 3], law: 'research' },
    },
  ]);
});

test('fracture is read, and only the text "off" switches it off', async () => {
  const options = async (fields: object) => (await load(fields)).bodies[0].options;
  const broken = await options({
    toughness: 0.12,
    toughnessBoost: 3,
    toughnessFalloff: 4,
    delayRepeatedFracture: 'off',
  });
  expect(broken.material?.toughness).toBe(0.12);
  expect(broken.fracture).toEqual({ boost: 3, falloff: 4, delay: false, outliers: 2, minMass: 1e-4 });
  expect((await options({ fracture: false, toughness: 1 })).material?.toughness).toBe(1);
  expect((await options({ fracture: 'off', toughness: 1 })).material?.toughness).toBeUndefined();
  expect((await options({})).material?.toughness).toBe(Number.POSITIVE_INFINITY);
});

test('clusters are replaced by the fields of section 7, at every step; a negative threshold is none', async () => {
  const options = async (fields: object) => (await load({ ...PLAIN, ...fields })).bodies[0].options.reclustering;
  expect(await options({ clusterFpThreshold: 1.5, clusterFadeIn: 20, minClusters: 2 })).toEqual({
    threshold: 1.5,
    fadeIn: 20 / 60,
    fadeOut: 30 / 60,
    minClusters: 2,
    every: 1 / 60,
  });
  expect(await options({ clusterFpThreshold: -1, clusterFadeIn: 20 })).toEqual({});
});

test('what is odd is told by field and value, and only that', async () => {
  const warnings = async (fields: object) => (await load(fields)).warnings;
  expect(await warnings({ ...PLAIN, toughness: 0.1, nu: 0, yield: 3, minClusters: undefined })).toEqual([]);
  expect(await warnings({ selfCollisions: 'off' })).toEqual([]);
  expect(await warnings({ ...PLAIN, nu: 10, hardening: 0.05 })).toEqual([]);
  expect(await warnings({ toughness: 0.12, toughnessBoost: 3, outlierThreshold: 4 })).toEqual([]);
  expect(await warnings({ ...PLAIN, clusterFpThreshold: 1.25, minClusters: [2] })).toEqual([
    'minClusters is [2], which is not a number (the original refuses it): 1 is used.',
  ]);
  expect(await warnings({ ...PLAIN, clusterFpThreshold: -1, clusterFadeIn: 20 })).toEqual([]);
  expect(
    await warnings({ ...PLAIN, 'kernel weight': 2, planes: [], movingPlanes: [{ normal: [1, 0, 0], speed: 3 }] }),
  ).toEqual([
    'movingPlanes[0].speed is not a field of a research scene: ignored.',
    'kernel weight is not a field of a research scene: ignored.',
  ]);
  expect(await warnings({ ...PLAIN, gravity: [0, 1] })).toEqual([
    'gravity is [0,1], not three numbers: ignored, as in the original; it stays 0, -9.81, 0.',
  ]);
});

test.each([
  [{ alpha: 2 }, 'alpha is 2; expected a number in [0, 2).'],
  [{ nu: 1, yield: -0.1 }, 'yield is -0.1; expected a number of at least 0.'],
  [{ alpha: '1' }, 'alpha is "1"; expected a finite number.'],
  [{ collisionRestitution: 1.5 }, 'collisionRestitution is 1.5; expected a number in [0, 1].'],
  [{ nClusters: 1.5 }, 'nClusters is 1.5; expected an integer.'],
  [{ clusteringAlgorithm: 3 }, 'clusteringAlgorithm is 3; expected 0 (fuzzy), 1 (k-means) or 2 (random).'],
  [{ clusterKernel: -1 }, 'clusterKernel is -1; expected 0 (1/r²), 1 (constant), 2 (poly6), 3 (blend) or 4 (fcm).'],
  [{ planes: [[0, 0, 0, 1]] }, 'planes[0] has the normal 0, 0, 0; expected a direction of non-zero length.'],
  [{ planes: [[0, 1, 0]] }, 'planes[0] is not four finite numbers; expected [nx, ny, nz, w].'],
  [{ movingPlanes: [{ offset: 1 }] }, 'movingPlanes[0].normal is undefined; expected three finite numbers.'],
  [{ twistingPlanes: [3] }, 'twistingPlanes[0] is 3; expected an object.'],
  [{ particleFiles: [] }, 'particleFiles and movingParticleFiles are empty; expected at least one file.'],
  [{ planes: Array.from({ length: 10_001 }, () => [0, 1, 0, 0]) }, 'planes has 10001 entries; expected at most 10000.'],
  [{ particleFiles: [3] }, 'particleFiles[0] is 3; expected the name of a file.'],
  [
    { movingParticleFiles: [{ offset: [0, 0, 0] }] },
    'movingParticleFiles[0].filename is undefined; expected the name of a file.',
  ],
])('case %#: %s is refused by name', async (fields, message) => {
  await expect(load(fields)).rejects.toThrow(`${PATH}: ${message}`);
});

test('particle files are looked for above inputFiles and beside the scene; from where we are, if they may be outside', async () => {
  const places = ['work/inputFiles/cube.txt', 'work/inputFiles/sub/inputFiles/cube.txt', 'inputFiles/cube.txt'];
  const anywhere = (files: Record<string, unknown>) =>
    loadScene(PATH, memory({ [PATH]: { particleFiles: ['inputFiles/cube.txt'], ...PLAIN }, ...files }), {
      allowOutside: true,
    });
  for (const place of places) expect((await anywhere({ [place]: CUBE })).bodies[0].source).toBe(place);
  for (const place of places.slice(0, 2)) expect((await load(PLAIN, { [place]: CUBE })).bodies[0].source).toBe(place);
  await expect(load(PLAIN, { [places[2]]: CUBE })).rejects.toThrow(
    `${PATH}: particleFiles[0]: cannot read ${places[0]} (not found), nor ${places[1]} (not found).`,
  );
  await expect(anywhere({})).rejects.toThrow(
    `${PATH}: particleFiles[0]: cannot read ${places[0]} (not found), nor ${places[1]} (not found), nor ${places[2]} (not found).`,
  );
});

test('moving particle files are scaled, placed and set in motion; a name used twice is numbered', async () => {
  const again = { filename: 'inputFiles/cube.txt', offset: [0, 2, 0], velocity: [0, -1, 0], scale: 0.5 };
  const scene = await load({ ...PLAIN, neighborRadius: 2, movingParticleFiles: [again] });
  const { bodies, world } = await buildWorld(scene, { backend: 'ts' });
  expect(bodies.map((b) => b.name)).toEqual(['cube', 'cube 2']);
  const { com, bboxMin, bboxMax, momentum } = world.measure(bodies[1]);
  expect(com[1]).toBeCloseTo(2);
  expect(bboxMax[0] - bboxMin[0]).toBeCloseTo(0.375);
  expect(momentum[1]).toBeCloseTo(-6.4);
});

test('a clamp that holds nothing is left out with a warning, and its plane is an obstacle for all', async () => {
  const scene = await load({ ...PLAIN, neighborRadius: 2, movingPlanes: [{ normal: [1, 0, 0], offset: 9 }] });
  const { world, warnings } = await buildWorld(scene, { backend: 'ts' });
  expect(warnings).toContain('movingPlanes[0] holds no particle: left out.');
  expect(world.clamps).toHaveLength(0);
  expect(world.colliders).toHaveLength(1);
});
