import type { BodyOptions } from '../../body/options.js';
import type { WorldEvent } from '../../events.js';
import type { Backend } from '../../kernels/kernels.js';
import { boxMesh } from '../../mesh/testing/meshes.js';
import type { WorldOptions } from '../../world/options.js';
import { World } from '../../world.js';

export const BLOCK: BodyOptions = {
  shape: { type: 'box', size: [0.4, 0.3, 0.4] },
  sampling: { spacing: 0.1, method: 'grid' },
  clustering: { count: 4 },
  material: { raw: { damping: 0.3 } },
};
export const BAR: BodyOptions = {
  shape: { type: 'box', size: [1.6, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 20 },
  material: { raw: { rotation: 'covariance', stiffness: 0.8, damping: 0.1 } },
};

export async function newWorld(backend: Backend, options: WorldOptions = {}): Promise<World> {
  return World.create({ backend, ...options });
}

/** Pulls a bar's ends apart, half a metre a second each. */
export function pullApart(world: World, lifetime: number): void {
  for (const side of [1, -1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.6 },
      velocity: [0.5 * side, 0, 0],
      lifetime,
    });
}

export type Scene = [
  name: string,
  steps: number,
  more: number,
  make: (backend: Backend) => Promise<World>,
  /** Events that must occur after the snapshot; otherwise the scene does not do what its name says. */
  tells: WorldEvent['type'][],
];

/** Scenes with the number of steps to the snapshot and from it to the end. The name says what happens. */
export const SCENES: Scene[] = [
  [
    'blocks that fall onto each other and go to sleep, moving obstacles',
    70,
    60,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      world.addCollider({ type: 'sphere', centre: [-2, 0.2, 0], radius: 0.2, velocity: [1, 0, 0] });
      world.addCollider({
        type: 'box',
        size: [0.2, 0.2, 0.2],
        position: [3, 0.3, 0],
        keyframes: [{ time: 0 }, { time: 2, position: [0, 0.3, 0] }],
      });
      world.addForceField({
        type: 'vortex',
        axis: [0, 1, 0],
        strength: 1,
        bodies: [world.addBody({ ...BLOCK, position: [1.2, 0.5, 0] })],
      });
      for (let n = 0; n < 2; n++) world.addBody({ ...BLOCK, position: [0.05 * n, 0.2 + 0.35 * n, 0] });
      return world;
    },
    ['touch'],
  ],
  [
    'a bar that breaks',
    30,
    45,
    async (backend) => {
      const world = await newWorld(backend, { gravity: [0, -2, 0] });
      world.addBody({ ...BAR, material: { ...BAR.material, toughness: 0.1 } });
      pullApart(world, 1);
      return world;
    },
    ['fracture', 'release'],
  ],
  [
    'a bar that flows and is reclustered, with levels above',
    40,
    45,
    async (backend) => {
      const world = await newWorld(backend, { gravity: [0, 0, 0] });
      world.addBody({
        ...BAR,
        levels: { count: 2 },
        material: { yield: 0.03, raw: { ...BAR.material?.raw, limit: { gamma: 0.5 } } },
        reclustering: { threshold: 1.3, every: 4 / 60 },
      });
      pullApart(world, 1.2);
      return world;
    },
    ['recluster', 'release'],
  ],
  [
    'quadratic goals',
    20,
    30,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.6 });
      world.addBody({
        ...BAR,
        clustering: { count: 3 },
        material: { raw: { mode: 'quadratic' } },
        angularVelocity: [0, 0, 3],
      });
      return world;
    },
    [],
  ],
  [
    'bodies that meet by their surfaces, one asleep',
    60,
    40,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      const box = (y: number): BodyOptions => ({
        mesh: boxMesh([0.5, 0.3, 0.5]),
        sampling: { spacing: 0.1, method: 'grid' },
        clustering: { count: 3 },
        position: [0, y, 0],
        contact: { mode: 'surface' },
        material: { raw: {} },
      });
      world.addBody(box(0.16)).sleep();
      world.addBody(box(1.4));
      return world;
    },
    ['touch'],
  ],
];

/**
 * Scenes whose bodies are also shown, cut, held and separated before the snapshot: events that another world has not
 * seen.
 */
export const MORE_SCENES: Scene[] = [
  [
    'a bar that broke, was taken apart and is held by a hand, a collider that was added on the way',
    70,
    30,
    async (backend) => {
      const world = await newWorld(backend, { gravity: [0, -2, 0], sleepAfter: 0.2 });
      const bar = world.addBody({ ...BAR, material: { ...BAR.material, toughness: 0.1 } });
      pullApart(world, 0.5);
      for (let n = 0; n < 60; n++) world.step();
      const pieces = world.separate(bar);
      world.addPick({ body: pieces.at(-1)!, particle: 0, target: [1, 1, 0] });
      world.addCollider({
        type: 'capsule',
        from: [-1, -1, -1],
        to: [1, -1, 1],
        radius: 0.2,
        angularVelocity: [0, 1, 0],
      });
      world.addCollider({ type: 'mesh', mesh: boxMesh([4, 0.2, 4]), position: [0, -1.5, 0] }).moveTo([0, -1.4, 0]);
      world.addForceField({ type: 'drag', rate: 0.3, region: { type: 'box', min: [-9, -9, -9], max: [9, 9, 9] } });
      world.removeBody(world.addBody({ ...BLOCK, position: [9, 0, 0] }));
      return world;
    },
    [],
  ],
  [
    'a shown block that was cut in two, one part through a clamp that others may not pass',
    20,
    30,
    async (backend) => {
      const world = await newWorld(backend);
      const block = world.addBody({ ...BLOCK, sampling: { spacing: 0.05, method: 'grid' }, clustering: { count: 8 } });
      block.getSkin().update();
      const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.12 } });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.3, except: clamp });
      world.cut(block, { point: [0.02, 0, 0], normal: [1, 0, 0] });
      for (const body of world.bodies) body.getSkin().update();
      return world;
    },
    [],
  ],
  [
    'levels that have lists of particles of their own',
    20,
    20,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.3 });
      world.addBody({ ...BAR, levels: { count: 2, sums: 'particles' } });
      return world;
    },
    [],
  ],
];
