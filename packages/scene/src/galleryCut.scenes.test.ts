import { expect, test } from 'vitest';
import { runOwn } from './testing/gallery.js';

test('cut: the loaf falls into three, the middle keeps together under the blade, and the pillow is left alone', async () => {
  const times: number[] = [];
  const { world, bodies } = await runOwn('cut', 4, (_, events) => {
    for (const event of events) if (event.type === 'cut') times.push(event.time);
  });
  // In the step that begins at their times.
  expect(times.map((t) => t.toFixed(3))).toEqual(['0.500', '1.000', '1.500']);
  expect(world.bodies.map((b) => b.name).sort()).toEqual(['loaf', 'loaf 2', 'loaf 3', 'pillow']);
  const [loaf, pillow] = bodies;
  expect(pillow.topologyVersion).toBe(0);
  for (const body of world.bodies) expect(body.pieces.count).toBe(1);
  // Three lie on the table beside one another: the loaf was 2 m long and is cut at ±0.5 m.
  const [left, middle, right] = world.bodies
    .filter((b) => b !== pillow)
    .map((b) => ({ body: b, x: world.measure(b).com[0] }))
    .sort((a, b) => a.x - b.x);
  expect(middle.body).toBe(loaf);
  expect(middle.x - left.x).toBeGreaterThan(0.65);
  expect(right.x - middle.x).toBeGreaterThan(0.65);
  expect(right.x - left.x).toBeLessThan(2.2);
  expect(world.measure().bboxMin[1]).toBeGreaterThan(-0.01);
  expect(world.measure().bboxMax[1]).toBeLessThan(0.7);
  // The cut ones have faces of their own on their skins.
  for (const { body } of [left, middle, right])
    expect(body.getSkin().groups.map((g) => g.kind)).toEqual(['outer', 'inner']);
  expect(pillow.getSkin().groups.map((g) => g.kind)).toEqual(['outer']);
});
