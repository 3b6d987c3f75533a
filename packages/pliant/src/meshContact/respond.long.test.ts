import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { randomPoint } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { addBall, addBox, emptyWorld, meet } from './testing/bodies.js';

describe('the answer to contacts', () => {
  it('never wins kinetic energy, whatever friction and restitution', async () => {
    const next = random(testSeed('energy of contacts'));
    for (let n = 0; n < 12; n++) {
      const world = await emptyWorld();
      const count = 1 + Math.floor(6 * next());
      const spin = () => randomPoint(next, 4) as Vec3;
      const a = addBox(world, [1, 0.8, 0.6], 4, { clustering: { count }, angularVelocity: spin() });
      const centre: Vec3 = [1.05, 0.4 * next(), 0.4 * next()];
      const towards: Vec3 = [-1 - 3 * next(), 0, 0];
      const other = { centre, clustering: { count }, velocity: towards, angularVelocity: spin() };
      const b = n % 2 ? addBall(world, 0.5, 2, other) : addBox(world, [0.8, 0.8, 0.8], 4, other);
      const options = { friction: 1.5 * next(), restitution: n % 3 ? next() : 1 };
      const start = world.measure().kineticEnergy;
      let met = 0;
      for (let step = 0; step < 90; step++) {
        world.step();
        const before = world.measure().kineticEnergy;
        met += meet(world, a, b, options).contacts;
        expect(world.measure().kineticEnergy).toBeLessThan(before * (1 + 1e-6) + 1e-9 * start);
      }
      expect(met).toBeGreaterThan(0);
      expect(world.measure().kineticEnergy).toBeLessThan(start * (1 + 1e-5));
    }
  });
});
