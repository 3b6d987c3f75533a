import { expect, it } from 'vitest';
import { World } from '../world.js';

/** A ball that rolls at 1 m/s over a slab that is held. Returns its velocity each tenth of a second. */
async function rolling(dampingRatio: number): Promise<number[]> {
  const world = await World.create({ sleepSpeed: 0 });
  const slab = world.addBody({
    shape: { type: 'box', size: [3, 0.2, 0.8] },
    sampling: { method: 'grid', spacing: 0.1 },
    material: { young: 5e5, dampingRatio, friction: 1 },
    position: [0.8, -0.1, 0],
  });
  for (let i = 0; i < slab.particleCount; i++) slab.pin(i);
  const ball = world.addBody({
    shape: { type: 'sphere', radius: 0.5 },
    sampling: { method: 'grid', spacing: 1 / 7 },
    material: { young: 3e5, dampingRatio, friction: 1 },
    position: [0, 0.5, 0],
  });
  ball.setVelocity({ linear: [1, 0, 0], angular: [0, 0, -2] });
  const speed: number[] = [];
  for (let n = 1; n <= 60; n++) {
    world.step();
    if (n % 6 === 0) speed.push(ball.linearVelocity[0]);
  }
  world.dispose();
  return speed;
}

it('a ball that rolls over another body resists by its damping ratio', async () => {
  const little = (await rolling(0.02)).at(-1)!;
  const speed = await rolling(0.1);
  // A lever of 0.1 ζ of the size: the deceleration is 5/7 g · 0.01/0.5 m. Without resistance it came to 1.09 m/s.
  expect(speed.at(-1)!).toBeLessThan(0.9);
  expect(little).toBeGreaterThan(speed.at(-1)! + 0.1);
  // It rolls on in its direction.
  expect(Math.min(...speed)).toBeGreaterThan(0.45);
});

it('a spinning top between two bodies that do not turn comes to no more than rest', async () => {
  const world = await World.create({ sleepSpeed: 0, gravity: [0, 0, 0] });
  const wall = (x: number) =>
    world.addBody({
      shape: { type: 'box', size: [0.3, 1, 1] },
      sampling: { method: 'grid', spacing: 0.1 },
      material: { young: 2e5, dampingRatio: 0.2, friction: 0 },
      position: [x, 0, 0],
    });
  for (const x of [-0.6, 0.6]) {
    const body = wall(x);
    for (let i = 0; i < body.particleCount; i++) body.pin(i);
  }
  const ball = world.addBody({
    shape: { type: 'sphere', radius: 0.5 },
    sampling: { method: 'grid', spacing: 1 / 9 },
    material: { young: 2e5, dampingRatio: 0.2, friction: 0 },
    position: [0, 0, 0],
  });
  ball.setVelocity({ angular: [0, 0, 2] });
  let last = 2;
  for (let n = 0; n < 120; n++) {
    world.step();
    last = ball.angularVelocity[2];
    // It is slowed, and never turned the other way.
    expect(last).toBeGreaterThan(-0.05);
  }
  expect(last).toBeLessThan(0.2);
  world.dispose();
});
