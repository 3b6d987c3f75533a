import { expect, test } from 'vitest';
import { crossedTriangles } from '../../pliant/src/skin/testing/crossings.js';
import { report } from '../../pliant/src/testing/report.js';
import { runOwn } from './testing/gallery.js';

test('cloth: it hangs in folds over the ball, through neither the ball nor itself', async () => {
  let least = Number.POSITIVE_INFINITY;
  let flat: Float32Array | undefined;
  const { bodies, world, warnings } = await runOwn('cloth', 2.5, ({ bodies: [body] }) => {
    const { positions: p } = body;
    flat ??= body.getSkin().positions.slice();
    for (let o = 0; o < p.length; o += 4)
      least = Math.min(least, Math.hypot(p[o], p[o + 1] - 0.75, p[o + 2]) - 0.45, p[o + 1]);
  });
  const [cloth] = bodies;
  const { bboxMin, bboxMax } = world.measure(cloth);
  report('clearance of the cloth from ball and ground', least, 'm');
  expect(warnings).toEqual([]);
  expect(least).toBeGreaterThan(0);
  expect(bboxMax[1]).toBeGreaterThan(1.2);
  expect(bboxMin[1]).toBeLessThan(0.3);
  const skin = cloth.getSkin();
  skin.update();
  expect(crossedTriangles(skin, flat!, 0.1)).toEqual([]);
});

test('rope: one hangs between the hands, the other over the bar', async () => {
  let clearance = Number.POSITIVE_INFINITY;
  const { bodies, world, warnings } = await runOwn('rope', 5, ({ bodies: [, { positions: p }] }) => {
    for (let o = 0; o < p.length; o += 4)
      clearance = Math.min(clearance, Math.hypot(p[o] + 0.35, p[o + 1] - 1.35) - 0.08);
  });
  const [held, over] = bodies.map((body) => world.measure(body));
  report('clearance of a rope from the bar that it hangs on', clearance, 'm');
  expect(warnings).toEqual([]);
  expect(clearance).toBeGreaterThan(0);
  // 2 m of rope between hands 1.4 m apart: the catenary sags by 0.64 m, and by more as the rope stretches.
  expect(1.7 - held.bboxMin[1]).toBeGreaterThan(0.64);
  expect(1.7 - held.bboxMin[1]).toBeLessThan(0.75);
  expect(over.bboxMin[0]).toBeLessThan(-0.99);
  expect(over.bboxMax[0]).toBeGreaterThan(-0.35);
  expect(over.bboxMin[1]).toBeLessThan(0.1);
});
