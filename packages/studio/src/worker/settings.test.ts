import { stiffnessInto, World } from 'pliant';
import { expect, test } from 'vitest';
import { Settings } from './settings.js';

test('settings outlive the way back to a moment that had others', async () => {
  const world = await World.create({ backend: 'ts' });
  const options = {
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { count: 60 },
    material: { raw: {} },
    clustering: { count: 2 },
  } as const;
  const [cube, other] = [world.addBody({ ...options, name: 'cube' }), world.addBody({ ...options, name: 'cubes' })];
  const settings = new Settings(world, ['cube', 'cubes']);
  const start = world.snapshot();
  settings.set({ type: 'material', body: 'cube', material: { raw: { stiffness: 0.25, limit: { gamma: 0.1 } } } });
  settings.set({ type: 'material', body: 'cube', material: { raw: { limit: { iterations: 9 } } } });
  settings.set({ type: 'gravity', gravity: [0, 0, 1] });
  world.restore(start);
  expect(world.bodies[0].material.limit.iterations).toBe(4);
  expect(settings.setAgain()).toBe(true);
  const { limit } = world.bodies[0].material;
  expect([limit.gamma, limit.iterations, [...world.gravity]]).toEqual([0.1, 9, [0, 0, 1]]);
  const stiffnessOf = (body: typeof cube) => {
    const out = new Float32Array(body.particleCount);
    stiffnessInto(out, world, body);
    return out[0];
  };
  expect([stiffnessOf(cube), stiffnessOf(other)]).toEqual([0.25, Math.fround(0.8)]);
  expect(() => settings.set({ type: 'material', body: 'ball', material: {} })).toThrow(
    'There is no body "ball" any more.',
  );
});
