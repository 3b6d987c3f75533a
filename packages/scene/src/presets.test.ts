import { MATERIALS } from 'pliant';
import { expect, test } from 'vitest';
import { buildWorld } from './buildWorld.js';
import { loadScene } from './loadScene.js';
import { boxScene, memory } from './testing/memory.js';

const load = (material: object, scene: object = {}, body: object = {}) =>
  loadScene('x.json', memory({ 'x.json': boxScene(scene, { material, ...body }) }));
const materialOf = async (material: object) => (await load(material)).bodies[0].options.material;

test('a preset is the material of the engine, and what stands beside it replaces what it says', async () => {
  expect(await materialOf({ preset: 'clay' })).toEqual(MATERIALS.clay.material);
  expect(await materialOf({ preset: 'clay', young: 5e5, friction: 0.1 })).toEqual({
    ...MATERIALS.clay.material,
    young: 5e5,
    friction: 0.1,
  });
});

test('a mass replaces the density of a preset', async () => {
  const { density: _, ...others } = MATERIALS.jelly.material;
  expect(await materialOf({ preset: 'jelly', mass: 3 })).toEqual({ ...others, mass: 3 });
});

test('Young’s modulus may vary over a body, like other fields', async () => {
  const { world, bodies } = await buildWorld(
    await load({ preset: 'jelly', young: { along: 'x', values: [1e4, 3e4] } }, { dt: 1 / 240 }),
    { backend: 'ts' },
  );
  expect(bodies[0].young).toBeGreaterThan(1.9e4);
  expect(bodies[0].young).toBeLessThan(2.1e4);
  world.dispose();
});

test('per-step parameters beside a preset are refused by name', async () => {
  await expect(load({ preset: 'jelly', raw: { stiffness: 0.5 } })).rejects.toThrow(
    'x.json: bodies[0].material.preset is "jelly"; expected nothing beside raw',
  );
  await expect(load({ preset: 'jelly', stiffness: 0.5 })).rejects.toThrow(
    'x.json: bodies[0].material.stiffness is 0.5; expected nothing here: it belongs in bodies[0].material.raw.',
  );
});

test('a body has the elastic law or raw: the two are not mixed', async () => {
  const built = async (material: object, body = {}) => {
    const { world, bodies } = await buildWorld(await load(material, {}, body), { backend: 'ts' });
    world.dispose();
    return bodies[0];
  };
  expect((await built({})).material.law).toMatchObject({ poisson: 0.3, dampingRatio: 0.1 });
  expect((await built({ raw: {} })).material.law).toBeUndefined();
  expect((await built({ raw: { damping: 0.3 } })).material).toMatchObject({ damping: 0.3, rotation: 'covariance' });
  await expect(built({ young: 1e5, raw: {} })).rejects.toThrow(
    'x.json: bodies[0].material.young is 100000; expected nothing beside raw',
  );
  await expect(built({}, { levels: {} })).rejects.toThrow('x.json: bodies[0].levels is ');
});

test('the substeps of a scene are those of its world, and what a body does not reach is a warning', async () => {
  const { world, warnings } = await buildWorld(await load({ preset: 'glass' }, { substeps: 3, maxSubsteps: 5 }), {
    backend: 'ts',
  });
  expect([world.substeps, world.maxSubsteps]).toEqual([3, 5]);
  expect(warnings.join()).toMatch(/^bodies\[0\]\.material\.young is 7\.00e\+10 Pa, of which .* world\.substeps is 3\./);
  world.dispose();
});
