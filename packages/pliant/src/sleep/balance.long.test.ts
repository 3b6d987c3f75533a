import { expect, it } from 'vitest';
import type { ShapeOptions } from '../sample/shape.js';
import { stayedIn } from '../testing/balance.js';
import { report } from '../testing/report.js';

const SHAPES: Record<string, ShapeOptions> = {
  cube: { type: 'box', size: [1, 1, 1] },
  sphere: { type: 'sphere', radius: 0.5 },
  torus: { type: 'torus', radius: 0.4, tube: 0.15 },
  bar: { type: 'box', size: [1.5, 0.25, 0.25] },
};

it.each([
  ['cube', 1300, 60],
  ['cube', 1300, 240],
  ['sphere', 700, 60],
  ['torus', 700, 120],
  ['bar', 1300, 60],
])('a %s of %i particles at %i Hz sleeps within 4 s, where it stays', async (name, count, hz) => {
  const { seconds, awake, left } = await stayedIn({
    hz,
    body: { shape: SHAPES[name], sampling: { count }, material: { young: 1e5, poisson: 0.35 }, position: [0, 1, 0] },
  });
  report(`${name} ${count} ${hz} Hz: asleep after (s), moved by (of its size)`, { seconds, awake, left }, '');
  expect(seconds).toBeLessThan(4);
  // Of its size: in a second in which it may not sleep and nothing brakes it, and in ten seconds in which it may.
  expect(awake).toBeLessThan(0.01);
  expect(left).toBeLessThan(0.01);
});
