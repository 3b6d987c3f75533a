import { expect, test } from 'vitest';
import { World } from '../world.js';

test('a rigid body that sleeps in a snapshot wakes as a rigid body, at a touch within the step', async () => {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const wood = { density: 600, young: 1e10 };
  const brick = world.addBody({
    shape: { type: 'box', size: [0.2, 0.1, 0.1] },
    sampling: { count: 60 },
    material: wood,
    position: [0, 0.05, 0],
  });
  while (!brick.asleep && world.time < 5) world.step();
  expect(brick.asleep).toBe(true);
  expect(brick.maxYoung).toBe(Number.POSITIVE_INFINITY);
  world.addBody({
    shape: { type: 'sphere', radius: 0.05 },
    sampling: { count: 60 },
    material: wood,
    position: [0.06, 0.3, 0],
    velocity: [0, -3, 0],
  });
  const bytes = world.save();
  const run = () => {
    let woken = false;
    for (let n = 0; n < 12; n++) {
      world.step();
      woken ||= !brick.asleep;
    }
    expect(woken).toBe(true);
    return [world.positions.slice(), world.velocities.slice()];
  };
  const wanted = run();
  world.restore(bytes);
  expect(run()).toEqual(wanted);
});
