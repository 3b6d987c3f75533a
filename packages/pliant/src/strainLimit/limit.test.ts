import { expect, test } from 'vitest';
import { World } from '../world.js';

/** Largest speed (m/s) of a free body of one cluster, at rest at first, in 60 steps. */
async function speedOf(limit: { gamma: number; omega: number; iterations: number }, backend: 'ts' | 'wasm') {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, backend });
  world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { count: 14 },
    material: { raw: { limit } },
    angularVelocity: [0, 0, 0.01],
  });
  let most = 0;
  for (let n = 0; n < 60; n++) {
    world.step();
    for (const v of world.velocities) most = Math.max(most, Math.abs(v));
  }
  return most;
}

test('a strain limit does not add speed, however far it over-relaxes and however few its sweeps are', async () => {
  for (const backend of ['ts', 'wasm'] as const)
    for (const omega of [1, 4 / 3, 1.6, 2])
      for (const iterations of [1, 2, 3])
        for (const gamma of [0, 0.1]) expect(await speedOf({ gamma, omega, iterations }, backend)).toBeLessThan(0.02);
});
