import { expect, test } from 'vitest';
import { worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';

const row = (y: number) => Array.from({ length: 12 }, (_, k) => (k % 3 === 0 ? k / 3 : k % 3 === 1 ? y : 0));

test('the nearest particle of all bodies, or of some', async () => {
  const { world, body } = await worldWith({ points: row(0) });
  const other = world.addBody({ points: row(1) });
  expect(world.nearestParticle([2.1, 0.4, 0])).toEqual({
    body,
    particle: 2,
    distance: expect.closeTo(Math.hypot(0.1, 0.4), 6),
    point: [2, 0, 0],
  });
  expect(world.nearestParticle([2.1, 0.6, 0])).toMatchObject({
    body: { handle: other.handle },
    particle: 2,
    point: [2, 1, 0],
  });
  expect(world.nearestParticle([2.1, 0.6, 0], { bodies: [body] })).toMatchObject({
    body: { handle: body.handle },
    particle: 2,
  });
  expect(world.nearestParticle([2.1, 9, 0], { maxDistance: 7 })).toBeUndefined();
  body.positions[1] = Number.NaN;
  expect(world.nearestParticle([0, 0, 0], { bodies: [body] })).toMatchObject({ particle: 1 });
  world.removeBody(body);
  expect(world.nearestParticle([2.1, 0, 0])).toMatchObject({ body: { handle: other.handle }, particle: 2 });
  expect(refusal(() => world.nearestParticle([0, 0, Number.POSITIVE_INFINITY]))).toMatch(/^point is/);
});
