import { type BodyOptions, buildBody, hashSnapshot, saveBody, World } from 'pliant';
import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';
import { sameBuild } from './sameBuild.js';
import { boxScene, memory } from './testing/memory.js';

const PLACES = [
  { position: [0, 1, 0] },
  { position: [3, 1, 0], rotation: { axis: [1, 2, 3], degrees: 40 }, velocity: [0, 1, 0] },
  { position: [6, 1, 0], angularVelocity: [0, 0, 2] },
];
const load = (scene: unknown, files = {}) => loadScene('x.json', memory({ 'x.json': scene, ...files }));

test('equal bodies are built once, with the bits of building each', async () => {
  const scene = await load(boxScene({}, { ...PLACES[0], copies: PLACES.slice(1), stretch: [1.1, 1, 1] }));
  const { world } = await buildWorld(scene, { backend: 'ts' });
  const each = await World.create({ backend: 'ts', gravity: scene.gravity });
  for (const { options } of scene.bodies) each.addBody(options);
  for (const one of [world, each]) for (let k = 0; k < 3; k++) one.step();
  expect(hashSnapshot(world.snapshot())).toBe(hashSnapshot(each.snapshot()));
  // The clusters were found once: their lists are the same objects.
  expect(world.bodies[2].clustering.particle).toBe(world.bodies[0].clustering.particle);
  expect(each.bodies[2].clustering.particle).not.toBe(each.bodies[0].clustering.particle);
});

test('progress of shared builds never falls, and ends at 1; a signal cancels between copies', async () => {
  const scene = await load(boxScene({}, { copies: PLACES }));
  const seen: number[] = [];
  await buildWorld(scene, { backend: 'ts', watch: { onProgress: ({ done }) => void seen.push(done) } });
  expect(seen.at(-1)).toBe(1);
  for (let k = 1; k < seen.length; k++) expect(seen[k]).toBeGreaterThanOrEqual(seen[k - 1]);
  const signal = { aborted: false };
  const watch = { signal, onProgress: ({ body }: { body: number }) => void (signal.aborted = body === 1) };
  await expect(buildWorld(scene, { backend: 'ts', watch })).rejects.toMatchObject({ code: 'cancelled' });
});

test('bodies that differ in more than their place are not the same', () => {
  const body: BodyOptions = { shape: { type: 'box', size: [1, 2, 3] }, sampling: { count: 50 }, name: 'a' };
  expect(sameBuild(body, { ...body, name: 'b', position: [1, 2, 3], groups: { filter: 3 } })).toBe(true);
  expect(sameBuild(body, { ...body, shape: { type: 'box', size: [1, 2, 3] }, material: undefined })).toBe(true);
  expect(sameBuild(body, { ...body, shape: { type: 'box', size: [1, 2, 4] } })).toBe(false);
  expect(sameBuild(body, { ...body, scale: 2 })).toBe(false);
  expect(sameBuild({ points: [0, 0, 0] }, { points: [0, 0, 1] })).toBe(false);
  // A function tells other values at another place.
  const graded = { ...body, material: { young: (x: number) => 1e5 + x } };
  expect(sameBuild(graded, graded)).toBe(false);
});

test('a body that is built already is read from its file, by the rules of other files', async () => {
  const built = buildBody({ shape: { type: 'sphere', radius: 1 }, sampling: { count: 60 }, position: [0, 9, 0] });
  const bytes = saveBody(built);
  const asset = (more = {}, file = 'ball.pliant') => ({ bodies: [{ geometry: { type: 'asset', file }, ...more }] });
  const scene = await load(asset({ name: 'ball', copies: [{ position: [4, 0, 0] }] }), { 'ball.pliant': bytes });
  const { world } = await buildWorld(scene, { backend: 'ts' });
  expect(world.bodies.map(({ name }) => name)).toEqual(['ball', 'ball 2']);
  expect(world.measure(world.bodies[0]).com[1]).toBeCloseTo(9, 1);
  expect(world.measure(world.bodies[1]).com[1]).toBeCloseTo(0, 1);
  await expect(load(asset())).rejects.toThrow('x.json: bodies[0].geometry.file: cannot read ball.pliant (not found).');
  await expect(load(asset({}, '../ball.pliant'))).rejects.toThrow('outside');
  const damaged = bytes.slice();
  damaged[999] ^= 1;
  await expect(load(asset(), { 'ball.pliant': damaged })).rejects.toThrow(
    'ball.pliant: asset is damaged: its checksum is not that of its bytes.',
  );
  await expect(load(asset({ scale: 2 }), { 'ball.pliant': bytes })).rejects.toThrow(
    'x.json: bodies[0].scale is 2; expected nothing beside an asset, which has its own.',
  );
  await expect(buildWorld(scene, { contact: 'none' })).rejects.toThrow(/bodies\[0\]\.geometry is an asset/);
});
