import { World } from 'pliant';
import { expect, test } from 'vitest';
import { Balls } from './balls.js';

test('a ball is the same particle in every frame, through a cut of the body before it', async () => {
  const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
  const block = (x: number) =>
    world.addBody({
      shape: { type: 'box', size: [0.5, 0.2, 0.2] },
      sampling: { method: 'grid', spacing: 0.05 },
      clustering: { count: 6 },
      position: [x, 0, 0],
    });
  const bodies = [block(0), block(2)];
  const start = world.positions.slice();
  const balls = new Balls(world, 1);
  balls.frame();
  const { bodies: halves } = world.cut(bodies[0], { point: [0, 0, 0], normal: [1, 0, 0] });
  expect(halves).toHaveLength(2);
  balls.frame();
  const [before, after] = balls.finish();
  // Nothing has moved, but rows have changed their numbers.
  expect(world.positions).not.toEqual(start);
  expect(after).toEqual(before);
  expect(before.length).toBe((3 * start.length) / 4);
});

test('copies are where their particle is until they come about', async () => {
  const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
  world.addBody({
    shape: { type: 'box', size: [0.8, 0.2, 0.2] },
    sampling: { method: 'grid', spacing: 0.05 },
    clustering: { count: 8 },
    material: { toughness: 0.1, raw: { limit: { gamma: 0.5 } } },
    stretch: [1.6, 1, 1],
  });
  const balls = new Balls(world, 1);
  balls.frame();
  const count = world.particleCount;
  for (let n = 0; n < 10; n++) {
    world.step();
    balls.frame();
  }
  const frames = balls.finish();
  expect(world.particleCount).toBeGreaterThan(count);
  expect(frames.every((frame) => frame.length === 3 * world.particleCount)).toBe(true);
  const places = (frame: Float32Array, from: number, to: number) =>
    Array.from({ length: to - from }, (_, k) => frame.slice(3 * (from + k), 3 * (from + k) + 3).join());
  const originals = new Set(places(frames[0], 0, count));
  for (const place of places(frames[0], count, world.particleCount)) expect(originals).toContain(place);
  // The last frame is the world as it is.
  const ballOf = balls.find();
  expect(new Set(ballOf).size).toBe(world.particleCount);
  for (let row = 0; row < world.particleCount; row++)
    expect(frames[10].slice(3 * ballOf[row], 3 * ballOf[row] + 3)).toEqual(world.positions.slice(4 * row, 4 * row + 3));
});
