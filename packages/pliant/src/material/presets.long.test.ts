import { expect, it } from 'vitest';
import { World } from '../world.js';
import { MATERIALS } from './presets.js';

const BRITTLE = ['glass', 'ceramic', 'chocolate'];

it.each(Object.keys(MATERIALS) as (keyof typeof MATERIALS)[])(
  'a ball of %s that is dropped from 1 m gains no energy and comes to rest; brittle ones break',
  async (name) => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
    const ball = world.addBody({
      shape: { type: 'sphere', radius: 0.2 },
      sampling: { count: BRITTLE.includes(name) ? 400 : 300 },
      material: MATERIALS[name].material,
      position: [0, 1.2, 0],
    });
    const { mass } = ball;
    const weight = mass * 9.81;
    let most = 0;
    for (let k = 0; k < 360; k++) {
      world.step();
      const { kineticEnergy, com } = world.measure();
      most = Math.max(most, kineticEnergy + weight * com[1]);
      // Damping knows the modulus that is reached: with that of glass it would take all motion of a cluster in every step.
      const { law } = ball.core;
      if (!law!.rigid) expect(law!.damping).toBeLessThan(0.5);
      if (ball.asleep) break;
    }
    if (BRITTLE.includes(name)) expect(ball.pieces.count).toBeGreaterThan(1);
    expect(ball.mass / mass).toBeCloseTo(1, 5);
    expect(most / (weight * 1.2)).toBeLessThan(1.002);
    expect(world.measure().kineticEnergy).toBeLessThan(2e-3 * mass);
    world.dispose();
  },
);
