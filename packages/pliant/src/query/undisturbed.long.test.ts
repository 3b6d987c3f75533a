import { describe, expect, test } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { ARRAY_NAMES, LAYOUT, UNTOUCHED } from '../state/layout.js';
import { BLOCK } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { randomRay } from './testing/shapes.js';

/** Two blocks fall onto a floor and each other; a third is switched off. */
async function scene(backend: 'ts' | 'wasm') {
  const world = await World.create({ backend });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
  world.addBody(BLOCK);
  world.addBody({ ...BLOCK, position: [0.2, 0.85, 0.1], angularVelocity: [1, 2, 3] });
  world.addBody({ ...BLOCK, position: [3, 0, 0] }).enabled = false;
  return world;
}

const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();

describe.each(BACKENDS)('queries (%s)', (backend) => {
  test('leave all that lives from step to step as it is', async () => {
    const world = await scene(backend);
    for (let k = 0; k < 20; k++) world.step();
    // A body that sleeps keeps its boxes from its last step.
    world.bodies[0].sleep();
    const { views } = world.state;
    const kept = ARRAY_NAMES.filter((name) => LAYOUT[name].kind !== 'scratch');
    const before = kept.map((name) => bytes(views[name]));
    const next = random(testSeed('undisturbed'));
    for (let k = 0; k < 30; k++) {
      const { origin, direction } = randomRay(next);
      world.castRay(origin, direction, { includeDisabled: true });
      world.overlapSphere(origin, 2, { includeDisabled: true });
    }
    kept.forEach((name, k) => {
      expect(Buffer.compare(bytes(views[name]), before[k]), name).toBe(0);
    });
    expect(views.touchCluster.subarray(0, world.particleCount).every((c) => c === UNTOUCHED)).toBe(true);
  });

  test('leave a simulation bit-identical', async () => {
    const [asked, left] = [await scene(backend), await scene(backend)];
    const next = random(testSeed('bit-identical'));
    for (let k = 0; k < 40; k++) {
      for (let n = 0; n < 3; n++) {
        const { origin, direction } = randomRay(next);
        asked.castRay(origin, direction, { includeDisabled: true });
        asked.overlapSphere(origin, 2);
        asked.nearestParticle(origin);
      }
      // A sleeping body's boxes are of its last step: were they refitted, it would see others come sooner or later.
      if (k === 20) for (const { bodies } of [asked, left]) bodies[0].sleep();
      asked.step();
      left.step();
    }
    expect(asked.positions).toEqual(left.positions);
    expect(asked.velocities).toEqual(left.velocities);
  });
});
