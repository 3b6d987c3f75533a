import { expect, it } from 'vitest';
import { World } from '../world.js';
import { MATERIALS } from './presets.js';

it.each(['glass', 'ceramic', 'chocolate'] as const)(
  'a ball of %s that is dropped from 1 m breaks, gains no energy, and its pieces come to rest',
  async (name) => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
    const ball = world.addBody({
      shape: { type: 'sphere', radius: 0.2 },
      sampling: { count: 600 },
      material: MATERIALS[name].material,
      position: [0, 1.2, 0],
    });
    const { mass } = ball;
    let most = 0;
    for (let k = 0; k < 360; k++) {
      world.step();
      most = Math.max(most, world.measure().kineticEnergy);
    }
    expect(ball.pieces.count).toBeGreaterThan(1);
    expect(ball.mass / mass).toBeCloseTo(1, 5);
    // Weight times the height of its fall, and what it falls on while it breaks.
    expect(most).toBeLessThan(mass * 9.81 * 1.2);
    expect(world.measure().kineticEnergy).toBeLessThan(1e-3 * mass);
    world.dispose();
  },
);
