import type { MeshShape } from 'pliant';
import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';
import { boxScene, memory } from './testing/memory.js';

/** A tetrahedron. */
const TETRA = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

const build = async (scene: object, files: Record<string, unknown> = {}) =>
  buildWorld(await loadScene('scenes/x.json', memory({ 'scenes/x.json': boxScene(scene), ...files })), {
    backend: 'ts',
  });

test('every type of obstacle, placed and moving, is in the world', async () => {
  const { world, colliders, warnings } = await build(
    {
      colliders: [
        { type: 'plane', normal: [0, 1, 0], position: [0, -3, 0], angularVelocity: [0, 0, 1] },
        { type: 'box', size: [1, 0, 2], position: [5, 0, 0], rotation: { axis: [0, 0, 2], degrees: 90 } },
        { type: 'capsule', from: [9, 0, 0], to: [9, 2, 0], radius: 0.5, velocity: [0, 0, 1] },
        { type: 'mesh', file: 'meshes/t.obj', scale: 2, position: [0, 9, 0] },
        {
          type: 'sphere',
          centre: [0, -9, 0],
          radius: 1,
          keyframes: [{ time: 0 }, { time: 1, position: [0, -5, 0], rotation: { axis: [0, 1, 0], degrees: 180 } }],
          loop: true,
        },
      ],
    },
    { 'scenes/meshes/t.obj': TETRA },
  );
  expect(world.colliders.map((c) => c.type)).toEqual(['plane', 'box', 'capsule', 'mesh', 'sphere']);
  expect(warnings).toEqual([]);
  const half = Math.SQRT1_2;
  expect(colliders.get('colliders[1]')?.rotation).toEqual([0, 0, expect.closeTo(half, 12), expect.closeTo(half, 12)]);
  expect(colliders.get('colliders[2]')?.position).toEqual([9, 1, 0]);
  const mesh = colliders.get('colliders[3]')?.shape as MeshShape;
  expect(Array.from(mesh.bounds)).toEqual([0, 0, 0, 2, 2, 2]);
  for (let n = 0; n < 30; n++) world.step();
  expect(colliders.get('colliders[4]')?.position[1]).toBeCloseTo(-7, 6);
});

test('groups of bodies and obstacles are those of the file, and copies have those of their body', async () => {
  const { world } = await build({
    bodies: [
      {
        geometry: { type: 'box', size: [1, 1, 1] },
        sampling: { count: 8 },
        groups: { membership: 2, filter: 4294967293 },
        copies: [{ position: [9, 0, 0] }],
      },
    ],
    colliders: [{ type: 'plane', normal: [0, 1, 0], groups: { filter: 2 } }],
  });
  const groups = { membership: 2, filter: 4294967293 };
  expect(world.bodies.map((body) => body.groups)).toEqual([groups, groups]);
  expect(world.colliders[0].groups).toEqual({ membership: 4294967295, filter: 2 });
  await expect(build({ colliders: [{ type: 'plane', normal: [0, 1, 0], groups: { filter: -1 } }] })).rejects.toThrow(
    'colliders[0].groups.filter is -1; expected an integer in [0, 4294967295]',
  );
});

test('an open mesh is told of, a missing and an empty one are refused, under the names of the scene', async () => {
  const scene = { colliders: [{ type: 'mesh', file: 't.obj', position: [0, 9, 0] }] };
  const open = await build(scene, { 'scenes/t.obj': TETRA.replace('f 2 3 4\n', '') });
  expect(open.warnings.join()).toMatch(/^colliders\[0\]\.mesh is open \(3 boundary edges\)/);
  await expect(build(scene)).rejects.toThrow(/^scenes\/x\.json: colliders\[0\]\.file/);
  await expect(build(scene, { 'scenes/t.obj': 'v 0 0 0\nv 1 0 0\n' })).rejects.toThrow(/colliders\[0\]|t\.obj/);
});

test('picks hold places of bodies, and are refused by name where there is no such body', async () => {
  const picks = [
    { name: 'hand', point: [0.4, 0.4, 0.4], target: [0.4, 0.6, 0.4], stiffness: 60, radius: 0.3 },
    { body: 'body 1', point: [-0.4, 0.4, -0.4] },
  ];
  const { world, picks: built } = await build({ picks });
  expect([...built.keys()]).toEqual(['picks[0]', 'picks[1]']);
  expect(built.get('picks[0]')!.target).toEqual([0.4, 0.6, 0.4]);
  for (let n = 0; n < 120; n++) world.step();
  // Both ends are held, so that the box does not fall.
  expect(world.measure().com[1]).toBeGreaterThan(-0.3);
  world.dispose();
  await expect(build({ picks: [{ body: 'ball', point: [0, 0, 0] }] })).rejects.toThrow(
    /picks\[0\]\.body is "ball"; expected one of "body 1"/,
  );
  await expect(build({ picks: [{ point: [0, 0, 0], stiffness: -1 }] })).rejects.toThrow(
    /picks\[0\]\.stiffness is -1; expected a number above 0/,
  );
});

test('force fields act on the bodies that they name', async () => {
  const bodies = ['left', 'right'].map((name, k) => ({
    name,
    geometry: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', count: 27 },
    position: [4 * k, 0, 0],
  }));
  const {
    world,
    bodies: built,
    forceFields,
  } = await build({
    bodies,
    gravity: [0, 0, 0],
    forceFields: [
      { type: 'uniform', vector: [0, 6, 0], bodies: ['right'] },
      { type: 'linear', scale: [-1, 0, 0], centre: [2, 0, 0], as: 'force' },
      { type: 'radial', strength: 0, centre: [0, 0, 0] },
      { type: 'vortex', strength: 0, axis: [0, 1, 0], falloff: 1 },
      { type: 'drag', rate: 0, region: { type: 'sphere', centre: [0, 0, 0], radius: 1 }, lifetime: 1 },
    ],
  });
  expect([...forceFields.values()].map((f) => f.type)).toEqual(['uniform', 'linear', 'radial', 'vortex', 'drag']);
  world.step();
  const [left, right] = built.map((body) => world.measure(body).momentum);
  expect(Math.abs(left[1])).toBeLessThan(1e-15);
  expect(right[1] / world.measure(built[1]).mass).toBeCloseTo(0.1, 6);
  // Each of 27 particles is drawn by 1 N/m over 2 m for 1/60 s.
  expect(left[0]).toBeCloseTo((27 * 2) / 60, 3);
  expect(right[0]).toBeCloseTo((-27 * 2) / 60, 3);
});

test.each([
  [{ colliders: [{ type: 'box', size: [1, -1, 1] }] }, 'colliders[0].size[1] is -1; expected a number of at least 0.'],
  [
    { colliders: [{ type: 'capsule', from: [0, 0, 0], radius: 1 }] },
    'colliders[0].to is missing; expected three numbers.',
  ],
  [
    { colliders: [{ type: 'sphere', centre: [0, 0, 0], radius: 1, keyframes: [{ time: 1 }, { time: 0.5 }] }] },
    'colliders[0].keyframes[1].time is 0.5; expected a time after 1, the one before.',
  ],
  [
    { forceFields: [{ type: 'wind' }] },
    'forceFields[0].type is "wind"; expected one of "uniform", "linear", "radial", "vortex", "drag".',
  ],
  [
    { forceFields: [{ type: 'drag', rate: 1, bodies: ['x'] }] },
    'forceFields[0].bodies[0] is "x"; expected one of "body 1".',
  ],
])('%o is refused by name', async (scene, message) => {
  await expect(build(scene)).rejects.toThrow(message);
});
