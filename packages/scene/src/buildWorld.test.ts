import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';
import { boxScene, memory } from './testing/memory.js';

const load = (scene: unknown) => loadScene('x.json', memory({ 'x.json': scene }));
const build = async (scene: unknown, options = {}) => buildWorld(await load(scene), { backend: 'ts', ...options });

test('bodies, clamps and colliders of the scene are in the world', async () => {
  const { world, bodies, clamps, colliders } = await build(
    boxScene({
      dt: 0.01,
      gravity: [0, -1, 0],
      clamps: [{ name: 'grip', region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.3 }, bodies: ['body 1'] }],
      colliders: [{ type: 'plane', normal: [0, 1, 0], offset: -2, except: 'grip' }],
    }),
  );
  expect(world.dt).toBe(0.01);
  expect(world.gravity).toEqual([0, -1, 0]);
  expect(bodies.map((b) => b.particleCount)).toEqual([64]);
  expect(clamps.get('clamps[0]')?.particleCount).toBe(16);
  expect(colliders.get('colliders[0]')?.except).toBe(clamps.get('clamps[0]'));
});

test('what only the engine can judge is refused under the name that the scene has for it', async () => {
  const region = { type: 'halfspace', normal: [1, 0, 0], offset: 5 };
  await expect(build(boxScene({ clamps: [{ region }] }))).rejects.toThrow(/^x\.json: clamps\[0\]\.region is /);
  const radius = { radius: 0.01, maxRadius: 0.02 };
  await expect(build(boxScene({}, { clustering: radius }))).rejects.toThrow(
    /^x\.json: bodies\[0\]\.clustering\.radius is 0\.01;/,
  );
  await expect(build(boxScene({}, { material: { density: 1, mass: 1 } }))).rejects.toThrow(
    /^x\.json: bodies\[0\]\.material gives density and mass;/,
  );
  await expect(build(boxScene({}, { material: { raw: { stiffness: [1, 2] } } }))).rejects.toThrow(
    /bodies\[0\]\.material\.raw\.stiffness/,
  );
});

test('contact of the scene reaches the engine, and can be switched off from outside', async () => {
  const contact = {
    self: false,
    exits: 'planes',
    fraction: 0.4,
    margin: 0.01,
    gamma: 0.7,
    response: 'positions',
    obstacles: 'surface',
  };
  const scene = boxScene({}, { contact, material: { friction: 0.1, restitution: 0.2, raw: { bodyDamping: 0.3 } } });
  const [body] = (await build(scene)).bodies;
  expect(body.core.contact.settings).toEqual({ mode: 'proxies', ...contact });
  expect(body.material).toMatchObject({ friction: 0.1, restitution: 0.2, bodyDamping: 0.3 });
  const [off] = (await build(scene, { contact: 'none' })).bodies;
  expect(off.core.contact.settings).toEqual({ ...contact, mode: 'none' });
});

test('a seed replaces those of the scene, and the same seed gives the same world', async () => {
  const scene = boxScene({}, { sampling: { count: 100 }, clustering: { count: 4, seed: 9 } });
  const positions = async (seed?: number) => Array.from((await build(scene, { seed })).world.positions);
  expect(await positions(5)).toEqual(await positions(5));
  expect(await positions(5)).not.toEqual(await positions(6));
  expect(await positions()).toEqual(await positions());
});

test('clusters from outside count particles over all bodies, sampled or given', async () => {
  const points = {
    geometry: {
      type: 'points',
      points: [
        [0, 3, 0],
        [1, 3, 0],
        [0, 4, 0],
        [0, 3, 1],
      ],
    },
  };
  const scene = { bodies: [...(boxScene() as { bodies: object[] }).bodies, points] };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);
  const list = [{ members: range(0, 40) }, { members: range(64, 68) }, { members: range(30, 64) }];
  const { bodies } = await build(scene, { clusters: { list, file: 'c.json' } });
  expect(bodies.map((b) => b.clusterCount)).toEqual([2, 1]);
  expect(bodies[0].clustering.particle).toHaveLength(74);
  const spanning = [{ members: range(0, 68) }];
  await expect(build(scene, { clusters: { list: spanning, file: 'c.json' } })).rejects.toThrow(
    'holds particles of two bodies',
  );
});

test('without a backend the default one is taken', async () => {
  const { world } = await buildWorld(await load(boxScene()));
  expect(world.backend).toBe('wasm');
});

test('a build tells how far the whole scene is, and can be cancelled', async () => {
  const { bodies } = boxScene() as { bodies: object[] };
  const two = { ...boxScene(), bodies: [...bodies, { ...bodies[0], position: [3, 0, 0] }] };
  const seen: { body: number; done: number; name: string }[] = [];
  await build(two, { watch: { onProgress: (progress: (typeof seen)[0]) => seen.push(progress) } });
  for (let k = 1; k < seen.length; k++) expect(seen[k].done).toBeGreaterThanOrEqual(seen[k - 1].done);
  expect(seen.find(({ body }) => body === 1)!.done).toBe(0.5);
  expect(seen.at(-1)).toMatchObject({ body: 1, bodies: 2, done: 1 });

  const signal = { aborted: false };
  const onProgress = ({ body }: { body: number }) => {
    signal.aborted = body === 1;
  };
  await expect(build(two, { watch: { signal, onProgress } })).rejects.toMatchObject({
    code: 'cancelled',
    message: 'x.json: bodies[1] was cancelled while it was built.',
  });
});
